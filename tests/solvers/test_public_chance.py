"""Public chance sampling, held to full-width CFR and to the exact tools; a short deck, on which they still work."""

import numpy as np
import pytest
from abstract_games import SIDE_POTS, THREE_ROUNDS, abstract_game, definition, unlearned
from exact_play import exact_strategy, nash_conv, slot_entries

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.core.compile import compile_tree
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.samplings import EXTERNAL_SAMPLING, PUBLIC_CHANCE_SAMPLING
from nashgap.solvers.schedules import CFR as PLAIN
from nashgap.solvers.schedules import CFR_PLUS, LCFR
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.table import normalised

SHORT_DECK = definition("""
limit
numPlayers = 2
numRounds = 2
blind = 2 1
raiseSize = 2 4
firstPlayer = 2 1
maxRaises = 1 1
numSuits = 2
numRanks = 4
numHoleCards = 2
numBoardCards = 0 3
""")
"""Hold'em with eight cards and no betting after the flop."""

ODD_CHIPS = definition("""
nolimit
numPlayers = 2
numRounds = 1
stack = 2 5
blind = 1 1
firstPlayer = 1
maxRaises = 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0
conventions = casino
""")


def solver_of(name, **options):
    return PokerMCCFR(abstract_game(PokerGame(name).rules), **{"sampling": PUBLIC_CHANCE_SAMPLING, **options})


def play_by(solver, exact, entries, regret):
    """Let both play by this regret from here on; `[S]`."""
    solver.state()["wide_regret_sum"][entries] = regret
    exact.regret_sum[:] = regret
    exact.strategy[:] = normalised(exact.tree, regret).probabilities


@pytest.mark.parametrize("schedule", [PLAIN, LCFR, CFR_PLUS], ids=["cfr", "lcfr", "cfr+"])
@pytest.mark.parametrize("name", ["kuhn2", ODD_CHIPS], ids=["kuhn2", "odd chips"])
def test_without_a_board_it_is_full_width_cfr(name, schedule):
    """Nothing is left to sample. The same regret in chips, too: thresholds in chips mean what they say.

    From random regret, as ties of exactly 0 would be broken by rounding.
    """
    solver = solver_of(name, schedule=schedule)
    tree, entries = slot_entries(name, solver.game)
    exact = CFR(tree, schedule)
    play_by(solver, exact, entries, np.random.default_rng(1).random(tree.num_slots))
    solver.run(50)
    exact.run(50)
    scale = 51.0 if schedule == LCFR else 1.0  # full-width LCFR shrinks the past, t / (t + 1); here new sums grow
    np.testing.assert_allclose(solver.state()["wide_regret_sum"][entries], scale * exact.regret_sum, atol=1e-9)
    probabilities = exact_strategy(name, solver)[1].probabilities
    np.testing.assert_allclose(probabilities, exact.average_strategy().probabilities, atol=1e-6)


@pytest.mark.parametrize("name", ["leduc2", "kuhn3", SIDE_POTS], ids=["leduc2", "kuhn3", "side pots"])
def test_its_regret_is_right_on_average(name):
    """The first seat's first pass against uniform play; five standard errors."""
    game = abstract_game(PokerGame(name).rules)
    tree, entries = slot_entries(name, game)
    exact = CFR(tree)
    exact.run(1)
    samples = []
    others = GivenAbstractStrategy(unlearned(game), tuple(range(1, game.rules.num_seats)), is_static=True)
    for seed in range(1000):
        solver = PokerMCCFR(game, PUBLIC_CHANCE_SAMPLING, seed=seed, given=[others])
        solver.run(1)
        samples.append(solver.state()["wide_regret_sum"][entries])
    error = np.std(samples, axis=0) / np.sqrt(len(samples))
    own = tree.slot_player == 0
    gap = np.abs(np.mean(samples, axis=0) - exact.regret_sum)[own]
    assert (gap <= 5 * error[own] + 1e-12).all()
    assert np.abs(exact.regret_sum[own]).max() > 20 * error[own].max()
    assert not np.any(np.array(samples)[:, ~own])


@pytest.mark.parametrize("name", ["leduc2", THREE_ROUNDS], ids=["leduc2", "three rounds"])
def test_nash_conv_falls_faster_an_iteration_than_in_external_sampling(name):
    found = {}
    for sampling in (EXTERNAL_SAMPLING, PUBLIC_CHANCE_SAMPLING):
        solver = solver_of(name, sampling=sampling, seed=1)
        solver.run(1000)
        found[sampling.kind] = nash_conv(name, solver)
    assert found["public"] < 0.5 * found["external"]
    solver.run(4000)
    assert nash_conv(name, solver) < 0.6 * found["public"]


def test_leduc_is_solved_to_its_value():
    """-0.0856 to the first player (Southey et al. 2005)."""
    solver = solver_of("leduc2", seed=2, schedule=LCFR)
    solver.run(10_000)
    tree, strategy = exact_strategy("leduc2", solver)
    assert exploitability(tree, strategy).nash_conv < 0.07
    assert expected_values(tree, strategy)[0] == pytest.approx(-0.0856, abs=0.01)
    assert solver.self_play(1000).num_unvisited == 0


