"""Levels of strength of a few boards, found as they are asked for: for who plays hands one by one and has no tables.

Row for row what `load_strength_tables` has. A flop takes some ten milliseconds, a turn one, a river next to nothing;
all of them take longer so than the tables do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import LEVEL_UNIT, METRICS, NO_LEVEL, NUM_BOARDS, NUM_HANDS, RIVER_UNIT, metric_stem

__all__ = ["LevelsByBoard", "has_levels_by_board", "levels_by_board"]

AGAINST_ONE = ("ehs", "ehs2")  # strengths against two hands are rounded on the river, too
_STREETS = {3: 1, 4: 2, 5: 3}  # by cards on the board
_RIVER = 3
_NUM_RUNOUTS = (0, 1_081, 46, 1)  # of a hand on a board of the street


class LevelsByBoard:
    """levels: by street from the flop on, `[boards, 1326]` uint16 in the order of the tables; of boards that nobody
    asked for 0. Memory is taken for rows that were filled alone."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self.levels = {street: np.zeros((NUM_BOARDS[street], NUM_HANDS), np.uint16) for street in _STREETS.values()}
        self._index = {num_cards: _native.BoardIndex(num_cards) for num_cards in _STREETS}
        self._filled: set[tuple[int, int]] = set()

    @property
    def num_boards(self) -> int:
        """How many were asked for, those that differ by the names of suits alone counted once."""
        return len(self._filled)

    def fill(self, board: Sequence[int]) -> None:
        """Have the row of a board of 3 to 5 cards; of none there is nothing to find."""
        if not board:
            return
        street, suit_map = _STREETS[len(board)], np.empty(4, np.uint8)
        row = self._index[len(board)].find(np.array(board, np.uint8), suit_map)
        if (street, row) not in self._filled:
            renamed = sorted(card // 4 * 4 + int(suit_map[card % 4]) for card in board)
            self.levels[street][row] = _levels(self._stem, street, np.array(renamed, np.uint8))
            self._filled.add((street, row))  # last: another thread may ask for the same row


def has_levels_by_board(metric: str) -> bool:
    return metric_stem(metric) in AGAINST_ONE


@cache
def levels_by_board(stem: str) -> LevelsByBoard:
    """Those of this process, one for all that use the metric."""
    return LevelsByBoard(stem)


def _levels(stem: str, street: int, board: np.ndarray) -> np.ndarray:
    """`[1326]` uint16, as the engine rounds them; the strengths are sums of whole numbers, which are found again."""
    is_river = street == _RIVER
    strengths = np.empty(NUM_HANDS)
    _native.board_strengths(METRICS["ehs" if is_river else stem], board, strengths)
    unit = RIVER_UNIT ** (2 if stem == "ehs2" and not is_river else 1)
    whole = _NUM_RUNOUTS[street] * unit
    part = np.rint(strengths * whole).astype(np.int64)
    levels = part if is_river else (part * (2 * LEVEL_UNIT) + whole) // (2 * whole)
    return np.where(strengths < 0, NO_LEVEL, levels).astype(np.uint16)
