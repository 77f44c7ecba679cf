"""What a network learns from: decisions of late, from which batches are drawn uniformly (Timbers et al. 2020, 3.2).

A decision leaves when there are too many, the oldest first, or when it was drawn often enough.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nashgap.core.job import is_whole
from nashgap.errors import ConfigError

__all__ = ["Decisions", "ReplayBuffer"]

Decisions = dict[str, np.ndarray]
"""Columns by name, with a row for each decision: where it was made, what it was worth, how a search shared out its
visits."""


class ReplayBuffer:
    """At most `most` decisions, from the oldest to the newest, none of them drawn more than `most_samples` times.

    columns: the name of each, and an array of no rows that has its type and width.
    """

    def __init__(self, columns: Mapping[str, np.ndarray], *, most: int, most_samples: int) -> None:
        if not is_whole(most) or most < 1 or not is_whole(most_samples) or most_samples < 1:
            raise ConfigError(f"most = {most}, most_samples = {most_samples}; both must be whole numbers, 1 or more")
        self._most, self._most_samples = most, most_samples
        self._decisions: Decisions = dict(columns)
        self._num_drawn = np.empty(0, np.int64)

    def __len__(self) -> int:
        """How many can still be drawn."""
        return int((self._num_drawn < self._most_samples).sum())

    def add(self, new: Decisions) -> None:
        """Keep these, too; what was drawn often enough is let go here, where all is copied anyway."""
        number = len(next(iter(new.values())))
        stay = np.flatnonzero(self._num_drawn < self._most_samples)
        stay = stay[max(0, len(stay) + number - self._most) :]
        first = max(0, number - self._most)
        for name, old in self._decisions.items():
            self._decisions[name] = np.concatenate([old[stay], new[name][first:].astype(old.dtype)])
        self._num_drawn = np.concatenate([self._num_drawn[stay], np.zeros(number - first, np.int64)])

    def sample(self, number: int, generator: np.random.Generator) -> Decisions:
        """Different ones, each as likely as any other; fewer where there are not so many."""
        there = np.flatnonzero(self._num_drawn < self._most_samples)
        drawn = generator.choice(there, min(number, len(there)), replace=False, shuffle=False)
        self._num_drawn[drawn] += 1
        return {name: column[drawn] for name, column in self._decisions.items()}

    def state(self) -> dict[str, np.ndarray]:
        return {name: column.copy() for name, column in self._decisions.items()} | {"num_drawn": self._num_drawn.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._decisions = {name: np.array(state[name]) for name in self._decisions}
        self._num_drawn = np.array(state["num_drawn"])
