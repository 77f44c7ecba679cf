"""The sequence-form LP: exact values and equilibria, and the games that it refuses."""

import dataclasses

import pytest
from plain_cfr import best_response_value, expected_values, tree_of_histories
from plain_games import FORGETFUL, HistoryGame, RandomGame, TableGame, random_tree
from random_strategies import by_name

from nashgap.core.compile import compile_tree
from nashgap.errors import UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.games.spec import load_game
from nashgap.measures.best_response import exploitability
from nashgap.solvers.sequence_lp import payoff_matrix, solve_sequence_lp


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("kuhn", -1 / 18),  # Kuhn (1950)
        ("leduc", -0.0856064),  # OpenSpiel's sequence-form LP
        ("rock_paper_scissors", 0.0),
        ("bet_size", None),
        ("bet_size(deck=5,stack=2,step=0.25,ante=1)", None),
        ("liars_dice(dice_sides=3)", None),
    ],
)
def test_the_lp_gives_an_equilibrium_and_its_value(spec, value):
    tree = load_tree(spec)
    result = solve_sequence_lp(tree)
    measured = exploitability(tree, result.strategy)
    assert measured.nash_conv < 1e-8
    assert measured.values[0] == pytest.approx(result.value, abs=1e-8)
    assert measured.best_values == pytest.approx((result.value, -result.value), abs=1e-8)
    if value is not None:
        assert result.value == pytest.approx(value, abs=5e-8)


@pytest.mark.parametrize("seed", range(25))
def test_the_lp_solves_random_games(seed):
    """Held to the plain best response, so that no compiled code judges itself."""
    game = RandomGame(seed, 2, depth=5)
    tree = random_tree(game)
    result = solve_sequence_lp(tree)
    strategy = by_name(tree, result.strategy.probabilities)
    root = tree_of_histories(game)
    assert expected_values(root, strategy)[0] == pytest.approx(result.value, abs=1e-8)
    assert best_response_value(root, strategy, 0) == pytest.approx(result.value, abs=1e-8)
    assert best_response_value(root, strategy, 1) == pytest.approx(-result.value, abs=1e-8)


def test_the_value_does_not_depend_on_how_the_game_is_compiled():
    spec = "liars_dice(dice_sides=3)"
    plain = compile_tree(HistoryGame(load_game(spec)), spec)
    assert solve_sequence_lp(plain).value == pytest.approx(solve_sequence_lp(load_tree(spec)).value, abs=1e-9)


def test_a_player_without_decisions_is_allowed():
    """Only the second player moves; then only the first."""
    choice = {"left": (1.0, -1.0), "right": (-2.0, 2.0)}
    assert solve_sequence_lp(compile_tree(TableGame(("player", 1, "only", choice)), "one")).value == pytest.approx(-2)
    assert solve_sequence_lp(compile_tree(TableGame(("player", 0, "only", choice)), "one")).value == pytest.approx(1)


def test_the_payoff_matrix_holds_chance_times_payoff():
    tree = load_tree("rock_paper_scissors")
    matrix = payoff_matrix(tree).toarray()
    assert matrix.shape == (4, 4)
    assert matrix[1:, 1:].tolist() == [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    # Kuhn: six deals, each with endings for 1, 1, 2, 1 and 2 chips.
    assert abs(payoff_matrix(load_tree("kuhn"))).sum() == pytest.approx(7)


@pytest.mark.parametrize("spec", ["kuhn(players=3)", "matching_pennies"])
def test_three_players_are_refused(spec):
    with pytest.raises(UnsupportedGameError, match=r"two-player zero-sum game; .* has 3 players"):
        solve_sequence_lp(load_tree(spec))


def test_general_sum_is_refused():
    pytest.importorskip("pyspiel")
    with pytest.raises(UnsupportedGameError, match="zero-sum game; openspiel:matrix_pd has a general sum"):
        solve_sequence_lp(load_tree("openspiel:matrix_pd"))


def test_imperfect_recall_is_refused():
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        solve_sequence_lp(compile_tree(FORGETFUL, "forgetful"))


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e6])
def test_small_and_large_payoffs_are_solved_alike(scale):
    """HiGHS takes matrix entries below 1e-9 for 0; chance times payoff is soon that small."""
    kuhn = load_tree("kuhn")
    tree = dataclasses.replace(kuhn, returns=kuhn.returns * scale, payoff=kuhn.payoff * scale)
    result = solve_sequence_lp(tree)
    assert result.value == pytest.approx(-scale / 18, rel=1e-9)
    assert exploitability(tree, result.strategy).nash_conv < 1e-9 * scale
