"""One hand at the table between any agents, in Python; and the cards and streams that it is played with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent
from nashgap.core.game import CHANCE
from nashgap.errors import IllegalActionError
from nashgap.poker.notation import HandRecord
from nashgap.poker.protocol import shown_cards
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState, View, action_words

__all__ = [
    "Deal",
    "SeatGenerators",
    "ask_agent",
    "deal_cards",
    "deal_due",
    "play_hand",
    "seat_generator",
    "tell_end",
]


@dataclass(frozen=True)
class Deal:
    """All cards of a hand, dealt beforehand: `[N]` hole cards by seat, and the whole board."""

    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]


def deal_cards(rules: PokerRules, seed: int, number: int) -> Deal:
    """Deal `number` of the match with this seed; the same cards wherever it is played."""
    cards = _native.deal_cards(rules.native, seed, number)
    size = rules.num_hole_cards
    hands = tuple(cards[seat * size : (seat + 1) * size] for seat in range(rules.num_seats))
    return Deal(hands, cards[rules.num_seats * size :])


def seat_generator(seed: int, deal: int, seating: int, seat: int) -> np.random.Generator:
    """The generator of one seat for one hand; no two hands or seats share a draw."""
    return SeatGenerators(seed).at(deal, seating, seat)


class SeatGenerators:
    """The generators of `seat_generator`, one for each seat that is put to the beginning of its stream again.

    Making a new one for every hand takes ten times as long.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._generators: dict[int, tuple[np.random.Generator, dict[str, Any]]] = {}

    def at(self, deal: int, seating: int, seat: int) -> np.random.Generator:
        """The seat's generator at its first draw for this hand; the same object for every hand."""
        if seat not in self._generators:
            # As a list, a large seed would be rounded.
            key = np.array([self._seed, _native.SEAT_STREAM + seat], dtype=np.uint64)
            generator = np.random.Generator(np.random.Philox(key=key))
            self._generators[seat] = generator, dict(generator.bit_generator.state)
        generator, state = self._generators[seat]
        counter = np.array([0, deal, seating, 0], dtype=np.uint64)
        generator.bit_generator.state = {**state, "state": {**state["state"], "counter": counter}}
        return generator


def play_hand(rules: PokerRules, agents: Sequence[Agent], deal: Deal, hand_number: int = 0) -> HandRecord:
    """The hand that these agents, by seat, play with these cards; they have been told that it starts.

    Each agent is told the end with the cards that were shown: those of a showdown and its own.
    """
    state = deal_due(rules.root(), deal)
    while not state.is_over:
        state = deal_due(ask_agent(agents[state.seat], state, deal), deal)
    names = tuple(agent.name for agent in agents)
    hand = HandRecord(hand_number, state, deal.hole_cards, state.payoffs(deal.hole_cards), names)
    tell_end(dict(enumerate(agents)), hand)
    return hand


def deal_due(state: PublicState, deal: Deal) -> PublicState:
    """The state after all board cards that are to be dealt now."""
    while state.seat == CHANCE:
        start = len(state.board)
        state = state.deal(deal.board[start : start + state.num_missing_cards])
    return state


def ask_agent(agent: Agent, state: PublicState, deal: Deal) -> PublicState:
    """The state after what the agent, whose turn it is, answers to what its seat sees."""
    action = agent.act(View(state, state.seat, deal.hole_cards[state.seat]))
    if action not in state.legal:
        raise IllegalActionError(
            f"{agent.name} answers {action_words(action)} after {state.betting!r}; legal: {state.legal}"
        )
    return state.act(action)


def tell_end(agents: Mapping[int, Agent], hand: HandRecord) -> None:
    """Tell the agents, by seat, that the hand is over, with the cards that each of them sees."""
    for seat, agent in agents.items():
        agent.end_hand(replace(hand, hole_cards=shown_cards(hand.state, hand.hole_cards, seat)))
