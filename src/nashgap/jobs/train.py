"""Train by a recipe: iterations in small steps, a curve of what self-play shows, and the strategy that comes of it.

What is measured on the way (the gap of the abstract game, average regret, self-play) never touches the training, so the
numbers do not depend on when it was stopped or continued; with one thread they are the same bit for bit.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction
from nashgap.core.estimate import Estimate
from nashgap.core.job import CheckpointJob, budget, require_seed, require_threads
from nashgap.errors import ConfigError, OptionError
from nashgap.jobs.iterating import Budget, IterativeWork
from nashgap.jobs.train_forecast import TrainForecast, forecast_recipe, is_gap_measured, require_memory, require_room
from nashgap.jobs.training import LINE, Training, preflop_lines
from nashgap.measures.abstract_response import METHOD, abstract_gap, response_sampling
from nashgap.poker.betting_tree import BettingTree, build_betting_tree
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.recipe import Recipe
from nashgap.solvers.seeding import BASE, first_round_of, ranges_behind
from nashgap.solvers.subtree_nodes import EXCHANGE, require_subtrees
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot
from nashgap.strategies.load import load
from nashgap.strategies.play_options import PlayOptions
from nashgap.strategies.poker_strategy import PokerStrategy

if TYPE_CHECKING:
    import numpy as np

__all__ = ["TrainJob", "TrainWork"]

FIRST_RECORD_SECONDS = 1.0  # of training until the first measurement,
FIRST_RECORD_SECONDS_OF_ENTRY = 1e-7  # and so much more for each entry, all of which are read
RECORD_SHARE = 20  # so many times the duration of a measurement lies between two of them
RECORD_GROWTH = 1.04  # and the time of training grows by so much: about 60 points a decade
SELF_PLAY_HANDS = 50_000
SELF_PLAY_SEED = 1
FINAL_HANDS = 200_000
FINAL_SEED = 2
GAP_ITERATIONS = {"public": 200, "external": 200_000}  # of each response when the gap is first measured, by sampling
GAP_DEALS = 20_000  # that these responses play
GAP_GROWTH = 1.5  # so many times as much work is the next measurement: a better strategy is harder to beat
GAP_SEED = 3
GAP_SHARE = 20  # so many times the duration of all such measurements lies before the next
# Where the gap says when to stop, each measurement is so many times as much work, and they come as much more often.
UNTIL_EFFORT, UNTIL_SHARE = 5, 2
FIRST_GAP_SECONDS = 5.0


@dataclass(frozen=True)
class TrainJob(CheckpointJob):
    """One recipe, trained.

    base:                whose play the recipe takes, if it takes any; see `Recipe.needs_base`.
    iterations, minutes: see `Budget`; without any, the recipe's own minutes.
    until:               stop once the gap of the abstract game, its interval's upper end, is this small; see
                         `TrainWork.measure_gap`.
    threads:             with more than one the numbers differ a little from run to run.
    nodes:               processes that share the work by subtrees, see `nashgap.solvers.subtree_nodes`; their number
                         changes nothing that is found.
    exchange:            iterations between two exchanges of the nodes; None: training without any.
    """

    kind: ClassVar[str] = "train"
    has_file: ClassVar[bool] = True

    recipe: Recipe
    seed: int = 0
    base: Bot | None = None
    iterations: int | None = budget(None)
    minutes: float | None = budget(None)
    until: float | None = budget(None)
    threads: int = budget(1)
    nodes: int | None = budget(None)
    exchange: int | None = None

    def __post_init__(self) -> None:
        require_seed(self.seed)
        recipe = self.recipe
        if len(recipe.after) > 1:
            names = ", ".join(expert.name for expert in recipe.experts())
            raise ConfigError(f"recipe {recipe.name!r} is for several experts, trained one by one: {names}")
        if recipe.needs_base and self.base is None:
            raise OptionError(f"recipe {recipe.name!r} takes what a base plays; name its strategy file: `base`")
        if self.base is not None and not recipe.needs_base:
            raise OptionError(f"recipe {recipe.name!r} takes nothing from a base; `base` is for those that do")
        if self.limits.is_open:
            object.__setattr__(self, "minutes", self.recipe.minutes)
        require_threads(self.threads)
        if self.nodes is not None and self.exchange is None:
            object.__setattr__(self, "exchange", EXCHANGE)
        if self.exchange is not None:
            nodes = 1 if self.nodes is None else self.nodes
            recipe.solver.require_nodes(nodes, self.threads)
            object.__setattr__(self, "nodes", nodes)

    @property
    def limits(self) -> Budget:
        return Budget(self.iterations, self.minutes, self.until)

    @property
    def name(self) -> str:
        return f"train-{self.recipe.name}"

    @property
    def size_text(self) -> str:
        return self.forecast().summary

    def command(self, found: Training) -> str | None:
        """None for a recipe of one's own, which is kept in its run."""
        if not self.recipe.is_shipped:
            return None
        words = ["nashgap", "solve", self.recipe.name, "--iterations", str(found.iterations), "--seed", str(self.seed)]
        words += [] if self.base is None else ["--base", self.base.text]
        words += ["--threads", str(found.threads)] if found.threads > 1 else []
        return shlex.join(words + ([] if self.nodes is None else ["--nodes", str(self.nodes)]))

    def forecast(self) -> TrainForecast:
        """What it takes, before anything is built."""
        return forecast_recipe(self.recipe, self.limits, seed=self.seed, threads=self.threads, nodes=self.nodes)

    def prepare(self, root: Path | None) -> None:
        expected = self.forecast()
        require_memory(expected.recipe, expected.bytes - expected.table_bytes)
        self.ranges()
        if self.nodes is not None:
            require_subtrees(self.betting_tree(), self.nodes)
        if root is not None:
            require_room("a saved state", expected.checkpoint_bytes, root)

    def ranges(self) -> np.ndarray | None:
        """How hands come to what the expert is for; None for a strategy of the whole game. Refuses what none does."""
        recipe = self.recipe
        if not recipe.after:
            return None
        return ranges_behind(recipe.rules, recipe.prefix, recipe.seeding, self._base_strategy())

    def betting_tree(self) -> BettingTree:
        recipe = self.recipe
        return build_betting_tree(recipe.rules, recipe.betting, recipe.prefix, recipe.truncation)

    def _base_strategy(self) -> PokerStrategy | None:
        return None if self.base is None else load(self.base, self.recipe.rules)

    def is_passed_by(self, done: float) -> bool:
        return self.limits.is_passed_by(done)

    def begin(self) -> TrainWork:
        return TrainWork(self)


