"""Hands that differ only in the names of their suits, numbered 0..size-1 and back.

After the idea of Waugh (2013), "A fast and optimal hand isomorphism algorithm". Cards come in rounds: the order within
a round does not matter, the order of the rounds does. `(2, 3, 1)` are two hole cards, a flop and a turn; `(2, 4)` the
same cards as two hole cards and a board that has forgotten which one was the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from nashgap import _native
from nashgap.cards.card import NUM_CARDS, as_card_array
from nashgap.errors import ConfigError

__all__ = ["ORDERED_STREETS", "STREETS", "SuitIsomorphism"]

# Cards per round of hold'em. A board is a set of cards in the first table, and dealt street by street in the second.
STREETS = {"preflop": (2,), "flop": (2, 3), "turn": (2, 4), "river": (2, 5)}
ORDERED_STREETS = {"preflop": (2,), "flop": (2, 3), "turn": (2, 3, 1), "river": (2, 3, 1, 1)}

_MAX_ROUNDS = 4
_MAX_CARDS = 10


class SuitIsomorphism:
    """The classes of hands under renaming of suits. 1 to 4 rounds, each of at least one card, at most 10 in all."""

    def __init__(self, cards_per_round: Sequence[int]) -> None:
        self.cards_per_round = tuple(cards_per_round)
        self.num_cards = sum(self.cards_per_round)
        is_known = 1 <= len(self.cards_per_round) <= _MAX_ROUNDS and self.num_cards <= _MAX_CARDS
        if not is_known or min(self.cards_per_round) < 1:
            allowed = f"1 to {_MAX_ROUNDS} rounds of at least one card, at most {_MAX_CARDS} cards in all"
            raise ConfigError(f"no index for rounds of {list(self.cards_per_round)} cards; {allowed}")
        self._native = _native.SuitIsomorphism(list(self.cards_per_round))

    @classmethod
    def of_street(cls, street: str, *, is_ordered: bool = False) -> Self:
        """Hold'em's hole cards and board on a street. is_ordered: the flop, turn and river are told apart."""
        if street not in STREETS:
            raise ConfigError(f"unknown street {street!r}; known: {', '.join(STREETS)}")
        return cls((ORDERED_STREETS if is_ordered else STREETS)[street])

    @property
    def size(self) -> int:
        """How many classes there are."""
        return self._native.size

    def index(self, cards: Sequence[int]) -> int:
        """The class of a hand, its cards in the order of the rounds."""
        try:
            index = self._native.index(bytes(list(cards)))
        except (TypeError, ValueError):  # not a row of numbers 0..255
            index = -1
        if index < 0:
            raise ConfigError(f"no hand {cards!r}; {self._hand_description}")
        return index

    def unindex(self, index: int) -> tuple[int, ...]:
        """The representative of a class: always the same hand of it."""
        if not 0 <= index < self.size:
            raise ConfigError(f"no hand class {index}; they are 0 to {self.size - 1}")
        return tuple(self._native.unindex(int(index)))

    def index_batch(self, cards: np.ndarray) -> np.ndarray:
        """The classes of many hands. `[N, num_cards]` of integers, best uint8 -> `[N]` int64."""
        if cards.ndim != 2 or cards.shape[1] != self.num_cards:
            raise ConfigError(f"hands must have the shape [N, {self.num_cards}], not {list(cards.shape)}")
        indices = np.empty(len(cards), dtype=np.int64)
        num_indexed = self._native.index_batch(as_card_array(cards), indices)
        if num_indexed < len(cards):
            hand = cards[num_indexed].tolist()
            raise ConfigError(f"hand {num_indexed} is {hand}; {self._hand_description}")
        return indices

    def unindex_batch(self, indices: np.ndarray) -> np.ndarray:
        """The representatives of many classes. `[N]` of integers -> `[N, num_cards]` uint8."""
        if indices.ndim != 1 or not np.issubdtype(indices.dtype, np.integer):
            raise ConfigError(f"indices must be a row of whole numbers, not {indices.dtype} {list(indices.shape)}")
        wanted = np.ascontiguousarray(indices, dtype=np.int64)
        cards = np.empty((wanted.size, self.num_cards), dtype=np.uint8)
        num_found = self._native.unindex_batch(wanted, cards)
        if num_found < wanted.size:
            raise ConfigError(f"no hand class {wanted[num_found]}; they are 0 to {self.size - 1}")
        return cards

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[int, ...]]]:
        return type(self), (self.cards_per_round,)

    def __repr__(self) -> str:
        return f"SuitIsomorphism({self.cards_per_round})"

    @property
    def _hand_description(self) -> str:
        return f"a hand is {self.num_cards} different cards of 0 to {NUM_CARDS - 1}"
