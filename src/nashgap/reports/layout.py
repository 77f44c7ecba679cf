"""Figures and tables as a grid of texts: the one layout that the page and the terminal both print."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from nashgap.arena.cross_table import CrossTable
from nashgap.arena.ranking import bankroll
from nashgap.core.estimate import Estimate, format_interval
from nashgap.reports.report import Figure, FigureTable, Link, Table

__all__ = [
    "Column",
    "Grid",
    "Kind",
    "WinrateCell",
    "WinrateGrid",
    "WinrateRow",
    "cell_text",
    "figure_text",
    "format_number",
    "lay_out",
    "lay_out_cross_table",
    "percent",
]


MOST_DECIMALS = 4  # of a number that was rounded for showing
_NUMBER_TEXT = re.compile(r"[+-]?[\d.,]+%?( ± [\d.,]+)?")


class Kind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    NUMBER = "number"
    PUBLISHED = "published"
    UNIT = "unit"
    NOTE = "note"


@dataclass(frozen=True)
class Column:
    """The head of a column; `unit` is what all its numbers share, empty where they differ or have none."""

    name: str
    kind: Kind
    unit: str = ""

    @property
    def is_number(self) -> bool:
        return self.kind in (Kind.NUMBER, Kind.PUBLISHED)


@dataclass(frozen=True)
class Grid:
    """Columns and rows of equal length."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class WinrateCell:
    """A signed winrate, its interval (empty where it has none), and from -1 to 1 how deep its colour is."""

    text: str
    interval: str
    depth: float


@dataclass(frozen=True)
class WinrateRow:
    """A player's cells, None where there is no such matchup, and the mean of the others."""

    player: str
    cells: tuple[WinrateCell | None, ...]
    mean: WinrateCell


@dataclass(frozen=True)
class WinrateGrid:
    """A cross-table, best player first; each column is a set of opponents."""

    columns: tuple[tuple[str, ...], ...]
    rows: tuple[WinrateRow, ...]
    unit: str


def lay_out(section: FigureTable | Table) -> Grid:
    """The section's columns and cells; a unit that a whole column shares stands in its head only."""
    return _figures(section.figures) if isinstance(section, FigureTable) else _table(section)


def format_number(value: float) -> str:
    """Six significant digits: `0.0856064`, `1.2e-07`, `12,345,678`; integers whole."""
    if isinstance(value, int):
        return f"{value:,}"
    if 1e6 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.6g}"


def percent(share: float | None) -> str:
    """`12.34%`; `-` for none."""
    return "-" if share is None else f"{100 * share:.2f}%"


def cell_text(cell: object, *, with_unit: bool = False) -> str:
    match cell:
        case None:
            return ""
        case Estimate():
            return str(cell) if with_unit else format_interval(cell.mean, cell.ci95)
        case Link():
            return cell
        case bool():
            return "yes" if cell else "no"
        case int() | float():
            return format_number(cell)
    return str(cell)


def _figures(figures: Sequence[Figure]) -> Grid:
    """Columns that would be empty are left out."""
    units = {figure.unit for figure in figures}
    shared_unit = units.pop() if len(units) == 1 else ""
    has_published = any(figure.published is not None for figure in figures)
    filled: list[tuple[Column, list[str]]] = [
        (Column("", Kind.TEXT), [figure.name for figure in figures]),
        (
            Column("ours" if has_published else "value", Kind.NUMBER, shared_unit),
            [figure_text(figure) for figure in figures],
        ),
    ]
    if has_published:
        texts = [cell_text(figure.published) for figure in figures]
        filled.append((Column("published", Kind.PUBLISHED, shared_unit), texts))
    if units:
        filled.append((Column("unit", Kind.UNIT), [figure.unit for figure in figures]))
    if any(figure.note for figure in figures):
        filled.append((Column("", Kind.NOTE), [figure.note for figure in figures]))
    return Grid(tuple(column for column, _ in filled), tuple(zip(*(texts for _, texts in filled), strict=True)))


def figure_text(figure: Figure) -> str:
    """The value, with its interval where it has one."""
    if figure.ci95 is None or isinstance(figure.value, str):
        return cell_text(figure.value)
    return format_interval(figure.value, figure.ci95)


def _table(table: Table) -> Grid:
    cells = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    units = [{cell.unit for cell in column if isinstance(cell, Estimate)} for column in cells]
    columns = tuple(
        Column(
            name,
            Kind.NUMBER if _holds_numbers(column) else Kind.TEXT,
            next(iter(unit)) if len(unit) == 1 else "",
        )
        for name, column, unit in zip(table.columns, cells, units, strict=True)
    )
    texts = [_column_texts(column, with_unit=len(unit) > 1) for column, unit in zip(cells, units, strict=True)]
    return Grid(columns, tuple(zip(*texts, strict=True)))


def _holds_numbers(column: Sequence[object]) -> bool:
    """Whether it has a number, or nothing but texts such as `62.69%` and `1.04 ± 0.03`, and `-` for none."""
    texts = [cell for cell in column if isinstance(cell, str)]
    if len(texts) < len(column):
        return True
    told = [text for text in texts if text != "-"]
    return bool(told) and all(map(_NUMBER_TEXT.fullmatch, told))


def _column_texts(column: Sequence[object], *, with_unit: bool) -> list[str]:
    """Fractions that were rounded for showing get the same number of decimals."""
    floats = [cell for cell in column if isinstance(cell, float)]
    decimals = max((len(f"{value:.6g}".partition(".")[2]) for value in floats), default=0)
    is_rounded = all(abs(value) < 1000 and value == round(value, MOST_DECIMALS) for value in floats)
    if not is_rounded or decimals > MOST_DECIMALS:
        return [cell_text(cell, with_unit=with_unit) for cell in column]
    return [
        f"{cell:.{decimals}f}" if isinstance(cell, float) else cell_text(cell, with_unit=with_unit) for cell in column
    ]


def lay_out_cross_table(table: CrossTable) -> WinrateGrid:
    """Rows and columns in the order of the bankroll ranking."""
    ranking = bankroll(table)
    rank = {player: place for place, player in enumerate(ranking.players)}
    opponents = {
        tuple(sorted(matchup.opponents(player), key=rank.__getitem__))
        for matchup in table.matchups
        for player in matchup.players
    }
    columns = tuple(sorted(opponents, key=lambda names: [rank[name] for name in names]))
    largest = max(abs(winrate) for matchup in table.matchups for winrate in matchup.winrates) or 1.0
    rows = []
    for player, mean in zip(ranking.players, ranking.winrates, strict=True):
        own = {frozenset(matchup.opponents(player)): matchup for matchup in table.matchups_of(player)}
        found = (own.get(frozenset(names)) for names in columns)
        cells = (
            None if each is None else _winrate(each.winrate(player), each.interval(player), largest) for each in found
        )
        rows.append(WinrateRow(player, tuple(cells), _winrate(mean, None, largest)))
    return WinrateGrid(columns, tuple(rows), table.unit)


def _winrate(value: float, ci95: float | None, largest: float) -> WinrateCell:
    """Three decimals below 10, fewer above; the square root lets small winrates have some colour beside large ones."""
    decimals = max(0, 3 - max(0, math.floor(math.log10(largest))))
    text = f"{value:+.{decimals}f}" if value else f"{value:.{decimals}f}"
    interval = "" if ci95 is None else f"± {ci95:.{decimals}f}"
    return WinrateCell(text, interval, math.copysign(min(1.0, math.sqrt(abs(value) / largest)), value))
