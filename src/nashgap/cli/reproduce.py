"""`nashgap reproduce NAME`: a table or figure of a paper, published and ours side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from nashgap.catalogue import describe
from nashgap.cli.list import Kind, print_catalogue
from nashgap.cli.options import ClusterOption, JsonOption, QuietOption, RunsOption, SeedOption, kept_in, workers_of
from nashgap.cli.output import print_json, print_result, results_only

__all__ = ["reproduce"]


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Which; without it they are listed.", show_default=False)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", metavar="", help="Less work, rougher numbers.")] = False,
    seed: SeedOption = 0,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="N", help="Of training for each agent that is trained; else its recipe's."),
    ] = None,
    agents: Annotated[
        str, typer.Option("--agents", metavar="NAMES", help="Only these of the agents it trains, by commas.")
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            help="Processes, and threads where agents are trained. Default: the cores, and 1 thread.",
            show_default=False,
        ),
    ] = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Reproduce a table or figure of a paper: published and ours side by side.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap reproduce[/bold], [bold]nashgap reproduce thesis-matching-pennies[/bold],
    [bold]nashgap reproduce thesis-table-3.1 --quick --workers 2[/bold]
    """
    if name is None:
        if json:
            print_json({Kind.REPRODUCTIONS.value: describe(Kind.REPRODUCTIONS)})
        else:
            print_catalogue(Kind.REPRODUCTIONS)
        return

    import nashgap as ng

    chosen = tuple(filter(None, (agent.strip() for agent in agents.split(","))))
    with results_only():
        made = ng.reproduce(
            name, quick=quick, seed=seed, minutes=minutes, agents=chosen, workers=workers_of(workers, cluster),
            run=kept_in(runs), progress=not quiet,
        )  # fmt: skip
    print_result(made, is_json=json)
