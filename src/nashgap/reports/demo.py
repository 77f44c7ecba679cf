"""The first look as a table: what Local Best Response wins from each strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nashgap.core.estimate import format_interval
from nashgap.reports.report import Figure, FigureTable, Report, Table

if TYPE_CHECKING:
    from nashgap.api.demo import Demo

__all__ = ["demo_report"]


def demo_report(demo: Demo) -> Report:
    rows = []
    for name, bound in demo.bounds:
        won, seconds = bound.estimate, bound.provenance.seconds
        rate = f"{bound.hands / seconds:,.0f}" if seconds > 0 else ""
        rows.append((name, format_interval(won.mean, won.ci95), f"{won.lower_bound_975:,.0f}", rate))
    unit = demo.bounds[-1][1].estimate.unit
    return Report(
        title=f"What Local Best Response wins in hunl, {unit}; a best response wins more",
        summary=demo.summary,
        sections=(
            Table("Bounds", ("strategy", "LBR wins", "at least (97.5%)", "hands a second"), tuple(rows)),
            FigureTable("Files", (Figure("the bot", str(demo.file)), Figure("where it leaks", str(demo.page)))),
        ),
        command="nashgap demo",
    )
