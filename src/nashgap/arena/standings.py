"""The standings of a tournament, from its cross-table alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from nashgap.arena.cross_table import CrossTable
from nashgap.arena.ranking import Ranking, Runoff, bankroll, runoff
from nashgap.arena.tournament_result import rankings_document
from nashgap.core.result import Result
from nashgap.runs.config import package_version

__all__ = ["Standings"]


@dataclass(frozen=True, eq=False, repr=False)
class Standings(Result):
    """The ranks of the players of a cross-table.

    source: the file that the table came from; empty where it came from none.
    """

    reporter: ClassVar[str] = "nashgap.reports.standings:ranking_report"

    cross_table: CrossTable
    source: str = ""

    @cached_property
    def bankroll(self) -> Ranking:
        return bankroll(self.cross_table)

    @cached_property
    def runoff(self) -> Runoff:
        return runoff(self.cross_table)

    @property
    def summary(self) -> str:
        best = f"{self.bankroll.players[0]} ({self.bankroll.winrates[0]:+.4g} {self.cross_table.unit}".rstrip() + ")"
        return f"First by bankroll: {best}. First by run-off: {self.runoff.players[0]}."

    def as_dict(self) -> dict[str, Any]:
        table = self.cross_table
        return {
            "table": self.source,
            "unit": table.unit or None,
            "teams": dict(table.teams),
            "matchups": len(table.matchups),
            **rankings_document(table),
            "version": package_version(),
        }
