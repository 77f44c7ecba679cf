"""Monte Carlo CFR: unbiased regrets, an average that no third player bends, and the rate that theory promises."""

import math

import numpy as np
import pytest
from plain_games import ABSENT_MINDED, FORGETFUL, RandomGame, random_tree
from random_strategies import random_strategy

from nashgap import _native
from nashgap.core.compile import compile_tree
from nashgap.core.job import LARGEST_SEED
from nashgap.errors import ConfigError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.mccfr import MCCFR
from nashgap.solvers.samplings import PUBLIC_CHANCE_SAMPLING, SAMPLINGS, Sampling
from nashgap.strategies.table import normalised

TREE_SAMPLINGS = {name: sampling for name, sampling in SAMPLINGS.items() if sampling.kind != "public"}


def nash_conv(tree, sampling, num_iterations, seed):
    solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=seed)
    solver.run(num_iterations)
    return exploitability(tree, solver.average_strategy()).nash_conv


def one_pass_regrets(tree, sampling, learner, strategy, num_passes):
    """`[num_passes, S]` regrets that one iteration adds for a learner who plays `strategy` against it."""
    others = tuple(p for p in range(tree.num_players) if p != learner)
    given = [GivenStrategy(strategy, others, is_static=True), GivenStrategy(strategy, (learner,))]
    solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=1, given=given)
    start = solver.regret_sum.copy()
    rows = np.empty((num_passes, tree.num_slots))
    for row in rows:
        solver.regret_sum[:] = start
        solver.run(1)
        row[:] = solver.regret_sum - start
    exact = CFR(tree, given=given)
    exact.run(1)
    return rows, exact.regret_sum - start


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)"])
def test_sampled_regrets_are_right_on_average(spec, sampling):
    """Within 5 standard errors in every slot: of some 200 comparisons one beyond it has a chance of 1 in 10,000."""
    tree = load_tree(spec)
    strategy = random_strategy(tree, seed=3)
    for learner in range(tree.num_players):
        rows, exact = one_pass_regrets(tree, sampling, learner, strategy, 2500)
        error = rows.std(axis=0, ddof=1) / math.sqrt(len(rows))
        assert (np.abs(rows.mean(axis=0) - exact) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("seed", range(4))
def test_chance_sampling_without_chance_is_full_width(seed):
    """Nothing is left to sample, so one pass adds exactly the counterfactual regret, hidden moves or not."""
    tree = load_tree("rock_paper_scissors")
    strategy = random_strategy(tree, seed)
    for learner in range(2):
        rows, exact = one_pass_regrets(tree, "chance-sampling", learner, strategy, 1)
        np.testing.assert_allclose(rows[0], exact, atol=1e-12)


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
def test_sampled_regrets_are_right_on_average_where_moves_are_hidden(sampling):
    """Random games with hidden moves: an infoset may be met several times in one pass."""
    for seed in (0, 9, 12):
        tree = random_tree(RandomGame(seed, 2, depth=5))
        strategy = random_strategy(tree, seed)
        for learner in range(2):
            rows, exact = one_pass_regrets(tree, sampling, learner, strategy, 1500)
            error = rows.std(axis=0, ddof=1) / math.sqrt(len(rows))
            assert (np.abs(rows.mean(axis=0) - exact) <= 5 * error + 1e-12).all()


def own_reach(tree, strategy):
    """`[I]` probability that the infoset's player plays to it."""
    reach = np.empty(tree.num_slots + tree.num_players)
    _native.own_reach(tree.native, strategy.probabilities, reach)
    return reach[tree.infoset_parent]


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)"])
def test_the_average_weighs_by_own_reach_alone(spec, sampling):
    """Two strategies in turn, held still by enormous regrets; the average must be the full-width one.

    In the first the last player never bets or calls, in the second it always does. An average that depended on the
    others' reach would be that of one half only behind those actions, and never be trained in the other half.
    """
    tree = load_tree(spec)
    last = tree.num_players - 1
    parts, reaches = [], []
    solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=5)
    num_iterations = 30_000
    for seed, favourite in ((1, 0), (2, 1)):
        chosen = random_strategy(tree, seed).probabilities
        for infoset in np.flatnonzero(tree.infoset_player == last):
            chosen[tree.slots(infoset)] = np.eye(2)[favourite]
        parts.append(normalised(tree, chosen))
        reaches.append(own_reach(tree, parts[-1])[tree.slot_infoset])
        solver.regret_sum[:] = 1e12 * chosen
        solver.run(num_iterations)
    weighed = sum(reach * part.probabilities for reach, part in zip(reaches, parts, strict=True))
    expected = normalised(tree, weighed).probabilities
    is_played = sum(reaches) > 0
    assert is_played[tree.slot_player != last].all()
    # The rarest infoset is met by outcome sampling in about 1% of the passes: 600 samples, a deviation of 0.02.
    deviation = np.abs(solver.average_strategy().probabilities - expected)[is_played]
    assert deviation.max() < 0.09
    assert deviation.mean() < 0.012


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
def test_averages_behind_actions_that_a_third_player_never_takes(sampling):
    """3-player Kuhn: where the others never bet, the answers to a bet are still averaged."""
    tree = load_tree("kuhn(players=3)")
    chosen = random_strategy(tree, 4).probabilities
    for infoset in np.flatnonzero(tree.infoset_player != 0):
        chosen[tree.slots(infoset)] = [1.0, 0.0]
    solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=9)
    solver.regret_sum[:] = 1e12 * chosen
    solver.run(3000)
    mine = tree.slot_player == 0
    np.testing.assert_allclose(solver.average_strategy().probabilities[mine], chosen[mine], atol=1e-6)


