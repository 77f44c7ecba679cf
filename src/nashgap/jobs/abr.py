"""Measure by Approximate Best Response: a responder for each seat learns, is frozen, and plays fresh games."""

from __future__ import annotations

import math
import shlex
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.estimate import Estimate, half_width_95, significant
from nashgap.core.job import CheckpointJob, Progress, budget, is_whole, require_seed, setting
from nashgap.core.result import Result, frame
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.games.compiled import rebuild_tree
from nashgap.jobs.iterating import Budget, IterativeWork
from nashgap.measures.best_response import Gains, exploitability
from nashgap.runs.config import package_version
from nashgap.search.actors import ActorProcesses, HereActor
from nashgap.search.belief_network import learned_belief, require_learnable
from nashgap.search.options import PRESETS, Preset, SearchOptions, TreeLearning
from nashgap.search.responder_game import ResponderGame, TreeResponderGame
from nashgap.search.training import MOST_UNDER_WAY, ResponderTraining
from nashgap.strategies.load import load
from nashgap.strategies.spec import Bot, file_word
from nashgap.strategies.table import TableStrategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LEARNED", "METHOD", "AbrBound", "AbrJob", "AbrWork", "TreeAbrJob", "searches_usually"]

METHOD = "abr"
DEFAULT_PRESET = "tree"
DEFAULT_MINUTES = 1.0
DEFAULT_GAMES = {False: 200_000, True: 20_000}  # whether responders search
EVALUATION_SECONDS = 0.5  # of a step
CELL_GAMES = 100  # are added up at a time, however many a step has
POINTS_PER_DOUBLING = 4  # of the curve
MOST_ACTORS = 1024
EXACT, LEARNED = BELIEFS = ("exact", "learned")
DEFAULT_BELIEF_GAMES = 100_000


@dataclass(frozen=True, kw_only=True)
class AbrJob(CheckpointJob):
    """Responders of both seats against one strategy, complete but for the game, which subclasses say.

    usual_preset, usual_games: where nothing is said; games by whether responders search when they are evaluated.
    preset:   how they learn, by its name; search: how they search.
    searches: whether they search when they are evaluated; else they act by what they have learned.
    episodes, minutes: of training, both seats together: to whichever comes first.
    games:    fresh ones of each seat, when nothing is learned any more.
    actors:   processes that play beside the one that learns; 1: it plays itself.
    """

    usual_preset: ClassVar[str] = DEFAULT_PRESET
    usual_games: ClassVar[Mapping[bool, int]] = DEFAULT_GAMES

    strategy: Bot
    preset: str = DEFAULT_PRESET
    search: SearchOptions = field(default_factory=lambda: PRESETS[DEFAULT_PRESET].search)
    searches: bool = False
    seed: int = 0
    episodes: int | None = budget(None)
    minutes: float | None = budget(None)
    games: int = budget(DEFAULT_GAMES[False])
    actors: int = setting(1)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.preset not in PRESETS:
            raise ConfigError(f"preset = {self.preset!r}; it must be one of {', '.join(PRESETS)}")
        if self.search.simulations < 1:
            raise ConfigError(f"simulations = {self.search.simulations}; training needs at least 1")
        if self.episodes is not None and not is_whole(self.episodes):
            raise ConfigError(f"episodes = {self.episodes}; it must be a whole number")
        if not is_whole(self.games) or self.games < 2:
            raise ConfigError(f"games = {self.games}; an interval needs at least 2")
        if not is_whole(self.actors) or not 1 <= self.actors <= MOST_ACTORS:
            raise ConfigError(f"actors = {self.actors}; it must be a whole number from 1 to {MOST_ACTORS}")
        if self.limits.is_open:
            object.__setattr__(self, "minutes", DEFAULT_MINUTES)

    @property
    @abstractmethod
    def games_of_seats(self) -> tuple[ResponderGame, ResponderGame]: ...

    @property
    @abstractmethod
    def game_name(self) -> str: ...

    @property
    @abstractmethod
    def unit(self) -> str: ...

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Of the game and the strategy: a state of others is refused."""

    @property
    @abstractmethod
    def exact(self) -> Gains | None:
        """What best responses win; None where that is not known."""

    @property
    def is_win_or_loss(self) -> bool:
        """Whether a game is won by 1 or lost by 1, or perhaps drawn, so that a win rate says it better."""
        return False

    @property
    def beliefs_text(self) -> str:
        """Of the beliefs from which searches draw."""
        return EXACT

    @property
    def cell_games(self) -> int:
        """Games of an evaluation that are played between two moments at which it can be stopped, at least."""
        return CELL_GAMES

    @property
    def plan(self) -> Preset:
        return replace(PRESETS[self.preset], search=self.search)

    @property
    def limits(self) -> Budget:
        iterations = None if self.episodes is None else -(-self.episodes // PRESETS[self.preset].games)
        return Budget(iterations, self.minutes)

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.game_name}-{file_word(self.strategy.text)}"[:80]

    @property
    def size_text(self) -> str:
        return f"{self.game_name}: responders of both seats"

    def command(self, found: AbrBound) -> str | None:
        """Where one actor played, so that games say how far it went."""
        if not self.strategy.is_named or self.actors > 1:
            return None
        words = ["nashgap", "measure", self.strategy.text, "--game", self.game_name, "--by", METHOD]
        words += [*self.own_words, "--preset", self.preset]
        words += ["--episodes", str(found.episodes), "--games", str(self.games)]
        usual = PRESETS[self.preset].search
        for option in ("simulations", "rule", "exploration"):
            if getattr(self.search, option) != getattr(usual, option):
                words += [f"--{option}", str(getattr(self.search, option))]
        words += (
            [] if self.searches == searches_usually(self.preset) else ["--search" if self.searches else "--no-search"]
        )
        return shlex.join([*words, "--seed", str(self.seed)])

    @property
    def own_words(self) -> list[str]:
        """Of the command, besides what all such jobs have."""
        return []

    def is_passed_by(self, done: float) -> bool:
        if self.episodes is None:
            return False
        under_way = 0.0 if self.actors == 1 else MOST_UNDER_WAY * self.episodes  # learned from when all was there
        return done > self.episodes + max(self.actors * self.plan.games, under_way)

    def begin(self) -> AbrWork:
        return AbrWork(self)


@dataclass(frozen=True, kw_only=True)
class TreeAbrJob(AbrJob):
    """In a compiled game.

    game:         its definition.
    given:        the strategy in it, where it is there already.
    beliefs:      from which searches draw, `exact` or `learned`; evaluation plays real games, whatever is believed.
    belief_games: of each seat from which those are learned.
    """

    kind: ClassVar[str] = "abr"

    game: Mapping[str, Any]
    given: TableStrategy | None = setting(None)
    beliefs: str = EXACT
    belief_games: int = DEFAULT_BELIEF_GAMES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beliefs not in BELIEFS:
            raise ConfigError(f"beliefs = {self.beliefs!r}; it must be one of {', '.join(BELIEFS)}")
        if not is_whole(self.belief_games) or self.belief_games < 1:
            raise ConfigError(f"belief_games = {self.belief_games}; it must be a whole number, 1 or more")
        for player in (0, 1):
            game = TreeResponderGame(self.table, player)  # refuses games that abr is not for
            if self.beliefs == LEARNED:
                require_learnable(game)

    @property
    def size_text(self) -> str:
        return f"{super().size_text}, {self.tree.num_infosets // 2:,} information sets each"

    @cached_property
    def table(self) -> TableStrategy:
        return self.given or load(self.strategy, rebuild_tree(self.game))

    @property
    def tree(self) -> GameTree:
        return self.table.tree

    @cached_property
    def games_of_seats(self) -> tuple[ResponderGame, ResponderGame]:
        first, second = (TreeResponderGame(self.table, player, self._belief(player)) for player in (0, 1))
        return first, second

    def _belief(self, player: int) -> np.ndarray | None:
        """None: exact."""
        if self.beliefs == EXACT:
            return None
        return learned_belief(self.table, player, self.belief_games, seed=self.seed)

    @property
    def beliefs_text(self) -> str:
        if self.beliefs == EXACT:
            return EXACT
        return f"{LEARNED} by a network from {self.belief_games:,} games of each seat"

    @property
    def own_words(self) -> list[str]:
        if self.beliefs == EXACT:
            return []
        return ["--beliefs", self.beliefs, "--belief-games", str(self.belief_games)]

    @property
    def game_name(self) -> str:
        return self.tree.game

    @property
    def unit(self) -> str:
        return self.tree.unit

    @property
    def fingerprint(self) -> str:
        return f"{self.tree.fingerprint}-{self.table.digest}"

    @cached_property
    def exact(self) -> Gains:
        return exploitability(self.tree, self.table)

    def identity(self) -> dict[str, Any]:
        if not self.game:
            raise ConfigError(f"{self.tree.game} has no name by which a run could find it again; measure without a run")
        return super().identity()


@dataclass(frozen=True)
class _Source:
    """What actors make their games from."""

    games: tuple[ResponderGame, ResponderGame]


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
        self._next_point = 1.0  # batches
        self._last_point: list[tuple[int, float]] = [(0, 0.0), (0, 0.0)]  # games and what they paid, by player
        self._recent = [0.0, 0.0]  # what games paid on the mean between the last points

    @cached_property
    def solver(self) -> ResponderTraining:
        source = _Source(self.job.games_of_seats)
        actors = HereActor(source) if self.job.actors == 1 else ActorProcesses(source, self.job.actors)
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
        number = min(self._step_cells * job.cell_games, job.games - self._tally.number)
        begin = time.perf_counter()
        won = training.evaluate(self._values, self._tally.number, number, searches=job.searches)
        spent = time.perf_counter() - begin
        self._step_cells = max(1, int(self._step_cells * min(10.0, EVALUATION_SECONDS / max(spent, 1e-6))))
        for first in range(0, number, job.cell_games):
            self._tally = self._tally.with_games(won[:, first : first + job.cell_games])
        done = f"{self._tally.number:,} of {job.games:,} fresh games of each seat"
        return Progress(float(training.num_games.sum()), None, "games", None, done)

    def result(self, points: Sequence[Mapping[str, float]]) -> AbrBound:
        training = self.solver
        training.close()
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


@dataclass(frozen=True, eq=False, repr=False)
class AbrBound(Result):
    """What responders win that were learned against a strategy and then frozen: lower bounds on best responses.

    per_player: what the responder of each seat wins a game.
    estimate:   both added up: approximate NashConv.
    exact:      what best responses win; None where that is not known.
    responders: what each has learned.
    episodes:   games that were learned from.
    simulations_per_second: while training.
    points:     of the learning curve.
    """

    reporter: ClassVar[str] = "nashgap.reports.abr:abr_report"

    job: AbrJob
    per_player: tuple[Estimate, Estimate]
    estimate: Estimate
    exact: Gains | None
    responders: tuple[Any, ...]
    episodes: int
    simulations_per_second: float
    points: tuple[Mapping[str, float], ...] = ()

    @property
    def strategy(self) -> str:
        return self.job.strategy.text

    @property
    def game(self) -> str:
        return self.job.game_name

    @property
    def unit(self) -> str:
        return self.job.unit

    @property
    def mean(self) -> float:
        return self.estimate.mean

    @property
    def ci95(self) -> float:
        return self.estimate.ci95

    @property
    def exploitability(self) -> Estimate:
        """The mean of both seats."""
        return replace(self.estimate, mean=self.mean / 2, ci95=self.ci95 / 2)

    @property
    def exact_nash_conv(self) -> float | None:
        return None if self.exact is None else self.exact.nash_conv

    @property
    def share_of_exact(self) -> float | None:
        """Of the exact NashConv; None where that is 0 or not known."""
        return None if not self.exact_nash_conv else self.mean / self.exact_nash_conv

    @property
    def share_ci95(self) -> float | None:
        return None if not self.exact_nash_conv else self.ci95 / self.exact_nash_conv

    @property
    def win_rates(self) -> tuple[Estimate, ...] | None:
        """Of each seat and of both, a draw counted as half a win; None where games are not just won or lost."""
        if not self.job.is_win_or_loss:
            return None
        return tuple(
            Estimate(0.5 + won.mean / span, won.ci95 / span, won.samples, "wins_per_game", METHOD, won.seed)
            for won, span in ((self.per_player[0], 2), (self.per_player[1], 2), (self.estimate, 4))
        )

    @property
    def summary(self) -> str:
        share, width = self.share_of_exact, self.share_ci95
        exactly = "" if share is None or width is None else f", {share:.1%} ± {width:.1%} of the exact nash_conv"
        if self.win_rates is not None:
            exactly += f", a win rate of {self.win_rates[-1].mean:.1%} ± {self.win_rates[-1].ci95:.1%}"
        beliefs = self.job.beliefs_text
        drawn = "" if beliefs == EXACT else f" Searches drew from beliefs {beliefs}; what is won, is won in real games."
        lower = significant(self.estimate.lower_bound_975)
        return (
            f"{self.strategy} in {self.game}: responders win {self.estimate} from both seats together{exactly}; with"
            f" 97.5% confidence a best response wins at least {lower}.{drawn}"
        )

    def to_frame(self) -> pd.DataFrame:
        """The learning curve: a row for each measured point."""
        return frame(list(self.points[0]) if self.points else ["episodes"], [dict(point) for point in self.points])

    def as_dict(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "game": self.game,
            "unit": self.unit,
            "mean": self.mean,
            "ci95": self.ci95,
            "lower_bound_975": self.estimate.lower_bound_975,
            "per_player": [each.as_dict() for each in self.per_player],
            "exact_nash_conv": self.exact_nash_conv,
            "share_of_exact": self.share_of_exact,
            "share_ci95": self.share_ci95,
            "exploitability": self.exploitability.mean,
            "win_rates": None if self.win_rates is None else [each.as_dict() for each in self.win_rates],
            "episodes": self.episodes,
            "games": self.estimate.samples,
            "searches_at_evaluation": self.job.searches,
            "preset": self.job.preset,
            "beliefs": self.job.beliefs_text,
            "simulations": self.job.search.simulations,
            "simulations_per_second": self.simulations_per_second,
            "curve": [dict(point) for point in self.points],
            "method": METHOD,
            "seed": self.job.seed,
            "seconds": self.provenance.seconds,
            "version": package_version(),
        }


def searches_usually(preset: str) -> bool:
    """A kept tree is what searches would say; tables and networks gain by searching."""
    return not isinstance(PRESETS[preset].learning, TreeLearning)
