"""Strategies for compiled games: what is a strategy, which game it is for, and its file."""

import numpy as np
import pytest
from random_strategies import by_name, from_names, random_strategy

from nashgap.core.array_file import save_arrays
from nashgap.errors import FileFormatError, MismatchError
from nashgap.games.compiled import load_tree
from nashgap.measures.best_response import exploitability
from nashgap.strategies.load import load, save
from nashgap.strategies.table import TableStrategy, normalised, uniform


@pytest.fixture
def tree():
    return load_tree("kuhn")


@pytest.mark.parametrize(
    "row",
    [[0.5, 0.6], [0.0, 0.0], [1.5, -0.5], [np.nan, 1.0], [np.inf, 0.0], [1.0, -1e-9]],
    ids=str,
)
def test_what_is_no_distribution_is_refused_with_its_place(tree, row):
    probabilities = uniform(tree).probabilities
    probabilities[tree.slots(4)] = row
    with pytest.raises(MismatchError, match="'Q kb' must be from 0 to 1 and add up to 1"):
        TableStrategy(tree, probabilities)


@pytest.mark.parametrize("shape", [(23,), (25,), (12, 2), ()])
def test_other_shapes_are_refused(tree, shape):
    with pytest.raises(MismatchError, match="has 24 probabilities"):
        TableStrategy(tree, np.full(shape, 0.5))


@pytest.mark.parametrize(
    "change",
    [lambda p: p.astype(np.float32), lambda p: np.repeat(p, 2)[::2], lambda p: p.astype(">f8")],
    ids=["float32", "strided", "big-endian"],
)
def test_a_strategy_that_was_accepted_can_be_measured(tree, change):
    """Other arrays of numbers are taken or refused by name; not taken here and refused by a kernel later."""
    try:
        strategy = TableStrategy(tree, change(uniform(tree).probabilities))
    except MismatchError:
        return
    assert exploitability(tree, strategy).nash_conv == pytest.approx(11 / 12, abs=1e-6)


def test_rounding_is_forgiven(tree):
    assert TableStrategy(tree, np.full(24, 0.5 + 1e-8)).probabilities[0] == 0.5 + 1e-8


def test_at_names_actions_and_refuses_strangers(tree):
    assert uniform(tree).chances(1, "Q b") == {"fold": 0.5, "call": 0.5}
    with pytest.raises(MismatchError, match="kuhn: player 1 has no information set 'Q b'"):
        uniform(tree).chances(0, "Q b")


def test_infosets_by_name_make_the_round_trip():
    for spec in ("kuhn(players=3)", "leduc", "bet_size"):
        tree = load_tree(spec)
        strategy = random_strategy(tree, 3)
        again = from_names(tree, by_name(tree, strategy.probabilities))
        np.testing.assert_array_equal(again.probabilities, strategy.probabilities)


def test_with_players_takes_only_their_parts():
    tree = load_tree("kuhn(players=3)")
    first, second = random_strategy(tree, 1), random_strategy(tree, 2)
    mixed = first.with_players({1: second})
    expected = np.where(tree.slot_player == 1, second.probabilities, first.probabilities)
    np.testing.assert_array_equal(mixed.probabilities, expected)
    with pytest.raises(MismatchError):
        first.with_players({0: uniform(load_tree("kuhn"))})


def test_policies_give_every_hand_at_a_public_node():
    tree = load_tree("leduc")
    strategy = random_strategy(tree, 6)
    blocks = np.flatnonzero(tree.block_player >= 0)
    for block, policy in zip(blocks, strategy.policies(blocks), strict=True):
        infosets = np.unique(tree.node_row[tree.block_start[block] : tree.block_start[block + 1]])
        assert policy.probabilities.shape == (len(policy.hands), len(policy.actions))
        assert policy.probabilities.sum(axis=1) == pytest.approx(1.0)
        for row, infoset in zip(policy.probabilities, infosets, strict=True):
            np.testing.assert_array_equal(row, strategy.probabilities[tree.slots(infoset)])


def test_normalised_is_uniform_where_nothing_was_summed(tree):
    sums = np.zeros(24)
    sums[tree.slots(3)] = [1.0, 3.0]
    strategy = normalised(tree, sums)
    assert strategy.probabilities[tree.slots(3)].tolist() == [0.25, 0.75]
    assert strategy.probabilities[tree.slots(2)].tolist() == [0.5, 0.5]


def test_a_saved_strategy_comes_back_with_its_facts(tmp_path):
    tree = load_tree("leduc")
    strategy = TableStrategy(tree, random_strategy(tree, 9).probabilities, {"solver": "cfr+", "iterations": 7})
    save(tmp_path / "s.safetensors", strategy)
    loaded = load(tmp_path / "s.safetensors", tree)
    np.testing.assert_array_equal(loaded.probabilities, strategy.probabilities)
    assert loaded.facts == strategy.facts
    assert exploitability(tree, loaded).nash_conv == exploitability(tree, strategy).nash_conv


def test_files_for_other_games_and_other_things_are_refused(tmp_path):
    path = tmp_path / "s.safetensors"
    save(path, uniform(load_tree("kuhn")))
    with pytest.raises(MismatchError, match="is a strategy for kuhn, not for leduc"):
        load(path, load_tree("leduc"))
    save_arrays(path, {"probabilities": np.ones(3)}, {"kind": "recipe"})
    with pytest.raises(FileFormatError, match="is a file of kind 'recipe', not 'tree-strategy'"):
        load(path, load_tree("kuhn"))
