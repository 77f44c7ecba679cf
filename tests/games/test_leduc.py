"""Leduc poker: betting rules, pots, split pots, the board."""

import numpy as np
import pytest

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.games.leduc import Leduc


def follow(game, text):
    """The public state with this label: letters for actions, `/Kh:` for the board."""
    state = game.public_root()
    before, _, after = text.partition("/")
    board, _, second = after.partition(":")
    for token in [*before, *([board] if board else []), *second]:
        name = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}.get(token, (token,))
        state = state.child(next(move for move, action in enumerate(state.actions) if action in name))
    assert state.label == text
    return state


def card(game, name):
    return game.cards.index(name)


def lanes(game, *deals):
    return np.array([[card(game, name) for name in deal.split()] for deal in deals])


def test_card_number_over_two_is_the_rank():
    assert Leduc().cards == ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
    assert Leduc(3).cards[:2] == ("Ts", "Th")
    assert Leduc(ranks=5).cards[0] == "9s"


def test_folding_needs_a_bet_and_raising_ends_at_the_cap():
    game = Leduc(3)
    assert follow(game, "c").actions == ("check", "bet")
    assert follow(game, "cr").actions == ("fold", "call", "raise")
    assert follow(game, "crr").actions == ("fold", "call")
    assert follow(Leduc(raises=1), "r").actions == ("fold", "call")
    assert follow(Leduc(raises=3), "rr").actions == ("fold", "call", "raise")


def test_the_second_round_starts_with_the_first_player_left():
    game = Leduc(3)
    assert follow(game, "rcf").player == CHANCE
    assert follow(game, "rcf/Ts:").player == 0
    assert follow(game, "crfc/Ts:").player == 0
    assert follow(game, "crcf/Ts:").player == 1
    assert follow(game, "crcf/Ts:cr").player == 1


def test_bets_are_two_then_four():
    assert follow(Leduc(), "crrc/Kh:rrc").stakes == (13, 13)
    assert follow(Leduc(bet1=1, bet2=3, ante=5), "rc/Kh:rc").stakes == (9, 9)
    assert follow(Leduc(), "crr").pot == 3 + 5


def test_a_hand_that_all_fold_to_needs_no_board():
    state = follow(Leduc(3), "rff")
    assert state.player == TERMINAL
    np.testing.assert_array_equal(state.returns(lanes(Leduc(3), "Ts Ks Kh")), [[2, -1, -1]])


def test_a_pair_beats_a_higher_card():
    game = Leduc()
    state = follow(game, "cc/Jh:cc")
    hands = lanes(game, "Js Ks", "Ks Js", "Qs Ks", "Ks Kh")
    np.testing.assert_array_equal(state.returns(hands), [[1, -1], [-1, 1], [-1, 1], [0, 0]])


def test_three_players_split_a_pot_evenly():
    game = Leduc(3)
    state = follow(game, "rcc/Ts:ccc")
    hands = lanes(game, "Ks Kh Js", "Js Ks Kh", "Js Jh Th")
    np.testing.assert_array_equal(state.returns(hands), [[1.5, 1.5, -3], [-3, 1.5, 1.5], [-3, -3, 6]])


def test_a_folded_hand_wins_nothing():
    game = Leduc(3)
    state = follow(game, "crcf/Ks:cc")
    np.testing.assert_array_equal(state.returns(lanes(game, "Kh Qs Qh")), [[-1, 0.5, 0.5]])


def test_the_board_is_any_card_that_nobody_holds():
    game = Leduc()
    probabilities = follow(game, "cc").outcome_probabilities(lanes(game, "Js Kh", "Qs Qh"))
    np.testing.assert_allclose(probabilities, [[0, 0.25, 0.25, 0.25, 0.25, 0], [0.25, 0.25, 0, 0, 0.25, 0.25]])


def test_information_set_keys_name_hand_and_history():
    state = Leduc().root()
    for name in ("Kh Js", "check", "bet", "call", "Qs", "bet"):
        state = state.child(state.actions.index(name))
    assert (state.player, state.infoset) == (1, "Js crc/Qs:r")


def test_units_follow_the_ante():
    assert Leduc().unit == "antes_per_hand"
    assert Leduc(ante=2).unit == "chips_per_hand"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"players": 5}, "players must be a whole number from 2 to 4, not 5"),
        ({"ranks": 13}, "ranks for 2 players must be a whole number from 2 to 12, not 13"),
        ({"players": 4, "ranks": 2}, "ranks for 4 players must be a whole number from 3 to 12, not 2"),
        ({"raises": 0}, "raises must be a whole number from 1 to 8, not 0"),
        ({"bet1": -1}, "bet1 must be a whole number from 1 to 1000000, not -1"),
        ({"bet2": 2.5}, "bet2 must be a whole number from 1 to 1000000, not 2.5"),
        ({"ante": 0}, "ante must be a whole number from 1 to 1000000, not 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ConfigError, match=f"^leduc: {message}$"):
        Leduc(**parameters)


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalActionError, match="leduc after 'crr': no move 2"):
        follow(Leduc(), "crr").child(2)
    with pytest.raises(IllegalActionError, match="no move 6"):
        follow(Leduc(), "cc").child(6)
