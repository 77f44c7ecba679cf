"""A player as the dealer knows it: its connection, its clock, its record."""

from __future__ import annotations

from nashgap.arena.acpc.config import DealerConfig
from nashgap.core.wire import Wire

__all__ = ["Guest"]


class Guest:
    """One player through a match. wire: None when it is out; shares: of a chip, won so far."""

    def __init__(self, config: DealerConfig, number: int) -> None:
        self._config = config
        self.number = number
        self.name = config.players[number]
        self.wire: Wire | None = None
        self.shares = 0
        self.hand_seconds = 0.0
        self.match_seconds = 0.0
        self.num_mended = 0
        self.num_ignored = 0
        self.num_remarks = 0
        self.fault: str | None = None

    def spend(self, seconds: float) -> None:
        self.hand_seconds += seconds
        self.match_seconds += seconds

    def seconds_left(self) -> float:
        """For its next answer."""
        config = self._config
        return min(
            config.seconds_per_action,
            config.seconds_per_hand - self.hand_seconds,
            config.match_seconds - self.match_seconds,
        )

    def tightest_limit(self) -> str:
        """The limit that `seconds_left` comes from."""
        config, left = self._config, self.seconds_left()
        if left == config.seconds_per_action:
            return f"{left:g} seconds for an action"
        if left == config.seconds_per_hand - self.hand_seconds:
            return f"{config.seconds_per_hand:g} seconds for a hand"
        return f"{config.match_seconds:g} seconds for the match"
