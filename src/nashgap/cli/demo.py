"""`nashgap demo`: train a small no-limit bot, measure it and some chumps by Local Best Response, say where it leaks."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import (
    ClusterOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SeedOption,
    WorkersOption,
    kept_in,
    workers_of,
)
from nashgap.cli.output import print_result, results_only, say

__all__ = ["demo"]


def demo(
    minutes: Annotated[float, typer.Option(metavar="M", min=0.01, help="Of training the bot.")] = 1.0,
    deals: Annotated[int, typer.Option(metavar="N", min=4, help="For each measurement.")] = 2000,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="For the bot and its report.", file_okay=False)
    ] = Path("demo"),
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Train a small no-limit hold'em bot, measure it and some chumps, and report where it leaks.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap demo[/bold], [bold]nashgap demo --minutes 5 --deals 20000 --workers 2[/bold]
    """
    import nashgap as ng

    with results_only():
        found = ng.demo(
            minutes=minutes, deals=deals, output=output, seed=seed, workers=workers_of(workers, cluster),
            run=kept_in(runs), progress=not quiet,
        )  # fmt: skip
    print_result(found, is_json=json)
    say(f"nashgap: play against it in the browser: nashgap serve --open {shlex.quote(str(found.file))}")
