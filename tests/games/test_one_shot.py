"""Matching pennies as the thesis argues it, and rock, paper, scissors."""

from itertools import product

import pytest

from nashgap.errors import IllegalActionError
from nashgap.games.matching_pennies import MatchingPennies
from nashgap.games.rock_paper_scissors import RockPaperScissors

HEADS, TAILS = (1.0, 0.0), (0.0, 1.0)
UNIFORM = (0.5, 0.5)


def values(game, *strategies):
    """Expected payoff of each player, one distribution over actions a player."""
    totals = [0.0] * game.num_players
    for moves in product(range(len(game.action_names)), repeat=game.num_players):
        state, probability = game.root(), 1.0
        for strategy, move in zip(strategies, moves, strict=True):
            state, probability = state.child(move), probability * strategy[move]
        totals = [total + probability * payoff for total, payoff in zip(totals, state.returns, strict=True)]
    return totals


def test_no_penny_is_better_than_another_against_two_at_random():
    """Abou Risk (2009), section 3.1.1: EV(H) = EV(T) = 0."""
    game = MatchingPennies()
    assert values(game, UNIFORM, UNIFORM, HEADS)[2] == pytest.approx(0)
    assert values(game, UNIFORM, UNIFORM, TAILS)[2] == pytest.approx(0)


def test_a_penny_at_random_loses_half_to_two_always_heads():
    """Abou Risk (2009), section 3.1.1: the value is -1/2."""
    assert values(MatchingPennies(), HEADS, HEADS, UNIFORM) == pytest.approx([0.25, 0.25, -0.5])


def test_leaving_always_heads_costs_an_ante():
    assert values(MatchingPennies(), HEADS, HEADS, HEADS) == [0, 0, 0]
    assert values(MatchingPennies(), TAILS, HEADS, HEADS) == [-1, 0.5, 0.5]


def test_paper_beats_rock_beats_scissors_beats_paper():
    root = RockPaperScissors().root()
    paper, rock, scissors = (root.actions.index(name) for name in ("paper", "rock", "scissors"))
    for winner, loser in [(paper, rock), (rock, scissors), (scissors, paper)]:
        assert root.child(winner).child(loser).returns == (1, -1)
        assert root.child(loser).child(winner).returns == (-1, 1)
        assert root.child(winner).child(winner).returns == (0, 0)


@pytest.mark.parametrize("game", [MatchingPennies(), RockPaperScissors()], ids=str)
def test_the_first_move_is_hidden(game):
    assert game.root().child(0).infoset == game.root().child(1).infoset == "player 2"
    assert game.root().infoset == "player 1"


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalActionError, match=r"no move 2; moves are 0 \(heads\) to 1 \(tails\)"):
        MatchingPennies().root().child(2)
