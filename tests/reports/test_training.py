"""The report of a training: its numbers are the training's, for two seats and for three."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nashgap as ng
from nashgap.cards.hand_rows import HandRows
from nashgap.cards.matrix import HandMatrix
from nashgap.jobs.training import LINE, preflop_lines
from nashgap.reports.report import FigureTable, Plot, Table, Text
from nashgap.reports.training import train_forecast_report, training_report


def sections_of(report, kind):
    return [section for section in report.sections if isinstance(section, kind)]


@pytest.fixture(scope="module")
def heads_up():
    return ng.solve("leduc-small", iterations=3_000)


@pytest.fixture(scope="module")
def three():
    return ng.solve("kuhn3-small", iterations=3_000)


def test_figures_are_those_of_the_training(heads_up) -> None:
    report = training_report(heads_up)
    figures, work = sections_of(report, FigureTable)
    assert [figure.value for figure in figures.figures] == [heads_up.average_regret, heads_up.stdev, "0.00%"]
    assert [figure.value for figure in work.figures] == [3_000, heads_up.visits, heads_up.seconds]
    assert heads_up.gap is not None
    assert report.summary == f"3,000 iterations; gap in its abstract game at least {heads_up.gap}."
    assert report.command == "nashgap solve leduc-small --iterations 3000 --seed 0"
    assert report.facts["betting"] == "full"
    assert sections_of(report, Text)[0].paragraphs == heads_up.notes


def test_two_seats_show_how_the_betting_begins(heads_up) -> None:
    begins, frequent = sections_of(training_report(heads_up), Table)
    lines = preflop_lines(heads_up.self_play)
    assert begins.rows == tuple((text, round(100 * share, 2)) for text, share in lines.items())
    assert frequent.is_detail and not begins.is_detail
    most = max(heads_up.self_play.sequences.values())
    assert frequent.rows[0][1] == round(100 * most / heads_up.self_play.num_hands, 2)


def test_three_seats_count_first_folds_both_ways(three) -> None:
    (folds,) = sections_of(training_report(three), Table)
    every, two_left = three.self_play.first_folds(), three.self_play.first_folds(2)
    assert folds.rows[-1] == ("total", round(100 * sum(two_left.values()), 2), round(100 * sum(every.values()), 2))
    first = next(iter(every))
    assert folds.rows[0] == (first, round(100 * two_left.get(first, 0.0), 2), round(100 * every[first], 2))


def test_the_first_decisions_are_shown_on_the_page(heads_up, three) -> None:
    for training, kind in (
        (heads_up, HandRows),
        (three, HandRows),
        (ng.solve("hunl-fcpa-small", iterations=50), HandMatrix),
    ):
        shown = sections_of(training_report(training), kind)
        assert 2 <= len(shown) <= 4
        assert all(section.is_detail for section in shown)


def test_curves_are_drawn_from_two_points_on(heads_up) -> None:
    assert sections_of(training_report(replace(heads_up, points=heads_up.points[:1])), Plot) == []
    point = {
        "iteration": 1.0, "seconds": 60.0, "iterations_per_second": 1.0, "visits_per_second": 2e6,
        "average_regret": 0.5, "unvisited_share": 0.25, f"{LINE}f": 0.1, f"{LINE}c": 0.9,
    }  # fmt: skip
    plots = sections_of(training_report(replace(heads_up, points=(point, {**point, "seconds": 120.0}))), Plot)
    assert [plot.title for plot in plots] == [
        "Betting in the first round in self-play", "Average regret", "Unvisited information sets", "Speed",
    ]  # fmt: skip
    lines, regret, unvisited, speed = plots
    assert [(curve.name, curve.y) for curve in lines.curves] == [("f", [10.0, 10.0]), ("c", [90.0, 90.0])]
    assert list(regret.curves[0].x) == [1.0, 2.0]
    assert (regret.curves[0].y[0], unvisited.curves[0].y[0], speed.curves[0].y[0]) == (0.5, 25.0, 2.0)


def test_a_forecast_has_all_sizes() -> None:
    expected = ng.forecast("ir16", minutes=1, threads=2)
    report = train_forecast_report(expected)
    (rounds,) = sections_of(report, Table)
    assert [row[0] for row in rounds.rows] == ["preflop", "flop", "turn", "river", "all"]
    assert rounds.rows[-1] == ("all", sum(expected.nodes_by_round), "", expected.entries)
    figures = {figure.name: figure.value for figure in sections_of(report, FigureTable)[0].figures}
    assert figures["information sets"] == f"{expected.information_sets:,}"
    assert figures["memory"].startswith("3.92 GB: entries 3.07 GB")
    assert figures["time"] == "about 1 min 0 s"
    assert report.facts["threads"] == 2
    unknown = replace(expected, iterations_per_second=None, iterations=None, expected_seconds=None, buckets=(3, 3))
    unknown = replace(unknown, nodes_by_round=(1, 2), entries_by_round=(4, 5))
    (rounds,) = sections_of(train_forecast_report(unknown), Table)
    assert [row[0] for row in rounds.rows] == ["1", "2", "all"]
