from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_runs_are_listed_shown_and_resumed(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    assert nashgap("runs", "list").out == "no runs in runs\n"
    solved = nashgap("solve", "kuhn", "--iterations", "200", "--json").json
    (listed,) = nashgap("runs", "list", "--json").json["runs"]
    assert (listed["status"], listed["done"], listed["total"], listed["kind"]) == ("finished", 200, 200, "solve")
    assert listed["run"] == solved["run"]

    shown = nashgap("runs", "show", listed["id"][:4], "--json").json
    assert shown["identity"]["solver"] == "cfr+"
    assert shown["budget"] == {"iterations": 200}
    assert shown["result"]["nash_conv"] == solved["nash_conv"]
    assert shown["report"] == solved["report"]

    resumed = nashgap("runs", "resume", listed["name"], "-o", "kuhn.safetensors", "--json").json
    assert resumed == {**solved, "output": "kuhn.safetensors"}
    assert (tmp_path / "kuhn.safetensors").is_file()


def test_the_tables_fit_80_columns(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "kuhn(players=3)", "--solver", "external-sampling", "--iterations", "20")
    listed = nashgap("runs", "list").out
    assert "finished" in listed
    assert max(map(len, listed.splitlines())) <= 80
    shown = nashgap("runs", "show", "solve").out
    assert "external-sampling" in shown
    assert "20 of 20 iterations" in shown


def test_what_has_parameters_is_shown_with_them(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "leduc(players=3)", "--iterations", "2", "--freeze", "2=always-call")
    shown = _rows(nashgap("runs", "show", "solve").out)
    assert shown["game"] == "leduc(players=3,ranks=4,raises=2,bet1=2,bet2=4,ante=1)"
    assert shown["frozen"] == "2 always-call"
    nashgap("match", "triple(0.1,0.4,0.5)", "random", "--game", "kuhn2", "--deals", "40")
    shown = _rows(nashgap("runs", "show", "match").out)
    assert (shown["rules"], shown["agents"]) == ("kuhn2", "triple(0.1,0.4,0.5), random")


def _rows(text: str) -> dict[str, str]:
    """What `runs show` prints, by its name."""
    return {name: told.strip() for name, _, told in (line.partition(" ") for line in text.splitlines())}


def test_a_folder_of_runs_can_be_chosen(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("solve", "kuhn", "--runs", "elsewhere", "--json").json
    assert Path(found["run"]).parent == Path("elsewhere")
    assert not (tmp_path / "runs").exists()
    assert nashgap("runs", "resume", "solve-kuhn", "--runs", "elsewhere", "--json").json == found


def test_who_can_ask_for_it_afresh_is_told_so(nashgap: Callable[..., Any]) -> None:
    played = ("match", "always-call", "random", "--game", "kuhn2", "--deals", "40")
    for command in (("solve", "kuhn"), played):
        assert "found: " not in nashgap(*command).out
        assert "; --fresh does it again\n" in nashgap(*command).out
        resumed = nashgap("runs", "resume", command[0]).out
        assert "found: by a run that was finished " in resumed
        assert "--fresh" not in resumed


def test_a_damaged_run_is_listed_as_damaged_and_not_resumed(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    nashgap("solve", "kuhn")
    (config,) = tmp_path.glob("runs/*/config.toml")
    config.write_text(config.read_text().replace('"cfr+"', '"cfr"'))
    assert nashgap("runs", "list", "--json").json["runs"][0]["status"] == "damaged"
    assert "damaged" in nashgap("runs", "list").out
    outcome = nashgap("runs", "resume", "solve-kuhn")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--save-every", "nan", "save every nan"),
        ("--save-every", "-1", "save every -1"),
        ("--workers", "2", "1 process"),
    ],
)
def test_settings_are_checked_for_a_resumed_solve(
    nashgap: Callable[..., Any], option: str, value: str, message: str
) -> None:
    nashgap("solve", "kuhn")
    outcome = nashgap("runs", "resume", "solve-kuhn", option, value)
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_run_of_batches_finds_nothing_to_save(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    """It is resumed as any other (tests/jobs/test_toy.py); a file is refused before anything is done."""
    played = nashgap("match", "always-call", "random", "--game", "kuhn2", "--deals", "40", "--json").json
    assert nashgap("runs", "resume", "match", "--json").json["winrates"] == played["winrates"]
    outcome = nashgap("runs", "resume", "match", "-o", "x")
    assert outcome.status == 2
    assert outcome.err == "nashgap: --output: a run of kind 'match' finds nothing that can be saved\n"
    assert not (tmp_path / "x").exists()
    outcome = nashgap("runs", "resume", "match", "--quantise")
    assert outcome.status == 2
    assert "nashgap: --quantise is for a recipe; match-kuhn2" in outcome.err


def test_removed_runs_are_named(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    names = [Path(nashgap("solve", game, "--iterations", "2", "--json").json["run"]).name for game in ("kuhn", "leduc")]
    assert nashgap("runs", "remove", "solve-kuhn", "solve-leduc", "--json").json == {"removed": names}
    assert nashgap("runs", "list", "--json").json == {"runs": []}
    nashgap("solve", "kuhn", "--iterations", "2")
    assert nashgap("runs", "remove", "solve-kuhn").out == f"removed {names[0]}\n"
    refused = nashgap("runs", "remove", "solve-kuhn")
    assert (refused.status, refused.out) == (2, "")
