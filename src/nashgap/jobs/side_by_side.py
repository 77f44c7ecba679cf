"""One strategy by several measures, told as the same thing: what its nemesis wins a game, on the mean of both seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nashgap.core.estimate import Estimate, significant
from nashgap.core.result import Result
from nashgap.errors import ConfigError
from nashgap.jobs.abr_bound import AbrBound
from nashgap.jobs.full_response import FullGap
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.measures.best_response import Exploitability

__all__ = ["SideBySide", "nemesis_wins"]

Compared = Exploitability | FullGap | LbrBound | AbrBound


def nemesis_wins(found: Compared) -> Estimate | float:
    """A game on the mean of both seats: exactly, or at least."""
    match found:
        case AbrBound():
            return found.exploitability
        case LbrBound():
            return found.estimate
        case FullGap():
            return found.estimate or found.exploitability
        case Exploitability():
            return found.exploitability
    raise ConfigError(f"{type(found).__name__} cannot stand beside others; br, lbr and abr can")


@dataclass(frozen=True, eq=False, repr=False)
class SideBySide(Result):
    """What several measures have found.

    found: by method.
    """

    reporter: ClassVar[str] = "nashgap.reports.side_by_side:side_by_side_report"

    strategy: str
    found: dict[str, Compared]

    @property
    def unit(self) -> str:
        """Of all of them; the same game is played everywhere."""
        first = next(iter(self.found.values()))
        return first.estimate.unit if isinstance(first, LbrBound) else first.unit

    @property
    def wins(self) -> dict[str, Estimate | float]:
        """By method."""
        return {by: nemesis_wins(each) for by, each in self.found.items()}

    @property
    def largest(self) -> str:
        """The method that found most."""
        return max(self.found, key=lambda by: _number(self.wins[by]))

    @property
    def summary(self) -> str:
        most = self.wins[self.largest]
        if not isinstance(most, Estimate):
            return f"{self.strategy}: a best response wins {significant(most)} {self.unit}, exactly."
        return (
            f"{self.strategy}: {self.largest} wins most, {most}; a best response wins at least"
            f" {significant(most.lower_bound_975)}. The largest of {len(self.found)} is a little flattered."
        )

    def as_dict(self) -> dict[str, Any]:
        wins = {by: won.as_dict() if isinstance(won, Estimate) else won for by, won in self.wins.items()}
        return {
            "strategy": self.strategy,
            "unit": self.unit,
            "nemesis_wins": wins,
            "largest": self.largest,
            "found": {by: each.as_dict() for by, each in self.found.items()},
        }


def _number(won: Estimate | float) -> float:
    return won.mean if isinstance(won, Estimate) else won
