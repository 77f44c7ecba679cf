"""Average strategies and NashConv equal OpenSpiel's, in its games and in ours."""

import numpy as np
import pytest
from random_strategies import by_name, random_strategy

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.games.compiled import load_tree
from nashgap.games.spec import load_game
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.solvers.cfr import CFR
from nashgap.solvers.schedules import SCHEDULES
from nashgap.strategies.table import uniform

pyspiel = pytest.importorskip("pyspiel")

PAIRS = {
    "kuhn": "kuhn_poker",
    "kuhn(players=3)": "kuhn_poker(players=3)",
    "leduc": "leduc_poker",
    "liars_dice(dice_sides=2)": "liars_dice(dice_sides=2)",
}


def infosets_in_lock_step(spec):
    """OpenSpiel's information state for each of our (player, infoset); both deal in the same order of cards."""
    game, oracle = load_game(spec), pyspiel.load_game(PAIRS[spec])
    theirs_of_ours = {}

    def walk(ours, theirs):
        if ours.player == TERMINAL:
            assert theirs.is_terminal()
            return
        if ours.player == CHANCE:
            moves = [(outcome, outcome) for outcome, p in enumerate(ours.chance_probabilities) if p > 0]
        else:
            theirs_of_ours[ours.player, ours.infoset] = theirs.information_state_string()
            moves = enumerate(theirs.legal_actions())
        for our_move, their_move in moves:
            walk(ours.child(our_move), theirs.child(their_move))

    for deal, hands in enumerate(game.deals().hands):
        theirs = oracle.new_initial_state()
        for hand in hands:
            theirs.apply_action(int(hand))
        walk(game.root().child(deal), theirs)
    return theirs_of_ours


@pytest.fixture(scope="module")
def their_averages():
    """OpenSpiel's average after 100 iterations, solved once a game and solver: infoset -> probabilities."""
    known = {}

    def average(spec, name):
        if (spec, name) not in known:
            kind = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[name]
            solver = kind(pyspiel.load_game(PAIRS[spec]))
            for _ in range(100):
                solver.evaluate_and_update_policy()
            table = solver.tabular_average_policy().policy_table()
            known[spec, name] = {infoset: [p for _, p in sorted(row)] for infoset, row in table.items()}
        return known[spec, name]

    return average


@pytest.mark.parametrize("name", ["cfr", "cfr+"])
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)", "leduc"])
@pytest.mark.parametrize("is_ours", [True, False], ids=["our rules", "their rules"])
def test_averages_after_100_iterations_are_openspiels(is_ours, spec, name, their_averages):
    tree = load_tree(spec if is_ours else f"openspiel:{PAIRS[spec]}")
    solver = CFR(tree, SCHEDULES[name])
    solver.run(100)
    ours = by_name(tree, solver.average_strategy().probabilities)
    translation = infosets_in_lock_step(spec) if is_ours else {key: key[1] for key in ours}
    theirs = their_averages(spec, name)
    assert len(ours) == len(theirs)
    assert max(np.abs(np.subtract(row, theirs[translation[key]])).max() for key, row in ours.items()) < 1e-8


@pytest.mark.parametrize("spec", PAIRS)
def test_nash_conv_and_values_of_random_strategies_are_openspiels(spec):
    """20 strategies a game; every second one never takes about a third of the actions."""
    ours = load_tree(spec)
    translation = infosets_in_lock_step(spec)
    oracle = pyspiel.load_game(PAIRS[spec])
    legal = {}

    def collect(state):
        if not state.is_terminal() and not state.is_chance_node():
            legal[state.information_state_string()] = state.legal_actions()
        for action in state.legal_actions():
            collect(state.child(action))

    collect(oracle.new_initial_state())
    for seed in range(20):
        strategy = random_strategy(ours, seed, sparsity=0.35 * (seed % 2))
        table = {
            translation[key]: list(zip(legal[translation[key]], row, strict=True))
            for key, row in by_name(ours, strategy.probabilities).items()
        }
        policy = pyspiel.TabularPolicy(table)
        their_values = pyspiel.expected_returns(oracle.new_initial_state(), policy, -1, True, 0.0)
        assert expected_values(ours, strategy) == pytest.approx(their_values, abs=1e-9)
        assert exploitability(ours, strategy).nash_conv == pytest.approx(pyspiel.nash_conv(oracle, policy), abs=1e-9)


@pytest.mark.parametrize("name", ["matrix_pd", "goofspiel(num_cards=3)", "tiny_hanabi", "first_sealed_auction"])
def test_uniform_nash_conv_of_openspiels_own_games(name):
    """Through `openspiel:`: simultaneous moves, general sum, cooperation, and games nobody wrote for us."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability as oracle

    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    tree = load_tree(f"openspiel:{name}")
    theirs = oracle.nash_conv(game, policy.UniformRandomPolicy(game))
    assert exploitability(tree, uniform(tree)).nash_conv == pytest.approx(theirs, abs=1e-9)
