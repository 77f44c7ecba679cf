from __future__ import annotations

from pathlib import Path

import pytest

from nashgap.cli.render import print_report
from nashgap.core.estimate import Estimate
from nashgap.runs import Figure, FigureTable, Report, Table


def _printed(capsys: pytest.CaptureFixture[str], section: FigureTable | Table) -> list[str]:
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
