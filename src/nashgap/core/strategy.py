"""What a strategy is: for the seat to act, the probabilities of its actions for every private hand at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

__all__ = ["Policy", "RaiseRange", "SampledStrategy", "Strategy"]

StateT_contra = TypeVar("StateT_contra", contravariant=True)
MOST_SHOWN = 12  # actions of a policy in its repr


@dataclass(frozen=True)
class RaiseRange:
    """One action that stands for many: raises to every whole number of chips, `low` to `high`, equally often."""

    low: int
    high: int

    def __len__(self) -> int:
        return self.high - self.low + 1

    def __contains__(self, raise_to: object) -> bool:
        return isinstance(raise_to, int | np.integer) and bool(self.low <= raise_to <= self.high)

    def __str__(self) -> str:
        return f"r{self.low}..{self.high}"


@dataclass(frozen=True, eq=False)
class Policy:
    """What the player to act does in one public state. H hands, A actions.

    hands:         names of the H private hands, in the game's order.
    actions:       names of the A actions: the legal ones, or in poker those that the strategy may take.
    probabilities: `[H, A]`; each row sums to 1, but for hands that cannot be held, whose rows are 0. Or `[1, A]`: one
                   row for all hands that can be held, of a strategy that does not look at its cards.
    moves:         in poker: `[A]` the actions as numbers, see `nashgap.poker.state`, or as ranges of them; no number
                   is in two of them.
    """

    hands: tuple[str, ...]
    actions: tuple[str, ...]
    probabilities: np.ndarray
    moves: tuple[int | RaiseRange, ...] = ()

    def __repr__(self) -> str:
        held = "any hand" if self.ignores_hands else f"{len(self.hands):,} hands"
        actions = ", ".join(self.actions[:MOST_SHOWN]) + (", ..." if len(self.actions) > MOST_SHOWN else "")
        return f"<Policy for {held}: {actions}>"

    @property
    def ignores_hands(self) -> bool:
        """Whether one row stands for all hands."""
        return len(self.probabilities) == 1

    def chance_of(self, move: int) -> np.ndarray:
        """`[H]`, or `[1]` for all hands: how often each takes this action."""
        for place, each in enumerate(self.moves):
            if isinstance(each, RaiseRange) and move in each:
                return np.asarray(self.probabilities[:, place] / len(each))
            if each == move:
                return np.asarray(self.probabilities[:, place])
        return np.zeros(1)

    def row(self, hand: int) -> np.ndarray:
        """`[A]` of the hand at this place, which can be held."""
        return np.asarray(self.probabilities[0 if self.ignores_hands else hand])


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
