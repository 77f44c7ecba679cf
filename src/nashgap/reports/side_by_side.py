"""The report of one strategy by several measures."""

from __future__ import annotations

from nashgap.core.estimate import Estimate
from nashgap.jobs.side_by_side import SideBySide
from nashgap.reports.report import Report, Table
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_seconds

__all__ = ["side_by_side_report"]


def side_by_side_report(result: SideBySide) -> Report:
    """A row for each measure."""
    rows = tuple(
        (
            by,
            won if isinstance(won, Estimate) else f"{won:.6g}",
            "at least" if isinstance(won, Estimate) else "exactly",
            human_seconds(result.found[by].provenance.seconds),
        )
        for by, won in result.wins.items()
    )
    note = f"In {result.unit}, mean of both seats; NashConv is the sum of both, twice as much."
    return Report(
        title=f"{result.strategy} by {', '.join(result.found)}",
        summary=result.summary,
        sections=(Table("", ("", "nemesis wins", "", "took"), rows, note),),
        command=result.provenance.command,
        facts={"strategy": result.strategy, "unit": result.unit, "version": package_version()},
    )
