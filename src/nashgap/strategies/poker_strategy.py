"""What a strategy at the real poker table is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from nashgap.core.strategy import Policy
from nashgap.poker.state import PublicState

__all__ = ["PokerStrategy"]


@runtime_checkable
class PokerStrategy(Protocol):
    """What a seat does with every hand at once, in any public state of a game. Pure.

    is_sampled: known by samples only; then `policies` is refused, and it has `sample_policies`, see `SampledStrategy`.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_sampled(self) -> bool: ...

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """One policy for each state, in which a seat is to act; hands in the order of `nashgap.poker.hands`."""
        ...
