"""The report of a few rules: told as sentences, with what they cost, and beside what else can be played."""

from __future__ import annotations

from nashgap.explanations.rule_study import PAPER_TREE, RulesResult
from nashgap.explanations.scores import VALUE_LOST_NOTE
from nashgap.reports.report import Bars, Cell, Report, Section, Table, Text
from nashgap.runs.config import package_version

__all__ = ["rules_report", "rules_sections", "tree_sections"]


def rules_report(result: RulesResult) -> Report:
    """The rules, their prices and the tree's, on one page."""
    return Report(
        title=f"{len(result.rules)} rule{'' if len(result.rules) == 1 else 's'} for the bet-size game",
        summary=result.summary,
        sections=(*rules_sections(result), *tree_sections(result)),
        command=result.provenance.command,
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
            is_detail=True,
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


def tree_sections(result: RulesResult) -> tuple[Table, Table]:
    """What round thresholds and bets cost the paper's tree, and the leaves of a rounded one with prices."""
    fitted, first = result.scores(PAPER_TREE.name), result.rounded[0]
    rows: list[tuple[Cell, ...]] = [("-", "-", fitted.exploitability, fitted.output_distance)]
    for each in result.rounded:
        rows.append((f"{each.share:.0%}", f"{each.bet:g}", each.scores.exploitability, each.scores.output_distance))
    return (
        Table(
            f"The paper's tree of depth {PAPER_TREE.depth} with round numbers",
            ("thresholds to", "bets to", "exploitability", "output distance"),
            tuple(rows),
            note="The first is the tree as fitted.",
        ),
        Table(
            f"Its leaves as rules, thresholds to {first.share:.0%} and bets to {first.bet:g}",
            ("rule", "coverage", "error", "price"),
            tuple(
                (leaf.sentence, leaf.part.coverage, leaf.part.error or "-", leaf.part.price)
                for leaf in result.leaves
                if leaf.part.coverage.mean > 0
            ),
            note="Each by itself: all other hands are played as in the equilibrium. Rules for no hand are left out.",
            is_detail=True,
        ),
    )
