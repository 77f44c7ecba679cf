"""`nashgap solve GAME_OR_RECIPE`: find a strategy close to equilibrium."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nashgap.cli.options import (
    SAVE_SECONDS,
    FreshOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SaveEveryOption,
    SeedOption,
    given,
    kept_in,
)
from nashgap.cli.output import print_result, results_only, unsaved_printed

__all__ = ["solve"]

RUN_OPTIONS = "How long"
METHOD_OPTIONS = "Method, for a game"
RECIPES = "For a recipe"


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME_OR_RECIPE",
            help="A small game such as leduc(players=3) or python:module:Game, or a recipe such as ir16 or my.toml;"
            " see nashgap list.",
            show_default=False,
        ),
    ],
    solver: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="See nashgap list solvers; cfr+ unless told.", rich_help_panel=METHOD_OPTIONS
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="In total; 1000, or a recipe's minutes, if nothing says how long.",
            rich_help_panel=RUN_OPTIONS,
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            metavar="M",
            help="Of solving, in total over all resumes; of a set of experts, for each.",
            rich_help_panel=RUN_OPTIONS,
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            metavar="NASHCONV",
            help="Stop once nash_conv is this small, in the game's unit; not counting frozen players. By a recipe: in"
            " its abstract game, as responses measure it.",
            rich_help_panel=RUN_OPTIONS,
        ),
    ] = None,
    seed: SeedOption = 0,
    simultaneous: Annotated[
        bool,
        typer.Option("--simultaneous", metavar="", help="Update all players at once.", rich_help_panel=METHOD_OPTIONS),
    ] = False,
    freeze: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER=STRATEGY",
            help="This player (1, 2, ...) keeps this strategy; may be repeated.",
            rich_help_panel=METHOD_OPTIONS,
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="STRATEGY", help="All players begin with it.", rich_help_panel=METHOD_OPTIONS),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Of a recipe; with 1 the numbers repeat exactly.", rich_help_panel=RECIPES),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Of a recipe: processes that share the training by subtrees of the first round.",
            rich_help_panel=RECIPES,
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="STRATEGY",
            help="The strategy that experts are for, where the recipe takes what it plays.",
            rich_help_panel=RECIPES,
        ),
    ] = None,
    quantise: Annotated[
        bool,
        typer.Option(
            "--quantise", metavar="", help="One byte an action in a recipe's file, not 4.", rich_help_panel=RECIPES
        ),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the strategy there.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", metavar="", help="Say how much memory and time it takes; write nothing.")
    ] = False,
    runs: RunsOption = None,
    fresh: FreshOption = False,
    save_every: SaveEveryOption = SAVE_SECONDS,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Solve a small game and measure it exactly, or train a poker strategy by a recipe.

    The work is a run: stopped or killed, the same command continues it; finished, it answers at once.

    Examples: [bold]nashgap solve leduc -o leduc.safetensors[/bold],
    [bold]nashgap solve leduc --solver lp --json[/bold],
    [bold]nashgap solve "kuhn(players=3)" --freeze 3=always-call --until 0.001[/bold]

    By a recipe: [bold]nashgap solve ir16 --dry-run[/bold],
    [bold]nashgap solve ir16 --minutes 20 --threads 2 -o ir16.safetensors[/bold]

    Experts for what follows some betting, all of a set:
    [bold]nashgap solve hue5-base --base ir16.safetensors -o experts.safetensors[/bold]
    """
    import nashgap as ng

    method: dict[str, Any] = given(
        solver=solver, iterations=iterations, minutes=minutes, until=until, seed=seed, start=start, threads=threads,
        nodes=nodes, base=base,
    )  # fmt: skip
    method |= {"simultaneous": simultaneous, "freeze": _parse_frozen(freeze or []), "progress": not quiet}
    if dry_run:
        print_result(ng.forecast(game, **method), is_json=json)
        return
    kept: dict[str, Any] = {"run": None if solver == "lp" else kept_in(runs), "fresh": fresh, "save_every": save_every}

    def print_found(found: Any, output: Path | None) -> None:
        print_result(found, is_json=json, has_run=True, has_fresh=True, output=output)

    with unsaved_printed(print_found), results_only():
        found = ng.solve(game, output=output, quantise=quantise, **kept, **method)
    print_found(found, output)


def _parse_frozen(texts: list[str]) -> dict[int, str]:
    """Players, from 1, and their strategies from texts such as `2=always-call`."""
    from nashgap.errors import ConfigError

    frozen: dict[int, str] = {}
    for text in texts:
        player, equals, strategy = text.partition("=")
        if not (equals and strategy and player.isascii() and player.isdigit()):
            raise ConfigError(f"--freeze {text!r}; it must be PLAYER=STRATEGY, such as 2=always-call")
        if int(player) in frozen:
            raise ConfigError(f"--freeze names player {player} twice")
        frozen[int(player)] = strategy
    return frozen
