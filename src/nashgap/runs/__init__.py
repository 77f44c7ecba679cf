"""Runs: execute a job so that it can be stopped and continued, and keep what it finds. Knows no game."""

from nashgap.runs.config import RunConfig, load_config, package_version
from nashgap.runs.executors import Outcome, Pace, execute
from nashgap.runs.folder import Run, RunSummary, default_root, find_run, list_runs, open_run, summarise
from nashgap.runs.ledger import Checkpoint, Ledger

__all__ = [
    "Checkpoint",
    "Ledger",
    "Outcome",
    "Pace",
    "Run",
    "RunConfig",
    "RunSummary",
    "default_root",
    "execute",
    "find_run",
    "list_runs",
    "load_config",
    "open_run",
    "package_version",
    "summarise",
]
