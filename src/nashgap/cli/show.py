"""`nashgap show STRATEGY`: look at a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_result, results_only

__all__ = ["show"]


def show(
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY",
            help="A strategy file, a name such as always-call, python:module:Class or exec:COMMAND.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Needed for all but files; checked against a file.")
    ] = None,
    after: Annotated[
        str,
        typer.Option(
            metavar="BETTING",
            help="What was done so far: f fold, c check or call, r raise (r300: to 300 chips over the whole hand), / at"
            " the end of a round. In small games the label of their information sets.",
        ),
    ] = "",
    board: Annotated[str, typer.Option(metavar="CARDS", help="The board so far: 2c6dThJsQd.")] = "",
    hand: Annotated[str, typer.Option(metavar="CARDS", help="Tell also what it does with one hand: AsKs.")] = "",
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the same as a page, with the grid.")] = None,
    json: JsonOption = False,
) -> None:
    """Show what a strategy does: the grid of hands in colour, how often each action, and where to go on.

    Hands are counted as the strategy's own decisions so far bring them here, and also all alike.

    Examples: [bold]nashgap show bot.safetensors[/bold],
    [bold]nashgap show bot.safetensors --after r300c/cc/cc/ --board 2c6dThJsQd --hand AsKs[/bold],
    [bold]nashgap show leduc.safetensors --after crc/Kh:[/bold],
    [bold]nashgap show always-call --game hunl --html call.html[/bold]
    """
    import nashgap as ng

    if html is not None:
        ng.check_writable(html)
    with results_only():
        view = ng.show(strategy, game=game, after=after, board=board, hand=hand)
    print_result(view, is_json=json, write=view.write_page, report=html)
