"""What a paper says in words, held against what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nashgap.reports.report import Table

__all__ = ["Statement", "statement_table"]


@dataclass(frozen=True)
class Statement:
    """Something that a paper says, whether it is so here, and the figures that decide it."""

    text: str
    is_true: bool
    because: str


def statement_table(title: str, statements: Sequence[Statement], note: str = "") -> Table:
    """A row for each."""
    rows = tuple((each.text, "true" if each.is_true else "false", each.because) for each in statements)
    return Table(title, ("the paper says", "here", "because"), rows, note)
