"""Solve a spot: two ranges on a public tree of bets and boards, until a share of the pot is left to exploit."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.job import CheckpointJob, budget, require_threads
from nashgap.core.result import Result, frame
from nashgap.jobs.iterating import Budget, IterativeWork
from nashgap.jobs.train_forecast import require_memory
from nashgap.poker.betting_abstraction import BettingAbstraction, parse_betting_abstraction
from nashgap.poker.betting_tree import count_betting_tree
from nashgap.poker.spot import Spot
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes, human_seconds
from nashgap.solvers.range_cfr import RangeCFR
from nashgap.solvers.schedules import Schedule
from nashgap.strategies.range_strategy import STORAGES, RangeGameSize, count_range_game, require_storage
from nashgap.strategies.spot_lock import SpotLock, locks_of
from nashgap.strategies.spot_strategy import SpotStrategy, empty_strategy
from nashgap.strategies.spot_view import SpotView

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "DEFAULT_UNTIL",
    "SPOT_SCHEDULE",
    "STEEPEST",
    "FreeSpot",
    "SpotForecast",
    "SpotJob",
    "SpotSolution",
    "SpotWork",
]

DEFAULT_UNTIL = 0.5  # percent of the pot
# Chosen by the iterations to 0.5% and 0.1% of the pot on three rivers, a turn and a flop. DCFR (1.5, 0, 2) forgets
# negative regret so fast that strategies jump back now and then: it takes half as long again to 0.1% on the turn.
SPOT_SCHEDULE = Schedule(positive=1.5, negative=0.25, gamma=3)
FEWEST_BETWEEN = 5  # iterations between two looks at the gap
USUAL_ITERATIONS = 100  # until 0.5% of the pot
TRIAL_ITERATIONS = 2
SUIT_RENAMINGS = 24
BYTES_OF_ENTRY = {"float32": 8, "int16": 4}  # regret and average
STEEPEST, CAUTION = 3.0, 0.95  # how fast the gap is taken to fall, as a power of the iterations
FAR = 1000.0  # times the goal: nothing is expected yet


@dataclass(frozen=True)
class SpotJob(CheckpointJob):
    """One spot, solved.

    locks:   decisions that are given.
    storage: how tables keep their numbers, see `nashgap.strategies.range_strategy`.
    iterations, minutes: see `Budget`.
    until:   percent of the pot that is exploitable at most; 0.5 where nothing says how far to go.
    threads: change nothing that is found.
    """

    kind: ClassVar[str] = "spot"
    has_file: ClassVar[bool] = True

    spot: Spot
    locks: tuple[SpotLock, ...] = ()
    storage: str = STORAGES[0]
    iterations: int | None = budget(None)
    minutes: float | None = budget(None)
    until: float | None = budget(None)
    threads: int = budget(1)

    def __post_init__(self) -> None:
        if self.limits.is_open:
            object.__setattr__(self, "until", DEFAULT_UNTIL)
        require_threads(self.threads)
        require_storage(self.storage)

    @property
    def limits(self) -> Budget:
        return Budget(self.iterations, self.minutes, self.until)

    @property
    def name(self) -> str:
        return f"spot-{self.spot.board_text}"

    @property
    def size_text(self) -> str:
        size = self.size
        return (
            f"{self.spot.street} {self.spot.board_text}: {size.num_action_nodes:,} decisions,"
            f" {human_bytes(size.num_bytes)} of memory"
        )

    @cached_property
    def size(self) -> RangeGameSize:
        """Of what is solved; nothing of its memory is taken."""
        spot = self.spot
        how: dict[str, Any] = {"storage": self.storage, "is_predictive": SPOT_SCHEDULE.is_predictive}
        return count_range_game(spot.tree, spot.board, spot.weights, locks=locks_of(spot, self.locks), **how)

    def command(self, found: SpotSolution) -> str:
        spot = self.spot
        words = ["nashgap", "solve-spot", "--board", spot.board_text]
        words += ["--oop", spot.ranges[0].text, "--ip", spot.ranges[1].text, "--pot", str(spot.pot)]
        words += ["--stack", ",".join(map(str, dict.fromkeys(spot.stacks)))]
        words += ["--betting", str(spot.betting)]
        if spot.rake[0] > 0:
            words += ["--rake", f"{100 * spot.rake[0]!r}%", "--rake-cap", repr(spot.rake[1])]
        for lock in self.locks:
            words += ["--lock", str(lock)]
        if self.storage != STORAGES[0]:
            words += ["--storage", self.storage]
        return shlex.join([*words, "--iterations", str(found.iterations)])

    def prepare(self, root: Path | None) -> None:
        name = f"the {self.spot.street} {self.spot.board_text}"
        advice = f"storage {STORAGES[1]} takes half of it" if self.storage == STORAGES[0] else ""
        least = _least_entries(self.spot) * BYTES_OF_ENTRY[self.storage]
        require_memory(f"{name}, at least,", least, advice)  # before its tree is built
        require_memory(name, self.size.num_bytes, advice)

    def is_passed_by(self, done: float) -> bool:
        return self.limits.is_passed_by(done)

    def begin(self) -> SpotWork:
        return SpotWork(self)

    def forecast(self) -> SpotForecast:
        """Memory, and the time of an iteration by a short trial."""
        self.prepare(None)
        solver = self.begin().solver
        solver.run(1)  # touches the memory
        begin = time.perf_counter()
        solver.run(TRIAL_ITERATIONS)
        seconds = (time.perf_counter() - begin) / TRIAL_ITERATIONS
        return SpotForecast(self.spot, self.size, seconds, self.iterations or USUAL_ITERATIONS, self.threads)


def _least_entries(spot: Spot) -> float:
    """Fewer than a table has: as if all suits could be renamed."""
    edges = count_betting_tree(spot.rules, spot.betting).edges_by_round
    hands = (spot.weights > 0).sum(axis=1).min() / 2
    total, boards = 0.0, 1.0
    for number, edge_count in enumerate(edges):
        total += edge_count * max(1.0, boards / SUIT_RENAMINGS) * hands
        boards *= 52 - len(spot.board) - number
    return total


class SpotWork(IterativeWork):
    """One solver on its way.

    The gap is looked at where it may have come to its goal, as it has fallen so far, and at most twice as late each
    time. Nothing of this depends on the speed of the machine.
    """

    job: SpotJob

    def __init__(self, job: SpotJob) -> None:
        super().__init__(job, job.limits)
        self._next_look, self._last_look = 2 * FEWEST_BETWEEN, (0, 0.0)

    @cached_property
    def solver(self) -> RangeCFR:
        job = self.job
        strategy = empty_strategy(job.spot, job.locks, storage=job.storage, threads=job.threads)
        return RangeCFR(strategy, SPOT_SCHEDULE)

    @property
    def fingerprint(self) -> str:
        return self.job.spot.fingerprint

    def is_due(self) -> bool:
        return self.solver.iteration >= self._next_look

    def num_to_next_point(self) -> int:
        return max(1, self._next_look - self.solver.iteration)

    def measure(self) -> dict[str, float]:
        begin = time.perf_counter()
        left = _exploitability(self.job.spot, self.solver)
        self.seconds += time.perf_counter() - begin
        done = self.solver.iteration
        self.gap = 100 * left / self.job.spot.pot
        self._next_look = done + max(min(self._num_expected(done, self.gap) - done, done), FEWEST_BETWEEN)
        self._last_look = done, self.gap
        return {
            "iteration": float(done),
            "seconds": self.seconds,
            "exploitability": left,
            "exploitability_percent": self.gap,
        }

    def _num_expected(self, done: int, gap: float) -> int:
        """Iterations at which the gap comes to its goal, or a little before: a look costs less than an iteration."""
        until, (before, larger) = self.budget.until, self._last_look
        if until is None or before == 0 or gap > FAR * until:
            return 2 * done
        if gap <= until:
            return done
        if larger <= gap:  # it does not fall all the way
            return done + done // 10
        power = math.log(larger / gap) / math.log(done / before)
        return int(CAUTION * done * (gap / until) ** (1 / min(max(power, 1.0), STEEPEST)))

    def describe(self, record: Mapping[str, float]) -> str:
        return f"exploitable by {record['exploitability_percent']:.3g}% of the pot"

    def kept(self) -> dict[str, Any]:
        return {"next_look": self._next_look, "last_look": self._last_look}

    def put_back(self, kept: Mapping[str, Any]) -> None:
        self._next_look = int(kept["next_look"])
        done, gap = kept["last_look"]
        self._last_look = int(done), float(gap)

    def result(self, points: Sequence[Mapping[str, float]]) -> SpotSolution:
        spot, solver = self.job.spot, self.solver
        facts = {"iterations": solver.iteration, "version": package_version()}
        strategy = SpotStrategy(spot, solver.average_strategy(), self.job.locks, facts)
        left = _exploitability(spot, solver)
        return SpotSolution(strategy, solver.iteration, self.seconds, strategy.values(), left, tuple(points))


def _exploitability(spot: Spot, solver: RangeCFR) -> float:
    """Half of what both best responses gain, in chips of the spot; what is below 0 is rounding."""
    left = solver.average_strategy().nash_conv() / 2 / spot.scale
    assert math.isfinite(left), "tables have become no numbers"
    return max(0.0, left)


@dataclass(frozen=True)
class FreeSpot:
    """What a spot with locks comes to without them, in chips."""

    values: tuple[float, float]
    exploitability: float


@dataclass(frozen=True, eq=False, repr=False)
class SpotForecast(Result):
    """What solving a spot takes.

    iterations: that are asked for, or as many as are usual until 0.5% of the pot.
    """

    reporter: ClassVar[str] = "nashgap.reports.spot:spot_forecast_report"

    spot: Spot
    size: RangeGameSize
    seconds_per_iteration: float
    iterations: int
    threads: int

    @property
    def expected_seconds(self) -> float:
        return self.seconds_per_iteration * self.iterations

    @property
    def summary(self) -> str:
        return (
            f"{self.spot.street.capitalize()} {self.spot.board_text}: {self.size.num_action_nodes:,} decisions,"
            f" {human_bytes(self.size.num_bytes)} of memory; {self.iterations:,} iterations take about"
            f" {human_seconds(self.expected_seconds)}."
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "dry_run": True,
            "street": self.spot.street,
            "board": self.spot.board_text,
            "action_nodes": self.size.num_action_nodes,
            "boards": self.size.num_boards,
            "bytes": self.size.num_bytes,
            "seconds_per_iteration": self.seconds_per_iteration,
            "iterations": self.iterations,
            "seconds": self.expected_seconds,
            "threads": self.threads,
            "version": package_version(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class SpotSolution(Result):
    """A solved spot.

    values:         chips that each gets, out of position first; they add up to the pot, less what the rake takes.
    exploitability: half of what best responses gain in both seats, in chips; where decisions are locked, at all others.
    points:         of the curve, as measured on the way.
    free:           values and exploitability of the same spot without locks; None where it has none.
    """

    reporter: ClassVar[str] = "nashgap.reports.spot:spot_report"

    strategy: SpotStrategy
    iterations: int
    seconds: float
    values: tuple[float, float]
    exploitability: float
    points: tuple[Mapping[str, float], ...] = ()
    free: FreeSpot | None = None

    @property
    def spot(self) -> Spot:
        return self.strategy.spot

    @property
    def exploitability_percent(self) -> float:
        """Of the pot."""
        return 100 * self.exploitability / self.spot.pot

    @property
    def costs(self) -> tuple[float, float] | None:
        """Chips that each side gets less for the locks; None without any."""
        if self.free is None:
            return None
        return self.free.values[0] - self.values[0], self.free.values[1] - self.values[1]

    @property
    def summary(self) -> str:
        first, second = self.values
        locked = ", but for what is locked" if self.strategy.locks else ""
        return (
            f"{self.spot.street.capitalize()} {self.spot.board_text}, pot {self.spot.pot}: {first:.2f} chips for out of"
            f" position, {second:.2f} for in position; exploitable by {self.exploitability_percent:.3g}% of the"
            f" pot{locked}, after {self.iterations:,} iterations."
        )

    @cached_property
    def root(self) -> SpotView:
        """The first decision."""
        return self.strategy.at()

    def at(self, after: str = "", hand: str = "") -> SpotView:
        """Any decision: `x b100 c 7h`; see `nashgap.poker.spot`. hand: one that is told apart."""
        return self.strategy.at(after, hand)

    def after(self, line: str, betting: str | BettingAbstraction | None = None) -> Spot:
        """The spot that begins after this line, with the ranges that come there; see `SpotStrategy.spot_after`.

        betting: other bets from there on.
        """
        spot = self.strategy.spot_after(line)
        if betting is None:
            return spot
        return replace(spot, betting=parse_betting_abstraction(betting) if isinstance(betting, str) else betting)

    def save(self, path: Path | str) -> None:
        """Write the strategy file."""
        self.strategy.save(path)

    def to_frame(self) -> pd.DataFrame:
        """The curve: a row for each measured point."""
        return frame(list(self.points[0]) if self.points else ["iteration"], [dict(point) for point in self.points])

    def as_dict(self) -> dict[str, Any]:
        spot, ranges = self.spot, self.strategy.ranges
        root = dict(zip(self.root.words, (self.root.range_frequencies or {}).values(), strict=True))
        told = {
            "street": spot.street,
            "board": spot.board_text,
            "pot": spot.pot,
            "stacks": list(spot.stacks),
            "betting": str(spot.betting),
            "values": list(self.values),
            "equity": [self.root.range_equity, 1 - self.root.range_equity],
            "exploitability": self.exploitability,
            "exploitability_percent": self.exploitability_percent,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "action_nodes": ranges.num_action_nodes,
            "bytes": ranges.num_bytes,
            "root": root,
            "root_values": dict(zip(self.root.words, self.root.action_values.values(), strict=True)),
            "version": package_version(),
        }
        if self.costs is not None:
            told |= {"locks": list(map(str, self.strategy.locks)), "lock_costs": list(self.costs)}
        return told
