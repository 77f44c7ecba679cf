"""The report of a tournament: standings, behaviour, and a cross-table that leaves the rankings on the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nashgap as ng
from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.standings import Standings
from nashgap.arena.tournament import Entrant
from nashgap.reports.report import CrossTableSection, Table
from nashgap.reports.standings import ranking_report
from nashgap.reports.tournament import tournament_report
from nashgap.strategies.spec import parse_bot


@pytest.fixture(scope="module")
def result():
    agents = tuple(Entrant(name, parse_bot(spec)) for name, spec in (("caller", "always-call"), ("random", "random")))
    return ng.tournament(ng.TournamentConfig("pair", "lhe2", 60, agents, seed=3))


def cross_table_of(report):
    return next(section for section in report.sections if isinstance(section, CrossTableSection))


def test_it_tells_the_result(result) -> None:
    report = tournament_report(result)
    assert report.title == "Tournament pair"
    assert report.summary == result.summary
    assert cross_table_of(report).table is result.cross_table
    behaviour = report.sections[-1]
    assert isinstance(behaviour, Table)
    assert [row[0] for row in behaviour.rows] == ["caller", "random"]
    assert report.facts["agents"] == "caller = always-call; random"
    assert (report.facts["deals of a matchup"], report.facts["hands in all"], report.facts["seed"]) == (60, 120, 3)


def test_a_large_cross_table_is_a_detail(result) -> None:
    assert not cross_table_of(tournament_report(result)).is_detail
    names = ("caller", "random", *(f"agent {number}" for number in range(22)))
    wide = CrossTable(names, tuple(Matchup(("caller", name), (1.0, -1.0)) for name in names[1:]))
    confidence = replace(result.confidence, players=("caller", "random"))
    assert cross_table_of(tournament_report(replace(result, cross_table=wide, confidence=confidence))).is_detail


def test_ranks_of_a_table_name_its_file(result) -> None:
    assert ranking_report(Standings(result.cross_table)).title == "Rankings"
    report = ranking_report(Standings(result.cross_table, "results/pair.csv"))
    assert report.title == "Rankings of pair.csv"
    assert cross_table_of(report).table is result.cross_table
