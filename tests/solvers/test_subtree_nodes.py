"""Training across nodes: the same numbers on any number of them, and the gap of training without."""

import multiprocessing
import os
import re
import signal
import sys
import tracemalloc
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from abstract_games import THREE_ROUNDS, abstract_game, sized_rules
from exact_play import nash_conv

from nashgap.errors import ConfigError, MismatchError, NashGapError
from nashgap.poker.game import PokerGame
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.samplings import CHANCE_SAMPLING, EXTERNAL_SAMPLING, PUBLIC_CHANCE_SAMPLING, Sampling
from nashgap.solvers.schedules import CFR, DCFR, LCFR
from nashgap.solvers.subtree_nodes import share_out, subtree_entries, subtree_of_nodes
from nashgap.strategies.abstract import AbstractStrategy


def game_of(name):
    return abstract_game(PokerGame(name).rules)


def no_limit():
    """Three seats; all-ins of the first round end it, and subtrees differ in depth."""
    return abstract_game(sized_rules(3, stacks=[300, 400, 500]), "fcpa")


def large():
    """11 million entries, 88 MB of sums."""
    return abstract_game(sized_rules(), "min,0.5,1,2,a caps=4")


def state_of(solver):
    return {key: array.copy() for key, array in solver.state().items()}


def assert_same(state, other):
    assert state.keys() == other.keys()
    for key, array in state.items():
        np.testing.assert_array_equal(other[key], array, err_msg=key)


@pytest.mark.parametrize(
    ("game", "sampling", "schedule"),
    [
        (lambda: game_of("leduc2"), EXTERNAL_SAMPLING, CFR),
        (lambda: game_of("leduc2"), Sampling("external", hands=16), LCFR),
        (lambda: game_of(THREE_ROUNDS), Sampling("external", hands=4), DCFR),
        (no_limit, Sampling("external", hands=8), LCFR),
    ],
    ids=["leduc2", "sixteen hands", "float32 rounds, scaled", "three seats without limit"],
)
def test_the_numbers_are_the_same_on_any_number_of_nodes(game, sampling, schedule):
    found, visits = [], []
    for nodes in (1, 2, 3):
        solver = PokerMCCFR(game(), sampling, schedule, seed=3, nodes=nodes, exchange=50, epoch=500)
        solver.run(1010)
        found.append(state_of(solver))
        visits.append(solver.num_visits)
        assert len(multiprocessing.active_children()) >= nodes - 1
    assert found[0]["first_round_values"].any()  # of the iterations since the last exchange
    assert_same(found[0], found[1])
    assert_same(found[0], found[2])
    assert visits[0] == visits[1] == visits[2]


def test_it_can_be_cut_anywhere_and_go_on_with_another_number_of_nodes():
    game = game_of("leduc2")
    whole, first, second = (PokerMCCFR(game, schedule=LCFR, seed=4, nodes=nodes, exchange=100) for nodes in (1, 2, 3))
    whole.run(1000)
    first.run(333)
    first.self_play(10)  # has all sums brought here
    first.run(1)
    second.restore(state_of(first))
    second.run(1000 - 334)
    assert_same(state_of(whole), state_of(second))


@pytest.mark.parametrize("game", [lambda: game_of("leduc2"), no_limit], ids=["two seats", "three seats"])
@pytest.mark.parametrize("hands", [1, 4])
def test_iterations_find_what_those_without_exchanges_find(game, hands):
    """Where each strategy is all but pure, draws do not matter, and all sums are those of plain external sampling.

    The pure strategies have a regret of 1e8 chips, so that what is added moves nothing by more than a thousandth.
    """
    game, rng = game(), np.random.default_rng(7)
    pure = np.zeros(game.num_entries, np.float32)
    for node in range(game.tree.num_nodes):
        rows = game.entries(node)
        pure[rows[np.arange(len(rows)), rng.integers(0, rows.shape[1], len(rows))]] = 1.0
    tables = tuple(pure[begin:end] for begin, end in zip(game.entry_start, game.entry_start[1:], strict=False))
    given = [GivenAbstractStrategy(AbstractStrategy(game, tables), weight=1e8)]
    sampling, learned = Sampling("external", hands=hands), []
    for options in ({}, {"nodes": 2, "exchange": 1}):
        solver = PokerMCCFR(game, sampling, seed=1, given=given, **options)
        before = state_of(solver)
        solver.run(30)
        learned.append({key: array - before[key] for key, array in state_of(solver).items()})
    plain, divided = learned
    first = game.entry_start[1]
    assert np.count_nonzero(plain["wide_regret_sum"][:first]) > 20
    assert np.count_nonzero(plain["wide_regret_sum"][first:]) > 30
    for key in ("wide_regret_sum", "wide_strategy_sum"):
        np.testing.assert_allclose(divided[key], plain[key], rtol=1e-4, atol=1e-3 * abs(plain[key]).max())


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"sampling": Sampling("external", hands=16), "schedule": LCFR}], ids=str)
def test_the_gap_of_leduc_falls_as_without_exchanges(options):
    """Ten times the iterations: a gap that stops falling would show a bias. Means of three seeds, exactly measured."""
    gaps = {}
    for name, divided in {"plain": {}, "divided": {"nodes": 1, "exchange": 100}}.items():
        rows = []
        for seed in range(3):
            solver = PokerMCCFR(game_of("leduc2"), seed=seed, **options, **divided)
            solver.run(30_000)
            early = nash_conv("leduc2", solver)
            solver.run(270_000)
            rows.append((early, nash_conv("leduc2", solver)))
        gaps[name] = np.mean(rows, axis=0)
    early, late = gaps["divided"]
    assert late < 0.4 * early  # the square root of ten is 3.2
    assert late < 1.3 * gaps["plain"][1]


