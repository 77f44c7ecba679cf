"""The report of a bound: its numbers are the bound's."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nashgap as ng
from nashgap.core.estimate import significant
from nashgap.jobs.lbr_bound import LbrGain, LbrSplit
from nashgap.reports.lbr import lbr_report
from nashgap.reports.report import FigureTable, Plot, Table


@pytest.fixture(scope="module")
def bound():
    return ng.measure("always-call", game="hunl", by="lbr", rounds="3-4", lines="dealt", deals=1_000)


def tables_of(report):
    return {section.title: section for section in report.sections if isinstance(section, Table)}


def test_bound_rounds_and_seats_are_those_of_the_result(bound) -> None:
    report = lbr_report(bound)
    assert str(bound.estimate) in report.summary
    assert significant(bound.estimate.lower_bound_975) in report.summary
    assert "Over 1,000 deals, 2,000 hands, with bets fcpa in rounds 3, 4." in report.summary
    tables = tables_of(report)
    assert tables["Where the hands ended"].rows == tuple(
        (str(number), f"{share:.1%}", significant(mean), significant(share * mean))
        for number, (share, mean) in enumerate(bound.by_round, 1)
    )
    assert tables["Where LBR sat"].rows == (("1", bound.by_seat[0]), ("2", bound.by_seat[1]))
    assert tables["Where LBR sat"].is_detail
    assert report.command == bound.provenance.command
    assert report.facts["states that the strategy was asked about"] == bound.queries


def test_followed_lines_are_told() -> None:
    report = lbr_report(ng.measure("always-call", game="hunl", by="lbr", rounds="4", deals=20))
    assert "All hands and lines on 20 dealt boards, with bets fcpa in round 4." in report.summary
    drawn = "all of both on a board, in all lines of the betting; drawn where less than 1 bb are at stake"
    assert report.facts["hands played"] == drawn
    exact = lbr_report(ng.measure("always-call", game="leduc2", by="lbr"))
    assert "All hands and lines on all boards, with bets fcpa in all rounds." in exact.summary


@pytest.mark.parametrize(("game", "loss"), [("hunl", 750), ("lhe2", 0.75), ("leduc2", 1)])
def test_the_bound_stands_beside_what_folding_loses(game, loss) -> None:
    bound = ng.measure("always-fold", game=game, by="lbr", deals=20, lines="dealt")
    assert bound.estimate.mean == pytest.approx(loss)
    assert lbr_report(bound).summary.endswith(f" Who folds every hand loses {loss}.")


def test_with_three_seats_nothing_is_said_of_folding() -> None:
    bound = ng.measure("always-fold", game="lhe3", by="lbr", deals=20)
    assert "Who folds" not in lbr_report(bound).summary


def test_a_bound_below_0_says_nothing(bound) -> None:
    """Unless the strategies differ: a best response to them may lose."""
    estimate = bound.estimate
    promise = f"; a best response wins at least {significant(estimate.lower_bound_975)} with 97.5% confidence."
    assert promise in bound.summary and promise in lbr_report(bound).summary
    below = replace(bound, estimate=replace(estimate, mean=1.0, ci95=2.0))
    nothing = "LBR wins 1.0 ± 2.0 mbb_per_hand{}; a bound below 0 says nothing, since a best response never loses."
    assert below.summary == nothing.format(" from always-call in hunl")
    assert lbr_report(below).summary.startswith(nothing.format(""))
    gain = LbrGain("always-call", estimate, bound.by_seat)
    assert "; a best response wins at least -1.000 with 97.5% confidence." in replace(below, gains=(gain,)).summary


def test_the_course_is_drawn_from_two_batches_on(bound) -> None:
    (plot,) = (section for section in lbr_report(bound).sections if isinstance(section, Plot))
    (curve,) = plot.curves
    assert list(curve.x) == [500, 1_000]
    assert (curve.y[-1], curve.ci95[-1]) == (bound.estimate.mean, bound.estimate.ci95)
    short = replace(bound, course=bound.course[:1])
    assert not any(isinstance(section, Plot) for section in lbr_report(short).sections)


def test_a_split_is_told_in_two_parts(bound) -> None:
    split = LbrSplit(replace(bound.estimate, mean=1.0), replace(bound.estimate, mean=2.0))
    (figures,) = (
        section for section in lbr_report(replace(bound, split=split)).sections if isinstance(section, FigureTable)
    )
    assert [(figure.name, figure.value, figure.ci95) for figure in figures.figures] == [
        ("by bets on its tree", 1.0, bound.estimate.ci95),
        ("other bets add", 2.0, bound.estimate.ci95),
    ]


def test_all_rounds_are_called_so() -> None:
    assert "with bets fcpa in all rounds." in lbr_report(ng.measure("random", game="kuhn2", by="lbr", deals=20)).summary
