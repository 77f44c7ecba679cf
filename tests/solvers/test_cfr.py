"""Full-width CFR: held to a plain twin, to the papers' rates, and to being cut and resumed anywhere."""

import numpy as np
import pytest
from plain_cfr import PlainCFR
from plain_games import ABSENT_MINDED, FORGETFUL, HistoryGame, RandomGame, random_tree
from random_strategies import by_name, largest_difference, random_strategy

from nashgap import _native
from nashgap.core.compile import compile_tree
from nashgap.errors import UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.games.spec import load_game
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.mccfr import MCCFR
from nashgap.solvers.schedules import SCHEDULES
from nashgap.strategies.table import uniform

# Iterations: enough for every rule to matter, few enough for the twin.
TWIN_GAMES = {
    "kuhn": 40,
    "kuhn(players=3)": 15,
    "kuhn(players=4)": 2,
    "leduc": 2,
    "liars_dice(dice_sides=2)": 30,
    "liars_dice(dice_sides=3)": 6,
    "liars_dice(players=3,dice_sides=2)": 3,
    "bet_size(deck=4,stack=2,step=0.5)": 25,
    "rock_paper_scissors": 30,
    "matching_pennies": 30,
}


def assert_twins(tree, game, schedule, is_alternating, num_iterations):
    # From a random start: where regrets cancel to 0, as from a uniform one, rounding would decide what is played.
    start = GivenStrategy(random_strategy(tree, seed=1), weight=0.3)
    native = CFR(tree, schedule, is_alternating=is_alternating, given=[start])
    twin = PlainCFR(game, schedule, is_alternating, by_name(tree, native.regret_sum))
    native.run(num_iterations)
    twin.run(num_iterations)
    assert largest_difference(by_name(tree, native.regret_sum), twin.regret) < 1e-11
    assert largest_difference(by_name(tree, native.average_strategy().probabilities), twin.average()) < 1e-11
    assert largest_difference(by_name(tree, native.current_strategy().probabilities), twin.strategy) < 1e-9


