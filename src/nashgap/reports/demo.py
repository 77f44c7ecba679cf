"""The first look as a table: what Local Best Response wins from each strategy."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.core.estimate import significant
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.reports.report import Report, Table

__all__ = ["demo_report"]


def demo_report(bounds: Sequence[tuple[str, LbrBound]], *, summary: str, command: str) -> Report:
    """What a best response wins at least from the chumps and from the bot, by name."""
    rows = []
    for name, bound in bounds:
        seconds = bound.provenance.seconds
        rate = f"{bound.hands / seconds:,.0f}" if seconds > 0 else "-"
        rows.append((name, bound.estimate, significant(bound.estimate.lower_bound_975), rate))
    columns = ("strategy", "LBR wins", "at least (97.5%)", "hands a second")
    return Report(
        title="A bot and some chumps, measured by Local Best Response in hunl",
        summary=summary,
        sections=(Table("", columns, tuple(rows), "A best response wins more."),),
        command=command,
    )
