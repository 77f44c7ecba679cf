"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["JsonOption", "QuietOption", "RunsOption", "SeedOption"]

JsonOption = Annotated[
    bool, typer.Option("--json", metavar="", help="One JSON document on standard output, nothing else there.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", metavar="", help="Show no progress.")]
RunsOption = Annotated[
    Path | None,
    typer.Option("--runs", metavar="DIR", help="Folder of runs; else $NASHGAP_RUNS, else 'runs' in this folder."),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Of everything random; same seed, same numbers.")]
