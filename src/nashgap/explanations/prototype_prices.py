"""What memorising a few games costs in unseen ones, beside what can be had with more memory or with none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.estimate import Estimate
from nashgap.core.result import Result, frame
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.learners import always_check
from nashgap.explanations.neighbours import Neighbours
from nashgap.explanations.prototypes import Prototypes, best_prototypes, random_prototypes
from nashgap.explanations.scores import Scores, score

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PricedMemory", "PricedPrototypes", "price_prototypes"]


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

    @property
    def text(self) -> str:
        """For people."""
        match self.how:
            case "best":
                return f"the best {self.games} games"
            case "random":
                return f"{self.games} random games"
            case "all":
                return f"all {self.games:,} games"
        return "none: never bet"

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        told: dict[str, Any] = {"games": self.games, "how": self.how, **self.scores.as_dict()}
        if self.chosen is not None:
            told |= {"indices": self.chosen.indices.tolist(), "shares": self.chosen.shares.tolist()}
        return told


@dataclass(frozen=True, eq=False, repr=False)
class PricedPrototypes(Result):
    """Ways to play games from memory, beside each other.

    memories: for each number of games the best and random ones, then all games, then none.
    learned:  the games that prototypes are chosen from; `choice`: which of their equilibria is remembered.
    num_test: unseen games that prices are measured in.
    """

    reporter: ClassVar[str] = "nashgap.reports.prototypes:prototypes_report"

    memories: tuple[PricedMemory, ...]
    learned: SolvedGames
    choice: str
    metric: str
    seed: int
    num_test: int

    @property
    def best(self) -> tuple[PricedMemory, ...]:
        """Those of chosen games, in the order in which they were asked for."""
        return tuple(each for each in self.memories if each.chosen is not None)

    @property
    def summary(self) -> str:
        most = max(self.best, key=lambda each: each.games)
        price, none = most.scores.exploitability, self.memories[-1].scores.exploitability
        return (
            f"Playing by {most.text} of {len(self.learned):,} loses {price.mean:.4f} ± {price.ci95:.4f} dollars a hand"
            f" to a best response in unseen games; never betting loses {none.mean:.4f}."
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each memory."""
        rows = [
            (each.how, each.games, price.mean, price.ci95, each.scores.value_lost.mean)
            for each in self.memories
            for price in (each.scores.exploitability,)
        ]
        return frame(("how", "games", "exploitability", "exploitability_ci95", "value_lost"), rows)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "unit": self.memories[0].scores.exploitability.unit,
            "seed": self.seed,
            "test": self.num_test,
            "memories": [each.as_dict() for each in self.memories],
        }


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
) -> PricedPrototypes:
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
    return PricedPrototypes(tuple(rows), train, choice, metric, seed, len(test))


def _over_draws(scores: Sequence[Scores], seed: int) -> Scores:
    def mean(name: str) -> Estimate:
        estimates = [getattr(each, name) for each in scores]
        means = [estimate.mean for estimate in estimates]
        return Estimate.from_samples(means, unit=estimates[0].unit, method="exact, over draws", seed=seed)

    return Scores(mean("output_distance"), mean("exploitability"), mean("value_lost"))
