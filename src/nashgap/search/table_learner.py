"""Tabular learning: for each information set a mean of what was won after it, and of what its searches preferred."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nashgap.search.options import TableLearning
from nashgap.search.responder_game import Episodes, NumberedGame, Values

__all__ = ["TableLearner"]


class TableLearner:
    """One responder's table."""

    def __init__(self, game: NumberedGame, learning: TableLearning) -> None:
        self._slots, self._learning = game.slots, learning
        self._count = np.zeros(game.num_infosets)
        self._value = np.zeros(game.num_infosets, np.float32)
        self._share = np.zeros(game.num_slots, np.float32)

    def learn(self, episodes: Episodes) -> None:
        """Move the means of all information sets that were met."""
        if not len(episodes.infoset):
            return
        infosets, place = np.unique(episodes.infoset, return_inverse=True)
        number = np.bincount(place)
        trust = self._learning.trust
        targets = trust * episodes.value + (1.0 - trust) * episodes.payoff_of_decision
        self._count[infosets] += number
        step = np.maximum(number / self._count[infosets], 1.0 - (1.0 - self._learning.least_step) ** number)
        value = np.bincount(place, targets) / number
        self._value[infosets] += step * (value - self._value[infosets])
        share = np.zeros((len(infosets), episodes.share.shape[1]))
        np.add.at(share, place, episodes.share)
        slots = self._slots[infosets]
        rows, actions = np.nonzero(slots >= 0)
        mine = slots[rows, actions]
        self._share[mine] += step[rows] * ((share / number[:, None])[rows, actions] - self._share[mine])

    def values(self) -> Values:
        """As they are by now; a copy."""
        return Values(self._value.copy(), self._share.copy(), (self._count > 0).astype(np.uint8))

    def state(self) -> dict[str, np.ndarray]:
        return {"count": self._count.copy(), "value": self._value.copy(), "share": self._share.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        for name, array in (("count", self._count), ("value", self._value), ("share", self._share)):
            array[:] = state[name]
