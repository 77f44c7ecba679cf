"""Policy-Space Response Oracles (Lanctot et al. 2017) whose oracle is Approximate Best Response.

Each player has a population of strategies, at first one. An iteration solves the game in which players choose among
them, trains a responder for each against the other's mixture, as Timbers et al. (2020) do, and adds it to its player's
population. With exact best responses this is the double oracle method (McMahan et al. 2003), which ends in equilibrium.

The population is kept as realisation plans: what a mixture of strategies does as one behaviour strategy is the mixture
of their plans, each information set's share of it. Payoffs of the meta-game are exact, which departs from the paper's
simulated ones. Needs perfect recall, two players and zero sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack

from nashgap import _native
from nashgap.core.job import require_seed
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, MismatchError
from nashgap.search.options import PRESETS, Preset
from nashgap.search.responder_game import TreeResponderGame, require_two_zero_sum
from nashgap.search.training import make_learner, stream
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.named import UpperVariant
from nashgap.solvers.sequence_lp import payoff_matrix
from nashgap.solvers.state import copy_state, portions
from nashgap.strategies.table import TableStrategy, normalised, uniform

__all__ = ["ABR_ORACLE", "PSRO", "Oracle", "solve_matrix_game"]

PLAYERS = (0, 1)


@dataclass(frozen=True)
class Oracle(UpperVariant):
    """How a responder is found: by so many batches of games of this preset."""

    preset: Preset = PRESETS["tree"]
    batches: int = 8

    def solver(self, tree: GameTree, *, seed: int, given: Sequence[GivenStrategy]) -> PSRO:
        return PSRO(tree, self, seed=seed, given=given)

    def respond(self, game: TreeResponderGame, seed: int) -> TableStrategy:
        """The responder acts without a search, its opponent as before."""
        preset, learner = self.preset, make_learner(game, self.preset.learning, seed)
        for first in range(0, self.batches * preset.games, preset.games):
            learner.learn(game.play(preset.search, learner.values(), seed=seed, first=first, number=preset.games))
        return game.responder(learner.values())


ABR_ORACLE = Oracle()


class PSRO:
    """One solve; the responders of iteration t draw from streams named by (seed, t).

    A player begins with what is given, else uniformly; one whose given strategy is static never gets another.
    """

    def __init__(
        self, tree: GameTree, oracle: Oracle = ABR_ORACLE, *, seed: int = 0, given: Sequence[GivenStrategy] = ()
    ) -> None:
        require_seed(seed)
        require_two_zero_sum(tree, "psro")
        self.tree, self.oracle, self.seed = tree, oracle, seed
        self.iteration = 0
        self._payoff_matrix = payoff_matrix(tree)
        self._start, self._learners = _start_from(tree, given)
        self._plans = list(self._plans_of(self._start))  # a row for each strategy; pure ones are mostly 0

    @property
    def payoffs(self) -> np.ndarray:
        """`[M, N]` what the first player wins, for each pair of strategies of the populations."""
        first, second = self._plans
        payoffs: np.ndarray = (first @ self._payoff_matrix @ second.T).toarray()
        return payoffs

    def meta_strategy(self) -> tuple[np.ndarray, np.ndarray]:
        """`[M]` and `[N]`: how often players of an equilibrium choose each strategy of their populations."""
        return solve_matrix_game(self.payoffs)

    def run(self, num_iterations: int) -> None:
        for _ in portions(num_iterations, 1):
            mixture = self.average_strategy()
            found = {player: self._respond(mixture, player) for player in self._learners}
            for player, plan in found.items():
                if not _has_row(self._plans[player], plan):
                    self._plans[player] = vstack([self._plans[player], plan], format="csr")
            self.iteration += 1

    def average_strategy(self) -> TableStrategy:
        """The meta-strategy as one behaviour strategy; uniform in information sets that it does not play to."""
        mixed = [plans.T @ weights for weights, plans in zip(self.meta_strategy(), self._plans, strict=True)]
        strategy = normalised(self.tree, np.concatenate([plan[1:] for plan in mixed]))
        # What only began is as it was given, unreached information sets and last bits included.
        return strategy.with_players({player: self._start for player in PLAYERS if self._plans[player].shape[0] == 1})

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on exactly from here."""
        return copy_state(self.iteration, {f"plans_{player + 1}": self._plans[player].toarray() for player in PLAYERS})

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        names = [f"plans_{player + 1}" for player in PLAYERS]
        if missing := {"iteration", *names} - set(state):
            raise MismatchError(f"the saved state has no {min(missing)!r}; it belongs to another solver")
        for name, plans in zip(names, self._plans, strict=True):
            if state[name].ndim != 2 or state[name].shape[1] != plans.shape[1]:
                raise MismatchError(f"the saved {name!r} have shape {state[name].shape}, not (..., {plans.shape[1]})")
        self._plans = [csr_array(state[name]) for name in names]
        self.iteration = int(state["iteration"][0])

    def _respond(self, mixture: TableStrategy, player: int) -> csr_array:
        game = TreeResponderGame(mixture, player)
        return self._plans_of(self.oracle.respond(game, stream(self.seed, self.iteration, player)))[player]

    def _plans_of(self, strategy: TableStrategy) -> tuple[csr_array, csr_array]:
        """Of each player `[1, Q]`: how likely it plays to each of its sequences, the empty one first."""
        reach = np.empty(self.tree.num_slots + len(PLAYERS))
        _native.own_reach(self.tree.native, strategy.probabilities, reach)
        first, second = np.split(reach, [self._payoff_matrix.shape[0]])
        return csr_array(first[None]), csr_array(second[None])


def _has_row(matrix: csr_array, row: csr_array) -> bool:
    parts = [slice(begin, end) for begin, end in pairwise(matrix.indptr)]
    return any(
        np.array_equal(matrix.indices[part], row.indices) and np.array_equal(matrix.data[part], row.data)
        for part in parts
    )


def _start_from(tree: GameTree, given: Sequence[GivenStrategy]) -> tuple[TableStrategy, list[int]]:
    """What players begin with, and who is left to learn; later strategies win over earlier ones."""
    start, learners = uniform(tree), dict.fromkeys(PLAYERS, True)
    for each in given:
        if each.infosets is not None:
            raise ConfigError("psro begins with whole strategies of players, not with some of their information sets")
        players = PLAYERS if each.players is None else each.players
        start = start.with_players(dict.fromkeys(players, each.strategy))
        learners |= dict.fromkeys(players, not each.is_static)
    return start, [player for player, learns in learners.items() if learns]


def solve_matrix_game(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How often the row player, who wins `payoffs` `[M, N]`, takes each row in equilibrium, and the other each column.

    Maximises v over rows' weights x such that each column pays x at least v; the duals are the columns' weights.
    """
    num_rows, num_columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(num_rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((num_columns, 1))]),
        b_ub=np.zeros(num_columns),
        A_eq=np.append(np.ones(num_rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[*[(0.0, None)] * num_rows, (None, None)],
        method="highs-ds",
    )
    assert found.success and found.x is not None, found.message  # a matrix game always has a solution
    rows, columns = np.maximum(found.x[:-1], 0.0), np.maximum(-found.ineqlin.marginals, 0.0)
    return rows / rows.sum(), columns / columns.sum()
