"""A best response one deal at a time: for each own hand down the public tree, with a list of what else may be dealt."""

from __future__ import annotations

from itertools import combinations, permutations

from nashgap.poker.hands import hand_place
from nashgap.poker.state import CHANCE


def plain_best_value(strategy, rules, actions_at, boards, seat, *, is_best=True):
    """Chips that a seat wins of the strategy in the game whose boards begin so, all deals being alike.

    actions_at: what the responder may do in a state. is_best: else it plays the strategy, too.
    """
    response = _Response(strategy, rules, actions_at, seat, is_best)
    total = won = 0.0
    for own in combinations(rules.deck, rules.num_hole_cards):
        deals = [
            (other, board, 1.0)
            for begun in boards
            for other in combinations(rules.deck, rules.num_hole_cards)
            for board in _run_outs(rules, begun, {*own, *other})
        ]
        total += len(deals)
        won += response.value(rules.root(), own, deals)
    return won / total


def _run_outs(rules, begun, held):
    if held & {*begun} or len(held) < 2 * rules.num_hole_cards:
        return
    left = [card for card in rules.deck if card not in held and card not in begun]
    for rest in permutations(left, rules.total_board_cards - len(begun)):
        yield (*begun, *rest)


class _Response:
    def __init__(self, strategy, rules, actions_at, seat, is_best):
        self.strategy, self.rules, self.actions_at, self.seat, self.is_best = strategy, rules, actions_at, seat, is_best
        self.policies = {}

    def value(self, state, own, deals):
        """What the own hand wins over these deals: the other's hand, all cards of the board, and a chance."""
        if not deals:
            return 0.0
        if state.is_over:
            holes = [[own, other] if self.seat == 0 else [other, own] for other, _, _ in deals]
            rows = zip(holes, deals, strict=True)
            return sum(chance * state.payoffs(hole)[self.seat] for hole, (_, _, chance) in rows)
        if state.seat == CHANCE:
            seen, end = len(state.board), len(state.board) + state.num_missing_cards
            by_cards = {}
            for deal in deals:
                by_cards.setdefault(tuple(sorted(deal[1][seen:end])), []).append(deal)
            return sum(self.value(state.deal(cards), own, some) for cards, some in by_cards.items())
        actions = self.actions_at(state)
        if state.seat == self.seat and self.is_best:
            return max(self.value(state.act(action), own, deals) for action in actions)
        policy = self.policy(state)
        won = 0.0
        for action in actions:
            chances = policy.chance_of(action)
            after = []
            for other, board, chance in deals:
                hand = own if state.seat == self.seat else other
                share = chances[0 if len(chances) == 1 else hand_place(self.rules, hand)]
                if share > 0:
                    after.append((other, board, chance * share))
            won += self.value(state.act(action), own, after)
        return won

    def policy(self, state):
        key = state.betting, state.board
        if key not in self.policies:
            [self.policies[key]] = self.strategy.policies([state])
        return self.policies[key]
