"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "DEFAULT_SOLVER",
    "SAVE_SECONDS",
    "JsonOption",
    "QuietOption",
    "RunsOption",
    "SaveEveryOption",
    "SeedOption",
    "WorkersOption",
]

# The library's own defaults, which a test holds equal: to import them here would make help slow.
DEFAULT_SOLVER = "cfr+"
SAVE_SECONDS = 30.0

JsonOption = Annotated[
    bool, typer.Option("--json", metavar="", help="One JSON document on standard output, nothing else there.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="Show no progress.")]
RunsOption = Annotated[
    Path | None,
    typer.Option("--runs", metavar="DIR", help="Folder of runs; else $NASHGAP_RUNS, else 'runs' in this folder."),
]
SaveEveryOption = Annotated[
    float, typer.Option("--save-every", metavar="SECONDS", help="Between two saves of a solve's state.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Of everything random; same seed, same numbers.")]
WorkersOption = Annotated[
    int, typer.Option("--workers", metavar="N", help="Processes; the numbers do not depend on it.")
]
