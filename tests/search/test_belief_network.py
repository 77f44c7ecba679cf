"""Learned beliefs: what is met is what is played, exact beliefs make best responses, and networks come near them."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from plain_ismcts import PlainSearch
from random_strategies import random_strategy

from nashgap import _native
from nashgap.core.tree import GameTree
from nashgap.errors import MissingExtraError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.search.belief_network import (
    BeliefLearning,
    BeliefNetwork,
    HiddenHands,
    compare_beliefs,
    responder_by,
    sample_met,
)
from nashgap.search.responder_game import TreeResponderGame
from nashgap.solvers.named import make_solver
from nashgap.strategies.table import TableStrategy

SMALL = ("kuhn", "leduc", "liars_dice(dice_sides=3)")


@pytest.fixture(scope="module", params=SMALL)
def tree(request: pytest.FixtureRequest) -> GameTree:
    return load_tree(request.param)


def hidden(tree: GameTree, player: int, seed: int = 3) -> HiddenHands:
    return HiddenHands(TreeResponderGame(random_strategy(tree, seed), player))


def exploitable(name: str) -> TableStrategy:
    """That of a solver which has just begun: it plays its cards, and not well."""
    solver = make_solver("cfr", load_tree(name))
    solver.run(10)
    return solver.average_strategy()


@pytest.mark.parametrize("player", [0, 1])
def test_the_opponent_holds_one_of_the_other_cards(player: int) -> None:
    """Kuhn poker, three cards: with each of the responder's two histories are possible, with different cards."""
    tree = load_tree("kuhn")
    hands = hidden(tree, player)
    names = sorted(set(tree.infoset_hand))
    for infoset in hands.game.own_infosets:
        held = [names[hand] for hand in hands.hand[hands.infoset == infoset]]
        assert sorted([*held, tree.infoset_hand[infoset]]) == ["J", "K", "Q"]


def test_the_exact_belief_is_bayes_rule(tree: GameTree) -> None:
    for player in (0, 1):
        hands = hidden(tree, player)
        plain = PlainSearch(tree, player, hands.game.strategy.probabilities)
        belief = hands.exact()
        for histories in plain.histories.values():
            nodes = [plain._node(history) for history in histories]
            weights = np.array([plain.weight[node] for node in nodes])
            np.testing.assert_allclose(belief[nodes], weights / weights.sum(), rtol=1e-9)


def test_who_decides_by_the_exact_belief_is_a_best_response(tree: GameTree) -> None:
    for seed in range(5):
        strategy = random_strategy(tree, seed)
        best = exploitability(tree, strategy).best_values
        for player in (0, 1):
            hands = hidden(tree, player, seed)
            won = expected_values(tree, responder_by(hands, hands.exact()))[player]
            assert won == pytest.approx(best[player], abs=1e-9)


def test_no_belief_wins_more_than_a_best_response(tree: GameTree) -> None:
    generator = np.random.default_rng(8)
    for player in (0, 1):
        hands = hidden(tree, player)
        best = exploitability(tree, hands.game.strategy).best_values[player]
        belief = hands.normalised(generator.random(len(hands.nodes)))
        assert expected_values(tree, responder_by(hands, belief))[player] < best + 1e-9


def test_what_is_met_is_what_is_played() -> None:
    """Kuhn poker: how often each history is met, by its reach; 5 deviations, of 100,000 games."""
    tree = load_tree("kuhn")
    number = 100_000
    for player in (0, 1):
        game = TreeResponderGame(random_strategy(tree, 6), player)
        met = sample_met(game, game.strategy, number, np.random.default_rng(1))
        plain = PlainSearch(tree, player, game.strategy.probabilities)
        reach = np.empty(tree.num_slots + 2)
        _native.own_reach(tree.native, game.strategy.probabilities, reach)
        hands = HiddenHands(game)
        expected = np.array([plain.weight[node] for node in hands.nodes]) * reach[tree.infoset_parent[hands.infoset]]
        counts = np.bincount(met, minlength=tree.num_nodes)
        assert counts.sum() == counts[hands.nodes].sum()
        deviation = np.sqrt(number * expected * (1.0 - expected))
        assert (np.abs(counts[hands.nodes] - number * expected) < 5 * deviation).all()


def test_counting_comes_to_the_exact_belief() -> None:
    hands = hidden(load_tree("leduc"), 0)
    game, exact = hands.game, hands.exact()
    fresh = sample_met(game, game.strategy, 2000, np.random.default_rng(9))
    apart = [
        hands.distance(hands.counted(sample_met(game, game.strategy, number, np.random.default_rng(2))), exact, fresh)
        for number in (1000, 100_000)
    ]
    # A mean of n draws is off by 1 / sqrt(n): a hundred times the games, about a tenth of the distance.
    assert apart[1] < 0.2 * apart[0]
    assert hands.distance(exact, exact, fresh) == 0.0


def test_games_without_dealt_hands_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="hands are dealt once and the rest is public"):
        hidden(load_tree("rock_paper_scissors"), 1).hand  # noqa: B018


def test_without_torch_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"a learned belief needs torch; .* 'nashgap\[abr\]'"):
        BeliefNetwork(hidden(load_tree("kuhn"), 0), BeliefLearning(), 0)


@pytest.mark.extras
@pytest.mark.parametrize("player", [0, 1])
def test_a_network_comes_near_the_exact_belief(player: int) -> None:
    """Leduc, 10,000 games. Half the distance of what the cards alone say, and most of what they leave unwon."""
    found = compare_beliefs(exploitable("leduc"), player, 10_000)
    assert found.distance["network"] < 0.6 * found.distance["chance"]
    assert found.won["network"] <= found.won["exact"] + 1e-9
    assert found.won["exact"] - found.won["network"] < found.won["exact"] - found.won["chance"]


@pytest.mark.extras
@pytest.mark.parametrize("player", [0, 1])
def test_few_games_tell_a_network_more_than_they_tell_a_count(player: int) -> None:
    """Leduc, 1000 games: what is like another information set need not be met itself."""
    found = compare_beliefs(exploitable("leduc"), player, 1000)
    assert found.distance["network"] < 0.8 * found.distance["counted"]


@pytest.mark.extras
def test_beliefs_are_chances_of_possible_hands() -> None:
    hands = hidden(load_tree("leduc"), 1)
    network = BeliefNetwork(hands, BeliefLearning(), 0)
    belief = network.belief()
    sums = np.bincount(hands.infoset, belief[hands.nodes], hands.game.num_infosets)[hands.game.own_infosets]
    np.testing.assert_allclose(sums, 1.0, atol=1e-9)
    assert np.delete(belief, hands.nodes).max() == 0.0


@pytest.mark.extras
def test_the_same_seed_learns_the_same_and_goes_on_exactly() -> None:
    hands = hidden(load_tree("leduc"), 0)
    met = sample_met(hands.game, hands.game.strategy, 2000, np.random.default_rng(4))
    whole, first, second = (BeliefNetwork(hands, BeliefLearning(passes=1), 5) for _ in range(3))
    whole.learn(met)
    whole.learn(met)
    first.learn(met)
    second.restore(first.state())
    second.learn(met)
    np.testing.assert_array_equal(whole.belief(), second.belief())
    assert not np.array_equal(whole.belief(), first.belief())
