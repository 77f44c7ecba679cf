"""What keeping a run on disk costs: the time that its ledger takes, beside 2% of the run's.

Two runs of which one is kept would differ by more from the machine's mood alone, so what is added up is the time within
the ledger's own calls, the waiting for the disk included.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from comparison import NUM_TURNS, Row

import nashgap as ng
from nashgap.core.job import BatchJob
from nashgap.jobs.match import MatchJob
from nashgap.poker.rules import load_rules
from nashgap.runs import execute, open_run
from nashgap.runs.ledger import Ledger
from nashgap.strategies.spec import parse_bot

__all__ = ["rows"]

SHARE, AIM = 0.02, 1.0
CALLS = ("__init__", "__exit__", "mend", "batches", "batch_seconds", "record_batches", "record_session", "set_status")
NOTE = "seconds of one run by the clock, workers = 1"


def rows() -> Iterator[Row]:
    lbr = ng.measure("always-call", game="lhe2", by="lbr", lines="dealt", deals=1000).job
    agents = (parse_bot("poki"), parse_bot("always-call"))
    match = MatchJob(rules=load_rules("lhe2"), agents=agents, deals=100_000)
    for work, job in (("LBR", replace(lbr, deals=150_000)), ("match", match)):
        found = [_seconds(job) for _ in range(NUM_TURNS)]
        allowed, spent = (median(each) for each in zip(*((SHARE * whole, part) for whole, part in found), strict=True))
        yield Row(f"ledger of {work}", "2% of a run", 1 / allowed, 1 / spent, AIM, is_duration=True, note=NOTE)


def _seconds(job: BatchJob) -> tuple[float, float]:
    """Of a run, and of it within the calls of its ledger."""
    clock = _Clock()
    with TemporaryDirectory() as folder, patch.multiple(Ledger, **{name: clock.timed(name) for name in CALLS}):
        run = open_run(job, Path(folder))
        begin = time.perf_counter()
        execute(job, run)
        return time.perf_counter() - begin, clock.seconds


class _Clock:
    """Adds up the time within calls; of one within another that of the outer alone."""

    def __init__(self) -> None:
        self.seconds, self._depth = 0.0, 0

    def timed(self, name: str) -> Callable[..., Any]:
        method = getattr(Ledger, name)

        @wraps(method)
        def call(*arguments: Any, **options: Any) -> Any:
            begin, self._depth = time.perf_counter(), self._depth + 1
            try:
                return method(*arguments, **options)
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self.seconds += time.perf_counter() - begin

        return call
