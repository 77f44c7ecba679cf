"""A strategy that is asked no state twice while it remembers: for versions of a bot that differ in few places."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.core.strategy import Policy
from nashgap.poker.state import PublicState
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["RememberingStrategy"]

MOST_STATES = 4_000  # some 30 kB each


class RememberingStrategy:
    """Answers as the base does, which is pure; what was asked first is forgotten first. Not for sampled ones."""

    is_sampled = False

    def __init__(self, base: PokerStrategy, most_states: int = MOST_STATES) -> None:
        self.name, self.slowness = base.name, getattr(base, "slowness", "")
        if hasattr(base, "deals_per_batch"):
            self.deals_per_batch = base.deals_per_batch
        self._base, self._most_states = base, most_states
        self._known: dict[tuple[str, tuple[int, ...]], Policy] = {}

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        keys = [(state.betting, state.board) for state in states]
        missing = {key: state for key, state in zip(keys, states, strict=True) if key not in self._known}
        answers = dict(zip(missing, self._base.policies(list(missing.values())) if missing else (), strict=True))
        found = [answers.get(key) or self._known[key] for key in keys]
        self._known |= answers
        for key in list(self._known)[: max(0, len(self._known) - self._most_states)]:
            del self._known[key]
        return found

    def close(self) -> None:
        """End the base, if it is a program of its own."""
        close = getattr(self._base, "close", None)
        if close is not None:
            close()
