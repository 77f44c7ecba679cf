"""What every solver of the catalogue promises on every small game that it applies to."""

import numpy as np
import pytest
from abstract_games import abstract_game
from random_strategies import random_strategy

from nashgap.catalogue import RECIPE_SOLVERS, SOLVERS
from nashgap.errors import NashGapError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.search.psro import PSRO
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.mccfr import MCCFR
from nashgap.solvers.named import Solver, make_solver
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.table import uniform

OTHERS = ("lp", *RECIPE_SOLVERS)  # all at once, or for abstract poker games only
ITERATIVE = [name for name in SOLVERS.entries if name not in OTHERS]
GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "liars_dice(dice_sides=3)",
    "matching_pennies",
    "rock_paper_scissors",
    "bet_size(deck=4,stack=1,step=0.5)",
]
THREE_PLAYERS = {"kuhn(players=3)", "matching_pennies"}
TWO_PLAYERS_ONLY = {"psro"}
APPLIES = [
    pytest.param(spec, name, marks=[pytest.mark.slow] if name == "psro" and spec == "leduc" else [])
    for spec in GAMES
    for name in ITERATIVE
    if spec not in THREE_PLAYERS or name not in TWO_PLAYERS_ONLY
]
# Uniform play is an equilibrium of these: a solver must not leave it by more than sampling noise.
IN_EQUILIBRIUM = {"rock_paper_scissors", "matching_pennies"}


def num_iterations(name, full_width=300):
    """An iteration that samples is short, one that trains responders is long."""
    return 20_000 if "sampling" in name else 30 if name == "psro" else full_width


def solved(spec, name):
    tree = load_tree(spec)
    solver = make_solver(name, tree, seed=1)
    solver.run(num_iterations(name))
    return tree, solver


@pytest.mark.parametrize(("spec", "name"), APPLIES)
def test_every_solver_improves_on_uniform(spec, name):
    """Three players included: nothing is promised there, but Kuhn's and the pennies' gap falls in practice."""
    tree, solver = solved(spec, name)
    gap, before = (exploitability(tree, strategy).nash_conv for strategy in (solver.average_strategy(), uniform(tree)))
    if spec in IN_EQUILIBRIUM:
        assert gap < 0.1
    else:
        assert gap < (0.75 if spec == "leduc" and name == "outcome-sampling" else 0.35) * before


@pytest.mark.parametrize("name", ITERATIVE)
def test_every_solver_leaves_a_bad_start(name):
    """Rock, paper, scissors from a lopsided beginning."""
    tree = load_tree("rock_paper_scissors")
    start = random_strategy(tree, 3)
    solver = make_solver(name, tree, seed=1, given=[GivenStrategy(start)])
    solver.run(num_iterations(name, full_width=1000))
    assert exploitability(tree, solver.average_strategy()).nash_conv < 0.1 * exploitability(tree, start).nash_conv


@pytest.mark.parametrize("name", ITERATIVE)
def test_every_solver_counts_repeats_and_resumes(name):
    tree = load_tree("kuhn" if name in TWO_PLAYERS_ONLY else "kuhn(players=3)")
    whole, first, second = (make_solver(name, tree, seed=4) for _ in range(3))
    whole.run(20)
    first.run(10)
    second.restore({key: value.copy() for key, value in first.state().items()})
    second.run(10)
    assert whole.iteration == second.iteration == 20
    for key, value in whole.state().items():
        np.testing.assert_array_equal(value, second.state()[key], err_msg=key)
        assert isinstance(value, np.ndarray)
    np.testing.assert_array_equal(whole.average_strategy().probabilities, second.average_strategy().probabilities)


def test_the_solver_of_abstract_games_keeps_the_contract():
    """What `CFR` and `MCCFR` can be asked, `PokerMCCFR` can; of a kind, `state` and `restore` go together."""
    game = abstract_game("kuhn3")
    whole, first, second = (PokerMCCFR(game, seed=4) for _ in range(3))
    assert whole.iteration == 0
    whole.run(20)
    first.run(10)
    second.restore({key: value.copy() for key, value in first.state().items()})
    second.run(10)
    assert whole.iteration == second.iteration == 20
    for ours, theirs in zip(whole.average_strategy().tables, second.average_strategy().tables, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(NashGapError):
        whole.run(-1)
    verbs = {name for name in vars(Solver) if not name.startswith("_")}
    for solver in (CFR, MCCFR, PSRO, PokerMCCFR):
        assert verbs - {"iteration"} <= set(vars(solver))


@pytest.mark.parametrize("name", ITERATIVE)
def test_every_solver_refuses_to_go_backwards_and_the_state_of_another_game(name):
    solver = make_solver(name, load_tree("kuhn"))
    solver.run(3)
    with pytest.raises(NashGapError):
        solver.run(-1)
    assert solver.iteration == 3
    with pytest.raises(NashGapError):
        solver.restore(make_solver(name, load_tree("leduc")).state())
    assert solver.iteration == 3


@pytest.mark.parametrize("name", ITERATIVE)
def test_every_solver_starts_uniform_and_stays_finite(name):
    tree = load_tree("leduc")
    solver = make_solver(name, tree)
    np.testing.assert_array_equal(solver.average_strategy().probabilities, uniform(tree).probabilities)
    solver.run(3 if name == "psro" else 30)
    assert all(np.isfinite(value).all() for value in solver.state().values())


@pytest.mark.parametrize("spec", [spec for spec in GAMES if spec not in THREE_PLAYERS])
def test_the_lp_is_exact_and_iterative_solvers_approach_its_value(spec):
    tree = load_tree(spec)
    exact = solve_sequence_lp(tree)
    assert exploitability(tree, exact.strategy).nash_conv < 1e-8
    solver = make_solver("pcfr+", tree)
    solver.run(1000)
    assert exploitability(tree, solver.average_strategy()).values[0] == pytest.approx(exact.value, abs=1e-3)
