"""Chances to win against every hand of hold'em, street by street, and against a range on the river."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np
from comparison import NO_PEER, Repeat, Row, rates_in_turn

from nashgap import _native
from nashgap.cards.card import NUM_HANDS, format_card
from nashgap.cards.equity import equity, load_preflop_chances
from nashgap.cards.ranges import parse_range

__all__ = ["rows"]

NUM_DEALS = 1_000
STREETS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
RANGE = "22+, A2s+, KTo+, 76s"
PEER = "eval7"

Deals = list[tuple[np.ndarray, np.ndarray]]  # hole cards and board


def rows() -> Iterator[Row]:
    for street, num_board_cards in STREETS.items():
        (rate,) = rates_in_turn(partial(_compute, _deals(num_board_cards)))
        note = f"all 1,326 hands at once, as native code asks; mean of {NUM_DEALS:,} random deals"
        yield Row(f"win chances, {street}", NO_PEER, None, rate, is_duration=True, note=note)
    work = "hand v range, a call each"
    if find_spec(PEER) is None:
        yield Row(work, PEER, None, None, None, True, f"{PEER} is not installed")
        return
    # Before the river it compares hands as they are, without the cards to come, which is other work.
    deals = _deals(STREETS["river"])
    peer, ours = _eval7(deals), _equities(deals)
    is_same = bool(np.allclose(peer(), ours(), atol=1e-6))
    peer_rate, our_rate = rates_in_turn(_repeated(peer), _repeated(ours))
    note = f"the range {RANGE}; {NUM_DEALS:,} equal answers, to the six digits of theirs"
    yield Row(work, PEER, peer_rate * NUM_DEALS, our_rate * NUM_DEALS, None, True, note, is_same)


def _deals(num_board_cards: int) -> Deals:
    rng = np.random.default_rng(1)
    decks = [rng.permutation(52).astype(np.uint8) for _ in range(NUM_DEALS)]
    return [(deck[:2].copy(), deck[2 : 2 + num_board_cards].copy()) for deck in decks]


def _compute(deals: Deals, count: int) -> None:
    native = _native.WinChances(np.arange(52, dtype=np.uint8), 2, 5, load_preflop_chances())
    chances = np.empty(NUM_HANDS)
    for i in range(count):
        native.compute(*deals[i % NUM_DEALS], chances)


def _equities(deals: Deals) -> Callable[[], list[float]]:
    hands = parse_range(RANGE)
    prepared = [(hole_cards.tolist(), board.tolist()) for hole_cards, board in deals]
    return lambda: [equity(hole_cards, hands, board) for hole_cards, board in prepared]


def _eval7(deals: Deals) -> Callable[[], list[float]]:
    import eval7

    hands = eval7.HandRange(RANGE)
    cards = [eval7.Card(format_card(card)) for card in range(52)]
    prepared = [([cards[card] for card in hole_cards], [cards[card] for card in board]) for hole_cards, board in deals]
    return lambda: [eval7.py_hand_vs_range_exact(hole_cards, hands, board) for hole_cards, board in prepared]


def _repeated(work: Callable[[], object]) -> Repeat:
    def repeat(count: int) -> None:
        for _ in range(count):
            work()

    return repeat
