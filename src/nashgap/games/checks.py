"""Checks that all games share; each failure is one line with the offending value and what is allowed."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence

from nashgap.errors import ConfigError, IllegalActionError

__all__ = ["check_move", "exact_sum", "positive_number", "whole_number"]


def whole_number(name: str, value: object, lowest: int, highest: int) -> int:
    """`value`, which is an int from `lowest` to `highest`. `name` is for people: `kuhn: players`."""
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise ConfigError(f"{name} must be a whole number from {lowest} to {highest}, not {value!r}")
    return value


def positive_number(name: str, value: object) -> float:
    """`value` as a float, which is finite and above 0."""
    # Compared, not converted: a whole number may be larger than any float.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= sys.float_info.max:
        raise ConfigError(f"{name} must be a number above 0, not {value!r}")
    return float(value)


def check_move(where: str, actions: Sequence[str], move: int) -> None:
    """Nothing, unless `move` is not the index of one of `actions`. `where` is for people: `kuhn after 'kb'`."""
    if not actions:
        raise IllegalActionError(f"{where}: move {move} after the end of the game")
    if not 0 <= move < len(actions):
        last = len(actions) - 1
        raise IllegalActionError(f"{where}: no move {move}; moves are 0 ({actions[0]}) to {last} ({actions[last]})")


def exact_sum(values: Iterable[float]) -> float:
    """`math.fsum`, infinite where that would fail."""
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf
