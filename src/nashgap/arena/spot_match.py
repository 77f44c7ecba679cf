"""Two strategies of one spot against each other, exactly: all hands, all boards, both seatings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nashgap.core.result import Result
from nashgap.errors import MismatchError
from nashgap.poker.spot import Spot
from nashgap.runs.config import package_version
from nashgap.strategies.spot_strategy import SpotStrategy, empty_strategy

__all__ = ["SpotMatch", "match_spots"]


@dataclass(frozen=True, eq=False, repr=False)
class SpotMatch(Result):
    """What two strategies of a spot win from each other; no hand is sampled.

    names:  of both.
    values: chips that the first gets out of position, and in position.
    others: chips that the second gets meanwhile.
    """

    reporter: ClassVar[str] = "nashgap.reports.spot:spot_match_report"

    spot: Spot
    names: tuple[str, str]
    values: tuple[float, float]
    others: tuple[float, float]

    @property
    def gain(self) -> float:
        """Chips that the first wins from the second a hand, the mean of both seatings."""
        return (sum(self.values) - sum(self.others)) / 4

    @property
    def summary(self) -> str:
        first, second = self.names
        return f"{first} wins {self.gain:+.4f} chips a hand from {second}, the mean of both seatings, exactly."

    def as_dict(self) -> dict[str, Any]:
        return {
            "board": self.spot.board_text,
            "pot": self.spot.pot,
            "players": list(self.names),
            "gain": self.gain,
            "unit": "chips_per_hand",
            "seatings": [
                {"out_of_position": self.names[0], "values": [self.values[0], self.others[0]]},
                {"out_of_position": self.names[1], "values": [self.others[1], self.values[1]]},
            ],
            "version": package_version(),
        }


def match_spots(first: SpotStrategy, second: SpotStrategy, names: tuple[str, str]) -> SpotMatch:
    """Exact values of both seatings; both must be of the same spot."""
    if first.spot != second.spot:
        raise MismatchError(f"{names[0]} and {names[1]} are strategies of different spots; they meet in one")
    ahead, behind = _values(first, second, names), _values(second, first, names)
    return SpotMatch(first.spot, names, (ahead[0], behind[1]), (ahead[1], behind[0]))


def _values(oop: SpotStrategy, ip: SpotStrategy, names: tuple[str, str]) -> tuple[float, float]:
    """Chips that each gets."""
    spot = oop.spot
    together = empty_strategy(spot, oop.locks if oop.locks == ip.locks else ())
    for seat, strategy in enumerate((oop, ip)):
        table, own = together.tables[f"strategy_{seat}"], strategy.ranges.weights(seat)
        if table.shape != own.shape:
            raise MismatchError(
                f"{names[0]} and {names[1]}: one of them was solved with locks that tell suits apart, so that they do"
                " not meet on the same boards"
            )
        table[:] = own
    return spot.chips_won(together.values())
