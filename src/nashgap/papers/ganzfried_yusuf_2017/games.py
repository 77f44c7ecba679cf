"""The solved games that all reproductions of the paper learn from: one run, solved once and then read."""

from __future__ import annotations

from pathlib import Path

from nashgap.explanations.dataset import SolvedGames
from nashgap.jobs.dataset import Dataset, DatasetJob
from nashgap.jobs.reproduction import Request
from nashgap.runs.folder import existing_run

__all__ = ["NUM_TEST", "NUM_TRAIN", "known_games", "solved_games"]

# As published: 80% of 80,000 games to learn from.
NUM_TRAIN, NUM_TEST = 64_000, 16_000


def solved_games(request: Request, count: int) -> SolvedGames:
    """The first random games of the seed; solved, for 10 ms each, where no run has them yet."""
    known = known_games(request.runs_root, count, request.seed)
    if known is not None:
        return known
    request.note(f"{count:,} games are solved first")
    found: Dataset = request.perform(DatasetJob(seed=request.seed, games=count))
    return found.games


def known_games(root: Path, count: int, seed: int) -> SolvedGames | None:
    """Those that a run has; None unless it has them all. Several processes may read at once."""
    job = DatasetJob(seed=seed, games=count)
    run = existing_run(job, root)
    if run is None:
        return None
    with run.open_ledger() as ledger:
        batches = ledger.batches()
    if not batches.keys() >= set(range(job.num_batches)):
        return None
    return job.combine([batches[index] for index in range(job.num_batches)]).games
