"""Solve a set of games to its end in a run's folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from nashgap.explanations.dataset import SolvedGames, solve_games
from nashgap.explanations.dataset_job import DatasetJob, combine_games
from nashgap.runs.executors import Pace, execute
from nashgap.runs.folder import Run, open_run

__all__ = ["continue_dataset", "games_per_second", "run_dataset"]

TRIAL_GAMES = 20


def run_dataset(
    job: DatasetJob,
    root: Path | None = None,
    *,
    workers: int = 1,
    on_progress: Callable[[Pace], None] | None = None,
) -> SolvedGames:
    """The games of the job; solved only where its run does not have them yet."""
    return continue_dataset(job, open_run(job, root), workers=workers, on_progress=on_progress)


def continue_dataset(
    job: DatasetJob, run: Run, *, workers: int = 1, on_progress: Callable[[Pace], None] | None = None
) -> SolvedGames:
    """Solve what is missing."""
    solved = combine_games(job, execute(job, run, workers=workers, on_progress=on_progress)[: job.num_batches])
    run.save_result({"games": len(solved), "mean_value": float(solved.value.mean()), "unit": "dollars_per_hand"})
    return solved


def games_per_second(job: DatasetJob) -> float:
    """By a short trial."""
    begin = time.perf_counter()
    solve_games(job.stakes, job.seed, 0, TRIAL_GAMES)
    return TRIAL_GAMES / (time.perf_counter() - begin)
