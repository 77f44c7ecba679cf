"""One bet of any size: the poker game in which human-understandable strategies are looked for.

Both players ante and get one card each; player 1 bets a multiple of `step` up to `stack`, player 2 folds or calls. A
bet of 0 is a check and goes to showdown. The better card wins the ante and the bet; equal cards split. How likely each
pair of cards is can be chosen freely.

Ganzfried & Yusuf, Computing human-understandable strategies (2017), section 1, which prints equilibria for three
distributions. Its figure 2 (player 1 has the best or the worst card, player 2 a middle one) is worth 3/8 to player 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from nashgap.core.game import TERMINAL, Deals, DealtGame
from nashgap.errors import ConfigError
from nashgap.games.checks import check_move, positive_number, whole_number

__all__ = ["BetSize", "BetSizeState", "uniform_joint"]

Joint = tuple[tuple[float, ...], ...]

DEFAULT_DECK = 10
LARGEST_DECK = 1000
MOST_STEPS = 10_000
SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class BetSize(DealtGame):
    """One-bet poker. Amounts are in dollars.

    deck:  number of cards, 2 to 1000, named 1 (worst) upwards; taken from `joint`, or 10, unless told.
    stack: the largest bet, a multiple of `step`.
    step:  bets are multiples of it.
    ante:  what each player puts in beforehand.
    joint: `[deck, deck]` probability that player 1 holds the card of the row and player 2 that of the column; or the
           path of a CSV file of it. Kept as nested tuples; scaled to sum to exactly 1 when hands are dealt. Without
           it all pairs of different cards are equally likely.
    """

    deck: int | None = None
    stack: float = 3.0
    step: float = 0.1
    ante: float = 0.5
    joint: Joint | str | None = None

    def __post_init__(self) -> None:
        for name in ("stack", "step", "ante"):
            object.__setattr__(self, name, positive_number(f"bet_size: {name}", getattr(self, name)))
        steps = self.stack / self.step
        # The range comes first: an infinite quotient cannot be rounded.
        if not 0.5 <= steps <= MOST_STEPS + 0.5 or not math.isclose(steps, round(steps), rel_tol=1e-9):
            allowed = f"a multiple of step {self.step}, at most {MOST_STEPS} steps"
            raise ConfigError(f"bet_size: stack must be {allowed}, not {self.stack}")
        if self.joint is None:
            deck = DEFAULT_DECK if self.deck is None else self.deck
            object.__setattr__(self, "deck", whole_number("bet_size: deck", deck, 2, LARGEST_DECK))
            return
        joint = _checked_joint(self.joint)
        if self.deck not in (None, len(joint)):
            raise ConfigError(f"bet_size: deck is {self.deck!r} but joint has {len(joint)} cards; leave deck out")
        object.__setattr__(self, "joint", joint)
        object.__setattr__(self, "deck", len(joint))

    @property
    def num_players(self) -> int:
        return 2

    @property
    def unit(self) -> str:
        return "dollars_per_hand"

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
        joint = np.array(uniform_joint(self.num_cards) if self.joint is None else self.joint, dtype=np.float64)
        hands = np.argwhere(joint > 0)
        probability = joint[joint > 0]
        return Deals(hands, probability / probability.sum())

    def public_root(self) -> BetSizeState:
        return BetSizeState(self)

    @property
    def num_steps(self) -> int:
        """The largest bet, in steps."""
        return round(self.stack / self.step)

    def amount(self, steps: int) -> float:
        """Dollars of a bet of so many steps; dividing last keeps 3 steps of 0.1 at 0.3."""
        return self.stack * steps / self.num_steps


@dataclass(frozen=True)
class BetSizeState:
    """The bet in steps of the game, and the answer; None where there is none yet."""

    game: BetSize
    bet: int | None = None
    is_called: bool | None = None

    @property
    def player(self) -> int:
        if self.bet is None:
            return 0
        return TERMINAL if self.bet == 0 or self.is_called is not None else 1

    @property
    def actions(self) -> tuple[str, ...]:
        if self.player == TERMINAL:
            return ()
        if self.player == 1:
            return ("fold", "call")
        return tuple(_bet_name(self.game, steps) for steps in range(self.game.num_steps + 1))

    @property
    def label(self) -> str:
        if self.bet is None:
            return ""
        answer = {None: "", False: " fold", True: " call"}[self.is_called]
        return _bet_name(self.game, self.bet) + answer

    def child(self, move: int) -> BetSizeState:
        check_move(f"bet_size after {self.label!r}", self.actions, move)
        if self.bet is None:
            return BetSizeState(self.game, move)
        return BetSizeState(self.game, self.bet, move == 1)

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        raise AssertionError("bet_size has no public chance")

    def returns(self, hands: np.ndarray) -> np.ndarray:
        assert self.bet is not None, "only a terminal state has returns"
        if self.is_called is False:
            first = np.full(len(hands), self.game.ante)
        else:
            first = np.sign(hands[:, 0] - hands[:, 1]) * (self.game.ante + self.game.amount(self.bet))
        return np.stack([first, -first], axis=1)


def _bet_name(game: BetSize, steps: int) -> str:
    return f"bet {game.amount(steps):.10g}" if steps else "check"


def uniform_joint(deck: int, with_replacement: bool = False) -> Joint:
    """All pairs of cards equally likely, `[deck, deck]`; pairs of the same card only `with_replacement`."""
    whole_number("bet_size: deck", deck, 2, LARGEST_DECK)
    each = 1.0 / (deck * deck if with_replacement else deck * (deck - 1))
    return tuple(
        tuple(each if with_replacement or row != column else 0.0 for column in range(deck)) for row in range(deck)
    )


def _checked_joint(joint: object) -> Joint:
    """The matrix of `joint`, which is one or the path of one: square, non-negative, summing to 1."""
    if isinstance(joint, str):
        rows, source = _read_rows(joint), f"bet_size: joint file {joint!r}"
    elif isinstance(joint, Iterable):
        rows, source = list(joint), "bet_size: joint"
    else:
        raise ConfigError(f"bet_size: joint must be a square matrix or the path of a CSV file, not {joint!r}")
    if not 2 <= len(rows) <= LARGEST_DECK:
        raise ConfigError(f"{source} must have from 2 to {LARGEST_DECK} rows, not {len(rows)}")
    matrix = tuple(_checked_row(source, number, row, len(rows)) for number, row in enumerate(rows, start=1))
    total = math.fsum(map(math.fsum, matrix))
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise ConfigError(f"{source} must sum to 1 within {SUM_TOLERANCE:g}, not to {total:.9g}")
    return matrix


def _read_rows(path: str) -> list[list[str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise ConfigError(f"bet_size: cannot read joint file {path!r}: {reason}") from error
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
