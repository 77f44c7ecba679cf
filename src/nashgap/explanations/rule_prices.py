"""What rules are worth in games they were not made from: coverage, agreement with equilibria, error and price.

A rule is measured by itself: all other hands are played as in the equilibrium, so that what is lost is the rule's own
price. A whole list is scored as any strategy is (`nashgap.explanations.scores`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.errors import MismatchError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.rules import Bluff, Mix, Rule, RuleList, bet_index
from nashgap.explanations.scores import DISTANCE_UNIT, MONEY_UNIT, exploitability

__all__ = ["SHARE_UNIT", "PartPrice", "RulePrice", "agreement", "part_price", "rule_prices", "rule_row"]

SHARE_UNIT = "of_hands"
FEWEST_GAMES = 10


@dataclass(frozen=True)
class PartPrice:
    """What it is worth to play some hands in a given way and all others as in the equilibrium; means over games.

    coverage: the share of the hands dealt that are so played.
    error:    how far the bets with those hands are from the equilibrium's (earth mover's distance, 1 = check against
              all-in); None where hands of fewer than 10 games are covered.
    price:    what a best response gains by it.
    """

    coverage: Estimate
    error: Estimate | None
    price: Estimate

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return asdict(self)


@dataclass(frozen=True)
class RulePrice:
    """One rule of a list; `saves` is how much more the list would cost without it, dollars per hand."""

    rule: Rule
    part: PartPrice
    saves: Estimate


def rule_prices(solved: SolvedGames, rules: RuleList, choice: str = "solver") -> tuple[RulePrice, ...]:
    """Each rule of the list by itself."""
    games = solved.games
    shares = rules.decide(games).shares
    whole = exploitability(solved, rules.bets(games))
    prices = []
    for place, (rule, share) in enumerate(zip(rules.rules, shares, strict=True)):
        others = RuleList(rules.rules[:place] + rules.rules[place + 1 :])
        saves = exploitability(solved, others.bets(games)) - whole
        part = part_price(solved, share, rule_row(rule, solved.stakes), choice)
        prices.append(RulePrice(rule, part, _mean(solved, saves, MONEY_UNIT)))
    return tuple(prices)


def rule_row(rule: Rule, stakes: Stakes) -> np.ndarray:
    """`[B]` the bets of a hand that the rule decides."""
    row = np.zeros(stakes.num_bets)
    match rule.action:
        case Bluff(bet):
            row[bet_index(stakes, bet)] = 1.0
        case Mix(bet, chance, otherwise):
            row[bet_index(stakes, bet)] = chance
            row[bet_index(stakes, otherwise)] += 1.0 - chance
    return row


def part_price(solved: SolvedGames, share: np.ndarray, bets: np.ndarray, choice: str = "solver") -> PartPrice:
    """Of playing `share`, `[G, C]`, of each hand by `bets`, `[G, C, B]` or one row `[B]` for all."""
    if share.shape != (len(solved), solved.stakes.deck):
        raise MismatchError(f"shares of shape {share.shape} for {len(solved)} games of {solved.stakes.deck} cards")
    equilibrium = solved.bets(choice)
    own = solved.games.pdf[:, 0]
    weight = own * share
    difference = bets - equilibrium
    distance = np.abs(np.cumsum(difference, axis=2)[:, :, :-1]).mean(axis=2)
    followed = equilibrium + share[:, :, None] * difference
    return PartPrice(
        _mean(solved, weight.sum(axis=1), SHARE_UNIT),
        _ratio(solved, (weight * distance).sum(axis=1), weight.sum(axis=1), DISTANCE_UNIT),
        _mean(solved, _without_dust(exploitability(solved, followed)), MONEY_UNIT),
    )


def agreement(solved: SolvedGames, share: np.ndarray, low: float, high: float, choice: str) -> Estimate | None:
    """How much of the equilibrium's probability is on bets from `low` to `high` dollars with the hands of `share`.

    share: `[G, C]` how much of each hand counts. None where hands of fewer than 10 games do.
    """
    amounts = solved.stakes.amounts
    is_meant = (amounts >= low - 1e-9) & (amounts <= high + 1e-9)
    follows = solved.bets(choice)[:, :, is_meant].sum(axis=2)
    weight = solved.games.pdf[:, 0] * share
    return _ratio(solved, (weight * follows).sum(axis=1), weight.sum(axis=1), SHARE_UNIT)


def _without_dust(losses: np.ndarray) -> np.ndarray:
    """What is below is rounding of the arithmetic."""
    return np.where(losses < 1e-9, 0.0, losses)


def _mean(solved: SolvedGames, samples: np.ndarray, unit: str) -> Estimate:
    return Estimate.from_samples(samples, unit=unit, method="exact", seed=solved.seed)


def _ratio(solved: SolvedGames, parts: np.ndarray, wholes: np.ndarray, unit: str) -> Estimate | None:
    """`parts.sum() / wholes.sum()` over independent games, with the interval of its linearisation.

    None where fewer games count than an interval needs.
    """
    if np.count_nonzero(wholes > 0) < FEWEST_GAMES:
        return None
    ratio = parts.sum() / wholes.sum()
    return _mean(solved, ratio + (parts - ratio * wholes) / wholes.mean(), unit)
