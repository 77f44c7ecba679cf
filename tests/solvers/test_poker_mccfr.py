"""Sampling on betting tree x buckets, held to the exact tools: with every card told apart it solves the real game."""

import numpy as np
import pytest

from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.core.compile import compile_tree
from nashgap.core.game import infoset_key
from nashgap.errors import ConfigError, MismatchError
from nashgap.measure.best_response import expected_values, exploitability
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.solvers.cfr import CFR
from nashgap.solvers.poker_mccfr import PokerMCCFR, count_entries
from nashgap.strategies.table import tabulated

THREE_ROUNDS = tuple(
    """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 1 1
raiseSize = 1 2 2
firstPlayer = 1 1 1
maxRaises = 1 1 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF""".splitlines()
)


SIDE_POTS = tuple(
    """GAMEDEF
nolimit
numPlayers = 3
numRounds = 1
stack = 2 3 5
blind = 1 1 1
firstPlayer = 1
maxRaises = 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0
conventions = casino
END GAMEDEF""".splitlines()
)


def solver_of(name, **options):
    rules = PokerGame(name).rules
    tree = build_betting_tree(rules, parse_betting_abstraction("full"))
    cards = build_abstraction(parse_card_abstraction("lossless"), rules)
    return PokerMCCFR(tree, [cards] * rules.num_seats, **options)


def exact_strategy(name, solver):
    """The solver's average on the compiled game: (tree, strategy)."""
    game, betting = PokerGame(name), solver.tree
    averages = [solver.average_strategy(round) for round in range(game.rules.num_rounds)]
    cards, found = solver.abstractions[0], {}

    def walk(public):
        if public.player >= 0:
            state = public.state
            node = betting.find_node([action for actions in state.history for action in actions]).target
            begin, end = betting.first_edge[[node, node + 1]]
            start = betting.first_edge[betting.round_start[state.round]]
            num_buckets = cards.num_buckets[state.round]
            buckets = dict(zip(game.rules.deck, cards.all_buckets(state.board, state.round), strict=True))
            rows = averages[state.round][(begin - start) * num_buckets : (end - start) * num_buckets]
            for hand, hand_name in zip(game.hands, game.hand_names[0], strict=True):
                row = rows.reshape(num_buckets, -1)[buckets[hand[0]]].astype(float)
                found[infoset_key(hand_name, public.label)] = row / row.sum()
        for move in range(len(public.actions)):
            walk(public.child(move))

    walk(game.public_root())
    tree = compile_tree(game, "poker")
    return tree, tabulated(tree, lambda player, infoset, actions: found[infoset])


def nash_conv(name, solver):
    return exploitability(*exact_strategy(name, solver)).nash_conv


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sampling": "chance"},
        {"schedule": "lcfr"},
        {"threads": 2},
        {"exploration": 0.05},
        {"regret_floor": -1000.0},
    ],
    ids=str,
)
def test_kuhn_is_solved_to_its_value(options):
    """Kuhn (1950): worth -1/18 to the first player. Trembling opponents (exploration) move the solution by about e."""
    solver = solver_of("kuhn2", seed=1, **options)
    solver.run(100_000)
    tree, strategy = exact_strategy("kuhn2", solver)
    assert exploitability(tree, strategy).nash_conv < (0.08 if "exploration" in options else 0.02)
    assert expected_values(tree, strategy)[0] == pytest.approx(-1 / 18, abs=0.01)
    assert solver.visited_share() == 1.0


def test_leduc_nash_conv_falls_as_the_square_root():
    """Worth -0.0856 to the first player (Southey et al. 2005). A hundred times the iterations: a tenth, or nearly."""
    solver = solver_of("leduc2", seed=2)
    solver.run(3_000)
    early = nash_conv("leduc2", solver)
    solver.run(297_000)
    tree, strategy = exact_strategy("leduc2", solver)
    late = exploitability(tree, strategy).nash_conv
    assert late < 0.25 * early
    assert late < 0.1
    assert expected_values(tree, strategy)[0] == pytest.approx(-0.0856, abs=0.02)


def test_the_rounds_of_single_precision_are_solved_too():
    solver = solver_of(THREE_ROUNDS, seed=8, schedule="lcfr")
    solver.run(3_000)
    early = nash_conv(THREE_ROUNDS, solver)
    solver.run(197_000)
    assert solver.state()["narrow_regret_sum"].dtype == np.float32
    assert solver.state()["narrow_regret_sum"].size == solver.counts.num_entries[2] > 0
    assert nash_conv(THREE_ROUNDS, solver) < min(0.1, 0.25 * early)


