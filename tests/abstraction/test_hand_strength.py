"""How strong hands are, by counting every other hand and every board."""

from itertools import combinations

import numpy as np
import pytest
from short_decks import short_deck

from nashgap.abstraction.hand_strength import hand_strengths
from nashgap.abstraction.strength import board_strengths
from nashgap.cards.card import hand_index, parse_cards
from nashgap.cards.evaluator import hand_rank
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import load_rules
from nashgap.poker.typed_state import state_after

HUNL = load_rules("hunl")


@pytest.mark.parametrize("board", ["AhKd2c", "7s7d2s", "QcJcTc9c", "2h3h4h5h7d"])
def test_renamed_boards_have_the_strengths_of_their_own(board):
    betting = {3: "cc/", 4: "cc/cc/", 5: "cc/cc/cc/"}[len(board) // 2]
    found = hand_strengths(state_after(HUNL, betting, board))
    np.testing.assert_allclose(found, board_strengths("ehs", parse_cards(board)), atol=1e-12, equal_nan=True)


def test_before_the_flop_aces_win_most():
    found = hand_strengths(HUNL.root())
    assert found[hand_index(*parse_cards("AsAh"))] == pytest.approx(0.8520, abs=1e-4)  # known to four digits
    assert found[hand_index(*parse_cards("3s2h"))] == pytest.approx(0.3230, abs=1e-4)
    assert np.nanmax(found) == found[hand_index(*parse_cards("AsAh"))]


def test_in_leduc_it_is_the_share_of_hands_that_are_beaten():
    rules = load_rules("leduc2")
    root = hand_strengths(rules.root())
    assert len(root) == 6
    assert np.all(np.diff(root[::2]) > 0) and np.allclose(root[::2], root[1::2])
    paired = hand_strengths(state_after(rules, "cc/", "Qs"))
    queen = [place for place, (card,) in enumerate(hands_of(rules)) if card == parse_cards("Qh")[0]]
    assert paired[queen] == 1.0  # a pair beats every other card
    assert np.isnan(paired).sum() == 1


def test_a_short_deck_is_counted_hand_by_hand():
    rules = short_deck(ranks=4, suits=3)
    board = rules.deck[5:6]
    state = rules.root().act(0).act(0)
    state = state.deal(board)
    found = hand_strengths(state)
    left = [card for card in rules.deck if card not in board]
    for own in ((left[0], left[4]), (left[9], left[2])):
        others = [other for other in combinations(left, 2) if not {*other} & {*own}]
        mine = hand_rank((*own, *board))
        points = [(mine > theirs) + (mine == theirs) / 2 for other in others if (theirs := hand_rank((*other, *board)))]
        assert found[hand_index(*sorted(own, reverse=True))] == pytest.approx(np.mean(points), abs=1e-12)
