"""A search for a few rules that make a whole strategy, and what they cost beside what else can be played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.result import Result, frame
from nashgap.errors import ConfigError
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.known_rules import EIGHT_RULES, KNOWN_SEED, TWO_RULES
from nashgap.explanations.learners import FittedRepresentedTree, NeighbourLearner, TreeLearner, always_check
from nashgap.explanations.rule_moves import ROUND, round_rules
from nashgap.explanations.rule_prices import RulePrice, rule_prices
from nashgap.explanations.rule_search import SHAKES, search_rules
from nashgap.explanations.rule_words import rule_sentence
from nashgap.explanations.rules import RuleList
from nashgap.explanations.scores import Scores, score
from nashgap.explanations.tree_rules import LeafRule, leaf_rules, round_tree

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "ALWAYS_CHECK",
    "PAPER_TREE",
    "SEARCHED",
    "TWO",
    "RoundedTree",
    "RulesResult",
    "find_rules",
]

# Games that the search looks at: more change its rules hardly, and it takes longer.
SEARCHED = 1000
LEAST_GAMES = 50
ZERO = 1e-9
PAPER_TREE = TreeLearner("cdf+card-cdf:bet", depth=4)
"""That of Figure 8, from which the paper reads its rules."""
TWO, KNOWN, ALWAYS_CHECK = "the paper's two rules", "eight known rules", "always check"
EQUILIBRIUM = "equilibrium"
NEIGHBOURS = (1, 10)
# Thresholds and bets, in pots, that a tree is rounded to.
TREE_ROUNDINGS = ((0.05, 0.1), (0.05, 0.5), (0.1, 0.1), (0.1, 0.5))


@dataclass(frozen=True)
class RoundedTree:
    """A tree with round numbers in unseen games: thresholds to multiples of `share`, bets to those of `bet` dollars."""

    share: float
    bet: float
    scores: Scores


@dataclass(frozen=True, eq=False, repr=False)
class RulesResult(Result):
    """A few rules, and what they are worth in unseen games.

    found:    of numbers to the percent; `rules` are the best found with round ones.
    nearest:  what `found` costs with the nearest round numbers.
    prices:   of each of `rules`.
    compared: (name, scores) of strategies, `rules` first.
    tree:     the paper's tree of depth 4, fitted to all games that may be learned from.
    rounded:  the tree with round numbers; `leaves`: those of the first of these as rules.
    """

    reporter: ClassVar[str] = "nashgap.reports.rules:rules_report"

    found: RuleList
    rules: RuleList
    choice: str
    num_searched: int
    num_train: int
    num_test: int
    seed: int
    nearest: Scores
    prices: tuple[RulePrice, ...]
    compared: tuple[tuple[str, Scores], ...]
    tree: FittedRepresentedTree
    sentences: tuple[str, ...]
    rounded: tuple[RoundedTree, ...]
    leaves: tuple[LeafRule, ...]

    def scores(self, name: str) -> Scores:
        """Of one of the strategies compared."""
        return dict(self.compared)[name]

    @property
    def ratio(self) -> float | None:
        """The rules' price for one dollar of the paper's two; None where those cost nothing."""
        two = self.scores(TWO).exploitability.mean
        return self.compared[0][1].exploitability.mean / two if two > 0 else None

    @property
    def summary(self) -> str:
        best, two = self.compared[0][1].exploitability, self.scores(TWO).exploitability
        return (
            f"Playing by {_counted(self.rules)} loses {best.mean:.4f} ± {best.ci95:.4f} dollars a hand to a best"
            f" response in unseen games; the paper's two rules lose {two.mean:.4f} ± {two.ci95:.4f}."
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each rule, in the order in which they are asked."""
        rows = [
            (sentence, each.part.coverage.mean, each.part.price.mean, each.part.price.ci95, each.saves.mean)
            for sentence, each in zip(self.sentences, self.prices, strict=True)
        ]
        return frame(("rule", "coverage", "price", "price_ci95", "saves"), rows)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        rules = [
            {"rule": sentence, **each.part.as_dict(), "saves": each.saves.as_dict()}
            for sentence, each in zip(self.sentences, self.prices, strict=True)
        ]
        return {
            "choice": self.choice,
            "searched": self.num_searched,
            "train": self.num_train,
            "test": self.num_test,
            "seed": self.seed,
            "rules": rules,
            "price_to_two_rules": self.ratio,
            "nearest_round_numbers": self.nearest.as_dict(),
            "compared": {name: scores.as_dict() for name, scores in self.compared},
        }


def find_rules(
    train: SolvedGames,
    test: SolvedGames,
    max_rules: int,
    choice: str = "solver",
    shakes: int = SHAKES,
    on_note: Callable[[str], None] | None = None,
) -> RulesResult:
    """Search among the first of the training games, fit the others to all of them, and score all on the test games."""
    if len(train) < LEAST_GAMES:
        raise ConfigError(f"{len(train)} games to learn from; a search for rules needs at least {LEAST_GAMES}")
    searched, games = train[:SEARCHED], test.games
    found = search_rules(searched, max_rules, shakes=shakes, on_note=on_note)
    rules = search_rules(searched, max_rules, grid=ROUND, start=found, shakes=shakes, on_note=on_note)
    nearest = round_rules(found)
    tree = PAPER_TREE.fit(train, choice)
    steps = [(share, bet * test.stakes.pot) for share, bet in TREE_ROUNDINGS]
    rounded = [round_tree(tree, test.stakes, *step) for step in steps]
    strategies: dict[str, np.ndarray] = {
        f"{_counted(rules)}, round numbers": rules.bets(games),
        f"{_counted(found)}, any numbers": found.bets(games),
    }
    if test.seed != KNOWN_SEED:  # the set that they were searched in
        strategies[KNOWN] = EIGHT_RULES.bets(games)
    for count in NEIGHBOURS:
        learner = NeighbourLearner(count)
        strategies[learner.name] = learner.fit(train, choice).bets(games)
    strategies |= {
        PAPER_TREE.name: tree.bets(games),
        TWO: TWO_RULES.bets(games),
        ALWAYS_CHECK: always_check(games),
        EQUILIBRIUM: test.bets(choice),
    }
    return RulesResult(
        found,
        rules,
        choice,
        len(searched),
        len(train),
        len(test),
        test.seed,
        score(test, nearest.bets(games), choice),
        rule_prices(test, rules, choice),
        tuple((name, _zeroed(score(test, bets, choice))) for name, bets in strategies.items()),
        tree,
        tuple(rule_sentence(rule, test.stakes) for rule in rules.rules),
        tuple(
            RoundedTree(*step, score(test, each.bets(games), choice)) for step, each in zip(steps, rounded, strict=True)
        ),
        leaf_rules(rounded[0], test, choice),
    )


def _zeroed(scores: Scores) -> Scores:
    """Losses of an equilibrium are rounding."""
    money = (scores.exploitability, scores.value_lost)
    exploitability, lost = (each if each.mean > ZERO else replace(each, mean=0.0, ci95=0.0) for each in money)
    return replace(scores, exploitability=exploitability, value_lost=lost)


def _counted(rules: RuleList) -> str:
    return f"{len(rules)} rule{'' if len(rules) == 1 else 's'}"
