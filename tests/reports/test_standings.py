"""Standings: both rankings with their numbers, and the cross-table as a page shows it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.ranking import rank_confidence
from nashgap.reports.layout import lay_out_cross_table
from nashgap.reports.report import CrossTableSection, Report, Table, Text, write_report
from nashgap.reports.standings import standings_report

# Means: a (-1 - 1 + 9) / 3, c 4 / 3, b 0, d -11 / 3; without d first a leaves, then c beats b.
CHUMP = CrossTable(
    ("a", "b", "c", "d"),
    (
        Matchup(("a", "b"), (-1.0, 1.0), (0.5, 0.5)),
        Matchup(("a", "c"), (-1.0, 1.0)),
        Matchup(("a", "d"), (9.0, -9.0)),
        Matchup(("b", "c"), (-2.0, 2.0)),
        Matchup(("b", "d"), (1.0, -1.0)),
        Matchup(("c", "d"), (1.0, -1.0)),
    ),
    unit="sb_per_hand",
)


def page_of(tmp_path: Path, table: CrossTable) -> str:
    path = tmp_path / "report.html"
    write_report(Report("T", "S", (CrossTableSection("Cross-table", table),), "c"), path)
    return path.read_text(encoding="utf-8")


def tables_of(report: Report) -> dict[str, Table]:
    return {section.title: section for section in report.sections if isinstance(section, Table)}


def test_standings_have_both_rankings() -> None:
    report = standings_report(CHUMP, title="T", command="c")
    assert report.summary == "First by bankroll: a (+2.333 sb_per_hand). First by run-off: c."
    rankings = tables_of(report)["Rankings"].rows
    assert [(row[0], row[1], row[3], row[4]) for row in rankings] == [
        (1, "a", "1 of 3", "c"),
        (2, "c", "3 of 3", "b"),
        (3, "b", "2 of 3", "a"),
        (4, "d", "0 of 3", "d"),
    ]
    assert [row[3] for row in tables_of(report)["Run-off"].rows] == ["d", "a", "none; ranked c, b"]


def test_remarks_name_ties_and_sums_that_are_not_zero() -> None:
    table = CrossTable(
        ("a", "b", "c"),
        (Matchup(("a", "b"), (1.0, -1.0)), Matchup(("a", "c"), (-1.0, 1.0)), Matchup(("b", "c"), (3.0, 2.0))),
    )
    (remarks,) = (each for each in standings_report(table, title="T", command="c").sections if isinstance(each, Text))
    assert remarks.paragraphs[1] == "Beyond that: b, c: +5."
    even = CrossTable(("a", "b"), (Matchup(("a", "b"), (0.0, 0.0)),))
    (remarks,) = (each for each in standings_report(even, title="T", command="c").sections if isinstance(each, Text))
    assert remarks.paragraphs[1] == "Tied by bankroll, so ordered by name: a, b."


def test_confidence_is_shown_where_it_is_known() -> None:
    sums = np.array([[matchup.winrates, matchup.winrates] for matchup in CHUMP.matchups])
    confidence = rank_confidence([each.players for each in CHUMP.matchups], sums, [1, 1], seed=3, num_resamples=10)
    tables = tables_of(standings_report(CHUMP, title="T", command="c", confidence=confidence))
    (title,) = (title for title in tables if "run-off rank" in title)
    assert tables[title].rows[0] == ("c", 1.0, 0.0, 0.0, 0.0)
    assert tables[title].note == "10 resamples of blocks of deals, seed 3."


def test_cross_table_is_in_the_order_of_the_bankroll() -> None:
    grid = lay_out_cross_table(CHUMP)
    assert grid.columns == (("a",), ("c",), ("b",), ("d",))
    assert [row.player for row in grid.rows] == ["a", "c", "b", "d"]
    texts = [[cell and cell.text for cell in row.cells] for row in grid.rows]
    assert texts[0] == [None, "-1.000", "-1.000", "+9.000"]
    assert [row.mean.text for row in grid.rows] == ["+2.333", "+1.333", "0.000", "-3.667"]


def test_columns_of_three_are_pairs_of_opponents_who_met() -> None:
    triples = (Matchup(("a", "b", "c"), (3.0, 1.0, -4.0)), Matchup(("a", "b", "d"), (1.0, 1.0, -2.0)))
    grid = lay_out_cross_table(CrossTable(tuple("abcd"), triples))
    assert grid.columns == (("a", "b"), ("a", "d"), ("a", "c"), ("b", "d"), ("b", "c"))


def test_page_is_green_for_gains_red_for_losses_deeper_for_larger_ones_and_grey_for_nothing(tmp_path: Path) -> None:
    page = page_of(tmp_path, CHUMP)
    depths = {
        text: (kind, float(depth))
        for kind, depth, text in re.findall(r'<td class="(win|loss)" style="--depth: ([\d.]+)">([-+][\d.]+)', page)
    }
    assert depths["+9.000"][0] == depths["+1.000"][0] == "win"
    assert depths["-9.000"][0] == depths["-1.000"][0] == "loss"
    assert depths["+9.000"][1] == depths["-9.000"][1] > depths["+2.000"][1] > depths["+1.000"][1] > 0
    assert page.count('<td class="none"></td>') == 4
    assert '<td class="mean">0.000</td>' in page
    assert "-1.000<small>± 0.500</small>" in page


def test_wide_cross_tables_turn_their_heads(tmp_path: Path) -> None:
    assert 'class="steep"' not in page_of(tmp_path, CHUMP)
    names = tuple("abcdefghijkl")
    wide = CrossTable(names, tuple(Matchup((names[0], name), (1.0, -1.0)) for name in names[1:]))
    assert page_of(tmp_path, wide).count('class="steep"') == 12


def test_names_in_a_cross_table_are_escaped(tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>"
    page = page_of(tmp_path, CrossTable((nasty, "b"), (Matchup((nasty, "b"), (1.0, -1.0)),), unit=nasty))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 3


@pytest.mark.parametrize(
    ("size", "text"), [(0.5, "+0.500"), (12.34, "+12.34"), (512.34, "+512.3"), (51234.0, "+51234")]
)
def test_large_winrates_have_fewer_decimals(size: float, text: str) -> None:
    table = CrossTable(("a", "b"), (Matchup(("a", "b"), (size, -size)),))
    assert lay_out_cross_table(table).rows[0].mean.text == text
