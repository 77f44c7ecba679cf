from __future__ import annotations

from pathlib import Path

import pytest

from nashgap.cards.matrix import range_matrix
from nashgap.cards.ranges import parse_range
from nashgap.core.estimate import Estimate
from nashgap.reports.report import Bars, Figure, FigureTable, Report, Table
from nashgap.reports.terminal import print_report, report_document


def _printed(capsys: pytest.CaptureFixture[str], section: FigureTable | Table | Bars) -> list[str]:
    """The lines of the section's table, without those that are blank or drawn."""
    print_report(Report("T", "S", (section,), "c"), Path("report.html"))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    return [line for line in lines if line and "─" not in line][3:-2]


def _estimate(unit: str) -> Estimate:
    return Estimate(1.5, 0.25, 10, unit, "match", 0)


def test_the_unit_of_a_column_of_estimates_is_in_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("Matches", ("agent", "won"), (("a", _estimate("chips")), ("b", _estimate("chips"))), "A note.")
    assert _printed(capsys, table) == ["won", "agent chips", "a 1.50 ± 0.25", "b 1.50 ± 0.25", "A note."]


def test_units_that_differ_stay_with_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("Matches", ("won",), ((_estimate("chips"),), (_estimate("antes"),)))
    assert _printed(capsys, table) == ["won", "1.50 ± 0.25 chips", "1.50 ± 0.25 antes"]


def test_figures_stand_beside_what_is_published(capsys: pytest.CaptureFixture[str]) -> None:
    figures = FigureTable("Values", (Figure("value", -0.25, "chips", published=-0.5), Figure("hands", 7, note="few")))
    assert _printed(capsys, figures) == ["ours published unit", "value -0.25 -0.5 chips", "hands 7 few"]


def test_a_hand_matrix_is_printed_once_with_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    matrix = range_matrix("Button", parse_range("99+, AKs"))
    print_report(Report("T", "S", (matrix,), "c"), Path("report.html"))
    lines = capsys.readouterr().out.splitlines()
    assert lines.count("Button") == 1
    assert any(line.startswith("A  100  100  .") for line in lines)
    assert report_document(Report("T", "S", (matrix,), "c"))["sections"][0]["shares"]["AKs"] == {"in range": 1.0}


def test_bars_are_printed_as_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    bars = Bars("By street", "LBR wins", (("flop", _estimate("chips")), ("turn", _estimate("chips"))), "A note.")
    assert _printed(capsys, bars) == ["LBR wins", "chips", "flop 1.50 ± 0.25", "turn 1.50 ± 0.25", "A note."]
    document = report_document(Report("T", "S", (bars,), "c"))["sections"][0]
    assert (document["kind"], document["x_title"], document["note"]) == ("bars", "LBR wins", "A note.")
    assert [(bar["name"], bar["value"]["mean"]) for bar in document["bars"]] == [("flop", 1.5), ("turn", 1.5)]
