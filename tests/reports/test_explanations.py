"""The reports of what a person can learn: solved games, learners, rules, prototypes, distances."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sample_results import sample_distance, sample_prototypes, small_games

import nashgap as ng
from nashgap.explanations.fit import fit
from nashgap.explanations.learners import NeighbourLearner
from nashgap.explanations.rule_study import PAPER_TREE, TWO, find_rules
from nashgap.explanations.scores import score
from nashgap.explanations.tree_rules import leaf_rules, round_tree
from nashgap.reports.dataset import dataset_report
from nashgap.reports.distance import distance_report
from nashgap.reports.fit import fit_report
from nashgap.reports.prototypes import prototypes_report
from nashgap.reports.report import Bars, Drawing, FigureTable, Plot, Report, Table, Text
from nashgap.reports.rules import rules_report


def tables_of(report: Report) -> list[Table]:
    return [section for section in report.sections if isinstance(section, Table)]


def test_a_dataset_tells_what_its_games_are_worth() -> None:
    dataset = ng.explain.dataset(20, deck=4, stack=1.0, step=0.25)
    report = dataset_report(dataset)
    figures, plot = report.sections
    assert isinstance(figures, FigureTable) and isinstance(plot, Plot)
    told = dataset.as_dict()
    values = [told["least_value"], told["largest_value"], f"{told['share_with_many']:.0%}"]
    assert f"{told['mean_value']:.4f} dollars_per_hand" in report.summary
    assert [figure.value for figure in figures.figures] == values
    curve = plot.curves[0]
    assert (curve.x[0], curve.x[-1], curve.y[50]) == (told["least_value"], told["largest_value"], 50.0)
    assert curve.x[50] == pytest.approx(np.median(dataset.games.value))


def test_a_learner_stands_beside_never_betting() -> None:
    result = fit(NeighbourLearner(2), *small_games())
    report = fit_report(result)
    (errors,) = tables_of(report)
    scores = [(each.output_distance, each.exploitability, each.value_lost) for each in (result.scores, result.check)]
    assert [row[1:] for row in errors.rows] == scores
    (plot,) = (section for section in report.sections if isinstance(section, Plot))
    assert list(plot.curves[0].x) == [games for games, _ in result.curve]
    assert plot.lines == (("never bet", result.check.exploitability.mean),)
    assert not any(isinstance(section, Drawing) for section in report.sections)


def test_rules_are_told_with_their_prices_and_the_papers_tree() -> None:
    train, test = small_games()
    result = find_rules(train, test, 2, shakes=0)
    report = rules_report(result)
    said = report.sections[0]
    assert isinstance(said, Text)
    assert [line.partition(". ")[2] for line in said.paragraphs] == list(result.sentences)
    worth, errors, rounded, leaves = tables_of(report)
    assert [row[3] for row in worth.rows] == [each.part.price for each in result.prices]
    assert {str(row[0]): row[1] for row in errors.rows}[TWO] == result.scores(TWO).exploitability
    (bars,) = (section for section in report.sections if isinstance(section, Bars))
    assert bars.is_detail
    assert [name for name, _ in bars.bars] == [name for name, _ in result.compared]
    first = round_tree(result.tree, test.stakes, 0.05, 0.1 * test.stakes.pot)
    assert rounded.rows[0][2] == result.scores(PAPER_TREE.name).exploitability
    assert rounded.rows[1][2:] == (
        score(test, first.bets(test.games)).exploitability,
        score(test, first.bets(test.games)).output_distance,
    )
    held = [leaf for leaf in leaf_rules(first, test) if leaf.part.coverage.mean > 0]
    assert [(row[0], row[3]) for row in leaves.rows] == [(leaf.sentence, leaf.part.price) for leaf in held]


def test_prototypes_show_the_prices_and_the_games_of_the_smallest_memory(tmp_path: Path) -> None:
    result = sample_prototypes(tmp_path)
    prices, *games = tables_of(prototypes_report(result))
    assert [row[0] for row in prices.rows] == [
        "the best 2 games", "2 random games", "the best 3 games", "3 random games", "all 60 games", "none: never bet",
    ]  # fmt: skip
    assert [row[1] for row in prices.rows] == [each.scores.exploitability for each in result.memories]
    assert len(games) == 2
    chosen = result.best[0].chosen
    assert chosen is not None
    assert games[0].title == f"Game 1 of 2, the most similar one {chosen.shares[0]:.0%} of the time"
    assert [row[0] for row in games[0].rows] == [4, 3, 2, 1]
    held = result.learned[chosen.indices].games.pdf[0, :, 3]
    assert games[0].rows[0][1:3] == tuple(f"{share:.0%}" for share in held)


def test_a_distance_names_both_files_and_where_they_differ(tmp_path: Path) -> None:
    found = sample_distance(tmp_path)
    report = distance_report(found)
    assert report.title == f"{tmp_path / '1.safetensors'} (A) and {tmp_path / '50.safetensors'} (B) in kuhn"
    means, largest = tables_of(report)
    assert [row[1] for row in means.rows] == list(found.mean.values())
    assert found.reached_mean is not None
    assert [row[2] for row in means.rows] == list(found.reached_mean.values())
    assert [row[0] for row in largest.rows] == [f"{each.emd:.4f}" for each in found.largest if each.emd > 0]
    assert (largest.rows[0][1], largest.rows[0][2]) == (str(found.largest[0].player + 1), found.largest[0].infoset)
    same = ng.explain.distance(tmp_path / "1.safetensors", tmp_path / "1.safetensors")
    assert len(tables_of(distance_report(same))) == 1
