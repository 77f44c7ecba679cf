"""Sampling on betting tree x buckets, held to the exact tools: with every card told apart it solves the real game."""

import numpy as np
import pytest
from abstract_games import SIDE_POTS, THREE_ROUNDS, random_tables, unlearned
from abstract_games import abstract_game as lossless_game
from exact_play import exact_strategy, nash_conv

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.errors import ConfigError, MismatchError
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.rules import parse_rules
from nashgap.poker.state import CALL
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.solvers.poker_mccfr import PokerMCCFR, solver_bytes
from nashgap.solvers.samplings import (
    CHANCE_SAMPLING,
    EXTERNAL_SAMPLING,
    OUTCOME_SAMPLING,
    PUBLIC_CHANCE_SAMPLING,
    Sampling,
)
from nashgap.solvers.schedules import CFR_PLUS, DCFR, DROP, LCFR, PCFR_PLUS, Schedule
from nashgap.strategies.abstract import AbstractStrategy


def lossless(name):
    rules = PokerGame(name).rules
    return build_abstraction(parse_card_abstraction("lossless"), rules)


def abstract_game(name):
    return lossless_game(PokerGame(name).rules)


def solver_of(name, **options):
    return PokerMCCFR(abstract_game(name), **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sampling": CHANCE_SAMPLING},
        {"schedule": LCFR},
        {"threads": 2},
        {"sampling": Sampling("external", exploration=0.05)},
        {"regret_floor": -1000.0},
        {"sampling": Sampling("external", prune_below=-300.0)},
        {"sampling": Sampling("external", hands=16)},
        {"sampling": Sampling("external", hands=4), "schedule": LCFR, "threads": 2},
        {"schedule": CFR_PLUS},
        {"schedule": DCFR, "epoch": 1000},
        {"schedule": Schedule(positive=2.0, negative=DROP, gamma=3.0), "epoch": 1000},
    ],
    ids=str,
)
def test_kuhn_is_solved_to_its_value(options):
    """Kuhn (1950): worth -1/18 to the first player."""
    solver = solver_of("kuhn2", seed=1, **options)
    solver.run(100_000)
    tree, strategy = exact_strategy("kuhn2", solver)
    assert exploitability(tree, strategy).nash_conv < 0.02
    assert expected_values(tree, strategy)[0] == pytest.approx(-1 / 18, abs=0.01)
    assert solver.self_play(1000).num_unvisited == 0


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
    solver = solver_of(THREE_ROUNDS, seed=8, schedule=LCFR)
    solver.run(3_000)
    early = nash_conv(THREE_ROUNDS, solver)
    solver.run(197_000)
    assert solver.state()["narrow_regret_sum"].dtype == np.float32
    assert solver.state()["narrow_regret_sum"].size == np.diff(solver.game.entry_start)[2] > 0
    assert nash_conv(THREE_ROUNDS, solver) < min(0.1, 0.25 * early)


@pytest.mark.parametrize("hands", [1, 8])
def test_side_pots_and_odd_chips_are_paid_as_at_the_table(hands):
    """Side pots paid as one pot were exploited by 0.15 antes in the exact game."""
    solver = solver_of(SIDE_POTS, seed=9, sampling=Sampling("external", hands=hands))
    spent, folded = solver.game.tree.ending_spent, solver.game.tree.ending_folded
    assert ((folded == 0) & (np.diff(spent, axis=1).all(axis=1))).any()  # three at the showdown, three stakes
    solver.run(200_000)
    assert nash_conv(SIDE_POTS, solver) < 0.05


