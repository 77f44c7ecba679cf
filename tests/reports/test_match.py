"""The report of a match: its numbers are the match's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nashgap as ng
from nashgap.reports.layout import percent
from nashgap.reports.match import behaviour_section, match_report
from nashgap.reports.report import Plot, Table


@pytest.fixture(scope="module")
def result():
    return ng.match("always-call", "random", "always-call", game="lhe3", deals=200, seed=2)


def test_winrates_and_behaviour_are_those_of_the_match(result) -> None:
    report = match_report(result)
    assert report.title == "always-call #1, random, always-call #2 in lhe3"
    best = int(result.winrates.argmax())
    assert (
        f"{result.names[best]} wins {result.estimate(best)}. Over 200 deals, each in 6 seatings: 1,200 hands."
        in report.summary
    )
    winrates, deviations, behaviour, sequences = (each for each in report.sections if isinstance(each, Table))
    for agent, row in enumerate(winrates.rows):
        assert row[:2] == (result.names[agent], result.estimate(agent))
        assert row[2] == pytest.approx(result.stdev[agent], abs=5e-4)
        both = (result.stdev[agent], result.stdev_per_sample[agent])
        assert deviations.rows[agent][1:] == pytest.approx(both, abs=5e-4)
        how = result.behaviour[agent]
        assert row[3:] == (percent(how.vpip), percent(how.pfr), percent(how.went_to_showdown))
    assert behaviour == replace(
        behaviour_section(dict(zip(result.names, result.behaviour, strict=True))), is_detail=True
    )
    assert sequences.title == "Betting before the flop"
    assert dict(sequences.rows) == {text: percent(share) for text, share in list(result.sequences.items())[:20]}


def test_the_course_is_drawn_from_two_points_on(result) -> None:
    assert not any(isinstance(section, Plot) for section in match_report(replace(result, course=())).sections)
    course = ((100, result.winrates / 2, 2 * result.ci95), (200, result.winrates, result.ci95))
    (plot,) = (s for s in match_report(replace(result, course=course)).sections if isinstance(s, Plot))
    assert [list(curve.x) for curve in plot.curves] == [[100, 200]] * 3
    assert plot.curves[1].y[-1] == result.winrates[1]
    assert plot.curves[1].ci95[0] == 2 * result.ci95[1]


def test_a_draw_has_no_winner(result) -> None:
    assert match_report(replace(result, winrates=np.zeros(3))).summary.startswith("Nobody wins anything.")


def test_whole_matches_are_called_so() -> None:
    played = ng.match("always-call", "random", game="lhe2", deals=40, match_hands=10)
    winrates, deviations, *_ = (each for each in match_report(played).sections if isinstance(each, Table))
    assert "of a match" in deviations.columns
    assert "over 4 matches" in winrates.note