@pytest.mark.slow
def test_three_players_come_as_near_as_without_exchanges():
    """What all seats together could gain in 3-player Leduc, which CFR does not promise to bring to 0."""
    gaps = []
    for options in ({}, {"nodes": 1, "exchange": 100}):
        solver = PokerMCCFR(game_of("leduc3"), Sampling("external", hands=16), LCFR, seed=2, **options)
        solver.run(40_000)
        gaps.append(nash_conv("leduc3", solver))
    assert gaps[1] < 1.3 * gaps[0]


def test_subtrees_share_out_all_decisions_and_entries():
    game = no_limit()
    subtree = subtree_of_nodes(game.tree)
    first_round = game.tree.round_start[1]
    assert (subtree[:first_round] == -1).all() and (subtree[first_round:] >= 0).all()
    for node in range(first_round, game.tree.num_nodes):
        children = game.tree.child[game.tree.first_edge[node] : game.tree.first_edge[node + 1]]
        assert (subtree[children[children >= 0]] == subtree[node]).all()
    places = subtree_entries(game, subtree)
    for number, of_subtree in enumerate(places):
        expected = np.sort(np.concatenate([game.entries(n).reshape(-1) for n in np.flatnonzero(subtree == number)]))
        np.testing.assert_array_equal(np.concatenate([np.arange(*place) for place in of_subtree]), expected)


def test_the_largest_subtrees_are_shared_out_first():
    assert share_out([1, 5, 3, 3], 2).tolist() == [0, 0, 1, 1]
    assert share_out([1, 2], 1).tolist() == [0, 0]


def test_a_node_that_dies_ends_the_training_and_says_so():
    solver = PokerMCCFR(game_of("leduc2"), nodes=3, exchange=10)
    solver.run(20)
    pids = solver._nodes.pids
    os.kill(pids[0], signal.SIGKILL)
    with pytest.raises(NashGapError, match=r"node 2 of 3 ended with status -9, .* run it again"):
        solver.run(20)
    with pytest.raises(NashGapError, match="have ended"):
        solver.average_table(1)  # without what the dead node knew it would be another strategy
    with pytest.raises(NashGapError, match="have ended"):
        solver.run(1)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@contextmanager
def interrupted_after(seconds):
    """As by Ctrl-C, wherever this process is by then."""
    usual = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, usual)


def assert_ended(solver, pids):
    """Nothing can be had from it: some nodes have done what others have not."""
    for use in (lambda: solver.run(400), solver.state, solver.average_strategy):
        with pytest.raises(NashGapError, match="have ended: begin it anew, or from a saved state"):
            use()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("nodes", [1, 3])
def test_an_interrupt_on_the_way_ends_the_training(nodes):
    solver = PokerMCCFR(game_of("leduc2"), nodes=nodes, exchange=10)
    solver.run(20)
    pids = solver._nodes.pids
    with interrupted_after(0.2):
        solver.run(1_000_000_000)
    assert_ended(solver, pids)


def test_an_interrupt_while_sums_are_brought_ends_the_training():
    solver = PokerMCCFR(large(), nodes=2)
    solver.run(20)
    pids = solver._nodes.pids
    with interrupted_after(0.01):
        solver.state()
    assert_ended(solver, pids)


