"""How the tables and figures of a paper are asked for, and how their long parts are run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nashgap.core.job import BatchJob, is_whole, require_seed
from nashgap.errors import ConfigError
from nashgap.reports.report import Report, write_report
from nashgap.runs import Pace, Run, execute, open_run

__all__ = ["CHOOSES_AGENTS", "Request", "Statement", "command_of", "keep_report", "run_batches"]

# Reproductions that can do with some of their agents.
CHOOSES_AGENTS = ("lbr-table-3",)


@dataclass(frozen=True)
class Request:
    """How a reproduction is run; only `is_quick`, `seed`, `minutes` and `agents` change what is measured.

    is_quick:    seconds instead of minutes: fewer iterations, fewer starts.
    seed:        of everything random in it; 0 to 2^63 - 1.
    workers:     processes for the batches, at least 1; as many threads where agents are trained, whose numbers differ a
                 little from run to run if there are several.
    minutes:     of training for each agent that has to be trained; None for the usual time.
    agents:      names of those that are trained and measured, where a reproduction can do with some; empty for all.
    runs_root:   where runs lie; None for the usual place.
    on_note:     called with a line that says what comes next and how long it takes.
    on_progress: called after each batch.
    on_run:      called with the run that keeps the batches, where the reproduction has one.
    """

    is_quick: bool = False
    seed: int = 0
    workers: int = 1
    minutes: float | None = None
    runs_root: Path | None = None
    on_note: Callable[[str], None] | None = None
    on_progress: Callable[[Pace], None] | None = None
    on_run: Callable[[Run], None] | None = None
    agents: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if not is_whole(self.workers) or self.workers < 1:
            raise ConfigError(f"workers = {self.workers}; it must be a whole number, at least 1")
        if self.minutes is not None and not 0 < self.minutes < math.inf:
            raise ConfigError(f"minutes = {self.minutes}; it must be more than 0")

    def note(self, line: str) -> None:
        """Say what comes next, where somebody listens."""
        if self.on_note is not None:
            self.on_note(line)


@dataclass(frozen=True)
class Statement:
    """Something that a paper says, whether it is so here, and the figures that decide it."""

    text: str
    is_true: bool
    because: str


def run_batches(job: BatchJob, request: Request) -> list[dict[str, Any]]:
    """All results of the job in batch order; batches that an earlier run has finished are not computed again."""
    run = open_run(job, request.runs_root)
    if request.on_run is not None:
        request.on_run(run)
    return execute(job, run, workers=request.workers, on_progress=request.on_progress)


def keep_report(report: Report, run: Run) -> None:
    """Make the report the run's outcome: its page and, in short, its result."""
    write_report(report, run.report_path)
    run.save_result({"title": report.title, "summary": report.summary, "command": report.command})


def command_of(name: str, request: Request) -> str:
    """What to type to get the same numbers."""
    quick = " --quick" if request.is_quick else ""
    minutes = "" if request.minutes is None else f" --minutes {request.minutes:g}"
    agents = f" --agents {','.join(request.agents)}" if request.agents else ""
    return f"nashgap reproduce {name}{quick}{minutes}{agents} --seed {request.seed}"
