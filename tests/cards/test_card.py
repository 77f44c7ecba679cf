import numpy as np
import pytest

from nashgap.cards.card import (
    NUM_CARDS,
    NUM_HANDS,
    as_card_array,
    format_card,
    format_cards,
    hand_cards,
    hand_index,
    parse_card,
    parse_cards,
)
from nashgap.errors import ConfigError


def test_the_deck_is_in_acpc_order():
    assert [format_card(card) for card in (0, 1, 2, 3, 4, 50, 51)] == ["2c", "2d", "2h", "2s", "3c", "Ah", "As"]


def test_every_card_is_what_its_text_says():
    assert [parse_card(format_card(card)) for card in range(NUM_CARDS)] == list(range(NUM_CARDS))
    assert parse_cards(format_cards(range(NUM_CARDS))) == tuple(range(NUM_CARDS))


def test_cards_keep_their_order_and_may_stand_apart():
    assert parse_cards("8s2h") == (parse_card("8s"), parse_card("2h"))
    assert parse_cards(" Ah  Kd2c\n") == parse_cards("AhKd2c")
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8s8s", "cards '8s8s', character 3: 8s is there twice"),
        ("Ah 1c", "cards 'Ah 1c', character 4: no card '1c'"),
        ("AhK", "character 3: no card 'K'"),
        ("10s", "character 1: no card '10'"),
        ("aS", "character 1: no card 'aS'"),
    ],
)
def test_a_wrong_card_is_named_with_its_place(text, message):
    with pytest.raises(ConfigError) as error:
        parse_cards(text)
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "A", "Asd", "sA"])
def test_only_a_rank_and_a_suit_are_a_card(text):
    with pytest.raises(ConfigError, match="no card"):
        parse_card(text)


def test_hands_are_numbered_without_gap():
    pairs = [(high, low) for high in range(NUM_CARDS) for low in range(high)]
    assert [hand_index(*pair) for pair in pairs] == list(range(NUM_HANDS))
    assert [hand_cards(index) for index in range(NUM_HANDS)] == pairs
    assert hand_index(3, 17) == hand_index(17, 3)


@pytest.mark.parametrize("pair", [(5, 5), (-1, 3), (0, 52)])
def test_two_equal_cards_and_no_cards_are_no_hand(pair):
    with pytest.raises(ConfigError, match="no hand of the cards"):
        hand_index(*pair)


@pytest.mark.parametrize("index", [-1, NUM_HANDS])
def test_there_is_no_hand_beyond_the_last(index):
    with pytest.raises(ConfigError, match="two-card hands are 0 to 1325"):
        hand_cards(index)


@pytest.mark.parametrize("card", [-1, NUM_CARDS])
def test_there_is_no_card_beyond_the_last(card):
    with pytest.raises(ConfigError, match="cards are 0 to 51"):
        format_cards([card])


def test_numbers_that_are_no_cards_do_not_wrap_around():
    cards = as_card_array(np.array([0, 51, 52, 256, -1]))
    assert cards.dtype == np.uint8
    assert cards.tolist() == [0, 51, 255, 255, 255]
    with pytest.raises(ConfigError, match="whole numbers, not float64"):
        as_card_array(np.array([1.5]))
