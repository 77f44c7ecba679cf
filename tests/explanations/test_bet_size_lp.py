"""The program of the bet-size game against the sequence form, and its choices among equilibria."""

import numpy as np
import pytest

from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, sample_games
from nashgap.explanations.bet_size_lp import CHOICES, BetSizeSolver
from nashgap.games.bet_size import BetSize, uniform_joint
from nashgap.games.compiled import tree_of
from nashgap.solvers.sequence_lp import solve_sequence_lp

STAKES = Stakes()


def sequence_value(stakes: Stakes, joint: np.ndarray) -> float:
    game = BetSize(stack=stakes.stack, step=stakes.step, ante=stakes.ante, joint=tuple(map(tuple, joint.tolist())))
    return solve_sequence_lp(tree_of(game)).value


@pytest.mark.parametrize("stakes", [STAKES, Stakes(deck=4, stack=2.0, step=0.25, ante=1.0)])
def test_the_value_is_that_of_the_sequence_form(stakes):
    solver = BetSizeSolver(stakes)
    for joint in sample_games(stakes, 1, 0, 5).joint:
        assert solver.solve(joint).value == pytest.approx(sequence_value(stakes, joint), abs=1e-9)


def test_the_uniform_deal_has_the_value_of_the_sequence_form():
    joint = np.array(uniform_joint(10))
    assert BetSizeSolver(STAKES).solve(joint).value == pytest.approx(sequence_value(STAKES, joint), abs=1e-9)


def test_every_choice_of_both_players_is_an_equilibrium():
    games, solver = sample_games(STAKES, 2, 0, 30), BetSizeSolver(STAKES)
    for place in range(30):
        game, found = games[place : place + 1], solver.solve(games.joint[place])
        assert tuple(found.bets) == CHOICES
        for bets in found.bets.values():
            assert bets.sum(axis=1) == pytest.approx(np.ones(10), abs=1e-12)
            assert game.worst_case(bets[None])[0] == pytest.approx(found.value, abs=1e-10)
        assert ((found.calls >= 0) & (found.calls <= 1)).all()
        assert game.bet_values(found.calls[None]).max(axis=2).sum() == pytest.approx(found.value, abs=1e-10)


def test_no_other_equilibrium_has_less_of_bet_times_card():
    games, solver = sample_games(STAKES, 3, 0, 30), BetSizeSolver(STAKES)
    has_gap = 0
    for place in range(30):
        found = solver.solve(games.joint[place])
        weight = games.pdf[place, 0][:, None] * STAKES.amounts * np.arange(1, 11)[:, None]
        average = {choice: float((weight * bets).sum()) for choice, bets in found.bets.items()}
        assert average["weakest-bluff"] <= min(average.values()) + 1e-9
        has_gap += average["solver"] > average["weakest-bluff"] + 1e-3
    assert has_gap > 3, "the solver's own choice is another one in many games"


def test_of_the_bluffs_in_the_uniform_deal_the_worst_card_makes_the_largest():
    """Cards 1 and 2 share bluffs of 0.1, 0.3, 0.6 and 1.8; only how they do so is open."""
    bets = BetSizeSolver(STAKES).solve(np.array(uniform_joint(10))).bets["weakest-bluff"]
    of_the_worst, of_the_next = (np.flatnonzero(bets[card] > 1e-9) for card in (0, 1))
    assert of_the_worst.tolist() == [6, 18]
    assert of_the_next.tolist() == [0, 1, 3, 6]


def test_what_is_found_does_not_depend_on_the_games_before():
    joints, solver = sample_games(STAKES, 4, 0, 6).joint, BetSizeSolver(STAKES)
    in_a_row = [solver.solve(joint) for joint in joints][-1]
    alone = BetSizeSolver(STAKES).solve(joints[-1])
    assert in_a_row.value == alone.value
    assert np.array_equal(in_a_row.calls, alone.calls)
    assert all(np.array_equal(in_a_row.bets[choice], alone.bets[choice]) for choice in CHOICES)


def test_the_game_of_figure_2_is_bluffed_three_times_in_four():
    """Ganzfried & Yusuf 2017, section 1: card 10 bets 3, card 1 bets 3 with 0.75; worth 3/8."""
    joint = np.zeros((10, 10))
    joint[0, 4] = joint[9, 4] = 0.5
    found = BetSizeSolver(STAKES).solve(joint)
    assert found.value == pytest.approx(0.375, abs=1e-12)
    for bets in found.bets.values():
        assert bets[0, [0, 30]] == pytest.approx([0.25, 0.75], abs=1e-9)
        assert bets[9, 30] == pytest.approx(1.0, abs=1e-9)
        assert bets[5, 0] == 1.0, "a card that is never dealt checks"


def test_cards_that_are_never_dealt_fold():
    joint = np.zeros((10, 10))
    joint[0, 4] = joint[9, 4] = 0.5
    found = BetSizeSolver(STAKES).solve(joint)
    assert not found.calls[[0, 1, 2, 3, 5, 9]].any()
    assert found.calls[4, 30] == pytest.approx(0.25, abs=1e-9), "as often as makes a bluff worth nothing"


def test_ties_are_split():
    joint = np.full((3, 3), 1 / 9)
    stakes = Stakes(deck=3, stack=1.0, step=0.5)
    found = BetSizeSolver(stakes).solve(joint)
    assert found.value == pytest.approx(sequence_value(stakes, joint), abs=1e-9)
    assert BetSizeGames(stakes, joint[None]).worst_case(found.bets["solver"][None])[0] == pytest.approx(found.value)