@pytest.mark.parametrize("hands", [1, 4])
def test_the_largest_stacks_are_paid_in_full(hands):
    """Three stakes of 10^9 are more than 32 bits hold."""
    text = "\n".join(SIDE_POTS).replace("2 3 5", " ".join(3 * ["1000000000"])).replace("casino", "acpc")
    rules = parse_rules(text)
    tree = build_betting_tree(rules, parse_betting_abstraction("push-fold"))
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules))
    all_in = np.zeros(game.num_entries, np.float32)
    for node in range(tree.num_nodes):
        all_in[game.entries(node)[:, -1]] = 1.0
    given = GivenAbstractStrategy(AbstractStrategy(game, (all_in,)), (0, 1), is_static=True)
    solver = PokerMCCFR(game, Sampling("external", hands=hands), seed=1, given=[given])
    solver.run(1000)
    best = game.entries(tree.find_node([10**9, CALL]).target)[-1]
    np.testing.assert_array_equal(solver.average_table(0)[best], [0.0, 1.0])  # does not fold


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
    solver = solver_of("kuhn3", seed=6, sampling=Sampling("external", exploration=exploration))
    tree, rng = solver.game.tree, np.random.default_rng(7)
    entries = np.array([solver.game.entries(node) for node in range(tree.num_nodes)])  # [node, bucket, action]
    total, weight = 0.0, 0.0
    for _ in range(2):
        regret = rng.uniform(0.2, 1.0, (tree.num_nodes, 4, 2)) ** 2  # two actions at every node
        solver.state()["wide_regret_sum"][entries] = 1e15 * regret
        strategy = (regret / regret.sum(axis=2, keepdims=True)).transpose(0, 2, 1).reshape(-1, 4)
        reach = own_reach(tree, strategy, 4)
        total, weight = total + reach * strategy, weight + reach
        solver.run(100_000)
    average = solver.average_table(0)[entries].transpose(0, 2, 1).reshape(-1, 4)
    np.testing.assert_allclose(average, total / weight, atol=0.04)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sampling",
    [
        Sampling("external", prune_below=-300.0),
        Sampling("external", prune_below=-3000.0),
        Sampling("external", exploration=0.3),
        Sampling("external", exploration=0.1, prune_below=-300.0),
        Sampling("external", hands=16),
        Sampling("external", exploration=0.1, hands=4),
    ],
    ids=str,
)
def test_what_is_skipped_explored_or_shared_keeps_the_mean(sampling):
    """The gap of Leduc keeps falling as without: two means of two seeds, a factor of ten apart.

    Pruning that visits in one iteration of 16 and counts what it learns once is at 0.20 and 0.14 with -300, and
    exploration that counts what it learns in full at 0.46 and 0.51. Without either: 0.10 and 0.032.
    """
    early, late = [], []
    for seed in (1, 2):
        solver = solver_of("leduc2", seed=seed, sampling=sampling)
        solver.run(100_000)
        early.append(nash_conv("leduc2", solver))
        solver.run(900_000)
        late.append(nash_conv("leduc2", solver))
    assert np.mean(late) < 0.065
    assert np.mean(late) < 0.5 * np.mean(early)


@pytest.mark.slow
def test_three_players_skip_explore_and_share_without_bias():
    """The gains of all players in 3-player Leduc, within twice those of plain sampling: 0.144 against 0.041 with
    pruning that counts what it learns once."""
    gaps = {}
    for sampling in (
        Sampling("external"),
        Sampling("external", exploration=0.05, prune_below=-300.0),
        Sampling("external", hands=16),
    ):
        solver = solver_of("leduc3", seed=1, sampling=sampling)
        solver.run(1_000_000)
        gaps[sampling] = nash_conv("leduc3", solver)
    plain, tricky, shared = gaps.values()
    assert tricky < 2 * plain
    assert shared < plain


def test_answers_to_bets_that_nobody_makes_are_learned_apart():
    """The first player never bets, held so by regret beyond all payoffs. With exploration the second learns what to
    answer all the same: never to fold a king, which cannot lose, and never to call with a jack, which cannot win."""
    solver = solver_of("kuhn2", seed=1, sampling=Sampling("external", exploration=0.1))
    game = solver.game
    tree, regret_sum = game.tree, solver.state()["wide_regret_sum"]
    bet = tree.first_edge[tree.root + 1] - 1
    answer = game.entries(tree.child[bet])  # [bucket, fold or call]
    first = game.entries(tree.root)
    for _ in range(20):
        regret_sum[first[:, 0]], regret_sum[first[:, 1]] = 1e15, -1e15
        solver.run(1000)
    strategy = solver.average_table(0)[answer]
    assert strategy[-1, 1] > 0.98 and strategy[0, 0] > 0.98
    # What is learned there moves nothing else: it counts a thousandth.
    assert np.abs(regret_sum[answer]).max() < 1e-3 * 20_000 * 0.05 * 4


