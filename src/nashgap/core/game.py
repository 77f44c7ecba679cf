"""What a small game is: rules as immutable values, with no random generator inside.

Two ways to write one, and `compile_tree` takes both:

* `Game` with `State`s: one state per history. Anything can be written so.
* `DealtGame` with `PublicNode`s: private hands are dealt once, and all that follows is seen by everybody
  (Kuhn, Leduc, Liar's dice, one-bet poker). The rules are written for the public part only and apply to all deals
  at once, so that a game of millions of histories compiles in seconds. `DealtGame.root` gives the same game as
  plain states.

A move is the index of an action (or of a chance outcome) in the state's own list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from nashgap.errors import IllegalActionError

__all__ = ["CHANCE", "TERMINAL", "Deals", "DealtGame", "DealtState", "Game", "PublicNode", "State", "infoset_key"]

CHANCE = -1
TERMINAL = -2


class State(Protocol):
    """One history of a game. Immutable."""

    @property
    def player(self) -> int:
        """The player to act, 0-based; or CHANCE; or TERMINAL."""
        ...

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the legal actions, or of the chance outcomes; empty at the end."""
        ...

    @property
    def chance_probabilities(self) -> tuple[float, ...]:
        """One per outcome, summing to 1; chance states only."""
        ...

    @property
    def infoset(self) -> str:
        """All that the player to act knows, as a readable key; player states only."""
        ...

    @property
    def returns(self) -> tuple[float, ...]:
        """Payoff of each player, in the game's unit; terminal states only."""
        ...

    def child(self, move: int) -> State:
        """The state after action or outcome number `move`."""
        ...


class Game(Protocol):
    """The rules of a small game. Immutable; equal parameters make equal games."""

    @property
    def num_players(self) -> int: ...

    @property
    def unit(self) -> str:
        """What a payoff of 1 is, with its denominator: `antes_per_hand`."""
        ...

    def root(self) -> State: ...


@dataclass(frozen=True)
class Deals:
    """All joint private deals. D deals, P players.

    hands:       `[D, P]` int, index of each player's hand in `DealtGame.hand_names[player]`.
    probability: `[D]` float, summing to 1; deals of probability 0 are left out.
    """

    hands: np.ndarray
    probability: np.ndarray


class PublicNode(Protocol):
    """What everybody sees of a `DealtGame`. Immutable. L lanes: the deals that are still possible."""

    @property
    def player(self) -> int: ...

    @property
    def actions(self) -> tuple[str, ...]: ...

    @property
    def label(self) -> str:
        """The public history as text, the same for all deals; part of every infoset key."""
        ...

    def child(self, move: int) -> PublicNode: ...

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        """Of each public chance outcome given each deal: `[L, P] -> [L, len(actions)]`; 0 where impossible."""
        ...

    def returns(self, hands: np.ndarray) -> np.ndarray:
        """Payoffs at the end given each deal: `[L, P] -> [L, P]`."""
        ...


class DealtGame(ABC):
    """A game in which hands are dealt once, privately, and all that follows is public."""

    @property
    @abstractmethod
    def num_players(self) -> int: ...

    @property
    @abstractmethod
    def unit(self) -> str: ...

    @property
    @abstractmethod
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        """For each player the names of the private hands, in order."""

    @property
    @abstractmethod
    def num_deals(self) -> int:
        """How many joint deals `deals` has, or a little more: known without making them."""

    def least_public_nodes(self, enough: float) -> float:
        """A number of public nodes that the game has or exceeds, computed at once: of use where it is over `enough`."""
        return 1.0

    @abstractmethod
    def deals(self) -> Deals: ...

    @abstractmethod
    def public_root(self) -> PublicNode: ...

    def root(self) -> State:
        """The same game history by history; the first move deals all hands at once."""
        return DealtState(self)


@dataclass(frozen=True)
class DealtState:
    """One history of a `DealtGame`: a deal (or none yet) and the public state."""

    game: DealtGame
    hands: tuple[int, ...] | None = None
    public: PublicNode | None = None

    @cached_property
    def _deals(self) -> Deals:
        return self.game.deals()

    @property
    def player(self) -> int:
        return CHANCE if self.public is None else self.public.player

    @property
    def actions(self) -> tuple[str, ...]:
        if self.public is not None:
            return self.public.actions
        names = self.game.hand_names
        return tuple(" ".join(names[p][h] for p, h in enumerate(hands)) for hands in self._deals.hands)

    @property
    def chance_probabilities(self) -> tuple[float, ...]:
        if self.public is None:
            return tuple(float(x) for x in self._deals.probability)
        return tuple(float(x) for x in self.public.outcome_probabilities(np.array([self.hands]))[0])

    @property
    def infoset(self) -> str:
        assert self.public is not None and self.hands is not None, "only a player state has an information set"
        return infoset_key(self.game.hand_names[self.player][self.hands[self.player]], self.public.label)

    @property
    def returns(self) -> tuple[float, ...]:
        assert self.public is not None, "only a terminal state has returns"
        return tuple(float(x) for x in self.public.returns(np.array([self.hands]))[0])

    def child(self, move: int) -> DealtState:
        if self.public is None:
            if not 0 <= move < len(self._deals.hands):
                raise IllegalActionError(f"deal {move} does not exist; deals are 0 to {len(self._deals.hands) - 1}")
            hands = tuple(int(h) for h in self._deals.hands[move])
            return DealtState(self.game, hands, self.game.public_root())
        return DealtState(self.game, self.hands, self.public.child(move))


def infoset_key(hand: str, label: str) -> str:
    """The key of a `DealtGame`'s information set: own hand, then the public history."""
    return f"{hand} {label}".rstrip()
