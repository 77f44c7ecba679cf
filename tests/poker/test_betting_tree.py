"""Betting trees: against enumeration through the engine's public states, and against known sizes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from nashgap.errors import GameSizeError, IllegalActionError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree, count_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.poker.sizes import game_size
from nashgap.poker.state import CALL, FOLD


def small_nolimit(num_seats=2, conventions="acpc", betting="nolimit", **changes):
    """Two rounds, small stacks that differ, so that all-in raises fall short."""
    settings = {
        "betting": betting,
        "blinds": (1, 2, 0)[:num_seats],
        "stacks": (9, 7, 5)[:num_seats],
        "raise_sizes": (0, 0),
        "first_seats": (num_seats - 1, 0) if num_seats > 2 else (0, 1),
        "max_raises": (255, 255),
        "num_suits": 2,
        "num_ranks": 5,
        "num_hole_cards": 1,
        "num_board_cards": (0, 1),
        "conventions": conventions,
    }
    return replace(load_rules("hunl"), **{**settings, **changes})


GAMES = {
    "kuhn2": (load_rules("kuhn2"), "full"),
    "kuhn3": (load_rules("kuhn3"), "full"),
    "leduc2": (load_rules("leduc2"), "full"),
    "lhe2": (load_rules("lhe2"), "full"),
    "lhe2, caps": (load_rules("lhe2"), "full caps=1/2/0/1"),
    "two seats": (small_nolimit(), "full"),
    "three seats": (small_nolimit(3), "full caps=2"),
    "three seats, pot": (small_nolimit(3), "0.5,1 > 1,a / min,a"),
    "three seats, casino": (small_nolimit(3, "casino"), "min,1,a"),
    "pot-limit": (small_nolimit(betting="potlimit", stacks=(12, 12)), "full"),
    "push-fold": (small_nolimit(3), "push-fold"),
    "hunl100": (load_rules("hunl100"), "fcpa"),
}


def walk(tree):
    """Every place of the tree with the public state that its actions lead to, the engine and the tree side by side."""

    def visit(state, target, history):
        while state.num_missing_cards and not state.is_over and state.seat < 0:
            unseen = [card for card in state.rules.deck if card not in state.board]
            state = state.deal(unseen[: state.num_missing_cards])
        yield state, target, history
        if target < 0:
            return
        actions = tree.abstraction.actions(state)
        first, end = tree.first_edge[target : target + 2]
        assert end - first == len(actions)
        for edge, action in zip(range(first, end), actions, strict=True):
            yield from visit(state.act(action), int(tree.child[edge]), (*history, action))

    return visit(tree.rules.root(), tree.root, ())


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_is_the_enumeration_of_public_states(name):
    rules, text = GAMES[name]
    tree = build_betting_tree(rules, parse_betting_abstraction(text))
    nodes, endings = [], set()
    for state, target, history in walk(tree):
        if target < 0:
            ending = -1 - target
            endings.add(ending)
            assert state.is_over
            assert tuple(tree.ending_spent[ending]) == state.spent
            assert [bool(tree.ending_folded[ending] >> seat & 1) for seat in range(rules.num_seats)] == list(
                state.has_folded
            )
        else:
            nodes.append(target)
            assert state.seat == tree.seat[target]
            assert tree.round_start[state.round] <= target < tree.round_start[state.round + 1]
        if len(nodes) % 50 == 1:
            place = tree.find_node(history)
            assert (place.target, place.num_followed, place.is_on_tree) == (target, len(history), True)
            assert place.is_over == state.is_over
    for start, end in pairwise(tree.round_start):
        assert [node for node in nodes if start <= node < end] == list(range(start, end))  # depth-first in each round
    assert endings == set(range(tree.num_endings))
    pairs = {(tuple(spent), int(folded)) for spent, folded in zip(tree.ending_spent, tree.ending_folded, strict=True)}
    assert len(pairs) == tree.num_endings


@pytest.mark.parametrize("name", GAMES)
def test_the_count_is_the_size_of_the_tree(name):
    rules, text = GAMES[name]
    abstraction = parse_betting_abstraction(text)
    assert count_betting_tree(rules, abstraction) == build_betting_tree(rules, abstraction).size


@pytest.mark.parametrize("name", ["kuhn2", "kuhn3", "leduc2", "lhe2", "lhe3"])
def test_limit_games_have_all_their_betting_sequences(name):
    rules = load_rules(name)
    size, count = game_size(rules), count_betting_tree(rules, parse_betting_abstraction("full"))
    assert count.nodes_by_round == tuple(each.decisions for each in size.rounds)
    assert count.edges_by_round == tuple(each.actions for each in size.rounds)


def test_known_sizes():
    full, fcpa = parse_betting_abstraction("full"), parse_betting_abstraction("fcpa")
    assert count_betting_tree(load_rules("lhe2"), full).num_nodes == 6_378
    assert count_betting_tree(load_rules("lhe3"), full).nodes_by_round == (90, 4_412, 205_962, 9_501_342)
    assert count_betting_tree(load_rules("hunl"), fcpa).num_nodes == 1_360
    assert count_betting_tree(load_rules("hunl100"), fcpa).num_nodes == 1_360


@pytest.mark.slow
def test_three_player_limit_holdem_is_built_in_less_than_22_bytes_a_node():
    rules, abstraction = load_rules("lhe3"), parse_betting_abstraction("full")
    tree = build_betting_tree(rules, abstraction)
    assert tree.size == count_betting_tree(rules, abstraction)
    assert tree.num_bytes < 22 * tree.num_nodes
    parents = np.bincount(tree.child[tree.child >= 0], minlength=tree.num_nodes)
    assert parents[tree.root] == 0
    assert np.all(np.delete(parents, tree.root) == 1)
    assert tree.child.min() == -tree.num_endings


def test_arrays_are_read_only_and_outlive_the_tree():
    tree = build_betting_tree(load_rules("kuhn2"), parse_betting_abstraction("full"))
    arrays = [
        tree.round_start, tree.first_edge, tree.seat, tree.child, tree.ending_spent, tree.ending_folded,
    ]  # fmt: skip
    copies = [array.copy() for array in arrays]
    del tree
    for array, copy in zip(arrays, copies, strict=True):
        assert not array.flags.writeable
        assert np.array_equal(array, copy)


def test_a_history_is_followed_until_it_leaves_the_tree():
    tree = build_betting_tree(load_rules("hunl"), parse_betting_abstraction("fcpa"))
    place = tree.find_node([300, 800, CALL, CALL])  # 900 would be a pot raise
    assert not place.is_on_tree
    assert (place.target, place.num_followed) == (tree.find_node([300]).target, 1)
    assert tree.find_node([]).target == tree.root
    assert tree.find_node([300, FOLD]).is_over


@pytest.mark.parametrize("actions", [[300, 301], [FOLD, CALL], [150], [CALL, FOLD], [350, 400]])
def test_an_illegal_history_is_refused_on_the_tree_and_off(actions):
    tree = build_betting_tree(load_rules("hunl"), parse_betting_abstraction("fcpa"))
    with pytest.raises(IllegalActionError, match="is not legal"):
        tree.find_node(actions)


def test_too_large_a_tree_is_refused_before_it_is_built():
    abstraction = parse_betting_abstraction("full")
    with pytest.raises(GameSizeError, match="more than 1000 decision nodes"):
        build_betting_tree(load_rules("lhe2"), abstraction, max_nodes=1000)


@pytest.mark.long
def test_too_large_a_tree_is_not_counted():
    with pytest.raises(GameSizeError, match="too many to count"):
        count_betting_tree(load_rules("hunl"), parse_betting_abstraction("full"))
    many = {"raise_sizes": (1,) * 8, "first_seats": (0,) * 8, "max_raises": (110,) * 8, "num_board_cards": (0,) * 8}
    with pytest.raises(GameSizeError, match=r"more than 2\^63"):
        count_betting_tree(replace(load_rules("lhe2"), **many), parse_betting_abstraction("full"))
