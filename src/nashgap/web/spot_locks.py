"""Locks painted on a page: a decision of a solved spot as it is, but for the classes of hands painted over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES, Range
from nashgap.errors import ConfigError
from nashgap.strategies.spot_lock import SpotLock, actions_of
from nashgap.strategies.spot_strategy import SpotStrategy, load_spot_strategy

if TYPE_CHECKING:
    from nashgap.jobs.spot import SpotJob

__all__ = ["Painted", "Relocked", "class_number", "painted_lock"]

STEPS = 1000  # of a probability that is locked
_MOST_LEFT_OVER = 0.02  # of shares that a page has rounded


@dataclass(frozen=True)
class Painted:
    """place: a line of betting. classes: what those classes of hands do that are not played as they are, by action."""

    place: str
    classes: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Relocked:
    """A solved spot that is to be solved again.

    base: the job of its run, with the locks that stay.
    file: its strategy, which says what is done where nothing is painted.
    """

    base: SpotJob
    file: Path
    painted: tuple[Painted, ...]

    def job(self) -> SpotJob:
        """What is solved; a decision that is painted is no longer locked as it was."""
        strategy = load_spot_strategy(self.file)
        added = [painted_lock(strategy, each) for each in self.painted]
        places = [lock.place for lock in added]
        kept = [lock for lock in self.base.locks if lock.place_in(strategy.spot) not in places]
        return replace(self.base, locks=(*kept, *added))


def painted_lock(strategy: SpotStrategy, painted: Painted) -> SpotLock:
    """The decision as the strategy plays it, to 0.1%, with the painted classes in its place."""
    spot = strategy.spot
    state = spot.state_after(painted.place)
    moves = spot.betting.actions(state)
    chances = strategy.ranges.probabilities(actions_of(state), state.board).astype(np.float64)
    for name, shares in painted.classes.items():
        chances[class_number(name) == CLASS_OF_HAND] = _checked(name, shares, len(moves))
    kept = _in_steps(np.nan_to_num(chances)) * (spot.weights[state.seat] > 0)[:, None]
    tokens = [spot.action_text(state, move) for move in moves]
    parts = [f"{token} {Range(kept[:, each]).text}" for each, token in enumerate(tokens[:-1]) if kept[:, each].any()]
    return SpotLock(spot.line_text(state), "; ".join([*parts, tokens[-1]]))  # the last takes what is left


def _in_steps(chances: np.ndarray) -> np.ndarray:
    """The same to the nearest step; what rounding adds or takes is the likeliest action's."""
    steps = np.round(chances * STEPS)
    steps[np.arange(len(steps)), chances.argmax(axis=1)] += STEPS - steps.sum(axis=1)
    return np.asarray(steps / STEPS)


def class_number(name: str) -> int:
    """The place of the class in the grid; refused where there is none."""
    if name not in HAND_CLASSES:
        raise ConfigError(f"hands {name[:10]!r}; a class such as AKs, AKo or 99 is needed")
    return HAND_CLASSES.index(name)


def _checked(name: str, shares: Sequence[float], num_actions: int) -> np.ndarray:
    told = np.asarray(shares, dtype=np.float64)
    if len(told) != num_actions or not ((told >= 0) & (told <= 1)).all() or abs(told.sum() - 1) > _MOST_LEFT_OVER:
        raise ConfigError(f"{name}: {len(shares)} shares; one for each of {num_actions} actions is needed, 1 together")
    return np.asarray(told / told.sum())
