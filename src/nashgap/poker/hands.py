"""The private hands of a game in one order, which all strategies at the real table share.

By hand index for two hole cards (all 1326, also where the deck is smaller), by card, ascending, for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nashgap.cards.card import NUM_HANDS, format_cards, hand_cards, hand_index
from nashgap.errors import UnsupportedGameError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState

__all__ = ["hand_names", "hand_place", "hands_of", "possible_hands"]

_SIZE = 32  # decks of which the hands are remembered


def hands_of(rules: PokerRules) -> tuple[tuple[int, ...], ...]:
    """The hole cards of each hand, the highest first."""
    if rules.num_hole_cards not in (1, 2):
        raise UnsupportedGameError(
            f"{rules.name or 'the game'} deals {rules.num_hole_cards} hole cards; strategies for all hands at once are"
            " for games with one or two"
        )
    return _hands(rules.num_hole_cards, rules.deck)


def hand_names(rules: PokerRules) -> tuple[str, ...]:
    """`[H]` as text, `AsKd`; the same object again for the same deck."""
    hands_of(rules)  # refuses what has none
    return _names(rules.num_hole_cards, rules.deck)


def hand_place(rules: PokerRules, hole_cards: Sequence[int]) -> int:
    """Where the hand stands in this order."""
    if rules.num_hole_cards == 1:
        return rules.deck.index(hole_cards[0])
    return hand_index(*hole_cards)


def possible_hands(state: PublicState) -> np.ndarray:
    """`[H]` bool: the hands of the deck that share no card with the board."""
    rules = state.rules
    blocked = ~_bit_of(rules.deck) | _bit_of(state.board)
    return np.asarray((_bits(rules.num_hole_cards, rules.deck) & blocked) == 0)


@lru_cache(_SIZE)
def _hands(num_hole_cards: int, deck: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple((card,) for card in deck) if num_hole_cards == 1 else tuple(map(hand_cards, range(NUM_HANDS)))


@lru_cache(_SIZE)
def _names(num_hole_cards: int, deck: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(format_cards, _hands(num_hole_cards, deck)))


@lru_cache(_SIZE)
def _bits(num_hole_cards: int, deck: tuple[int, ...]) -> np.ndarray:
    """`[H]` uint64, a bit for each card."""
    return np.array([_bit_of(cards) for cards in _hands(num_hole_cards, deck)], np.uint64)


def _bit_of(cards: Sequence[int]) -> np.uint64:
    return np.uint64(sum(1 << card for card in cards))
