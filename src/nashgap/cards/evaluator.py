"""How strong a hand is: the best five of 1 to 10 cards.

A rank is a number: higher is better, equal is a tie, and none is 0. Ranks of any numbers of cards compare with each
other. Fewer than five cards rank by pairs and high cards, a missing kicker below every kicker. The tables behind it
are built on first use, in about a millisecond; `native/cards/evaluator.h` says how they work.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nashgap import _native
from nashgap.cards.card import NUM_CARDS, NUM_HANDS, as_card_array
from nashgap.errors import ConfigError

__all__ = [
    "CATEGORIES",
    "MAX_HAND_CARDS",
    "count_categories",
    "hand_category",
    "hand_rank",
    "hand_ranks",
    "hand_ranks_on_board",
]

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
MAX_HAND_CARDS = 10


def hand_rank(cards: Sequence[int]) -> int:
    """The rank of 1 to 10 different cards, in any order."""
    try:
        rank = _native.hand_rank(bytes(list(cards)))
    except (TypeError, ValueError):  # not a row of numbers 0..255
        rank = 0
    if rank == 0:
        raise ConfigError(f"no hand {cards!r}; a hand is 1 to {MAX_HAND_CARDS} different cards of 0 to {NUM_CARDS - 1}")
    return rank


def hand_ranks(cards: np.ndarray) -> np.ndarray:
    """The ranks of many hands of K cards each, K from 1 to 10. `[N, K]` of integers, best uint8 -> `[N]` uint16."""
    if cards.ndim != 2 or not 1 <= cards.shape[1] <= MAX_HAND_CARDS:
        raise ConfigError(f"hands must have the shape [N, K], K from 1 to {MAX_HAND_CARDS}, not {list(cards.shape)}")
    ranks = np.empty(len(cards), dtype=np.uint16)
    num_ranked = _native.hand_ranks(as_card_array(cards), ranks)
    if num_ranked < len(cards):
        hand = cards[num_ranked].tolist()
        raise ConfigError(f"hand {num_ranked} is {hand}; a hand is different cards of 0 to {NUM_CARDS - 1}")
    return ranks


def hand_ranks_on_board(board: Sequence[int]) -> np.ndarray:
    """The ranks of every two-card hand with a board of 3 to 5 cards, 0 for hands that share a card with it.

    `[1326]` uint16, in the order of `nashgap.cards.card.hand_index`.
    """
    is_board = 3 <= len(board) <= 5 and len(set(board)) == len(board) and all(0 <= card < NUM_CARDS for card in board)
    if not is_board:
        raise ConfigError(f"no board {list(board)}; a board is 3 to 5 different cards of 0 to {NUM_CARDS - 1}")
    ranks = np.empty(NUM_HANDS, dtype=np.uint16)
    _native.hand_ranks_on_board(np.array(board, dtype=np.uint8), ranks)
    return ranks


def hand_category(rank: int) -> str:
    """The kind of hand that has this rank, one of `CATEGORIES`, which go from the worst to the best."""
    return CATEGORIES[int(rank) >> 12]


def count_categories(num_cards: int) -> dict[str, int]:
    """How many of all hands of 5, 6 or 7 cards are of each category, by enumerating them."""
    if num_cards not in (5, 6, 7):
        raise ConfigError(f"categories are counted for 5, 6 or 7 cards, not {num_cards}")
    counts = np.empty(len(CATEGORIES), dtype=np.int64)
    _native.count_categories(num_cards, counts)
    return dict(zip(CATEGORIES, counts.tolist(), strict=True))
