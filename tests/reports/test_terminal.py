from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import nashgap as ng
from nashgap.api.reproduce import Reproduction
from nashgap.cards.matrix import range_matrix
from nashgap.cards.ranges import parse_range
from nashgap.core.estimate import Estimate
from nashgap.core.result import Provenance
from nashgap.reports.report import Bars, Figure, FigureTable, Report, Table, Text
from nashgap.reports.terminal import print_report, print_result, report_document


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


def _screen(report: Report, *, width: int = 80, **options: object) -> list[str]:
    text = io.StringIO()
    console = Console(file=text, width=width, highlight=False, markup=False, emoji=False)
    print_report(report, console=console, **options)  # type: ignore[arg-type]
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_details_are_left_to_the_page() -> None:
    sections = (Text("Shown", ("Here.",)), Text("Hidden", ("There.",), is_detail=True))
    assert _screen(Report("T", "S", sections, "c")) == ["T", "S", "", "Shown", "Here.", "", "repeat: c"]


def test_places_stand_beside_the_report_and_empty_ones_are_left_out() -> None:
    lines = _screen(Report("T", "S", ()), path=Path("a.html"), places={"output": "bot.safetensors", "logs": None})
    assert lines == ["T", "S", "", "report: a.html", "output: bot.safetensors"]


def test_figures_without_published_ones_are_lines() -> None:
    figures = (Figure("nash_conv", 0.25, "chips", note="of all"), Figure("time", "about 3 s"))
    assert _screen(Report("T", "S", (FigureTable("", figures),)))[3:] == [
        "nash_conv  0.25 chips  of all",
        "time       about 3 s",
    ]


def test_heads_are_broken_only_where_the_screen_is_too_narrow() -> None:
    table = Table("", ("agent", "a rather long head of numbers"), (("ann", 1), ("bob", 2)))
    assert "a rather long head of numbers" in _screen(Report("T", "S", (table,)))[3]
    narrow = _screen(Report("T", "S", (table,)), width=30)
    assert max(map(len, narrow)) <= 30
    assert any(line.endswith("numbers") for line in narrow)


def test_a_result_says_how_long_it_took_or_when_it_was_found() -> None:
    solution = ng.solve("kuhn", iterations=2)

    def shown(provenance: Provenance, *, has_fresh: bool = False) -> list[str]:
        text = io.StringIO()
        console = Console(file=text, width=80)
        print_result(replace(solution, provenance=provenance), has_fresh=has_fresh, console=console)
        return text.getvalue().splitlines()

    assert shown(Provenance("c", seconds=75.0))[-1] == "took: 1 min 15 s"
    earlier = Provenance("c", seconds=75.0, finished_at="2026-11-16T19:18:05+00:00")
    found = shown(earlier)
    assert found[-1] == "found: by a run that was finished 2026-11-16 19:18 UTC"
    assert shown(earlier, has_fresh=True)[-1] == f"{found[-1]}; --fresh does it again"
    assert not any(line.startswith(("took", "repeat")) for line in found)


def test_the_page_of_a_reproduction_is_named(tmp_path: Path) -> None:
    text = io.StringIO()
    made = Reproduction("a-table", Report("A table", "As published.", ()), True, 0, tmp_path / "a-table.html")
    print_result(made, console=Console(file=text, width=80, soft_wrap=True))
    assert text.getvalue().splitlines()[-1] == f"report: {tmp_path / 'a-table.html'}"
