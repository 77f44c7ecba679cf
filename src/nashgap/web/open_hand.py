"""After the hand: what agents held, and what their strategies do at each of their decisions, as JSON.

What is told of people's cards is what `seat_view` tells: nothing here.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from nashgap.agents.agent import Agent
from nashgap.cards.card import format_card, format_cards, hand_index
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.cards.tones import MAX_TONES, action_colours
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.replay import Step, replay
from nashgap.poker.state import PublicState
from nashgap.poker.words import move_words
from nashgap.strategies.chumps import Chump
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.view import HasPolicies, view_strategy
from nashgap.web.range_cells import action_cells
from nashgap.web.tables import OpenHand, Table

__all__ = ["decision_at", "decisions_of", "opened_hand", "told_strategy"]

_DIGITS = 4  # of shares


def told_strategy(agent: Agent) -> PokerStrategy | None:
    """What the agent does with every hand, if it can be asked for that; else None."""
    strategy: PokerStrategy | None = getattr(agent, "strategy", None)
    return strategy if strategy is not None and hasattr(strategy, "policies") else None


def decisions_of(hand: OpenHand, player: int) -> list[Step]:
    """The decisions of a player in the hand, with what was done."""
    seat = hand.seat_of(player)
    return [step for step in replay(hand.state) if step.action is not None and step.before.seat == seat]


def opened_hand(table: Table, number: int) -> dict[str, Any]:
    """The agents' cards and strategies in a hand; refused before it is over, and where the table was not made so."""
    if not table.job.is_open:
        raise ConfigError("this table was made without open cards after each hand")
    with table.changing():  # a program answers to one at a time
        hand = table.told_hand(number)
        names = table.names
        agents = [
            _agent(hand, place, player.agent, names[place])
            for place, player in enumerate(table.players)
            if player.agent is not None
        ]
        if table.is_finished:
            table.end_agents()  # which asking has started anew
    return {"number": number, "board": list(map(format_card, hand.state.board)), "agents": agents}


def _agent(hand: OpenHand, player: int, agent: Agent, name: str) -> dict[str, Any]:
    cards = hand.deal.hole_cards[hand.seat_of(player)]
    told: dict[str, Any] = {"name": name, "cards": list(map(format_card, cards)), "note": "", "decisions": []}
    strategy, steps = told_strategy(agent), decisions_of(hand, player)
    if not steps:
        return told | {"note": "It had nothing to decide in this hand."}
    if strategy is None:
        return told | {"note": "It plays without telling what it would do with other hands: only its cards are known."}
    if isinstance(strategy, Chump):
        told["note"] = "It ignores its cards: it does the same with every hand."
    try:
        decisions = [decision_at(strategy, step.before, cards, step.action) for step in steps]
    except NashGapError:
        return told | {"note": "Its strategy could not be asked about this hand."}
    return told | {"decisions": decisions}


def decision_at(
    strategy: PokerStrategy, state: PublicState, cards: tuple[int, ...], action: int | None = None
) -> dict[str, Any]:
    """What the strategy does in a state, with these cards and with its whole range.

    action: what was done there; None before it is.
    """
    board = format_cards(state.board)
    view = view_strategy(cast(HasPolicies, strategy), state.rules, state.betting, board, name="it")
    names, shares = view.drawn
    colours = action_colours(names) if len(names) <= MAX_TONES else dict.fromkeys(names, "#8f9bea")
    held = shares[view.place(format_cards(cards))]
    of_range, of_all = view.weights @ shares, shares.mean(axis=0)
    return {
        "street": view.street,
        "board": list(map(format_card, state.board)),
        "pot": state.pot,
        "to_call": state.to_call,
        "did": None if action is None else move_words(state, action),
        "hand_class": _class_of(cards) if view.numbers is not None else "",
        "ignores_cards": bool(np.ptp(shares, axis=0).max() < 10**-_DIGITS),
        "has_own_range": view.has_own_range,
        "range_note": view.range_note,
        "actions": [
            {
                "words": name,
                "colour": colours[name],
                "of_hand": round(float(held[place]), _DIGITS),
                "of_range": round(float(of_range[place]), _DIGITS),
                "of_all": round(float(of_all[place]), _DIGITS),
            }
            for place, name in enumerate(names)
        ],
        "grid": action_cells(view, _DIGITS),
    }


def _class_of(cards: tuple[int, ...]) -> str:
    return str(HAND_CLASSES[CLASS_OF_HAND[hand_index(*cards)]])
