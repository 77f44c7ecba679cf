"""Sections of a report as a template draws them: grids of texts, and charts in two widths as plain SVG.

Charts are those of notebooks, without a script: the pages' content security policy stays as narrow as it is. A page has
each twice, for a desk and for a phone, and shows one: a wide chart made narrow could not be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from nashgap.reports.layout import Grid, lay_out
from nashgap.reports.report import Bars, FigureTable, Plot, Section, Table, Text
from nashgap.reports.static_charts import draw_chart

__all__ = ["SectionView", "view_sections"]

DESK_WIDTH, PHONE_WIDTH = 760, 356


@dataclass(frozen=True)
class SectionView:
    """A section that has one of paragraphs, a grid, or charts. is_head: the figures that a page begins with."""

    title: str
    note: str = ""
    paragraphs: tuple[str, ...] = ()
    grid: Grid | None = None
    charts: tuple[Markup, ...] = ()
    is_head: bool = False


def view_sections(sections: Sequence[Section]) -> list[SectionView]:
    """Those that can be drawn without a script, in their order."""
    found = []
    for place, section in enumerate(sections):
        match section:
            case Text():
                found.append(SectionView(section.title, paragraphs=section.paragraphs))
            case FigureTable():
                is_head = place == 0 and not section.title
                found.append(SectionView(section.title, grid=lay_out(section), is_head=is_head))
            case Table():
                found.append(SectionView(section.title, section.note, grid=lay_out(section)))
            case Plot() | Bars():
                # All text in these drawings is escaped by who draws them.
                charts = tuple(Markup(draw_chart(section, width)) for width in (DESK_WIDTH, PHONE_WIDTH))
                found.append(SectionView(section.title, getattr(section, "note", ""), charts=charts))
    return found
