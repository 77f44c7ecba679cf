"""The report of two runs that share no deals."""

from __future__ import annotations

from nashgap.jobs.run_compare import RunComparison
from nashgap.reports.report import Cell, Report, Table
from nashgap.runs.config import package_version

__all__ = ["run_comparison_report"]


def run_comparison_report(result: RunComparison) -> Report:
    """Every number that both have, and by how much it differs."""
    differing = set(map(id, result.differing))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (pair.name, pair.first, pair.second, pair.difference, "yes" if id(pair) in differing else "")
        for pair in result.pairs
    )
    return Report(
        title=f"{result.names[0]} and {result.names[1]}",
        summary=result.summary,
        sections=(
            Table(
                "Number by number",
                ("", "first", "second", "difference", "beyond its interval"),
                rows,
                "They share no deals that could be paired: an interval, 95%, is that of independent samples.",
            ),
        ),
        command=result.provenance.command,
        facts={"runs": " and ".join(result.names), "version": package_version()},
    )
