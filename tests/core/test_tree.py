"""The compiled game keeps the order and the shapes that its docstring states."""

import dataclasses
import pickle

import numpy as np
import pytest
from plain_games import HistoryGame, RandomGame, TableGame, random_tree

from nashgap.core import builder
from nashgap.core.compile import compile_tree
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.core.tree import DERIVED
from nashgap.games.compiled import load_tree
from nashgap.games.spec import load_game
from nashgap.measures.best_response import exploitability
from nashgap.strategies.table import uniform

SPECS = ["kuhn", "kuhn(players=3)", "leduc", "liars_dice(dice_sides=2)", "matching_pennies", "bet_size(deck=4)"]


@pytest.fixture(scope="module", params=[*SPECS, "plain leduc", "random"])
def tree(request):
    if request.param == "random":
        return random_tree(RandomGame(7, 3, 5))
    if request.param.startswith("plain"):
        return compile_tree(HistoryGame(load_game("leduc")), request.param)
    return load_tree(request.param)


def test_shapes_are_those_of_the_docstring(tree):
    num_blocks, num_sequences = len(tree.block_player), tree.num_slots + tree.num_players
    assert len(tree.block_start) == len(tree.block_edge) == num_blocks + 1
    assert tree.block_start[0] == 0
    assert tree.block_start[-1] == tree.num_nodes == len(tree.node_row)
    assert len(tree.edge_block) == len(tree.edge_name) == tree.block_edge[-1]
    assert len(tree.chance_block) == len(tree.chance_lane) == len(tree.chance_prob) == tree.chance_start[-1]
    assert tree.returns.shape[1] == tree.num_players
    assert tree.leaf_sequence.shape == tree.leaf_size.shape == tree.leaf_payoff.shape
    assert tree.player_group[-1] == len(tree.group_infoset) - 1
    assert tree.group_infoset[-1] == tree.num_infosets
    assert (tree.leaf_sequence + tree.leaf_size <= num_sequences).all()
    assert (tree.leaf_payoff + tree.leaf_size.prod(axis=1, keepdims=True) <= len(tree.payoff)).all()


def test_every_node_but_the_root_has_one_parent_that_comes_before_it(tree):
    parents = np.zeros(tree.num_nodes, int)
    for block in range(len(tree.block_player)):
        start, end = tree.block_start[block], tree.block_start[block + 1]
        for edge in range(tree.block_edge[block], tree.block_edge[block + 1]):
            child = tree.edge_block[edge]
            assert child > block
            assert tree.block_start[child + 1] - tree.block_start[child] == end - start
            parents[tree.block_start[child] : tree.block_start[child + 1]] += 1
        if tree.block_player[block] == CHANCE:
            for row in tree.node_row[start:end]:
                edges = slice(tree.chance_start[row], tree.chance_start[row + 1])
                assert tree.chance_prob[edges].sum() == pytest.approx(1.0, abs=1e-12)
                assert (tree.chance_block[edges] > block).all()
                np.add.at(parents, tree.block_start[tree.chance_block[edges]] + tree.chance_lane[edges], 1)
    assert parents[0] == 0
    assert (parents[1:] == 1).all()


def test_infosets_and_groups_are_sorted_by_player_and_parents_come_first(tree):
    assert (np.diff(tree.infoset_player) >= 0).all()
    for player in range(tree.num_players):
        first, last = tree.player_group[player], tree.player_group[player + 1]
        rows = tree.infoset_player[tree.group_infoset[first] : tree.group_infoset[last]]
        assert (rows == player).all()
    # Sequence q of player p is slot q - p - 1.
    for infoset, (parent, player) in enumerate(zip(tree.infoset_parent, tree.infoset_player, strict=True)):
        slot = parent - int(player) - 1
        first = np.searchsorted(tree.slot_player, player)
        if slot >= first:
            assert tree.slot_player[slot] == player
            assert tree.slot_infoset[slot] < infoset


