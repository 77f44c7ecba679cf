"""Monte Carlo CFR on a compiled game (Lanctot et al. 2009), for any number of players, with or without perfect recall.

Chance sampling (Zinkevich et al. 2007) takes one outcome of each chance node and all actions; external sampling one
outcome of chance and of the other players and all own actions; outcome sampling a single path, explored with
probability `exploration` at own nodes.

Departs from the papers in the average strategy: with external sampling and more than two players, and with outcome
sampling, each player's average is taken on a walk of its own, in which own actions are sampled by the strategy and the
others' do not depend on theirs (all are taken, or one uniformly). Otherwise an infoset's weight would depend on a third
player's reach. Regret is added when a pass is over, so that a pass plays the same wherever it meets an infoset again.
An iteration is one pass for each player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nashgap import _native
from nashgap.core.job import require_seed
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.solvers.given import GivenStrategy, start_from
from nashgap.solvers.samplings import EXTERNAL_SAMPLING, Sampling
from nashgap.solvers.state import copy_state, portions, restore_state
from nashgap.strategies.table import TableStrategy, normalised

__all__ = ["MCCFR"]


KINDS = ("chance", "external", "outcome")  # in the order of the kernel's numbers


class MCCFR:
    """One solve; iteration t draws from streams named by (seed, t), so it can be cut and resumed anywhere."""

    def __init__(
        self,
        tree: GameTree,
        sampling: Sampling = EXTERNAL_SAMPLING,
        *,
        seed: int = 0,
        given: Sequence[GivenStrategy] = (),
    ) -> None:
        require_seed(seed)
        sampling.require_kind(KINDS, "in a compiled game")
        if sampling.kind == "external" and sampling != EXTERNAL_SAMPLING:
            raise ConfigError(f"{sampling}: external sampling of a compiled game neither explores nor prunes")
        start = start_from(tree, given)
        self.tree, self.sampling, self.seed = tree, sampling, seed
        self.iteration = 0
        self.regret_sum = start.regret_sum
        self.strategy_sum = np.zeros(tree.num_slots)
        self._fixed, self._is_fixed = start.fixed, start.is_fixed

    def run(self, num_iterations: int) -> None:
        arrays = (self.tree.native, self.regret_sum, self.strategy_sum, self._fixed, self._is_fixed)
        kind, exploration = KINDS.index(self.sampling.kind), self.sampling.exploration
        for count in portions(num_iterations):
            # Counted first: Ctrl-C is raised as soon as the kernel returns, and its work is done by then.
            first, self.iteration = self.iteration + 1, self.iteration + count
            _native.mccfr(*arrays, kind, exploration, self.seed, first, count)

    def average_strategy(self) -> TableStrategy:
        """What converges; uniform in infosets that no walk has met. Fixed infosets stay as given."""
        average = normalised(self.tree, self.strategy_sum)
        if self._fixed is not None and self._is_fixed is not None:
            slots = self._is_fixed[self.tree.slot_infoset].astype(bool)
            average.probabilities[slots] = self._fixed[slots]
        return average

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on exactly from here."""
        return copy_state(self.iteration, self._arrays())

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)

    def _arrays(self) -> dict[str, np.ndarray]:
        return {"regret_sum": self.regret_sum, "strategy_sum": self.strategy_sum}
