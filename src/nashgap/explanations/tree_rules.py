"""The leaves of a decision tree as sentences, each with its coverage, error and price; and the tree with round numbers.

For trees that are given one card at a time (`Representation.is_per_card`): a leaf of the others is a whole strategy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.learners import FittedRepresentedTree
from nashgap.explanations.representations import CardInput, Representation
from nashgap.explanations.rule_prices import PartPrice, part_price
from nashgap.explanations.rule_words import bet_words, range_words
from nashgap.explanations.trees import FittedTree

__all__ = ["LeafRule", "leaf_rules", "leaf_sentences", "round_tree"]

# Bets of a leaf that are made at least so often are told.
TOLD_CHANCE = 0.1


@dataclass(frozen=True)
class LeafRule:
    """One leaf: its node in the tree, the sentence, and what playing by it costs."""

    node: int
    sentence: str
    part: PartPrice


def leaf_rules(fitted: FittedRepresentedTree, test: SolvedGames, choice: str = "solver") -> tuple[LeafRule, ...]:
    """Every leaf, from left to right, over the test games."""
    sentences = leaf_sentences(fitted, test.stakes)
    games = test.games
    nodes = fitted.tree.apply(fitted.representation.inputs(games)).reshape(len(games), test.stakes.deck)
    bets = fitted.bets(games)
    return tuple(
        LeafRule(node, sentence, part_price(test, (nodes == node).astype(np.float64), bets, choice))
        for node, sentence in sentences.items()
    )


def leaf_sentences(fitted: FittedRepresentedTree, stakes: Stakes) -> dict[int, str]:
    """A sentence for each leaf, by its node, from left to right."""
    if not fitted.representation.is_per_card:
        raise ConfigError(
            f"a tree on {fitted.representation.name} decides all cards at once; only trees on one card have rules"
        )
    sentences = {}
    for node, bounds in _leaves(fitted.tree):
        clauses = [
            _clause(fitted.representation, stakes, feature, low, high) for feature, (low, high) in bounds.items()
        ]
        row = fitted.representation.bets(stakes, np.tile(fitted.tree.value[node], (stakes.deck, 1)))[0, 0]
        sentences[node] = f"If {' and '.join(clauses) or 'you hold any hand'}, {_row_words(row, stakes)}."
    return sentences


def round_tree(
    fitted: FittedRepresentedTree, stakes: Stakes, share: float = 0.05, bet: float = 0.1
) -> FittedRepresentedTree:
    """The tree with thresholds to multiples of `share`; predicted single bets to multiples of `bet` dollars."""
    if not (0.0 < share < 1.0 and bet > 0.0):
        raise ConfigError(f"thresholds cannot be rounded to {share} and bets to {bet}; both must be above 0")
    tree, representation = fitted.tree, fitted.representation
    is_number = (representation.card is CardInput.NUMBER) & (tree.feature == 2 * stakes.deck)
    threshold = np.where(is_number, tree.threshold, np.round(tree.threshold / share) * share)
    value = np.round(tree.value / bet) * bet if representation.is_single_bet else tree.value
    return FittedRepresentedTree(representation, replace(tree, threshold=threshold, value=value))


def _leaves(tree: FittedTree) -> list[tuple[int, dict[int, tuple[float, float]]]]:
    """(leaf, for each feature tested on the way: above the first, at most the second), from left to right."""
    found = []
    waiting: list[tuple[int, dict[int, tuple[float, float]]]] = [(0, {})]
    while waiting:
        node, bounds = waiting.pop()
        feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
        if feature < 0:
            found.append((node, bounds))
            continue
        low, high = bounds.get(feature, (-np.inf, np.inf))
        waiting.append((int(tree.right[node]), {**bounds, feature: (max(low, threshold), high)}))
        waiting.append((int(tree.left[node]), {**bounds, feature: (low, min(high, threshold))}))
    return found


def _clause(representation: Representation, stakes: Stakes, feature: int, low: float, high: float) -> str:
    """What a leaf asks of one feature, in words."""
    if representation.is_card_number(stakes, feature):
        least, most = (1 if low == -np.inf else int(low) + 1), (stakes.deck if high == np.inf else int(high))
        return f"your card is {least}" if least == most else f"your card is from {least} to {most}"
    return representation.share_words(stakes, feature, range_words(low, min(high, 1.0), is_above=True))


def _row_words(row: np.ndarray, stakes: Stakes) -> str:
    """The bets that are made often, the most likely first."""
    order = [int(index) for index in np.argsort(-row, kind="stable") if row[index] >= TOLD_CHANCE]
    if not order or row[order[0]] > 1.0 - TOLD_CHANCE:
        return bet_words(stakes, int(np.argmax(row)))
    told = ", ".join(f"{bet_words(stakes, index)} {row[index]:.0%} of the time" for index in order)
    return told if row[order].sum() > 1.0 - TOLD_CHANCE else f"{told}, else other bets"
