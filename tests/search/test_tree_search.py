"""The search in compiled games: its beliefs are exact, its games those of the plain twin, and it never peeks."""

from __future__ import annotations

import numpy as np
import pytest
from plain_ismcts import PlainSearch
from random_strategies import random_strategy
from scipy.stats import chi2

from nashgap import _native
from nashgap.core.tree import GameTree
from nashgap.errors import UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.search.options import PRESETS, SearchOptions
from nashgap.search.responder_game import TreeResponderGame, Values, require_two_zero_sum
from nashgap.search.training import make_learner
from nashgap.strategies.table import TableStrategy, uniform

SMALL = ("kuhn", "leduc", "liars_dice(dice_sides=3)")


@pytest.fixture(scope="module", params=SMALL)
def tree(request: pytest.FixtureRequest) -> GameTree:
    return load_tree(request.param)


def nothing_known(game: TreeResponderGame) -> Values:
    return Values(
        np.zeros(game.num_infosets, np.float32),
        np.zeros(game.num_slots, np.float32),
        np.zeros(game.num_infosets, np.uint8),
    )


def test_beliefs_are_the_exact_posterior(tree: GameTree) -> None:
    """20 random opponents, both seats, all information sets that play comes to: one chi-square over all of them, and
    the worst of them alone, corrected for their number."""
    worst, statistic, freedom, tests = 1.0, 0.0, 0, 0
    for seed in range(20):
        strategy = random_strategy(tree, seed)
        for player in (0, 1):
            search = _native.TreeSearch(tree.native, player, strategy.probabilities)
            plain = PlainSearch(tree, player, strategy.probabilities)
            infosets = [i for i in plain.histories if sum(plain.weight[plain._node(h)] for h in plain.histories[i]) > 0]
            for infoset in infosets[:: max(1, len(infosets) // 12)]:
                exact = np.array([plain.weight[plain._node(history)] for history in plain.histories[infoset]])
                nodes = [plain._node(history) for history in plain.histories[infoset]]
                drawn = search.draw(infoset, seed, 2000)
                counts = np.array([(drawn == node).sum() for node in nodes])
                assert counts.sum() == 2000
                expected = 2000 * exact / exact.sum()
                is_possible = expected > 0
                assert (counts[~is_possible] == 0).all()
                if is_possible.sum() < 2:
                    continue
                value = float(((counts - expected)[is_possible] ** 2 / expected[is_possible]).sum())
                worst = min(worst, float(chi2.sf(value, int(is_possible.sum()) - 1)))
                statistic, freedom, tests = statistic + value, freedom + int(is_possible.sum()) - 1, tests + 1
    assert tests >= 20
    assert worst > 0.001 / tests
    assert 0.0005 < chi2.sf(statistic, freedom) < 0.9995


def test_beliefs_weigh_histories_by_chance_and_the_opponent(tree: GameTree) -> None:
    strategy = random_strategy(tree, 7)
    for player in (0, 1):
        plain = PlainSearch(tree, player, strategy.probabilities)
        search = _native.TreeSearch(tree.native, player, strategy.probabilities)
        for infoset, histories in plain.histories.items():
            nodes, weights = search.belief(infoset)
            assert nodes.tolist() == [plain._node(history) for history in histories]
            np.testing.assert_allclose(weights, [plain.weight[node] for node in nodes], rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("counts_best", [False, True])
@pytest.mark.parametrize("is_known", [False, True])
def test_games_are_those_of_the_plain_twin(tree: GameTree, is_known: bool, counts_best: bool) -> None:
    strategy = random_strategy(tree, 3)
    for player in (0, 1):
        game, plain = TreeResponderGame(strategy, player), PlainSearch(tree, player, strategy.probabilities)
        learned = np.random.default_rng(5).normal(size=tree.num_infosets).astype(np.float32)
        values = Values(learned, np.zeros(tree.num_slots, np.float32), np.full(tree.num_infosets, is_known, np.uint8))
        options = SearchOptions(simulations=40, exploration=1.3, exploring=1, counts_best=counts_best)
        played = game.play(options, values, seed=11, first=5, number=6)
        begin = 0
        for number in range(6):
            paid, decisions = plain.play(
                11,
                5 + number,
                simulations=40,
                exploration=1.3,
                exploring=1,
                values=learned if is_known else None,
                counts_best=counts_best,
            )
            assert paid == played.payoff[number]
            end = int(played.decision_end[number])
            assert [infoset for infoset, _ in decisions] == played.infoset[begin:end].tolist()
            for row, (_, shares) in zip(played.share[begin:end], decisions, strict=True):
                np.testing.assert_allclose(row[: len(shares)], shares, rtol=1e-6)
            begin = end


def test_a_game_is_a_function_of_its_number(tree: GameTree) -> None:
    game = TreeResponderGame(uniform(tree), 0)
    options, values = SearchOptions(simulations=30), nothing_known(game)
    together = game.play(options, values, seed=4, first=0, number=8)
    alone = game.play(options, values, seed=4, first=5, number=1)
    assert alone.payoff[0] == together.payoff[5]
    assert game.play(options, values, seed=5, first=0, number=8).payoff.tolist() != together.payoff.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_frozen_responders_never_win_more_than_a_best_response(tree: GameTree, seed: int) -> None:
    """A bound that could exceed the exact value would be none. Responders are near it, too, but for what chance left
    unseen."""
    strategy = random_strategy(tree, seed)
    best = exploitability(tree, strategy).best_values
    preset = PRESETS["tree"]
    for player in (0, 1):
        game = TreeResponderGame(strategy, player)
        learner = make_learner(game, preset.learning, 0)
        for first in range(0, 4096, 512):
            learner.learn(game.play(preset.search, learner.values(), seed=seed, first=first, number=512))
        value = game.exact_value(learner.values())
        assert value <= best[player] + 1e-9
        assert value >= best[player] - 0.1 * game.scale


def test_a_tree_that_is_kept_counts_every_simulation() -> None:
    game = TreeResponderGame(uniform(load_tree("kuhn")), 1)
    learner = make_learner(game, PRESETS["tree"].learning, 0)
    played = game.play(PRESETS["tree"].search, learner.values(), seed=0, first=0, number=20)
    assert played.counted_visits.sum() >= played.num_simulations  # each visits the decision it began at, and others
    learner.learn(played)
    again = game.play(PRESETS["tree"].search, learner.values(), seed=0, first=20, number=20)
    assert set(again.counted_slot) == set(played.counted_slot)


def test_the_window_forgets_in_proportion() -> None:
    game = TreeResponderGame(uniform(load_tree("kuhn")), 0)
    preset = PRESETS["tree"]
    learner = make_learner(game, type(preset.learning)(window=100), 0)
    learner.learn(game.play(preset.search, learner.values(), seed=0, first=0, number=200))
    state = learner.state()
    visits = np.where(game.slots >= 0, state["visits"][game.slots], 0.0).sum(axis=1)
    assert visits.max() == pytest.approx(100, rel=1e-5)
    means = state["total"][state["visits"] > 0] / state["visits"][state["visits"] > 0]
    assert np.abs(means).max() <= 2.0 + 1e-6  # visits are float32


@pytest.mark.parametrize(
    ("game", "why"),
    [("kuhn(players=3)", "3 players"), ("openspiel:bargaining(max_turns=2)", "do not add up")],
)
def test_other_games_are_refused(game: str, why: str) -> None:
    with pytest.raises(UnsupportedGameError, match=f"{why}.*; abr is for two players and zero sum"):
        require_two_zero_sum(load_tree(game))


@pytest.mark.parametrize("counts_best", [False, True])
@pytest.mark.parametrize("abreast", [1, 5])
def test_games_of_a_kept_tree_are_those_of_the_plain_twin(tree: GameTree, abreast: int, counts_best: bool) -> None:
    """Also side by side: each simulates once before any of them counts."""
    strategy = random_strategy(tree, 4)
    for player in (0, 1):
        game, plain = TreeResponderGame(strategy, player), PlainSearch(tree, player, strategy.probabilities)
        options = SearchOptions(
            simulations=15, exploration=1.3, exploring=0, keeps_tree=True, counts_best=counts_best, abreast=abreast
        )
        played = game.play(options, nothing_known(game), seed=8, first=0, number=17)
        paid, visits, total = plain.play_kept(
            8, 17, abreast=abreast, simulations=15, exploration=1.3, counts_best=counts_best
        )
        np.testing.assert_array_equal(played.payoff, paid)
        counted, won = np.zeros(tree.num_slots), np.zeros(tree.num_slots)
        counted[played.counted_slot], won[played.counted_slot] = played.counted_visits, played.counted_total
        for infoset, numbers in visits.items():
            slots = game.slots[infoset][game.slots[infoset] >= 0]
            np.testing.assert_array_equal(counted[slots], numbers)
            np.testing.assert_allclose(won[slots], total[infoset], rtol=1e-12, atol=1e-12)


def test_games_with_trees_of_their_own_are_the_same_side_by_side(tree: GameTree) -> None:
    game = TreeResponderGame(random_strategy(tree, 4), 1)
    one, many = (
        game.play(SearchOptions(simulations=20, abreast=abreast), nothing_known(game), seed=8, first=3, number=30)
        for abreast in (1, 7)
    )
    for name in ("payoff", "decision_end", "infoset", "value", "share"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_the_engine_refuses_what_does_not_fit() -> None:
    tree = load_tree("kuhn")
    table = uniform(tree)
    with pytest.raises(ValueError, match="players are 0 and 1"):
        _native.TreeSearch(tree.native, 2, table.probabilities)
    with pytest.raises(ValueError, match="strategy has 3 entries"):
        _native.TreeSearch(tree.native, 0, np.zeros(3))
    search = _native.TreeSearch(tree.native, 0, table.probabilities)
    with pytest.raises(ValueError, match="an information set of the player"):
        search.belief(-1)
    arrays = (
        np.zeros(tree.num_infosets, np.float32),
        np.zeros(tree.num_slots, np.float32),
        np.zeros(tree.num_infosets, np.uint8),
    )
    with pytest.raises(ValueError, match="rules are 0 and 1"):
        search.start(10, 7, 1.0, 0, False, False, 1, *arrays, None, None, 0, 0, 1)
    with pytest.raises(ValueError, match="at least one game is played at a time"):
        search.start(10, 0, 1.0, 0, False, False, 0, *arrays, None, None, 0, 0, 1)
    with pytest.raises(ValueError, match="no games were started"):
        search.advance()


def test_text_tells_information_sets_apart(tree: GameTree) -> None:
    """No two rows of features of a player are the same, so that a network can tell them apart."""
    game = TreeResponderGame(uniform(tree), 0)
    mine = game.features[tree.infoset_player == 0]
    assert len(np.unique(mine, axis=0)) == len(mine)
    assert isinstance(game.strategy, TableStrategy)
