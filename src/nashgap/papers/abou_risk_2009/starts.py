"""Steps 1 to 7 of section 3.3.3, from several starts: one batch of the job is one start.

A start is CFR of some kind from some first strategy; what it ends with is measured by exact best responses and, as in
the thesis, by best responses that CFR finds against two frozen players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.core.job import BatchJob, require_seed
from nashgap.core.tree import GameTree
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.named import make_solver
from nashgap.strategies.table import TableStrategy, normalised

__all__ = ["Outcome", "Start", "StartsJob", "compiled", "follow", "infoset_reach"]

KEPT_DECIMALS = 6
# Regret that a random first strategy stands for: little, because an iteration adds little where hands seldom come.
FIRST_WEIGHT = 0.001


@dataclass(frozen=True)
class Start:
    """One way to run the nine steps.

    name:                for people.
    game:                spec.
    solver:              of the catalogue.
    iterations:          of the profile (step 1).
    response_iterations: of each trained best response (steps 2 to 4); 0 to leave them out.
    is_alternating:      players are updated in turn, or all at once.
    first_strategy:      0 for uniform, else the number of a random first strategy.
    """

    name: str
    game: str
    solver: str
    iterations: int
    response_iterations: int = 0
    is_alternating: bool = True
    first_strategy: int = 0


@dataclass(frozen=True)
class Outcome:
    """What a start ended with; three entries per tuple, one per position, in antes per hand.

    values:         of the profile against itself (step 6).
    best_values:    of exact best responses.
    trained_values: of best responses trained by CFR (step 7); empty where they were left out.
    probabilities:  `[S]` of the profile, rounded; empty where the responses were left out.
    """

    values: tuple[float, ...]
    best_values: tuple[float, ...]
    trained_values: tuple[float, ...] = ()
    probabilities: tuple[float, ...] = ()

    @classmethod
    def from_batch(cls, result: Mapping[str, Any]) -> Self:
        return cls(**{key: tuple(numbers) for key, numbers in result.items()})

    @property
    def gains(self) -> tuple[float, ...]:
        """Of exact best responses; what is below 0 is rounding."""
        return tuple(max(0.0, best - value) for best, value in zip(self.best_values, self.values, strict=True))

    @property
    def mean_gain(self) -> float:
        """Epsilon as step 9 has it."""
        return sum(self.gains) / len(self.gains)

    @property
    def max_gain(self) -> float:
        """Epsilon as the definition of an epsilon-equilibrium has it."""
        return max(self.gains)


@dataclass(frozen=True)
class StartsJob(BatchJob):
    """All starts of one table.

    table: the reproduction's name.
    """

    kind: ClassVar[str] = "thesis-starts"

    table: str
    starts: tuple[Start, ...]
    seed: int

    def __post_init__(self) -> None:
        require_seed(self.seed)

    @property
    def name(self) -> str:
        return self.table

    @property
    def num_batches(self) -> int:
        return len(self.starts)

    def describe_batch(self, index: int) -> str:
        return self.starts[index].name

    def run_batch(self, index: int) -> dict[str, Any]:
        return dict(vars(follow(self.starts[index], self.seed)))

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        return [Outcome.from_batch(batch) for batch in batches]


def follow(start: Start, seed: int) -> Outcome:
    """Run one start to its end."""
    tree = compiled(start.game)
    profile = _profile(tree, start, seed)
    measured = exploitability(tree, profile)
    if not start.response_iterations:
        return Outcome(measured.values, measured.best_values)
    trained = tuple(
        _trained_response(tree, profile, player, start.response_iterations) for player in range(tree.num_players)
    )
    probabilities = np.round(profile.probabilities, KEPT_DECIMALS)
    return Outcome(measured.values, measured.best_values, trained, tuple(map(float, probabilities)))


@lru_cache(maxsize=1)
def compiled(game: str) -> GameTree:
    """The game's tree; starts of the same game come one after the other."""
    return load_tree(game)


def _profile(tree: GameTree, start: Start, seed: int) -> TableStrategy:
    given = []
    if start.first_strategy:
        rng = np.random.default_rng([seed, start.first_strategy])
        first = normalised(tree, rng.exponential(size=tree.num_slots))
        given.append(GivenStrategy(first, weight=FIRST_WEIGHT))
    solver = make_solver(start.solver, tree, seed=seed, is_alternating=start.is_alternating, given=given)
    solver.run(start.iterations)
    return solver.average_strategy()


def _trained_response(tree: GameTree, profile: TableStrategy, player: int, iterations: int) -> float:
    """What CFR learns to earn in one position while the other two never change."""
    others = tuple(other for other in range(tree.num_players) if other != player)
    solver = make_solver("cfr", tree, given=[GivenStrategy(profile, players=others, is_static=True)])
    solver.run(iterations)
    return expected_values(tree, solver.average_strategy())[player]


def infoset_reach(tree: GameTree, probabilities: np.ndarray) -> np.ndarray:
    """How likely each information set is to be met when all play so: `[S] -> [I]`."""
    node_reach = np.zeros(tree.num_nodes)
    node_reach[tree.block_start[0] : tree.block_start[1]] = 1.0
    reach = np.zeros(tree.num_infosets)
    for block, player in enumerate(tree.block_player):
        lanes = slice(int(tree.block_start[block]), int(tree.block_start[block + 1]))
        rows = tree.node_row[lanes]
        if player == CHANCE:
            for lane, row in zip(range(lanes.start, lanes.stop), rows, strict=True):
                edges = slice(int(tree.chance_start[row]), int(tree.chance_start[row + 1]))
                target = tree.block_start[tree.chance_block[edges]] + tree.chance_lane[edges]
                node_reach[target] = node_reach[lane] * tree.chance_prob[edges]
        elif player != TERMINAL:
            reach += np.bincount(rows, node_reach[lanes], tree.num_infosets)
            edges = slice(int(tree.block_edge[block]), int(tree.block_edge[block + 1]))
            for action, child in enumerate(tree.edge_block[edges]):
                slots = tree.infoset_slot[rows] + action * tree.infoset_stride[rows]
                below = slice(int(tree.block_start[child]), int(tree.block_start[child + 1]))
                node_reach[below] = node_reach[lanes] * probabilities[slots]
    return reach
