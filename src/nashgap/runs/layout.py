"""Figures and tables as a grid of texts: the one layout that the page and the terminal both print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from nashgap.core.estimate import Estimate, format_interval
from nashgap.runs.report import Figure, FigureTable, Table

__all__ = ["Column", "Grid", "Kind", "cell_text", "format_number", "lay_out"]


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


def cell_text(cell: object, *, with_unit: bool = False) -> str:
    match cell:
        case None:
            return ""
        case Estimate():
            return str(cell) if with_unit else format_interval(cell.mean, cell.ci95)
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
            [_figure_text(figure) for figure in figures],
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


def _figure_text(figure: Figure) -> str:
    if figure.ci95 is None or isinstance(figure.value, str):
        return cell_text(figure.value)
    return format_interval(figure.value, figure.ci95)


def _table(table: Table) -> Grid:
    cells = [[row[place] for row in table.rows] for place in range(len(table.columns))]
    units = [{cell.unit for cell in column if isinstance(cell, Estimate)} for column in cells]
    columns = tuple(
        Column(
            name,
            Kind.NUMBER if any(not isinstance(cell, str) for cell in column) else Kind.TEXT,
            next(iter(unit)) if len(unit) == 1 else "",
        )
        for name, column, unit in zip(table.columns, cells, units, strict=True)
    )
    rows = (
        tuple(cell_text(cell, with_unit=len(unit) > 1) for cell, unit in zip(row, units, strict=True))
        for row in table.rows
    )
    return Grid(columns, tuple(rows))
