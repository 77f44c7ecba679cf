"""Reports: the numbers are on the page with units and intervals, nothing breaks out of it, charts share a script."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import ClassVar

import plotly.graph_objects as go
import pytest

from nashgap.cards.matrix import range_matrix
from nashgap.cards.ranges import parse_range
from nashgap.core.estimate import Estimate
from nashgap.core.job import BatchJob
from nashgap.errors import ConfigError, OutputError
from nashgap.reports.charts import plot_figure
from nashgap.reports.layout import Kind, format_number, lay_out
from nashgap.reports.report import Curve, Drawing, Figure, FigureTable, Plot, Report, Table, Text, write_report
from nashgap.runs import open_run

PLOT = Plot("Convergence", "iterations", "nash_conv", (Curve("cfr+", [1, 10, 100], [1.0, 0.1, 0.01]),), True, True)
NASTY = "</script><script>alert(1)</script><b>&\"'"


@dataclass(frozen=True)
class SeededJob(BatchJob):
    """Nothing but a run of its own for each seed."""

    kind: ClassVar[str] = "seeded"

    seed: int = 0


class Cells(HTMLParser):
    """The text of every table cell, row by row."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.is_in_cell = [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.is_in_cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.is_in_cell = False

    def handle_data(self, data):
        if self.is_in_cell and data.strip():
            self.rows[-1][-1] += ("|" if self.rows[-1][-1] else "") + data.strip()


def page_of(tmp_path, *sections, **changes):
    fields = {"title": "Leduc", "summary": "Solved.", "command": "nashgap solve leduc", "facts": {"seed": 0}} | changes
    path = tmp_path / "report.html"
    write_report(Report(sections=sections, **fields), path)
    return path.read_text(encoding="utf-8")


def test_figures_stand_beside_what_is_published(tmp_path):
    figures = (
        Figure("value", -0.08560642, "antes_per_hand", published=-0.0856064, note="LP"),
        Figure("lbr", 12.3456, "mbb_per_hand", ci95=0.0123),
        Figure("iterations", 12345),
    )
    assert Cells(page_of(tmp_path, FigureTable("Result", figures))).rows == [
        ["", "ours", "published", "unit", ""],
        ["value", "-0.0856064", "-0.0856064", "antes_per_hand", "LP"],
        ["lbr", "12.346 ± 0.012", "", "mbb_per_hand", ""],
        ["iterations", "12,345", "", "", ""],
    ]


def test_shared_unit_is_in_the_header(tmp_path):
    figures = (Figure("player 1", 0.5, "antes_per_hand"), Figure("player 2", 1.2e-7, "antes_per_hand"))
    assert Cells(page_of(tmp_path, FigureTable("Gains", figures))).rows == [
        ["", "value|antes_per_hand"],
        ["player 1", "0.5"],
        ["player 2", "1.2e-07"],
    ]


def test_tables_show_estimates_with_interval_and_unit(tmp_path):
    estimate = Estimate(-0.05441, 0.00123, 1000, "antes_per_hand", "match", 1)
    table = Table("Matches", ("agent", "hands", "won"), (("a", 1_000_000, estimate), ("b", 7, 0.1 + 0.2)))
    page = page_of(tmp_path, table)
    assert Cells(page).rows == [
        ["agent", "hands", "won|antes_per_hand"],
        ["a", "1,000,000", "-0.0544 ± 0.0012"],
        ["b", "7", "0.3"],
    ]
    assert '<td class="number">1,000,000</td>' in page
    assert "<td>a</td>" in page


def test_units_that_differ_in_a_column_stay_with_their_numbers(tmp_path):
    cells = [Estimate(1.0, 0.1, 9, unit, "match", 1) for unit in ("mbb_per_hand", "sb_per_hand")]
    rows = Cells(page_of(tmp_path, Table("T", ("won",), ((cells[0],), (cells[1],))))).rows
    assert rows == [["won"], ["1.00 ± 0.10 mbb_per_hand"], ["1.00 ± 0.10 sb_per_hand"]]


def test_page_tells_how_to_repeat_it(tmp_path):
    page = page_of(tmp_path, command="nashgap solve leduc --seed 7", facts={"version": "0.1.0", "seed": 7})
    assert "<code>nashgap solve leduc --seed 7</code>" in page
    assert "<dt>version</dt><dd>0.1.0</dd><dt>seed</dt><dd>7</dd>" in page


def test_everything_is_escaped(tmp_path):
    page = page_of(
        tmp_path,
        FigureTable(NASTY, (Figure(NASTY, NASTY, NASTY, published=NASTY, note=NASTY), Figure("x", 1))),
        Table(NASTY, (NASTY,), ((NASTY,),), NASTY),
        Plot(NASTY, NASTY, NASTY, (Curve(NASTY, [1], [1]), Curve("x", [1], [1])), lines=((NASTY, 1.0),)),
        Drawing(NASTY, go.Figure(go.Scatter(x=[1], y=[1], name=NASTY), layout={"title": {"text": NASTY}})),
        Text(NASTY, (NASTY,)),
        title=NASTY,
        summary=NASTY,
        command=NASTY,
        facts={NASTY: NASTY},
    )
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert page.count("</script>") == page.count("<script")


