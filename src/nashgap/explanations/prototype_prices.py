"""What memorising a few games costs in unseen ones, beside what can be had with more memory or with none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nashgap.core.estimate import Estimate
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.learners import always_check
from nashgap.explanations.neighbours import Neighbours
from nashgap.explanations.prototypes import Prototypes, best_prototypes, random_prototypes
from nashgap.explanations.scores import Scores, score

__all__ = ["PricedMemory", "price_prototypes"]


@dataclass(frozen=True)
class PricedMemory:
    """One way to play games from memory, and its errors in unseen games.

    games:  how many are remembered.
    how:    `best` (chosen for their price), `random`, `all`, or `none`: always check.
    scores: means over unseen games; over draws, each a mean over unseen games, for `random`.
    chosen: the games of `best`.
    """

    games: int
    how: str
    scores: Scores
    chosen: Prototypes | None = None

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        told: dict[str, Any] = {"games": self.games, "how": self.how, **self.scores.as_dict()}
        if self.chosen is not None:
            told |= {"indices": self.chosen.indices.tolist(), "shares": self.chosen.shares.tolist()}
        return told


def price_prototypes(
    train: SolvedGames,
    test: SolvedGames,
    counts: Sequence[int] = (5, 10, 20),
    *,
    seed: int,
    choice: str = "solver",
    metric: str = "emd",
    num_candidates: int = 800,
    num_judged: int = 1600,
    num_draws: int = 10,
    threads: int = 1,
) -> tuple[PricedMemory, ...]:
    """For each number of games the best and random ones, then all of `train`, then no memory at all."""
    pdf = test.games.pdf
    options = {"num_candidates": num_candidates, "num_judged": num_judged}
    rows = []
    for best in best_prototypes(train, counts, seed=seed, choice=choice, metric=metric, **options):
        rows.append(PricedMemory(len(best), "best", score(test, best.predict(train, pdf, choice), choice), best))
        draws = random_prototypes(train, len(best), num_draws, seed=seed + len(best), metric=metric)
        scores = [score(test, draw.predict(train, pdf, choice), choice) for draw in draws]
        rows.append(PricedMemory(len(best), "random", _over_draws(scores, seed)))
    everything = Neighbours(train.games.pdf, train.bets(choice), metric=metric, threads=threads)
    rows.append(PricedMemory(len(train), "all", score(test, everything.predict(pdf), choice)))
    rows.append(PricedMemory(0, "none", score(test, always_check(test.games), choice)))
    return tuple(rows)


def _over_draws(scores: Sequence[Scores], seed: int) -> Scores:
    def mean(name: str) -> Estimate:
        estimates = [getattr(each, name) for each in scores]
        means = [estimate.mean for estimate in estimates]
        return Estimate.from_samples(means, unit=estimates[0].unit, method="exact, over draws", seed=seed)

    return Scores(mean("output_distance"), mean("exploitability"), mean("value_lost"))
