"""Exact strength of every two-card hand on every board of hold'em, all streets, kept in the user's cache.

`ehs`      E[HS]: the chance to beat one random hand at the showdown, ties half.
`ehs^2`    (E[HS])²: an estimate of the chance to beat two hands, as if they were independent; any N of 2 to 9
           opponents. It orders hands as `ehs` does: percentiles are the same, uniform steps are not.
`ehs2`     E[HS²]: the chance on a complete board, squared, averaged over the boards to come: hands that may improve
           rank higher.
`ehs-3p`   E[HS] of three players: the share of the pot won at the showdown against two random hands; who ties for the
           best hand splits: a half with one, a third with both. Was called `ehs3p`, which is still understood.
`ehs2-3p`  E[HS²] of three players: that share on a complete board, squared, averaged over the boards to come (Abou Risk
           2009, section 6.1.3).

Every deal of the cards to come counts once. `ehs` and `ehs2` are sums of whole numbers; the share against two hands is
rounded to 16 bits on the river and averaged from there.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from nashgap import _native
from nashgap.abstraction.table_cache import TableFile, kept_table, kept_tables
from nashgap.core.user_folders import cache_folder
from nashgap.errors import ConfigError

__all__ = [
    "FORMER_NAMES",
    "LEVEL_UNIT",
    "METRICS",
    "NO_LEVEL",
    "NUM_BOARDS",
    "NUM_HANDS",
    "RIVER_UNIT",
    "StrengthTables",
    "board_strengths",
    "canonical_boards",
    "has_kept_tables",
    "load_strength_tables",
    "metric_power",
    "metric_stem",
    "preflop_classes",
    "river_metric",
]

METRICS = {"ehs": 0, "ehs2": 1, "ehs-3p": 2, "ehs2-3p": 3}
FORMER_NAMES = {"ehs3p": "ehs-3p"}
NUM_HANDS = 1326
_BOARD_CARDS = (0, 3, 4, 5)
NUM_BOARDS = (1, 1_755, 16_432, 134_459)
"""By street, up to a renaming of suits."""
NO_LEVEL = 65535
"""Of a hand that shares a card with the board."""
LEVEL_UNIT = 65534
RIVER_UNIT = 1980


@dataclass(frozen=True)
class StrengthTables:
    """All strengths of one metric.

    levels:         by street, `[boards, 1326]` uint16 in the order of canonical boards and of hand indices, monotone in
                    strength; 65535 for hands that share a card with the board.
    level_units:    by street, the level that stands for strength 1. On the river of `ehs` and `ehs2` it is 1980 and the
                    level is twice the number of weaker hands and once that of equal ones, exactly.
    powers:         by street, strength is this power of the level's share of the unit.
    preflop:        `[169]` exact strength by class of `SuitIsomorphism((2,))`.
    build_seconds:  what it took to build them just now; 0 if they were in the cache, or another process built them.
    """

    metric: str
    powers: tuple[int, ...]
    levels: tuple[np.ndarray, ...]
    level_units: tuple[int, ...]
    preflop: np.ndarray
    build_seconds: float

    def strengths(self, board: Sequence[int]) -> np.ndarray:
        """`[1326]` strengths on a board of 0, 3, 4 or 5 cards, to the precision of a level; nan where cards collide."""
        if len(board) not in _BOARD_CARDS:
            raise ConfigError(f"a board of hold'em has 0, 3, 4 or 5 cards, not {len(board)}")
        street = _BOARD_CARDS.index(len(board))
        suit_map = np.empty(4, dtype=np.uint8)
        index = _native.BoardIndex(len(board)).find(_as_board(board), suit_map)
        first, second = (cards // 4 * 4 + suit_map[cards % 4].astype(np.int64) for cards in _hand_cards())
        high, low = np.maximum(first, second), np.minimum(first, second)
        return self.values(street, self.levels[street][index, high * (high - 1) // 2 + low])

    def values(self, street: int, levels: np.ndarray) -> np.ndarray:
        """Strengths of levels of a street, float64; nan for none."""
        values: np.ndarray = np.where(levels == NO_LEVEL, np.nan, levels / self.level_units[street])
        return values ** self.powers[street]


def load_strength_tables(metric: str, *, folder: Path | None = None, num_threads: int | None = None) -> StrengthTables:
    """The tables of a metric, memory-mapped from the cache; what is missing there or damaged is built first.

    num_threads: as many as there are cores, if not given.
    """
    stem, power = metric_stem(metric), metric_power(metric)
    number = METRICS[stem]
    num_threads = num_threads or os.cpu_count() or 1
    start = time.perf_counter()
    is_built = False

    def build_river() -> np.ndarray:
        nonlocal is_built
        is_built = True
        built = np.empty((NUM_BOARDS[3], NUM_HANDS), dtype=np.uint16)
        _native.build_river_levels(number, num_threads, built)
        return built

    def build_earlier() -> list[np.ndarray]:
        nonlocal is_built
        is_built = True
        built = [np.empty(file.shape, dtype=file.dtype) for file in earlier]
        _native.build_earlier_levels(number, river, num_threads, *built)
        return built

    river_file, *earlier = _files(metric, folder)
    river = kept_table(river_file.path, river_file.dtype, river_file.shape, build_river)
    turn, flop, preflop = kept_tables(earlier, build_earlier)
    return StrengthTables(
        metric,
        # On the river both have HS, of which E[HS²] is the square.
        (power, power, power, 2 if stem.startswith("ehs2") else power),
        (_preflop_levels(preflop), flop, turn, river),
        (LEVEL_UNIT, LEVEL_UNIT, LEVEL_UNIT, LEVEL_UNIT if stem.endswith("-3p") else RIVER_UNIT),
        preflop**power,
        time.perf_counter() - start if is_built else 0.0,
    )


def has_kept_tables(metric: str, *, folder: Path | None = None) -> bool:
    """Whether the cache has files of the metric, be they sound or not."""
    return all(file.path.exists() for file in _files(metric, folder))


def board_strengths(metric: str, board: Sequence[int]) -> np.ndarray:
    """`[1326]` exact strengths on one board of 3 to 5 cards without any table; nan for hands that share a card with it.

    Goes through all boards to come: some microseconds on the river, ten milliseconds or more on the flop.
    """
    if not 3 <= len(board) <= 5:
        raise ConfigError(f"a board of 3 to 5 cards is needed, not {len(board)}")
    strengths = np.empty(NUM_HANDS)
    _native.board_strengths(METRICS[metric_stem(metric)], _as_board(board), strengths)
    strengths[strengths < 0] = np.nan
    return strengths ** metric_power(metric)


def canonical_boards(num_cards: int) -> tuple[np.ndarray, np.ndarray]:
    """Boards of 1 to 5 cards up to a renaming of suits: `[N, num_cards]` cards, `[N]` boards that each stands for."""
    if not 1 <= num_cards <= 5:
        raise ConfigError(f"a board has 1 to 5 cards, not {num_cards}")
    index = _native.BoardIndex(num_cards)
    boards = np.empty((index.size, num_cards), dtype=np.uint8)
    num_renamings = np.empty(index.size, dtype=np.int32)
    index.boards(boards, num_renamings)
    return boards, num_renamings


def metric_power(metric: str) -> int:
    """The N of `ehs^N`; 1 for other metrics."""
    return int(metric[4:]) if metric not in METRICS and metric_stem(metric) == "ehs" else 1


def river_metric(metric: str) -> str:
    """What the metric's table of the river is called, which several share."""
    return "hs-3p" if metric_stem(metric).endswith("-3p") else "hs"


