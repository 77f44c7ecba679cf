"""How well a learner plays games that it has not seen, and how that grows with games, depth and nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.result import Result, frame
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.learners import (
    FittedLearner,
    FittedRepresentedTree,
    Learner,
    NeighbourLearner,
    TreeLearner,
    always_check,
    learning_curve,
)
from nashgap.explanations.scores import Scores, score

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FitResult", "fit"]

MOST_POINTS = 7  # of the learning curve
LEAST_GAMES = 50


@dataclass(frozen=True, eq=False, repr=False)
class FitResult(Result):
    """A learner fitted to games, and what it is worth in unseen ones.

    curve:  (games learned from, scores), the last with all of them.
    depths: for a tree (depth, nodes, scores) of the tree cut there.
    check:  the scores of never betting.
    """

    reporter: ClassVar[str] = "nashgap.reports.fit:fit_report"

    learner: Learner
    choice: str
    fitted: FittedLearner
    stakes: Stakes
    seed: int
    num_train: int
    num_test: int
    curve: Sequence[tuple[int, Scores]]
    depths: Sequence[tuple[int, int, Scores]]
    check: Scores

    @property
    def scores(self) -> Scores:
        return self.curve[-1][1]

    @property
    def summary(self) -> str:
        price, check = self.scores.exploitability, self.check.exploitability
        return (
            f"{self.learner.name}, learned from {self.num_train:,} games, loses {price.mean:.4f} ± {price.ci95:.4f}"
            f" dollars a hand to a best response in {self.num_test:,} unseen ones; never betting loses"
            f" {check.mean:.4f}."
        )

    def to_frame(self) -> pd.DataFrame:
        """The learning curve: a row for each number of games."""
        names = ("output_distance", "exploitability", "value_lost")
        columns = ("games", *(column for name in names for column in (name, f"{name}_ci95")))
        rows = [
            (games, *(number for name in names for number in _mean_and_ci95(scores, name)))
            for games, scores in self.curve
        ]
        return frame(columns, rows)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "learner": self.learner.name,
            "choice": self.choice,
            "train": self.num_train,
            "test": self.num_test,
            "seed": self.seed,
            **self.scores.as_dict(),
            "always_check": self.check.as_dict(),
            "curve": [{"games": games, **scores.as_dict()} for games, scores in self.curve],
            "depths": [{"depth": depth, "nodes": nodes, **each.as_dict()} for depth, nodes, each in self.depths],
        }


def fit(
    learner: NeighbourLearner | TreeLearner, train: SolvedGames, test: SolvedGames, choice: str = "solver"
) -> FitResult:
    """Fit to parts of the games and to all of them; the unseen games are the same for all."""
    sizes = np.unique(np.geomspace(min(LEAST_GAMES, len(train)), len(train), MOST_POINTS).round().astype(int))
    if isinstance(learner, NeighbourLearner):
        sizes = sizes[sizes >= learner.count]
    fitted = learner.fit(train, choice)
    whole = score(test, fitted.bets(test.games), choice)
    parts = learning_curve(learner, train, test, [int(size) for size in sizes[:-1]], choice)
    depths = []
    if isinstance(fitted, FittedRepresentedTree):
        for depth in range(1, fitted.tree.max_depth + 1):
            scores = score(test, fitted.bets(test.games, depth), choice)
            depths.append((depth, fitted.tree.num_nodes_at(depth), scores))
    return FitResult(
        learner,
        choice,
        fitted,
        train.stakes,
        train.seed,
        len(train),
        len(test),
        [*parts, (len(train), whole)],
        depths,
        score(test, always_check(test.games), choice),
    )


def _mean_and_ci95(scores: Scores, name: str) -> tuple[float, float]:
    estimate = getattr(scores, name)
    return estimate.mean, estimate.ci95
