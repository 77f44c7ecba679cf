"""Kuhn poker against what Kuhn (1950) and Abou Risk (2009, section 3.3.1) print."""

from collections import Counter

import numpy as np
import pytest

from nashgap.core.game import TERMINAL
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.games.kuhn import Kuhn


def public_states(state):
    yield state
    for move in range(len(state.actions)):
        yield from public_states(state.child(move))


def follow(game, letters):
    state = game.public_root()
    for letter in letters:
        state = state.child(int(letter in "bc"))
    assert state.label == letters
    return state


def test_two_players_have_twelve_information_sets():
    decisions = [state for state in public_states(Kuhn().public_root()) if state.player != TERMINAL]
    assert len(decisions) * len(Kuhn().hand_names[0]) == 12


def test_pots_of_three_players_are_those_of_figure_3_1():
    """A bet that all fold to leaves 4, one call makes 5, two calls 6; the antes alone are 3."""
    pots = Counter()
    for state in public_states(Kuhn(3).public_root()):
        if state.player == TERMINAL:
            num_in = 3 - state.label.count("f")
            pots[(state.has_bet, num_in, state.pot)] += 1
    assert pots == {(False, 3, 3): 1, (True, 1, 4): 3, (True, 2, 5): 6, (True, 3, 6): 3}


def test_the_pot_starts_with_the_antes():
    assert [Kuhn(players).public_root().pot for players in (2, 3, 4)] == [2, 3, 4]


def test_hands_are_named_from_the_king_down():
    assert Kuhn().hand_names[0] == ("J", "Q", "K")
    assert Kuhn(3).hand_names[2] == ("T", "J", "Q", "K")
    assert Kuhn(4).hand_names[3] == ("9", "T", "J", "Q", "K")


def test_actions_are_check_or_bet_then_fold_or_call():
    assert follow(Kuhn(3), "k").actions == ("check", "bet")
    assert follow(Kuhn(3), "kb").actions == ("fold", "call")
    assert follow(Kuhn(3), "kbfc").actions == ()


@pytest.mark.parametrize(
    ("letters", "payoffs"),
    [("kkk", [-1, -1, 2]), ("bff", [2, -1, -1]), ("kbcf", [-1, -2, 3]), ("bcf", [-2, 3, -1]), ("bcc", [-2, -2, 4])],
)
def test_payoffs_of_three_players_by_hand(letters, payoffs):
    """Cards T, Q, K: player 3 wins every showdown he is in, and player 2 beats player 1."""
    np.testing.assert_array_equal(follow(Kuhn(3), letters).returns(np.array([[0, 2, 3]])), [payoffs])


@pytest.mark.parametrize("players", [1, 5, 2.0, True, "3"])
def test_a_wrong_number_of_players_is_refused(players):
    with pytest.raises(ConfigError, match=f"players must be a whole number from 2 to 4, not {players!r}"):
        Kuhn(players)


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalActionError, match=r"kuhn after 'kb': no move 2; moves are 0 \(fold\) to 1 \(call\)"):
        follow(Kuhn(3), "kb").child(2)
    with pytest.raises(IllegalActionError, match="after the end"):
        follow(Kuhn(), "kk").child(0)
