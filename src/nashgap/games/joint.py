"""Joint distributions of two players' hands: how likely each pair of cards is, given as a matrix or as a CSV file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from nashgap.core.game import Deals, DealtGame
from nashgap.core.regular_file import read_text
from nashgap.errors import ConfigError
from nashgap.games.checks import exact_sum, whole_number

__all__ = ["DEFAULT_DECK", "LARGEST_DECK", "Joint", "JointlyDealtGame", "checked_joint", "uniform_joint"]

Joint = tuple[tuple[float, ...], ...]

DEFAULT_DECK = 10
LARGEST_DECK = 1000
SUM_TOLERANCE = 1e-6


class JointlyDealtGame(DealtGame):
    """What games for two share that deal one card each, named 1 (worst) upwards, from a joint distribution.

    A dataclass of this kind has the fields `deck` and `joint`, as `checked_joint` gives them.
    """

    deck: int | None
    joint: Joint | str | None

    @property
    def num_players(self) -> int:
        return 2

    @property
    def num_cards(self) -> int:
        assert self.deck is not None, "set when the game was made"
        return self.deck

    @property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(str(card) for card in range(1, self.num_cards + 1)),) * 2

    @property
    def num_deals(self) -> int:
        return self.num_cards**2

    def deals(self) -> Deals:
        return self._deals

    @cached_property
    def _deals(self) -> Deals:
        assert not isinstance(self.joint, str), "read when the game was made"
        return _deals_of(self.num_cards, self.joint)


def checked_joint(game: str, deck: int | None, joint: object) -> tuple[int, Joint | None]:
    """The number of cards and the matrix that a game was given; `game` is its name, for people.

    Without a joint, the deck told or the usual one and None: all pairs of different cards are equally likely.
    """
    if joint is None:
        return whole_number(f"{game}: deck", DEFAULT_DECK if deck is None else deck, 2, LARGEST_DECK), None
    matrix = _checked_matrix(game, joint)
    if deck not in (None, len(matrix)):
        raise ConfigError(f"{game}: deck is {deck!r} but joint has {len(matrix)} cards; leave deck out")
    return len(matrix), matrix


def _deals_of(deck: int, joint: Joint | None) -> Deals:
    """All pairs of cards that can be dealt, row by row; probabilities scaled to sum to exactly 1."""
    matrix = np.array(uniform_joint(deck) if joint is None else joint, dtype=np.float64)
    probability = matrix[matrix > 0]
    return Deals(np.argwhere(matrix > 0), probability / probability.sum())


def uniform_joint(deck: int, with_replacement: bool = False) -> Joint:
    """All pairs of cards equally likely, `[deck, deck]`; pairs of the same card only `with_replacement`."""
    whole_number("deck", deck, 2, LARGEST_DECK)
    each = 1.0 / (deck * deck if with_replacement else deck * (deck - 1))
    return tuple(
        tuple(each if with_replacement or row != column else 0.0 for column in range(deck)) for row in range(deck)
    )


def _checked_matrix(game: str, joint: object) -> Joint:
    """The matrix of `joint`, which is one or the path of one: square, non-negative, summing to 1."""
    if isinstance(joint, str):
        rows, source = _read_rows(game, joint), f"{game}: joint file {joint!r}"
    elif isinstance(joint, Iterable):
        rows, source = list(joint), f"{game}: joint"
    else:
        raise ConfigError(f"{game}: joint must be a square matrix or the path of a CSV file, not {joint!r}")
    if not 2 <= len(rows) <= LARGEST_DECK:
        raise ConfigError(f"{source} must have from 2 to {LARGEST_DECK} rows, not {len(rows)}")
    matrix = tuple(_checked_row(source, number, row, len(rows)) for number, row in enumerate(rows, start=1))
    total = exact_sum(map(exact_sum, matrix))
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise ConfigError(f"{source} must sum to 1 within {SUM_TOLERANCE:g}, not to {total:.9g}")
    return matrix


def _read_rows(game: str, path: str) -> list[list[str]]:
    try:
        text = read_text(path, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise ConfigError(f"{game}: cannot read joint file {path!r}: {reason}") from error
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line.split(",") for line in lines if line]


def _checked_row(source: str, number: int, row: object, deck: int) -> tuple[float, ...]:
    """Row `number` (from 1) as probabilities, `[deck]`."""
    if isinstance(row, str) or not isinstance(row, Sequence | np.ndarray):
        raise ConfigError(f"{source}: row {number} must be a list of numbers, not {row!r}")
    if len(row) != deck:
        raise ConfigError(f"{source} has {deck} rows, so row {number} must have {deck} columns, not {len(row)}")
    return tuple(_checked_cell(f"{source}: row {number}, column {column}", c) for column, c in enumerate(row, start=1))


def _checked_cell(place: str, cell: object) -> float:
    text = cell.strip() if isinstance(cell, str) else cell
    try:
        value = float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ConfigError(f"{place} must be a number, not {text!r}") from None
    if not (math.isfinite(value) and value >= 0):
        raise ConfigError(f"{place} must be a probability, finite and not negative, not {value:g}")
    return value
