"""Train by a recipe as a run: iterations in small steps, a curve of what self-play shows, a state to go on from.

What is measured on the way (average regret, self-play) never touches the training, so the numbers do not depend on when
the job was stopped or continued; with one thread they are the same bit for bit.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction
from nashgap.core.job import Progress, is_whole, require_seed
from nashgap.errors import ConfigError, FileFormatError, MismatchError, OutputError
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.solvers.poker_mccfr import PokerMCCFR, SelfPlay
from nashgap.solvers.recipe import Recipe
from nashgap.core.array_file import open_arrays, save_arrays

__all__ = ["LINE", "RecipeBudget", "RecipeJob", "preflop_lines"]

CHECKPOINT_KIND = "recipe-checkpoint"
STEP_SECONDS = 0.2
FIRST_RECORD_SECONDS = 1.0  # of training until the first measurement,
FIRST_RECORD_SECONDS_OF_ENTRY = 1e-7  # and so much more for each entry, all of which are read
RECORD_SHARE = 20  # so many times the duration of a measurement lies between two of them
RECORD_GROWTH = 1.04  # and the time of training grows by so much: about 60 points a decade
SELF_PLAY_HANDS = 50_000
SELF_PLAY_SEED = 1
LINE = "line_"  # before a line's name in a record
MULTIWAY_LINES = ("f", "rf", "rrf", "rcf")
HEADS_UP_LINES = ("f", "c", "r", "rf", "rc", "rr")


@dataclass(frozen=True)
class RecipeBudget:
    """How far to go, to whichever comes first, and with how many threads.

    iterations: in total; None for no limit.
    minutes:    of training, in total over all resumes; None for no limit.
    """

    iterations: int | None = None
    minutes: float | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        for name in ("iterations", "minutes"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ConfigError(f"{name} = {value}; it must be more than 0")
        if self.iterations is None and self.minutes is None:
            raise ConfigError("neither iterations nor minutes say how long to train")
        if not is_whole(self.threads) or not 1 <= self.threads <= 1024:
            raise ConfigError(f"threads = {self.threads}; it must be a whole number from 1 to 1024")


class RecipeJob:
    """A `CheckpointJob`: one MCCFR solver on its way. Its memory is taken when `solver` is first asked for."""

    kind = "recipe"

    def __init__(self, recipe: Recipe, limits: RecipeBudget, *, seed: int = 0) -> None:
        require_seed(seed)
        self.recipe, self.limits, self.seed = recipe, limits, seed
        self.seconds = 0.0
        self.num_visits = 0  # over all resumes
        self.most_threads = 1  # that trained at once, over all resumes
        self._rate = 0.0
        self._next_record = 0.0  # seconds; set when the solver is there
        self._solver: PokerMCCFR | None = None
        self._measured_at = (0.0, 0, 0)  # seconds, iterations and visits at the last measurement

    @property
    def name(self) -> str:
        return f"solve-{self.recipe.name}"

    def identity(self) -> dict[str, Any]:
        return {**self.recipe.content(), "seed": self.seed}

    def budget(self) -> dict[str, Any]:
        return asdict(self.limits)

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        try:
            return cls(Recipe.from_content(identity), RecipeBudget(**budget), seed=identity["seed"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"not the config of a solve by recipe: {error!r}") from error

    @property
    def solver(self) -> PokerMCCFR:
        """Built on first use, with the tables of the card abstractions."""
        if self._solver is None:
            self._solver = self._build()
            self._set_next_record()
        return self._solver

    @property
    def is_finished(self) -> bool:
        limits = self.limits
        return (limits.iterations is not None and self.solver.iteration >= limits.iterations) or (
            limits.minutes is not None and self.seconds >= 60 * limits.minutes
        )

    def advance(self) -> Progress:
        solver = self.solver
        self.most_threads = max(self.most_threads, self.limits.threads)
        begin, visits = time.perf_counter(), solver.num_visits
        num_iterations = self._num_next()
        solver.run(num_iterations)
        spent = time.perf_counter() - begin
        self.seconds += spent
        self.num_visits += solver.num_visits - visits
        self._rate = num_iterations / spent if spent > 0 else 0.0
        record = None
        if self.seconds >= self._next_record or self.is_finished:
            record = self._measure()
        message = "" if record is None else self._describe(record)
        return Progress(solver.iteration, self._expected_iterations(), "iterations", record, message)

    def save(self, path: Path) -> None:
        state = self.solver.state()
        needed, free = sum(array.nbytes for array in state.values()), shutil.disk_usage(path.parent).free
        if free < needed:
            # Rather than fill the disk to the last byte, which the ledger would need.
            raise OutputError(f"{path}: cannot be written: {needed:,} bytes are needed, the disk has {free:,} left")
        metadata = {
            "kind": CHECKPOINT_KIND,
            "identity": _canonical(self.identity()),
            "fingerprint": self.solver.game.fingerprint,
            "seconds": self.seconds,
            "num_visits": self.num_visits,
            "most_threads": self.most_threads,
        }
        save_arrays(path, state, metadata)

    def load(self, path: Path) -> None:
        file = open_arrays(path)
        told = file.metadata
        if told.get("kind") != CHECKPOINT_KIND:
            raise FileFormatError(f"{path} is not a checkpoint of a solve by recipe")
        if told.get("identity") != _canonical(self.identity()):
            raise MismatchError(f"{path} is the checkpoint of another solve")
        if told.get("fingerprint") != self.solver.game.fingerprint:
            raise MismatchError(f"{path} was trained with other buckets; remove {path.parent} to start afresh")
        seconds, num_visits = float(told["seconds"]), int(told["num_visits"])
        self.solver.restore({name: file.array(name) for name in file.names})
        self.seconds, self.num_visits = seconds, num_visits
        self.most_threads = int(told.get("most_threads", self.limits.threads))
        self._set_next_record()
        self._measured_at = (self.seconds, self.solver.iteration, self.num_visits)

    def _build(self) -> PokerMCCFR:
        recipe = self.recipe
        built = {spec: build_abstraction(spec, recipe.rules) for spec in recipe.card_specs}
        cards = [{number: built[spec] for number, spec in of_seat.items()} for of_seat in recipe.cards]
        game = AbstractGame(build_betting_tree(recipe.rules, recipe.betting), cards)
        return recipe.solver.solver(game, seed=self.seed, threads=self.limits.threads)

    def _set_next_record(self) -> None:
        wait = FIRST_RECORD_SECONDS + FIRST_RECORD_SECONDS_OF_ENTRY * self.solver.game.num_entries
        self._next_record = self.seconds + wait

    def _num_next(self) -> int:
        num = max(1, int(self._rate * STEP_SECONDS))
        return num if self.limits.iterations is None else min(num, self.limits.iterations - self.solver.iteration)

    def _expected_iterations(self) -> int | None:
        """In total; where time is the limit, about so many at the rate so far."""
        limits, done = self.limits, self.solver.iteration
        by_time = None if limits.minutes is None else max(done, round(done * 60 * limits.minutes / self.seconds))
        known = [total for total in (limits.iterations, by_time) if total is not None]
        return done if self.is_finished else min(known)

    def _measure(self) -> dict[str, float]:
        """One point of the curve; the time that it takes counts as training."""
        begin = time.perf_counter()
        iteration, visits = self.solver.iteration, self.num_visits
        since_seconds, since_iteration, since_visits = self._measured_at
        spent = self.seconds - since_seconds
        record = {
            "iteration": float(iteration),
            "seconds": self.seconds,
            "iterations_per_second": (iteration - since_iteration) / spent if spent > 0 else 0.0,
            "visits_per_second": (visits - since_visits) / spent if spent > 0 else 0.0,
            "average_regret": sum(self.solver.average_regret()) / self.recipe.rules.unit_chips,
            **_self_play_record(self.solver.self_play(SELF_PLAY_HANDS, SELF_PLAY_SEED)),
        }
        took = time.perf_counter() - begin
        self.seconds += took
        self._next_record = max(self.seconds * RECORD_GROWTH, self.seconds + RECORD_SHARE * took)
        self._measured_at = (self.seconds, iteration, visits)
        return record

    def _describe(self, record: Mapping[str, float]) -> str:
        lines = [f"{key.removeprefix(LINE)} {100 * share:.1f}" for key, share in record.items() if key.startswith(LINE)]
        regret = record["average_regret"]
        return (
            f"average regret {regret:{',.0f' if regret >= 10_000 else '.4g'}} {self.recipe.rules.unit}, unvisited "
            f"{record['unvisited_share']:.2%}, {record['visits_per_second'] / 1e6:.3g} M visits/s\n"
            f"first round, % of hands: {' '.join(lines)}"
        )


def _self_play_record(played: SelfPlay) -> dict[str, float]:
    """What a point of the curve keeps of self-play; shares are from 0 to 1."""
    lines = {f"{LINE}{text}": share for text, share in preflop_lines(played).items()}
    return {"unvisited_share": played.unvisited_share, **lines}


def preflop_lines(played: SelfPlay) -> dict[str, float]:
    """Shares of the hands by the beginning of the first round's betting, the same lines for every strategy of a game.

    Three and more seats: up to the first fold, of hands in which two play on (as in Table 4.4 of Abou Risk 2009), and
    the total of all such. Two seats: the first and the first two actions.
    """
    if played.won.shape[1] > 2:
        folds = played.first_folds(2)
        return {**{text: folds.get(text, 0.0) for text in MULTIWAY_LINES}, "total": sum(folds.values())}
    shares = dict.fromkeys(HEADS_UP_LINES, 0.0)
    for text, count in played.sequences.items():
        for line in {text[:1], text[:2]} & shares.keys():
            shares[line] += count / played.num_hands
    return shares


def _canonical(identity: Mapping[str, Any]) -> str:
    return json.dumps(identity, sort_keys=True)
