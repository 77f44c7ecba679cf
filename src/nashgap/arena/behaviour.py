"""How an agent plays, in the numbers that players of poker use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from nashgap import _native

__all__ = ["Behaviour"]

# In the order of native/arena/match.h.
COUNTS = (
    "hands",
    "voluntary",
    "preflop_raise",
    "showdowns",
    "showdowns_won",
    "preflop_folds",
    "preflop_checks",
    "preflop_calls",
    "preflop_raises",
    "later_folds",
    "later_checks",
    "later_calls",
    "later_raises",
)
assert len(COUNTS) == _native.NUM_COUNTS


@dataclass(frozen=True)
class Behaviour:
    """Shares are of hands, from 0 to 1; None where nothing was counted.

    vpip:          put chips in voluntarily before the flop.
    pfr:           raised before the flop.
    aggression:    bets and raises for each call, after the first round (in all rounds where there is only one).
    went_to_showdown, won_at_showdown: the second is a share of the first.
    """

    hands: int
    vpip: float | None
    pfr: float | None
    aggression: float | None
    went_to_showdown: float | None
    won_at_showdown: float | None

    @classmethod
    def from_counts(cls, counts: Sequence[int], num_rounds: int) -> Behaviour:
        """counts: `[NUM_COUNTS]` as the engine counts."""
        count = dict(zip(COUNTS, map(int, counts), strict=True))
        stage = "preflop" if num_rounds == 1 else "later"
        return cls(
            hands=count["hands"],
            vpip=_share(count, "voluntary", "hands"),
            pfr=_share(count, "preflop_raise", "hands"),
            aggression=_share(count, f"{stage}_raises", f"{stage}_calls"),
            went_to_showdown=_share(count, "showdowns", "hands"),
            won_at_showdown=_share(count, "showdowns_won", "showdowns"),
        )

    def as_dict(self) -> dict[str, float | int | None]:
        return asdict(self)


def _share(count: Mapping[str, int], part: str, whole: str) -> float | None:
    return count[part] / count[whole] if count[whole] else None
