"""Section 3.1.1: an equilibrium strategy that loses when both opponents leave the equilibrium."""

from __future__ import annotations

import numpy as np

from nashgap.core.tree import GameTree
from nashgap.games.compiled import load_tree
from nashgap.measure.best_response import expected_values, exploitability
from nashgap.papers.reproduction import Request, command_of
from nashgap.runs import Figure, FigureTable, Report, Text
from nashgap.strategies.table import TableStrategy, uniform

__all__ = ["always_heads", "matching_pennies"]


def always_heads(tree: GameTree) -> TableStrategy:
    """Every player chooses heads."""
    probabilities = np.zeros(tree.num_slots)
    for infoset in range(tree.num_infosets):
        probabilities[tree.slots(infoset)][tree.actions(infoset).index("heads")] = 1.0
    return TableStrategy(tree, probabilities, {"name": "always-heads"})


def matching_pennies(request: Request) -> Report:
    """The thesis's example with three pennies, every number exact."""
    tree = load_tree("matching_pennies")
    random, heads = uniform(tree), always_heads(tree)
    all_random, all_heads = exploitability(tree, random), exploitability(tree, heads)
    lone_random = expected_values(tree, heads.with_players({2: random}))
    answers = [random.with_players({2: answer}) for answer in (heads, _always_tails(heads))]
    unit = tree.unit
    figures = (
        Figure("all random: value of each player", max(all_random.values, key=abs), unit, published=0),
        Figure("all random: best gain of a player", max(all_random.gains), unit, published=0, note="equilibrium"),
        Figure("player 3 heads against two random", expected_values(tree, answers[0])[2], unit, published=0),
        Figure("player 3 tails against two random", expected_values(tree, answers[1])[2], unit, published=0),
        Figure("player 3 random against two heads", lone_random[2], unit, published=-0.5, note="loses half an ante"),
        Figure("all heads: value of each player", max(all_heads.values, key=abs), unit, published=0),
        Figure("all heads: best gain of a player", max(all_heads.gains), unit, published=0, note="equilibrium"),
    )
    return Report(
        title="Three-player matching pennies (thesis, section 3.1.1)",
        summary=(
            "All random is an equilibrium worth 0 to everybody, and so is all heads; yet a random player loses 1/2 ante"
            " a game to two who always choose heads. Every figure of the section is confirmed exactly."
        ),
        sections=(
            FigureTable("Values, exact", figures),
            Text(
                "What it means",
                (
                    "An equilibrium says that nobody gains by deviating alone. With more than two players it promises"
                    " nothing to those who stay: here two leave it together, and each gains 1/4 from the third.",
                ),
            ),
        ),
        command=command_of("thesis-matching-pennies", request),
        facts={"game": tree.game, "method": "exact values and best responses", "unit": unit},
    )


def _always_tails(heads: TableStrategy) -> TableStrategy:
    """The other side of every penny."""
    return TableStrategy(heads.tree, 1.0 - heads.probabilities)
