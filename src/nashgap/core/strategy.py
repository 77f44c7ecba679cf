"""What a strategy is: for the seat to act, the probabilities of its actions for every private hand at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

__all__ = ["Policy", "SampledStrategy", "Strategy"]

StateT_contra = TypeVar("StateT_contra", contravariant=True)


@dataclass(frozen=True, eq=False)
class Policy:
    """What the player to act does in one public state. H hands, A actions.

    hands:         names of the H private hands, in the game's order.
    actions:       names of the A actions: the legal ones, or in poker those that the strategy may take.
    probabilities: `[H, A]`; each row sums to 1, but for hands that cannot be held, whose rows are 0.
    moves:         in poker: `[A]` the actions as numbers, see `nashgap.poker.state`.
    """

    hands: tuple[str, ...]
    actions: tuple[str, ...]
    probabilities: np.ndarray
    moves: tuple[int, ...] = ()


class Strategy(Protocol[StateT_contra]):
    """Pure: the same state always gets the same answer."""

    def policies(self, states: Sequence[StateT_contra]) -> list[Policy]:
        """One policy for each public state."""
        ...


class SampledStrategy(Protocol[StateT_contra]):
    """A strategy that is known by samples only; their mean over seeds is what it does."""

    def sample_policies(self, states: Sequence[StateT_contra], seed: int) -> list[Policy]:
        """One sample for each public state; the same again for the same states and seed."""
        ...
