"""Section 3.1.1: an equilibrium strategy that loses when both opponents leave the equilibrium."""

from __future__ import annotations

import numpy as np

from nashgap.core.tree import GameTree
from nashgap.games.compiled import load_tree
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.best_response import Exploitability, expected_values, exploitability
from nashgap.reports.report import Figure, FigureTable, Report, Text
from nashgap.runs import package_version
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
        Figure("all random: best gain of a player", max(all_random.gains), unit, published=0),
        Figure("player 3 heads against two random", expected_values(tree, answers[0])[2], unit, published=0),
        Figure("player 3 tails against two random", expected_values(tree, answers[1])[2], unit, published=0),
        Figure("player 3 random against two heads", lone_random[2], unit, published=-0.5),
        Figure("all heads: value of each player", max(all_heads.values, key=abs), unit, published=0),
        Figure("all heads: best gain of a player", max(all_heads.gains), unit, published=0),
    )
    num_confirmed = sum(figure.value == figure.published for figure in figures)
    return Report(
        title="Three-player matching pennies (thesis, section 3.1.1)",
        summary=(
            f"{num_confirmed} of the {len(figures)} figures of the section are confirmed exactly. All random is"
            f" {_kind(all_random)}, all heads is {_kind(all_heads)}; a random player earns {lone_random[2]:g} antes"
            " a game against two who always choose heads."
        ),
        sections=(
            FigureTable("Values, exact", figures),
            Text(
                "What it means",
                (
                    "An equilibrium says that nobody gains by deviating alone. With more than two players it promises"
                    " nothing to those who stay: here two leave it together, and then the three earn"
                    f" {', '.join(f'{value:g}' for value in lone_random)}.",
                ),
            ),
        ),
        command=command_of("thesis-matching-pennies", request),
        facts={
            "game": tree.game,
            "method": "exact values and best responses",
            "unit": unit,
            "version": package_version(),
        },
    )


def _kind(profile: Exploitability) -> str:
    return "an equilibrium" if max(profile.gains) == 0 else f"no equilibrium (a player gains {max(profile.gains):g})"


def _always_tails(heads: TableStrategy) -> TableStrategy:
    """The other side of every penny."""
    return TableStrategy(heads.tree, 1.0 - heads.probabilities)
