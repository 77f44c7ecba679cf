"""Solve a small game: iterations in small steps, NashConv measured on the way, and what the strategy is worth.

NashConv is measured at iterations that lie evenly on a logarithmic scale and at the last one: nothing that is saved
depends on the speed of the machine. A linear program solves the whole game at once.
"""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.catalogue import RECIPE_SOLVERS, SOLVERS, unknown_name
from nashgap.core.job import CheckpointJob, budget, require_seed, setting
from nashgap.core.result import Result, frame
from nashgap.core.strategy import Policy
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.games.compiled import rebuild_tree
from nashgap.jobs.iterating import Budget, IterativeWork
from nashgap.measures.best_response import Exploitability, expected_values, exploitability
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.named import Solver, make_solver, solver_variant
from nashgap.strategies.bot import Bot
from nashgap.strategies.load import load
from nashgap.strategies.table import TableStrategy

if TYPE_CHECKING:
    import pandas as pd

    from nashgap.strategies.strategy_view import StrategyView

__all__ = [
    "DEFAULT_ITERATIONS",
    "DEFAULT_SOLVER",
    "LP",
    "Solution",
    "SolveForecast",
    "SolveJob",
    "SolveWork",
    "forecast_lp",
    "forecast_solve",
    "is_measured_at",
    "solve_by_lp",
]

DEFAULT_SOLVER = "cfr+"
DEFAULT_ITERATIONS = 1000
LP = "lp"
POINTS_PER_DECADE = 40  # a limit by NashConv is overshot by 6% of the iterations at most
TRIAL_SECONDS = 0.2


@dataclass(frozen=True)
class SolveJob(CheckpointJob):
    """One game, solved by one iterative solver.

    game:           the definition of the compiled game.
    solver:         of the catalogue.
    is_alternating: whether players are updated in turn.
    start:          what all players begin with; None for uniform.
    frozen:         strategies of players who never change, by the player's number as people count, from 1.
    iterations, minutes, until: see `Budget`; without any, `DEFAULT_ITERATIONS`.
    given_tree:     the compiled game, where it is there already.
    """

    kind: ClassVar[str] = "solve"
    has_file: ClassVar[bool] = True

    game: Mapping[str, Any]
    solver: str = DEFAULT_SOLVER
    seed: int = 0
    is_alternating: bool = True
    start: Bot | None = None
    frozen: Mapping[str, Bot] = field(default_factory=dict)
    iterations: int | None = budget(None)
    minutes: float | None = budget(None)
    until: float | None = budget(None)
    given_tree: GameTree | None = setting(None)

    def __post_init__(self) -> None:
        if self.solver == LP:
            raise ConfigError("solver 'lp' does not work in iterations")
        if self.solver in RECIPE_SOLVERS:
            raise ConfigError(
                f"solver {self.solver!r} is for recipes (nashgap list recipes) or spots (nashgap solve-spot)"
            )
        if self.solver not in SOLVERS.entries:
            raise unknown_name("solver", self.solver, [name for name in SOLVERS.entries if name not in RECIPE_SOLVERS])
        require_seed(self.seed)
        if self.limits.is_open:
            object.__setattr__(self, "iterations", DEFAULT_ITERATIONS)
        if self.until is not None:
            self.tree.require_perfect_recall("a limit by NashConv")
        players = self.tree.num_players
        for number in self.frozen:
            if not (number.isascii() and number.isdigit() and 1 <= int(number) <= players):
                raise ConfigError(f"cannot freeze player {number}; {self.tree.game} has players 1 to {players}")
        if len(self.frozen) == players:
            raise ConfigError(f"all {players} players are frozen; at least one must be left to solve for")

    @property
    def limits(self) -> Budget:
        return Budget(self.iterations, self.minutes, self.until)

    @cached_property
    def tree(self) -> GameTree:
        return self.given_tree or rebuild_tree(self.game)

    @property
    def name(self) -> str:
        return f"solve-{self.tree.game}-{self.solver}"

    @property
    def size_text(self) -> str:
        return _size_text(_sizes(self.tree, self.solver))

    def command(self, found: Solution) -> str | None:
        """None for a game that came from a file, and where the game or a strategy was given as an object."""
        is_file = any(isinstance(value, list) for value in dict(self.game.get("parameters", {})).values())
        bots = [*self.frozen.values(), *([self.start] if self.start else [])]
        if is_file or not self.game or any(not bot.is_named for bot in bots):
            return None
        words = ["nashgap", "solve", self.tree.game, "--solver", self.solver]
        words += ["--iterations", str(found.iterations), "--seed", str(self.seed)]
        words += [] if self.is_alternating else ["--simultaneous"]
        words += ["--start", self.start.text] if self.start else []
        for player, bot in sorted(self.frozen.items()):
            words += ["--freeze", f"{player}={bot.text}"]
        return shlex.join(words)

    def identity(self) -> dict[str, Any]:
        if not self.game:
            raise ConfigError(
                f"{self.tree.game} has no name by which a run could find it again; solve it without a run"
            )
        return super().identity()

    def prepare(self, root: Path | None) -> None:
        self.begin()  # refuses strategies of other games, and what the solver cannot do

    def is_passed_by(self, done: float) -> bool:
        return self.limits.is_passed_by(done)

    def begin(self) -> SolveWork:
        return SolveWork(self)


