"""A report as HTML; everything that comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from nashgap.core.estimate import Estimate, format_interval
from nashgap.runs.report import Drawing, Figure, FigureTable, Plot, Report, Section, Table, Text

__all__ = ["format_number", "render_page"]

_STYLE = """
:root { color-scheme: light dark; --text: #1c2127; --soft: #5f6b7a; --line: #dfe3e8; --paper: #ffffff; --tint: #f5f7f9;
  --accent: #1f6feb; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7ec; --soft: #98a4b3; --line: #30363f; --paper: #15181c;
  --tint: #1d2127; --accent: #6cb0ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.15rem; margin: 2.6rem 0 .7rem; }
p { margin: 0 0 .8rem; max-width: 75ch; }
.summary { font-size: 1.1rem; padding-left: .9rem; border-left: 3px solid var(--accent); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .38rem .9rem .38rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { border-bottom-width: 2px; font-weight: 600; white-space: nowrap; vertical-align: bottom; }
th + th, td + td { padding-left: .9rem; }
.number { text-align: right; white-space: nowrap; }
.unit, .note, th small { color: var(--soft); font-weight: 400; font-size: .9rem; }
th small { display: block; }
.published { color: var(--soft); }
.chart { min-height: 430px; }
.repeat { margin-top: 3rem; padding: .3rem 1.2rem 1.1rem; background: var(--tint); border: 1px solid var(--line);
  border-radius: 8px; }
.repeat h2 { margin-top: .9rem; }
pre { margin: 0 0 1rem; padding: .7rem .9rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; overflow-x: auto; font: .9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0; font-size: .95rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
"""

Cell = str | float | int | Estimate


def render_page(report: Report, script: str | None) -> str:
    """The page; `script` is the address of the chart script as the page sees it, None for a page without charts."""
    sections = [_section(section, number) for number, section in enumerate(report.sections, start=1)]
    facts = "".join(f"<dt>{escape(key)}</dt><dd>{_cell_text(value)}</dd>" for key, value in report.facts.items())
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(report.title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<script src="{escape(script)}"></script>' if script else "",
            "</head>\n<body>\n<main>",
            f"<h1>{escape(report.title)}</h1>",
            f'<p class="summary">{escape(report.summary)}</p>',
            *sections,
            '<section class="repeat">\n<h2>How to repeat this</h2>',
            f"<pre><code>{escape(report.command)}</code></pre>",
            f"<dl>{facts}</dl>" if facts else "",
            "</section>\n</main>\n</body>\n</html>\n",
        ]
    )


def format_number(value: float) -> str:
    """Six significant digits: `0.0856064`, `1.2e-07`, `12,345,678`; integers whole."""
    if isinstance(value, int):
        return f"{value:,}"
    if 1e6 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.6g}"


def _section(section: Section, number: int) -> str:
    match section:
        case Text():
            body = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
        case FigureTable():
            body = _figure_table(section.figures)
        case Table():
            body = _table(section)
        case Plot() | Drawing():
            from nashgap.runs.charts import render_chart

            body = f'<div class="chart">{render_chart(section, f"chart-{number}")}</div>'
    return f"<section>\n<h2>{escape(section.title)}</h2>\n{body}\n</section>"


def _figure_table(figures: Sequence[Figure]) -> str:
    """Columns that would be empty are left out; a unit that all share goes into the header."""
    units = {figure.unit for figure in figures}
    shared_unit = units.pop() if len(units) == 1 else ""
    has_units, has_notes = bool(units), any(figure.note for figure in figures)
    has_published = any(figure.published is not None for figure in figures)

    headers = [("", False), (_header("ours" if has_published else "value", shared_unit), True)]
    headers += [(_header("published", shared_unit), True)] if has_published else []
    headers += [("unit", False)] if has_units else []
    headers += [("", False)] if has_notes else []
    rows = []
    for figure in figures:
        row = [_td(escape(figure.name)), _td(_figure_value(figure), "number")]
        if has_published:
            row.append(_td("" if figure.published is None else _cell_text(figure.published), "number published"))
        if has_units:
            row.append(_td(escape(figure.unit), "unit"))
        if has_notes:
            row.append(_td(escape(figure.note), "note"))
        rows.append(row)
    return _html_table(headers, rows)


def _figure_value(figure: Figure) -> str:
    if figure.ci95 is None or isinstance(figure.value, str):
        return _cell_text(figure.value)
    return escape(format_interval(figure.value, figure.ci95))


def _table(table: Table) -> str:
    columns: list[list[Cell]] = [[row[i] for row in table.rows] for i in range(len(table.columns))]
    is_number = [any(not isinstance(cell, str) for cell in cells) for cells in columns]
    units = [{cell.unit for cell in cells if isinstance(cell, Estimate)} for cells in columns]
    headers = [
        (_header(name, next(iter(unit)) if len(unit) == 1 else ""), numeric)
        for name, unit, numeric in zip(table.columns, units, is_number, strict=True)
    ]
    rows = [
        [
            _td(_cell_text(cell, with_unit=len(unit) > 1), "number" if numeric else "")
            for cell, unit, numeric in zip(row, units, is_number, strict=True)
        ]
        for row in table.rows
    ]
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return _html_table(headers, rows) + note


def _cell_text(cell: object, *, with_unit: bool = False) -> str:
    match cell:
        case Estimate():
            return escape(str(cell) if with_unit else format_interval(cell.mean, cell.ci95))
        case bool():
            return "yes" if cell else "no"
        case int() | float():
            return escape(format_number(cell))
    return escape(str(cell))


def _header(name: str, unit: str) -> str:
    return escape(name) + (f"<small>{escape(unit)}</small>" if unit else "")


def _td(content: str, kind: str = "") -> str:
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def _html_table(headers: Iterable[tuple[str, bool]], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th class="number">{text}</th>' if numeric else f"<th>{text}</th>" for text, numeric in headers)
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
