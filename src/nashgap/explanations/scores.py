"""What predicted bets are worth in games they were not learned from: three errors, each a mean over games.

The output distance (Algorithm 2) says how much the bets look like those of the equilibrium that was kept, of which a
game may have many. The other two say what playing them costs, exactly: exploitability against a best response,
whichever equilibrium was kept, and the value lost against the equilibrium of player 2 that was.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.errors import MismatchError
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.distances import output_distance

__all__ = ["DISTANCE_UNIT", "MONEY_UNIT", "VALUE_LOST_NOTE", "Scores", "exploitability", "score", "value_lost"]

DISTANCE_UNIT = "of_scale"  # 1: all of the betting, with every card, at the other end of the scale of bets
MONEY_UNIT = "dollars_per_hand"
VALUE_LOST_NOTE = "Value lost: to the solver's equilibrium of player 2; others may punish odd bets more."
TOLERANCE = 1e-6  # how far the bets with a card may be from adding up to 1


@dataclass(frozen=True)
class Scores:
    """Means over games, with 95% intervals.

    output_distance: to the equilibrium's bets, `of_scale`.
    exploitability:  what the bets lose to a best response, `dollars_per_hand`; its mean is the price of a strategy.
    value_lost:      what they lose to player 2's equilibrium, `dollars_per_hand`. Of its many equilibria the solver's,
                     which may be lenient to bets that player 1's equilibria never make: less than others would take.
    """

    output_distance: Estimate
    exploitability: Estimate
    value_lost: Estimate

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return asdict(self)


def score(solved: SolvedGames, bets: np.ndarray, choice: str = "solver") -> Scores:
    """Of `bets` `[G, C, B]` in the games, at least 2; `choice` is the equilibrium that the distance is measured to."""
    _require_bets(solved, bets)
    method = "exact"

    def mean(samples: np.ndarray, unit: str) -> Estimate:
        return Estimate.from_samples(samples, unit=unit, method=method, seed=solved.seed)

    return Scores(
        mean(output_distance(bets, solved.bets(choice)), DISTANCE_UNIT),
        mean(exploitability(solved, bets), MONEY_UNIT),
        mean(value_lost(solved, bets), MONEY_UNIT),
    )


def exploitability(solved: SolvedGames, bets: np.ndarray) -> np.ndarray:
    """`[G]` what `bets`, `[G, C, B]` or one `[1, C, B]` for all games, lose to a best response, dollars per hand."""
    _require_bets(solved, bets)
    # No strategy has a worst case above the value; what is below 0 is rounding.
    return np.asarray(np.maximum(solved.value - solved.games.worst_case(bets), 0.0))


def value_lost(solved: SolvedGames, bets: np.ndarray) -> np.ndarray:
    """`[G]` what `bets`, `[G, C, B]` or one `[1, C, B]`, lose to player 2's equilibrium, dollars per hand."""
    _require_bets(solved, bets)
    return np.asarray(np.maximum(solved.value - solved.games.earned(bets, solved.calls), 0.0))


def _require_bets(solved: SolvedGames, bets: np.ndarray) -> None:
    table = (solved.stakes.deck, solved.stakes.num_bets)
    if bets.ndim != 3 or len(bets) not in (1, len(solved)) or bets.shape[1:] != table:
        raise MismatchError(f"bets of shape {bets.shape}; {len(solved)} games need {(len(solved), *table)}")
    totals = bets.sum(axis=2)
    if not (bets.min() >= -TOLERANCE and np.abs(totals - 1.0).max() <= TOLERANCE):
        wrong = np.argmax(np.abs(totals - 1.0))
        card = wrong % table[0] + 1
        raise MismatchError(
            f"bets must be from 0 to 1 and add up to 1 with each card; in game {wrong // table[0]} with card {card}"
            f" the least is {bets.min():.6g} and the sum {totals.flat[wrong]:.6g}"
        )
