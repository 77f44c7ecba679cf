"""A report in the terminal, and as a JSON document: the same records that the HTML page is made of."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.text import Text as RichText

from nashgap.cards.hand_rows import HandRows
from nashgap.cards.matrix import HandMatrix
from nashgap.cards.ranges import HAND_CLASSES
from nashgap.core.estimate import Estimate
from nashgap.reports.hand_drawings import print_matrix, print_rows
from nashgap.reports.layout import Grid, WinrateCell, WinrateGrid, lay_out, lay_out_cross_table
from nashgap.reports.report import Bars, CrossTableSection, Drawing, FigureTable, Plot, Report, Section, Table, Text
from nashgap.reports.screen import screen, table

__all__ = ["print_report", "report_document"]


def print_report(report: Report, path: Path | None) -> None:
    """The whole report; charts are only named, `path` is the page that draws them, None where none was written."""
    console = screen()
    console.print(report.title, style="bold")
    console.print(report.summary)
    for section in report.sections:
        console.print()
        if not isinstance(section, HandMatrix):  # which has its title in it
            console.print(section.title, style="bold")
        _print_section(console, section)
    console.print()
    if path is not None:
        has_charts = any(isinstance(section, Plot | Bars | Drawing | HandMatrix) for section in report.sections)
        console.print(f"{'charts' if has_charts else 'report'}: {path}", soft_wrap=True)
    if report.command:
        console.print(f"repeat: {report.command}", soft_wrap=True)


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
    match section:
        case Text():
            for paragraph in section.paragraphs:
                console.print(RichText(paragraph))
        case FigureTable():
            _print_grid(console, lay_out(section))
        case Table():
            _print_grid(console, lay_out(section))
            if section.note:
                console.print(section.note, style="dim")
        case CrossTableSection():
            _print_cross_table(console, lay_out_cross_table(section.table))
            if section.note:
                console.print(section.note, style="dim")
        case HandMatrix():
            print_matrix(console, section)
        case HandRows():
            print_rows(console, section)
            if section.note:
                console.print(section.note, style="dim")
        case Plot():
            names = ", ".join(curve.name for curve in section.curves)
            console.print(f"(chart: {section.y_title} against {section.x_title}; {names})")
        case Bars():
            _print_grid(console, lay_out(Table(section.title, ("", section.x_title), section.bars)))
            if section.note:
                console.print(section.note, style="dim")
        case Drawing():
            console.print("(drawing)")


def _print_grid(console: Console, grid: Grid) -> None:
    heads = [f"{column.name}\n{column.unit}" if column.unit else column.name for column in grid.columns]
    filled = table(heads, right=[place for place, column in enumerate(grid.columns) if column.is_number])
    for row in grid.rows:
        filled.add_row(*row)
    console.print(filled)


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
