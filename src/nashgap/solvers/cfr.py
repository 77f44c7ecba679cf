"""Counterfactual regret minimisation, full width (Zinkevich et al. 2007), for any number of players.

The variant is the schedule, nothing else. Each iteration computes the counterfactual value of every own sequence
(the others' reach times chance times payoff, summed at the leaves), goes bottom-up through the player's own infosets,
and plays by regret matching. The average strategy weighs each iteration by own reach, before its regret is added. A
predictive schedule first adds the regret that the others' present reach would bring once more, computed with the new
strategies already in place further down (Farina, Kroer & Sandholm 2021).

Needs perfect recall. For two players and zero sum the average strategy goes to an equilibrium; for more players, or
general sum, nothing is promised: measure it. Departs from the papers in nothing but the weights of the schedule and in
alternating updates (each player answers the others' newest strategies), the default since CFR+.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nashgap import _native
from nashgap.core.tree import GameTree
from nashgap.solvers import schedules
from nashgap.solvers.given import GivenStrategy, start_from
from nashgap.solvers.schedules import Schedule
from nashgap.solvers.state import copy_state, portions, restore_state
from nashgap.strategies.table import TableStrategy, normalised

__all__ = ["CFR"]


class CFR:
    """One solve; `run` it as far as you like. The same arguments give the same numbers, bit for bit."""

    def __init__(
        self,
        tree: GameTree,
        schedule: Schedule = schedules.CFR,
        *,
        is_alternating: bool = True,
        given: Sequence[GivenStrategy] = (),
    ) -> None:
        tree.require_perfect_recall("full-width CFR")
        start = start_from(tree, given)
        self.tree, self.schedule, self.is_alternating = tree, schedule, is_alternating
        self.iteration = 0
        self.regret_sum = start.regret_sum
        self.strategy_sum = np.zeros(tree.num_slots)
        self.strategy = normalised(tree, self.regret_sum).probabilities
        self._is_fixed = start.is_fixed
        if start.is_fixed is not None and start.fixed is not None:
            self._fixed_slots = start.is_fixed[tree.slot_infoset].astype(bool)
            self.strategy[self._fixed_slots] = start.fixed[self._fixed_slots]

    def run(self, num_iterations: int) -> None:
        arrays = (self.tree.native, self.regret_sum, self.strategy_sum, self.strategy, self._is_fixed)
        for count in portions(num_iterations):
            weights = self.schedule.weights(self.iteration + 1, count)
            # Counted first: Ctrl-C is raised as soon as the kernel returns, and its work is done by then.
            self.iteration += count
            _native.cfr(*arrays, weights, self.is_alternating, self.schedule.is_predictive)

    def average_strategy(self) -> TableStrategy:
        """What converges; uniform in infosets that the player never played to. Fixed infosets stay as given."""
        average = normalised(self.tree, self.strategy_sum)
        if self._is_fixed is not None:
            average.probabilities[self._fixed_slots] = self.strategy[self._fixed_slots]
        return average

    def current_strategy(self) -> TableStrategy:
        """What would be played in the next iteration."""
        return TableStrategy(self.tree, self.strategy.copy())

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on exactly from here."""
        return copy_state(self.iteration, self._arrays())

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)

    def _arrays(self) -> dict[str, np.ndarray]:
        return {"regret_sum": self.regret_sum, "strategy_sum": self.strategy_sum, "strategy": self.strategy}