def test_the_nodes_of_a_block_belong_to_its_player(tree):
    lanes = np.diff(tree.block_start)
    owner = np.repeat(tree.block_player, lanes)
    is_decision = owner >= 0
    np.testing.assert_array_equal(tree.infoset_player[tree.node_row[is_decision]], owner[is_decision])
    sizes = np.repeat(np.diff(tree.block_edge), lanes)
    np.testing.assert_array_equal(tree.infoset_size[tree.node_row[is_decision]], sizes[is_decision])
    assert (tree.node_row[owner == TERMINAL] < len(tree.returns)).all()


def test_leaves_hold_the_chance_weighted_payoff_of_every_ending(tree):
    """Summed over all leaves: everybody's payoffs if all actions were taken at once."""
    reach = np.zeros(tree.num_nodes)
    reach[0] = 1.0
    total = np.zeros(tree.num_players)
    for block, player in enumerate(tree.block_player):
        nodes = slice(tree.block_start[block], tree.block_start[block + 1])
        if player == TERMINAL:
            total += reach[nodes] @ tree.returns[tree.node_row[nodes]]
        elif player == CHANCE:
            for node in range(nodes.start, nodes.stop):
                edges = slice(tree.chance_start[tree.node_row[node]], tree.chance_start[tree.node_row[node] + 1])
                children = tree.block_start[tree.chance_block[edges]] + tree.chance_lane[edges]
                reach[children] = reach[node] * tree.chance_prob[edges]
        else:
            for edge in range(tree.block_edge[block], tree.block_edge[block + 1]):
                child = tree.edge_block[edge]
                reach[tree.block_start[child] : tree.block_start[child + 1]] = reach[nodes]
    for player in range(tree.num_players):
        boxes = zip(tree.leaf_payoff[:, player], tree.leaf_size.prod(axis=1), strict=True)
        found = sum(tree.payoff[at : at + volume].sum() for at, volume in boxes)
        assert found == pytest.approx(total[player], abs=1e-9)


def test_the_fingerprint_sees_every_array_and_every_name_that_makes_the_game():
    tree = load_tree("kuhn")
    for field in dataclasses.fields(tree):
        if field.name in DERIVED:
            continue
        value = getattr(tree, field.name)
        if isinstance(value, np.ndarray):
            changed = value.copy()
            changed.reshape(-1)[-1] += 1
        elif isinstance(value, tuple):
            changed = (*value[:-1], value[-1] + "x")
        else:
            continue
        assert dataclasses.replace(tree, **{field.name: changed}).fingerprint != tree.fingerprint, field.name


def test_the_fingerprint_does_not_depend_on_the_layout_of_payoffs(monkeypatch):
    usual = load_tree("kuhn(players=4)")
    monkeypatch.setattr(builder, "MAX_BOX_WASTE", 1)
    other = load_tree("kuhn(players=4)")
    assert len(other.leaf_size) > len(usual.leaf_size)
    assert other.fingerprint == usual.fingerprint


def test_a_tree_in_use_can_be_sent_to_another_process():
    tree = load_tree("kuhn")
    assert exploitability(tree, uniform(tree)).nash_conv > 0
    again = pickle.loads(pickle.dumps(tree))
    assert exploitability(again, uniform(again)).as_dict() == exploitability(tree, uniform(tree)).as_dict()


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
def test_zero_sum_is_judged_by_the_size_of_the_payoffs(scale):
    third = scale / 3
    fair = ("chance", {"h": (0.5, (third, -third)), "t": (0.5, (2 * third - scale, third))})
    unfair = ("chance", {"h": (0.5, (third, -third)), "t": (0.5, (third, third))})
    assert compile_tree(TableGame(fair), "fair").is_zero_sum
    assert not compile_tree(TableGame(unfair), "unfair").is_zero_sum


def test_hands_are_named_apart_from_the_history():
    tree = load_tree("leduc")
    policy = uniform(tree).policies([1])[0]
    assert policy.hands == ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")


def test_the_fingerprint_does_not_depend_on_the_name():
    tree = load_tree("kuhn")
    assert dataclasses.replace(tree, game="another name").fingerprint == tree.fingerprint


def test_zero_sum_is_recognised():
    assert load_tree("kuhn(players=3)").is_zero_sum
    assert random_tree(RandomGame(3, 3, 5)).is_zero_sum
    assert not random_tree(RandomGame(3, 2, 5, is_zero_sum=False)).is_zero_sum
