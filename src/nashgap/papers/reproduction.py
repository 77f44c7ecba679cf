"""How the tables and figures of a paper are asked for, and how their long parts are run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nashgap.core.job import BatchJob
from nashgap.runs import Pace, execute, open_run

__all__ = ["Request", "command_of", "run_batches"]


@dataclass(frozen=True)
class Request:
    """How a reproduction is run; only `is_quick` and `seed` change what is measured.

    is_quick:    seconds instead of minutes: fewer iterations, fewer starts.
    seed:        of everything random in it.
    workers:     processes for the batches.
    runs_root:   where runs lie; None for the usual place.
    on_progress: called after each batch.
    """

    is_quick: bool = False
    seed: int = 0
    workers: int = 1
    runs_root: Path | None = None
    on_progress: Callable[[Pace], None] | None = None


def run_batches(job: BatchJob, request: Request) -> list[dict[str, Any]]:
    """All results of the job in batch order; batches that an earlier run has finished are not computed again."""
    run = open_run(job, request.runs_root)
    return execute(job, run, workers=request.workers, on_progress=request.on_progress)


def command_of(name: str, request: Request) -> str:
    """What to type to get the same numbers."""
    quick = " --quick" if request.is_quick else ""
    return f"nashgap reproduce {name}{quick} --seed {request.seed}"
