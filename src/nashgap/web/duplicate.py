"""Duplicate hands: the same cards in every seat, so that the luck of the deal falls on everybody alike.

`later`: deals come in blocks. A block is dealt once in order, and then again once for each further seat, with other
suits and in another order, so that a deal comes back after at least half a block. Places are shuffled among those only
at which the button, which moves on as ever, brings every player to the next seat of the deal. `person`: a second table
has the same deals, with the seats and suits changed. Which cards come is a function of the seed and the hand's number
alone: nothing needs to be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from nashgap.arena.session import players_at
from nashgap.arena.table import Deal, deal_cards
from nashgap.cards.card import SUITS
from nashgap.poker.rules import PokerRules

__all__ = [
    "BY_PERSON",
    "DUPLICATES",
    "LATER",
    "NO_DUPLICATE",
    "PlannedHand",
    "half_block",
    "hands_of_deal",
    "plan_hand",
    "told_after",
]

NO_DUPLICATE, LATER, BY_PERSON = "", "later", "person"
DUPLICATES = (NO_DUPLICATE, LATER, BY_PERSON)
LEAST_HALF = 15  # hands until a deal may come back
_ORDER_STREAM, _SUIT_STREAM = 5 << 8, 6 << 8  # beside those of native/arena/match.h and arena/duplicate.py
_BLOCKS_KEPT, _HANDS_KEPT = 1024, 1 << 16


@dataclass(frozen=True)
class PlannedHand:
    """deal_number: which deal it is. turn: how often it was dealt before, 0 for the first time. player_at: `[N]`."""

    deal_number: int
    turn: int
    deal: Deal
    player_at: tuple[int, ...]


def half_block(num_seats: int) -> int:
    """Hands of half a block: everybody is on the button equally often."""
    return num_seats * -(-LEAST_HALF // num_seats)


def plan_hand(rules: PokerRules, seed: int, number: int, duplicate: str = NO_DUPLICATE, table: int = 0) -> PlannedHand:
    """Hand `number`, from 1. table: 1 for the second one by `person`, else 0."""
    seats = rules.num_seats
    deal_number, turn, moved = number - 1, table, table
    if duplicate == LATER:
        block, place = divmod(number - 1, 2 * half_block(seats) * seats)
        turn, place = divmod(place, 2 * half_block(seats))
        deal_number = block * 2 * half_block(seats) + int(_order(seats, seed, block)[turn, place])
        moved = 0  # the button has brought everybody to the next seat
    player_at = players_at(seats, number - 1 + moved, seats - 1)
    return PlannedHand(deal_number, turn, _dealt(rules, seed, deal_number, turn), tuple(player_at))


@lru_cache(_HANDS_KEPT)
def hands_of_deal(num_seats: int, seed: int, number: int) -> tuple[int, ...]:
    """`[N]` the numbers of all hands with the deal of hand `number`, in the order in which they come, by `later`."""
    size = 2 * half_block(num_seats)
    block, place = divmod(number - 1, size * num_seats)
    order = _order(num_seats, seed, block)
    deal = order[place // size, place % size]
    first = block * size * num_seats + 1
    return tuple(first + turn * size + int(np.flatnonzero(row == deal)[0]) for turn, row in enumerate(order))


def told_after(num_seats: int, number: int) -> int:
    """The hand, by `later`, after which all deals of the half block of hand `number` were played in all seats.

    Who is told of one deal alone can strike it out, and at last knows which one must come: that is all cards.
    """
    half = half_block(num_seats)
    block, place = divmod(number - 1, 2 * half * num_seats)
    return (block * num_seats + num_seats - 1) * 2 * half + half * (1 + place % (2 * half) // half)


@lru_cache(_BLOCKS_KEPT)
def _order(num_seats: int, seed: int, block: int) -> np.ndarray:
    """`[N, deals of a block]` which of its deals comes at each place, turn by turn."""
    half = half_block(num_seats)
    order = np.tile(np.arange(2 * half), (num_seats, 1))
    rng = _generator(seed, _ORDER_STREAM, block)
    for turn in range(1, num_seats):
        for start in (0, half):
            for seat in range(num_seats):
                places = np.arange(start + seat, start + half, num_seats)
                deals = np.arange(start + (seat - turn) % num_seats, start + half, num_seats)
                order[turn, places] = rng.permutation(deals)
    order.flags.writeable = False
    return order


def _dealt(rules: PokerRules, seed: int, deal_number: int, turn: int) -> Deal:
    """The deal; from the second time on with other suits, each time others."""
    deal = deal_cards(rules, seed, deal_number)
    if turn == 0:
        return deal
    others = list(permutations(range(rules.num_suits)))[1:]
    drawn = _generator(seed, _SUIT_STREAM, deal_number).permutation(len(others))
    suits = others[drawn[turn - 1]]

    def changed(cards: Sequence[int]) -> tuple[int, ...]:
        return tuple(card - card % len(SUITS) + suits[card % len(SUITS)] for card in cards)

    return Deal(tuple(map(changed, deal.hole_cards)), changed(deal.board))


def _generator(seed: int, stream: int, number: int) -> np.random.Generator:
    key = np.array([seed, stream], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=[0, number, 0, 0]))