@pytest.fixture(scope="module")
def short_deck_value():
    """To the first player, to within 0.0005: full-width CFR+."""
    exact = CFR(compile_tree(PokerGame(SHORT_DECK), "poker"), CFR_PLUS)
    exact.run(500)
    strategy = exact.average_strategy()
    assert exploitability(exact.tree, strategy).nash_conv < 0.0005
    return expected_values(exact.tree, strategy)[0]


@pytest.mark.parametrize(
    ("sampling", "early", "late", "bound"),
    [(PUBLIC_CHANCE_SAMPLING, 500, 10_000, 0.03), (EXTERNAL_SAMPLING, 10_000, 200_000, 0.12)],
)
def test_short_deck_holdem_is_solved_to_its_value(short_deck_value, sampling, early, late, bound):
    """Twenty times the iterations: a quarter of the NashConv, or nearly."""
    solver = solver_of(SHORT_DECK, sampling=sampling, seed=1)
    solver.run(early)
    start = nash_conv(SHORT_DECK, solver)
    solver.run(late - early)
    tree, strategy = exact_strategy(SHORT_DECK, solver)
    end = exploitability(tree, strategy).nash_conv
    assert end < min(bound, 0.35 * start)
    assert expected_values(tree, strategy)[0] == pytest.approx(short_deck_value, abs=0.01)


def test_three_players_come_near_full_width_cfr():
    solver = solver_of("kuhn3", seed=3)
    solver.run(30_000)
    tree, strategy = exact_strategy("kuhn3", solver)
    full = CFR(tree)
    full.run(2000)
    assert exploitability(tree, strategy).nash_conv < 0.03
    assert expected_values(tree, strategy) == pytest.approx(expected_values(tree, full.average_strategy()), abs=0.02)


def test_three_players_average_is_weighted_by_own_reach_alone():
    """A strategy held still by regret beyond all payoffs, and another: the weights are those of full-width CFR."""
    solver = solver_of("kuhn3", seed=6)
    tree, entries = slot_entries("kuhn3", solver.game)
    exact, rng = CFR(tree), np.random.default_rng(7)
    for _ in range(2):
        play_by(solver, exact, entries, 1e15 * rng.uniform(0.2, 1.0, tree.num_slots) ** 2)
        solver.run(2000)
        exact.run(2000)
    found = exact_strategy("kuhn3", solver)[1].probabilities
    np.testing.assert_allclose(found, exact.average_strategy().probabilities, atol=0.03)


@pytest.mark.parametrize("name", ["kuhn3", "leduc2"])
def test_one_thread_repeats_and_a_cut_run_goes_on_identically(name):
    whole, cut, rest = (solver_of(name, seed=4, schedule=LCFR) for _ in range(3))
    whole.run(200)
    cut.run(77)
    rest.restore({key: array.copy() for key, array in cut.state().items()})
    rest.run(200 - 77)
    for key, array in whole.state().items():
        np.testing.assert_array_equal(rest.state()[key], array)


def test_threads_solve_together():
    solver = solver_of("leduc2", seed=5, threads=2)
    solver.run(5000)
    assert nash_conv("leduc2", solver) < 0.15


def test_a_learner_against_frozen_seats_finds_its_best_response():
    game = abstract_game(PokerGame("leduc2").rules)
    uniform = AbstractStrategy(game, tuple(np.ones(size, np.float32) for size in np.diff(game.entry_start)))
    given = [GivenAbstractStrategy(uniform, (0,), is_static=True)]
    solver = PokerMCCFR(game, PUBLIC_CHANCE_SAMPLING, seed=5, given=given)
    solver.run(3000)
    tree, strategy = exact_strategy("leduc2", solver)
    assert exploitability(tree, strategy).gains[1] < 0.02 * expected_values(tree, strategy)[1]


def test_regret_stops_at_the_floor_and_tilt_makes_players_bolder():
    bets = {}
    for tilt in (0.0, 0.5):
        solver = solver_of("leduc2", seed=3, tilt=tilt, regret_floor=-2.0)
        solver.run(1000)
        assert solver.state()["wide_regret_sum"].min() == -2.0
        played = solver.self_play(10_000)
        bets[tilt] = sum(count * text.count("r") for text, count in played.sequences.items())
    assert bets[0.5] > 1.1 * bets[0.0]


@pytest.mark.long
def test_hands_of_a_bucket_learn_together():
    """Heads-up hold'em with ten big blinds, fold or all-in, 169 classes of hands, uniform play held still.

    Two seeds of external sampling differ by 0.032 here, two of public chance sampling by 0.044.
    """
    rules = parse_rules(load_rules("hunl").to_text().replace("20000", "1000"))
    tree = build_betting_tree(rules, parse_betting_abstraction("push-fold"))
    cards = build_abstraction(parse_card_abstraction("percentile(ehs, lossless/1/1/1, recall=none)"), rules)
    regrets = {}
    for sampling, num_iterations in ((EXTERNAL_SAMPLING, 10_000_000), (PUBLIC_CHANCE_SAMPLING, 5000)):
        solver = PokerMCCFR(AbstractGame(tree, cards), sampling, seed=1)
        regret_sum = solver.state()["wide_regret_sum"]
        regret_sum[:] = 1e9
        solver.run(num_iterations)
        regrets[sampling.kind] = (regret_sum - 1e9) / num_iterations
    gap = np.abs(regrets["public"] - regrets["external"])
    assert gap.sum() < 0.07 * np.abs(regrets["external"]).sum()
