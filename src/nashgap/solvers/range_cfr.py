"""Counterfactual regret minimisation for two ranges, full width: every hand, every board to come, every bet of a tree.

Vectors over private hands go through a public tree of bets and boards (Johanson et al. 2011, 2012). Updates alternate:
each player answers the other's newest strategy. Predictive schedules keep one more table: regrets with what the next
iteration is expected to add, bottom-up as in `solvers/cfr.py`, to which strategies are matched. Locked decisions
neither learn nor change. Two players; what is computed is float32, and kept so or in 16 bits (`RangeStrategy`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nashgap.solvers.schedules import DCFR, Schedule
from nashgap.solvers.state import copy_state, portions, restore_state
from nashgap.strategies.range_strategy import RangeStrategy

__all__ = ["RangeCFR"]


class RangeCFR:
    """One solve; `run` it as far as you like. The same arguments give the same numbers, whatever the threads.

    strategy: whose tables become the average strategy.
    """

    def __init__(self, strategy: RangeStrategy, schedule: Schedule = DCFR) -> None:
        self.schedule, self.iteration = schedule, 0
        self._strategy = strategy
        strategy.native.set_predictive(schedule.is_predictive)

    def run(self, num_iterations: int) -> None:
        for count in portions(num_iterations):
            first = self.iteration + 1
            self._strategy.native.iterate(first, self.schedule.weights(first, count))
            self.iteration += count

    def average_strategy(self) -> RangeStrategy:
        """As it is by now; it changes with every iteration."""
        return self._strategy

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on exactly from here."""
        return copy_state(self.iteration, self._arrays())

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)

    def _arrays(self) -> dict[str, np.ndarray]:
        native = self._strategy.native
        return {f"{name}_{player}": array for player in (0, 1) for name, array in native.arrays(player).items()}
