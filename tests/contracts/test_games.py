"""What every game of the catalogue promises, written and compiled."""

import math
import random

import numpy as np
import pytest
from plain_cfr import Node
from random_strategies import random_strategy

from nashgap.catalogue import GAMES
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.games.compiled import load_tree
from nashgap.games.spec import game_spec, load_game
from nashgap.measures.best_response import expected_values, exploitability
from nashgap.strategies.table import uniform

# One small game or more for every name of the catalogue.
SPECS = {
    "kuhn": ["kuhn", "kuhn(players=3)", "kuhn(players=4)"],
    "leduc": ["leduc"],
    "liars_dice": ["liars_dice(dice_sides=3)", "liars_dice(players=3,dice_sides=2)"],
    "matching_pennies": ["matching_pennies"],
    "rock_paper_scissors": ["rock_paper_scissors"],
    "bet_size": ["bet_size(deck=4,stack=1,step=0.5)", "bet_size(deck=3,stack=1.5,step=0.5,raises=1)"],
    "river_limit": ["river_limit(deck=3)", "river_limit(deck=4,pot=4,raises=1)"],
    "poker": ["kuhn2", "kuhn3", "leduc2"],
    "openspiel": ["openspiel:kuhn_poker(players=3)", "openspiel:tiny_hanabi", "openspiel:goofspiel(num_cards=3)"],
}
# Too large to be walked as a whole; walked at random.
LARGE = ["leduc(players=3)", "leduc(players=4)", "liars_dice", "openspiel:phantom_ttt"]


def all_specs():
    return [spec for specs in SPECS.values() for spec in specs]


@pytest.fixture(autouse=True)
def _openspiel(request):
    if "openspiel" in request.node.name:
        pytest.importorskip("pyspiel")


def test_the_contract_is_asked_of_every_game():
    assert SPECS.keys() == GAMES.entries.keys()


def describe(state):
    """All that a state says of itself."""
    player = state.player
    return (
        player,
        state.actions,
        state.chance_probabilities if player == CHANCE else None,
        state.infoset if player >= 0 else None,
        state.returns if player == TERMINAL else None,
    )


@pytest.mark.parametrize("spec", all_specs() + LARGE)
def test_every_game_keeps_the_contract(spec):
    """Walked at random: there are actions, chance sums to one, payoffs are finite, a child leaves its parent alone."""
    game = load_game(spec)
    rng = random.Random(1)
    num_actions = {}
    for _ in range(10):
        state = game.root()
        for _ in range(1000):
            before = describe(state)
            player, actions, chance, infoset, returns = before
            if player == TERMINAL:
                assert actions == ()
                assert len(returns) == game.num_players
                assert all(math.isfinite(payoff) for payoff in returns)
                break
            assert actions
            assert len(set(actions)) == len(actions)
            moves = range(len(actions))
            if player == CHANCE:
                assert len(chance) == len(actions)
                assert min(chance) >= 0
                assert math.fsum(chance) == pytest.approx(1.0, abs=1e-9)
                moves = [move for move in moves if chance[move] > 0]
            else:
                assert 0 <= player < game.num_players
                assert num_actions.setdefault((player, infoset), actions) == actions
            move = rng.choice(moves)
            child = state.child(move)
            assert describe(state) == before
            assert describe(child) == describe(state.child(move))
            state = child


@pytest.mark.parametrize("spec", all_specs())
def test_the_compiled_game_is_the_walked_one(spec):
    """As many histories and infosets, with the same names and numbers of actions, and the same payoffs."""
    tree, root = load_tree(spec), Node.of(load_game(spec).root())
    assert tree.num_nodes == root.count()
    keys = zip(tree.infoset_player.tolist(), tree.infoset_name, strict=True)
    assert dict(zip(keys, tree.infoset_size.tolist(), strict=True)) == root.sizes()
    assert len(tree.infoset_index) == tree.num_infosets
    assert (tree.game, tree.num_players) == (game_spec(spec), load_game(spec).num_players)


@pytest.mark.parametrize("spec", all_specs())
def test_slots_belong_to_one_action_each(spec):
    tree = load_tree(spec)
    owners = np.zeros(tree.num_slots, int)
    for infoset in range(tree.num_infosets):
        owners[tree.slots(infoset)] += 1
        assert len(tree.actions(infoset)) == tree.infoset_size[infoset]
        assert (tree.slot_infoset[tree.slots(infoset)] == infoset).all()
    assert (owners == 1).all()


@pytest.mark.parametrize("spec", all_specs())
def test_values_and_gains_are_sound(spec):
    tree = load_tree(spec)
    assert tree.has_perfect_recall
    for strategy in (uniform(tree), random_strategy(tree, 1)):
        measured = exploitability(tree, strategy)
        assert measured.values == pytest.approx(expected_values(tree, strategy), abs=1e-12)
        assert all(best >= value - 1e-12 for best, value in zip(measured.best_values, measured.values, strict=True))
        if tree.is_zero_sum:
            assert sum(measured.values) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("spec", all_specs())
def test_compiling_twice_gives_the_same_fingerprint(spec):
    assert load_tree(spec).fingerprint == load_tree(spec).fingerprint


def test_different_games_have_different_fingerprints():
    trees = [load_tree(spec) for specs in list(SPECS.values())[:-1] for spec in specs]
    assert len({tree.fingerprint for tree in trees}) == len(trees)
