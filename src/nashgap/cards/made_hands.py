"""What players call a hand and a board of hold'em: `top pair`, `paired, two-tone`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nashgap.cards.card import RANKS
from nashgap.cards.evaluator import CATEGORIES, hand_category, hand_rank, hand_ranks_on_board

__all__ = ["BOARD_TEXTURES", "MADE_HANDS", "board_texture", "made_hand", "made_hands"]

_RIVER = 5
_ACE, _KING, _TEN = (RANKS.index(rank) for rank in "AKT")
_FLUSH = CATEGORIES.index("flush")
# Ranks in a row as bits; the ace is above the king and below the two.
_FOUR_IN_A_ROW, _STRAIGHTS = (
    tuple(sum(1 << rank % 13 for rank in range(low, low + size)) for low in range(-1, 14 - size)) for size in (4, 5)
)

_HIGH, _LOW = np.tril_indices(52, -1)  # cards of each hand, in the order of all hands

_PREFLOP = ("pair 22-99", "pair TT-AA", "two cards T-A", "other suited", "other offsuit")
_BY_RANKS = ("paired", "connected", "ace or king high", "queen high or lower")
_BY_SUITS = ("flush possible", "two-tone", "no flush")
_PAIRS = ("top pair", "second pair", "low pair")

MADE_HANDS = (
    *(f"preflop: {name}" for name in _PREFLOP),
    "no pair",
    "ace high",
    "draw",
    *reversed(_PAIRS),
    "overpair",
    "two pair",
    "trips",
    "set",
    "straight",
    "flush",
    "full house or better",
    "plays the board",
)
"""All names that `made_hand` gives, weak ones first."""

BOARD_TEXTURES = ("no flop", *(f"{ranks}, {suits}" for ranks in _BY_RANKS for suits in _BY_SUITS))
"""All names that `board_texture` gives."""


def board_texture(board: Sequence[int]) -> str:
    """One of `BOARD_TEXTURES`, for the 0, 3, 4 or 5 board cards that are seen.

    connected: unpaired, three of its ranks lie within four, as in T87 and A43; the ace counts high and low.
    two-tone:  before the river, two of a suit and not three. `no flush`: neither a flush nor a draw to one by two
               board cards.
    """
    if not board:
        return BOARD_TEXTURES[0]
    ranks = {card // 4 for card in board}
    most_suited = max(_suit_counts(board))
    if most_suited >= 3:
        suits = "flush possible"
    else:
        suits = "two-tone" if most_suited == 2 and len(board) < _RIVER else "no flush"
    if len(ranks) < len(board):
        kind = "paired"
    elif any((_rank_bits(board) & row).bit_count() >= 3 for row in _FOUR_IN_A_ROW):
        kind = "connected"
    else:
        kind = "ace or king high" if max(ranks) >= _KING else "queen high or lower"
    return f"{kind}, {suits}"


def made_hand(hole_cards: Sequence[int], board: Sequence[int]) -> str:
    """One of `MADE_HANDS`: what two hole cards make of the 0, 3, 4 or 5 board cards that are seen.

    A pair, two pair or trips that lie on the board alone count for nobody. A pair is named by the ranks of the board
    above it: none, one, more. A draw has no pair, and four of a suit or two ranks that make a straight.
    """
    if not board:
        return f"preflop: {_preflop_hand(hole_cards)}"
    rank = hand_rank((*hole_cards, *board))
    if len(board) == _RIVER and rank == hand_rank(board):
        return "plays the board"
    category = hand_category(rank)
    if category in ("straight", "flush"):
        return category
    if CATEGORIES.index(category) > _FLUSH:
        return "full house or better"
    first, second = (card // 4 for card in hole_cards)
    board_ranks = [card // 4 for card in board]
    if category == "three of a kind" and max(map(board_ranks.count, board_ranks)) < 3:
        return "set" if first == second else "trips"
    paired = {rank for rank in (first, second) if first == second or rank in board_ranks}
    if len(paired) == 2:
        return "two pair"
    if paired:
        num_above = len({rank for rank in board_ranks if rank > max(paired)})
        return "overpair" if first == second and num_above == 0 else _PAIRS[min(num_above, 2)]
    if len(board) < _RIVER and _is_draw(hole_cards, board):
        return "draw"
    return "ace high" if _ACE in (first, second) else "no pair"


def made_hands(board: Sequence[int]) -> np.ndarray:
    """`[1326]` the place of `made_hand` among `MADE_HANDS` for every hand; -1 for those that share a card with it."""
    high, low = _HIGH // 4, _LOW // 4
    is_pair = high == low
    if not board:
        suited = _HIGH % 4 == _LOW % 4
        kinds = [is_pair & (low >= _TEN), is_pair, low >= _TEN, suited]
        names = ["pair TT-AA", "pair 22-99", "two cards T-A", "other suited"]
        return _selected(kinds, [f"preflop: {name}" for name in names], "preflop: other offsuit")
    strength = hand_ranks_on_board(board)
    category = strength >> 12
    board_ranks = np.bincount([card // 4 for card in board], minlength=13)
    is_three = category == CATEGORIES.index("three of a kind")
    has_high, has_low = is_pair | (board_ranks[high] > 0), is_pair | (board_ranks[low] > 0)
    paired = np.where(has_high, high, low)
    num_above = np.array([np.count_nonzero(board_ranks[rank + 1 :]) for rank in range(13)])[paired]
    has_pair = has_high | has_low
    is_river = len(board) == _RIVER
    kinds = [
        (strength == hand_rank(board)) & is_river,
        category == CATEGORIES.index("straight"),
        category == _FLUSH,
        category > _FLUSH,
        is_three & (board_ranks.max() < 3) & is_pair,
        is_three & (board_ranks.max() < 3),
        has_high & has_low & ~is_pair,
        is_pair & (num_above == 0),
        *(has_pair & (num_above == place) for place in range(2)),
        has_pair,
        np.zeros(len(high), bool) if is_river else _draws(board),
        (high == _ACE) | (low == _ACE),
    ]
    names = [
        "plays the board", "straight", "flush", "full house or better", "set", "trips", "two pair", "overpair",
        *_PAIRS, "draw", "ace high",
    ]  # fmt: skip
    found = _selected(kinds, names, "no pair")
    found[np.isin(_HIGH, board) | np.isin(_LOW, board)] = -1
    return found


def _selected(kinds: Sequence[np.ndarray], names: Sequence[str], default: str) -> np.ndarray:
    places = [np.full(len(_HIGH), MADE_HANDS.index(name), np.int8) for name in names]
    return np.select(kinds, places, np.int8(MADE_HANDS.index(default)))


def _draws(board: Sequence[int]) -> np.ndarray:
    """`[1326]` whether a hand with this board is `_is_draw`."""
    counts = np.array(_suit_counts(board))
    suits = np.arange(4)[:, None]
    more = np.equal(_HIGH % 4, suits).astype(int) + np.equal(_LOW % 4, suits)
    flush = ((counts[:, None] + more == 4) & (more > 0)).any(axis=0)
    return np.asarray(flush | _straight_draws(_rank_bits(board))[_HIGH // 4, _LOW // 4])


@lru_cache(4096)
def _straight_draws(board_ranks: int) -> np.ndarray:
    """`[13, 13]` whether the ranks of two cards are needed for two straights or more."""
    alone = _missing_ranks(board_ranks)
    found = np.zeros((13, 13), bool)
    for high in range(13):
        for low in range(high + 1):
            found[high, low] = len(_missing_ranks(board_ranks | 1 << high | 1 << low) - alone) >= 2
    return found


def _preflop_hand(hole_cards: Sequence[int]) -> str:
    low, high = sorted(hole_cards)
    if low // 4 == high // 4:
        return "pair TT-AA" if low // 4 >= _TEN else "pair 22-99"
    if low // 4 >= _TEN:
        return "two cards T-A"
    return "other suited" if low % 4 == high % 4 else "other offsuit"


def _suit_counts(cards: Sequence[int]) -> list[int]:
    return [sum(card % 4 == suit for card in cards) for suit in range(4)]


def _is_draw(hole_cards: Sequence[int], board: Sequence[int]) -> bool:
    """To a flush or straight that a hole card is needed for."""
    suits, board_suits = _suit_counts([*hole_cards, *board]), _suit_counts(board)
    if any(together == 4 > alone for together, alone in zip(suits, board_suits, strict=True)):
        return True
    return len(_straight_ranks([*hole_cards, *board]) - _straight_ranks(board)) >= 2


def _straight_ranks(cards: Sequence[int]) -> set[int]:
    """The ranks, as bits, of which one card more makes a straight."""
    return _missing_ranks(_rank_bits(cards))


def _missing_ranks(held: int) -> set[int]:
    missing = (straight & ~held for straight in _STRAIGHTS)
    return {bits for bits in missing if bits.bit_count() == 1}


def _rank_bits(cards: Sequence[int]) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << card // 4
    return bits
