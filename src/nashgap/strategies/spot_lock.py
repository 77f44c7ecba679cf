"""A decision of a spot that is locked: what one player does there, whatever it costs, as somebody types it.

    = x                      the first decision: always check
    x = b100 QQ+,AKs:0.5; x   after a check: bet 100 with these hands as often as said, check with all others
    x x * = x                on any turn card; `x x 7h = x` on that one and those that suits alone tell from it
    ip = f                   every decision of the player in position: fold, or check where nothing is to be called

A hand takes an action as often as its weight in the range says; an action without a range takes what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.cards.card import NUM_HANDS, format_cards, hand_cards
from nashgap.cards.ranges import parse_range
from nashgap.errors import ConfigError
from nashgap.poker.spot import Spot
from nashgap.poker.state import PublicState
from nashgap.strategies.range_strategy import RangeLock

__all__ = ["SpotLock", "actions_of", "locks_of", "parse_lock"]

SIDES = ("oop", "ip")
_ROUNDING = 1e-6


@dataclass(frozen=True)
class SpotLock:
    """place: a line, or a side for all its decisions. plays: actions, each with the hands that take it."""

    place: str
    plays: str

    def __str__(self) -> str:
        return f"{self.place} = {self.plays}".strip()

    @property
    def words(self) -> str:
        where = {"oop": "all of out of position", "ip": "all of in position", "": "the first decision"}
        return f"{where.get(self.place, f'after {self.place}')}: {self.plays}"

    def place_in(self, spot: Spot) -> str:
        """As the spot writes it, however it was typed: `X  B200` is `x b200`."""
        return self.place if self.place in SIDES or "*" in self.place else spot.line_text(spot.state_after(self.place))

    def range_locks(self, spot: Spot) -> list[RangeLock]:
        """The decisions that it locks; refused where there is none, or where it leaves hands without an action."""
        if self.place in SIDES:
            own = [state for state in spot.decisions() if state.seat == SIDES.index(self.place)]
            return [RangeLock(actions_of(state), self._strategy(spot, state)) for state in own]
        state, is_any_card = spot.state_after(self.place), "*" in self.place
        if is_any_card and any(mark != "*" for mark in spot.dealt_marks(self.place)):
            raise ConfigError(f"lock {str(self)!r}: cards are all told, or all `*`")
        return [RangeLock(actions_of(state), self._strategy(spot, state), None if is_any_card else state.board)]

    def _strategy(self, spot: Spot, state: PublicState) -> np.ndarray:
        """`[1326, actions]`; hands that are not in the range do the first of the actions."""
        known = [spot.action_text(state, action) for action in spot.betting.actions(state)]
        rows, rest = np.zeros((NUM_HANDS, len(known))), None
        for token, hands in self._parts():
            column = self._column(spot.written_action(state, token), known)
            if hands:
                rows[:, column] += parse_range(hands).weights
            elif rest is None:
                rest = column
            else:
                raise ConfigError(f"lock {str(self)!r}: only one action can take what is left")
        left = 1.0 - rows.sum(axis=1)
        is_held = spot.weights[state.seat] > 0
        self._require((left >= -_ROUNDING) | ~is_held, "is told to do more than one thing")
        if rest is None:
            self._require((left <= _ROUNDING) | ~is_held, "is left without an action")
        rows[:, 0 if rest is None else rest] += left.clip(0.0)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    def _parts(self) -> Iterator[tuple[str, str]]:
        for part in self.plays.split(";"):
            token, _, hands = part.strip().partition(" ")
            if not token:
                raise ConfigError(f"lock {str(self)!r}: an action is missing; as in 'x = b100 QQ+; x'")
            yield token.lower(), hands.strip()

    def _column(self, token: str, known: Sequence[str]) -> int:
        same = {"f": ("f", "x"), "c": ("c", "x")}.get(token, (token,))
        for each in same if self.place in SIDES or token == "c" else (token,):
            if each in known:
                return known.index(each)
        raise ConfigError(f"lock {str(self)!r}: {token!r} is not in the tree there; there are {', '.join(known)}")

    def _require(self, is_fine: np.ndarray, problem: str) -> None:
        if not is_fine.all():
            hand = format_cards(hand_cards(int(np.argmin(is_fine))))
            raise ConfigError(f"lock {str(self)!r}: {hand} {problem}")


def locks_of(spot: Spot, locks: Sequence[SpotLock]) -> list[RangeLock]:
    """All decisions that are locked."""
    return [each for lock in locks for each in lock.range_locks(spot)]


def parse_lock(text: str) -> SpotLock:
    """`x = b100 QQ+; x`."""
    place, equals, plays = text.partition("=")
    if not equals or not plays.strip():
        raise ConfigError(f"lock {text!r}; it must be LINE = ACTIONS, such as 'x = b100 QQ+,AKs; x' or 'ip = f'")
    return SpotLock(
        " ".join(place.split()).lower() if place.strip().lower() in SIDES else " ".join(place.split()), plays.strip()
    )


def actions_of(state: PublicState) -> tuple[int, ...]:
    """All that was done, rounds in one."""
    return tuple(action for part in state.history for action in part)
