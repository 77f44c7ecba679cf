"""The best few rules: a search for the least mean exploitability, not for likeness to equilibria.

Starts are ladders: some bets, the bigger the stronger the hand, each balanced by its bluff. A start is improved one
number at a time (coordinate descent with halving steps: thresholds, bets, ratios, conditions, the order) and grown
greedily while there is room; the best is shaken some times and improved again. Conditions and rules have a price of
their own, so that none stays that hardly helps. All of it is seeded and looks at the training games only. What a list
loses is measured exactly, against a best response in each game; only the bets that it makes are computed, so that a
thousand games take a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nashgap.core.job import is_whole
from nashgap.errors import ConfigError
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.rule_features import FEATURES
from nashgap.explanations.rule_moves import (
    FINE,
    BluffRule,
    Grid,
    Rules,
    additions,
    balanced_bluff,
    changes,
    ladders,
    round_rules,
    shaken,
)
from nashgap.explanations.rules import RuleList, decide

__all__ = ["SHAKES", "Judge", "search_rules"]

# What a rule or a condition must save to be worth remembering, pots per hand.
PRICE_OF_WORDS = 1e-4
LEAST_GAIN = 1e-6
# How often random changes are tried as a way out of a local optimum.
SHAKES = 4
# Games on which starts are compared; the winner is then improved on all.
SCREENED = 400


class Judge:
    """The mean exploitability of rules over some games, dollars per hand."""

    def __init__(self, solved: SolvedGames) -> None:
        games = solved.games
        self.stakes = games.stakes
        self._own = np.ascontiguousarray(games.pdf[:, 0])
        self._features = {name: np.ascontiguousarray(feature.values(games)) for name, feature in FEATURES.items()}
        by_answer = games.joint.transpose(0, 2, 1)
        self._answers = np.concatenate([by_answer * games.stakes.shows.T, by_answer], axis=1).astype(np.float32)
        self._shown = games.stakes.ante * (games.joint * games.stakes.shows).sum(axis=2)
        self._lost_by_checking = float((solved.value - self._shown.sum(axis=1)).mean())

    def loss(self, rules: Rules) -> float:
        """The price of playing by the rules."""
        placed = decide(rules, self._features, self._own, self.stakes).placed
        if not placed:
            return self._lost_by_checking
        num_cards, indices = self.stakes.deck, list(placed)
        bets = np.stack(list(placed.values()), axis=2)
        answers = self._answers @ bets.astype(np.float32)
        called = answers[:, :num_cards] * (self.stakes.ante + self.stakes.amounts[indices]).astype(np.float32)
        folded = answers[:, num_cards:] * np.float32(self.stakes.ante)
        won = float(np.minimum(called, folded).sum(dtype=np.float64))
        # Hands that bet are not shown down for the antes.
        return self._lost_by_checking - (won - float((bets.sum(axis=2) * self._shown).sum())) / len(self._own)

    def cost(self, rules: Rules) -> float:
        """The loss and what remembering the rules is worth: what the search makes small."""
        return self.loss(rules) + PRICE_OF_WORDS * self.stakes.pot * sum(1 + len(rule.conditions) for rule in rules)


def search_rules(
    solved: SolvedGames,
    max_rules: int = 8,
    *,
    grid: Grid = FINE,
    start: RuleList | None = None,
    bluff: BluffRule = balanced_bluff,
    shakes: int = SHAKES,
    seed: int = 0,
    on_note: Callable[[str], None] | None = None,
) -> RuleList:
    """At most so many rules with a small mean exploitability in the games.

    grid:   of their numbers.
    start:  rules to start from, beside the ladders.
    bluff:  the rule that goes with a bet.
    shakes: how often the best rules are changed at random, drawn by the seed, and improved again.
    """
    if not is_whole(max_rules) or max_rules < 1:
        raise ConfigError(f"max_rules = {max_rules}; it must be a whole number, at least 1")
    judge = Judge(solved[:SCREENED])
    starts = ladders(max_rules, bluff)
    if start is not None:
        starts.append(start.rules[:max_rules])
    found = []
    for number, rules in enumerate(starts, start=1):
        found.append(_search_from(judge, round_rules(RuleList(rules), grid).rules, max_rules, grid, bluff))
        if on_note is not None:
            on_note(f"start {number} of {len(starts)}: {len(found[-1][0])} rules at {judge.loss(found[-1][0]):.4f}")
    best, cost = min(found, key=lambda each: each[1])
    generator = np.random.default_rng(seed)
    for number in range(1, shakes + 1):
        rules, new_cost = _search_from(judge, shaken(best, grid, generator), max_rules, grid, bluff)
        if new_cost < cost:
            best, cost = rules, new_cost
        if on_note is not None:
            on_note(f"shake {number} of {shakes}: {len(best)} rules at {judge.loss(best):.4f}")
    return RuleList(_search_from(Judge(solved), best, max_rules, grid, bluff, is_grown=False)[0])


def _search_from(
    judge: Judge, rules: Rules, max_rules: int, grid: Grid, bluff: BluffRule, *, is_grown: bool = True
) -> tuple[Rules, float]:
    """The rules improved and grown until nothing helps, and their cost."""
    rules, cost = _improve(judge, rules, grid)
    while is_grown and (grown := _grow(judge, rules, cost, max_rules - len(rules), grid, bluff)) is not None:
        rules, cost = _improve(judge, grown, grid)
    return rules, cost


def _grow(judge: Judge, rules: Rules, cost: float, room: int, grid: Grid, bluff: BluffRule) -> Rules | None:
    """The rules with the addition that helps most, rule for rule; None if none helps."""
    best, best_gain = None, LEAST_GAIN * judge.stakes.pot
    for grown in additions(rules, room, grid, bluff):
        gain = (cost - judge.cost(grown)) / (len(grown) - len(rules))
        if gain > best_gain:
            best, best_gain = grown, gain
    return best


def _improve(judge: Judge, rules: Rules, grid: Grid) -> tuple[Rules, float]:
    """Coordinate descent: the rules that no single change makes better, and their cost."""
    cost = judge.cost(rules)
    for scale in (4, 2, 1):
        has_improved = True
        while has_improved:
            has_improved = False
            place = 0
            while place < len(rules):
                for changed in changes(rules, place, grid, scale):
                    if (new_cost := judge.cost(changed)) < cost - LEAST_GAIN * judge.stakes.pot:
                        rules, cost, has_improved = changed, new_cost, True
                        break
                else:
                    place += 1
    return rules, cost
