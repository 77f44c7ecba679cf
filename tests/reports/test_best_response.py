"""The reports of gaps: exact ones, and bounds within an abstract game."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nashgap as ng
from nashgap.core.estimate import Estimate
from nashgap.measures.abstract_response import AbstractGap
from nashgap.measures.bucket_response import BucketGap
from nashgap.reports.best_response import exploitability_report, gap_report
from nashgap.reports.report import FigureTable, Table


def test_an_exact_gap_tells_every_player() -> None:
    found = ng.measure("uniform", game="kuhn(players=3)")
    report = exploitability_report(found)
    table, figures = report.sections
    assert isinstance(table, Table) and isinstance(figures, FigureTable)
    assert report.title == "uniform in kuhn(players=3), by exact best response"
    assert table.rows == tuple(
        (str(player), *numbers)
        for player, numbers in enumerate(zip(found.values, found.best_values, found.gains, strict=True), 1)
    )
    assert [figure.value for figure in figures.figures] == [found.nash_conv, found.exploitability]
    assert found.as_dict()["strategy"] == "uniform"
    assert found.as_dict()["method"] == "br"
    assert "strategy" not in replace(found, strategy="").as_dict()


def estimate(mean: float, method: str) -> Estimate:
    return Estimate(mean, 0.1, 500, "mbb_per_hand", method, 7)


@pytest.mark.parametrize("method", ["abstract-br", "bucket-br"])
def test_a_bound_within_an_abstract_game_says_so(method: str) -> None:
    columns = [tuple(estimate(mean, method) for mean in means) for means in ((-1.0, 1.0), (2.0, 3.0), (3.0, 2.0))]
    whole = estimate(5.0, method)
    names = {"strategy": "bot.safetensors", "game": "hunl"}
    found = (
        AbstractGap(*columns, whole, 300, "public", **names)
        if method == "abstract-br"
        else BucketGap(*columns, whole, **names)
    )
    report = gap_report(found)
    assert report.title == "bot.safetensors in its abstract game of hunl"
    assert f"at least {whole}, by {method}, over 500 deals" in report.summary
    (table,) = report.sections
    assert isinstance(table, Table)
    assert table.rows == tuple((str(seat + 1), *(column[seat] for column in columns)) for seat in range(2))
    assert "bounds nothing outside" in table.note
    assert (report.facts["seed"], "sampling" in report.facts) == (7, method == "abstract-br")
    assert found.as_dict()["nash_conv"] == whole.as_dict()
    assert gap_report(replace(found, strategy="", game="")).title == "The strategy in its abstract game of poker"
