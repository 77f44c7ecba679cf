"""`nashgap acpc to-phh LOG --game GAME -o FILE.phhs`: a match log as standard hand histories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json

__all__ = ["to_phh"]


def to_phh(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A match log.", show_default=False)],
    game: Annotated[str, typer.Option(metavar="GAME", help="Its game: a name or a game definition file.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write there: .phhs, or .phh for one hand.")
    ],
    json: JsonOption = False,
) -> None:
    """Write the hands of a match log as PHH files, which pokerkit reads.

    For limit and no-limit Texas hold'em. A pot that was split into fractions
    of a chip is written so that pokerkit splits it the same way.

    Examples: [bold]nashgap acpc to-phh match.log --game lhe3 -o match.phhs[/bold],
    [bold]nashgap acpc to-phh match.log --game mine.game -o match.phhs --json[/bold]
    """
    from nashgap.arena.phh import check_phh_game, read_log_hands, write_phh
    from nashgap.core.array_file import check_writable
    from nashgap.poker.rules import load_rules

    rules = load_rules(game)
    check_phh_game(rules)
    check_writable(output)
    num_hands = write_phh(read_log_hands(log, rules), output)
    if json:
        print_json({"log": str(log), "game": rules.name, "hands": num_hands, "output": str(output)})
    else:
        print(f"{num_hands:,} hands of {log} written to {output}")
