"""A new kind of work, complete: one file like this, and one line in the catalogue, are all that it costs.

Throws dice, a batch at a time, and tells how often each number came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nashgap.core.job import BatchJob, budget
from nashgap.core.result import Result
from nashgap.reports.report import Report, Table

__all__ = ["DiceJob", "Thrown", "thrown_report"]

THROWS_PER_BATCH = 100


@dataclass(frozen=True)
class DiceJob(BatchJob):
    """`batches` of 100 throws of a die with so many sides."""

    kind: ClassVar[str] = "dice"

    sides: int = 6
    seed: int = 0
    batches: int = budget(4)

    @property
    def num_batches(self) -> int:
        return self.batches

    def run_batch(self, index: int) -> dict[str, Any]:
        throws = np.random.default_rng([self.seed, index]).integers(self.sides, size=THROWS_PER_BATCH)
        return {"counts": np.bincount(throws, minlength=self.sides).tolist()}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> Thrown:
        return Thrown(tuple(int(count) for count in np.sum([batch["counts"] for batch in batches], axis=0)))


@dataclass(frozen=True, eq=False, repr=False)
class Thrown(Result):
    """How often each number came, from 1."""

    reporter: ClassVar[str] = f"{__name__}:thrown_report"

    counts: tuple[int, ...]

    @property
    def summary(self) -> str:
        return f"{sum(self.counts):,} throws; {1 + self.counts.index(max(self.counts))} came most often."

    def as_dict(self) -> dict[str, Any]:
        return {"counts": list(self.counts)}


def thrown_report(thrown: Thrown) -> Report:
    rows = tuple(enumerate(thrown.counts, start=1))
    return Report("Dice", thrown.summary, (Table("Throws", ("number", "times"), rows),), thrown.provenance.command)
