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
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.solvers.given import GivenStrategy, start_from
from nashgap.solvers.state import copy_state, portions, restore_state
from nashgap.strategies.table import TableStrategy, normalised

__all__ = ["CHANCE_SAMPLING", "EXTERNAL_SAMPLING", "MCCFR", "OUTCOME_SAMPLING", "SAMPLINGS", "Sampling"]


@dataclass(frozen=True)
class Sampling:
    """Which part of the tree one pass visits.

    kind:        0 chance, 1 external, 2 outcome: the native kernel's number.
    exploration: share of uniform play at own nodes; outcome sampling only.
    """

    kind: int
    exploration: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in (0, 1, 2):
            raise ConfigError(f"kind = {self.kind}; it must be 0 (chance), 1 (external) or 2 (outcome)")
        if self.kind == 2 and not 0.0 < self.exploration <= 1.0:
            raise ConfigError(f"exploration = {self.exploration}; outcome sampling needs more than 0 and at most 1")


CHANCE_SAMPLING = Sampling(0)
EXTERNAL_SAMPLING = Sampling(1)
OUTCOME_SAMPLING = Sampling(2, exploration=0.6)

SAMPLINGS = {
    "chance-sampling": CHANCE_SAMPLING,
    "external-sampling": EXTERNAL_SAMPLING,
    "outcome-sampling": OUTCOME_SAMPLING,
}


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
        if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
            raise ConfigError(f"seed = {seed!r}; it must be a whole number from 0 to 2^64 - 1")
        start = start_from(tree, given)
        self.tree, self.sampling, self.seed = tree, sampling, int(seed)
        self.iteration = 0
        self.regret_sum = start.regret_sum
        self.strategy_sum = np.zeros(tree.num_slots)
        self._fixed, self._is_fixed = start.fixed, start.is_fixed

    def run(self, num_iterations: int) -> None:
        arrays = (self.tree.native, self.regret_sum, self.strategy_sum, self._fixed, self._is_fixed)
        for count in portions(num_iterations):
            # Counted first: Ctrl-C is raised as soon as the kernel returns, and its work is done by then.
            first, self.iteration = self.iteration + 1, self.iteration + count
            _native.mccfr(*arrays, self.sampling.kind, self.sampling.exploration, self.seed, first, count)

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