@pytest.mark.parametrize("is_alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("spec", TWIN_GAMES)
def test_native_cfr_equals_its_plain_twin(spec, name, is_alternating):
    assert_twins(load_tree(spec), load_game(spec), SCHEDULES[name], is_alternating, TWIN_GAMES[spec])


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("num_players", [2, 3])
def test_native_cfr_equals_its_plain_twin_on_random_general_sum_games(num_players, name):
    for seed in range(6):
        game = RandomGame(seed, num_players, depth=5, is_zero_sum=False)
        assert_twins(random_tree(game), game, SCHEDULES[name], seed % 2 == 0, 6)


@pytest.mark.parametrize("name", ["cfr+", "dcfr", "pcfr+", "pdcfr+"])
def test_fast_schedules_reach_a_thousandth_on_leduc_within_600_iterations(name):
    tree = load_tree("leduc")
    solver = CFR(tree, SCHEDULES[name])
    best = np.inf
    for _ in range(60):
        solver.run(10)
        best = min(best, exploitability(tree, solver.average_strategy()).exploitability)
    assert best <= 1e-3


@pytest.mark.parametrize("is_alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("name", SCHEDULES)
def test_every_schedule_finds_the_value_of_kuhn(name, is_alternating):
    """Kuhn (1950): -1/18. The slowest, plain simultaneous CFR, is at 0.01 after 2000 iterations."""
    tree = load_tree("kuhn")
    solver = CFR(tree, SCHEDULES[name], is_alternating=is_alternating)
    solver.run(2000)
    average = solver.average_strategy()
    assert exploitability(tree, average).nash_conv < 0.02
    assert expected_values(tree, average)[0] == pytest.approx(-1 / 18, abs=5e-3)


@pytest.mark.parametrize("name", SCHEDULES)
def test_simultaneous_updates_converge_on_leduc(name):
    tree = load_tree("leduc")
    solver = CFR(tree, SCHEDULES[name], is_alternating=False)
    solver.run(1000)
    assert exploitability(tree, solver.average_strategy()).nash_conv < 0.1


def test_regret_stays_below_the_bound_of_zinkevich():
    """Theorem 4 of Zinkevich et al. (2007): average regret <= delta * infosets * sqrt(actions) / sqrt(T).

    Simultaneous updates, as in the paper; NashConv is the sum of the average regrets.
    """
    tree = load_tree("kuhn")
    for num_iterations in (10, 100, 1000):
        solver = CFR(tree, is_alternating=False)
        solver.run(num_iterations)
        delta, infosets_each, num_actions = 4.0, 6, 2
        bound = 2 * delta * infosets_each * np.sqrt(num_actions / num_iterations)
        assert exploitability(tree, solver.average_strategy()).nash_conv < bound


def test_overall_regret_is_at_most_the_sum_of_immediate_regrets():
    """Theorem 3 of Zinkevich et al. (2007), simultaneous updates: what a player could have won more against what the
    others played is at most the positive regret of its infosets, added up."""
    for spec, num_iterations in (("kuhn", 60), ("leduc", 20), ("liars_dice(dice_sides=3)", 20)):
        tree = load_tree(spec)
        solver = CFR(tree, is_alternating=False)
        played = np.zeros(2)
        for _ in range(num_iterations):
            played += expected_values(tree, solver.current_strategy())
            solver.run(1)
        best = exploitability(tree, solver.average_strategy()).best_values
        for player in range(2):
            rows = np.flatnonzero(tree.infoset_player == player)
            immediate = sum(max(0.0, solver.regret_sum[tree.slots(row)].max()) for row in rows) / num_iterations
            overall = best[player] - played[player] / num_iterations
            assert 0.0 < overall <= immediate + 1e-12


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_cut_run_equals_an_uncut_one(name):
    tree = load_tree("leduc")
    whole, halves = CFR(tree, SCHEDULES[name]), CFR(tree, SCHEDULES[name])
    whole.run(20)
    halves.run(7)
    halves.run(0)
    halves.run(13)
    for key, value in whole.state().items():
        np.testing.assert_array_equal(value, halves.state()[key], err_msg=key)


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_restored_run_goes_on_bit_for_bit(name):
    tree = load_tree("kuhn(players=3)")
    whole, first, second = (CFR(tree, SCHEDULES[name]) for _ in range(3))
    whole.run(30)
    first.run(11)
    second.restore({key: value.copy() for key, value in first.state().items()})
    second.run(19)
    assert second.iteration == 30
    for key, value in whole.state().items():
        np.testing.assert_array_equal(value, second.state()[key], err_msg=key)


def test_a_saved_state_does_not_move_with_the_solver():
    solver = CFR(load_tree("kuhn"))
    solver.run(5)
    saved = solver.state()
    kept = {key: value.copy() for key, value in saved.items()}
    solver.run(5)
    for key, value in kept.items():
        np.testing.assert_array_equal(saved[key], value, err_msg=key)


def test_before_the_first_iteration_everything_is_uniform():
    tree = load_tree("kuhn(players=3)")
    solver = CFR(tree)
    np.testing.assert_array_equal(solver.average_strategy().probabilities, uniform(tree).probabilities)
    np.testing.assert_array_equal(solver.current_strategy().probabilities, uniform(tree).probabilities)


def test_a_returned_strategy_does_not_move_with_the_solver():
    solver = CFR(load_tree("kuhn"))
    solver.run(3)
    current, average = solver.current_strategy(), solver.average_strategy()
    kept = current.probabilities.copy(), average.probabilities.copy()
    solver.run(3)
    np.testing.assert_array_equal(current.probabilities, kept[0])
    np.testing.assert_array_equal(average.probabilities, kept[1])


@pytest.mark.parametrize("game", [FORGETFUL, ABSENT_MINDED], ids=["forgetful", "absent-minded"])
def test_imperfect_recall_is_refused(game):
    with pytest.raises(UnsupportedGameError, match="perfect recall"):
        CFR(compile_tree(game, "memoryless"))


def test_both_ways_to_compile_give_the_same_averages():
    for spec in ("kuhn(players=3)", "liars_dice(dice_sides=3)"):
        game = load_game(spec)
        dealt, plain = load_tree(spec), compile_tree(HistoryGame(game), spec)
        averages = []
        for tree in (dealt, plain):
            solver = CFR(tree, SCHEDULES["cfr+"])
            solver.run(10)
            averages.append(by_name(tree, solver.average_strategy().probabilities))
        assert largest_difference(*averages) < 1e-12


@pytest.mark.parametrize("kernel", ["cfr", "mccfr"])
def test_a_solver_that_was_interrupted_goes_on_as_if_it_had_not_been(kernel, monkeypatch):
    """Ctrl-C is raised when a kernel returns: its work is done, and must have been counted."""
    tree = load_tree("leduc")
    interrupted, whole = (CFR(tree, SCHEDULES["cfr+"]) if kernel == "cfr" else MCCFR(tree) for _ in range(2))
    run = getattr(_native, kernel)

    def run_and_interrupt(*arguments):
        run(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(_native, kernel, run_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        interrupted.run(2500)
    monkeypatch.undo()
    assert 0 < interrupted.iteration < 2500
    interrupted.run(2500 - interrupted.iteration)
    whole.run(2500)
    for key, array in whole.state().items():
        np.testing.assert_array_equal(array, interrupted.state()[key], err_msg=key)