def _files(metric: str, folder: Path | None) -> list[TableFile]:
    """Of the cache: the river's, the turn's, the flop's and that of what is held preflop."""
    stem, place = metric_stem(metric), (folder or cache_folder()) / "strength-1"
    return [
        TableFile(place / f"{river_metric(metric)}-river.bin", np.uint16, (NUM_BOARDS[3], NUM_HANDS)),
        TableFile(place / f"{stem}-turn.bin", np.uint16, (NUM_BOARDS[2], NUM_HANDS)),
        TableFile(place / f"{stem}-flop.bin", np.uint16, (NUM_BOARDS[1], NUM_HANDS)),
        TableFile(place / f"{stem}-preflop.bin", np.float64, (169,)),
    ]


def metric_stem(metric: str) -> str:
    """The metric whose tables a metric uses."""
    if metric in METRICS:
        return metric
    if re.fullmatch(r"ehs\^[2-9]", metric):
        return "ehs"
    raise ConfigError(f"unknown strength metric {metric!r}; known: {', '.join(METRICS)}, ehs^2 to ehs^9")


def _as_board(board: Sequence[int]) -> np.ndarray:
    if not all(0 <= card < 52 for card in board) or len(set(board)) < len(board):
        raise ConfigError(f"no board {list(board)}; its cards are different ones of 0 to 51")
    return np.array(board, dtype=np.uint8)


@cache
def _hand_cards() -> tuple[np.ndarray, np.ndarray]:
    """The higher and the lower card of each hand index."""
    return np.tril_indices(52, -1)


def preflop_classes() -> np.ndarray:
    """`[1326]` the class of each hand index in `SuitIsomorphism((2,))`, int64."""
    classes = np.empty(NUM_HANDS, dtype=np.int64)
    _native.SuitIsomorphism([2]).index_batch(np.stack(_hand_cards(), axis=1).astype(np.uint8), classes)
    return classes


def _preflop_levels(preflop: np.ndarray) -> np.ndarray:
    """`[1, 1326]`: the classes' strengths as levels of hands on the empty board."""
    levels: np.ndarray = np.rint(preflop[preflop_classes()] * LEVEL_UNIT).astype(np.uint16)
    return levels.reshape(1, NUM_HANDS)