def test_an_error_of_a_node_ends_the_training(monkeypatch):
    solver = PokerMCCFR(game_of("leduc2"), nodes=3, exchange=10)
    solver.run(20)
    pids = solver._nodes.pids
    with monkeypatch.context() as patch:  # what the others are sent, and cannot take
        patch.setattr(type(solver._nodes._part), "first_round_regret", np.zeros(3))
        with pytest.raises(ValueError, match="broadcast"):
            solver.run(10)
    assert_ended(solver, pids)


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory of another process is read as Linux tells it")
def test_bringing_and_giving_sums_takes_little_memory_beside_them():
    """Forecasts count the sums of each process, and nothing else."""

    def peak():
        return 1024 * int(re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())[1])

    solver = PokerMCCFR(large(), nodes=2)
    solver.run(20)
    (pid,) = solver._nodes.pids
    most, before = 10_000_000, peak()
    tracemalloc.start()
    try:
        state = solver.state()
        assert tracemalloc.get_traced_memory()[1] < most
        assert peak() - before < most
        solver.restore(state)
        tracemalloc.reset_peak()
        solver.run(20)
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def test_nodes_end_with_their_solver():
    solver = PokerMCCFR(game_of("leduc2"), nodes=2)
    solver.run(100)
    (pid,) = solver._nodes.pids
    del solver
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("leduc2", {"nodes": 0}, "nodes = 0; it must be a whole number from 1 to 1024"),
        ("leduc2", {"nodes": 6}, "ends in 5 ways that go on, so that it must be 1 to 5"),
        ("kuhn2", {"nodes": 1}, "kuhn2 has no first round that others follow"),
        ("leduc2", {"nodes": 2, "threads": 2}, "a node has one thread"),
        ("leduc2", {"nodes": 2, "sampling": CHANCE_SAMPLING}, "only external sampling"),
        ("leduc2", {"nodes": 2, "sampling": PUBLIC_CHANCE_SAMPLING}, "only external sampling"),
        ("leduc2", {"nodes": 2, "sampling": Sampling("external", exploration=0.1)}, "without exploration"),
        ("leduc2", {"nodes": 2, "sampling": Sampling("external", prune_below=-1.0)}, "and pruning"),
        ("leduc2", {"nodes": 2, "exchange": 0}, "exchange = 0; it must be a whole number of iterations from 1"),
        ("leduc2", {"nodes": 2, "exchange": 0, "schedule": DCFR}, "exchange = 0; it must be a whole number"),
        ("leduc2", {"nodes": 2, "exchange": 30, "schedule": DCFR, "epoch": 100}, "multiple of the 30 iterations"),
    ],
)
def test_what_is_not_done_across_nodes_is_refused(name, options, text):
    with pytest.raises(ConfigError, match=text):
        PokerMCCFR(game_of(name), **options)


def test_a_state_without_what_waits_for_the_exchange_is_refused():
    plain = PokerMCCFR(game_of("leduc2"))
    divided = PokerMCCFR(game_of("leduc2"), nodes=1)
    with pytest.raises(MismatchError, match="first_round_values"):
        divided.restore(plain.state())


def test_the_engine_refuses_parts_that_make_no_sense():
    solver = PokerMCCFR(game_of("leduc2"))
    tree, engine = solver.game.tree, solver._native
    is_own = np.ones(tree.num_nodes - tree.round_start[1], np.uint8)
    values = np.zeros(solver.game.entry_start[1], np.int64)
    for first, count, exchange in [(0, 1, 10), (1, 11, 10), (10, 2, 10), (1, -1, 10), (1, 1, 0), (2**63 - 1, 1, 10)]:
        with pytest.raises(ValueError, match=r"between two exchanges|exchange must be"):
            engine.run_part(first, count, exchange, is_own, True, values)
    with pytest.raises(ValueError, match="is_own"):
        engine.run_part(1, 1, 10, is_own[1:].copy(), True, values)
    with pytest.raises(ValueError, match="action_values"):
        engine.run_part(1, 1, 10, is_own, True, values[1:].copy())
    with pytest.raises(ValueError, match="action_values"):
        engine.learn_first_round(10, 10, values[1:].copy())
    chance, flat = PokerMCCFR(game_of("leduc2"), CHANCE_SAMPLING), PokerMCCFR(game_of("kuhn2"))
    with pytest.raises(ValueError, match="only external sampling"):
        chance._native.run_part(1, 1, 10, is_own, True, values)
    with pytest.raises(ValueError, match="behind its first round"):
        flat._native.run_part(1, 1, 10, is_own[:0], True, np.zeros(flat.game.num_entries, np.int64))
