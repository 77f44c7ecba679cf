"""What players call a hand and a board of hold'em: `top pair`, `paired, two-tone`."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.cards.card import RANKS
from nashgap.cards.evaluator import CATEGORIES, hand_category, hand_rank

__all__ = ["BOARD_TEXTURES", "MADE_HANDS", "board_texture", "made_hand"]

_RIVER = 5
_ACE, _KING, _TEN = (RANKS.index(rank) for rank in "AKT")
_FLUSH = CATEGORIES.index("flush")
# Ranks in a row as bits; the ace is above the king and below the two.
_FOUR_IN_A_ROW, _STRAIGHTS = (
    tuple(sum(1 << rank % 13 for rank in range(low, low + size)) for low in range(-1, 14 - size)) for size in (4, 5)
)

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
    held = _rank_bits(cards)
    missing = (straight & ~held for straight in _STRAIGHTS)
    return {bits for bits in missing if bits.bit_count() == 1}


def _rank_bits(cards: Sequence[int]) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << card // 4
    return bits
