"""Range against range on a board, held to a loop over all pairs of hands."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap import _native
from nashgap.poker.rules import load_rules, parse_rules

SHORT_DECK = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 2 1
raiseSize = 2 4
firstPlayer = 2 1
maxRaises = 1 1
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = 0 {board}
END GAMEDEF"""


@st.composite
def dealt_boards(draw):
    suits, ranks, hole = draw(st.integers(2, 4)), draw(st.integers(3, 5)), draw(st.integers(1, 2))
    num_board = draw(st.integers(0, 4 if suits * ranks > 8 else 2))
    rules = parse_rules(SHORT_DECK.format(suits=suits, ranks=ranks, hole=hole, board=num_board), "short deck")
    board = draw(st.permutations(rules.deck))[:num_board]
    return rules, np.array(board, np.uint8)


def values_by_pairs(hands, board, reach, fold, win, tie, lose):
    ranks = [_native.hand_rank(bytes([*hand, *board])) for hand in hands]
    folded, shown = np.zeros(len(hands)), np.zeros(len(hands))
    for own, other in itertools.product(range(len(hands)), repeat=2):
        if set(hands[own]).isdisjoint(hands[other]):
            folded[own] += reach[other] * fold
            shown[own] += reach[other] * (win, tie, lose)[int(np.sign(ranks[other] - ranks[own])) + 1]
    return folded, shown


@settings(max_examples=60, deadline=None)
@given(dealt_boards(), st.integers(0, 2**32 - 1))
def test_every_hand_wins_what_it_wins_pair_by_pair(dealt, seed):
    rules, board = dealt
    native = _native.BoardHands(rules.native, board)
    hands = [native.cards(hand) for hand in range(native.size)]
    left = [card for card in rules.deck if card not in board]
    assert sorted(tuple(sorted(hand)) for hand in hands) == sorted(itertools.combinations(left, rules.num_hole_cards))
    rng = np.random.default_rng(seed)
    reach = rng.random(len(hands)) * (rng.random(len(hands)) < 0.7)
    fold, win, tie, lose = rng.normal(size=4)
    folded, shown = np.empty(len(hands)), np.empty(len(hands))
    native.fold_values(reach, fold, folded)
    native.showdown_values(reach, win, tie, lose, shown)
    expected = values_by_pairs(hands, board, reach, fold, win, tie, lose)
    np.testing.assert_allclose(folded, expected[0], atol=1e-12)
    np.testing.assert_allclose(shown, expected[1], atol=1e-12)


def test_a_board_of_holdem_leaves_1081_hands_of_which_each_meets_990():
    native = _native.BoardHands(load_rules("lhe2").native, np.array([0, 5, 10, 15, 20], np.uint8))
    values = np.empty(native.size)
    native.fold_values(np.ones(native.size), 1.0, values)
    assert native.size == 1081
    np.testing.assert_allclose(values, 990, rtol=1e-14)


def test_arrays_of_the_wrong_size_are_refused():
    rules = load_rules("leduc2").native
    with pytest.raises(ValueError, match="board has 2 entries, expected 1"):
        _native.BoardHands(rules, np.array([50, 51], np.uint8))
    with pytest.raises(ValueError, match="a card is from 0 to 51"):
        _native.BoardHands(rules, np.array([52], np.uint8))
    with pytest.raises(ValueError, match="reach has 4 entries, expected 5"):
        _native.BoardHands(rules, np.array([51], np.uint8)).fold_values(np.ones(4), 1.0, np.ones(5))
