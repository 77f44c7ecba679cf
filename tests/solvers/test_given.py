"""CFR with strategies given beforehand: frozen players, static infosets, other beginnings."""

import numpy as np
import pytest
from random_strategies import random_strategy

from nashgap.errors import ConfigError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import best_response, expected_values, exploitability
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.mccfr import MCCFR
from nashgap.solvers.samplings import SAMPLINGS
from nashgap.solvers.schedules import SCHEDULES
from nashgap.strategies.table import TableStrategy, uniform

TREE_SAMPLINGS = {name: sampling for name, sampling in SAMPLINGS.items() if sampling.kind != "public"}


def others(tree, player):
    return tuple(p for p in range(tree.num_players) if p != player)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize(("spec", "tolerance"), [("kuhn(players=3)", 0.01), ("leduc", 0.05)])
def test_cfr_against_frozen_players_goes_to_the_best_response_from_below(spec, tolerance, name):
    """Section 3.3.3 of Abou Risk (2009): the learner's average is a best response in the limit and never beats one.

    One learner against fixed play has regret O(1 / T) or better in practice; plain CFR is the slowest.
    """
    tree = load_tree(spec)
    strategy = random_strategy(tree, seed=2)
    exact = exploitability(tree, strategy).best_values
    for learner in range(tree.num_players):
        solver = CFR(tree, SCHEDULES[name], given=[GivenStrategy(strategy, others(tree, learner), is_static=True)])
        for _ in range(10):
            solver.run(40)
            value = expected_values(tree, solver.average_strategy())[learner]
            assert value <= exact[learner] + 1e-12
        assert value >= exact[learner] - tolerance


@pytest.mark.parametrize("make", [CFR, MCCFR])
def test_frozen_players_keep_their_strategy(make):
    tree = load_tree("kuhn(players=3)")
    strategy = random_strategy(tree, seed=4, sparsity=0.3)
    solver = make(tree, given=[GivenStrategy(strategy, (0, 2), is_static=True)])
    solver.run(50)
    average = solver.average_strategy().probabilities
    is_frozen = np.isin(tree.slot_player, (0, 2))
    np.testing.assert_array_equal(average[is_frozen], strategy.probabilities[is_frozen])
    np.testing.assert_array_equal(solver.regret_sum[is_frozen], 0.0)
    assert (average[~is_frozen] != strategy.probabilities[~is_frozen]).any()


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
def test_sampling_against_frozen_players_goes_to_the_best_response(sampling):
    tree = load_tree("kuhn(players=3)")
    strategy = random_strategy(tree, seed=2)
    best = exploitability(tree, strategy).best_values
    solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=1, given=[GivenStrategy(strategy, (0, 1), is_static=True)])
    solver.run(20_000)
    value = expected_values(tree, solver.average_strategy())[2]
    assert best[2] - 0.05 < value <= best[2] + 1e-12


@pytest.mark.parametrize("name", SCHEDULES)
def test_static_infosets_stay_and_the_rest_answers_them(name):
    """Kuhn in which both always check or fold with the lowest card: an equilibrium of the smaller game is found."""
    tree = load_tree("kuhn")
    mask = np.array([infoset.startswith("J") for infoset in tree.infoset_name])
    passive = uniform(tree).probabilities
    for infoset in np.flatnonzero(mask):
        passive[tree.slots(infoset)] = [1.0, 0.0]
    passive = TableStrategy(tree, passive)
    solver = CFR(tree, SCHEDULES[name], given=[GivenStrategy(passive, infosets=mask, is_static=True)])
    solver.run(3000)
    average = solver.average_strategy()
    is_static = mask[tree.slot_infoset]
    np.testing.assert_array_equal(average.probabilities[is_static], passive.probabilities[is_static])
    # Jacks never bluff, so a queen facing a bet faces a king, and folds.
    assert average.chances(1, "Q b")["fold"] > 0.97
    # Nobody gains by changing anything but what is static.
    value = expected_values(tree, average)
    response = best_response(tree, average)
    for player in range(2):
        bounded = np.where(is_static, passive.probabilities, response.probabilities)
        deviation = average.with_players({player: TableStrategy(tree, bounded)})
        assert expected_values(tree, deviation)[player] <= value[player] + 0.02


@pytest.mark.parametrize("name", SCHEDULES)
def test_an_initial_seed_is_where_play_begins_and_not_where_it_ends(name):
    tree = load_tree("kuhn")
    strategy = random_strategy(tree, seed=8)
    solver = CFR(tree, SCHEDULES[name], given=[GivenStrategy(strategy, weight=2.0)])
    np.testing.assert_allclose(solver.current_strategy().probabilities, strategy.probabilities)
    assert exploitability(tree, strategy).nash_conv > 0.5
    solver.run(3000)
    assert exploitability(tree, solver.average_strategy()).nash_conv < 0.02


def test_the_first_iteration_of_an_initial_seed_averages_the_seed():
    tree = load_tree("leduc")
    strategy = random_strategy(tree, seed=8)
    solver = CFR(tree, given=[GivenStrategy(strategy)])
    solver.run(1)
    first = tree.infoset_player == 0  # the second player already answers
    slots = first[tree.slot_infoset]
    np.testing.assert_allclose(solver.average_strategy().probabilities[slots], strategy.probabilities[slots])


def test_later_seeds_win():
    tree = load_tree("kuhn")
    first, second = random_strategy(tree, 1), random_strategy(tree, 2)
    solver = CFR(tree, given=[GivenStrategy(first, is_static=True), GivenStrategy(second, (1,), is_static=True)])
    mixed = first.with_players({1: second})
    np.testing.assert_array_equal(solver.current_strategy().probabilities, mixed.probabilities)
    solver.run(3)
    np.testing.assert_array_equal(solver.average_strategy().probabilities, mixed.probabilities)
    released = CFR(tree, given=[GivenStrategy(first, is_static=True), GivenStrategy(second, (1,), weight=3.0)])
    released.run(5)
    assert (released.current_strategy().probabilities != mixed.probabilities)[tree.slot_player == 1].any()


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_seeded_run_is_restored_bit_for_bit(name):
    tree = load_tree("kuhn(players=3)")
    given = [
        GivenStrategy(random_strategy(tree, 1), (0,), is_static=True),
        GivenStrategy(random_strategy(tree, 2), (1,)),
    ]
    whole, first, second = (CFR(tree, SCHEDULES[name], given=given) for _ in range(3))
    whole.run(20)
    first.run(9)
    second.restore({key: value.copy() for key, value in first.state().items()})
    second.run(11)
    for key, value in whole.state().items():
        np.testing.assert_array_equal(value, second.state()[key], err_msg=key)


def test_bad_seeds_are_refused():
    tree = load_tree("kuhn")
    with pytest.raises(MismatchError, match=r"for kuhn\(players=3\), not for kuhn"):
        CFR(tree, given=[GivenStrategy(uniform(load_tree("kuhn(players=3)")))])
    with pytest.raises(ConfigError, match="must be among 0 to 1"):
        CFR(tree, given=[GivenStrategy(uniform(tree), (2,))])
    with pytest.raises(ConfigError, match="mask of 12"):
        MCCFR(tree, given=[GivenStrategy(uniform(tree), infosets=np.ones(11, bool))])


def test_an_initial_seed_stands_for_its_weight_in_regret():
    tree = load_tree("kuhn")
    strategy = random_strategy(tree, 4)
    for solver in (
        CFR(tree, given=[GivenStrategy(strategy, weight=7.0)]),
        MCCFR(tree, given=[GivenStrategy(strategy, weight=7.0)]),
    ):
        np.testing.assert_allclose(solver.regret_sum, 7.0 * strategy.probabilities)


def test_static_infosets_gather_no_regret():
    tree = load_tree("leduc")
    is_static = np.arange(tree.num_infosets) % 3 == 0
    given = [GivenStrategy(random_strategy(tree, 4), infosets=is_static, is_static=True)]
    for solver in (CFR(tree, given=given), MCCFR(tree, given=given)):
        solver.run(20)
        slots = is_static[tree.slot_infoset]
        assert (solver.regret_sum[slots] == 0.0).all()
        assert (solver.regret_sum[~slots] != 0.0).any()
