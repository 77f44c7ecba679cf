"""An abstract game: a betting tree and, for each seat, an abstraction of its cards.

An entry is one action of one bucket at one node of the tree. Entries lie
`[round, start of the round, seat, bucket, node, action]`: all that a seat decides with one bucket from the start of a
betting round to its end is together, since that is what a walk of the tree visits.

Where the tree begins behind a prefix of the betting, hands are not alike there: each seat has a range, which says how
likely each of its hands is to have done what the prefix says. Those who folded have one, too: their cards are gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from nashgap import _native
from nashgap.abstraction.buckets import CardAbstraction
from nashgap.abstraction.cards_by_board import CardsByBoard
from nashgap.errors import ConfigError, MismatchError
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.hands import hand_names
from nashgap.poker.prefix import folded_seats
from nashgap.poker.rules import PokerRules

__all__ = ["AbstractGame", "CardsOfSeat"]

CardsOfSeat = CardAbstraction | Mapping[int, CardAbstraction]
"""One abstraction, or one for each number of players who are still in the hand: {3: ..., 2: ...}."""


class AbstractGame:
    """N nodes of the tree, E entries, R rounds.

    cards:  what each seat tells apart; one value for all seats, or one a seat.
    ranges: `[seats, hands]` chances, in the order of `nashgap.poker.hands`; None: all hands are alike.
    """

    def __init__(
        self,
        tree: BettingTree,
        cards: CardsOfSeat | Sequence[CardsOfSeat],
        ranges: np.ndarray | None = None,
    ) -> None:
        num_seats = tree.rules.num_seats
        by_seat = cards if isinstance(cards, Sequence) else [cards] * num_seats
        if len(by_seat) != num_seats:
            raise ConfigError(f"{len(by_seat)} card abstractions for {num_seats} seats; each seat needs one")
        self.tree = tree
        # Abstractions with the same buckets are one, so that the order of the entries follows from what they are.
        same: dict[str, CardAbstraction] = {}
        self.cards = tuple(
            {n: same.setdefault(seen.fingerprint, seen) for n, seen in _by_active(tree.rules, of_seat).items()}
            for of_seat in by_seat
        )
        self._apart = tuple({id(seen): seen for of_seat in self.cards for seen in of_seat.values()}.values())
        self.ranges = None if ranges is None else _checked_ranges(tree.rules, ranges)
        self._layout = self.native if self.by_board is None else self.by_board

    def __repr__(self) -> str:
        sizes = f"{self.tree.num_nodes:,} decision nodes, {self.num_infosets:,} information sets"
        behind = f" behind {self.tree.prefix_text}" if self.tree.prefix else ""
        return f"<AbstractGame of {self.rules.name or 'poker'}{behind}: {sizes}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return AbstractGame, (self.tree, self.cards, self.ranges)

    @cached_property
    def native(self) -> _native.AbstractGame:
        """What the engine makes of it; opens the tables of the cards."""
        return self._built(lambda seen: seen.native)

    @cached_property
    def by_board(self) -> _native.AbstractGame | None:
        """The same, but right on boards alone that `look_up` was asked for; None where the tables are open anyway."""
        if not all(isinstance(seen, CardsByBoard) for seen in self._apart):
            return None
        return self._built(lambda seen: cast(CardsByBoard, seen).by_board)

    @property
    def is_open(self) -> bool:
        """Whether all boards can be looked up at once."""
        return "native" in self.__dict__

    def look_up(self, board: Sequence[int]) -> bool:
        """Have this board in `by_board`; False where `native` should be asked, all in all."""
        apart = [seen for seen in self._apart if isinstance(seen, CardsByBoard)]
        if self.is_open or len(apart) < len(self._apart) or all(seen.is_open for seen in apart):
            return False
        for seen in apart:
            seen.look_up(board)
            seen.open_after_many()
        return True

    def _built(self, buckets: Callable[[CardAbstraction], _native.CardAbstraction]) -> _native.AbstractGame:
        numbers = range(2, self.rules.num_seats + 1)
        natives = [[None, None, *(buckets(of_seat[n]) for n in numbers)] for of_seat in self.cards]
        betting = self.tree.abstraction.native(self.rules)
        chances = [] if self.ranges is None else self.ranges.tolist()
        try:
            return _native.AbstractGame(self.rules.native, betting, self.tree.native, natives, chances)
        except ValueError as error:
            raise ConfigError(f"ranges: {error}") from None

    @property
    def rules(self) -> PokerRules:
        return self.tree.rules

    @property
    def entry_start(self) -> tuple[int, ...]:
        """`[R+1]` entries of round r are entry_start[r]:entry_start[r+1]."""
        return self._layout.entry_start

    @property
    def num_entries(self) -> int:
        return self.entry_start[-1]

    @property
    def num_infosets(self) -> int:
        return self._layout.num_infosets

    def entries(self, node: int) -> np.ndarray:
        """Which entries a node has: `[buckets, actions]` int64."""
        offset, stride, num_actions, num_buckets = self._layout.place(node)
        return offset + stride * np.arange(num_buckets)[:, None] + np.arange(num_actions)

    @property
    def is_plain(self) -> bool:
        """Whether all hands are alike and compared with all cards."""
        cut = self.tree.truncation
        return self.ranges is None and (cut is None or cut.settle != "best")

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that have not folded when the game begins."""
        folded = folded_seats(self.rules, self.tree.prefix)
        return tuple(seat for seat in range(self.rules.num_seats) if seat not in folded)

    def deals(self, num_deals: int, seed: int = 0, first_deal: int = 0) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """Deals of the seed: `[num_deals, hole cards]` of each seat, and `[num_deals, board cards]`; uint8."""
        num_hole, num_seats = self.rules.num_hole_cards, self.rules.num_seats
        cards = np.empty((num_deals, num_seats * num_hole + sum(self.rules.num_board_cards)), np.uint8)
        self.native.deal(seed, first_deal, cards)
        holes = tuple(np.ascontiguousarray(cards[:, seat * num_hole :][:, :num_hole]) for seat in range(num_seats))
        return holes, np.ascontiguousarray(cards[:, num_seats * num_hole :])

    @property
    def fingerprint(self) -> str:
        """Of rules, betting tree, buckets and ranges: equal where entries mean the same."""
        told = [self.rules.to_text(), str(self.tree.abstraction)]
        told += [f"{n}:{seen.fingerprint}" for of_seat in self.cards for n, seen in sorted(of_seat.items())]
        if self.tree.prefix:
            told.append(self.tree.prefix_text)
        if self.tree.truncation is not None:
            told.append(str(self.tree.truncation))
        if self.ranges is not None:
            told.append(hashlib.sha256(self.ranges.tobytes()).hexdigest())
        return hashlib.sha256("\n".join(told).encode()).hexdigest()[:32]


def _checked_ranges(rules: PokerRules, ranges: np.ndarray) -> np.ndarray:
    checked: np.ndarray = np.ascontiguousarray(ranges, np.float64)
    wanted = (rules.num_seats, len(hand_names(rules)))
    if checked.shape != wanted:
        raise ConfigError(f"ranges are of shape {checked.shape}; {wanted[0]} seats x {wanted[1]} hands are needed")
    if not ((checked >= 0) & (checked <= 1)).all():
        raise ConfigError("ranges hold what is no chance from 0 to 1")
    return checked


def _by_active(rules: PokerRules, cards: CardsOfSeat) -> dict[int, CardAbstraction]:
    numbers = range(2, rules.num_seats + 1)
    by_active = dict(cards) if isinstance(cards, Mapping) else dict.fromkeys(numbers, cards)
    if sorted(by_active) != list(numbers):
        raise ConfigError(
            f"card abstractions for {sorted(by_active)} players in the hand; needed for each of {list(numbers)}"
        )
    for abstraction in by_active.values():
        if abstraction.rules != rules:
            raise MismatchError("a card abstraction is of another game than the betting tree")
    return by_active
