"""Solve a spot: two ranges on a public tree of bets and boards, until a share of the pot is left to exploit."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.job import CheckpointJob, budget, is_whole
from nashgap.core.result import Result, frame
from nashgap.errors import ConfigError
from nashgap.jobs.iterating import Budget, IterativeWork
from nashgap.poker.spot import Spot
from nashgap.poker.state import action_text, action_words
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes
from nashgap.solvers.range_cfr import RangeCFR, RangeView
from nashgap.solvers.schedules import Schedule

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SPOT_SCHEDULE", "SpotJob", "SpotSolution", "SpotWork"]

DEFAULT_UNTIL = 0.5  # percent of the pot
# Chosen by the time to 0.5% and 0.1% of the pot on a river and a turn: DCFR whose average forgets sooner.
SPOT_SCHEDULE = Schedule(positive=1.5, negative=0, gamma=3)
FEWEST_BETWEEN, SHARE_BETWEEN = 5, 8  # iterations between two looks at the gap: so many, or a share of those done


@dataclass(frozen=True)
class SpotJob(CheckpointJob):
    """One spot, solved.

    iterations, minutes: see `Budget`.
    until:   percent of the pot that is exploitable at most; 0.5 where nothing says how far to go.
    threads: change nothing that is found.
    """

    kind: ClassVar[str] = "spot"

    spot: Spot
    iterations: int | None = budget(None)
    minutes: float | None = budget(None)
    until: float | None = budget(None)
    threads: int = budget(1)

    def __post_init__(self) -> None:
        if self.limits.is_open:
            object.__setattr__(self, "until", DEFAULT_UNTIL)
        if not is_whole(self.threads) or not 1 <= self.threads <= 1024:
            raise ConfigError(f"threads = {self.threads}; it must be a whole number from 1 to 1024")

    @property
    def limits(self) -> Budget:
        return Budget(self.iterations, self.minutes, self.until)

    @property
    def name(self) -> str:
        return f"spot-{self.spot.board_text}"

    @property
    def size_text(self) -> str:
        return f"{self.spot.street} spot on {self.spot.board_text}"

    def command(self, found: SpotSolution) -> str | None:
        return None

    def is_passed_by(self, done: float) -> bool:
        return self.limits.is_passed_by(done)

    def begin(self) -> SpotWork:
        return SpotWork(self)


class SpotWork(IterativeWork):
    """One solver on its way."""

    job: SpotJob

    def __init__(self, job: SpotJob) -> None:
        super().__init__(job, job.limits)

    @cached_property
    def solver(self) -> RangeCFR:
        spot = self.job.spot
        return RangeCFR(
            spot.tree, spot.board, spot.weights, SPOT_SCHEDULE, rake=spot.scaled_rake, threads=self.job.threads
        )

    @property
    def fingerprint(self) -> str:
        return self.job.spot.fingerprint

    def is_due(self) -> bool:
        return self.solver.iteration >= self._next_look

    def num_to_next_point(self) -> int:
        return max(1, self._next_look - self.solver.iteration)

    @property
    def _next_look(self) -> int:
        looks = 0
        while looks < self._last_look:
            looks += max(FEWEST_BETWEEN, looks // SHARE_BETWEEN)
        return looks + max(FEWEST_BETWEEN, looks // SHARE_BETWEEN)

    _last_look = 0

    def measure(self) -> dict[str, float]:
        begin = time.perf_counter()
        left = self._exploitability()
        self.seconds += time.perf_counter() - begin
        self._last_look = self.solver.iteration
        self.gap = 100 * left / self.job.spot.pot
        return {
            "iteration": float(self.solver.iteration),
            "seconds": self.seconds,
            "exploitability": left,
            "exploitability_percent": self.gap,
        }

    def describe(self, record: Mapping[str, float]) -> str:
        return f"exploitable by {record['exploitability_percent']:.3f}% of the pot"

    def _exploitability(self) -> float:
        return self.solver.nash_conv() / 2 / self.job.spot.scale

    def result(self, points: Sequence[Mapping[str, float]]) -> SpotSolution:
        spot, solver = self.job.spot, self.solver
        won = (value / spot.scale + spot.pot / 2 for value in solver.values())
        first, second = won
        return SpotSolution(
            spot, solver, solver.iteration, self.seconds, (first, second), self._exploitability(), tuple(points)
        )


@dataclass(frozen=True, eq=False, repr=False)
class SpotSolution(Result):
    """A solved spot.

    values:         chips that each gets, out of position first; they add up to the pot, less what the rake takes.
    exploitability: half of what best responses gain in both seats, in chips.
    points:         of the curve, as measured on the way.
    """

    reporter: ClassVar[str] = "nashgap.reports.spot:spot_report"

    spot: Spot
    solver: RangeCFR
    iterations: int
    seconds: float
    values: tuple[float, float]
    exploitability: float
    points: tuple[Mapping[str, float], ...] = field(default=())

    @property
    def exploitability_percent(self) -> float:
        """Of the pot."""
        return 100 * self.exploitability / self.spot.pot

    @property
    def summary(self) -> str:
        return (
            f"{self.spot.street} {self.spot.board_text} solved: {self.iterations:,} iterations, exploitable by"
            f" {self.exploitability_percent:.3g}% of the pot; {self.values[0]:.2f} of {self.spot.pot} chips out of"
            " position."
        )

    @cached_property
    def root(self) -> RangeView:
        """The first decision."""
        return self.solver.view([], self.spot.board)

    @property
    def root_frequencies(self) -> dict[str, float]:
        """Of each action of the first decision, over the range."""
        view, state = self.root, self.spot.rules.root().deal(self.spot.board)
        weight = view.reach[view.player] * view.met
        shares = (weight[:, None] * view.strategy).sum(axis=0) / weight.sum()
        actions = self.spot.betting.actions(state)
        return {action_text(self.spot.rules, action): float(share) for action, share in zip(actions, shares, strict=True)}

    def to_frame(self) -> pd.DataFrame:
        """The curve: a row for each measured point."""
        return frame(list(self.points[0]) if self.points else ["iteration"], [dict(point) for point in self.points])

    def as_dict(self) -> dict[str, Any]:
        return {
            "street": self.spot.street,
            "board": self.spot.board_text,
            "pot": self.spot.pot,
            "stacks": list(self.spot.stacks),
            "values": list(self.values),
            "exploitability": self.exploitability,
            "exploitability_percent": self.exploitability_percent,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "action_nodes": self.solver.num_action_nodes,
            "bytes": self.solver.num_bytes,
            "root": self.root_frequencies,
            "version": package_version(),
        }
