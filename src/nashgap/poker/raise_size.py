"""The size of a raise in a betting abstraction, and the word for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from nashgap import _native
from nashgap.errors import ConfigError

__all__ = [
    "ALL_IN", "EVERY", "MAX_FRACTION", "MIN", "SIZE_WORDS", "Geometric", "Multiple", "RaiseSize", "checked_sizes",
    "is_share", "parse_share", "parse_size", "share_code", "share_text", "size_code", "size_text",
]  # fmt: skip

MIN = "min"
ALL_IN = "a"
EVERY = "full"
MAX_FRACTION = 1000
MAX_GEOMETRIC_ROUNDS = 99

SIZE_WORDS = (
    f"{MIN}, {ALL_IN}, {EVERY} alone, a fraction of the pot up to {MAX_FRACTION} with at most 12 decimals, or as many "
    f"percent of it, e or 2e for geometric sizes, or 2.5x for so many bets"
)

_CODES = {MIN: _native.SMALLEST_RAISE, ALL_IN: _native.ALL_IN_RAISE, EVERY: _native.EVERY_RAISE}
_FRACTION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,12})?")
_PERCENT = re.compile(r"(?P<number>[0-9]{1,6}(\.[0-9]{1,10})?)\s*%")
_MULTIPLE = re.compile(r"(?P<number>[0-9]{1,4}(\.[0-9]{1,12})?)x")
_GEOMETRIC = re.compile(r"(?P<number>[1-9][0-9]?)?e")


@dataclass(frozen=True)
class Geometric:
    """A raise by the same share of the pot in so many rounds, the last of which is all-in if all are called by one.

    num_rounds: this one included; 0 for all that are left. Each raise of a raise in a round takes the place of one.
    """

    num_rounds: int = 0


@dataclass(frozen=True)
class Multiple:
    """A raise to so many times the bet of the round. Before the flop the blind is a bet; alike for all it is none."""

    factor: Fraction


RaiseSize = Fraction | Geometric | Multiple | str
"""A fraction of the pot after calling, a geometric size, a multiple of the bet, or MIN, ALL_IN or EVERY."""


def parse_size(word: str) -> RaiseSize | None:
    """None where it is no size."""
    if word in _CODES:
        return word
    if geometric := _GEOMETRIC.fullmatch(word):
        return Geometric(int(geometric["number"] or 0))
    if multiple := _MULTIPLE.fullmatch(word):
        factor = Fraction(multiple["number"])
        return Multiple(factor) if 1 < factor <= MAX_FRACTION else None
    return parse_share(word) or None


def parse_share(word: str) -> Fraction | None:
    """A fraction of the pot, `0.5` or `50%`, 0 among them; None where it is none."""
    percent = _PERCENT.fullmatch(word)
    if percent is None and not _FRACTION.fullmatch(word):
        return None
    share = Fraction(word) if percent is None else Fraction(percent["number"]) / 100
    return share if share <= MAX_FRACTION else None


def size_text(size: RaiseSize) -> str:
    """The word that `parse_size` reads."""
    match size:
        case Geometric(num_rounds):
            return f"{num_rounds or ''}e"
        case Multiple(factor):
            return f"{share_text(factor)}x"
        case Fraction():
            return share_text(size)
    return size


def share_text(share: Fraction) -> str:
    return f"{float(share):.12f}".rstrip("0").rstrip(".")


def size_code(size: RaiseSize) -> tuple[int, int]:
    """The engine's kind and number."""
    match size:
        case Geometric(num_rounds):
            return _native.GEOMETRIC_RAISE, num_rounds
        case Multiple(factor):
            return _native.MULTIPLE_RAISE, share_code(factor)
        case Fraction():
            return _native.POT_SHARE_RAISE, share_code(size)
    return _CODES[size], 0


def share_code(share: Fraction) -> int:
    return int(share * _native.POT_SHARES)


def checked_sizes(sizes: tuple[RaiseSize, ...]) -> tuple[RaiseSize, ...]:
    """In order, each once. Refuses what is no size."""
    for size in sizes:
        if not _is_size(size):
            raise ConfigError(f"betting abstraction: {size!r} is not a size")
    if EVERY in sizes and len(sizes) > 1:
        raise ConfigError(f"betting abstraction: {EVERY} stands alone, it has every size")
    return tuple(sorted(set(sizes), key=_order))


def is_share(share: Fraction) -> bool:
    """Whether the engine has it exactly."""
    return 0 < share <= MAX_FRACTION and _native.POT_SHARES % share.denominator == 0


def _is_size(size: RaiseSize) -> bool:
    match size:
        case Geometric(num_rounds):
            return 0 <= num_rounds <= MAX_GEOMETRIC_ROUNDS
        case Multiple(factor):
            return factor > 1 and is_share(factor)
        case Fraction():
            return is_share(size)
    return size in _CODES


def _order(size: RaiseSize) -> tuple[int, Fraction | int]:
    match size:
        case Fraction():
            return 1, size
        case Multiple(factor):
            return 2, factor
        case Geometric(num_rounds):
            return 3, num_rounds
    return {MIN: 0, ALL_IN: 4, EVERY: 5}[size], 0
