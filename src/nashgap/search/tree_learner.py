"""Learning by keeping the search tree: what all searches of all games have counted, information set by information set.

UCT explores ever less of what is bad, and what it tries is kept out of the means of the decisions before, so that the
means of a kept tree come to those of a best response; a tree of one game stops long before.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nashgap.search.options import TreeLearning
from nashgap.search.responder_game import Episodes, NumberedGame, Values

__all__ = ["TreeLearner"]

LEAST_SHARE = 0.03  # of the visits of the most visited action, which a mean needs to be believed


class TreeLearner:
    """One responder's tree."""

    def __init__(self, game: NumberedGame, learning: TreeLearning) -> None:
        self._slots, self._window = game.slots, learning.window
        self._infoset = np.zeros(game.num_slots, np.int64)
        rows, actions = np.nonzero(self._slots >= 0)
        self._infoset[self._slots[rows, actions]] = rows
        self._visits = np.zeros(game.num_slots, np.float32)
        self._total = np.zeros(game.num_slots)
        self._prior = np.zeros(game.num_slots, np.float32)

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
        self._prefer(slots)

    def values(self) -> Values:
        """As they are by now; a copy."""
        nothing = np.zeros(len(self._slots))
        return Values(
            nothing.astype(np.float32),
            self._prior.copy(),
            nothing.astype(np.uint8),
            self._visits.copy(),
            self._total.copy(),
        )

    def state(self) -> dict[str, np.ndarray]:
        return {"visits": self._visits.copy(), "total": self._total.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._visits[:], self._total[:] = state["visits"], state["total"]
        self._prefer(self._slots)

    def _prefer(self, slots: np.ndarray) -> None:
        """The action of the best mean, of those that were visited often enough to have one; then by their visits.

        slots: `[information sets, actions]`.
        """
        visits = np.where(slots >= 0, self._visits[slots], 0.0)
        is_tried = visits > LEAST_SHARE * visits.max(axis=1, keepdims=True)
        mean = np.where(is_tried, self._total[slots] / np.where(is_tried, visits, 1.0), -np.inf)
        is_best = is_tried & (mean == mean.max(axis=1, keepdims=True))
        share = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1e-9)
        rows, actions = np.nonzero(slots >= 0)
        self._prior[slots[rows, actions]] = (0.5 * share + 0.5 * is_best)[rows, actions]
