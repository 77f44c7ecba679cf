"""What LBR wins from always-call, exactly: by counting, without a single sampled hand.

Always-call never tells anything about its cards and never folds. So LBR goes all-in in the first of its rounds in which
its chance q to win against any hand is more than 1/2, for 2q - 1 stacks, and else checks to the showdown, for 2q - 1
big blinds. Where q is exactly 1/2 it checks; betting there would change nothing but what it can still wait for (one
turn in 30,000, 0.001 big blinds a hand).

On the river q is a whole number of points of 1980: 2 for each weaker hand, 1 for each equal one, of 990. Sums of points
over the cards to come are compared, so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import NUM_HANDS, canonical_boards, load_strength_tables, preflop_classes

__all__ = ["ALWAYS_CALL_VALUES", "STACK", "build_always_call_values"]

STACK = 200  # big blinds

# As `build_always_call_values` counts them: big blinds a hand, by the rounds in which LBR chooses among fcpa. Waiting
# for the last round is the best response.
ALWAYS_CALL_VALUES = {
    "1-4": Fraction(234961207552111, 6953452506000),
    "3-4": Fraction(966224353837, 19867007160),
    "4": Fraction(35458845581723, 695345250600),
}

_EVEN = 990  # points of an even chance on the river
_NO_LEVEL = 65535
_CARD_A, _CARD_B = np.tril_indices(52, -1)

# Rows of boards, renamed hands `[K, 1326]` -> edge and worth of these hands there, both `[K, 1326]`.
_Rows = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def build_always_call_values(folder: Path | None = None) -> dict[str, Fraction]:
    """Big blinds a hand by rounds, `1-4`, `2-4`, `3-4` and `4`; about half a minute.

    folder: of the tables of strengths; None for the usual cache.

    Street by street from the river, for every board and hand: `edge`, points above even over all boards to come, and
    `worth`, what LBR wins from there if it has checked so far and chooses from there on.
    """
    river = load_strength_tables("ehs", folder=folder).levels[3]

    def river_rows(boards: np.ndarray, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        levels = river[boards[:, None], hands]
        edge = np.where(levels == _NO_LEVEL, 0, levels.astype(np.int64) - _EVEN)
        return edge, _worth(edge, edge)

    turn_edge, turn_waiting = _sum_next_cards(4, river_rows)
    turn_worth = _worth(turn_edge, turn_waiting)
    flop_edge, flop_waiting = _sum_next_cards(3, _rows_of(turn_edge, turn_worth))
    flop_worth = _worth(flop_edge, flop_waiting)
    preflop_edge, preflop_waiting = (_by_class(table) for table in (flop_edge, flop_worth))
    preflop_worth = [
        STACK * edge if edge > 0 else worth for edge, worth in zip(preflop_edge, preflop_waiting, strict=True)
    ]
    flop_points = comb(52, 3) * comb(49, 2) * 47 * 46 * _EVEN
    turn_points = comb(52, 4) * comb(48, 2) * 46 * _EVEN
    return {
        "1-4": Fraction(sum(preflop_worth), flop_points),
        "2-4": Fraction(_total(3, flop_worth), flop_points),
        "3-4": Fraction(_total(4, turn_worth), turn_points),
        "4": Fraction(_total(4, turn_waiting), turn_points),
    }


def _worth(edge: np.ndarray, waiting: np.ndarray) -> np.ndarray:
    worth: np.ndarray = np.where(edge > 0, STACK * edge, waiting)
    return worth


def _sum_next_cards(num_cards: int, rows: _Rows) -> tuple[np.ndarray, np.ndarray]:
    """Edge and worth of hands on boards of so many cards, each summed over the next card: `[boards, 1326]` int64."""
    boards, _ = canonical_boards(num_cards)
    edge, worth = (np.zeros((len(boards), NUM_HANDS), np.int64) for _ in range(2))
    for number, (following, hands) in enumerate(_next_boards(boards)):
        for sums, parts in zip((edge, worth), rows(following, hands), strict=True):
            sums[number] = parts.sum(axis=0)
            sums[number, _with_cards(boards[number])] = 0
    return edge, worth


def _next_boards(boards: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each board, the rows of the boards that may follow, and what the 1326 hands are called there."""
    index, suits = _native.BoardIndex(boards.shape[1] + 1), np.empty(4, np.uint8)
    for board in boards:
        found = []
        for card in set(range(52)) - set(board.tolist()):
            row = index.find(np.append(board, np.uint8(card)), suits)
            found.append((row, _renamed_hands()[tuple(suits.tolist())]))
        rows, hands = zip(*found, strict=True)
        yield np.array(rows), np.array(hands)


def _rows_of(edge: np.ndarray, worth: np.ndarray) -> _Rows:
    return lambda boards, hands: (edge[boards[:, None], hands], worth[boards[:, None], hands])


def _by_class(flops: np.ndarray) -> list[int]:
    """Of the 169 classes of hands, the sum over all flops and hands of the class."""
    _, renamings = canonical_boards(3)
    by_hand = renamings.astype(np.int64) @ flops
    sums = [0] * 169
    for hand_class, points in zip(preflop_classes().tolist(), by_hand.tolist(), strict=True):
        sums[hand_class] += points
    return sums


def _total(num_cards: int, table: np.ndarray) -> int:
    """Over all boards and hands; by Python's numbers, which do not overflow."""
    _, renamings = canonical_boards(num_cards)
    return sum(int(points) * int(times) for points, times in zip(table.sum(axis=1), renamings, strict=True))


def _with_cards(board: np.ndarray) -> np.ndarray:
    return np.isin(_CARD_A, board) | np.isin(_CARD_B, board)


@cache
def _renamed_hands() -> dict[tuple[int, ...], np.ndarray]:
    """By what the four suits are called, the index of every hand then."""
    renamed = {}
    for names in permutations(range(4)):
        first, second = (cards // 4 * 4 + np.array(names)[cards % 4] for cards in (_CARD_A, _CARD_B))
        high, low = np.maximum(first, second), np.minimum(first, second)
        renamed[names] = high * (high - 1) // 2 + low
    return renamed
