"""Runs whose checksums are right, made by somebody who wrote what no job writes: one line each, and no traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nashgap.runs.folder import find_run

MATCH = ("match", "always-call", "always-raise", "--game", "kuhn2", "--deals", "60", "-q")
SOLVE = ("solve", "kuhn", "--iterations", "20", "-q")


def forge(folder: Path, name: str, table: str, *row: object) -> None:
    """Put the row into the run's ledger, with its checksum."""
    with find_run(folder, name).open_ledger() as ledger, ledger._transaction():
        ledger._put(table, *row)


def looked_at(nashgap: Callable[..., Any], name: str) -> list[Any]:
    words = (["list"], ["list", "--json"], ["list", "--html"], ["show", name], ["show", name, "--json"])
    return [nashgap("runs", *each) for each in words]


@pytest.mark.parametrize(
    "row",
    [
        ("facts", "seconds", "NaN"),
        ("facts", "seconds", "1e999"),
        ("facts", "seconds", "9" * 4000),
        ("facts", "seconds", "true"),
        ("facts", "progress", '[NaN, null, "batches"]'),
        ("facts", "progress", '[1e999, 5, "batches"]'),
        ("facts", "progress", f'[{"9" * 4000}, 1, "batches"]'),
        ("sessions", 7, "then", "5"),
        ("sessions", 7, "then", '{"cores": NaN}'),
    ],
)
def test_a_forged_row_of_one_run_leaves_the_others_alone(
    nashgap: Callable[..., Any], tmp_path: Path, row: tuple[object, ...]
) -> None:
    assert nashgap(*MATCH).status == nashgap(*SOLVE).status == 0
    forge(tmp_path / "runs", "match", *row)
    *listed, shown, shown_as_json = looked_at(nashgap, "match")
    assert [each.status for each in listed] == [0, 0, 0]
    assert {each["status"] for each in listed[1].json["runs"]} <= {"finished", "damaged"}
    for each in (shown, shown_as_json):
        assert each.status == 0 or (each.status == 2 and "damaged" in each.err and each.err.count("\n") == 1)


@pytest.mark.parametrize("payload", ["{}", "[]", "5", "null", '{"wins": []}'])
def test_a_forged_batch_is_refused_in_one_line(nashgap: Callable[..., Any], tmp_path: Path, payload: str) -> None:
    assert nashgap(*MATCH).status == 0
    forge(tmp_path / "runs", "match", "batches", 0, payload, 1.0)
    resumed = nashgap("runs", "resume", "match", "-q")
    assert (resumed.status, resumed.out, resumed.err.count("\n")) == (2, "", 1)
    assert "ledger.sqlite: " in resumed.err and "to start afresh" in resumed.err


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 400])
def test_a_result_with_a_number_that_is_none_is_damaged(
    nashgap: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    assert nashgap(*SOLVE).status == 0
    run = find_run(tmp_path / "runs", "solve")
    result = run.load_result()
    assert result is not None
    with monkeypatch.context() as patched:
        patched.setattr("nashgap.runs.folder.read_json", json.loads)
        run.save_result({**result, "nash_conv": json.loads(number)})
        assert run.load_result() is not None, "its checksum is right"
    *listed, shown, shown_as_json = looked_at(nashgap, "solve")
    assert [each.status for each in listed] == [0, 0, 0]
    assert listed[1].json["runs"][0]["status"] == "damaged"
    assert (shown.status, shown_as_json.status) == (2, 2)
    assert "result.json: damaged" in shown.err and shown.err.count("\n") == 1


def test_numbers_whose_difference_is_too_large_are_not_compared(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    for number, iterations in ((1e308, "20"), (-1e308, "40")):
        assert nashgap("solve", "kuhn", "--solver", f"cfr{'+' * (number > 0)}", "--iterations", iterations).status == 0
        run = find_run(tmp_path / "runs", f"solve-kuhn-cfr{'+' * (number > 0)}")
        estimate = {"mean": number, "ci95": abs(number), "samples": 1, "unit": "chips"}
        run.save_result({**(run.load_result() or {}), "nash_conv": number, "gain": estimate})
    compared = nashgap("runs", "compare", "solve-kuhn-cfr", "solve-kuhn-cfr+", "--json")
    assert compared.status == 0
    names = {pair["name"] for pair in compared.json["numbers"]}
    assert "iterations" in names and not names & {"nash_conv", "gain"}
