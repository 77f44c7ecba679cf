"""A spot: two players with their ranges on a board, a pot, stacks, and the bets that are considered from there on.

A bet of 50% is half the pot; a raise of 100% is to the last bet plus the pot after calling it. What is at or beyond the
stack is all-in, `a`, once. As rules the pot is what both have put in, half each, so that every face of poker takes it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap.cards.card import NUM_CARDS, format_cards
from nashgap.cards.ranges import Range
from nashgap.errors import ConfigError
from nashgap.poker.betting_abstraction import BettingAbstraction
from nashgap.poker.betting_tree import BettingTree, build_betting_tree
from nashgap.poker.rules import MAX_RAISES, PokerRules

__all__ = ["Spot"]

STREETS = {3: "flop", 4: "turn", 5: "river"}  # by cards on the board


@dataclass(frozen=True)
class Spot:
    """One spot of hold'em, two players, the one out of position first.

    board:   three to five cards.
    ranges:  of both.
    pot:     chips in it.
    stacks:  chips that each has left.
    betting: for the streets to come, or one entry for all.
    rake:    the share of the pot that is taken where it is won, and the most chips of it.
    """

    board: tuple[int, ...]
    ranges: tuple[Range, Range]
    pot: int
    stacks: tuple[int, int]
    betting: BettingAbstraction
    rake: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if len(self.board) not in STREETS or len(set(self.board)) < len(self.board):
            raise ConfigError(f"board {format_cards(self.board)!r}; it must be 3 to 5 different cards")
        if self.pot <= 0 or min(self.stacks) <= 0:
            raise ConfigError(f"pot {self.pot}, stacks {self.stacks[0]} and {self.stacks[1]}; all must be above 0")
        share, cap = self.rake
        if not (0 <= share < 1 and 0 <= cap < math.inf):
            raise ConfigError(f"rake {share:g} up to {cap:g} chips; a share from 0 to below 1 and a cap are needed")
        if not self.has_deal:
            raise ConfigError(
                f"the ranges leave no deal on {format_cards(self.board)}: {self.ranges[0].text!r} against"
                f" {self.ranges[1].text!r}"
            )

    @property
    def street(self) -> str:
        return STREETS[len(self.board)]

    @property
    def scale(self) -> int:
        """Chips of the rules for one of the spot: an odd pot is no two equal halves."""
        return 1 + self.pot % 2

    @cached_property
    def rules(self) -> PokerRules:
        """The game from here on. Winnings are less what each has put in, half of the pot included."""
        rounds, half = 6 - len(self.board), self.scale * self.pot // 2
        return PokerRules(
            betting="nolimit",
            blinds=(half, half),
            raise_sizes=(0,) * rounds,
            first_seats=(0,) * rounds,
            max_raises=(MAX_RAISES,) * rounds,
            num_suits=4,
            num_ranks=13,
            num_hole_cards=2,
            num_board_cards=(len(self.board), *(1,) * (rounds - 1)),
            stacks=(half + self.scale * self.stacks[0], half + self.scale * self.stacks[1]),
            smallest_bet=self.scale,
            name=f"{self.street} spot",
        )

    @cached_property
    def tree(self) -> BettingTree:
        return build_betting_tree(self.rules, self.betting)

    @cached_property
    def weights(self) -> np.ndarray:
        """`[2, 1326]` of both ranges, without what lies on the board."""
        return np.stack([each.without(self.board).weights for each in self.ranges])

    @property
    def has_deal(self) -> bool:
        """Whether two hands of the ranges can meet on the board."""
        first, second = self.weights
        return _met(first, second) > 0


def _met(first: np.ndarray, second: np.ndarray) -> float:
    """The weight of all pairs of hands that share no card."""
    high, low = np.tril_indices(NUM_CARDS, -1)
    by_card = np.bincount(high, second, NUM_CARDS) + np.bincount(low, second, NUM_CARDS)
    apart = second.sum() - by_card[high] - by_card[low] + second
    return float(first @ np.where(apart > 1e-9, apart, 0.0))  # what is less is rounding
