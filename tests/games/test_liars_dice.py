"""Liar's dice: the order of bids, the wild face, who wins."""

import numpy as np
import pytest

from nashgap.core.game import TERMINAL
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.games.liars_dice import LiarsDice, LiarsDiceState


def num_decisions(state):
    if state.player == TERMINAL:
        return 0
    return 1 + sum(num_decisions(state.child(move)) for move in range(len(state.actions)))


def state_after(game, *names):
    return LiarsDiceState(game, tuple(game.calls.index(name) for name in names))


def test_there_are_24576_information_sets():
    """Published for this game: 6 faces and each of the 2 ** 12 increasing sequences of bids."""
    game = LiarsDice()
    assert num_decisions(game.public_root()) * len(game.hand_names[0]) == 24576


def test_bids_rise_by_quantity_then_face():
    game = LiarsDice(dice_sides=3)
    assert game.calls == ("1-1", "1-2", "1-3", "2-1", "2-2", "2-3", "liar")
    assert game.public_root().actions == game.calls[:-1]
    assert state_after(game, "1-3").actions == ("2-1", "2-2", "2-3", "liar")
    assert state_after(game, "1-1", "2-3").actions == ("liar",)


def test_the_highest_face_is_wild():
    game = LiarsDice()
    hands = np.array([[4, 4], [4, 5], [5, 5], [4, 0], [5, 0]])
    first_is_honest = state_after(game, "2-5", "liar").returns(hands)[:, 0]
    np.testing.assert_array_equal(first_is_honest, [1, 1, 1, -1, -1])


def test_a_third_player_neither_wins_nor_loses():
    game = LiarsDice(players=3, dice_sides=2)
    returns = state_after(game, "1-1", "3-1", "liar").returns(np.array([[0, 0, 0], [1, 1, 0]]))
    np.testing.assert_array_equal(returns, [[0, 1, -1], [0, 1, -1]])
    returns = state_after(game, "3-2", "liar").returns(np.array([[0, 1, 1]]))
    np.testing.assert_array_equal(returns, [[-1, 1, 0]])


def test_labels_are_the_calls():
    assert state_after(LiarsDice(), "1-4", "2-1").label == "1-4 2-1"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"players": 4}, "players must be a whole number from 2 to 3, not 4"),
        ({"dice_sides": 7}, "dice_sides must be a whole number from 2 to 6, not 7"),
        ({"dice_sides": "six"}, "dice_sides must be a whole number from 2 to 6, not 'six'"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ConfigError, match=f"^liars_dice: {message}$"):
        LiarsDice(**parameters)


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalActionError, match="liars_dice after '2-6': no move 1"):
        state_after(LiarsDice(), "2-6").child(1)
