"""What files, bots and folders of somebody else may hold: one clear line each, and nothing that a terminal obeys."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import nashgap as nashgap_package
from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.games.compiled import load_tree
from nashgap.runs.config import RunConfig, load_config
from nashgap.runs.folder import find_run
from nashgap.strategies.load import save
from nashgap.strategies.table import uniform

WITHOUT_DECISIONS = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 1
stack = 10 10
blind = 10 10
firstPlayer = 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 5
END GAMEDEF
"""
BOTS = r"""
from nashgap.core.strategy import Policy
from nashgap.errors import AgentError
class Silent(Exception):
    def __str__(self):
        raise RuntimeError
class Own(BaseException):
    pass
class Bot:
    def act(self, view):
        raise self.error
class Ending(Bot): error = GeneratorExit()
class Owning(Bot): error = Own("mine")
class Speechless(Bot): error = Silent()
class Colourful(Bot): error = ValueError("\x1b[31mred\x1b[0m \x9b2J")
class Talkative(Bot): error = ValueError("x" * 10**6)
class Number(int):
    def __int__(self):
        raise GeneratorExit
class Numerous:
    def act(self, view):
        return Number(0)
class Long:
    def act(self, view):
        return 10**5000
class Closed:
    def act(self, view):
        return 0
    def __getattr__(self, name):
        raise GeneratorExit
class Closing(type):
    def __getattribute__(cls, name):
        raise GeneratorExit
class Unasked(metaclass=Closing):
    pass
class Hidden(Exception, metaclass=Closing):
    pass
class Untold(Bot): error = Hidden
class Classless(Exception):
    @property
    def __class__(self):
        raise SystemExit
class Shapeless(Bot): error = Classless()
class Endless(list):
    def __len__(self):
        raise GeneratorExit
class Unread:
    def policies(self, states):
        return Endless()
class Silenced(AgentError):
    def __str__(self):
        raise RuntimeError
class Wordless:
    def policies(self, states):
        raise Silenced
class Handless:
    def policies(self, states):
        return [Policy(None, ("c",), [[1.0]])] * len(states)
class Unseen:
    def policies(self, states):
        return []
    def __getattribute__(self, name):
        raise GeneratorExit
"""


def refused(outcome: Any, message: str) -> None:
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.err.strip().isprintable()
    assert len(outcome.err) < 2100


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("Ending", "fails in act(view): GeneratorExit"),
        ("Owning", "fails in act(view): Own: mine"),
        ("Speechless", "fails in act(view): Silent: (its text fails with RuntimeError)"),
        ("Colourful", "fails in act(view): ValueError: [31mred [0m 2J"),
        ("Talkative", "fails in act(view): ValueError: xxx"),
        ("Numerous", "fails in act(view): GeneratorExit"),
        ("Long", "answers a number of 16,610 bits"),
        ("Closed", "fails in start_match: GeneratorExit"),
        ("Unasked", "class Unasked cannot be asked what it has: GeneratorExit"),
        ("Untold", "fails in act(view): an error that fails while it is told"),
        ("Shapeless", "fails in act(view): an error that fails while it is told"),
        ("Unread", "answers what cannot be read as policies: GeneratorExit (hostile_bots.py"),
        ("Wordless", "in the big blind: Silenced: (its text fails with RuntimeError)"),
        ("Handless", "answers what cannot be read as policies: TypeError: 'NoneType'"),
        ("Unseen", "cannot be called without arguments: GeneratorExit"),
        ("Absent", "has no class 'Absent'; classes: Bot, Closed"),
    ],
)
def test_a_bot_may_raise_anything(nashgap: Callable[..., Any], tmp_path: Path, bot: str, message: str) -> None:
    (tmp_path / "hostile_bots.py").write_text(BOTS)
    refused(
        nashgap("match", f"python:hostile_bots:{bot}", "always-call", "--game", "lhe2", "--deals", "2", "--quiet"),
        message,
    )


def test_a_line_of_a_megabyte_is_not_echoed(nashgap: Callable[..., Any]) -> None:
    refused(nashgap("solve", "x" * 10**6), "unknown")
    refused(nashgap("solve", "kuhn(" + "x" * 10**6 + "=1)"), "has no parameter")


def test_a_game_in_which_nobody_acts_is_refused(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "idle.game").write_text(WITHOUT_DECISIONS)
    refused(nashgap("check-bot", "always-call", "--game", "idle.game"), "idle: no seat ever acts")


