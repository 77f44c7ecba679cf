"""What a choice was worth by the range solver, beside what else could have been chosen.

The spot begins with the street of the choice. Each player holds what a given strategy would hold after the betting so
far; a bet of a size that it never makes counts as its nearest. From there on both play their best, with the bets that
were made and a few usual ones. Heads-up no-limit alone, on the turn and the river: a flop takes too long to wait for.
"""

from __future__ import annotations

from fractions import Fraction
from threading import Lock
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.cards.card import NUM_HANDS, format_cards, hand_index
from nashgap.cards.ranges import Range
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import NashGapError
from nashgap.poker.betting_abstraction import ALL_IN, BettingAbstraction, RaiseSize
from nashgap.poker.moves import Move
from nashgap.poker.replay import Step, chips_before_round, replay
from nashgap.poker.spot import STREETS
from nashgap.poker.state import CALL, FOLD, PublicState
from nashgap.strategies.check_policy import check_policies
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["nearest_move", "values_of"]

UNTIL = {"river": 0.5, "turn": 1.0}  # percent of the pot that is left to exploit
MINUTES = {"river": 0.05, "turn": 0.1}  # at most
BETS: dict[str, tuple[RaiseSize, ...]] = {"river": (Fraction(1, 2), Fraction(1), ALL_IN), "turn": (Fraction(1),)}
MOST_RAISES = 4  # on a street, that are followed
_LEAST_SHARE = 1e-3  # of the player's own hand in the range, beside the hand that is held the most


def nearest_move(policy: Policy, action: int) -> Move | None:
    """What the policy has for this action: itself, or of a raise the nearest one; None where it has nothing like it."""
    for move in policy.moves:
        if move == action or (isinstance(move, RaiseRange) and action in move):
            return move
    raises = [move for move in policy.moves if isinstance(move, RaiseRange) or move not in (FOLD, CALL)]
    if action in (FOLD, CALL) or not raises:
        return None
    return min(raises, key=lambda move: abs((move.low if isinstance(move, RaiseRange) else move) - action))


def values_of(
    strategy: PokerStrategy, asking: Lock, state: PublicState, action: int, cards: tuple[int, ...]
) -> dict[str, Any]:
    """The values of all choices at a decision and what the choice of `action` lost, or in words why there are none.

    asking: is held while the strategy is asked.
    """
    if reason := _no_values(state):
        return {"by": None, "note": reason}
    try:
        return _solved(strategy, asking, state, action, cards)
    except NashGapError as error:
        return {"by": None, "note": f"No value: the range solver does not take this spot ({error})."}


def _no_values(state: PublicState) -> str:
    rules = state.rules
    if rules.num_seats != 2 or not rules.has_sizes or not rules.is_holdem:
        return "No value: the range solver is for heads-up no-limit. Frequencies are all that is known here."
    street = STREETS.get(len(state.board), "preflop")
    if street not in MINUTES:
        where = f"on the {street}" if state.board else "before the flop"
        return f"No value: {where} the range solver would take too long. Frequencies are all that is known here."
    return ""


def _solved(
    strategy: PokerStrategy, asking: Lock, state: PublicState, action: int, cards: tuple[int, ...]
) -> dict[str, Any]:
    from nashgap.api.spot import make_spot, solve_spot  # here, so that a server starts without the solvers

    steps = [step for step in replay(state) if step.action is not None]
    before = [step for step in steps if step.before.round < state.round]
    here = [step for step in steps if step.before.round == state.round]
    start = here[0].before if here else state
    with asking:
        weights, is_played = _ranges(strategy, before, start)
    own = weights[state.seat]
    place = hand_index(*cards)
    is_own = bool(own[place] >= _LEAST_SHARE * own.max())
    own[place] = max(own[place], _LEAST_SHARE * own.max())
    first, second = start.seat, 1 - start.seat
    street = STREETS[len(state.board)]
    left = tuple(start.rules.stacks[seat] - start.spent[seat] for seat in (first, second))
    spot = make_spot(
        start.board,
        Range(weights[first]),
        Range(weights[second]),
        pot=start.pot,
        stack=(left[0], left[1]),
        betting=_betting(street, [*here, Step(state, action, state)]),
    )
    found = solve_spot(spot, until=UNTIL[street], minutes=MINUTES[street], progress=False)
    line = " ".join(_token(step.before, step.action) for step in here if step.action is not None)
    view = found.at(line)
    values = view.values[view.place(format_cards(cards))]
    written = spot.written_action(spot.state_after(line), _token(state, action))
    if written not in view.actions:
        return {"by": None, "note": "No value: the range solver has no such size here."}
    chosen = view.actions.index(written)
    best = int(values.argmax())
    notes = [] if is_played else ["The coach never bets like this: where it has no range, all hands count alike."]
    notes += [] if is_own else ["The coach would hardly hold your hand here; it is counted as a rare one."]
    return {
        "by": "range solver",
        "unit": "chips",
        "big_blind": max(state.rules.blinds),
        "lost": round(max(0.0, float(values[best] - values[chosen])), 2),
        "chosen": view.words[chosen],
        "best": view.words[best],
        "values": [
            {"words": words, "chips": round(float(value), 2)} for words, value in zip(view.words, values, strict=True)
        ],
        "left_to_exploit": round(found.exploitability_percent, 2),
        "note": " ".join(notes),
    }


def _ranges(strategy: PokerStrategy, steps: list[Step], start: PublicState) -> tuple[np.ndarray, bool]:
    """`[2, 1326]` by seat, the largest weight 1, and whether the strategy itself ever plays this line with both."""
    weights = np.ones((2, NUM_HANDS))
    states = [step.before for step in steps]
    policies = check_policies(strategy.policies(states), states, strategy.name) if states else []
    for step, policy in zip(steps, policies, strict=True):
        assert step.action is not None
        move = nearest_move(policy, step.action)
        chance = policy.probabilities[:, policy.moves.index(move)] if move is not None else np.zeros(1)
        weights[step.before.seat] = weights[step.before.seat] * chance
    is_played = True
    for seat in range(2):
        held = Range(weights[seat]).without(start.board).weights
        if not held.max() > 0:
            is_played = False
            held = Range(np.ones_like(held)).without(start.board).weights
        weights[seat] = held / held.max()
    return weights, is_played


def _betting(street: str, steps: list[Step]) -> BettingAbstraction:
    """The usual bets of the street and those that were made, each as a share of the pot, raise by raise."""
    usual = BETS[street]
    raises: list[tuple[RaiseSize, ...]] = []
    for step in steps:
        assert step.action is not None
        if step.action in (FOLD, CALL):
            continue
        state = step.before
        called = state.pot + state.to_call
        # In parts that the engine has; the size that comes of it is the nearest whole number of chips again.
        share = Fraction(
            round(Fraction(step.action - max(state.spent), called) * _native.POT_SHARES), _native.POT_SHARES
        )
        raises.append((*usual, share) if len(raises) < MOST_RAISES else usual)
    by_raise = (*(raises or [usual]), usual[-2:])
    if street == "river":
        return BettingAbstraction((by_raise,))
    # With a card to come the tree must stay small: one size, and one raise more than there was.
    return BettingAbstraction((by_raise, ((Fraction(1),),)), caps=(len(raises) + 1, 1))


def _token(state: PublicState, action: int) -> str:
    """The action as it is written in the line of a spot."""
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c" if state.to_call > 0 else "x"
    return f"b{action - chips_before_round(state)[state.seat]}"
