"""Searches that draw from a belief of somebody's: what is drawn is what is believed, and what is won is won in real
games."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest
from random_strategies import random_strategy

import nashgap as ng
from nashgap import _native
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, MissingExtraError, OptionError, UnsupportedGameError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.search.actors import HereActor
from nashgap.search.belief_network import HiddenHands, learned_belief
from nashgap.search.options import PRESETS
from nashgap.search.responder_game import TreeResponderGame
from nashgap.search.training import ResponderTraining
from nashgap.strategies.table import TableStrategy

SMALL = ("kuhn", "leduc", "liars_dice(dice_sides=3)")


class Source:
    def __init__(self, games: tuple[TreeResponderGame, TreeResponderGame]) -> None:
        self.games = games


def trained(source: Source, iterations: int = 60) -> list[float]:
    """What frozen responders win, exactly."""
    training = ResponderTraining(source, PRESETS["tree"], HereActor(source), 1)
    training.run(iterations)
    return [game.exact_value(training.values(player)) for player, game in enumerate(source.games)]


def source_with(strategy: TableStrategy, beliefs: tuple[Any, Any]) -> Source:
    return Source((TreeResponderGame(strategy, 0, beliefs[0]), TreeResponderGame(strategy, 1, beliefs[1])))


def any_belief(strategy: TableStrategy, player: int, seed: int) -> np.ndarray:
    """Chances that have nothing to do with what is held."""
    hands = HiddenHands(TreeResponderGame(strategy, player))
    return hands.normalised(np.random.default_rng(seed).random(len(hands.nodes)))


@pytest.fixture(scope="module", params=SMALL)
def tree(request: pytest.FixtureRequest) -> GameTree:
    return load_tree(request.param)


def test_histories_are_drawn_as_they_are_believed(tree: GameTree) -> None:
    """At ten information sets, 4,000 draws each: every history within five standard deviations."""
    strategy = random_strategy(tree, 2)
    for player in (0, 1):
        belief = any_belief(strategy, player, 4)
        game = pickle.loads(pickle.dumps(TreeResponderGame(strategy, player, belief)))
        for infoset in np.random.default_rng(1).choice(game.own_infosets, 10):
            nodes, _ = game.native.belief(int(infoset))
            drawn = np.bincount(game.native.draw(int(infoset), 7, 4000), minlength=tree.num_nodes)[nodes]
            assert drawn.sum() == 4000
            deviation = np.sqrt(4000 * belief[nodes] * (1 - belief[nodes]))
            assert (np.abs(drawn - 4000 * belief[nodes]) <= 5 * deviation).all()


def test_the_exact_belief_that_is_handed_over_is_the_search_s_own(tree: GameTree) -> None:
    strategy = random_strategy(tree, 3)
    exact = tuple(HiddenHands(TreeResponderGame(strategy, player)).exact() for player in (0, 1))
    own, handed = trained(source_with(strategy, (None, None))), trained(source_with(strategy, exact))
    assert handed == pytest.approx(own, rel=0.02)  # sums are rounded otherwise, so that some draws differ


def test_whatever_is_believed_nobody_wins_more_than_a_best_response(tree: GameTree) -> None:
    for seed in range(3):
        strategy = random_strategy(tree, seed)
        best = exploitability(tree, strategy).best_values
        beliefs = any_belief(strategy, 0, seed), any_belief(strategy, 1, seed)
        won = trained(source_with(strategy, beliefs), 20)
        assert all(ours < most + 1e-9 for ours, most in zip(won, best, strict=True))


def test_beliefs_that_are_none_are_refused() -> None:
    tree = load_tree("kuhn")
    strategy = random_strategy(tree, 1)
    for belief, message in ((np.zeros(3), "belief"), (np.full(tree.num_nodes, -1.0), "chances, 0 or more")):
        with pytest.raises(ValueError, match=message):
            _native.TreeSearch(tree.native, 0, strategy.probabilities, belief)


@pytest.mark.parametrize(
    ("game", "options", "kind", "message"),
    [
        ("kuhn", {"beliefs": "guessed"}, ConfigError, "beliefs = 'guessed'; it must be one of exact, learned"),
        ("kuhn", {"belief_games": 10}, OptionError, "belief_games is for beliefs = learned"),
        ("lhe2", {"beliefs": "learned"}, OptionError, "beliefs and belief_games of abr are for compiled games"),
    ],
)
def test_what_cannot_be_believed_is_refused(game: str, options: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        ng.measure("uniform" if game == "kuhn" else "always-call", game=game, by="abr", **options)


def test_without_torch_nothing_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match="a learned belief needs torch"):
        ng.measure("uniform", game="kuhn", by="abr", beliefs="learned")


@pytest.mark.extras
def test_games_of_hidden_moves_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="hands are dealt once and the rest is public"):
        ng.measure("uniform", game="rock_paper_scissors", by="abr", beliefs="learned")


@pytest.mark.extras
def test_the_bound_says_that_beliefs_were_learned() -> None:
    """Kuhn against uniform play: what a network learned of 5,000 games serves as well as the exact belief."""
    options: dict[str, Any] = {"episodes": 20_000, "games": 20_000, "seed": 1}
    learned = ng.measure("uniform", game="kuhn", by="abr", beliefs="learned", belief_games=5000, **options)
    exact = ng.measure("uniform", game="kuhn", by="abr", **options)
    assert learned.as_dict()["beliefs"] == "learned by a network from 5,000 games of each seat"
    assert exact.as_dict()["beliefs"] == "exact"
    assert "Searches drew from beliefs learned by a network" in learned.summary
    assert "beliefs" not in exact.summary
    assert learned.job.command(learned).count("--beliefs learned --belief-games 5000") == 1
    assert learned.share_of_exact > 0.95 - learned.share_ci95
    assert learned.share_of_exact < 1.0 + 1.5 * learned.share_ci95


@pytest.mark.extras
def test_a_learned_belief_is_the_same_again() -> None:
    strategy = random_strategy(load_tree("leduc"), 1)
    first, second, other = (learned_belief(strategy, 0, 500, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
