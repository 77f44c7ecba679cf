"""The page of a few rules: found for little exploitability, told as sentences, and beside what else can be played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nashgap.errors import ConfigError
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.known_rules import EIGHT_RULES, KNOWN_SEED, TWO_RULES
from nashgap.explanations.learners import FittedRepresentedTree, NeighbourLearner, TreeLearner, always_check
from nashgap.explanations.rule_moves import ROUND, round_rules
from nashgap.explanations.rule_prices import RulePrice, rule_prices
from nashgap.explanations.rule_search import SHAKES, search_rules
from nashgap.explanations.rule_words import rule_sentence
from nashgap.explanations.rules import RuleList
from nashgap.explanations.scores import VALUE_LOST_NOTE, Scores, score
from nashgap.explanations.tree_rules import leaf_rules, round_tree
from nashgap.reports.report import Bars, Report, Section, Table, Text
from nashgap.runs.config import package_version

__all__ = [
    "ALWAYS_CHECK",
    "PAPER_TREE",
    "SEARCHED",
    "TWO",
    "RulesResult",
    "find_rules",
    "rules_report",
    "rules_sections",
    "tree_sections",
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


@dataclass(frozen=True, eq=False)
class RulesResult:
    """A few rules, and what they are worth in unseen games.

    found:    of numbers to the percent; `rules` are the best found with round ones.
    nearest:  what `found` costs with the nearest round numbers.
    prices:   of each of `rules`.
    compared: (name, scores) of strategies, `rules` first.
    tree:     the paper's tree of depth 4, fitted to all games that may be learned from.
    """

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

    def scores(self, name: str) -> Scores:
        """Of one of the strategies compared."""
        return dict(self.compared)[name]

    @property
    def ratio(self) -> float | None:
        """The rules' price for one dollar of the paper's two; None where those cost nothing."""
        two = self.scores(TWO).exploitability.mean
        return self.compared[0][1].exploitability.mean / two if two > 0 else None

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
    strategies: dict[str, np.ndarray] = {
        _count(rules, "round numbers"): rules.bets(games),
        _count(found, "any numbers"): found.bets(games),
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
    )


def rules_report(result: RulesResult, test: SolvedGames, command: str) -> Report:
    """The rules, their prices and the tree's, on one page."""
    best, two = result.compared[0][1].exploitability, result.scores(TWO).exploitability
    return Report(
        title=f"{len(result.rules)} rules for the bet-size game",
        summary=(
            f"Playing by {len(result.rules)} rules loses {best.mean:.4f} ± {best.ci95:.4f} dollars a hand to a best"
            f" response in unseen games; the paper's two rules lose {two.mean:.4f} ± {two.ci95:.4f}."
        ),
        sections=(
            *rules_sections(result),
            *tree_sections(result.tree, test, result.choice),
        ),
        command=command,
        facts={
            "searched": result.num_searched,
            "learned from": result.num_train,
            "tested on": result.num_test,
            "equilibria": result.choice,
            "seed": result.seed,
            "version": package_version(),
        },
    )


def rules_sections(result: RulesResult) -> tuple[Section, ...]:
    """The rules as sentences with their prices, and the comparison."""
    return (
        Text(
            "The rules: the first that applies decides; all other hands check",
            tuple(f"{number}. {sentence}" for number, sentence in enumerate(result.sentences, start=1))
            or ("None: no rule that was tried costs less than checking every hand.",),
        ),
        Table(
            "What each rule is worth in unseen games",
            ("rule", "coverage", "error", "price", "saves"),
            tuple(
                (number, each.part.coverage, each.part.error or "-", each.part.price, each.saves)
                for number, each in enumerate(result.prices, start=1)
            ),
            note=(
                "Coverage: the share of the hands dealt that the rule decides. Error: how far its bets are from the"
                " equilibrium's, 1 = check against all-in. Price: exploitability if the rule is followed and all other"
                " hands are played as in the equilibrium; a bet costs without its bluff, and a bluff without its bet."
                " Saves: how much more the rules would cost without it."
            ),
        ),
        Bars(
            "Exploitability in unseen games",
            "exploitability",
            tuple((name, scores.exploitability) for name, scores in result.compared),
            note="What each strategy loses to a best response, dollars a hand.",
        ),
        Table(
            "All errors in unseen games",
            ("strategy", "exploitability", "value lost", "output distance"),
            tuple(
                (name, scores.exploitability, scores.value_lost, scores.output_distance)
                for name, scores in result.compared
            ),
            note=(
                f"Rules are searched in {result.num_searched:,} games, the others learn from {result.num_train:,}; all"
                f" play {result.num_test:,} others. Those as found, each number replaced by the nearest round one:"
                f" {result.nearest.exploitability.mean:.4f} ± {result.nearest.exploitability.ci95:.4f}."
                f" {VALUE_LOST_NOTE}"
            ),
        ),
    )


def tree_sections(tree: FittedRepresentedTree, test: SolvedGames, choice: str) -> tuple[Table, Table]:
    """What round thresholds and bets cost a tree, and the leaves of a rounded one as sentences with their prices."""
    games = test.games
    rows = [("-", "-", score(test, tree.bets(games), choice))]
    for share, bet in TREE_ROUNDINGS:
        rounded = round_tree(tree, test.stakes, share, bet * test.stakes.pot)
        rows.append((f"{share:.0%}", f"{bet * test.stakes.pot:g}", score(test, rounded.bets(games), choice)))
    share, bet = TREE_ROUNDINGS[0][0], TREE_ROUNDINGS[0][1] * test.stakes.pot
    leaves = leaf_rules(round_tree(tree, test.stakes, share, bet), test, choice)
    return (
        Table(
            f"The paper's tree of depth {PAPER_TREE.depth} with round numbers",
            ("thresholds to", "bets to", "exploitability", "output distance"),
            tuple((share, bet, each.exploitability, each.output_distance) for share, bet, each in rows),
            note="The first is the tree as fitted.",
        ),
        Table(
            f"Its leaves as rules, thresholds to {share:.0%} and bets to {bet:g}",
            ("rule", "coverage", "error", "price"),
            tuple(
                (leaf.sentence, leaf.part.coverage, leaf.part.error or "-", leaf.part.price)
                for leaf in leaves
                if leaf.part.coverage.mean > 0
            ),
            note="Each by itself: all other hands are played as in the equilibrium. Rules for no hand are left out.",
        ),
    )


def _zeroed(scores: Scores) -> Scores:
    """Losses of an equilibrium are rounding."""
    money = (scores.exploitability, scores.value_lost)
    exploitability, lost = (each if each.mean > ZERO else replace(each, mean=0.0, ci95=0.0) for each in money)
    return replace(scores, exploitability=exploitability, value_lost=lost)


def _count(rules: RuleList, words: str) -> str:
    return f"{len(rules)} rule{'' if len(rules) == 1 else 's'}, {words}"
