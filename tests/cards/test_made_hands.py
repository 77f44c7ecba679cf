"""Hands and boards have the names that players give them."""

import random

import pytest

from nashgap.cards.card import NUM_CARDS, parse_cards
from nashgap.cards.made_hands import BOARD_TEXTURES, MADE_HANDS, board_texture, made_hand


@pytest.mark.parametrize(
    ("board", "texture"),
    [
        ("", "no flop"),
        ("Ks8d3c", "ace or king high, no flush"),
        ("Ks8s3c", "ace or king high, two-tone"),
        ("Ks8s3s", "ace or king high, flush possible"),
        ("Qs8d3c", "queen high or lower, no flush"),
        ("Ts8d7c", "connected, no flush"),
        ("As4d3c", "connected, no flush"),
        ("AsKdJc", "connected, no flush"),
        ("As5d3c", "ace or king high, no flush"),
        ("Ts8d6c", "queen high or lower, no flush"),
        ("8s8d3c", "paired, no flush"),
        ("8s8d3s", "paired, two-tone"),
        ("8s7d7s6s", "paired, flush possible"),
        ("Ks8s3c2d", "ace or king high, two-tone"),
        ("Ks8s3c2d6d", "ace or king high, no flush"),  # on the river two of a suit are no draw
        ("Ks8s3c2s6d", "ace or king high, flush possible"),
    ],
)
def test_a_board_is_named(board, texture):
    assert board_texture(parse_cards(board)) == texture


@pytest.mark.parametrize(
    ("hole_cards", "board", "name"),
    [
        ("9c9d", "", "preflop: pair 22-99"),
        ("TcTd", "", "preflop: pair TT-AA"),
        ("AcTd", "", "preflop: two cards T-A"),
        ("Ac9c", "", "preflop: other suited"),
        ("Ac9d", "", "preflop: other offsuit"),
        ("7c2d", "KsQs9h", "no pair"),
        ("Ac2d", "KsQs9h", "ace high"),
        ("As2s", "KsQs9h", "draw"),
        ("JcTd", "Qs9h2d", "draw"),
        ("JcTd", "8s7h2d", "no pair"),  # one rank alone makes the straight
        ("JcTd", "Qs9h2d3c4c", "no pair"),  # too late for a draw
        ("7c2d", "KsJsTs9s", "no pair"),  # the draw is everybody's
        ("Kc2d", "KsQs9h", "top pair"),
        ("Qc2d", "KsQd9h", "second pair"),
        ("9c2d", "KsQd9h", "low pair"),
        ("AcAd", "KsQd9h", "overpair"),
        ("TcTd", "KsQd9h", "low pair"),
        ("JcJd", "Ks8d9h", "second pair"),
        ("KcQd", "KsQs9h", "two pair"),
        ("Kc2d", "KsQsQh", "top pair"),  # the other pair is everybody's
        ("7c2d", "KsKdQh", "no pair"),
        ("9c9d", "KsQs9h", "set"),
        ("9c2d", "9s9hQh", "trips"),
        ("Ac2d", "9s9h9d", "ace high"),
        ("JcTd", "KsQs9h", "straight"),
        ("As2s", "KsQs9s", "flush"),
        ("9c9d", "KsKd9h", "full house or better"),
        ("Js8s", "9sTsQs", "full house or better"),
        ("2c3d", "AsKdQhJcTs", "plays the board"),
        ("2c3d", "AsAdKhKcQs", "plays the board"),
    ],
)
def test_a_hand_is_named(hole_cards, board, name):
    assert made_hand(parse_cards(hole_cards), parse_cards(board)) == name


def test_every_hand_and_board_has_one_of_the_names():
    generator = random.Random(5)
    hands, boards = set(), set()
    for _ in range(4000):
        cards = generator.sample(range(NUM_CARDS), 7)
        for num_seen in (0, 3, 4, 5):
            hands.add(made_hand(cards[:2], cards[2 : 2 + num_seen]))
            boards.add(board_texture(cards[2 : 2 + num_seen]))
    assert hands == set(MADE_HANDS)
    assert boards == set(BOARD_TEXTURES)
    assert len(MADE_HANDS) == len(set(MADE_HANDS))
