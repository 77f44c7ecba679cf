"""Flops up to the names of their suits, and the games that have only some of them."""

from itertools import permutations

import numpy as np
import pytest

from nashgap import _native
from nashgap.cards.card import parse_cards
from nashgap.errors import ConfigError
from nashgap.measures.flops import Flops, asked_flops
from nashgap.poker.rules import load_rules

HOLDEM = load_rules("lhe2")


def test_holdem_has_1755_flops_and_169_hands_up_to_suits():
    flops = Flops(HOLDEM)
    assert len(flops.firsts) == 1755
    assert flops.sizes.sum() == len(flops.boards) == 22_100
    assert flops.hand_classes.max() + 1 == 169


def test_a_class_is_all_images_of_its_first_board():
    flops = Flops(HOLDEM)
    known = {tuple(board): number for number, board in enumerate(flops.boards.tolist())}
    for number in (0, 700, 1754):
        images = {tuple(image) for image in flops.images(flops.boards[flops.firsts[number]]).tolist()}
        assert len(images) == flops.sizes[number]
        assert {int(flops.class_of[known[image]]) for image in images} == {number}


@pytest.mark.parametrize("flop", ["QsJh2d", "QsJh2h", "QsJs2s", "7h7d7c", "7h7d2c"])
def test_run_outs_that_suits_alone_tell_apart_are_one(flop):
    flops, board = Flops(HOLDEM), parse_cards(flop)
    own = {tuple(sorted(board))}
    renamings = [each for each in permutations(range(4)) if {renamed(board, each)} == own]
    left = [card for card in range(52) if card not in board]
    least = {
        min(tuple(each[card % 4] + card // 4 * 4 for card in pair) for each in renamings)
        for pair in permutations(left, 2)
    }
    assert flops.num_run_outs(board) == len(least)


def renamed(cards, renaming):
    return tuple(sorted(card // 4 * 4 + renaming[card % 4] for card in cards))


def test_more_drawn_flops_begin_with_the_same():
    flops = Flops(HOLDEM)
    assert flops.drawn(9, 3)[:4] == flops.drawn(4, 3)
    assert flops.drawn(4, 3) != flops.drawn(4, 4)


@pytest.mark.parametrize("asked", ["QsJh2h, Td9d6h", ["Jh2hQs", "Td9d6h"]])
def test_a_list_of_flops_is_written_in_one_way(asked):
    assert asked_flops(asked, HOLDEM) == ("given", 0, ("QsJh2h", "Td9d6h"))


def test_a_turn_stands_behind_its_flop():
    assert asked_flops("2hJhQs8c, QsJh2h 4d", HOLDEM) == ("given", 0, ("QsJh2h8c", "QsJh2h4d"))
    assert asked_flops("QsJh2h8c, 8cJh2hQs", HOLDEM)[2] == ("QsJh2h8c", "Jh8c2hQs")  # another flop


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("QsJh", "3, 4 or 5 cards of the deck"),
        ("QsJh2h, 2hJhQs", "there twice"),
        ("QsJh2h8c, 2hJhQs8c", "there twice"),
        ("QsJh2h, QsJh2h8c", "of different rounds"),
        ("QsQs2h", "there twice"),
        ("1", "2 to 1,000,000 are drawn"),
        ("-3", "2 to 1,000,000 are drawn"),
        ("", "none are given"),
        ("some", "no card"),
    ],
)
def test_what_is_no_flop_is_refused(asked, problem):
    with pytest.raises(ConfigError, match=problem):
        asked_flops(asked, HOLDEM)


def test_deals_beside_given_flops_have_one_of_them_first():
    flops = [parse_cards(text) for text in ("QsJh2h", "Td9d6h")]
    deals = np.array([_native.deal_cards(HOLDEM.native, 5, deal, flops) for deal in range(400)])
    assert all(len(set(deal)) == 9 for deal in deals.tolist())
    seen = [tuple(deal[4:7]) for deal in deals.tolist()]
    assert {*seen} == {*flops}
    assert 150 < seen.count(flops[0]) < 250  # five standard deviations
    assert len(np.unique(deals[:, 0])) == 52
