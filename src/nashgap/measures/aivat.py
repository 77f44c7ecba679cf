"""AIVAT (Burch, Schmid, Moravčík, Morrill & Bowling 2018): what agents won, with most of the luck taken off.

An observer sees the betting, the board and the hands of those seats whose strategy is not known. Whatever is drawn by
chances that he knows, a card or an action of a known seat, is compared with the mean of all that could have come, by
values that were fixed beforehand; the difference is luck and is taken off. At the end the hand counts as the mean over
all hands that the known seats may hold by then, weighted by how likely they were to come there. The expectation stays
what it was, exactly, whatever the values are; good values leave little variance.

As published, with these choices:

- Hands of at most two known seats are averaged over, jointly; further known seats are seen by the observer, and their
  actions are compared with what they do with the hand they hold.
- Of several board cards that come at once, and of run-outs of two cards or more after an all-in, some are drawn instead
  of going through all: their mean has the same expectation.
- An all-in counts as the mean over run-outs. With more than two seats at a showdown, the mean is over the hands of one
  of them beside what the others hold.

The simpler correction takes off the luck of the cards alone, with all hands seen: it needs no strategy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import MismatchError
from nashgap.measures.hand_values import HandValues
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.check_policy import check_policies
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["AIVAT", "CHANCE_ALONE", "DECISIONS_ALONE", "LuckTerms", "PlayedHands", "correct_hands"]


_ACTION = re.compile(r"f|c|r\d*")


@dataclass(frozen=True)
class LuckTerms:
    """Which luck is taken off.

    averages:  hands of known seats are averaged over.
    decisions: luck of the actions of known seats.
    chance:    luck of the board and of what comes after an all-in.
    boards:    drawn where several cards come at once.
    runouts:   drawn after an all-in with two cards or more to come.
    """

    averages: bool
    decisions: bool
    chance: bool
    boards: int = 16
    runouts: int = 32


AIVAT = LuckTerms(averages=True, decisions=True, chance=True)
CHANCE_ALONE = LuckTerms(averages=False, decisions=False, chance=True)
DECISIONS_ALONE = LuckTerms(averages=False, decisions=True, chance=False)
"""What can be had where the cards of others were not shown."""


@dataclass(frozen=True, eq=False)
class PlayedHands:
    """Finished hands. D hands, N seats.

    cards:   `[D, cards]` uint8: hole cards seat by seat, then the whole board; `_native.HIDDEN_CARD` where not known.
    betting: `[D]` as the competition writes it.
    agents:  `[D, N]` int8, by seat, as numbered by who corrects them.
    payoffs: `[D, N]` chips, by seat.
    names:   `[D, 2]` int64, deal and seating: what is drawn for a hand depends on them and on the seed alone.
    """

    cards: np.ndarray
    betting: Sequence[str]
    agents: np.ndarray
    payoffs: np.ndarray
    names: np.ndarray


def correct_hands(
    rules: PokerRules,
    strategies: Sequence[PokerStrategy | None],
    values: HandValues,
    hands: PlayedHands,
    *,
    terms: LuckTerms = AIVAT,
    seed: int = 0,
) -> np.ndarray:
    """`[D, N]` chips by seat, with the luck taken off.

    strategies: of the agents; None for those that are not known.
    MismatchError where a known seat did what its strategy never does.
    """
    asked = {
        number: strategy
        for number, strategy in enumerate(strategies)
        if strategy is not None and not isinstance(strategy, AbstractStrategy)
    }
    told = {number: _native.ToldPolicies() for number in asked}
    policies: list[_native.HandPolicies | None] = [
        _native.TablePolicies(strategy.native) if isinstance(strategy, AbstractStrategy) else told.get(number)
        for number, strategy in enumerate(strategies)
    ]
    corrector = _native.Aivat(
        values.native, policies, terms.averages, terms.decisions, terms.chance, terms.boards, terms.runouts
    )
    corrected = np.empty(hands.payoffs.shape)
    arrangements = values.arrangements(hands.agents)
    while True:
        is_done, impossible = corrector.correct(
            hands.cards, list(hands.betting), hands.agents, arrangements, hands.payoffs, seed, hands.names, corrected
        )
        if impossible is not None:
            raise MismatchError(_impossible_text(strategies, hands, *impossible))
        if is_done:
            return corrected
        for number, policy in told.items():
            policy.tell(_answers(rules, asked[number], policy.missing))


def _answers(rules: PokerRules, strategy: PokerStrategy, missing: Sequence[Any]) -> list[tuple[Any, ...]]:
    states = [PublicState(rules, native) for native in missing]
    if not states:
        return []
    policies = check_policies(strategy.policies(states), states, strategy.name)
    return [(_bounds(policy), np.ascontiguousarray(policy.probabilities, np.float64)) for policy in policies]


def _bounds(policy: Policy) -> list[tuple[int, int]]:
    """Each move as the least and the greatest action that it may be."""
    return [(move.low, move.high) if isinstance(move, RaiseRange) else (move, move) for move in policy.moves]


def _impossible_text(
    strategies: Sequence[PokerStrategy | None], hands: PlayedHands, hand: int, action: int, seat: int
) -> str:
    """action: by its number in the hand."""
    found = list(_ACTION.finditer(hands.betting[hand]))[action]
    before, strategy = hands.betting[hand][: found.start()], strategies[hands.agents[hand, seat]]
    name = "?" if strategy is None else strategy.name
    return (
        f"hand {hands.names[hand, 0]}: after {before!r} {name} never does {found[0]}; it cannot have played this hand"
    )