def test_what_an_opponent_skips_does_not_weigh_the_average():
    """Two strategies in turn, held still: the average of a first decision is their mean, also where the action that
    leads to it was pruned in most iterations of the second."""
    solver = solver_of("leduc2", seed=6, sampling=Sampling("external", prune_below=-1.0))
    tree, regret_sum = solver.game.tree, solver.state()["wide_regret_sum"]
    bet = tree.first_edge[tree.root + 1] - 1
    answer = solver.game.entries(tree.child[bet])
    for choice, regret_of_bet in ((0, 1e15), (1, -1e15)):
        regret_sum[:] = 1e15
        regret_sum[solver.game.entries(tree.root)[:, -1]] = regret_of_bet
        regret_sum[answer] = -1e15
        regret_sum[answer[:, choice]] = 1e15
        solver.run(20_000)
    np.testing.assert_allclose(solver.average_table(0)[answer[:, :2]], 0.5, atol=0.05)


def test_with_linear_weights_the_floor_falls_as_fast_as_what_is_pruned():
    """A floor that stayed where it was would rise above what is pruned, and nothing would be."""
    sampling = Sampling("external", prune_below=-4.0)
    solver = solver_of("leduc2", sampling=sampling, schedule=LCFR, seed=1, regret_floor=-5.0)
    solver.run(1000)
    least = solver.state()["wide_regret_sum"].min()
    assert -5.0 * 1000 <= least < -4.0 * 1000


@pytest.mark.parametrize("exploration", [0.0, 0.1])
def test_three_player_play_comes_near_that_of_full_width_cfr(exploration):
    """There is nothing to prune: all but the endings are on the last round."""
    solver = solver_of("kuhn3", seed=3, sampling=Sampling("external", exploration=exploration))
    solver.run(300_000)
    tree, strategy = exact_strategy("kuhn3", solver)
    full = CFR(tree)
    full.run(2000)
    assert exploitability(tree, strategy).nash_conv < 0.03
    assert expected_values(tree, strategy) == pytest.approx(expected_values(tree, full.average_strategy()), abs=0.02)


@pytest.mark.parametrize(("name", "hands"), [("kuhn3", 1), ("leduc2", 1), ("kuhn3", 8), ("leduc2", 4)])
def test_one_thread_repeats_and_a_cut_run_goes_on_identically(name, hands):
    sampling = Sampling("external", hands=hands)
    whole, cut, rest = (solver_of(name, seed=4, schedule=LCFR, sampling=sampling) for _ in range(3))
    whole.run(3000)
    cut.run(1234)
    rest.restore({key: array.copy() for key, array in cut.state().items()})
    rest.run(3000 - 1234)
    assert rest.iteration == whole.iteration == 3000
    for key, array in whole.state().items():
        np.testing.assert_array_equal(rest.state()[key], array)
    assert not np.array_equal(cut.state()["wide_regret_sum"], whole.state()["wide_regret_sum"])


def test_the_size_is_known_before_the_memory_is_taken():
    solver = solver_of("leduc2")
    tree, starts = solver.game.tree, solver.game.entry_start
    edges = np.diff(tree.first_edge[tree.round_start])
    assert tuple(np.diff(starts)) == (edges[0] * 6, edges[1] * 30)
    assert solver_bytes(starts) == sum(array.nbytes for key, array in solver.state().items() if key != "iteration")
    assert solver.state()["wide_regret_sum"].size == solver.game.num_entries
    assert solver_bytes((0, 10, 10 + 2**26 + 1)) == 16 * 10 + 8 * (2**26 + 1)  # a large round is not float64


def test_every_entry_belongs_to_one_information_set():
    game = abstract_game("leduc2")
    numbers = np.concatenate([game.entries(node).reshape(-1) for node in range(game.tree.num_nodes)])
    np.testing.assert_array_equal(np.sort(numbers), np.arange(game.num_entries))
    start, other = game.tree.round_start[1], game.tree.round_start[1] + 2  # two nodes of a seat in one round
    assert game.tree.seat[start] == game.tree.seat[other]
    assert game.entries(other)[7, 0] - game.entries(start)[7, 0] < 8  # lie together for a bucket


