"""Exact best responses: held to brute force, to plain recursion and to play."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_cfr import Node, best_response_value, tree_of_histories
from plain_cfr import expected_values as plain_values
from plain_games import ABSENT_MINDED, FORGETFUL, RandomGame, TableGame, random_tree
from random_strategies import by_name, random_strategy

from nashgap.core.compile import compile_tree
from nashgap.errors import MismatchError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.games.spec import load_game
from nashgap.measures.best_response import best_response, expected_values, exploitability
from nashgap.strategies.table import TableStrategy, uniform

SMALL = ["kuhn", "kuhn(players=3)", "kuhn(players=4)", "leduc", "liars_dice(dice_sides=3)", "matching_pennies"]

games = st.builds(
    RandomGame, st.integers(0, 400), num_players=st.integers(1, 3), depth=st.integers(1, 5), is_zero_sum=st.booleans()
)
quickly = settings(max_examples=50, deadline=None, derandomize=True)


@pytest.mark.parametrize("spec", SMALL)
def test_values_and_best_responses_equal_plain_recursion(spec):
    tree, root = load_tree(spec), tree_of_histories(load_game(spec))
    for seed in range(2):
        strategy = random_strategy(tree, seed, sparsity=0.4 * seed)
        table = by_name(tree, strategy.probabilities)
        measured = exploitability(tree, strategy)
        plain = plain_values(root, table)
        best = [best_response_value(root, table, p) for p in range(tree.num_players)]
        assert expected_values(tree, strategy) == pytest.approx(plain, abs=1e-12)
        assert measured.values == pytest.approx(plain, abs=1e-12)
        assert measured.best_values == pytest.approx(best, abs=1e-12)


@given(game=games, seed=st.integers(0, 3))
@quickly
def test_random_games_are_measured_as_plain_recursion_does(game, seed):
    tree, root = random_tree(game), tree_of_histories(game)
    strategy = random_strategy(tree, seed, sparsity=0.2 * seed)
    table = by_name(tree, strategy.probabilities)
    measured = exploitability(tree, strategy)
    assert tree.num_nodes == root.count()
    assert expected_values(tree, strategy) == pytest.approx(plain_values(root, table), abs=1e-12)
    assert measured.values == pytest.approx(plain_values(root, table), abs=1e-12)
    best = [best_response_value(root, table, p) for p in range(tree.num_players)]
    assert measured.best_values == pytest.approx(best, abs=1e-12)


@given(game=games)
@quickly
def test_the_response_earns_what_it_promises_and_nothing_earns_more(game):
    tree = random_tree(game)
    strategy = random_strategy(tree, 1, sparsity=0.3)
    measured, response = exploitability(tree, strategy), best_response(tree, strategy)
    assert set(response.probabilities.tolist()) <= {0.0, 1.0}
    for player in range(tree.num_players):
        played = expected_values(tree, strategy.with_players({player: response}))
        assert played[player] == pytest.approx(measured.best_values[player], abs=1e-12)
        for seed in range(5):
            deviation = strategy.with_players({player: random_strategy(tree, seed, sparsity=0.5)})
            assert expected_values(tree, deviation)[player] <= measured.best_values[player] + 1e-12
    if game.is_zero_sum:
        assert sum(measured.values) == pytest.approx(0.0, abs=1e-12)
        assert measured.nash_conv >= 0.0


def pure_strategies(tree, strategy, player):
    """The strategy with every pure one of a player in turn."""
    infosets = np.flatnonzero(tree.infoset_player == player)
    for choices in itertools.product(*(range(tree.infoset_size[i]) for i in infosets)):
        probabilities = strategy.probabilities.copy()
        for infoset, choice in zip(infosets, choices, strict=True):
            probabilities[tree.slots(infoset)] = np.eye(tree.infoset_size[infoset])[choice]
        yield TableStrategy(tree, probabilities)


@given(game=games)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_no_pure_strategy_is_better(game):
    tree = random_tree(game)
    counts = [np.prod(tree.infoset_size[tree.infoset_player == p], dtype=float) for p in range(tree.num_players)]
    assume(max(counts) <= 256)
    strategy = random_strategy(tree, 2)
    measured = exploitability(tree, strategy)
    for player in range(tree.num_players):
        best = max(expected_values(tree, pure)[player] for pure in pure_strategies(tree, strategy, player))
        assert measured.best_values[player] == pytest.approx(best, abs=1e-12)


def test_kuhn_by_brute_force():
    """All 64 pure strategies of each player."""
    tree = load_tree("kuhn")
    strategy = random_strategy(tree, 11)
    measured = exploitability(tree, strategy)
    for player in range(2):
        values = [expected_values(tree, pure)[player] for pure in pure_strategies(tree, strategy, player)]
        assert len(values) == 64
        assert measured.best_values[player] == pytest.approx(max(values), abs=1e-12)


def test_the_first_of_equally_good_actions_is_taken():
    tree = load_tree("rock_paper_scissors")
    assert best_response(tree, uniform(tree)).probabilities.tolist() == [1, 0, 0, 1, 0, 0]


def test_the_record_adds_up():
    tree = load_tree("kuhn(players=3)")
    measured = exploitability(tree, uniform(tree))
    assert measured.gains == pytest.approx(np.subtract(measured.best_values, measured.values))
    assert measured.nash_conv == pytest.approx(sum(measured.gains))
    assert measured.exploitability == pytest.approx(measured.nash_conv / 3)
    record = measured.as_dict()
    assert {"game", "unit", "nash_conv", "exploitability", "values", "gains"} <= record.keys()
    assert (record["game"], record["unit"]) == ("kuhn(players=3)", "antes_per_hand")
    assert record["gains"] == list(measured.gains)


@pytest.mark.parametrize("game", [FORGETFUL, ABSENT_MINDED], ids=["forgetful", "absent-minded"])
def test_without_perfect_recall_only_values_are_given(game):
    tree = compile_tree(game, "memoryless")
    with pytest.raises(UnsupportedGameError, match="an exact best response needs perfect recall; in memoryless"):
        exploitability(tree, uniform(tree))
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        best_response(tree, uniform(tree))
    strategy = random_strategy(tree, 5)
    plain = plain_values(Node.of(game.root()), by_name(tree, strategy.probabilities))
    assert expected_values(tree, strategy) == pytest.approx(plain, abs=1e-12)


def test_the_absent_minded_driver_expects_what_was_published():
    """Piccione & Rubinstein (1997): leaving with probability 1/3 is worth 4/3, the most that planning can get."""
    tree = compile_tree(ABSENT_MINDED, "driver")
    assert expected_values(tree, TableStrategy(tree, np.array([1 / 3, 2 / 3])))[0] == pytest.approx(4 / 3)


def test_degenerate_games_are_measured():
    over = compile_tree(TableGame((1.5, -1.5)), "over")
    assert exploitability(over, uniform(over)).values == (1.5, -1.5)
    assert exploitability(over, uniform(over)).nash_conv == 0.0
    luck = compile_tree(TableGame(("chance", {"h": (0.25, (4.0, 0.0)), "t": (0.75, (0.0, 4.0))})), "luck")
    assert expected_values(luck, uniform(luck)) == (1.0, 3.0)
    assert exploitability(luck, uniform(luck)).best_values == (1.0, 3.0)
    choice = {"left": (1.0, 0.0, 5.0), "right": (2.0, 0.0, 7.0)}
    middle = compile_tree(TableGame(("player", 1, "?", choice), num_players=3), "middle")
    assert exploitability(middle, uniform(middle)).values == (1.5, 0.0, 6.0)


def test_a_strategy_for_another_game_is_refused():
    kuhn, three = load_tree("kuhn"), load_tree("kuhn(players=3)")
    for measure in (expected_values, exploitability, best_response):
        with pytest.raises(MismatchError, match=r"for kuhn\(players=3\), not for kuhn"):
            measure(kuhn, uniform(three))
