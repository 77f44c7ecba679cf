from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text as RichText

from nashgap.reports.report import Figure, FigureTable, Report, Table, Text
from nashgap.reports.terminal import print_report
from nashgap.reports.trimmed import Trimming


def test_no_line_of_a_report_ends_with_blanks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    sections = (
        Table("Names", ("name", "what it is"), (("a", "short"), ("b", "rather longer"), ("c", "")), "A note."),
        FigureTable("Values", (Figure("value", 1.5, "chips"), Figure("hands", 7, note="few"))),
        Text("Remarks", ("Words that go on for longer than a line of the screen has room for.",)),
    )
    print_report(Report("T", "S", sections))
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("b ") and line.endswith("rather longer") for line in lines)
    assert [line for line in lines if line != line.rstrip()] == []


def test_blanks_on_a_ground_of_their_own_stay() -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, color_system="truecolor", width=20)
    console.push_render_hook(Trimming())
    console.print(RichText.assemble("a", ("  ", "on red"), "  "))
    console.print()
    console.print(RichText.assemble("b", ("  ", "red"), "  "))
    assert text.getvalue() == "a\x1b[41m  \x1b[0m\n\nb\n"
