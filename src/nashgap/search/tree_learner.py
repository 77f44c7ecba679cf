"""Learning by keeping the search tree: what all searches of all games have counted, information set by information set.

UCT explores ever less of what is bad, so that the means of a kept tree come to those of a best response; a tree of one
game stops long before.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nashgap.search.options import TreeLearning
from nashgap.search.responder_game import Episodes, NumberedGame, Values

__all__ = ["TreeLearner"]


class TreeLearner:
    """One responder's tree."""

    def __init__(self, game: NumberedGame, learning: TreeLearning) -> None:
        self._slots, self._window = game.slots, learning.window
        self._infoset = np.zeros(game.num_slots, np.int64)
        rows, actions = np.nonzero(self._slots >= 0)
        self._infoset[self._slots[rows, actions]] = rows
        self._visits = np.zeros(game.num_slots, np.float32)
        self._total = np.zeros(game.num_slots)

    def learn(self, episodes: Episodes) -> None:
        """Count what was visited, and forget where there is more than the window holds."""
        self._visits[episodes.counted_slot] += episodes.counted_visits
        self._total[episodes.counted_slot] += episodes.counted_total
        slots = self._slots[np.unique(self._infoset[episodes.counted_slot])]
        visits = np.where(slots >= 0, self._visits[slots], 0.0).sum(axis=1)
        kept = np.minimum(1.0, self._window / visits)
        rows, actions = np.nonzero((slots >= 0) & (kept[:, None] < 1.0))
        self._visits[slots[rows, actions]] *= kept[rows].astype(np.float32)
        self._total[slots[rows, actions]] *= kept[rows]

    def values(self) -> Values:
        """As they are by now; a copy."""
        nothing = np.zeros(len(self._slots))
        visits = self._visits.copy()
        return Values(nothing.astype(np.float32), visits, nothing.astype(np.uint8), visits, self._total.copy())

    def state(self) -> dict[str, np.ndarray]:
        return {"visits": self._visits.copy(), "total": self._total.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._visits[:], self._total[:] = state["visits"], state["total"]
