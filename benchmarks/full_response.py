"""Best responses over all hands, in seconds a flop: to a no-limit bot in its own tree, to a chump in limit poker."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from comparison import NO_PEER, Row, rates_in_turn
from lbr import RECIPE, trained_bot

from nashgap.cards.card import parse_cards
from nashgap.measures.full_response import TreeResponse
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies.chumps import random

__all__ = ["rows"]

FLOPS = ("QsJh2h", "QsJh2d", "7h7d2c")  # two suits, as more than half of all flops have; three; a pair


def rows() -> Iterator[Row]:
    bot = TreeResponse(trained_bot())
    limit = load_rules("lhe2")
    chump = TreeResponse(random(), build_betting_tree(limit, parse_betting_abstraction("full")))
    for name, response in ((RECIPE, bot), ("random in lhe2", chump)):
        (rate,) = rates_in_turn(partial(_answer, response))
        yield Row(f"best response to {name}, a flop", NO_PEER, None, rate, is_duration=True, note="both seats")


def _answer(response: TreeResponse, count: int) -> None:
    for number in range(count):
        response.at_board(parse_cards(FLOPS[number % len(FLOPS)]))