def test_pages_are_the_same_each_time(tmp_path):
    assert page_of(tmp_path, PLOT) == page_of(tmp_path, PLOT)


def test_runs_share_one_chart_script(tmp_path):
    for seed in (1, 2):
        run = open_run(SeededJob(seed=seed), tmp_path)
        write_report(Report("T", "S", (PLOT,), "c"), run.report_path)
        assert '<script src="../plotly.min.js"></script>' in run.report_path.read_text()
    assert [path.parent for path in tmp_path.rglob("plotly.min.js")] == [tmp_path]


def test_script_is_beside_a_page_elsewhere_and_replaced_when_cut_short(tmp_path):
    assert '<script src="plotly.min.js"></script>' in page_of(tmp_path, PLOT)
    script = tmp_path / "plotly.min.js"
    size, written = script.stat().st_size, script.stat().st_mtime_ns
    page_of(tmp_path, PLOT)
    assert script.stat().st_mtime_ns == written
    script.write_text("cut short")
    page_of(tmp_path, PLOT)
    assert script.stat().st_size == size


def test_page_without_charts_needs_no_script(tmp_path):
    assert "<script" not in page_of(tmp_path, Text("T", ("p",)))
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_page_uses_no_network(tmp_path):
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page_of(tmp_path, PLOT, Drawing("D", go.Figure())))
    assert addresses == ["plotly.min.js"]


def test_chart_holds_curves_bands_and_reference_lines():
    plot = Plot("P", "x", "y", (Curve("a", [1, 2], [5.0, 6.0], [1.0, 2.0]),), lines=(("goal", 4.0),))
    figure = json.loads(plot_figure(plot).to_json())
    band, curve = figure["data"]
    assert (band["x"], band["y"]) == ([1, 2, 2, 1], [6.0, 8.0, 4.0, 4.0])
    assert (curve["x"], curve["y"], curve["name"]) == ([1, 2], [5.0, 6.0], "a")
    assert figure["layout"]["shapes"][0]["y0"] == 4.0
    assert figure["layout"]["annotations"][0]["text"] == "goal"


def test_reference_lines_of_logarithmic_charts_are_labelled_at_their_height():
    plot = Plot("P", "x", "y", (Curve("a", [1, 2], [5.0, 0.5], [1.0, 2.0]),), log_y=True, lines=(("goal", 0.01),))
    figure = json.loads(plot_figure(plot).to_json())
    assert figure["layout"]["annotations"][0]["y"] == pytest.approx(-2)
    assert min(figure["data"][0]["y"]) > 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0856064123, "0.0856064"),
        (1.23e-7, "1.23e-07"),
        (12345678.9, "12,345,679"),
        (1234567, "1,234,567"),
        (0.0, "0"),
        (1e20, "1e+20"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_have_sensible_digits(value, text):
    assert format_number(value) == text


def test_rows_and_curves_of_unequal_length_are_refused():
    with pytest.raises(ConfigError, match="row 2 has 1 cells for 2 columns"):
        Table("T", ("a", "b"), (("1", "2"), ("3",)))
    with pytest.raises(ConfigError, match="same length"):
        Curve("c", [1, 2], [1])


def test_place_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(OutputError, match=r"cannot write .*report\.html"):
        write_report(Report("T", "S", (), "c"), tmp_path / "missing" / "report.html")


def test_importing_runs_does_not_load_plotly():
    code = "import sys, nashgap.runs; sys.exit('plotly' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_hand_matrices_are_drawn_without_a_script(tmp_path):
    matrix = range_matrix("What the button plays", parse_range("99+, AKs"))
    report = Report("t", "s", (matrix,), "c")
    write_report(report, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 1
    assert "What the button plays" in page
    assert "<script" not in page


def test_rounded_numbers_of_a_column_have_the_same_decimals():
    rows = (("a", 20.67, 0.1 + 0.2, 3), ("b", 24.0, 0.1, 1000), ("c", "not printed", 0.0, 7))
    assert lay_out(Table("", ("", "rounded", "not rounded", "whole"), rows)).rows == (
        ("a", "20.67", "0.3", "3"),
        ("b", "24.00", "0.1", "1,000"),
        ("c", "not printed", "0", "7"),
    )


def test_columns_of_percentages_and_intervals_are_numbers():
    rows = (("62.69%", "1.04 ± 0.03", "-", "3 of 3", "-"), ("-", "-2.43 ± 0.04", "0.45", "2 of 3", "-"))
    grid = lay_out(Table("", ("share", "winrate", "aggression", "wins", "none"), rows))
    assert [column.kind for column in grid.columns] == [Kind.NUMBER] * 3 + [Kind.TEXT] * 2
