"""`nashgap explain distance A B`: how far are two strategies of the same game apart?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption
from nashgap.cli.output import number, print_json, print_rows, print_table

if TYPE_CHECKING:
    from nashgap.explanations.strategy_distance import StrategyDistance

__all__ = ["distance"]

NAMES = {"emd": "earth mover's distance", "l1": "L1, halved (total variation)", "l2": "L2, divided by √2"}


def distance(
    first: Annotated[Path, typer.Argument(metavar="A", help="A strategy file.", show_default=False)],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another, of the same game.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Measure how far two strategies of the same game are apart, from 0 to 1.

    In each information set by the earth mover's distance over the actions in
    their order (fold, call, raises by size), as in Algorithm 2 of Ganzfried &
    Yusuf (2017), with L1 and L2 beside it; then the mean, and the ten
    information sets that differ most.

    Examples: [bold]nashgap explain distance leduc.safetensors other.safetensors[/bold],
    [bold]nashgap explain distance early.safetensors late.safetensors --json[/bold]
    """
    from nashgap.explanations.strategy_distance import compare_files

    found = compare_files(first, second)
    if json:
        print_json({"first": str(first), "second": str(second), **found.as_dict()})
    else:
        _print(found, first, second)


def _print(found: StrategyDistance, first: Path, second: Path) -> None:
    print(f"{first} and {second} in {found.game}; 0: the same, 1: as far apart as can be")
    weighted = found.reached_mean
    columns = ("distance", "mean over information sets", *(("weighted by reach",) if weighted else ()))
    rows = [
        (NAMES[metric], number(mean), *((number(weighted[metric]),) if weighted else ()))
        for metric, mean in found.mean.items()
    ]
    print_table(columns, rows, right=range(1, len(columns)))
    print_rows(
        {
            "information sets": f"{found.num_compared:,} compared",
            "reached by one only": f"{found.num_one_only:,}" if found.num_one_only else None,
            "reached by neither": f"{found.num_neither:,}" if found.num_neither else None,
        }
    )
    differing = [each for each in found.largest if each.emd > 0]
    if not differing:
        return
    print("\ninformation sets that differ most, by earth mover's distance")
    columns = ("distance", "player", "information set", "A", "B", *(("reach",) if weighted else ()))
    rows = [
        (
            f"{each.emd:.4f}",
            str(each.player + 1),
            each.infoset,
            _played(each.actions, each.first),
            _played(each.actions, each.second),
            *((f"{each.reach:.2g}",) if each.reach is not None else ()),
        )
        for each in differing
    ]
    print_table(columns, rows, right=(0, 5) if weighted else (0,))


def _played(actions: tuple[str, ...], probabilities: tuple[float, ...]) -> str:
    """`call 0.25, raise 0.75`: what is played at least once in two thousand times."""
    return ", ".join(
        f"{action} {chance:.3g}" for action, chance in zip(actions, probabilities, strict=True) if chance >= 5e-4
    )
