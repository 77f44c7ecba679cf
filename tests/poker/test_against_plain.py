"""The competition's conventions held to a plain twin: the same random hands side by side."""

from fractions import Fraction
from random import Random

import pytest
from plain_poker import PlainHand

from nashgap import _native
from nashgap.cards.evaluator import hand_rank
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import CALL, FOLD


def random_rules(rng, betting):
    """Small stakes, so that all-ins and split pots are common."""
    seats, rounds = rng.choice([2, 2, 3, 3, 4, 5, 6, 10]), rng.randint(1, 4)
    has_stacks = betting != "limit" or rng.random() < 0.7
    stacks = [rng.randint(1, rng.choice([5, 20, 60])) if has_stacks else UNLIMITED for _ in range(seats)]
    return PokerRules(
        betting=betting,
        blinds=tuple(min(rng.choice([0, 0, 1, 2, 5]), stack) for stack in stacks),
        stacks=tuple(stacks),
        raise_sizes=tuple(rng.randint(1, 6) if betting == "limit" else 0 for _ in range(rounds)),
        first_seats=tuple(rng.randrange(seats) for _ in range(rounds)),
        max_raises=tuple(rng.choice([0, 1, 2, 3, 255 if has_stacks else 4]) for _ in range(rounds)),
        num_suits=4,
        num_ranks=rng.choice([8, 13]),
        num_hole_cards=rng.randint(1, 2),
        num_board_cards=tuple(rng.randint(0, 2) for _ in range(rounds)),
    )


def random_action(rng, legal):
    can_fold, low, high = legal
    kind = rng.choice([CALL, CALL, *[FOLD] * can_fold, *["raise"] * 3 * (high > 0)])
    return rng.choice([low, high, rng.randint(low, high)]) if kind == "raise" else kind


@pytest.mark.parametrize("betting", ["limit", "nolimit", "potlimit"])
def test_random_hands_are_those_of_the_plain_twin(betting):
    rng = Random(7)
    num_shared_pots = 0
    for _ in range(2000):
        rules = random_rules(rng, betting)
        deck = rng.sample(rules.deck, len(rules.deck))
        hole_cards = [[deck.pop() for _ in range(rules.num_hole_cards)] for _ in range(rules.num_seats)]
        twin, state = PlainHand(rules), rules.root()
        while True:
            if state.num_missing_cards:
                state = state.deal([deck.pop() for _ in range(state.num_missing_cards)])
            assert state.round == twin.round
            assert list(state.spent) == twin.spent
            assert state.is_over == twin.is_over
            if state.is_over:
                break
            assert state.seat == twin.seat
            assert tuple(state.native.legal) == twin.legal()
            action = random_action(rng, twin.legal())
            twin.act(action)
            state = state.act(action)
        strength = [hand_rank((*hand, *state.board)) for hand in hole_cards]
        shares = state.native.payoffs([card for hand in hole_cards for card in hand])
        exact = [Fraction(share, _native.CHIP_SHARES) for share in shares]
        assert exact == twin.payoffs(strength)
        assert state.payoffs(hole_cards) == tuple(map(float, exact))
        num_shared_pots += any(share.denominator > 1 for share in exact)
    assert num_shared_pots > 0
