"""The bet-size game with one raise: payoffs by hand, and the value by a formulation of its own."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes, sample_games
from nashgap.games.bet_size import BetSize
from nashgap.games.compiled import tree_of
from nashgap.measures.best_response import exploitability
from nashgap.solvers.sequence_lp import solve_sequence_lp


def play(game, *names):
    state = game.public_root()
    for name in names:
        state = state.child(state.actions.index(name))
    return state


def first_wins(game, deal, *names):
    first, second = play(game, *names).returns(np.array([deal]) - 1)[0]
    assert first == -second
    return first


def random_joint(deck, number):
    return sample_games(Stakes(deck=deck), 5, number, 1).joint[0]


def test_payoffs_by_hand():
    game = BetSize(raises=1)
    assert first_wins(game, (4, 9), "bet 0.4", "raise to 1.1", "fold") == pytest.approx(-0.9)
    assert first_wins(game, (4, 9), "bet 0.4", "raise to 1.1", "call") == pytest.approx(-1.6)
    assert first_wins(game, (9, 4), "bet 0.4", "raise to 3", "call") == pytest.approx(3.5)
    assert first_wins(game, (4, 9), "bet 0.4", "fold") == 0.5
    assert first_wins(game, (4, 9), "bet 0.4", "call") == pytest.approx(-0.9)


def test_a_raise_is_larger_than_the_bet_and_at_most_the_stack():
    game = BetSize(stack=2, step=0.5, raises=1)
    assert play(game, "bet 1").actions == ("fold", "call", "raise to 1.5", "raise to 2")
    assert play(game, "bet 2").actions == ("fold", "call")
    assert play(game, "bet 1", "raise to 1.5").actions == ("fold", "call")
    assert play(game, "bet 1", "raise to 1.5").player == 0
    assert play(game, "check").actions == ()


def test_information_sets_name_the_raise():
    state = BetSize(deck=3, raises=1).root()
    for name in ("3 2", "bet 0.3", "raise to 0.7"):
        state = state.child(state.actions.index(name))
    assert state.infoset == "3 bet 0.3 raise to 0.7"


def test_without_raises_the_game_is_as_it_was():
    assert tree_of(BetSize()).fingerprint == tree_of(BetSize(raises=0)).fingerprint
    assert tree_of(BetSize()).game == "bet_size"
    assert tree_of(BetSize(raises=1, deck=3, step=1)).game == "bet_size(deck=3,step=1.0,raises=1)"


def matrix_value(joint, steps):
    """The value to player 1 of the game with bets 1 to `steps` and an ante of 1, from all pure strategies.

    Player 1's pure strategies for a card: check, or a bet with the largest raise of it that it calls (fold to all that
    are larger); any set of raises may be called, so all sets are listed. Player 2's: an answer to each bet.
    """
    deck = len(joint)
    first = [(0, frozenset())]
    for bet in range(1, steps + 1):
        larger = range(bet + 1, steps + 1)
        first += [(bet, frozenset(r for r, c in zip(larger, called, strict=True) if c))
                  for called in product((0, 1), repeat=len(larger))]  # fmt: skip
    answers = [("fold", "call", *range(bet + 1, steps + 1)) for bet in range(1, steps + 1)]
    second = list(product(*answers))

    def payoff(own, other, sign):
        bet, called = own
        if bet == 0:
            return sign
        answer = other[bet - 1]
        if answer == "fold":
            return 1
        if answer == "call":
            return sign * (1 + bet)
        return sign * (1 + answer) if answer in called else -1 - bet

    shows = {s: np.array([[payoff(a, b, s) for b in second] for a in first]) for s in (-1, 0, 1)}
    # Mixtures for each card: player 1's x[i, a]; v[j] is what card j of player 2 holds it down to.
    num_own = deck * len(first)
    rows, equal = [], np.zeros((deck, num_own + deck))
    for j in range(deck):
        gains = np.stack([joint[i, j] * shows[int(np.sign(i - j))] for i in range(deck)])
        block = np.hstack([-gains.reshape(num_own, -1).T, np.tile(np.eye(deck)[j], (len(second), 1))])
        rows.append(block)
        equal[j, j * len(first) : (j + 1) * len(first)] = 1
    solution = linprog(
        np.concatenate([np.zeros(num_own), -np.ones(deck)]),
        A_ub=np.vstack(rows),
        b_ub=np.zeros(sum(map(len, rows))),
        A_eq=equal,
        b_eq=np.ones(deck),
        bounds=[*[(0, None)] * num_own, *[(None, None)] * deck],
        method="highs",
    )
    return -solution.fun


@pytest.mark.parametrize(("deck", "steps", "number"), [(3, 2, 0), (3, 2, 1), (4, 3, 2), (5, 3, 3)])
def test_the_value_is_that_of_all_pure_strategies(deck, steps, number):
    joint = random_joint(deck, number)
    game = BetSize(joint=joint, stack=float(steps), step=1.0, ante=1.0, raises=1)
    assert solve_sequence_lp(tree_of(game)).value == pytest.approx(matrix_value(joint, steps), abs=1e-9)


@pytest.mark.parametrize("number", range(4))
def test_a_raise_never_helps_player_1_and_its_equilibrium_cannot_be_exploited(number):
    values = []
    for raises in (0, 1):
        tree = tree_of(BetSize(joint=random_joint(6, number), step=0.5, raises=raises))
        solved = solve_sequence_lp(tree)
        assert exploitability(tree, solved.strategy).nash_conv == pytest.approx(0.0, abs=1e-9)
        values.append(solved.value)
    assert values[1] <= values[0] + 1e-9


def test_a_raise_is_worth_something_to_player_2():
    without, with_raise = (solve_sequence_lp(tree_of(BetSize(step=0.5, raises=raises))).value for raises in (0, 1))
    assert with_raise < without - 0.001


@pytest.mark.parametrize("raises", [2, -1, True, "1"])
def test_other_numbers_of_raises_are_refused(raises):
    with pytest.raises(ConfigError, match=r"^bet_size: raises must be a whole number from 0 to 1, not "):
        BetSize(raises=raises)
