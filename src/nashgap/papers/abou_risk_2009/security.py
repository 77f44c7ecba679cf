"""What a player of 3-player Kuhn can always earn, whatever the two others do, even if they agree on it beforehand.

A best response is worth at least this much against any two strategies. A printed best response below it cannot have
been computed in this game and this unit, so the level tests printed numbers without knowing any equilibrium.

One linear program for each player. The two others choose, for each pair of their cards, a joint distribution over pairs
of plans (a plan says what to do with one card wherever its own earlier moves lead); each one's part must not depend on
the other's card. That is a little more than two agreeing players can do, so the level is a lower bound. The player
answers each card c with its best plan d, worth w[c]:

    min sum of w   s.t.   payoff of d with c <= w[c] for all c and d.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from scipy.optimize import linprog

from nashgap.core.game import TERMINAL
from nashgap.games.kuhn import Kuhn, KuhnState

__all__ = ["security_level"]

GAME = Kuhn(3)
NUM_CARDS = 4
PAIRS = tuple(permutations(range(NUM_CARDS), 2))

Plan = dict[str, int]


def security_level(player: int) -> float:
    """The least that a best response of the player (0-based) can be worth, in antes per hand."""
    payoff = _payoffs(player)
    num_answers = payoff.shape[0] * payoff.shape[1]
    num_joint = payoff[0, 0].size
    worth = np.repeat(np.eye(NUM_CARDS), payoff.shape[1], axis=0)
    agreement = _agreement(*payoff.shape[3:])
    solution = linprog(
        np.concatenate([np.zeros(num_joint), np.ones(NUM_CARDS)]),
        A_ub=np.hstack([payoff.reshape(num_answers, num_joint), -worth]),
        b_ub=np.zeros(num_answers),
        A_eq=np.hstack([agreement, np.zeros((len(agreement), NUM_CARDS))]),
        b_eq=np.concatenate([np.ones(len(PAIRS)), np.zeros(len(agreement) - len(PAIRS))]),
        bounds=[(0, None)] * num_joint + [(None, None)] * NUM_CARDS,
        method="highs",
    )
    assert solution.fun is not None, f"the program is feasible and bounded: {solution.message}"
    return float(solution.fun)


def _payoffs(player: int) -> np.ndarray:
    """The player's payoff times chance: `[own card, own plan, pair of the others' cards, first's plan, second's]`."""
    first, second = (other for other in range(3) if other != player)
    plans = [_plans(seat) for seat in range(3)]
    deals = GAME.deals()
    own = deals.hands[:, player]
    pair = [PAIRS.index((int(hands[first]), int(hands[second]))) for hands in deals.hands]
    payoff = np.zeros((NUM_CARDS, len(plans[player]), len(PAIRS), len(plans[first]), len(plans[second])))
    for numbers in product(*(range(len(seat_plans)) for seat_plans in plans)):
        end = _play([seat_plans[number] for seat_plans, number in zip(plans, numbers, strict=True)])
        value = deals.probability * end.returns(deals.hands)[:, player]
        payoff[own, numbers[player], pair, numbers[first], numbers[second]] = value
    return payoff


def _plans(player: int) -> list[Plan]:
    """All ways to play one card: a move for each own decision that the player's own moves do not exclude."""
    finished: list[Plan] = []
    unfinished: list[Plan] = [{}]
    while unfinished:
        plan = unfinished.pop()
        state = _undecided(GAME.public_root(), player, plan)
        if state is None:
            finished.append(plan)
        else:
            unfinished += [{**plan, state.label: move} for move in range(len(state.actions))]
    return finished


def _undecided(state: KuhnState, player: int, plan: Plan) -> KuhnState | None:
    """The first decision of the player at or below `state` for which the plan has no move yet."""
    if state.player == TERMINAL:
        return None
    if state.player != player:
        moves = range(len(state.actions))
    elif state.label in plan:
        moves = range(plan[state.label], plan[state.label] + 1)
    else:
        return state
    found = (_undecided(state.child(move), player, plan) for move in moves)
    return next((below for below in found if below is not None), None)


def _play(plans: list[Plan]) -> KuhnState:
    """Where the plans of the three players lead."""
    state = GAME.public_root()
    while state.player != TERMINAL:
        state = state.child(plans[state.player][state.label])
    return state


def _agreement(num_first: int, num_second: int) -> np.ndarray:
    """Rows that make a vector `[pair of cards, first's plan, second's plan]` what two players can agree on.

    The first rows add up each pair's probabilities; the others compare one player's part between two pairs.
    """
    shape = (len(PAIRS), num_first, num_second)
    rows = [np.zeros(shape) for _ in PAIRS]
    for number, row in enumerate(rows):
        row[number] = 1.0
    for side, num_plans in ((0, num_first), (1, num_second)):
        for card in range(NUM_CARDS):
            reference, *others = (number for number, pair in enumerate(PAIRS) if pair[side] == card)
            for other, plan in product(others, range(num_plans)):
                row = np.zeros(shape)
                part = row if side == 0 else row.swapaxes(1, 2)
                part[reference, plan], part[other, plan] = 1.0, -1.0
                rows.append(row)
    return np.stack(rows).reshape(len(rows), -1)
