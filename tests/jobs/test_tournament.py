"""Tournaments as runs: the same result for any number of workers and after a kill; what the folder keeps."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from nashgap.jobs.tournament_run import continue_tournament, cross_table_path, open_tournament

from nashgap.arena.cross_table import read_cross_table
from nashgap.arena.ranking import bankroll, runoff
from nashgap.arena.tournament import TournamentJob, load_tournament
from nashgap.runs import Pace, list_runs

# Two parts for each of the four matchups.
CHUMPS = """
game = "lhe3"
hands = 10_400
seed = 2
agents = ["always-call", "always-raise", "probe", "triple(0.1,0.4,0.5)"]
"""
KILLED_AFTER = 3
KILLED = f"""
import os, signal, sys
from pathlib import Path
from nashgap.arena.tournament import load_tournament
from nashgap.jobs.tournament_run import continue_tournament, open_tournament

def die(pace):
    if pace.progress.done == {KILLED_AFTER}:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    job, run = open_tournament(load_tournament(Path(sys.argv[1])), Path(sys.argv[2]))
    continue_tournament(job, run, on_progress=die)
"""


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> TournamentJob:
    path = tmp_path_factory.mktemp("cup") / "chumps.toml"
    path.write_text(CHUMPS)
    return load_tournament(path)


@pytest.fixture(scope="module")
def finished(job: TournamentJob, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """The result of a run that was never stopped, and the folder of runs."""
    root = tmp_path_factory.mktemp("runs")
    return continue_tournament(*open_tournament(job, root)).as_dict(), root


def test_the_number_of_workers_changes_nothing(
    job: TournamentJob, finished: tuple[dict[str, Any], Path], tmp_path: Path
) -> None:
    assert continue_tournament(*open_tournament(job, tmp_path), workers=2).as_dict() == finished[0]


def test_a_killed_tournament_continues_with_the_same_result(
    job: TournamentJob, finished: tuple[dict[str, Any], Path], tmp_path: Path
) -> None:
    (tmp_path / "chumps.toml").write_text(CHUMPS)
    (tmp_path / "killed.py").write_text(KILLED)
    root = tmp_path / "runs"
    command = [sys.executable, str(tmp_path / "killed.py"), str(tmp_path / "chumps.toml"), str(root)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(command, env=environment, check=False).returncode == -signal.SIGKILL
    (left,) = list_runs(root)
    assert left.status == "interrupted"
    seen: list[Pace] = []
    result = continue_tournament(*open_tournament(job, root), on_progress=seen.append)
    assert result.as_dict() == finished[0]
    assert [pace.progress.done for pace in seen] == [4, 5, 6, 7, 8], "what was finished is not played again"
    assert seen[-1].progress.message == "matchup 4 of 4, part 2 of 2"


def test_a_finished_tournament_answers_without_playing(
    job: TournamentJob, finished: tuple[dict[str, Any], Path]
) -> None:
    expected, root = finished
    again, run = open_tournament(job, root)
    seen: list[Pace] = []
    assert continue_tournament(again, run, on_progress=seen.append).as_dict() == expected
    assert run.load_result() == expected
    assert not seen


def test_the_cross_table_in_the_folder_ranks_the_same(
    job: TournamentJob, finished: tuple[dict[str, Any], Path]
) -> None:
    expected, root = finished
    table = read_cross_table(cross_table_path(open_tournament(job, root)[1]))
    assert list(bankroll(table).players) == expected["bankroll"]
    assert list(runoff(table).players) == expected["runoff"]
    assert [list(matchup.winrates) for matchup in table.matchups] == [each["winrates"] for each in expected["matchups"]]
    assert all(matchup.ci95 is not None for matchup in table.matchups)


def test_the_report_has_standings_confidence_and_behaviour(
    job: TournamentJob, finished: tuple[dict[str, Any], Path]
) -> None:
    run = open_tournament(job, finished[1])[1]
    page = run.report_path.read_text(encoding="utf-8")
    for text in ("Rankings", "each run-off rank is reached", "How they played", '<td class="win"', '<td class="loss"'):
        assert text in page
    assert "4 matchups in lhe3, each of 10,400 deals in 6 seatings" in page
    assert "nashgap runs resume tournament-chumps-" in page
