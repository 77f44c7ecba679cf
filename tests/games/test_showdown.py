"""Sharing a pot."""

import numpy as np

from nashgap.games.showdown import pot_returns


def test_the_strongest_live_player_takes_the_pot():
    strength = np.array([[5, 1, 3], [0, 1, 0]])
    np.testing.assert_array_equal(pot_returns(strength, (1, 2, 2), [1, 2]), [[-1, -2, 3], [-1, 3, -2]])


def test_ties_share_evenly_whatever_was_folded():
    strength = np.array([[4, 4, 4]])
    np.testing.assert_array_equal(pot_returns(strength, (1, 3, 3), [1, 2]), [[-1, 0.5, 0.5]])
    np.testing.assert_array_equal(pot_returns(strength, (2, 2, 2), [0, 1, 2]), [[0, 0, 0]])


def test_a_lone_player_needs_no_strength():
    np.testing.assert_array_equal(pot_returns(np.array([[0, 9]]), (3, 1), [0]), [[1, -1]])
