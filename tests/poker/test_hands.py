"""The order of private hands."""

import numpy as np
import pytest

from nashgap.cards.card import hand_index, parse_cards
from nashgap.errors import UnsupportedGameError
from nashgap.poker.hands import hand_names, hand_place, hands_of, possible_hands
from nashgap.poker.notation import format_public_state, parse_state
from nashgap.poker.rules import load_rules, parse_rules

HUNL, LEDUC = load_rules("hunl"), load_rules("leduc2")


@pytest.mark.parametrize("rules", [HUNL, LEDUC], ids=lambda rules: rules.name)
def test_every_hand_has_its_place(rules):
    for place, (name, cards) in enumerate(zip(hand_names(rules), hands_of(rules), strict=True)):
        assert parse_cards(name) == cards
        assert hand_place(rules, cards) == hand_place(rules, cards[::-1]) == place
    assert hand_names(rules) is hand_names(rules)


def test_two_cards_are_in_the_order_of_hand_index():
    assert [hand_index(*cards) for cards in hands_of(HUNL)] == list(range(1326))


def test_hands_on_the_board_or_outside_the_deck_are_impossible():
    state = parse_state("r300c/", "|/AhKd2c", HUNL)[0]
    board = set(state.board)
    expected = [not board & set(cards) for cards in hands_of(HUNL)]
    np.testing.assert_array_equal(possible_hands(state), expected)
    small = parse_rules(HUNL.to_text().replace("numSuits = 4", "numSuits = 2"))
    assert possible_hands(small.root()).sum() == 26 * 25 // 2


def test_a_game_with_other_numbers_of_hole_cards_is_refused():
    rules = parse_rules(HUNL.to_text().replace("numHoleCards = 2", "numHoleCards = 4"))
    with pytest.raises(UnsupportedGameError, match="deals 4 hole cards"):
        hand_names(rules)


@pytest.mark.parametrize(("betting", "cards"), [("", "|"), ("r300c/", "|/AhKd2c"), ("cc/cr200c/", "|/AhKd2c/3s")])
def test_a_public_state_is_written_without_hole_cards(betting, cards):
    state = parse_state(betting, cards, HUNL)[0]
    assert format_public_state(state) == f"STATE:0:{betting}:{cards}"
