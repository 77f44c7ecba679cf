"""A report in a cell of a notebook: without a script, and with a style that reaches nothing outside."""

from __future__ import annotations

import re

from nashgap.cards.matrix import range_matrix
from nashgap.cards.ranges import parse_range
from nashgap.core.estimate import Estimate
from nashgap.reports.page import render_fragment, render_page
from nashgap.reports.report import Bars, Curve, Figure, FigureTable, Plot, Report, Table, Text

ESTIMATE = Estimate(1.5, 0.25, 10, "chips", "match", 0)
SECTIONS = (
    Table("Matches", ("agent", "won"), (("ann", ESTIMATE),), "A note."),
    FigureTable("", (Figure("value", 0.25, "chips"),)),
    Plot("Curve", "x", "y", (Curve("ours", [1, 2], [3.0, 4.0]),), is_detail=True),
    Bars("By street", "LBR wins", (("flop", ESTIMATE),)),
    range_matrix("What the button plays", parse_range("99+, AKs")),
    Text("Remarks", ("A sentence.",), is_detail=True),
)


def test_a_fragment_has_what_a_screen_shows_and_every_chart() -> None:
    shown = render_fragment(Report("Title", "Summary.", SECTIONS, "nashgap solve leduc", {"seed": 7}))
    for text in ("Title", "Summary.", "Matches", "1.50 ± 0.25", "A note.", "By street", "What the button plays"):
        assert text in shown
    assert "<h4>Curve</h4>" in shown  # though it is a detail
    assert "A sentence." not in shown
    assert "<code>nashgap solve leduc</code>" in shown
    assert "<dt>seed</dt><dd>7</dd>" in shown
    assert shown.count("<svg") == 3
    assert "<script" not in shown and "<html" not in shown


def test_a_fragment_is_escaped() -> None:
    nasty = "</style><script>alert(1)</script>"
    shown = render_fragment(Report(nasty, nasty, (Text(nasty, (nasty,)), Table(nasty, (nasty,), ((nasty,),))), nasty))
    assert "<script" not in shown
    assert shown.count("</style>") == 1


def test_the_style_of_a_fragment_outweighs_that_of_a_notebook() -> None:
    """JupyterLab writes to the right what its tables hold, with two classes and an element."""
    shown = render_fragment(Report("Title", "Summary.", SECTIONS, "c"))
    style = shown.partition("<style>")[2].partition("</style>")[0]
    selectors = [one for rule in re.findall(r"([^{}]+){", style) for one in rule.split(",")]
    assert len(selectors) > 30
    assert all(one.strip().startswith(".nashgap-report.nashgap-report") for one in selectors)


def test_a_section_without_a_title_has_no_heading() -> None:
    report = Report("Title", "Summary.", SECTIONS[1:2], "c")
    assert "<h4>" not in render_fragment(report)
    assert "<h2></h2>" not in render_page(report, None)


def test_without_a_command_there_is_nothing_to_type() -> None:
    for shown in (render_fragment(Report("T", "S", (), "", {"seed": 1})), render_page(Report("T", "S", ()), None)):
        assert "<pre>" not in shown
        assert "What it depends on" in shown
        assert "How to repeat this" not in shown
