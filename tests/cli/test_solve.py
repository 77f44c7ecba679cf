from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from waiting import wait_until

from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.runs import find_run
from nashgap.strategies.load import load

KEYS = {
    "game", "unit", "solver", "seed", "iterations", "seconds", "value", "values", "nash_conv", "exploitability",
    "gains", "notes", "version", "output", "run", "report",
}  # fmt: skip


@pytest.mark.parametrize(("game", "value"), [("kuhn", -1 / 18), ("leduc", -0.0856064)])
def test_the_lp_finds_the_published_values(nashgap: Callable[..., Any], game: str, value: float) -> None:
    """Kuhn (1950); Leduc as the literature has it since Southey et al. (2005)."""
    found = nashgap("solve", game, "--solver", "lp", "-o", "exact.safetensors", "--json").json
    assert set(found) == KEYS
    assert found["value"] == pytest.approx(value, abs=5e-8)
    assert found["nash_conv"] < 1e-8
    assert found["iterations"] > 0
    assert found["run"] is found["report"] is None
    assert nashgap("measure", "exact.safetensors", "--json").json["nash_conv"] == found["nash_conv"]


def test_what_is_told_is_what_is_saved(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("solve", "leduc", "--iterations", "100", "-o", "leduc.safetensors", "--json").json
    assert set(found) == KEYS
    tree = load_tree("leduc")
    measured = exploitability(tree, load(tmp_path / "leduc.safetensors", tree))
    assert found["values"] == list(measured.values)
    assert found["value"] == measured.values[0]
    assert found["gains"] == list(measured.gains)
    assert found["nash_conv"] == measured.nash_conv
    assert (found["iterations"], found["seed"], found["solver"], found["game"]) == (100, 0, "cfr+", "leduc")
    assert (tmp_path / found["run"] / "config.toml").is_file()
    assert (tmp_path / found["report"]).is_file()


def test_text_goes_to_standard_output_and_the_size_to_standard_error(nashgap: Callable[..., Any]) -> None:
    outcome = nashgap("solve", "kuhn(players=3)", "--iterations", "100")
    assert outcome.status == 0
    assert "601 histories, 48 information sets" in outcome.err
    assert "nash_conv" in outcome.out
    assert "CFR promises no equilibrium" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 100  # paths are never broken
    assert nashgap("solve", "kuhn(players=3)", "--quiet").err == ""


def test_the_size_of_a_large_game_is_told_before_it_is_compiled(
    nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_slow(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nashgap.core.compile._walk_deals", too_slow)
    outcome = nashgap("solve", "leduc(players=3)")
    assert outcome.err.startswith("leduc(players=3): about ")
    assert "million histories\n" in outcome.err


def test_three_players_have_values_and_no_value(nashgap: Callable[..., Any]) -> None:
    found = nashgap("solve", "kuhn(players=3)", "--json").json
    assert len(found["values"]) == 3
    assert found["value"] is None
    assert "no equilibrium" in found["notes"][0]


def test_the_same_command_answers_from_the_finished_run(nashgap: Callable[..., Any]) -> None:
    first, second = (nashgap("solve", "kuhn", "--json").json for _ in range(2))
    assert first == second


def test_a_larger_budget_continues_and_a_smaller_one_is_solved_in_memory(nashgap: Callable[..., Any]) -> None:
    small = nashgap("solve", "kuhn", "--iterations", "100", "--json").json
    large = nashgap("solve", "kuhn", "--iterations", "500", "--json").json
    assert large["run"] == small["run"]
    assert (large["iterations"], small["iterations"]) == (500, 100)
    again = nashgap("solve", "kuhn", "--iterations", "100", "--json")
    assert "done afresh" in again.err
    assert again.json["run"] is None
    assert again.json["nash_conv"] == small["nash_conv"]
    assert nashgap("solve", "kuhn", "--iterations", "500", "--json").json == large


def test_until_stops_when_close_enough(nashgap: Callable[..., Any]) -> None:
    found = nashgap("solve", "kuhn", "--until", "0.01", "--json").json
    assert found["nash_conv"] <= 0.01
    assert 1 < found["iterations"] < 1000


def test_minutes_stop_a_solve(nashgap: Callable[..., Any]) -> None:
    found = nashgap("solve", "kuhn", "--minutes", "0.002", "--json").json
    assert found["seconds"] >= 0.12


def test_options_that_change_the_numbers_have_runs_of_their_own(nashgap: Callable[..., Any]) -> None:
    options: list[list[str]] = [
        [], ["--solver", "dcfr"], ["--simultaneous"], ["--start", "always-raise"], ["--freeze", "2=always-call"],
        ["--solver", "external-sampling"], ["--solver", "external-sampling", "--seed", "5"],
    ]  # fmt: skip
    found = [nashgap("solve", "kuhn", "--iterations", "50", "--json", *words).json for words in options]
    assert len({each["run"] for each in found}) == len(options)
    assert len({each["nash_conv"] for each in found}) == len(options)


def test_a_dry_run_tells_the_size_and_writes_nothing(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("solve", "leduc", "--dry-run", "--iterations", "1000000", "-o", "x.safetensors", "--json").json
    assert (found["nodes"], found["information_sets"], found["slots"]) == (9451, 936, 2184)
    assert found["bytes"] > 10_000
    assert found["seconds"] == pytest.approx(1e6 / found["iterations_per_second"])
    assert "about" in nashgap("solve", "leduc", "--dry-run").out
    assert nashgap("solve", "leduc", "--dry-run", "--solver", "lp", "--json").json["seconds"] is None
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_costs_no_work(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert nashgap("solve", "liars_dice", "--iterations", "1000000", "-o", "file/x").status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


ITERATIONS = 40_000
COMMAND = ["solve", "leduc", "--solver", "dcfr", "--iterations", str(ITERATIONS), "--save-every", "0.05", "--json"]


def _start(folder: Path, *words: str) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "nashgap", *words]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _stop_halfway(folder: Path, number: signal.Signals) -> tuple[int, str]:
    """Start the solve and send a signal once it has saved a state; its exit status and standard error."""
    process = _start(folder, *COMMAND, "-o", "solved.safetensors")
    wait_until(lambda: list(folder.glob("runs/*/checkpoint-2")))
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert not (folder / "solved.safetensors").exists()
    return process.returncode, errors


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], np.ndarray]:
    folder = tmp_path_factory.mktemp("uninterrupted")
    process = _start(folder, *COMMAND, "-o", "solved.safetensors")
    output, _ = process.communicate(timeout=120)
    return json.loads(output), _probabilities(folder)


def _probabilities(folder: Path) -> np.ndarray:
    return load(folder / "solved.safetensors", load_tree("leduc")).probabilities


def _assert_same_numbers(folder: Path, output: str, expected: tuple[dict[str, Any], np.ndarray]) -> None:
    found = json.loads(output)
    for key in ("iterations", "values", "nash_conv", "gains"):
        assert found[key] == expected[0][key]
    np.testing.assert_array_equal(_probabilities(folder), expected[1])


@pytest.mark.slow
def test_a_killed_solve_resumes_to_the_same_numbers(
    tmp_path: Path, uninterrupted: tuple[dict[str, Any], np.ndarray]
) -> None:
    status, _ = _stop_halfway(tmp_path, signal.SIGKILL)
    assert status == -signal.SIGKILL
    before = _saved_points(tmp_path)
    output, _ = _start(tmp_path, "runs", "resume", "solve-leduc", "-o", "solved.safetensors", "--json").communicate()
    _assert_same_numbers(tmp_path, output, uninterrupted)
    assert before and _saved_points(tmp_path)[: len(before)] == before, "with their times: they were not solved again"


def _saved_points(folder: Path) -> list[dict[str, float]]:
    """The points of the curve up to the newest checkpoint."""
    with find_run(folder / "runs", "solve-leduc").open_ledger() as ledger:
        return [point for point in ledger.points() if point["iteration"] <= ledger.checkpoints()[0].step]


@pytest.mark.slow
def test_an_interrupted_solve_says_how_to_go_on_and_does(
    tmp_path: Path, uninterrupted: tuple[dict[str, Any], np.ndarray]
) -> None:
    status, errors = _stop_halfway(tmp_path, signal.SIGINT)
    assert status == 130
    last = errors.splitlines()[-1]
    assert last.startswith("nashgap: interrupted; what is finished is kept; continue with: nashgap runs resume ")
    assert last.endswith(" -o solved.safetensors")
    assert "Traceback" not in errors
    output, _ = _start(tmp_path, *COMMAND, "-o", "solved.safetensors").communicate()
    _assert_same_numbers(tmp_path, output, uninterrupted)