class SolveWork(IterativeWork):
    """One solver on its way, the time it took and the last measured gap."""

    job: SolveJob

    def __init__(self, job: SolveJob) -> None:
        super().__init__(job, job.limits)
        self._frozen = [int(player) - 1 for player in job.frozen]
        given = [GivenStrategy(load(job.start, job.tree))] if job.start else []
        given += [
            GivenStrategy(load(bot, job.tree), (int(player) - 1,), is_static=True)
            for player, bot in sorted(job.frozen.items())
        ]
        self._solver = make_solver(
            job.solver, job.tree, seed=job.seed, is_alternating=job.is_alternating, given=given
        )  # fmt: skip

    @property
    def solver(self) -> Solver[TableStrategy]:
        return self._solver

    @property
    def fingerprint(self) -> str:
        return self.job.tree.fingerprint

    def is_due(self) -> bool:
        return is_measured_at(self.solver.iteration)

    def num_to_next_point(self) -> int:
        return _next_measured(self.solver.iteration) - self.solver.iteration

    def has_shape(self, saved: tuple[int, ...], present: tuple[int, ...]) -> bool:
        """Populations grow by rows; all else has one number for each slot."""
        grows = len(saved) == len(present) == 2 and saved[1] == present[1]
        return grows or super().has_shape(saved, present)

    def measure(self) -> dict[str, float]:
        begin = time.perf_counter()
        values, measured = _measured(self.solver.average_strategy())
        self.seconds += time.perf_counter() - begin
        record = {"iteration": float(self.solver.iteration), "seconds": self.seconds}
        if measured is not None:
            self.gap = sum(gain for player, gain in enumerate(measured.gains) if player not in self._frozen)
            record |= {"nash_conv": measured.nash_conv, "exploitability": measured.exploitability}
        return record | {f"value_{player}": value for player, value in enumerate(values, start=1)}

    def result(self, points: Sequence[Mapping[str, float]]) -> Solution:
        job, strategy = self.job, self.solver.average_strategy()
        values, measured = _measured(strategy)
        # JSON has no infinity.
        parameters = {
            key: str(x) if x in (math.inf, -math.inf) else x for key, x in asdict(solver_variant(job.solver)).items()
        }
        facts = {
            "parameters": parameters,
            **({"is_alternating": True} if job.is_alternating else {}),
            **({"start": job.start.label} if job.start else {}),
            **({"frozen": {player: bot.label for player, bot in job.frozen.items()}} if job.frozen else {}),
        }
        return Solution(
            strategy=strategy,
            solver=job.solver,
            seed=job.seed,
            iterations=self.solver.iteration,
            seconds=self.seconds,
            values=values,
            measured=measured,
            frozen=tuple(sorted(self._frozen)),
            facts=facts,
            points=tuple(points),
        )


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Result):
    """A solved game, which is a strategy too. All payoffs are in the game's unit, one entry per player.

    iterations: of the solver; pivots of a linear program.
    seconds:    spent on solving, over all resumes.
    values:     of the strategy to each player.
    measured:   what best responses would gain; None where that cannot be measured.
    game_value: to the first player, where the solver itself knows it.
    frozen:     players (0-based) who were not solved for.
    facts:      what else is saved with the strategy.
    points:     of the curve, as measured on the way.
    """

    reporter: ClassVar[str] = "nashgap.reports.solution:solution_report"

    strategy: TableStrategy
    solver: str
    seed: int
    iterations: int
    seconds: float
    values: tuple[float, ...]
    measured: Exploitability | None
    game_value: float | None = None
    frozen: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    points: tuple[Mapping[str, float], ...] = ()

    @property
    def gains(self) -> tuple[float, ...] | None:
        return None if self.measured is None else self.measured.gains

    @property
    def nash_conv(self) -> float | None:
        return None if self.measured is None else self.measured.nash_conv

    @property
    def exploitability(self) -> float | None:
        return None if self.measured is None else self.measured.exploitability

    @property
    def value(self) -> float | None:
        """To the first player of a two-player game; None for more players."""
        if self.game_value is not None:
            return self.game_value
        return self.values[0] if len(self.values) == 2 else None

    @property
    def summary(self) -> str:
        tree = self.strategy.tree
        work = "pivots" if self.solver == LP else "iterations"
        gap = "" if self.nash_conv is None else f"; nash_conv {self.nash_conv:.6g} {tree.unit}"
        return f"{tree.game} solved by {self.solver}: {self.iterations:,} {work}{gap}."

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to read the numbers rightly, one sentence each."""
        tree = self.strategy.tree
        notes = []
        if self.frozen:
            players = ", ".join(str(player + 1) for player in self.frozen)
            notes.append(f"Frozen: player {players}; nash_conv counts what the frozen could gain too.")
        # One player who is left alone with the frozen ones has only a best response to find, which CFR does.
        is_alone = tree.num_players - len(self.frozen) == 1
        if not is_alone and (tree.num_players > 2 or not tree.is_zero_sum):
            kind = f"{tree.num_players} players" if tree.num_players > 2 else "general sum"
            notes.append(f"With {kind} CFR promises no equilibrium; nash_conv tells how far it is.")
        if self.measured is None:
            notes.append("Players forget what they did: nash_conv cannot be measured, only values are shown.")
        return tuple(notes)

    def to_frame(self) -> pd.DataFrame:
        """The curve: a row for each measured point."""
        return frame(list(self.points[0]) if self.points else ["iteration"], [dict(point) for point in self.points])

    def as_dict(self) -> dict[str, Any]:
        tree = self.strategy.tree
        return {
            "game": tree.game,
            "unit": tree.unit,
            "solver": self.solver,
            "seed": self.seed,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "value": self.value,
            "values": list(self.values),
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "gains": None if self.gains is None else list(self.gains),
            "notes": list(self.notes),
            "version": package_version(),
        }

    @cached_property
    def _saved(self) -> TableStrategy:
        """The strategy with all facts that are saved with it."""
        kept = ("solver", "seed", "iterations", "nash_conv", "unit", "version")
        told = self.as_dict()
        return replace(self.strategy, facts={**self.strategy.facts, **self.facts, **{key: told[key] for key in kept}})

    @property
    def digest(self) -> str:
        return self.strategy.digest

    def save(self, path: Path | str) -> None:
        """Write the strategy file, whole or not at all."""
        self._saved.save(path)

    def policies(self, states: Sequence[Any]) -> list[Policy]:
        """What the strategy does; see `TableStrategy.policies`."""
        return self.strategy.policies(states)

    def at(self, after: str = "", board: str = "") -> StrategyView:
        """What the strategy does after this betting; see `TableStrategy.at`."""
        return self.strategy.at(after, board)


def solve_by_lp(tree: GameTree) -> Solution:
    """An equilibrium of a two-player zero-sum game by linear programming."""
    from nashgap.solvers.sequence_lp import solve_sequence_lp  # here, because scipy and HiGHS load slowly

    begin = time.perf_counter()
    result = solve_sequence_lp(tree)
    seconds = time.perf_counter() - begin
    values, measured = _measured(result.strategy)
    return Solution(
        strategy=result.strategy,
        solver=LP,
        seed=0,
        iterations=result.num_pivots,
        seconds=seconds,
        values=values,
        measured=measured,
        game_value=result.value,
    )


@dataclass(frozen=True, repr=False)
class SolveForecast(Result):
    """What a solve takes. bytes: of the compiled game and the solver's state. None: not known beforehand."""

    reporter: ClassVar[str] = "nashgap.reports.solution:solve_forecast_report"

    game: str
    solver: str
    nodes: int
    information_sets: int
    slots: int
    bytes: int
    iterations: int | None = None
    iterations_per_second: float | None = None
    expected_seconds: float | None = None

    @property
    def summary(self) -> str:
        return _size_text(self)

    def as_dict(self) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "provenance"}
        told["seconds"] = told.pop("expected_seconds")
        return {"dry_run": True, **told}


