"""Approximate Best Response on its way: responders learn, and then play fresh games; both in steps."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.job import Progress
from nashgap.jobs.abr_bound import METHOD, AbrBound
from nashgap.jobs.iterating import IterativeWork
from nashgap.runs.cluster import Cluster
from nashgap.search.actors import ActorProcesses, Actors, ClusterActors, HereActor
from nashgap.search.responder_game import ResponderGame, TreeResponderGame
from nashgap.search.training import ResponderTraining

if TYPE_CHECKING:
    from nashgap.jobs.abr import AbrJob

__all__ = ["AbrWork"]

EVALUATION_SECONDS = 0.5  # of a step
POINTS_PER_DOUBLING = 4  # of the curve


@dataclass(frozen=True)
class _Source:
    """What actors make their games from."""

    games: tuple[ResponderGame, ResponderGame]


def _source_of(job: AbrJob, inputs: Mapping[str, str]) -> _Source:
    """On a node of a cluster, where files have paths of their own."""
    return _Source((job.with_inputs(inputs) if inputs else job).games_of_seats)


@dataclass(frozen=True)
class _Tally:
    """Of fresh games: of each seat, and of both added up.

    iteration: of the training after which they were played.
    """

    iteration: int = 0
    number: int = 0
    mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    deviations: tuple[float, float, float] = (0.0, 0.0, 0.0)  # squared, added up

    def with_games(self, won: np.ndarray) -> _Tally:
        """won: `[2, number]`."""
        rows = np.vstack([won, won.sum(axis=0)])
        more, means = rows.shape[1], rows.mean(axis=1)
        number, apart = self.number + more, means - np.array(self.mean)
        deviations = np.array(self.deviations) + rows.var(axis=1) * more + apart**2 * self.number * more / number
        mean = np.array(self.mean) + apart * more / number
        return _Tally(self.iteration, number, tuple(mean.tolist()), tuple(deviations.tolist()))

    def estimates(self, unit: str, seed: int) -> list[Estimate]:
        return [
            Estimate(mean, half_width_95(deviations / (self.number - 1), self.number), self.number, unit, METHOD, seed)
            for mean, deviations in zip(self.mean, self.deviations, strict=True)
        ]


class AbrWork(IterativeWork):
    """Training, and then the evaluation of what it has come to; both in steps."""

    job: AbrJob
    step_seconds = 0.5

    def __init__(self, job: AbrJob) -> None:
        super().__init__(job, job.limits)
        self._tally = _Tally()
        self._values: tuple[Any, Any] | None = None
        self._step_cells = 1
        self._has_begun = False
        self._next_point = 1.0  # batches
        self._last_point: list[tuple[int, float]] = [(0, 0.0), (0, 0.0)]  # games and what they paid, by player
        self._recent = [0.0, 0.0]  # what games paid on the mean between the last points

    @cached_property
    def solver(self) -> ResponderTraining:
        source, number = _Source(self.job.games_of_seats), self.job.actors
        actors: Actors
        if isinstance(number, Cluster):
            actors = ClusterActors(number, partial(_source_of, self.job.for_cluster()), self.job.inputs())
        else:
            actors = HereActor(source) if number == 1 else ActorProcesses(source, number)
        return ResponderTraining(source, self.job.plan, actors, self.job.seed)

    @property
    def fingerprint(self) -> str:
        return self.job.fingerprint

    @property
    def is_finished(self) -> bool:
        is_evaluated = self._tally.iteration == self.solver.iteration and self._tally.number >= self.job.games
        return self.is_at_end and is_evaluated

    def expected_iterations(self) -> int | None:
        iterations = super().expected_iterations()
        if self.budget.minutes is None or self.seconds <= 0:
            return iterations
        by_time = int(self.solver.iteration * max(1.0, 60 * self.budget.minutes / self.seconds))
        return by_time if iterations is None else min(iterations, by_time)

    def advance(self) -> Progress:
        if not self._has_begun:
            self.job.require_answers()
            self._has_begun = True
        if self.is_at_end:
            return self._evaluate()
        step = super().advance()
        games = self.job.plan.games
        total = None if step.total is None else step.total * games
        return Progress(step.done * games, total, "games", step.record, step.message)

    def is_due(self) -> bool:
        return self.solver.iteration >= self._next_point

    def measure(self) -> dict[str, float]:
        """What training games paid on the mean, and what frozen responders win where that is known exactly."""
        begin = time.perf_counter()
        training = self.solver
        self._next_point = training.iteration * 2 ** (1 / POINTS_PER_DOUBLING)
        record = {"episodes": float(training.num_games.sum()), "seconds": self.seconds}
        for player, game in enumerate(self.job.games_of_seats):
            played, paid = training.num_games[player], training.payoff_sum[player]
            record[f"episodes_{player + 1}"] = float(played)
            record[f"reward_{player + 1}"] = float(paid / max(1, played))
            if played > self._last_point[player][0]:
                self._recent[player] = self._mean_since_last_point(player)
                self._last_point[player] = (int(played), float(paid))
            record[f"recent_{player + 1}"] = self._recent[player]
            if isinstance(game, TreeResponderGame):
                record[f"value_{player + 1}"] = game.exact_value(training.values(player))
        self.seconds += time.perf_counter() - begin
        return record

    def _mean_since_last_point(self, player: int) -> float:
        played, paid = self._last_point[player]
        return float((self.solver.payoff_sum[player] - paid) / (self.solver.num_games[player] - played))

    def describe(self, record: Mapping[str, float]) -> str:
        kind = "value" if "value_1" in record else "recent"
        first, second = record[f"{kind}_1"], record[f"{kind}_2"]
        return f"responders win {first:.4g} and {second:.4g} {self.job.unit}"

    def has_shape(self, saved: tuple[int, ...], present: tuple[int, ...]) -> bool:
        """What is learned from, and tables of what was met, grow by rows."""
        return saved[1:] == present[1:] and len(saved) == len(present)

    def kept(self) -> dict[str, Any]:
        tally = self._tally
        return {
            "tally": [tally.iteration, tally.number, *tally.mean, *tally.deviations],
            "next_point": self._next_point,
            "last_point": self._last_point,
            "recent": self._recent,
        }

    def put_back(self, kept: Mapping[str, Any]) -> None:
        iteration, number, *moments = kept["tally"]
        self._tally = _Tally(iteration, number, tuple(moments[:3]), tuple(moments[3:]))
        self._next_point = kept["next_point"]
        self._last_point = [tuple(each) for each in kept["last_point"]]
        self._recent = list(kept["recent"])

    def _evaluate(self) -> Progress:
        training, job = self.solver, self.job
        if self._values is None or self._tally.iteration != training.iteration:
            self._values = training.values(0), training.values(1)
        if self._tally.iteration != training.iteration:
            self._tally = _Tally(training.iteration)
        cells = max(self._step_cells, -(-training.num_actors // 2))  # each seat's are shared out among half of them
        number = min(cells * job.cell_games, job.games - self._tally.number)
        begin = time.perf_counter()
        won = training.evaluate(self._values, self._tally.number, number, searches=job.searches, cell=job.cell_games)
        spent = time.perf_counter() - begin
        self._step_cells = max(1, int(self._step_cells * min(10.0, EVALUATION_SECONDS / max(spent, 1e-6))))
        for first in range(0, number, job.cell_games):
            self._tally = self._tally.with_games(won[:, first : first + job.cell_games])
        done = f"{self._tally.number:,} of {job.games:,} fresh games of each seat"
        return Progress(float(training.num_games.sum()), None, "games", None, done)

    def result(self, points: Sequence[Mapping[str, float]]) -> AbrBound:
        training = self.solver
        first, second, both = self._tally.estimates(self.job.unit, self.job.seed)
        if self.job.is_win_or_loss:
            first, second = _with_room(first), _with_room(second)
            both = replace(both, ci95=math.hypot(first.ci95, second.ci95))
        return AbrBound(
            job=self.job,
            per_player=(first, second),
            estimate=both,
            exact=self.job.exact,
            responders=tuple(training.values(player) for player in (0, 1)),
            episodes=int(training.num_games.sum()),
            simulations_per_second=training.num_simulations / max(self.seconds, 1e-9),
            points=tuple(points),
        )


def _with_room(won: Estimate) -> Estimate:
    """Games won by 1 or lost by 1 that all came out alike leave room for others (Clopper & Pearson 1934)."""
    return won if won.ci95 > 0 else replace(won, ci95=2 * (1 - 0.025 ** (1 / won.samples)))
