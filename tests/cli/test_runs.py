from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from nashgap.catalogue import Registry
from nashgap.runs import open_run


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


def test_a_folder_of_runs_can_be_chosen(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("solve", "kuhn", "--runs", "elsewhere", "--json").json
    assert Path(found["run"]).parent == Path("elsewhere")
    assert not (tmp_path / "runs").exists()
    assert nashgap("runs", "resume", "solve-kuhn", "--runs", "elsewhere", "--json").json == found


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


class SquaresJob:
    """Batch i is i squared."""

    kind: ClassVar[str] = "squares"
    name: ClassVar[str] = "squares"

    def identity(self) -> dict[str, Any]:
        return {"power": 2}

    def budget(self) -> dict[str, Any]:
        return {"batches": 4}

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        return cls()

    @property
    def num_batches(self) -> int:
        return 4

    def describe_batch(self, index: int) -> str:
        return f"number {index}"

    def run_batch(self, index: int) -> dict[str, Any]:
        return {"square": index * index}


def test_a_run_of_batches_is_resumed_too(
    nashgap: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Registry, "load", lambda registry, name: {"squares": SquaresJob}[name])
    open_run(SquaresJob(), tmp_path / "runs")
    found = nashgap("runs", "resume", "squares", "--json").json
    assert [batch["square"] for batch in found["batches"]] == [0, 1, 4, 9]
    outcome = nashgap("runs", "resume", "squares", "-o", "x")
    assert outcome.status == 2
    assert "--output is for a solve" in outcome.err
    outcome = nashgap("runs", "resume", "squares", "--quantise")
    assert outcome.status == 2
    assert "--quantise is for a recipe; squares" in outcome.err
