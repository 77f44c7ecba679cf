"""Chumps: strategies that do not look at their cards (Abou Risk 2009, section 2.5.2; Lisý & Bowling 2016, "Chumps").

Most are a probability triple (f, c, r). A part that is not legal goes to check or call: nobody folds for free, and who
may not raise any more calls. In games with sizes a raise is by the pot, but for `random` and `half-call-half-raise`,
which take every size equally often.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError
from nashgap.poker.hands import hand_names
from nashgap.poker.moves import Move, move_text, raise_move
from nashgap.poker.state import CALL, FOLD, PublicState

__all__ = [
    "Chump",
    "always_call",
    "always_fold",
    "always_raise",
    "half_call_half_raise",
    "probe",
    "random",
    "triple",
]

SIZES = ("pot", "uniform", "all-in")  # in the order of the engine
KINDS = ("triple", "random", "random-kind")


@dataclass(frozen=True)
class Chump:
    """A player that does the same with every hand.

    fold, call, raising: probabilities of kind `triple`; 0 of the others.
    size:                of a raise by kind `triple`: `pot`, `uniform` (every legal size equally often) or `all-in`.
    kind:                `triple`; `random`: every legal action equally often, each size of a raise being one;
                         `random-kind`: fold, call and raise equally often where they are legal, every size likewise.
    """

    name: str
    fold: float = 0.0
    call: float = 0.0
    raising: float = 0.0
    size: str = "pot"
    kind: str = "triple"

    def __post_init__(self) -> None:
        for field, value, allowed in (
            ("size", self.size, SIZES),
            ("kind", self.kind, KINDS),
        ):
            if value not in allowed:
                raise ConfigError(f"{self.name}: {field} = {value!r}; it must be one of {', '.join(allowed)}")
        parts = (self.fold, self.call, self.raising)
        total = 1.0 if self.kind == "triple" else 0.0
        if not all(0 <= part <= 1 for part in parts) or not math.isclose(sum(parts), total, abs_tol=1e-9):
            raise ConfigError(f"{self.name}: three probabilities that add up to 1 are needed")

    @property
    def is_sampled(self) -> bool:
        return False

    @property
    def native(self) -> _native.BlindAgent:
        """The engine's player, which does the same."""
        if self.kind == "triple":
            return _native.TripleAgent(self.fold, self.call, SIZES.index(self.size))
        return _native.RandomAgent(self.kind == "random")

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """One row for all hands, without the actions that are never taken."""
        return [self._policy(state) for state in states]

    def _policy(self, state: PublicState) -> Policy:
        weights = self._triple(state) if self.kind == "triple" else self._random(state)
        taken = {move: weight for move, weight in weights.items() if weight > 0}
        row = np.array([[*taken.values()]])
        actions = tuple(move_text(state.rules, move) for move in taken)
        return Policy(hand_names(state.rules), actions, row / row.sum(), tuple(taken))

    def _triple(self, state: PublicState) -> dict[Move, float]:
        legal = state.legal
        weights: dict[Move, float] = {FOLD: self.fold, CALL: self.call}
        if not legal.can_fold:
            weights = {CALL: self.fold + self.call}
        if not legal.can_raise:
            weights[CALL] += self.raising
        elif self.size == "uniform":
            weights[raise_move(legal.min_raise_to, legal.max_raise_to)] = self.raising
        elif self.size == "all-in":
            weights[legal.max_raise_to] = self.raising
        else:
            weights[legal.nearest_raise(max(state.spent) + state.pot + state.to_call)] = self.raising
        return weights

    def _random(self, state: PublicState) -> dict[Move, float]:
        legal = state.legal
        weights: dict[Move, float] = {FOLD: 1.0, CALL: 1.0} if legal.can_fold else {CALL: 1.0}
        if legal.can_raise:
            num_raises = legal.max_raise_to - legal.min_raise_to + 1 if self.kind == "random" else 1
            weights[raise_move(legal.min_raise_to, legal.max_raise_to)] = float(num_raises)
        return weights


def always_fold() -> Chump:
    """(1, 0, 0): folds; checks where checking is free."""
    return Chump("always-fold", fold=1.0)


def always_call() -> Chump:
    """(0, 1, 0): checks or calls."""
    return Chump("always-call", call=1.0)


def always_raise() -> Chump:
    """(0, 0, 1): bets or raises; calls where it may not."""
    return Chump("always-raise", raising=1.0)


def probe() -> Chump:
    """(0, 0.5, 0.5): calls or raises equally often."""
    return Chump("probe", call=0.5, raising=0.5)


def half_call_half_raise() -> Chump:
    """Calls half of the time, else raises by a random size."""
    return Chump("half-call-half-raise", call=0.5, raising=0.5, size="uniform")


def random() -> Chump:
    """Every legal action equally often, each size of a raise being an action of its own."""
    return Chump("random", kind="random")


def triple(fold: float, call: float, raising: float) -> Chump:
    """Folds, calls and raises with these probabilities, which add up to 1."""
    return Chump(f"triple({fold:g},{call:g},{raising:g})", float(fold), float(call), float(raising))
