"""A report as HTML; everything that comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from nashgap.cards.hand_rows import HandRows, draw_rows
from nashgap.cards.matrix import HandMatrix, draw_matrix
from nashgap.reports.layout import (
    Column,
    Grid,
    Kind,
    WinrateCell,
    WinrateGrid,
    WinrateRow,
    cell_text,
    lay_out,
    lay_out_cross_table,
)
from nashgap.reports.report import (
    Bars,
    CrossTableSection,
    Drawing,
    FigureTable,
    Link,
    Plot,
    Report,
    Section,
    Table,
    Text,
)
from nashgap.reports.static_charts import draw_chart

__all__ = ["render_fragment", "render_page"]

# Of the sections; `&` is what they lie in.
_SECTIONS = """
& p { margin: 0 0 .8rem; max-width: 75ch; }
& .summary { font-size: 1.1em; padding-left: .9rem; border-left: 3px solid var(--accent); }
& .scroll { overflow-x: auto; }
& svg.fluid { max-width: 100%; height: auto; }
& table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
& th, & td { padding: .38rem .9rem .38rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
& th { border-bottom-width: 2px; font-weight: 600; white-space: nowrap; vertical-align: bottom; }
& th + th, & td + td { padding-left: .9rem; }
& th.number, & td.number { text-align: right; white-space: nowrap; }
& .long { min-width: 16rem; }
& .unit, & .note, & th small { color: var(--soft); font-weight: 400; font-size: .9em; }
& th small { display: block; }
& .published { color: var(--soft); }
& .wide { width: max-content; max-width: calc(100vw - 2.5rem); position: relative; left: 50%;
  transform: translateX(-50%); }
& .winrates { font-size: .78rem; line-height: 1.3; border-collapse: separate; border-spacing: 1px; }
& .winrates th, & .winrates td { padding: .3rem .35rem; border-bottom: 0; text-align: right; white-space: nowrap; }
& .winrates th[scope=row] { position: sticky; left: 0; z-index: 1; background: var(--paper); text-align: left;
  vertical-align: middle; }
& .winrates .steep span { writing-mode: vertical-rl; transform: rotate(180deg); }
& .winrates small { display: block; color: inherit; opacity: .75; font-size: .85em; }
& .winrates .win { --colour: rgb(var(--win) / var(--depth)); }
& .winrates .loss { --colour: rgb(var(--loss) / var(--depth)); }
& .winrates .win, & .winrates .loss { background: linear-gradient(var(--colour), var(--colour)) var(--paper); }
& .winrates .none { background: var(--none); }
& .winrates .mean { position: sticky; right: 0; background-color: var(--paper); font-weight: 600;
  box-shadow: -4px 0 var(--paper); }
& pre { margin: 0 0 1rem; padding: .7rem .9rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; overflow-x: auto; font: .9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
& dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0; font-size: .95rem; }
& dt { color: var(--soft); }
& dd { margin: 0; overflow-wrap: anywhere; }
"""

_PAGE = """
:root { color-scheme: light dark; --text: #1c2127; --soft: #5f6b7a; --line: #dfe3e8; --paper: #ffffff; --tint: #f5f7f9;
  --accent: #1f6feb; --win: 22 163 74; --loss: 220 38 38; --none: #e9ecef; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7ec; --soft: #98a4b3; --line: #30363f; --paper: #15181c;
  --tint: #1d2127; --accent: #6cb0ff; --win: 34 197 94; --loss: 248 81 73; --none: #262b32; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.15rem; margin: 2.6rem 0 .7rem; }
section { margin-top: 1.6rem; }
.chart { min-height: 430px; }
.repeat { margin-top: 3rem; padding: .3rem 1.2rem 1.1rem; background: var(--tint); border: 1px solid var(--line);
  border-radius: 8px; }
.repeat h2 { margin-top: .9rem; }
"""

# A notebook has colours of its own: all are taken from its ink, or lie between light and dark.
_FRAGMENT = """
& { --text: currentColor; --soft: #76808d; --line: rgb(128 136 148 / .35); --paper: transparent; --accent: #1f6feb;
  --win: 22 163 74; --loss: 220 38 38; --none: rgb(128 136 148 / .15); font-size: 14px; line-height: 1.5; }
& h3 { font-size: 1.25rem; line-height: 1.3; margin: .3rem 0 .4rem; }
& h4 { font-size: 1rem; line-height: 1.3; margin: 1.4rem 0 .4rem; }
& section { margin-top: 1rem; }
& table { margin: 0; border: 0; font-size: 13px; }
& tbody tr:nth-child(n), & tbody tr:hover { background: none; }
& .winrates th[scope=row], & .winrates .mean { position: static; box-shadow: none; }
& .wide { width: auto; max-width: 100%; position: static; transform: none; }
& dl { font-size: 13px; padding: 0; }
& dt, & dd { float: none; width: auto; font-weight: 400; }
& summary { cursor: pointer; color: var(--soft); margin-top: 1.2rem; }
"""
_SCOPE = "nashgap-report"
_SELECTOR = f".{_SCOPE}.{_SCOPE}"  # twice, or JupyterLab's own style of tables would weigh more

# A text of more letters than this keeps some width on a narrow screen, where the table scrolls.
MOST_SHORT_LETTERS = 40
_LONG = ' class="long"'

# A cross-table with more columns than this has its heads turned upright, or it would not fit a screen.
MOST_LEVEL_HEADS = 10

_CLASSES = {
    Kind.TEXT: "",
    Kind.NUMBER: ' class="number"',
    Kind.PUBLISHED: ' class="number published"',
    Kind.UNIT: ' class="unit"',
    Kind.NOTE: ' class="note"',
}


def render_page(report: Report, script: str | None) -> str:
    """The page; `script` is the address of the chart script as the page sees it, None for a page without charts."""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(report.title)}</title>",
            f"<style>{_PAGE}{_SECTIONS.replace('&', 'main')}</style>",
            f'<script src="{escape(script)}"></script>' if script else "",
            "</head>\n<body>\n<main>",
            f"<h1>{escape(report.title)}</h1>",
            f'<p class="summary">{escape(report.summary)}</p>',
            *(_section(section, "h2", _live_chart(number)) for number, section in enumerate(report.sections, start=1)),
            f'<section class="repeat">\n<h2>{_repeat_title(report)}</h2>',
            _repeat(report),
            "</section>\n</main>\n</body>\n</html>\n",
        ]
    )


def render_fragment(report: Report) -> str:
    """The report for a cell of a notebook: it needs no script, and its style reaches nothing outside.

    What a screen leaves to the page is left to it here too, but for charts.
    """
    shown = [each for each in report.sections if isinstance(each, Chart) or not each.is_detail]
    return "\n".join(
        [
            f'<div class="{_SCOPE}">',
            f"<style>{(_SECTIONS + _FRAGMENT).replace('&', _SELECTOR)}</style>",
            f"<h3>{escape(report.title)}</h3>",
            f'<p class="summary">{escape(report.summary)}</p>',
            *(_section(section, "h4", draw_chart) for section in shown),
            f"<details><summary>{_repeat_title(report)}</summary>",
            _repeat(report),
            "</details>\n</div>",
        ]
    )


Chart = Plot | Bars | Drawing


def _live_chart(number: int) -> Callable[[Chart], str]:
    """What makes the chart with this number, to be zoomed into."""

    def render(section: Chart) -> str:
        from nashgap.reports.charts import render_chart

        kind = "" if isinstance(section, Bars) else ' class="chart"'
        return f"<div{kind}>{render_chart(section, f'chart-{number}')}</div>"

    return render


def _repeat_title(report: Report) -> str:
    return "How to repeat this" if report.command else "What it depends on"


def _repeat(report: Report) -> str:
    facts = "".join(f"<dt>{escape(key)}</dt><dd>{escape(cell_text(value))}</dd>" for key, value in report.facts.items())
    command = f"<pre><code>{escape(report.command)}</code></pre>" if report.command else ""
    return f"{command}\n{f'<dl>{facts}</dl>' if facts else ''}"


def _section(section: Section, head: str, chart: Callable[[Chart], str]) -> str:
    match section:
        case Text():
            body = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
        case FigureTable() | Table():
            body = _table(lay_out(section))
        case CrossTableSection():
            body = _cross_table(lay_out_cross_table(section.table))
        case HandMatrix():
            return f'<section class="scroll">\n{draw_matrix(section)}\n</section>'  # with its title in the picture
        case HandRows():
            body = f'<div class="scroll">{draw_rows(section)}</div>'
        case Plot() | Bars() | Drawing():
            body = chart(section)
    title = f"<{head}>{escape(section.title)}</{head}>\n" if section.title else ""
    note = getattr(section, "note", "")
    told = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section>\n{title}{body}{told}\n</section>"


def _table(grid: Grid) -> str:
    head = "".join(
        f"<th{_CLASSES[Kind.NUMBER] if column.is_number else ''}>{_header(column)}</th>" for column in grid.columns
    )
    classes = [_CLASSES[column.kind] for column in grid.columns]
    rows = ("".join(map(_cell, classes, row)) for row in grid.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _cell(kind: str, text: str) -> str:
    is_long = not kind and len(text) > MOST_SHORT_LETTERS
    shown = f'<a href="{escape(text.target)}">{escape(text)}</a>' if isinstance(text, Link) else escape(text)
    return f"<td{_LONG if is_long else kind}>{shown}</td>"


def _header(column: Column) -> str:
    return escape(column.name) + (f"<small>{escape(column.unit)}</small>" if column.unit else "")


def _cross_table(grid: WinrateGrid) -> str:
    is_steep = len(grid.columns) > MOST_LEVEL_HEADS
    heads = "".join(_winrate_head(names, is_steep) for names in grid.columns)
    unit = f"<small>{escape(grid.unit)}</small>" if grid.unit else ""
    body = "\n".join(_winrate_row(row) for row in grid.rows)
    return (
        f'<div class="scroll{" wide" if is_steep else ""}"><table class="winrates">\n<thead><tr><th></th>{heads}'
        f'<th scope="col" class="mean">Winrate{unit}</th></tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
    )


def _winrate_head(names: tuple[str, ...], is_steep: bool) -> str:
    if is_steep:
        return f'<th scope="col" class="steep"><span>{escape(", ".join(names))}</span></th>'
    return f'<th scope="col">{"<br>".join(map(escape, names))}</th>'


def _winrate_row(row: WinrateRow) -> str:
    cells = "".join('<td class="none"></td>' if cell is None else _winrate_cell(cell) for cell in row.cells)
    return f'<tr><th scope="row">{escape(row.player)}</th>{cells}{_winrate_cell(row.mean, "mean")}</tr>'


def _winrate_cell(cell: WinrateCell, *classes: str) -> str:
    """The depth stays pale enough for the page's ink, light or dark."""
    sign = ("win",) if cell.depth > 0 else ("loss",) if cell.depth < 0 else ()
    style = f' style="--depth: {0.06 + 0.54 * abs(cell.depth):.2f}"' if sign else ""
    interval = f"<small>{escape(cell.interval)}</small>" if cell.interval else ""
    return f'<td class="{" ".join((*sign, *classes))}"{style}>{escape(cell.text)}{interval}</td>'
