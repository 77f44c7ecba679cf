"""`nashgap check FILE`: is this strategy file sound? `nashgap check-bot BOT`: does a bot answer as it should?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, SeedOption
from nashgap.cli.output import print_result, results_only

__all__ = ["check", "check_bot"]

NOT_SOUND = 1


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A strategy file.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Check that a strategy file is sound: every checksum, its game, its probabilities.

    The exit status is 0 if it is, 2 if not.

    Examples: [bold]nashgap check leduc.safetensors[/bold], [bold]nashgap check leduc.safetensors --json[/bold]
    """
    import nashgap as ng

    print_result(ng.check(file), is_json=json)


def check_bot(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="exec:COMMAND, python:module:Class, a strategy file or a name.", show_default=False
        ),
    ],
    game: Annotated[
        str, typer.Option(metavar="GAME", help="A poker game, by name (hunl) or game definition file.")
    ] = "hunl",
    states: Annotated[int, typer.Option(metavar="N", min=1, help="How many states to ask about.")] = 300,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Check that a bot gives sound answers, the same ones to the same states, and how fast.

    It is asked about states of all rounds and seats, reached by random play with
    raises of all sizes; every state twice, in different batches.

    The exit status is 0 if all answers are sound, 1 if not.

    Examples: [bold]nashgap check-bot exec:'python examples/exec_bot.py'[/bold],
    [bold]nashgap check-bot 'exec(seconds=5):./mybot' --game lhe2 --json[/bold]
    """
    import nashgap as ng

    with results_only():
        found = ng.check_bot(bot, game, states=states, seed=seed, progress=not quiet)
    print_result(found, is_json=json)
    if not found.is_sound:
        raise typer.Exit(NOT_SOUND)
