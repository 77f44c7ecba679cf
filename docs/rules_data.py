"""Writes src/nashgap/web/data/*.json, what the pages of rules show; to be run after a change of rules or prices.

    python docs/rules_data.py            # 8,000 games to learn from and 2,000 unseen ones; 1,000 rivers: 3 minutes

What it measures is what `nashgap explain rules`, `fit` and `rivers` measure, by the same functions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import nashgap as ng
from nashgap.core.estimate import Estimate
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.known_rules import EIGHT_RULES, TWO_RULES
from nashgap.explanations.learners import FittedRepresentedTree, NeighbourLearner, always_check
from nashgap.explanations.rule_prices import rule_prices
from nashgap.explanations.rule_study import PAPER_TREE
from nashgap.explanations.rule_words import rule_sentence
from nashgap.explanations.scores import score
from nashgap.explanations.tree_rules import LeafRule, leaf_rules

FOLDER = Path(__file__).parent.parent / "src/nashgap/web/data"
NUM_TRAIN, NUM_TEST = 8000, 2000
NUM_RIVERS = 1000


def main() -> None:
    _write("bet-size-rules", _bet_size())
    _write("rivers", _rivers())


def _bet_size() -> dict[str, Any]:
    solved = ng.explain.dataset(NUM_TRAIN + NUM_TEST, seed=0).games
    train, test = solved.split(NUM_TRAIN, NUM_TEST)
    tree = PAPER_TREE.fit(train)
    strategies = {
        "the eight rules": EIGHT_RULES.bets(test.games),
        "the 50 most similar solved games": NeighbourLearner(50).fit(train).bets(test.games),
        "the most similar solved game": NeighbourLearner(1).fit(train).bets(test.games),
        "always check": always_check(test.games),
        "the paper's two rules": TWO_RULES.bets(test.games),
        "the tree": tree.bets(test.games),
    }
    scores = {name: score(test, bets) for name, bets in strategies.items()}
    return {
        "train": len(train),
        "test": len(test),
        "seed": test.seed,
        "rules": _rules(test),
        "compared": [
            {"name": name, "price": _number(each.exploitability), "lost": _number(each.value_lost)}
            for name, each in sorted(scores.items(), key=lambda item: item[1].exploitability.mean)
        ],
        "tree": _tree(tree, test),
    }


def _rivers() -> dict[str, Any]:
    found = ng.explain.rivers(NUM_RIVERS, seed=0)
    told = {key: value for key, value in found.as_dict().items() if key != "version"}
    compared = [{"name": each.name, "price": _number(each.price), "lost": _number(each.lost)} for each in found.priced]
    return {**told, "compared": compared}


def _write(name: str, told: dict[str, Any]) -> None:
    text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def _rules(test: SolvedGames) -> list[dict[str, Any]]:
    return [
        {
            "sentence": rule_sentence(each.rule, test.stakes),
            "coverage": _number(each.part.coverage),
            "price": _number(each.part.price),
            "saves": _number(each.saves),
        }
        for each in rule_prices(test, EIGHT_RULES)
    ]


def _tree(fitted: FittedRepresentedTree, test: SolvedGames) -> dict[str, Any]:
    """Nested: a test with what follows if it is so and if it is not, or a leaf with its bet and price."""
    tree, leaves = fitted.tree, {leaf.node: leaf for leaf in leaf_rules(fitted, test)}
    nodes = fitted.tree.apply(fitted.representation.inputs(test.games)).reshape(len(test), test.stakes.deck)

    def told(node: int) -> dict[str, Any]:
        if node in leaves:
            return {"bet": round(float(tree.value[node][0]), 2), **_leaf(leaves[node])}
        condition = fitted.representation.condition(test.stakes, int(tree.feature[node]), float(tree.threshold[node]))
        yes, no = told(int(tree.left[node])), told(int(tree.right[node]))
        return {"condition": condition, "share": round(yes["share"] + no["share"], 4), "yes": yes, "no": no}

    assert np.isin(nodes, list(leaves)).all(), "every hand ends at a leaf"
    return told(0)


def _leaf(leaf: LeafRule) -> dict[str, Any]:
    return {
        "share": round(leaf.part.coverage.mean, 4),
        "sentence": leaf.sentence,
        "price": _number(leaf.part.price),
    }


def _number(estimate: Estimate) -> dict[str, float]:
    return {"mean": round(estimate.mean, 5), "ci95": round(estimate.ci95, 5)}


if __name__ == "__main__":
    main()
