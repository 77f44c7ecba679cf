"""All hands of a small game between strategies at the table: every deal, every action, with their probabilities."""

from itertools import permutations

import numpy as np

from nashgap.core.game import CHANCE
from nashgap.measures.aivat import PlayedHands
from nashgap.poker.hands import hand_place


def every_hand(rules, strategies):
    """Probabilities `[D]`, and the hands; strategies: by seat, who are agents 0, 1, ..."""
    size, num_hole = rules.num_hole_cards, rules.num_seats * rules.num_hole_cards
    deals = list(permutations(rules.deck, num_hole + rules.total_board_cards))
    policies, found = {}, []

    def walk(state, deal, chance):
        hole_cards = [deal[seat * size : (seat + 1) * size] for seat in range(rules.num_seats)]
        if state.is_over:
            found.append((chance, deal, state.betting, state.payoffs(hole_cards)))
        elif state.seat == CHANCE:
            start = num_hole + len(state.board)
            walk(state.deal(deal[start : start + state.num_missing_cards]), deal, chance)
        else:
            key = state.betting, state.board
            if key not in policies:
                policies[key] = strategies[state.seat].policies([state])[0]
            row = policies[key].row(hand_place(rules, hole_cards[state.seat]))
            for move, probability in zip(policies[key].moves, row, strict=True):
                if probability > 0:
                    walk(state.act(move), deal, chance * probability)

    for deal in deals:
        walk(rules.root(), deal, 1 / len(deals))
    chances, cards, betting, payoffs = zip(*found, strict=True)
    names = np.array([(number, 0) for number in range(len(found))])
    agents = np.tile(np.arange(rules.num_seats, dtype=np.int8), (len(found), 1))
    return np.array(chances), PlayedHands(np.array(cards, np.uint8), betting, agents, np.array(payoffs), names)