# NashConv after 100,000 iterations was 0.004 to 0.008 (chance, external) and 0.014 (outcome) on Kuhn; the bounds are
# about three times what was seen. They lie far below what theory promises (see the bound of the paper, further down).
BOUNDS = {
    ("kuhn", "chance-sampling"): 0.025,
    ("kuhn", "external-sampling"): 0.02,
    ("kuhn", "outcome-sampling"): 0.05,
    ("kuhn(players=3)", "chance-sampling"): 0.05,
    ("kuhn(players=3)", "external-sampling"): 0.05,
    ("kuhn(players=3)", "outcome-sampling"): 0.1,
    ("leduc", "chance-sampling"): 0.4,
    ("leduc", "external-sampling"): 0.5,
    ("leduc", "outcome-sampling"): 2.0,
}


@pytest.mark.parametrize(("spec", "sampling"), BOUNDS)
def test_sampling_converges(spec, sampling):
    tree = load_tree(spec)
    gaps = [nash_conv(tree, sampling, 100_000, seed) for seed in range(2)]
    assert max(gaps) < BOUNDS[spec, sampling]


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
def test_the_gap_falls_with_the_root_of_the_iterations(sampling):
    """Lanctot et al. (2009), theorems 4 and 5: O(1 / sqrt(T)).

    On a log-log line of mean NashConv over 8 seeds and a hundredfold of iterations the slope is about -1/2, somewhat
    steeper for outcome sampling, which begins late; the noise of such a fit is about 0.1.
    """
    tree = load_tree("kuhn")
    checkpoints = (300, 3_000, 30_000)
    gaps = [np.mean([nash_conv(tree, sampling, t, seed) for seed in range(8)]) for t in checkpoints]
    slope = np.polyfit(np.log(checkpoints), np.log(gaps), 1)[0]
    assert -0.85 < slope < -0.3


def test_external_sampling_keeps_the_bound_of_the_paper():
    """Lanctot et al. (2009), theorem 5: with probability 1 - p the average regret of a player is at most
    (1 + sqrt(2 / p)) * delta * infosets * sqrt(actions / T). Kuhn: payoffs differ by 4, 6 infosets, 2 actions; p = 5%.
    """
    tree = load_tree("kuhn")
    for num_iterations in (100, 1_000, 10_000):
        bound = 2 * (1 + math.sqrt(2 / 0.05)) * 4 * 6 * math.sqrt(2 / num_iterations)
        assert max(nash_conv(tree, "external-sampling", num_iterations, seed) for seed in range(10)) < bound


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
def test_a_run_repeats_bit_for_bit_and_another_seed_differs(sampling):
    tree = load_tree("leduc")
    runs = []
    for seed in (7, 7, 8):
        solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=seed)
        solver.run(50)
        runs.append(solver.state())
    for key in ("regret_sum", "strategy_sum"):
        np.testing.assert_array_equal(runs[0][key], runs[1][key])
        assert (runs[0][key] != runs[2][key]).any()


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
@pytest.mark.parametrize("spec", ["leduc", "kuhn(players=3)"])
def test_a_restored_run_goes_on_bit_for_bit(spec, sampling):
    tree = load_tree(spec)
    whole, first, second = (MCCFR(tree, TREE_SAMPLINGS[sampling], seed=3) for _ in range(3))
    whole.run(200)
    first.run(77)
    second.restore({key: value.copy() for key, value in first.state().items()})
    second.run(0)
    second.run(123)
    for key, value in whole.state().items():
        np.testing.assert_array_equal(value, second.state()[key], err_msg=key)


@pytest.mark.parametrize("seed", [-1, 2**63, 0.5])
def test_seeds_that_name_no_stream_are_refused(seed):
    with pytest.raises(ConfigError, match="seed"):
        MCCFR(load_tree("kuhn"), seed=seed)


def test_seeds_up_to_the_largest_of_a_config_are_taken():
    tree = load_tree("kuhn")
    runs = []
    for seed in (0, 2**62, LARGEST_SEED):
        solver = MCCFR(tree, seed=seed)
        solver.run(20)
        runs.append(tuple(solver.regret_sum))
    assert len(set(runs)) == 3


@pytest.mark.parametrize("sampling", TREE_SAMPLINGS)
@pytest.mark.parametrize("game", [FORGETFUL, ABSENT_MINDED], ids=["forgetful", "absent-minded"])
def test_games_without_perfect_recall_are_played(game, sampling):
    """Nothing is promised there but that every infoset is met and the numbers stay finite."""
    tree = compile_tree(game, "memoryless")
    assert not tree.has_perfect_recall
    solver = MCCFR(tree, TREE_SAMPLINGS[sampling], seed=1)
    solver.run(500)
    assert np.isfinite(solver.regret_sum).all()
    assert (np.bincount(tree.slot_infoset, solver.strategy_sum) > 0).all()
    assert np.isfinite(expected_values(tree, solver.average_strategy())).all()


def test_samplings_of_other_solvers_are_refused():
    tree = load_tree("kuhn")
    with pytest.raises(ConfigError, match="'public'; it must be one of chance, external, outcome in a compiled game"):
        MCCFR(tree, PUBLIC_CHANCE_SAMPLING)
    for sampling in (Sampling("external", exploration=0.1), Sampling("external", prune_below=-1.0)):
        with pytest.raises(ConfigError, match="external sampling of a compiled game neither explores nor prunes"):
            MCCFR(tree, sampling)
