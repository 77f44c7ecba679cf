"""Runs: execute a job so that it can be stopped and continued, keep what it finds, and report it."""

from nashgap.runs.config import RunConfig, load_config, package_version
from nashgap.runs.executors import Pace, execute
from nashgap.runs.folder import Run, RunSummary, default_root, find_run, list_runs, open_run
from nashgap.runs.ledger import Checkpoint, Ledger
from nashgap.runs.report import (
    Bars,
    CrossTableSection,
    Curve,
    Drawing,
    Figure,
    FigureTable,
    Plot,
    Report,
    Section,
    Table,
    Text,
    write_report,
)

__all__ = [
    "Bars",
    "Checkpoint",
    "CrossTableSection",
    "Curve",
    "Drawing",
    "Figure",
    "FigureTable",
    "Ledger",
    "Pace",
    "Plot",
    "Report",
    "Run",
    "RunConfig",
    "RunSummary",
    "Section",
    "Table",
    "Text",
    "default_root",
    "execute",
    "find_run",
    "list_runs",
    "load_config",
    "open_run",
    "package_version",
    "write_report",
]
