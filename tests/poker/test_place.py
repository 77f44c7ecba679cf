"""Places of the betting: the same on all boards, sizes grouped, as text and back."""

import pytest

from nashgap.errors import ConfigError
from nashgap.poker.place import BettingPlace, parse_place, place_of, position_name
from nashgap.poker.rules import load_rules
from nashgap.poker.typed_state import state_after

PLACES = [
    ("hunl", "", "", "button preflop"),
    ("hunl", "r20000", "", "big-blind preflop a"),
    ("hunl", "r300", "", "big-blind preflop r100"),
    ("hunl", "cc/c", "AhKd2c", "button flop limped x"),
    ("hunl", "r300c/cr900", "AhKd2c", "big-blind flop raised xb100"),
    ("hunl", "r300r900c/", "AhKd2c", "big-blind flop 3-bet"),
    ("hunl", "r300r900r2700c/cc/r3000", "AhKd2c9s", "button turn 4-bet+ b25"),
    ("lhe2", "rc/cr", "AhKd2c", "big-blind flop raised xb"),
    ("leduc2", "crc/r", "Kh", "seat-2 round-2 b"),
    ("kuhn3", "cr", "", "seat-3 round-1 xb"),
    ("nlhe3", "fc", "", "big-blind preflop fc"),
]


@pytest.mark.parametrize(("game", "betting", "board", "text"), PLACES)
def test_a_decision_is_at_its_place(game, betting, board, text):
    rules = load_rules(game)
    place = place_of(state_after(rules, betting, board))
    assert str(place) == text
    assert parse_place(text) == place
    place.require_game(rules)


def test_boards_and_sizes_of_one_class_share_a_place():
    rules = load_rules("hunl")
    places = {
        place_of(state_after(rules, f"r300c/cr{raise_to}", board))
        for raise_to in (500, 600, 660)  # a third, a half and 60% of the pot are of one class or two
        for board in ("AhKd2c", "7h7d2c")
    }
    assert places == {parse_place("big-blind flop raised xb25"), parse_place("big-blind flop raised xb50")}


@pytest.mark.parametrize(
    "text", ["", "button", "sofa preflop", "button preflop xz", "button flop raised xb60", "a b c d e"]
)
def test_what_is_no_place_is_refused(text):
    with pytest.raises(ConfigError, match="it must be POSITION STREET"):
        parse_place(text)


def test_a_place_of_another_game_is_refused():
    hunl = load_rules("hunl")
    with pytest.raises(ConfigError, match="hunl has no position 'seat-3'; it has big-blind, button"):
        BettingPlace("seat-3", "flop").require_game(hunl)
    with pytest.raises(ConfigError, match="hunl has no street 'round-2'; it has preflop, flop, turn, river"):
        BettingPlace("button", "round-2").require_game(hunl)
    with pytest.raises(ConfigError, match="leduc2 has no kind of pot 'raised'; it has none"):
        BettingPlace("seat-1", "round-2", "raised").require_game(load_rules("leduc2"))


def test_no_two_seats_have_one_name():
    for game in ("hunl", "lhe3", "leduc2", "kuhn3"):
        rules = load_rules(game)
        assert len({position_name(rules, seat) for seat in range(rules.num_seats)}) == rules.num_seats
    assert position_name(load_rules("hunl"), 1) == "on the button"
    assert position_name(load_rules("kuhn3"), 2) == "in seat 3"