def test_side_pots_and_odd_chips_are_paid_as_at_the_table():
    """Side pots paid as one pot were exploited by 0.15 antes in the exact game."""
    solver = solver_of(SIDE_POTS, seed=9)
    spent, folded = solver.tree.ending_spent, solver.tree.ending_folded
    assert ((folded == 0) & (np.diff(spent, axis=1).all(axis=1))).any()  # three at the showdown, three stakes
    solver.run(200_000)
    assert nash_conv(SIDE_POTS, solver) < 0.05


def own_reach(tree, strategy, num_buckets):
    """`[edges, buckets]` in a game of one round: the acting seat's probability of its own actions up to the node."""
    reach = np.zeros((tree.num_edges, num_buckets))

    def walk(node, by_seat):
        if node < 0:
            return
        seat = tree.seat[node]
        for edge in range(*tree.first_edge[[node, node + 1]]):
            reach[edge] = by_seat[seat]
            after = by_seat.copy()
            after[seat] = by_seat[seat] * strategy[edge]
            walk(tree.child[edge], after)

    walk(tree.root, np.ones((tree.rules.num_seats, num_buckets)))
    return reach


@pytest.mark.parametrize("exploration", [0.0, 0.3])
def test_three_player_average_is_weighted_by_own_reach_alone(exploration):
    """Two strategies in turn, held still by regret beyond all payoffs: the average of full-width CFR is known.

    Where the third player goes differs between the two, so its reach would show. The tolerance is for the noise
    of the infosets that are met least.
    """
    solver = solver_of("kuhn3", seed=6, exploration=exploration)
    tree, rng = solver.tree, np.random.default_rng(7)
    total, weight = 0.0, 0.0
    for _ in range(2):
        regret = rng.uniform(0.2, 1.0, (tree.num_nodes, 4, 2)) ** 2  # two actions at every node
        solver.state()["wide_regret_sum"][:] = 1e15 * regret.reshape(-1)
        strategy = (regret / regret.sum(axis=2, keepdims=True)).transpose(0, 2, 1).reshape(-1, 4)
        reach = own_reach(tree, strategy, 4)
        total, weight = total + reach * strategy, weight + reach
        solver.run(100_000)
    average = solver.average_strategy(0).reshape(-1, 4, 2).transpose(0, 2, 1).reshape(-1, 4)
    np.testing.assert_allclose(average, total / weight, atol=0.04)


def test_three_player_play_comes_near_that_of_full_width_cfr():
    solver = solver_of("kuhn3", seed=3)
    solver.run(300_000)
    tree, strategy = exact_strategy("kuhn3", solver)
    full = CFR(tree)
    full.run(2000)
    assert exploitability(tree, strategy).nash_conv < 0.03
    assert expected_values(tree, strategy) == pytest.approx(expected_values(tree, full.average_strategy()), abs=0.02)


@pytest.mark.parametrize("name", ["kuhn3", "leduc2"])
def test_one_thread_repeats_and_a_cut_run_goes_on_identically(name):
    whole, cut, rest = (solver_of(name, seed=4, schedule="lcfr") for _ in range(3))
    whole.run(3000)
    cut.run(1234)
    rest.load_state({key: array.copy() for key, array in cut.state().items()})
    rest.run(3000 - 1234)
    assert rest.iteration == whole.iteration == 3000
    for key, array in whole.state().items():
        np.testing.assert_array_equal(rest.state()[key], array)
    assert not np.array_equal(cut.state()["wide_regret_sum"], whole.state()["wide_regret_sum"])


def test_the_size_is_known_before_the_memory_is_taken():
    solver = solver_of("leduc2")
    counts = count_entries(solver.tree, solver.abstractions)
    tree = solver.tree
    edges = np.diff(tree.first_edge[tree.round_start])
    assert counts.num_entries == (edges[0] * 6, edges[1] * 30)
    assert counts.num_bytes == sum(array.nbytes for key, array in solver.state().items() if key != "iteration")
    assert solver.state()["wide_regret_sum"].size == sum(counts.num_entries)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ConfigError, match="sampling = 'outcome'; it must be one of chance, external"):
        solver_of("kuhn2", sampling="outcome")
    with pytest.raises(ConfigError, match=r"exploration = 0\.1; it must be from 0"):
        solver_of("kuhn2", sampling="chance", exploration=0.1)
    with pytest.raises(ConfigError, match="threads = 0"):
        solver_of("kuhn2", threads=0)
    with pytest.raises(ConfigError, match="1 card abstractions for 2 seats"):
        PokerMCCFR(solver_of("kuhn2").tree, solver_of("kuhn2").abstractions[:1])
    with pytest.raises(MismatchError, match="a card abstraction is of another game"):
        PokerMCCFR(solver_of("kuhn2").tree, solver_of("leduc2").abstractions)
    with pytest.raises(MismatchError, match="'wide_regret_sum' has"):
        solver_of("kuhn2").load_state(solver_of("kuhn3").state())