def forecast_lp(tree: GameTree) -> SolveForecast:
    """Sizes; the time of a linear program is not known beforehand, nor the memory that HiGHS takes."""
    from nashgap.solvers.sequence_lp import require_lp_game  # here, because scipy and HiGHS load slowly

    require_lp_game(tree)
    return _sizes(tree, LP)


def _sizes(tree: GameTree, solver: str) -> SolveForecast:
    arrays = (getattr(tree, each.name) for each in fields(tree))
    num_bytes = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    return SolveForecast(tree.game, solver, tree.num_nodes, tree.num_infosets, tree.num_slots, num_bytes)


def forecast_solve(job: SolveJob) -> SolveForecast:
    """Sizes, and the time by the rate of a few iterations."""
    solver = job.begin().solver
    solver.run(1)  # pays for what happens only once
    num_iterations, spent, num_next = 0, 0.0, 1
    begin = time.perf_counter()
    while spent < TRIAL_SECONDS:
        solver.run(num_next)
        num_iterations += num_next
        spent = time.perf_counter() - begin
        # Twice as many in the next round, but not beyond the time.
        num_next = min(2 * num_next, max(1, int(num_iterations * (TRIAL_SECONDS / spent - 1))))
    rate = num_iterations / spent
    seconds = None if job.iterations is None else job.iterations / rate
    if job.minutes is not None:
        seconds = min(60 * job.minutes, math.inf if seconds is None else seconds)
    sizes = _sizes(job.tree, job.solver)
    num_bytes = sizes.bytes + sum(array.nbytes for array in solver.state().values())
    return replace(
        sizes,
        bytes=num_bytes,
        iterations=job.iterations,
        iterations_per_second=rate,
        expected_seconds=seconds,
    )


def is_measured_at(iteration: int) -> bool:
    """Whether the curve has a point there: about `POINTS_PER_DECADE` in each decade, the first ones all."""
    return iteration > 0 and _next_measured(iteration - 1) == iteration


def _next_measured(iteration: int) -> int:
    """The first iteration of the grid after this one."""
    step = max(0, math.floor(POINTS_PER_DECADE * math.log10(max(iteration, 1))) - 1)
    while (point := round(10 ** (step / POINTS_PER_DECADE))) <= iteration:
        step += 1
    return point


def _measured(strategy: TableStrategy) -> tuple[tuple[float, ...], Exploitability | None]:
    """The strategy's value to each player, and what best responses would gain; None without perfect recall."""
    tree = strategy.tree
    if not tree.has_perfect_recall:
        return expected_values(tree, strategy), None
    measured = exploitability(tree, strategy)
    return measured.values, measured


def _size_text(sizes: SolveForecast) -> str:
    count = f"{sizes.nodes:,} histories, {sizes.information_sets:,} information sets"
    return f"{sizes.game}: {count}, {human_bytes(sizes.bytes)} for the compiled game"
