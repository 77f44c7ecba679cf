"""The limit river endgame: payoffs by hand, the cap, known values, bad parameters."""

import numpy as np
import pytest

from nashgap.core.game import TERMINAL
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.games.compiled import tree_of
from nashgap.games.joint import uniform_joint
from nashgap.games.river_limit import RiverLimit
from nashgap.measures.best_response import exploitability
from nashgap.solvers.sequence_lp import solve_sequence_lp


def play(game, *names):
    state = game.public_root()
    for name in names:
        state = state.child(state.actions.index(name))
    return state


def first_wins(game, deal, *names):
    """Player 1's payoff with hands `deal` (from 1) after these actions."""
    state = play(game, *names)
    assert state.player == TERMINAL
    first, second = state.returns(np.array([deal]) - 1)[0]
    assert first == -second
    return first


@pytest.mark.parametrize(
    ("names", "better", "worse"),
    [
        (("check", "check"), 2.5, -2.5),
        (("bet", "call"), 3.5, -3.5),
        (("bet", "fold"), 2.5, 2.5),
        (("check", "bet", "fold"), -2.5, -2.5),
        (("check", "bet", "raise", "call"), 4.5, -4.5),
        (("check", "bet", "raise", "fold"), 3.5, 3.5),
        (("bet", "raise", "raise", "raise", "fold"), -5.5, -5.5),
        (("bet", "raise", "raise", "raise", "call"), 6.5, -6.5),
    ],
)
def test_half_the_pot_and_the_called_bets_change_hands(names, better, worse):
    assert first_wins(RiverLimit(), (2, 1), *names) == better
    assert first_wins(RiverLimit(), (1, 2), *names) == worse


def test_equal_hands_split_the_pot():
    assert first_wins(RiverLimit(), (5, 5), "bet", "call") == 0


def test_the_last_bet_can_only_be_called_or_folded_to():
    assert play(RiverLimit(), "bet").actions == ("fold", "call", "raise")
    assert play(RiverLimit(), "bet", "raise", "raise", "raise").actions == ("fold", "call")
    assert play(RiverLimit(raises=1), "check", "bet").actions == ("fold", "call")
    with pytest.raises(IllegalActionError, match="river_limit after 'b': no move 2"):
        play(RiverLimit(raises=1), "bet").child(2)


def test_best_or_worst_hand_against_a_middle_one_is_worth_the_bluffs():
    """A bet of 1 into a pot P: the best hand bets, the worst 1/(P+1) as often; player 2 calls P/(P+1) of the time.

    Then a bet wins P/2 whatever player 2 does with its bluff-catcher: value = P/2 (1/2 + 1/(2(P+1))) - P/2 P/(2(P+1)).
    """
    joint = np.zeros((3, 3))
    joint[[0, 2], 1] = 0.5
    pot = 5.0
    tree = tree_of(RiverLimit(joint=joint, pot=pot))
    solved = solve_sequence_lp(tree)
    assert solved.value == pytest.approx(pot / 2 / (pot + 1), abs=1e-9)
    assert solved.strategy.chances(0, "1")["bet"] == pytest.approx(1 / (pot + 1), abs=1e-9)
    assert solved.strategy.chances(1, "2 b")["call"] == pytest.approx(pot / (pot + 1), abs=1e-9)


@pytest.mark.parametrize("raises", [1, 2, 4])
def test_the_equilibrium_of_the_linear_program_cannot_be_exploited(raises):
    tree = tree_of(RiverLimit(deck=6, raises=raises))
    assert exploitability(tree, solve_sequence_lp(tree).strategy).nash_conv == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"deck": 1}, "deck must be a whole number from 2 to 1000, not 1"),
        ({"pot": 0}, "pot must be a number above 0, not 0"),
        ({"raises": 0}, "raises must be a whole number from 1 to 20, not 0"),
        ({"joint": ((0.5, 0.5), (0.5, 0.5))}, "joint must sum to 1 within 1e-06, not to 2"),
        ({"joint": uniform_joint(3), "deck": 4}, "deck is 4 but joint has 3 cards; leave deck out"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ConfigError, match=f"^river_limit: {message}$"):
        RiverLimit(**parameters)