@pytest.mark.parametrize("facts", [0, "text", [1], None])
def test_facts_that_are_no_table_are_refused(nashgap: Callable[..., Any], tmp_path: Path, facts: object) -> None:
    save(tmp_path / "uniform.safetensors", uniform(load_tree("kuhn")))
    file = open_arrays(tmp_path / "uniform.safetensors")
    arrays = {name: file.array(name) for name in file.names}
    save_arrays(tmp_path / "changed.safetensors", arrays, {**file.metadata, "facts": facts})
    refused(nashgap("check", "changed.safetensors"), "does not tell its game_definition and facts as tables")


def test_facts_with_codes_for_a_terminal_are_shown_without_them(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    save(tmp_path / "uniform.safetensors", uniform(load_tree("kuhn")))
    file = open_arrays(tmp_path / "uniform.safetensors")
    arrays = {name: file.array(name) for name in file.names}
    save_arrays(tmp_path / "changed.safetensors", arrays, {**file.metadata, "facts": {"by": "\x1b]0;me\x07\x9b2J"}})
    text = nashgap("check", "changed.safetensors").out
    assert "]0;me" in text
    assert text.replace("\n", "").isprintable()
    document = nashgap("check", "changed.safetensors", "--json")
    assert document.out.replace("\n", "").isprintable()
    assert document.json["facts"]["by"] == "\x1b]0;me\x07\x9b2J"


def test_a_pipe_or_a_device_is_refused_where_a_file_is_wanted(tmp_path: Path) -> None:
    """In processes of their own, because what fails here waits for ever."""
    os.mkfifo(tmp_path / "pipe.game")
    os.mkfifo(tmp_path / "pipe.toml")
    os.mkfifo(tmp_path / "pipe.csv")
    for words in (
        ["solve", "pipe.game"],
        ["solve", "pipe.toml"],
        ["tournament", "run", "pipe.toml"],
        ["tournament", "rank", "pipe.csv"],
        ["solve", 'bet_size(joint="/dev/zero")'],
        ["acpc", "check-log", "/dev/zero", "--game", "lhe2"],
        ["acpc", "to-phh", "pipe.game", "--game", "lhe2", "-o", "hands.phhs"],
        ["check", "/dev/zero"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "nashgap", *words], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 2, words
        assert "not a regular file" in done.stderr, words
        assert done.stderr.count("\n") == 1, words


STRANGE_FOLDER = """
import os, shutil, sys
from pathlib import Path
from nashgap.cli.main import main

match = ["match", "always-call", "always-raise", "--game", "kuhn2", "--deals", "20", "--quiet"]
solve = ["solve", "kuhn", "--iterations", "5", "--quiet"]
assert main(match) == main(solve) == 0
shutil.copytree("runs", "whole")
places = {
    "pipe": os.mkfifo,
    "loop": lambda path: os.symlink(path.name, path),
    "zero": lambda path: os.symlink("/dev/zero", path),
}
for file in ("*/config.toml", "*/ledger.sqlite", "*/result.json", "*/lock", "*/checkpoint-1"):
    for kind, make in places.items():
        shutil.rmtree("runs")
        shutil.copytree("whole", "runs")
        for path in Path("runs").glob(file):
            path.unlink()
            make(path)
        print(file, kind, file=sys.stderr)
        statuses = [main(["runs", "list"]), main(["runs", "resume", "match", "-q"]), main([*solve, "--fresh"])]
        assert {*statuses} <= {0, 2} and statuses[0] == 0, statuses
"""


@pytest.mark.slow
def test_a_run_s_folder_may_have_a_pipe_or_a_device_in_the_place_of_any_file(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRANGE_FOLDER], cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_config_that_lacks_a_key_or_has_a_wrong_one_is_refused(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    """In its own right: the id of the folder is that of the changed config."""
    assert nashgap("match", "always-call", "always-raise", "--game", "lhe2", "--deals", "20", "--quiet").status == 0
    (folder,) = (tmp_path / "runs").glob("match-*")
    config = load_config(folder / "config.toml")
    for identity, budget, message in (
        (config.identity, {}, "missing keys ['deals']"),
        (config.identity, {"deals": "many"}, "deals: 'many' is not a whole number"),
        (config.identity | {"seat": 1}, config.budget, "unknown keys ['seat']"),
        (config.identity | {"seed": [0]}, config.budget, "seed: [0] is not a whole number"),
        (config.identity | {"batch_deals": 0}, config.budget, "batch_deals = 0; at least 1"),
        (config.identity | {"rules": 0}, config.budget, "config of a match run"),
        ({}, config.budget, "missing keys"),
    ):
        changed = RunConfig(config.kind, config.name, config.version, dict(identity), dict(budget))
        other = folder.with_name(f"match-{changed.run_id}")
        folder.rename(other)
        (other / "config.toml").write_text(changed.to_toml())
        refused(nashgap("runs", "resume", changed.run_id, "--quiet"), message)
        assert nashgap("runs", "list").status == 0
        other.rename(folder)


def test_a_result_that_is_nested_too_deep_is_damaged(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    nashgap("solve", "kuhn", "--iterations", "5", "--quiet")
    (result,) = (tmp_path / "runs").glob("*/result.json")
    result.write_text("[" * 100_000)
    outcome = nashgap("runs", "list")
    assert outcome.status == 0
    assert "damaged" in outcome.out
    refused(nashgap("runs", "show", "solve-kuhn"), "result.json: damaged")


def test_runs_of_somebody_else_are_shown_without_codes_for_a_terminal(
    nashgap: Callable[..., Any], tmp_path: Path
) -> None:
    nashgap("solve", "kuhn", "--iterations", "5", "--quiet")
    run = find_run(tmp_path / "runs", "solve-kuhn")
    run.save_config(replace(run.config, inputs={"\x1b[2J": "\x9b2J"}))
    run.save_result({"summary": "\x1b]0;me\x07 \x9b2J"})
    for words in (("runs", "list"), ("runs", "show", "solve-kuhn")):
        text = nashgap(*words).out
        assert "]0;me" in text
        assert text.replace("\n", "").isprintable()


def test_an_interrupt_of_code_that_was_made_of_text_ends_with_the_usual_status(tmp_path: Path) -> None:
    """Python alone would end by the signal: code of dataclasses is text, in modules that are imported late."""
    (tmp_path / "stopped.py").write_text('exec("raise KeyboardInterrupt")')
    match = ["-m", "nashgap", "match", "python:stopped:Bot", "always-call", "--game", "kuhn2", "--deals", "2"]
    done = subprocess.run([sys.executable, *match], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "nashgap: interrupted; nothing was kept\n")


@pytest.mark.slow
def test_ctrl_c_at_any_moment_of_the_start_is_one_line(tmp_path: Path) -> None:
    """From the moment when Python has begun to import the package; before, nothing of ours runs."""
    code = (
        "import sys; sys.argv = ['nashgap', 'solve', 'leduc', '--iterations', '10000000', '--quiet'];"
        "from nashgap.__main__ import run; print('ready', flush=True); run()"
    )
    for hundredths in range(0, 150, 6):
        folder = tmp_path / str(hundredths)  # else a run would go on where the one before was stopped
        folder.mkdir()
        started = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
        )
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        time.sleep(hundredths / 100)
        started.send_signal(signal.SIGINT)
        try:
            _, said = started.communicate(timeout=60)
        finally:
            started.kill()  # one that did not end
        assert started.returncode == 130, said
        assert "interrupted" in said
        assert "Traceback" not in said
        assert said.count("\n") == 1


def test_little_is_imported_before_ctrl_c_is_listened_to(tmp_path: Path) -> None:
    """What is imported with the package is so before anything of ours can run; it took 40 ms."""
    place = str(Path(nashgap_package.__file__).parent.parent)
    code = (
        f"import sys; sys.path.insert(0, {place!r}); before = {{*sys.modules}}; import nashgap.__main__;"
        "print(*sorted({*sys.modules} - before))"
    )
    told = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    assert "nashgap" in told.split()
    assert not {"ast", "pathlib", "typing", "dataclasses", "numpy"} & {*told.split()}


def test_ctrl_c_where_python_lets_nothing_be_raised_is_not_lost(tmp_path: Path) -> None:
    code = """
import signal, time, weakref
import nashgap.__main__, nashgap.cli.main
class Something: pass
def command():
    something = Something()
    kept = weakref.ref(something, lambda _: signal.raise_signal(signal.SIGINT))
    del something
    time.sleep(60)
nashgap.cli.main.run = command
nashgap.__main__.run()
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=50)
    assert (ended.returncode, ended.stderr) == (130, "nashgap: interrupted; nothing was kept\n")
