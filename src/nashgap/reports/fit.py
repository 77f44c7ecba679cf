"""The report of a learner: how well it plays unseen games, and how that grows with games, depth and nodes."""

from __future__ import annotations

import numpy as np

from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.fit import FitResult
from nashgap.explanations.learners import FittedRepresentedTree
from nashgap.explanations.scores import DISTANCE_UNIT, MONEY_UNIT, VALUE_LOST_NOTE
from nashgap.reports.report import Curve, Drawing, Plot, Report, Section, Table
from nashgap.reports.tree_drawing import draw_tree
from nashgap.runs.config import package_version

__all__ = ["fit_report"]

DRAWN_DEPTH = 4  # of a tree: deeper ones are no picture


def fit_report(result: FitResult) -> Report:
    """What was learned, in unseen games."""
    price, check = result.scores.exploitability, result.check.exploitability
    return Report(
        title=f"Learned from {result.num_train:,} solved games: {result.learner.name}",
        summary=(
            f"In {result.num_test:,} unseen games it loses {price.mean:.4f} ± {price.ci95:.4f} dollars a hand to a best"
            f" response; never betting loses {check.mean:.4f}."
        ),
        sections=(_scores(result), _learning(result), *_depths(result)),
        command=result.provenance.command,
        facts={
            "learner": result.learner.name,
            "choice of equilibrium": result.choice,
            "games learned from": result.num_train,
            "unseen games": result.num_test,
            "cards, bets": f"{result.stakes.deck}, {result.stakes.num_bets}",
            "seed of the games": result.seed,
            "version": package_version(),
        },
    )


def _scores(result: FitResult) -> Table:
    rows = tuple(
        (name, each.output_distance, each.exploitability, each.value_lost)
        for name, each in ((result.learner.name, result.scores), ("never bet", result.check))
    )
    return Table(
        "Errors in unseen games",
        ("strategy", "distance", "exploitability", "value lost"),
        rows,
        note=(
            "Distance: Algorithm 2 to the equilibrium that was learned; 1 is the whole scale of bets. Exploitability:"
            f" what a best response takes, exact. {VALUE_LOST_NOTE} An equilibrium has 0 in both."
        ),
    )


def _learning(result: FitResult) -> Plot:
    games = [games for games, _ in result.curve]
    prices = [scores.exploitability for _, scores in result.curve]
    curve = Curve(result.learner.name, games, [price.mean for price in prices], [price.ci95 for price in prices])
    never = (("never bet", result.check.exploitability.mean),)
    return Plot(
        "Exploitability by games learned from", "games", MONEY_UNIT, (curve,), log_x=True, lines=never, is_detail=True
    )


def _depths(result: FitResult) -> tuple[Section, ...]:
    if not result.depths or not isinstance(result.fitted, FittedRepresentedTree):
        return ()
    depth, nodes, scores = zip(*result.depths, strict=True)
    sections: list[Section] = []
    for name, unit in (("output_distance", DISTANCE_UNIT), ("exploitability", MONEY_UNIT)):
        estimates = [getattr(each, name) for each in scores]
        means, widths = [each.mean for each in estimates], [each.ci95 for each in estimates]
        words = name.replace("_", " ")
        by_depth = Curve(words, depth, means, widths)
        by_nodes = Curve(words, nodes, means, widths)
        sections.append(Plot(f"{words.capitalize()} by depth", "depth", unit, (by_depth,), is_detail=True))
        sections.append(Plot(f"{words.capitalize()} by nodes", "nodes", unit, (by_nodes,), log_x=True, is_detail=True))
    return (*sections, _drawing(result.fitted, result.stakes))


def _drawing(fitted: FittedRepresentedTree, stakes: Stakes) -> Drawing:
    tree = fitted.tree.cut(min(DRAWN_DEPTH, fitted.tree.max_depth))

    def condition(feature: int, threshold: float) -> str:
        return fitted.representation.condition(stakes, feature, threshold)

    def outcome(node: int) -> tuple[str, float]:
        bet = _mean_bet(fitted, stakes, tree.value[node])
        return f"bet {bet:.2f} on average", bet / stakes.stack

    title = f"The tree down to depth {tree.max_depth}" if tree is not fitted.tree else "The tree"
    return Drawing(title, draw_tree(tree, condition, outcome), is_detail=True)


def _mean_bet(fitted: FittedRepresentedTree, stakes: Stakes, value: np.ndarray) -> float:
    """In dollars, over all cards where the leaf speaks of all."""
    if fitted.representation.is_single_bet:
        return float(value[0])
    return float((value.reshape(-1, stakes.num_bets) @ stakes.amounts).mean())
