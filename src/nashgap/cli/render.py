"""A report in the terminal, and as a JSON document: the same records that the HTML page is made of."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from nashgap.cli.output import screen, table
from nashgap.core.estimate import Estimate
from nashgap.runs.layout import Grid, lay_out
from nashgap.runs.report import Drawing, FigureTable, Plot, Report, Section, Table, Text

__all__ = ["print_report", "report_document"]


def print_report(report: Report, path: Path) -> None:
    """The whole report; charts are only named, `path` is the page that draws them."""
    console = screen()
    console.print(report.title, style="bold")
    console.print(report.summary)
    for section in report.sections:
        console.print()
        console.print(section.title, style="bold")
        _print_section(console, section)
    console.print()
    if any(isinstance(section, Plot | Drawing) for section in report.sections):
        console.print(f"charts: {path}", soft_wrap=True)
    else:
        console.print(f"report: {path}", soft_wrap=True)
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
        case Plot():
            names = ", ".join(curve.name for curve in section.curves)
            console.print(f"(chart: {section.y_title} against {section.x_title}; {names})")
        case Drawing():
            console.print("(drawing)")


def _print_grid(console: Console, grid: Grid) -> None:
    heads = [f"{column.name}\n{column.unit}" if column.unit else column.name for column in grid.columns]
    filled = table(heads, right=[place for place, column in enumerate(grid.columns) if column.is_number])
    for row in grid.rows:
        filled.add_row(*row)
    console.print(filled)


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
        case Plot():
            curves = [{key: _plain(value) for key, value in vars(curve).items()} for curve in section.curves]
            axes = {"x_title": section.x_title, "y_title": section.y_title}
            return {"kind": "plot", "title": section.title, **axes, "curves": curves, "lines": _plain(section.lines)}
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
