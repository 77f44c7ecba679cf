"""What the seats of an abstract game could gain, as estimates: the result of all measures within an abstraction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.estimate import Estimate
from nashgap.core.result import Result, frame
from nashgap.runs.config import package_version

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SeatGap"]


@dataclass(frozen=True, repr=False)
class SeatGap(Result):
    """What each seat wins, and could at least win, while the others stay as they are; within the abstract game.

    values:    by seat, of the strategy against itself.
    responses: by seat, of the response that was found.
    gains:     by seat, the difference on the same deals: a lower bound on what a best response gains.
    nash_conv: the gains of all seats together; heads-up twice the exploitability.
    strategy:  whose gap it is, as text; empty where it has no name.
    game:      of poker, by name; empty where it has none.
    """

    reporter: ClassVar[str] = "nashgap.reports.best_response:gap_report"

    values: tuple[Estimate, ...]
    responses: tuple[Estimate, ...]
    gains: tuple[Estimate, ...]
    nash_conv: Estimate
    strategy: str = field(default="", kw_only=True)
    game: str = field(default="", kw_only=True)

    @property
    def method(self) -> str:
        return self.nash_conv.method

    @property
    def place(self) -> str:
        """Whose gap it is, and where."""
        return f"{self.strategy or 'the strategy'} in its abstract game of {self.game or 'poker'}"

    @property
    def summary(self) -> str:
        return f"{self.method} of {self.place}: nash_conv at least {self.nash_conv}."

    def to_frame(self) -> pd.DataFrame:
        """A row for each seat, from 1, with the half-widths of the 95% intervals."""
        names = ("value", "response", "gain")
        columns = ("seat", *(column for name in names for column in (name, f"{name}_ci95")), "unit")
        rows = [
            (seat, *(number for each in estimates for number in (each.mean, each.ci95)), estimates[0].unit)
            for seat, estimates in enumerate(zip(self.values, self.responses, self.gains, strict=True), 1)
        ]
        return frame(columns, rows)

    def as_dict(self) -> dict[str, Any]:
        return {
            **({"strategy": self.strategy} if self.strategy else {}),
            **({"game": self.game} if self.game else {}),
            **{
                name: [estimate.as_dict() for estimate in getattr(self, name)]
                for name in ("values", "responses", "gains")
            },
            "nash_conv": self.nash_conv.as_dict(),
            "method": self.method,
            "version": package_version(),
        }
