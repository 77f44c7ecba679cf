"""How a table or figure of a paper is asked for, and how the jobs behind it are done.

A reproduction is a function of a `Request` that returns a report; `nashgap.papers` has them, by the catalogue's names.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nashgap.core.job import BatchJob, Job, is_whole, require_seed
from nashgap.errors import ConfigError
from nashgap.jobs.perform import perform
from nashgap.runs.environment import num_cores
from nashgap.runs.executors import OnProgress
from nashgap.runs.folder import Run, default_root, open_run
from nashgap.runs.workers import Workers, require_workers

__all__ = ["Request", "command_of"]


@dataclass(frozen=True)
class Request:
    """How a reproduction is made; only `is_quick`, `seed`, `minutes` and `agents` change what is measured.

    is_quick:    seconds instead of minutes: fewer iterations, fewer starts.
    seed:        of everything random in it; 0 to 2^63 - 1.
    workers:     who runs batches; where agents are trained, a number of processes is one of threads, too, and their
                 numbers differ a little from run to run if there are several.
    minutes:     of training for each agent that has to be trained; None for the usual time.
    agents:      names of those that are trained and measured, where a reproduction can do with some; empty for all.
    runs_root:   where runs lie.
    on_note:     called with a line that says what comes next and how long it takes.
    on_progress: called with each step of a job.
    on_run:      called with the run in whose folder the report belongs, where the reproduction has one of its own.
    """

    is_quick: bool = False
    seed: int = 0
    workers: Workers = 1
    minutes: float | None = None
    agents: tuple[str, ...] = ()
    runs_root: Path = field(default_factory=default_root)
    on_note: Callable[[str], None] | None = None
    on_progress: OnProgress | None = None
    on_run: Callable[[Run], None] | None = None

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if is_whole(self.workers) and self.workers < 1:
            raise ConfigError(f"workers = {self.workers}; it must be a whole number, at least 1")
        require_workers(self.workers)
        if self.minutes is not None and not 0 < self.minutes < math.inf:
            raise ConfigError(f"minutes = {self.minutes}; it must be more than 0")

    @property
    def threads(self) -> int:
        """For what is no batch."""
        return self.workers if isinstance(self.workers, int) else 1

    @property
    def num_processes(self) -> int:
        """That run batches at once; a cluster does not tell beforehand, and counts as one."""
        return num_cores() if self.workers == "cores" else self.threads

    def note(self, line: str) -> None:
        """Say what comes next, where somebody listens."""
        if self.on_note is not None:
            self.on_note(line)

    def perform(self, job: Job, *, workers: Workers | None = None) -> Any:
        """What the job finds, kept as a run that other reproductions and commands share.

        workers: in the place of the request's.
        """
        asked = self.workers if workers is None else workers
        workers = asked if isinstance(job, BatchJob) else 1
        return perform(job, run=self.runs_root, workers=workers, progress=self.on_progress or False)

    def perform_own(self, job: Job) -> Any:
        """What the job finds, whose run keeps the reproduction's report."""
        found = self.perform(job)
        if self.on_run is not None:
            self.on_run(open_run(job, self.runs_root))
        return found


def command_of(name: str, request: Request) -> str:
    """What to type to get the same numbers."""
    quick = " --quick" if request.is_quick else ""
    minutes = "" if request.minutes is None else f" --minutes {request.minutes:g}"
    agents = f" --agents {','.join(request.agents)}" if request.agents else ""
    return f"nashgap reproduce {name}{quick}{minutes}{agents} --seed {request.seed}"
