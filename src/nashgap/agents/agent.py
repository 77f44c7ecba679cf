"""What a player is, whatever it is made of."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from nashgap import _native
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState, View
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["Agent", "NativeAgent", "stream_of"]


class Agent(Protocol):
    """Something that can sit at a table. The arena calls `start_match`, then for each hand `start_hand`, `act` when it
    is its turn, and `end_hand`."""

    @property
    def name(self) -> str: ...

    def start_match(self, rules: PokerRules) -> None:
        """A new match begins; forget everything."""
        ...

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        """A new hand begins. All that is random in it comes from `rng`."""
        ...

    def act(self, view: View) -> Action:
        """One of `view.legal`."""
        ...

    def end_hand(self, hand: HandRecord) -> None:
        """The hand is over; `hand` has the hole cards that were shown."""
        ...


class NativeAgent:
    """The face of an agent of the engine; matches between such agents never leave it.

    deals_per_batch: about as many as it plays in a second.
    strategy:        what it does with every hand, where that is known.
    """

    def __init__(
        self,
        name: str,
        native: _native.Agent,
        *,
        deals_per_batch: int = 10_000,
        strategy: PokerStrategy | None = None,
    ) -> None:
        self.name = name
        self._native = native
        self.strategy = strategy
        self.deals_per_batch = deals_per_batch
        self._player = native

    @property
    def native(self) -> _native.Agent:
        return self._native

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a game that the agent does not play: UnsupportedGameError. This one plays all."""

    def start_match(self, rules: PokerRules) -> None:
        self._player = self.native.fresh()

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._seat = seat
        self._stream = stream_of(rng)
        self._num_seen = 0

    def act(self, view: View) -> Action:
        self._watch(view.state)
        return self._player.act(view.state.native, view.hole_cards, self._stream)

    def end_hand(self, hand: HandRecord) -> None:
        self._watch(hand.state)
        if self._player.has_memory:
            self._player.end_hand(hand.state.native, self._seat)

    def _watch(self, state: PublicState) -> None:
        if self._player.has_memory:
            self._num_seen = self._player.watch(state.native, self._num_seen)


def stream_of(rng: np.random.Generator) -> _native.Stream:
    """The engine's generator at the beginning of the stream that `rng` is at the beginning of."""
    state = rng.bit_generator.state
    assert state["bit_generator"] == "Philox", "the arena makes Philox generators"
    key, counter = state["state"]["key"], state["state"]["counter"]
    return _native.Stream(int(key[0]), int(key[1]), int(counter[1]), int(counter[2]))