def test_a_learner_against_frozen_seats_finds_its_best_response():
    """Against uniform play the response of MCCFR wins what the exact best response does."""
    game = abstract_game("leduc2")
    uniform = AbstractStrategy(game, tuple(np.ones(size, np.float32) for size in np.diff(game.entry_start)))
    solver = PokerMCCFR(game, seed=5, given=[GivenAbstractStrategy(uniform, (0,), is_static=True)])
    before = solver.state()["wide_regret_sum"].copy()
    solver.run(100_000)
    frozen = np.isin(solver.game.tree.seat, 0).nonzero()[0]
    for node in frozen:
        entries = solver.game.entries(node)
        np.testing.assert_array_equal(solver.state()["wide_regret_sum"][entries], before[entries])
    tree, strategy = exact_strategy("leduc2", solver)
    best = exploitability(tree, strategy).gains[1]
    assert best < 0.02 * expected_values(tree, strategy)[1]


@pytest.mark.parametrize("name", ["kuhn3", "leduc2"])
@pytest.mark.parametrize("sampling", [EXTERNAL_SAMPLING, CHANCE_SAMPLING, PUBLIC_CHANCE_SAMPLING])
def test_who_learns_alone_answers_by_its_regret(name, sampling):
    """Against players who never change an average only keeps the first attempts."""
    game = abstract_game(name)
    others = GivenAbstractStrategy(unlearned(game), tuple(range(1, game.rules.num_seats)), is_static=True)
    solver = PokerMCCFR(game, sampling, seed=5, given=[others])
    solver.run(300)
    state, learner = solver.state(), np.flatnonzero(solver.game.tree.seat == 0)
    assert not state["wide_strategy_sum"].any()
    average = np.concatenate(solver.average_strategy().tables)
    for node in learner:
        positive = np.maximum(state["wide_regret_sum"][solver.game.entries(node)], 0.0)
        total = positive.sum(axis=1, keepdims=True)
        expected = np.divide(positive, total, out=np.zeros_like(positive), where=total > 0)
        np.testing.assert_allclose(average[solver.game.entries(node)], expected, atol=1e-6)
    assert any(average[solver.game.entries(node)].any() for node in learner)


def test_seeded_seats_begin_with_what_they_are_given_and_learn_on():
    game = abstract_game("kuhn2")
    folding = np.zeros(game.num_entries, np.float32)
    for node in range(game.tree.num_nodes):
        folding[game.entries(node)[:, 0]] = 1.0  # the first action everywhere
    solver, quantised = (
        PokerMCCFR(game, seed=1, given=[GivenAbstractStrategy(AbstractStrategy(game, (table,)), weight=100.0)])
        for table in (folding, (255 * folding).astype(np.uint8))
    )
    np.testing.assert_array_equal(solver.average_table(0), folding)
    np.testing.assert_allclose(quantised.state()["wide_regret_sum"], solver.state()["wide_regret_sum"])
    solver.run(200_000)
    assert nash_conv("kuhn2", solver) < 0.03


def test_tilt_makes_players_bolder():
    bets = {}
    for tilt in (0.0, 0.5):
        solver = solver_of("leduc2", seed=3, tilt=tilt)
        solver.run(50_000)
        played = solver.self_play(20_000)
        bets[tilt] = sum(count * text.count("r") for text, count in played.sequences.items())
    assert bets[0.5] > 1.1 * bets[0.0]


def test_self_play_counts_what_the_average_does():
    solver = solver_of("kuhn3", seed=3)
    fresh = solver.self_play(100)
    assert fresh.num_unvisited == fresh.num_decisions > 0
    solver.run(50_000)
    played, again = solver.self_play(5000), solver.self_play(5000)
    np.testing.assert_array_equal(played.won, again.won)
    assert played.sequences == again.sequences
    assert played.num_unvisited < 0.01 * played.num_decisions
    assert sum(played.sequences.values()) == played.num_hands == 5000
    shares = played.first_folds()
    assert all(text.endswith("f") and text.count("f") == 1 for text in shares)
    by_left = [sum(played.first_folds(left).values()) for left in (1, 2)]
    assert sum(by_left) == pytest.approx(sum(shares.values()))
    assert 1.0 < played.stdev < 3.0


