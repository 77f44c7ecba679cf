"""Populations that grow by responders: they come to equilibria, and a mixture is one strategy that plays the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from random_strategies import random_strategy

from nashgap.errors import ConfigError, MismatchError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import best_response, expected_values, exploitability
from nashgap.search.options import PRESETS
from nashgap.search.psro import PSRO, Oracle, solve_matrix_game
from nashgap.search.responder_game import TreeResponderGame
from nashgap.solvers.given import GivenStrategy
from nashgap.strategies.table import TableStrategy, tabulated, uniform

QUICK = Oracle(replace(PRESETS["tree"], games=128), batches=4)
PENNIES = np.array([[2.0, -1.0], [-1.0, 0.0]])


@dataclass(frozen=True)
class ExactOracle(Oracle):
    """Makes it the double oracle method."""

    def respond(self, game: TreeResponderGame, seed: int) -> TableStrategy:
        return best_response(game.tree, game.strategy)


def test_a_matrix_game_is_solved() -> None:
    """By hand: both mix so that the other does not care, 2p - (1-p) = -p, hence p = 1/4."""
    rows, columns = solve_matrix_game(PENNIES)
    np.testing.assert_allclose(rows, [0.25, 0.75], atol=1e-12)
    np.testing.assert_allclose(columns, [0.25, 0.75], atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (5, 2), (12, 30)])
def test_nobody_gains_by_leaving_a_solved_matrix_game(shape: tuple[int, int]) -> None:
    payoffs = np.random.default_rng(2).normal(size=shape)
    rows, columns = solve_matrix_game(payoffs)
    assert (payoffs @ columns).max() - (rows @ payoffs).min() < 1e-9


def test_rock_paper_scissors_is_solved_from_a_bad_start() -> None:
    tree = load_tree("rock_paper_scissors")
    rock = tabulated(tree, lambda player, infoset, actions: [1.0, 0.0, 0.0])
    solver = PSRO(tree, QUICK, given=[GivenStrategy(rock)])
    assert exploitability(tree, solver.average_strategy()).nash_conv == 2.0
    solver.run(6)
    np.testing.assert_allclose(solver.average_strategy().probabilities, np.full(6, 1 / 3), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_kuhn_comes_to_equilibrium(seed: int) -> None:
    """Kuhn (1950): worth -1/18 to the first player. Both have 64 pure strategies at most; a dozen do."""
    tree = load_tree("kuhn")
    solver = PSRO(tree, seed=seed)
    solver.run(15)
    measured = exploitability(tree, solver.average_strategy())
    assert measured.nash_conv < 0.05
    assert measured.values[0] == pytest.approx(-1 / 18, abs=0.05)


@pytest.mark.slow
def test_the_oracle_is_about_as_good_as_an_exact_one() -> None:
    """Leduc after 30 iterations, from 4.75 antes: the curve is not smooth, so that they are compared by a factor."""
    tree = load_tree("leduc")
    gaps = []
    for oracle in (Oracle(), ExactOracle()):
        solver = PSRO(tree, oracle, seed=1)
        solver.run(30)
        gaps.append(exploitability(tree, solver.average_strategy()).nash_conv)
    assert max(gaps) < 0.4 * exploitability(tree, uniform(tree)).nash_conv
    assert 0.5 < gaps[0] / gaps[1] < 2.0


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars_dice(dice_sides=3)"])
def test_the_mixture_as_one_strategy_is_worth_what_the_meta_game_says(spec: str) -> None:
    tree = load_tree(spec)
    solver = PSRO(tree, QUICK, given=[GivenStrategy(random_strategy(tree, 5))])
    solver.run(6)
    rows, columns = solver.meta_strategy()
    assert len(rows) > 3
    value = rows @ solver.payoffs @ columns
    assert expected_values(tree, solver.average_strategy()) == pytest.approx((value, -value), abs=1e-9)


def test_payoffs_are_what_pairs_of_strategies_are_worth() -> None:
    """The first row and column by the tree itself: those of the uniform start and of the first responders."""
    tree = load_tree("leduc")
    solver = PSRO(tree, ExactOracle())
    solver.run(1)
    start = uniform(tree)
    answer = best_response(tree, start)
    expected = [
        [expected_values(tree, first.with_players({1: second}))[0] for second in (start, answer)]
        for first in (start, answer)
    ]
    np.testing.assert_allclose(solver.payoffs, expected, atol=1e-9)


def test_a_responder_that_is_there_already_is_not_added() -> None:
    tree = load_tree("rock_paper_scissors")
    solver = PSRO(tree, QUICK)
    solver.run(12)
    assert solver.iteration == 12
    assert max(solver.payoffs.shape) <= 4  # uniform, rock, paper, scissors


def test_what_is_restored_goes_on_exactly() -> None:
    tree = load_tree("leduc")
    whole, first, second, other = (PSRO(tree, QUICK, seed=seed) for seed in (7, 7, 7, 8))
    whole.run(5)
    other.run(5)
    first.run(3)
    second.restore(first.state())
    assert second.iteration == 3
    second.run(2)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(array, second.state()[name])
    assert not np.array_equal(whole.payoffs, other.payoffs)
    with pytest.raises(MismatchError, match="'plans_1' have shape"):
        second.restore(PSRO(load_tree("kuhn"), QUICK).state())
    with pytest.raises(MismatchError, match="has no 'plans_2'"):
        second.restore({name: array for name, array in whole.state().items() if name != "plans_2"})


def test_a_frozen_player_keeps_its_strategy_and_the_other_answers() -> None:
    tree = load_tree("kuhn")
    frozen = random_strategy(tree, 4)
    solver = PSRO(tree, QUICK, given=[GivenStrategy(frozen, (1,), is_static=True)])
    solver.run(4)
    mine = tree.slot_player == 1
    strategy = solver.average_strategy()
    np.testing.assert_array_equal(strategy.probabilities[mine], frozen.probabilities[mine])
    assert exploitability(tree, strategy).gains[0] < 0.01
    assert solver.payoffs.shape[1] == 1


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="3 players; psro is for two players and zero sum"):
        PSRO(load_tree("kuhn(players=3)"))
    tree = load_tree("kuhn")
    with pytest.raises(ConfigError, match="whole strategies of players"):
        PSRO(tree, given=[GivenStrategy(uniform(tree), infosets=np.ones(tree.num_infosets, bool))])
