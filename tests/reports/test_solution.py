"""The report of a solve: its numbers are the solution's, and what is not known beforehand is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nashgap as ng
from nashgap.jobs.solve import SolveForecast
from nashgap.reports.report import FigureTable, Plot, Table, Text
from nashgap.reports.solution import solution_report, solve_forecast_report


def sections_of(report, kind):
    return [section for section in report.sections if isinstance(section, kind)]


@pytest.fixture(scope="module")
def solution():
    return ng.solve("kuhn", iterations=200, seed=4)


def test_players_and_gap_are_those_of_the_solution(solution) -> None:
    report = solution_report(solution)
    (by_player,) = sections_of(report, Table)
    assert by_player.rows == tuple(
        (str(player), value, gain) for player, value, gain in zip((1, 2), solution.values, solution.gains, strict=True)
    )
    gap, work = sections_of(report, FigureTable)
    assert [figure.value for figure in gap.figures] == [solution.nash_conv, solution.exploitability]
    assert {figure.unit for figure in gap.figures} == {"antes_per_hand"}
    assert [figure.value for figure in work.figures] == [200, solution.seconds]
    told = f"nash_conv {solution.nash_conv:.6g}, exploitability {solution.exploitability:.6g} antes_per_hand"
    assert told in report.summary
    assert report.command == "nashgap solve kuhn --solver cfr+ --iterations 200 --seed 4"
    assert (report.facts["game"], report.facts["seed"], report.facts["information sets"]) == ("kuhn", 4, 12)
    assert "positive = inf" in str(report.facts["parameters"])


def test_the_curve_has_every_measured_point_and_is_a_detail(solution) -> None:
    (plot,) = sections_of(solution_report(solution), Plot)
    (curve,) = plot.curves
    assert list(curve.x) == [point["iteration"] for point in solution.points]
    assert curve.y[-1] == solution.nash_conv
    assert plot.log_x and plot.log_y and plot.is_detail


def test_a_linear_program_has_pivots_and_no_curve() -> None:
    report = solution_report(ng.solve("kuhn", solver="lp"))
    assert "pivots" in report.summary
    assert sections_of(report, Plot) == []


def test_three_players_are_told_that_nothing_is_promised() -> None:
    (notes,) = sections_of(solution_report(ng.solve("kuhn(players=3)", iterations=5)), Text)
    assert "promises no equilibrium" in notes.paragraphs[0]


def test_without_perfect_recall_only_values_are_drawn(solution) -> None:
    points = tuple({"iteration": n, "seconds": 0.0, "value_1": 0.1 * n, "value_2": -0.1 * n} for n in (1.0, 2.0))
    report = solution_report(replace(solution, measured=None, points=points))
    (plot,) = sections_of(report, Plot)
    assert [curve.name for curve in plot.curves] == ["player 1", "player 2"]
    assert plot.curves[0].y == [0.1, 0.2]
    (by_player,) = sections_of(report, Table)
    assert [row[2] for row in by_player.rows] == ["-", "-"]
    assert "nash_conv" not in report.summary


def test_a_forecast_says_what_is_not_known() -> None:
    figures = {
        f.name: f.value
        for f in sections_of(solve_forecast_report(ng.forecast("kuhn", solver="lp")), FigureTable)[0].figures
    }
    assert figures["histories"] == 55
    assert figures["rate"] == figures["iterations"] == "not known beforehand"
    known = SolveForecast("kuhn", "cfr+", 55, 12, 24, 2_000, 1000, 500.0, 2.0)
    report = solve_forecast_report(known)
    assert report.summary == "About 2 kB of memory and 2.0 s."
    assert [figure.value for figure in sections_of(report, FigureTable)[0].figures][-2:] == [
        "about 500 iterations a second",
        1000,
    ]
