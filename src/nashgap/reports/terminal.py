"""A result or a report in the terminal, and as a JSON document: the same records that the HTML page is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text as RichText

from nashgap.cards.hand_rows import HandRows
from nashgap.cards.matrix import HandMatrix
from nashgap.cards.ranges import HAND_CLASSES
from nashgap.core.estimate import Estimate
from nashgap.core.result import Result
from nashgap.reports.hand_drawings import print_matrix, print_rows
from nashgap.reports.layout import Grid, WinrateCell, WinrateGrid, figure_text, lay_out, lay_out_cross_table
from nashgap.reports.report import Bars, CrossTableSection, Drawing, FigureTable, Plot, Report, Section, Table, Text
from nashgap.reports.screen import screen, table
from nashgap.runs.progress import human_seconds, moment

__all__ = ["print_report", "print_result", "report_document"]


def print_result(
    result: Result,
    *,
    places: Mapping[str, object] | None = None,
    has_fresh: bool = False,
    console: Console | None = None,
) -> None:
    """What was found, without its details, and where all of it is.

    places:    what was written, by name; None is left out. A `report` among them is told, and not that of the run.
    has_fresh: what asked for it has an option `--fresh`, of which is told where an older run had the answer.
    """
    source = result.provenance
    told: dict[str, object] = {**(places or {})}
    told.setdefault("report", result.page_path)
    if source.finished_at is not None:
        again = "; --fresh does it again" if has_fresh else ""
        told["found"] = f"by a run that was finished {moment(source.finished_at)}{again}"
    elif source.seconds > 0:
        told["took"] = human_seconds(source.seconds)
    # Without the command: it was just typed, and the page has it.
    print_report(replace(result.report(), command=""), places=told, console=console)


def print_report(
    report: Report,
    path: Path | None = None,
    *,
    places: Mapping[str, object] | None = None,
    console: Console | None = None,
) -> None:
    """The report without its details; charts are only named.

    path:    the page that has all of it; None where none was written.
    places:  what else to tell at the end, by name; None is left out.
    console: where to print; None: standard output.
    """
    console = console or screen()
    console.print(report.title, style="bold")
    console.print(report.summary)
    for section in report.sections:
        if not section.is_detail:
            console.print()
            _print_section(console, section)
    told = {**({"report": path} if path else {}), **(places or {}), "repeat": report.command or None}
    lines = [f"{name}: {place}" for name, place in told.items() if place is not None]
    if lines:
        console.print()
    for line in lines:
        console.print(line, soft_wrap=True)


def report_document(report: Report) -> dict[str, Any]:
    """The report as JSON-able values; numbers that JSON has no word for are null."""
    return {
        "title": report.title,
        "summary": report.summary,
        "command": report.command,
        "facts": {key: _plain(value) for key, value in report.facts.items()},
        "sections": [_section_document(section) for section in report.sections],
    }


def _print_section(console: Console, section: Section) -> None:
    if section.title and not isinstance(section, HandMatrix):  # which has its title in it
        console.print(section.title, style="bold")
    match section:
        case Text():
            for paragraph in section.paragraphs:
                console.print(RichText(paragraph))
        case FigureTable():
            _print_figures(console, section)
        case Table():
            _print_grid(console, lay_out(section))
        case CrossTableSection():
            _print_cross_table(console, lay_out_cross_table(section.table))
        case HandMatrix():
            print_matrix(console, section)
        case HandRows():
            print_rows(console, section)
        case Plot():
            names = ", ".join(curve.name for curve in section.curves)
            console.print(f"(chart: {section.y_title} against {section.x_title}; {names})")
        case Bars():
            _print_grid(console, lay_out(Table(section.title, ("", section.x_title), section.bars)))
        case Drawing():
            console.print("(drawing)")
    if note := getattr(section, "note", ""):
        console.print(note, style="dim")


def _print_figures(console: Console, section: FigureTable) -> None:
    """A table where something is published; else lines of name, number and unit, and what is to be said."""
    if any(figure.published is not None for figure in section.figures):
        _print_grid(console, lay_out(section))
        return
    has_notes = any(figure.note for figure in section.figures)
    lines = RichTable.grid(padding=(0, 2, 0, 0))
    for is_whole in (True, has_notes, False)[: 2 + has_notes]:
        lines.add_column(no_wrap=is_whole)
    for figure in section.figures:
        told = f"{figure_text(figure)} {figure.unit}".rstrip()
        lines.add_row(figure.name, told, *([RichText(figure.note, "dim")] if has_notes else []))
    console.print(lines)


def _print_grid(console: Console, grid: Grid) -> None:
    """Heads stand over several lines where the table would be too wide for the screen."""
    filled = _filled(grid, is_narrow=False)
    if console.measure(filled, options=console.options.update(max_width=10_000)).maximum > console.width:
        filled = _filled(grid, is_narrow=True)
    console.print(filled)


def _filled(grid: Grid, *, is_narrow: bool) -> RichTable:
    heads = []
    for place, column in enumerate(grid.columns):
        widest = max(map(len, (*(row[place] for row in grid.rows), *column.name.split(), column.unit, "-")))
        name = wrap(column.name, widest) if is_narrow else [column.name]
        heads.append("\n".join([*name, *([column.unit] if column.unit else [])]))
    filled = table(heads, right=[place for place, column in enumerate(grid.columns) if column.is_number])
    for row in grid.rows:
        filled.add_row(*row)
    return filled


def _print_cross_table(console: Console, grid: WinrateGrid) -> None:
    """A table where the screen is wide enough for it, else a paragraph for each player; intervals are in the page."""
    heads = ["", *("\n".join(names) for names in grid.columns), "Winrate"]
    filled = table(heads, right=range(1, len(heads)))
    for row in grid.rows:
        cells = (RichText("") if cell is None else _winrate(cell) for cell in row.cells)
        filled.add_row(row.player, *cells, _winrate(row.mean))
    if grid.unit:
        console.print(grid.unit, style="dim")
    if console.measure(filled, options=console.options.update(max_width=10_000)).minimum <= console.width:
        console.print(filled)
        return
    for row in grid.rows:
        console.print(RichText.assemble((row.player, "bold"), " ", _winrate(row.mean)))
        against = [
            RichText.assemble(f"{', '.join(names)} ", _winrate(cell))
            for names, cell in zip(grid.columns, row.cells, strict=True)
            if cell is not None
        ]
        console.print(Padding(Columns(against, padding=(0, 3), column_first=True, align="right"), (0, 0, 0, 2)))


def _winrate(cell: WinrateCell) -> RichText:
    return RichText(cell.text, style="green" if cell.depth > 0 else "red" if cell.depth < 0 else "")


def _section_document(section: Section) -> dict[str, Any]:
    match section:
        case Text():
            return {"kind": "text", "title": section.title, "paragraphs": list(section.paragraphs)}
        case FigureTable():
            figures = [{key: _plain(value) for key, value in vars(figure).items()} for figure in section.figures]
            return {"kind": "figures", "title": section.title, "figures": figures}
        case Table():
            rows = [[_plain(cell) for cell in row] for row in section.rows]
            columns = list(section.columns)
            return {"kind": "table", "title": section.title, "columns": columns, "rows": rows, "note": section.note}
        case CrossTableSection():
            played = section.table
            matchups = [{key: _plain(value) for key, value in vars(matchup).items()} for matchup in played.matchups]
            told = {"unit": played.unit, "players": list(played.players), "teams": dict(played.teams)}
            return {"kind": "cross-table", "title": section.title, **told, "matchups": matchups, "note": section.note}
        case HandMatrix():
            shares = {name: dict(cell.shares) for name, cell in zip(HAND_CLASSES, section.cells, strict=True)}
            return {"kind": "hand-matrix", "title": section.title, "shares": shares}
        case HandRows():
            told = {"actions": list(section.actions), "note": section.note}
            lines = [{"name": row.name, "weight": row.weight, "shares": dict(row.shares)} for row in section.rows]
            return {"kind": "hand-rows", "title": section.title, **told, "rows": lines}
        case Plot():
            curves = [{key: _plain(value) for key, value in vars(curve).items()} for curve in section.curves]
            axes = {"x_title": section.x_title, "y_title": section.y_title}
            return {"kind": "plot", "title": section.title, **axes, "curves": curves, "lines": _plain(section.lines)}
        case Bars():
            bars = [{"name": name, "value": _plain(estimate)} for name, estimate in section.bars]
            titles = {"title": section.title, "x_title": section.x_title}
            return {"kind": "bars", **titles, "bars": bars, "note": section.note}
        case Drawing():
            return {"kind": "drawing", "title": section.title}


def _plain(value: object) -> Any:
    match value:
        case None | bool() | str():
            return value
        case Estimate():
            return {key: _plain(item) for key, item in value.as_dict().items()}
        case int():
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else None
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return _plain(value.tolist())
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else str(value)