def test_average_regret_falls():
    solver = solver_of("leduc2", seed=2)
    solver.run(1000)
    early = solver.average_regret()
    solver.run(29_000)
    assert all(late < 0.5 * start for late, start in zip(solver.average_regret(), early, strict=True))


def test_cards_may_be_seen_by_another_abstraction_while_more_are_in():
    tree = build_betting_tree(PokerGame("kuhn3").rules, parse_betting_abstraction("full"))
    game = AbstractGame(tree, {3: lossless("kuhn3"), 2: lossless("kuhn3")})
    numbers = np.concatenate([game.entries(node).reshape(-1) for node in range(tree.num_nodes)])
    np.testing.assert_array_equal(np.sort(numbers), np.arange(game.num_entries))
    solver = PokerMCCFR(game, seed=1)
    solver.run(100_000)
    assert nash_conv("kuhn3", solver) < 0.05


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ConfigError, match="sampling = 'outcome'; it must be one of chance, external, public in"):
        solver_of("kuhn2", sampling=OUTCOME_SAMPLING)
    with pytest.raises(ConfigError, match=r"is predictive; it must be one that is not, as cfr, cfr\+, lcfr, dcfr"):
        solver_of("kuhn2", schedule=PCFR_PLUS)
    with pytest.raises(ConfigError, match="regret_floor = 1; it must be 0 or less"):
        solver_of("kuhn2", regret_floor=1)
    with pytest.raises(ConfigError, match="epoch = 0; it must be a whole number of iterations"):
        solver_of("kuhn2", epoch=0)
    with pytest.raises(ConfigError, match="threads = 0"):
        solver_of("kuhn2", threads=0)
    with pytest.raises(ConfigError, match="tilt = -1"):
        solver_of("kuhn2", tilt=-1)
    tree = abstract_game("kuhn2").tree
    with pytest.raises(ConfigError, match="1 card abstractions for 2 seats"):
        AbstractGame(tree, [lossless("kuhn2")])
    with pytest.raises(ConfigError, match=r"for \[3\] players in the hand; needed for each of \[2\]"):
        AbstractGame(tree, {3: lossless("kuhn2")})
    with pytest.raises(MismatchError, match="a card abstraction is of another game"):
        AbstractGame(tree, lossless("leduc2"))
    with pytest.raises(MismatchError, match="'wide_regret_sum' has"):
        solver_of("kuhn2").restore(solver_of("kuhn3").state())


def test_strategies_that_cannot_be_given_are_refused():
    game = abstract_game("kuhn2")
    strategy = unlearned(game)
    with pytest.raises(ConfigError, match="all 2 seats have a static strategy; at least one must learn"):
        PokerMCCFR(game, given=[GivenAbstractStrategy(strategy, is_static=True)])
    with pytest.raises(ConfigError, match="seats = \\[2\\]; they must be some of 0 to 1"):
        GivenAbstractStrategy(strategy, (2,))
    with pytest.raises(ConfigError, match="weight = 0; it must be more than 0"):
        GivenAbstractStrategy(strategy, weight=0)
    with pytest.raises(MismatchError, match="of another abstract game"):
        PokerMCCFR(game, given=[GivenAbstractStrategy(unlearned(abstract_game("kuhn3")))])


def test_a_later_given_strategy_wins_over_an_earlier_one():
    game = abstract_game("kuhn2")
    static = GivenAbstractStrategy(unlearned(game), is_static=True)
    tables = random_tables(game, seed=3)
    solver = PokerMCCFR(game, given=[static, GivenAbstractStrategy(AbstractStrategy(game, tables), (1,))])
    assert solver.static_seats == (0,)
    mine = np.concatenate([game.entries(node).reshape(-1) for node in np.flatnonzero(game.tree.seat == 1)])
    np.testing.assert_allclose(solver.state()["wide_regret_sum"][mine], tables[0][mine])


def test_the_average_strategy_is_that_of_all_rounds():
    solver = solver_of("leduc2", seed=1)
    solver.run(1000)
    strategy = solver.average_strategy()
    assert strategy.game is solver.game
    assert strategy.check().num_unreached < solver.game.num_infosets
    for number, table in enumerate(strategy.tables):
        np.testing.assert_array_equal(table, solver.average_table(number))
