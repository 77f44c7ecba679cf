"""Programs that a folder or a file names are started only for who trusts them, and what was made here is remembered."""

import pytest

from nashgap.errors import OptionError
from nashgap.runs.trust import programs_in, remember, require_trust


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("NASHGAP_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.mark.parametrize(
    ("value", "programs"),
    [
        ({"bot": {"kind": "exec", "command": "./bot -x", "limits": {}}}, ("exec:./bot -x",)),
        ([{"agents": [{"kind": "acpc", "command": "sh run.sh"}]}], ("acpc:sh run.sh",)),
        ({"kind": "by-hand", "player": {"kind": "python", "class": "m:C"}}, ("python:m:C",)),
        ({"kind": "patched", "base": {"kind": "exec", "command": "b"}, "patches": "..."}, ("exec:b",)),
        ({"game": "python:dice:Dice(sides=6)"}, ("python:dice:Dice(sides=6)",)),
        ({"game": {"name": "python:dice:Dice", "parameters": {}}}, ("python:dice:Dice",)),
        (["exec(seconds=5):b", "master:exec:b+x.safetensors"], ("exec(seconds=5):b", "master:exec:b+x.safetensors")),
        ({"kind": "name", "name": "always-call"}, ()),
        ({"kind": ["exec"], "name": "executive: 5"}, ()),
    ],
)
def test_programs_are_found_wherever_they_stand(value, programs):
    assert programs_in(value) == programs


def test_a_program_is_started_only_for_who_trusts_it(tmp_path):
    asked = []
    programs = ("exec:./bot",)
    with pytest.raises(OptionError, match=r"run x starts exec:\./bot; .* with trust it is started"):
        require_trust("run x", tmp_path, programs, False)
    with pytest.raises(OptionError, match="starts"):
        require_trust("run x", tmp_path, programs, lambda told: bool(asked.append(told)))
    assert asked == ["run x starts exec:./bot"]
    require_trust("run x", tmp_path, programs, lambda told: True)
    require_trust("run x", tmp_path, programs, True)
    require_trust("run x", tmp_path, (), False)


def test_what_was_made_here_is_not_asked_again_but_its_copy_is(tmp_path, monkeypatch):
    place, programs = tmp_path / "run", ("exec:./bot",)
    remember(place, programs)
    require_trust("run", place, programs, False)
    with pytest.raises(OptionError):
        require_trust("run", tmp_path / "copy", programs, False)
    with pytest.raises(OptionError):
        require_trust("run", place, ("exec:./other",), False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError):  # there ./bot is another file
        require_trust("run", place, programs, False)


def test_what_would_be_started_cannot_paint_the_terminal(tmp_path):
    with pytest.raises(OptionError) as refused:
        require_trust("run", tmp_path, ("exec:rm\x1b[2K\rtrue\n", "exec:" + "x" * 100_000), False)
    text = str(refused.value)
    assert text.isprintable() and len(text) < 1000 and "100,005 letters" in text


def test_a_state_folder_that_cannot_be_written_asks_again(tmp_path, state):
    state.write_text("in the way")
    remember(tmp_path, ("exec:x",))
    with pytest.raises(OptionError):
        require_trust("run", tmp_path, ("exec:x",), False)
