"""Seatings of a duplicate match: who sits where when the same cards are dealt again.

Up to four agents play every deal in all N! orders, so that all positions and all relative positions are met (Abou Risk
2009, sections 2.5.3 and 3.5.1). More agents play each deal in a random order and its N rotations: still every seat, and
with that every hand of cards, once each.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

__all__ = ["ALL_ORDERS_UP_TO", "duplicate_seatings"]

ALL_ORDERS_UP_TO = 4
_SEATING_STREAM = 3 << 8  # beside those of native/arena/match.h


def duplicate_seatings(num_agents: int, seed: int, first_match: int, num_matches: int) -> np.ndarray:
    """Agent at each seat: `[1, N!, N]` int8, or `[num_matches, N, N]` where the orders are drawn."""
    if num_agents <= ALL_ORDERS_UP_TO:
        return np.array([list(permutations(range(num_agents)))], dtype=np.int8)
    seatings = np.empty((num_matches, num_agents, num_agents), dtype=np.int8)
    key = np.array([seed, _SEATING_STREAM], dtype=np.uint64)
    for match in range(num_matches):
        stream = np.random.Philox(key=key, counter=[0, first_match + match, 0, 0])
        order = np.random.Generator(stream).permutation(num_agents)
        for turn in range(num_agents):
            seatings[match, turn] = np.roll(order, -turn)
    return seatings
