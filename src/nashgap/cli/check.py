"""`nashgap check FILE`: is this strategy file sound?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_json, print_rows

__all__ = ["check"]


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A strategy file.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Check that a strategy file is sound: every checksum, its game, its probabilities.

    The exit status is 0 if it is, 2 if not.

    Examples: [bold]nashgap check leduc.safetensors[/bold], [bold]nashgap check leduc.safetensors --json[/bold]
    """
    from nashgap.strategies.check_file import check_file

    found = check_file(file)
    if json:
        print_json(found.as_dict())
        return
    print(f"{file} is sound")
    told = {key: value for key, value in found.as_dict().items() if key not in ("file", "is_sound", "facts")}
    print_rows({**told, **found.facts})
