"""Local Best Response in plain Python: the published figure, mended, and its expectation by walking the whole game."""

import math
from itertools import permutations

import numpy as np

from nashgap.cards.equity import win_chances_of_deck
from nashgap.core.game import CHANCE
from nashgap.core.strategy import RaiseRange
from nashgap.poker.hands import hands_of
from nashgap.poker.state import CALL, FOLD


def chance_of(policy, action):
    """[H] that each hand takes the action."""
    total = np.zeros(len(policy.probabilities))
    for column, move in enumerate(policy.moves):
        if isinstance(move, RaiseRange):
            if action in move:
                total += policy.probabilities[:, column] / len(move)
        elif move == action:
            total += policy.probabilities[:, column]
    return np.broadcast_to(total, len(policy.hands))


def first_range(rules, hole_cards):
    deck = set(rules.deck) - set(hole_cards)
    return np.array([float(set(cards) <= deck) for cards in hands_of(rules)])


def without(rules, weights, cards):
    taken = set(cards)
    return np.array([0.0 if taken & set(hand) else w for hand, w in zip(hands_of(rules), weights, strict=True)])


def plain_decision(state, hole_cards, weights, strategy, bets, rounds):
    """LocalBR of Figure 1, two players. weights: of the opponent's hands; bets: the actions considered."""
    if state.round not in rounds:
        return CALL
    rules, me = state.rules, state.seat
    chances = win_chances_of_deck(rules.deck, sum(rules.num_board_cards), hole_cards, state.board)
    pi = weights / weights.sum()
    asked = max(state.spent) - state.spent[me]
    pot = sum(state.spent)
    wp = pi @ chances
    values = {CALL: wp * pot - (1 - wp) * asked}
    for bet in bets.actions(state):
        if bet in (FOLD, CALL):
            continue
        fold = chance_of(strategy.policies([state.act(bet)])[0], FOLD)
        fp = pi @ fold
        left = pi * (1 - fold)
        by = bet - max(state.spent)
        values[bet] = fp * pot
        if left.sum() > 0:
            wp = left @ chances / left.sum()
            values[bet] += (1 - fp) * (wp * (pot + by) - (1 - wp) * (asked + by))
    best = max(values, key=lambda action: (values[action], -abs(action)))
    if values[best] > 1e-12 or asked == 0:
        return best if values[best] > 1e-12 else CALL
    return FOLD


def plain_value(rules, strategy, bets, rounds, decide=plain_decision):
    """What LBR wins, by seat, in chips; exact."""
    deck = rules.deck

    def walk(state, me, hole_cards, weights):
        if not weights.any():
            return 0.0
        if state.seat == CHANCE:
            left = [card for card in deck if card not in (*hole_cards, *state.board)]
            number = state.num_missing_cards
            ways = math.perm(len(left) - rules.num_hole_cards, number)
            return sum(
                walk(state.deal(cards), me, hole_cards, without(rules, weights, cards) / ways)
                for cards in permutations(left, number)
            )
        if state.is_over:
            payoffs = []
            for hand, weight in zip(hands_of(rules), weights, strict=True):
                cards = [None, None]
                cards[me], cards[1 - me] = hole_cards, hand
                payoffs.append(state.payoffs(cards)[me] if weight > 0 else 0.0)
            return float(weights @ np.array(payoffs))
        if state.seat == me:
            action = decide(state, hole_cards, weights, strategy, bets, rounds)
            return walk(state.act(action), me, hole_cards, weights)
        policy = strategy.policies([state])[0]
        return sum(walk(state.act(move), me, hole_cards, weights * chance_of(policy, move)) for move in policy.moves)

    root = rules.root()
    values = []
    for me in range(2):
        hands = [hand for hand in hands_of(rules) if {*hand} <= {*deck}]
        ranges = [first_range(rules, hand) for hand in hands]
        total = sum(walk(root, me, hand, each / each.sum()) for hand, each in zip(hands, ranges, strict=True))
        values.append(total / len(hands))
    return values
