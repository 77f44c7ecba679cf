"""What a strategy is to do otherwise, and where: `big-blind preflop a = fold below 0.62`.

A place is one of the betting, on all boards (`nashgap.poker.place`); what changes there goes by the strength of a hand,
its chance to win against one hand that may be any (`nashgap.abstraction.hand_strength`):

    fold below 0.62       weaker hands fold; where nothing is to be called they check
    call from 0.4         hands of that strength or more that fold call instead
    no raise below 0.7    weaker hands that bet or raise check or call instead; `no raise`: all hands
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nashgap.errors import ConfigError
from nashgap.poker.place import BettingPlace, parse_place

__all__ = ["CALL_FROM", "FOLD_BELOW", "NO_RAISE", "NO_RAISE_BELOW", "Change", "Patch", "parse_patches"]

FOLD_BELOW, CALL_FROM, NO_RAISE_BELOW = "fold below", "call from", "no raise below"
_CHANGE = re.compile(rf"(?P<kind>{FOLD_BELOW}|{CALL_FROM}|{NO_RAISE_BELOW})\s+(?P<strength>[0-9.]+)")
_ALL = 1.01  # above every strength
_NO_RAISE = "no raise"


@dataclass(frozen=True)
class Change:
    """kind: FOLD_BELOW, CALL_FROM or NO_RAISE_BELOW. strength: from which, or below which, hands do it."""

    kind: str
    strength: float

    def __str__(self) -> str:
        return _NO_RAISE if self.kind == NO_RAISE_BELOW and self.strength >= _ALL else f"{self.kind} {self.strength:g}"


NO_RAISE = Change(NO_RAISE_BELOW, _ALL)


@dataclass(frozen=True)
class Patch:
    """At the place the changes are made one after the other."""

    place: BettingPlace
    changes: tuple[Change, ...]

    def __str__(self) -> str:
        return f"{self.place} = {', '.join(map(str, self.changes))}"


def parse_patches(text: str) -> tuple[Patch, ...]:
    """`PLACE = CHANGE, CHANGE; PLACE = CHANGE`."""
    return tuple(_patch(part) for part in text.split(";"))


def _patch(text: str) -> Patch:
    place, equals, changes = text.partition("=")
    if not equals or not changes.strip():
        raise ConfigError(
            f"patch {text.strip()!r}; it must be PLACE = CHANGES, such as 'big-blind preflop a = fold below 0.62'"
        )
    return Patch(parse_place(place.strip()), tuple(_change(part.strip()) for part in changes.split(",")))


def _change(text: str) -> Change:
    if text == _NO_RAISE:
        return NO_RAISE
    match = _CHANGE.fullmatch(text)
    try:
        strength = float(match["strength"]) if match else -1.0
    except ValueError:
        strength = -1.0
    if match is None or not 0 <= strength <= 1:
        raise ConfigError(
            f"change {text!r}; it must be {FOLD_BELOW} S, {CALL_FROM} S, {NO_RAISE_BELOW} S or {_NO_RAISE}, with a"
            " strength S from 0 to 1"
        )
    return Change(match["kind"], strength)
