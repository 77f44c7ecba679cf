"""What learns to play unseen games from solved ones: a learner is a value, fitted to games it predicts player 1's bets.

`learning_curve` says how many solved games that takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nashgap.core.job import is_whole
from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import BetSizeGames
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.distances import distance_named
from nashgap.explanations.neighbours import Neighbours
from nashgap.explanations.representations import Representation, named_representation
from nashgap.explanations.scores import Scores, score
from nashgap.explanations.trees import FittedTree, fit_tree

__all__ = [
    "FittedLearner",
    "FittedNeighbours",
    "FittedRepresentedTree",
    "Learner",
    "NeighbourLearner",
    "TreeLearner",
    "always_check",
    "learning_curve",
]


class FittedLearner(Protocol):
    """What was learned."""

    def bets(self, games: BetSizeGames) -> np.ndarray:
        """`[G, C, B]` player 1's strategy in games that need not be among those it was fitted to."""
        ...


class Learner(Protocol):
    """A way to learn."""

    @property
    def name(self) -> str:
        """For people and tables."""
        ...

    def fit(self, train: SolvedGames, choice: str = "solver") -> FittedLearner:
        """Learn the equilibria of that choice."""
        ...


@dataclass(frozen=True)
class NeighbourLearner:
    """Play as the most similar games are played. See `Neighbours`."""

    count: int = 1
    metric: str = "emd"
    threads: int = 1

    def __post_init__(self) -> None:
        distance_named(self.metric)
        if not is_whole(self.count) or self.count < 1:
            raise ConfigError(f"neighbours = {self.count}; it must be a whole number, at least 1")

    @property
    def name(self) -> str:
        return f"{self.count} nearest game{'s' if self.count > 1 else ''} ({self.metric})"

    def fit(self, train: SolvedGames, choice: str = "solver") -> FittedNeighbours:
        known = Neighbours(train.games.pdf, train.bets(choice), self.count, self.metric, self.threads)
        return FittedNeighbours(known)


@dataclass(frozen=True, eq=False)
class FittedNeighbours:
    """The games that are known."""

    known: Neighbours

    def bets(self, games: BetSizeGames) -> np.ndarray:
        return self.known.predict(games.pdf)


@dataclass(frozen=True)
class TreeLearner:
    """A decision tree on one of the representations. See `fit_tree`; `seed` draws the single bets."""

    representation: str = "pdf+card-cdf"
    depth: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        named_representation(self.representation)
        if not is_whole(self.depth) or self.depth < 1:
            raise ConfigError(f"depth = {self.depth}; it must be a whole number, at least 1")

    @property
    def name(self) -> str:
        return f"tree of depth {self.depth} on {self.representation}"

    def fit(self, train: SolvedGames, choice: str = "solver") -> FittedRepresentedTree:
        representation, games = named_representation(self.representation), train.games
        outputs = representation.outputs(games, train.bets(choice), self.seed)
        return FittedRepresentedTree(representation, fit_tree(representation.inputs(games), outputs, self.depth))


@dataclass(frozen=True, eq=False)
class FittedRepresentedTree:
    """A tree and what its numbers mean."""

    representation: Representation
    tree: FittedTree

    def bets(self, games: BetSizeGames, depth: int | None = None) -> np.ndarray:
        """`[G, C, B]`; by the tree cut at the depth where one is told."""
        predictions = self.tree.predict(self.representation.inputs(games), depth)
        return self.representation.bets(games.stakes, predictions)


def always_check(games: BetSizeGames) -> np.ndarray:
    """`[G, C, B]` the strategy that never bets."""
    bets = np.zeros((len(games), games.stakes.deck, games.stakes.num_bets))
    bets[:, :, 0] = 1.0
    return bets


def learning_curve(
    learner: Learner, train: SolvedGames, test: SolvedGames, sizes: Sequence[int], choice: str = "solver"
) -> list[tuple[int, Scores]]:
    """How well the learner does after the first so many of the games."""
    for size in sizes:
        if not 1 <= size <= len(train):
            raise ConfigError(f"{size:,} games to learn from; there are {len(train):,}")
    return [(size, score(test, learner.fit(train[:size], choice).bets(test.games), choice)) for size in sizes]
