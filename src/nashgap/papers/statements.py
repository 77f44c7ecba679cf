"""What a paper says in words, held against what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nashgap.reports.report import Table

__all__ = ["VERDICTS", "Statement", "all_true", "is_positive", "num_true", "statement_table"]

VERDICTS = {True: "true", False: "false", None: "not decided"}


@dataclass(frozen=True)
class Statement:
    """Something that a paper says, whether it is so here, and the figures that decide it.

    is_true: None where the intervals do not decide it.
    """

    text: str
    is_true: bool | None
    because: str

    @property
    def verdict(self) -> str:
        return VERDICTS[self.is_true]


def num_true(statements: Iterable[Statement]) -> int:
    return sum(each.is_true is True for each in statements)


def statement_table(title: str, statements: Sequence[Statement], note: str = "") -> Table:
    """A row for each."""
    rows = tuple((each.text, each.verdict, each.because) for each in statements)
    return Table(title, ("the paper says", "here", "because"), rows, note)


def is_positive(difference: float, ci95: float | None = None) -> bool | None:
    """Whether it is above 0; None where the interval has both signs."""
    return None if ci95 is not None and abs(difference) <= ci95 else difference > 0


def all_true(verdicts: Iterable[bool | None]) -> bool | None:
    """Of all together: false where one is, else not decided where one is not."""
    found = set(verdicts)
    return False if False in found else None if None in found else True
