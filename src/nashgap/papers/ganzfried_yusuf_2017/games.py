"""The solved games that all reproductions of the paper learn from: one run, solved once and then read."""

from __future__ import annotations

from pathlib import Path

from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.dataset_job import DatasetJob, combine_games
from nashgap.jobs.dataset_run import run_dataset
from nashgap.papers.reproduction import Request
from nashgap.runs import open_run

__all__ = ["NUM_TEST", "NUM_TRAIN", "known_games", "solved_games"]

# As published: 80% of 80,000 games to learn from.
NUM_TRAIN, NUM_TEST = 64_000, 16_000


def solved_games(request: Request, count: int) -> SolvedGames:
    """The first random games of the seed; solved, for 10 ms each, where no run has them yet."""
    job = DatasetJob(count, seed=request.seed)
    known = known_games(request.runs_root, count, request.seed)
    if known is not None:
        return known
    request.note(f"{count:,} games are solved first")
    return run_dataset(job, request.runs_root, workers=request.workers, on_progress=request.on_progress)


def known_games(root: Path | None, count: int, seed: int) -> SolvedGames | None:
    """Those that a run has; None unless it has them all. Several processes may read at once."""
    job = DatasetJob(count, seed=seed)
    with open_run(job, root).open_ledger() as ledger:
        batches = ledger.batches()
    if not batches.keys() >= set(range(job.num_batches)):
        return None
    return combine_games(job, [batches[index] for index in range(job.num_batches)])
