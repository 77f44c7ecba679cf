"""Answers to bets that equilibrium never makes."""

import numpy as np
import pytest

from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, sample_games
from nashgap.explanations.bet_size_lp import BetSizeSolver
from nashgap.explanations.distributions import games_of
from nashgap.explanations.off_path import sensible_calls

STAKES = Stakes(deck=6, step=0.5)


def solved_games(count):
    solver = BetSizeSolver(STAKES)
    for number in range(count):
        games = sample_games(STAKES, 2, number, 1)
        yield games, solver.solve(games.joint[0])


def test_calls_stay_an_equilibrium_and_cost_unexpected_bets_at_least_as_much():
    dearer = 0
    for games, solved in solved_games(12):
        calls = sensible_calls(games, solved.bets, solved.calls)
        before, after = (games.bet_values(each[None])[0] for each in (solved.calls, calls))
        assert after.max(axis=1).sum() == pytest.approx(solved.value, abs=1e-8)
        np.testing.assert_allclose(after.max(axis=1), before.max(axis=1), atol=1e-8)
        is_made = np.max([bets.max(axis=0) for bets in solved.bets.values()], axis=0) > 1e-9
        np.testing.assert_array_equal(calls[:, is_made], solved.calls[:, is_made])
        assert (after.sum(axis=0) <= before.sum(axis=0) + 1e-8).all()
        dearer += bool((after.sum(axis=0) < before.sum(axis=0) - 1e-4).any())
        assert ((calls >= 0) & (calls <= 1)).all()
    assert dearer > 6


def test_a_hand_that_never_wins_is_not_called_with_worse_ones():
    """Player 1 holds a 2 always and player 2 a 1 or a 3: any bet is called by the 3 and by nobody else."""
    games = games_of((0, 1, 0), (0.5, 0, 0.5), Stakes(deck=3, step=1))
    solved = BetSizeSolver(games.stakes).solve(games.joint[0])
    calls = sensible_calls(games, solved.bets, solved.calls)
    np.testing.assert_allclose(calls[:, 1:], [[0, 0, 0], [0, 0, 0], [1, 1, 1]])


def test_where_every_bet_is_made_nothing_changes():
    games = BetSizeGames(Stakes(deck=2, stack=1, step=1), np.array([[[0, 0.5], [0.5, 0]]]))
    calls = np.array([[0, 0.25], [0, 1.0]])
    assert sensible_calls(games, {"solver": np.full((2, 2), 0.5)}, calls) is calls