class TrainWork(IterativeWork):
    """One MCCFR solver on its way. Its memory is taken when `solver` is first asked for.

    num_visits:   over all resumes.
    most_threads: that trained at once, over all resumes.
    """

    job: TrainJob
    step_seconds = 0.2

    def __init__(self, job: TrainJob) -> None:
        super().__init__(job, job.limits)
        self.num_visits = 0
        self.most_threads = 1
        self._next_record = 0.0  # seconds; set when the solver is there
        self._solver: PokerMCCFR | None = None
        self._measured_at = (0.0, 0, 0)  # seconds, iterations and visits at the last measurement
        self._num_gaps = 0  # measured so far, over all resumes
        self._gap_seconds = 0.0  # that it took
        self._last_gap = ""  # as text, with when it was

    @property
    def solver(self) -> PokerMCCFR:
        """Built on first use, with the tables of the card abstractions."""
        if self._solver is None:
            self._solver = _build_solver(self.job)
            self._set_next_record()
        return self._solver

    @property
    def fingerprint(self) -> str:
        return self.solver.game.fingerprint

    def iterate(self, num_iterations: int) -> None:
        visits = self.solver.num_visits
        self.solver.run(num_iterations)
        self.num_visits += self.solver.num_visits - visits
        self.most_threads = max(self.most_threads, self.job.threads)

    def is_due(self) -> bool:
        return self.seconds >= self._next_record

    def measure(self) -> dict[str, float]:
        begin = time.perf_counter()
        iteration, visits = self.solver.iteration, self.num_visits
        since_seconds, since_iteration, since_visits = self._measured_at
        spent = self.seconds - since_seconds
        is_last, gap = self.is_finished, self._gap_if_due()
        played = self.solver.self_play(SELF_PLAY_HANDS, SELF_PLAY_SEED)
        record = {
            "iteration": float(iteration),
            "seconds": self.seconds,
            "iterations_per_second": (iteration - since_iteration) / spent if spent > 0 else 0.0,
            "visits_per_second": (visits - since_visits) / spent if spent > 0 else 0.0,
            "average_regret": sum(self.solver.average_regret()) / self.job.recipe.rules.unit_chips,
            **({} if gap is None else {"gap": gap.mean, "gap_ci95": gap.ci95, "gap_deals": float(gap.samples)}),
            "unvisited_share": played.unvisited_share,
            **{f"{LINE}{text}": share for text, share in preflop_lines(played).items()},
        }
        took = time.perf_counter() - begin
        if not is_last:  # what follows the training is no part of it
            self.seconds += took
        self._next_record = max(self.seconds * RECORD_GROWTH, self.seconds + RECORD_SHARE * took)
        self._measured_at = (self.seconds, iteration, visits)
        return record

    def measure_gap(self) -> Estimate:
        """What responses gain on the average strategy, a lower bound on its gap in the abstract game.

        They are short at first, and longer each time; see `GAP_GROWTH`.
        """
        game, sampling = self.solver.game, response_sampling(self.solver.game)
        effort = GAP_GROWTH**self._num_gaps * (1 if self.budget.until is None else UNTIL_EFFORT)
        return abstract_gap(
            game,
            [self.solver.average_table(number) for number in range(game.rules.num_rounds)],
            iterations=round(effort * GAP_ITERATIONS[sampling.kind]),
            sampling=sampling,
            num_deals=round(effort * GAP_DEALS),
            seed=GAP_SEED,
            threads=self.job.threads,
        ).nash_conv

    @property
    def has_gap(self) -> bool:
        return is_gap_measured(self.solver.game.num_entries, self.budget)

    def _gap_if_due(self) -> Estimate | None:
        """Now and then, and at the end."""
        share = GAP_SHARE if self.budget.until is None else UNTIL_SHARE
        is_due = self.is_finished or self.seconds >= max(FIRST_GAP_SECONDS, share * self._gap_seconds)
        if not (self.has_gap and is_due):
            return None
        begin = time.perf_counter()
        gap = self.measure_gap()
        self._gap_seconds += time.perf_counter() - begin
        self._num_gaps += 1
        upper_end = gap.mean + gap.ci95
        self.gap = upper_end if upper_end > 0 else None  # responses that lose for certain say nothing of the gap
        self._last_gap = f"gap at least {gap} after {self.solver.iteration:,}"
        return gap

    def _last_measured(self, points: Sequence[Mapping[str, float]]) -> Estimate | None:
        """The gap where the training stands, of the curve's last point unless it was stopped after that."""
        if not self.has_gap:
            return None
        last = points[-1] if points else {}
        if last.get("iteration") != self.solver.iteration or "gap_deals" not in last:
            return self.measure_gap()
        unit = self.job.recipe.rules.unit
        return Estimate(last["gap"], last["gap_ci95"], int(last["gap_deals"]), unit, METHOD, GAP_SEED)

    def describe(self, record: Mapping[str, float]) -> str:
        lines = [f"{key.removeprefix(LINE)} {100 * share:.1f}" for key, share in record.items() if key.startswith(LINE)]
        regret, unit = record["average_regret"], self.job.recipe.rules.unit
        shown = [
            self._last_gap,
            f"average regret {regret:{',.0f' if regret >= 10_000 else '.4g'}} {unit}, unvisited"
            f" {record['unvisited_share']:.2%}, {record['visits_per_second'] / 1e6:.3g} M visits/s",
            f"first round, % of hands: {' '.join(lines)}",
        ]
        return "\n".join(filter(None, shown))

    def expected_iterations(self) -> int | None:
        """Where time is the limit, about so many at the rate so far."""
        limits, done = self.budget, self.solver.iteration
        by_time = None if limits.minutes is None else max(done, round(done * 60 * limits.minutes / self.seconds))
        known = [total for total in (limits.iterations, by_time) if total is not None]
        return done if self.is_finished else min(known, default=None)

    def kept(self) -> dict[str, Any]:
        kept = {"num_visits": self.num_visits, "most_threads": self.most_threads}
        return {**kept, "num_gaps": self._num_gaps, "gap_seconds": self._gap_seconds, "last_gap": self._last_gap}

    def put_back(self, kept: Mapping[str, Any]) -> None:
        self.num_visits = int(kept["num_visits"])
        self.most_threads = int(kept["most_threads"])
        self._num_gaps = int(kept.get("num_gaps", 0))
        self._gap_seconds, self._last_gap = float(kept.get("gap_seconds", 0.0)), str(kept.get("last_gap", ""))
        self._measured_at = (self.seconds, self.solver.iteration, self.num_visits)
        self._set_next_record()

    def result(self, points: Sequence[Mapping[str, float]]) -> Training:
        """The strategy is made in the place of the sums that it comes from: the work cannot go on."""
        job, solver = self.job, self.solver
        regret = sum(solver.average_regret()) / job.recipe.rules.unit_chips
        played = solver.self_play(FINAL_HANDS, FINAL_SEED)
        gap = self._last_measured(points)  # before its sums are taken
        return Training(
            job=job,
            gap=gap,
            strategy=AbstractStrategy(
                solver.game,
                tuple(solver.take_average_table(number) for number in range(job.recipe.rules.num_rounds)),
                PlayOptions(off_tree=job.recipe.off_tree),
                name=job.recipe.name,
            ),
            iterations=solver.iteration,
            seconds=self.seconds,
            visits=self.num_visits,
            threads=self.most_threads,
            average_regret=regret,
            self_play=played,
            points=tuple(points),
        )

    def _set_next_record(self) -> None:
        wait = FIRST_RECORD_SECONDS + FIRST_RECORD_SECONDS_OF_ENTRY * self.solver.game.num_entries
        self._next_record = self.seconds + wait


def _build_solver(job: TrainJob) -> PokerMCCFR:
    recipe = job.recipe
    built = {spec: build_abstraction(spec, recipe.rules) for spec in recipe.card_specs}
    cards = [{number: built[spec] for number, spec in of_seat.items()} for of_seat in recipe.cards]
    game = AbstractGame(job.betting_tree(), cards, job.ranges())
    given = []
    if recipe.start == BASE:
        start, weight = first_round_of(load(job.base, recipe.rules), game), float(max(1, *recipe.rules.blinds))
        given.append(GivenAbstractStrategy(start, weight=weight))
    return recipe.solver.solver(
        game,
        seed=job.seed,
        threads=job.threads,
        given=given,
        nodes=job.nodes,
        exchange=EXCHANGE if job.exchange is None else job.exchange,
    )
