"""`nashgap measure STRATEGY --by br`: how exploitable is it?"""

from __future__ import annotations

from typing import Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import number, print_json, print_rows, print_table

__all__ = ["measure"]


def measure(
    strategy: Annotated[
        str, typer.Argument(metavar="STRATEGY", help="A strategy file, or a name such as uniform.", show_default=False)
    ],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Needed for a name; checked against a file.")] = None,
    by: Annotated[str, typer.Option(metavar="METHOD", help="br: exact best response.")] = "br",
    json: JsonOption = False,
) -> None:
    """Measure how far a strategy is from equilibrium.

    Examples: [bold]nashgap measure leduc.safetensors[/bold],
    [bold]nashgap measure uniform --game "kuhn(players=3)" --json[/bold]
    """
    from nashgap.catalogue import MEASURES
    from nashgap.runs.config import package_version
    from nashgap.strategies.checked import open_strategy

    evaluate = MEASURES.load(by)
    opened = open_strategy(strategy, game)
    found = evaluate(opened.tree, opened)
    if json:
        print_json({**found.as_dict(), "strategy": strategy, "method": by, "version": package_version()})
        return
    print(f"{strategy} in {found.game}, by exact best response, in {found.unit}")
    rows = [
        (str(player), number(value), number(best), number(gain))
        for player, (value, best, gain) in enumerate(zip(found.values, found.best_values, found.gains, strict=True), 1)
    ]
    print_table(("player", "value", "best response", "gain"), rows, right=(1, 2, 3))
    print_rows({"nash_conv": number(found.nash_conv), "exploitability": number(found.exploitability)})
