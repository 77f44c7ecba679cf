"""A report in the terminal, and as a JSON document: the same records that the HTML page is made of."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from nashgap.cli.output import number, screen, table
from nashgap.core.estimate import Estimate, format_interval
from nashgap.runs.report import Drawing, Figure, FigureTable, Plot, Report, Section, Table, Text

__all__ = ["print_report", "report_document"]


def print_report(report: Report, path: Path) -> None:
    """The whole report; charts are only named, `path` is the page that draws them."""
    console = screen()
    console.print(report.title, style="bold")
    console.print(report.summary)
    for section in report.sections:
        console.print()
        console.print(_title(section), style="bold")
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
            _print_figures(console, section)
        case Table():
            _print_table(console, section)
        case Plot():
            names = ", ".join(curve.name for curve in section.curves)
            console.print(f"(chart: {section.y_title} against {section.x_title}; {names})")
        case Drawing():
            console.print("(drawing)")


def _title(section: Section) -> str:
    unit = _shared_unit(section) if isinstance(section, FigureTable) else ""
    return f"{section.title} ({unit})" if unit else section.title


def _shared_unit(section: FigureTable) -> str:
    """The unit that all figures have; empty where they differ."""
    units = {figure.unit for figure in section.figures}
    return units.pop() if len(units) == 1 else ""


def _print_figures(console: Console, section: FigureTable) -> None:
    """Columns that would be empty are left out; a unit that all share stands in the title."""
    has_units = not _shared_unit(section) and any(figure.unit for figure in section.figures)
    has_published = any(figure.published is not None for figure in section.figures)
    has_notes = any(figure.note for figure in section.figures)
    columns = ["", "ours" if has_published else "value"]
    columns += ["published"] if has_published else []
    columns += ["unit"] if has_units else []
    columns += [""] if has_notes else []
    filled = table(columns, right=range(1, 3 if has_published else 2))
    for figure in section.figures:
        row = [figure.name, _figure_text(figure)]
        row += ["" if figure.published is None else _cell_text(figure.published)] if has_published else []
        row += [figure.unit] if has_units else []
        row += [figure.note] if has_notes else []
        filled.add_row(*row)
    console.print(filled)


def _print_table(console: Console, section: Table) -> None:
    places = range(len(section.columns))
    right = [place for place in places if any(not isinstance(row[place], str) for row in section.rows)]
    filled = table(section.columns, right=right)
    for row in section.rows:
        filled.add_row(*map(_cell_text, row))
    console.print(filled)
    if section.note:
        console.print(section.note, style="dim")


def _figure_text(figure: Figure) -> str:
    if figure.ci95 is None or isinstance(figure.value, str):
        return _cell_text(figure.value)
    return format_interval(figure.value, figure.ci95)


def _cell_text(cell: object) -> str:
    match cell:
        case Estimate():
            return format_interval(cell.mean, cell.ci95)
        case bool():
            return "yes" if cell else "no"
        case int() | float():
            return number(cell)
    return str(cell)


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
