"""`nashgap match A B [C ...] --game G --deals N`: a duplicate match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import (
    ClusterOption,
    FreshOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SeedOption,
    WorkersOption,
    kept_in,
    workers_of,
)
from nashgap.cli.output import print_result, results_only

__all__ = ["match"]


def match(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...", help="One for each seat; `nashgap list agents` has names.", show_default=False
        ),
    ],
    game: Annotated[
        str, typer.Option(metavar="GAME", help="A poker game, by name (lhe3) or game definition file.")
    ] = "lhe3",
    deals: Annotated[
        int | None, typer.Option(metavar="N", help="Each is played in every seating; 10,000 unless told.")
    ] = None,
    match_hands: Annotated[
        int, typer.Option(metavar="H", help="Let agents keep their memory for matches of H hands.")
    ] = 1,
    variance: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="Take luck off, beside what was won: chance (of the cards) or aivat (of known agents, too).",
        ),
    ] = "none",
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    log: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the hands there, a log for each seating.")
    ] = None,
    runs: RunsOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play a duplicate match: the same cards in every seating, so that luck cancels.

    Up to 4 agents sit in all orders; more in a random order and its rotations.
    An AGENT is a name, a strategy file, python:module:Class, exec:COMMAND or
    acpc:COMMAND.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap match poki always-call probe --deals 20000[/bold],
    [bold]nashgap match always-raise random --game hunl --json[/bold],
    [bold]nashgap match mine.safetensors theirs.safetensors --game hunl --variance aivat[/bold],
    [bold]nashgap match python:mybot:Bot poki --game lhe2 --match-hands 1000 --deals 20000[/bold]
    """
    import nashgap as ng

    with results_only():
        found = ng.match(
            *agents, game=game, deals=deals, match_hands=match_hands, variance=variance, seed=seed, log=log,
            workers=workers_of(workers, cluster), run=kept_in(runs), fresh=fresh, progress=not quiet,
        )  # fmt: skip
    print_result(found, is_json=json, has_fresh=True)
