"""Which distance predicts best what it costs to play one game's strategy in another?

Over random pairs of games, each game in one pair only: the rank correlation (Spearman) between a distance of the two
and the cost of playing the first one's equilibrium in the second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.distances import DISTANCES, input_distance, output_distance
from nashgap.explanations.scores import exploitability, value_lost

__all__ = ["CORRELATION_UNIT", "RankCorrelations", "correlate_distances"]

CORRELATION_UNIT = "rank_correlation"
FEWEST_PAIRS = 10


@dataclass(frozen=True)
class RankCorrelations:
    """How well the order of distances is the order of costs, from -1 to 1, over pairs of games.

    between: `inputs` (hands of both players) or `outputs` (equilibrium bets).
    metric:  a name of `nashgap.explanations.distances`.
    """

    between: str
    metric: str
    exploitability: Estimate
    value_lost: Estimate

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        costs = {"exploitability": self.exploitability.as_dict(), "value_lost": self.value_lost.as_dict()}
        return {"between": self.between, "metric": self.metric, **costs}


def correlate_distances(solved: SolvedGames, *, seed: int, choice: str = "solver") -> tuple[RankCorrelations, ...]:
    """Of each distance, over random pairs of the games; of an odd number one game is left out."""
    if len(solved) < 2 * FEWEST_PAIRS:
        raise ConfigError(f"{len(solved)} games are too few to correlate; at least {2 * FEWEST_PAIRS} are needed")
    order = np.random.Generator(np.random.Philox(seed)).permutation(len(solved))
    half = len(order) // 2
    copied, played = solved[order[:half]], solved[order[half : 2 * half]]
    bets, own_bets = copied.bets(choice), played.bets(choice)
    hands, own_hands = copied.games.pdf, played.games.pdf
    costs = exploitability(played, bets), value_lost(played, bets)
    distances = {
        ("inputs", metric): input_distance(hands, own_hands, metric=metric, features="pdf") for metric in DISTANCES
    } | {("outputs", metric): output_distance(bets, own_bets, metric=metric) for metric in DISTANCES}
    return tuple(
        RankCorrelations(between, metric, *(_rank_correlation(distance, cost, seed) for cost in costs))
        for (between, metric), distance in distances.items()
    )


def _rank_correlation(first: np.ndarray, second: np.ndarray, seed: int) -> Estimate:
    """Spearman's; its interval from the variance of Fisher's z, 1.06 / (n - 3) (Fieller, Hartley & Pearson 1957)."""
    from scipy.stats import rankdata  # slow to import

    found = float(np.corrcoef(rankdata(first), rankdata(second))[0, 1])
    half_width = 1.96 * math.sqrt(1.06 / (len(first) - 3)) * (1 - found**2)
    return Estimate(found, half_width, len(first), CORRELATION_UNIT, "spearman", seed)
