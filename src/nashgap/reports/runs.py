"""The page over all runs of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from nashgap.reports.report import Cell, Link, Report, Table
from nashgap.runs.config import package_version
from nashgap.runs.folder import Run, RunSummary
from nashgap.runs.progress import human_seconds, moment

__all__ = ["INDEX_PAGE", "done_text", "runs_report"]

INDEX_PAGE = "index.html"
"""Its name, in the folder of runs."""


def runs_report(summaries: Sequence[RunSummary], root: Path) -> Report:
    """Every run with its state, what it found and where its own page is, the last finished first."""
    ordered = sorted(summaries, key=lambda each: each.finished_at or "", reverse=True)
    finished = sum(each.status == "finished" for each in summaries)
    return Report(
        title="Runs",
        summary=f"{len(summaries)} runs, {finished} of them finished.",
        sections=(
            Table(
                "All runs",
                ("run", "kind", "status", "finished", "time", "found"),
                tuple(map(_row, ordered)),
                "Written by nashgap runs list --html, and as old as that; a run leads to its own page.",
            ),
        ),
        command=f"nashgap runs list --html --runs {root}",
        facts={"folder": str(root), "version": package_version()},
    )


def done_text(summary: RunSummary) -> str:
    """How far a run has come."""
    progress = summary.progress
    if progress is None:
        return "" if summary.problem else "nothing yet"
    total = "" if progress.total is None else f" of {progress.total:,.0f}"
    return f"{progress.done:,.0f}{total} {progress.unit}"


def _row(summary: RunSummary) -> tuple[Cell, ...]:
    config = summary.config
    has_page = config is not None and Run(summary.folder, config).report_path.is_file()
    return (
        Link(summary.name, f"{quote(summary.name)}/report.html") if has_page else summary.name,
        "" if config is None else config.kind,
        summary.status,
        "" if summary.finished_at is None else moment(summary.finished_at),
        human_seconds(summary.seconds) if summary.seconds else "",
        summary.problem or summary.summary or done_text(summary),
    )
