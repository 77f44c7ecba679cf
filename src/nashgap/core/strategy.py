"""What a strategy is: for the seat to act, the probabilities of its actions for every private hand at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

__all__ = ["Policy", "Strategy"]

StateT_contra = TypeVar("StateT_contra", contravariant=True)


@dataclass(frozen=True, eq=False)
class Policy:
    """What the player to act does in one public state. H hands, A actions.

    hands:         names of the H private hands, in the game's order.
    actions:       names of the A legal actions.
    probabilities: `[H, A]`; each row sums to 1.
    """

    hands: tuple[str, ...]
    actions: tuple[str, ...]
    probabilities: np.ndarray


class Strategy(Protocol[StateT_contra]):
    """Pure: the same state always gets the same answer."""

    def policies(self, states: Sequence[StateT_contra]) -> list[Policy]:
        """One policy for each public state."""
        ...
