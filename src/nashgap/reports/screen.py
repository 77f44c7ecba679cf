"""The terminal for people: where reports and tables of results are printed; rich is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["screen", "table"]


def screen() -> Console:
    """Standard output for people; text is shown as it is, whole lines only, without blanks at their ends."""
    from rich.console import Console

    from nashgap.reports.trimmed import Trimming

    console = Console(highlight=False, markup=False, emoji=False)
    console.push_render_hook(Trimming())
    return console


def table(columns: Sequence[str], *, right: Iterable[int] = (), fixed: Iterable[int] = ()) -> Table:
    """An empty table without edges; the columns numbered in `right` hold numbers.

    Those in `fixed` and `right` are never broken.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    right, fixed = set(right), set(fixed)
    empty = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, name in enumerate(columns):
        kept_whole = place in right or place in fixed
        empty.add_column(name, justify="right" if place in right else "left", no_wrap=kept_whole, overflow="fold")
    return empty
