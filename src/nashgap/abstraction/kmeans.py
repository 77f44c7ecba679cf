"""Buckets of the flop and the turn by k-means on histograms of the strength that a hand will have on the river.

After Johanson, Burch, Valenzano and Bowling (2013), "Evaluating state-space abstractions in extensive-form games". A
hand's histogram counts its strength (HS) over all boards to come; the earth mover's distance of two histograms is the
sum of the differences of their cumulative shares. Centres start as in k-means++ and are means of the histograms of
their members, found on sampled deals, so that deals count and not canonical boards; then every hand on every canonical
board goes to its nearest centre, numbered from the weakest up. All sums are whole numbers: the result is the same for
any number of threads. Tables are kept in the user's cache.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import NUM_HANDS
from nashgap.abstraction.table_cache import kept_table
from nashgap.core.user_folders import cache_folder
from nashgap.poker.streets import STREETS

__all__ = ["MAX_CENTRES", "load_kmeans_table"]

MAX_CENTRES = 5_000
NUM_POINTS = 200_000
_NUM_BOARDS = (1, 1_755, 16_432)


def load_kmeans_table(
    street: int, num_centres: int, *, num_bins: int, seed: int, river: np.ndarray, folder: Path | None, num_threads: int
) -> np.ndarray:
    """`[boards, 1326]` uint16 buckets of the flop (1) or turn (2), from the cache or built; 65535 where cards collide.

    river: levels of HS, `[boards, 1326]`.
    """
    name = f"{STREETS[street]}-{num_centres}-bins{num_bins}-seed{seed}.bin"
    path = (folder or cache_folder()) / "kmeans-1" / name
    shape = (_NUM_BOARDS[street], NUM_HANDS)

    def build() -> np.ndarray:
        table = np.empty(shape, dtype=np.uint16)
        _native.build_kmeans_buckets(street, river, num_bins, num_centres, NUM_POINTS, seed, num_threads, table)
        return table

    return kept_table(path, np.uint16, shape, build)
