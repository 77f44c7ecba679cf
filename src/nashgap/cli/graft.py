"""`nashgap graft BASE EXPERTS`: one strategy file of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import print_result, results_only

__all__ = ["graft"]


def graft(
    base: Annotated[str, typer.Argument(metavar="BASE", help="A strategy file.", show_default=False)],
    experts: Annotated[
        list[str],
        typer.Argument(metavar="EXPERTS", help="Files of experts, for the same game.", show_default=False),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write the strategy there.", show_default=False)
    ],
    json: JsonOption = False,
) -> None:
    """Put experts into a strategy: behind their betting they play, in the place of the base.

    The file plays as the agent master:BASE+EXPERTS does, is as fast as any, and is shown, checked and measured like
    one.

    Examples: [bold]nashgap graft ir16.safetensors experts.safetensors -o master.safetensors[/bold],
    [bold]nashgap show master.safetensors --after rf[/bold]
    """
    import nashgap as ng

    with results_only():
        found = ng.graft(base, *experts, output=output)
    print_result(found, is_json=json)
