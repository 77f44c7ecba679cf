"""Decision trees, cut at any depth."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.trees import CRITERION, FittedTree, fit_tree

DEPTH = 6


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    """So many that no two splits are equally good: where a node has only two rows, every feature splits them alike."""
    generator = np.random.default_rng(0)
    inputs = generator.random((4000, 5), dtype=np.float32)
    outputs = np.stack([inputs @ generator.random(5), np.sin(9 * inputs[:, 0])], axis=1)
    return inputs, outputs + 0.1 * generator.standard_normal(outputs.shape)


@pytest.fixture(scope="module")
def tree(rows: tuple[np.ndarray, np.ndarray]) -> FittedTree:
    return fit_tree(*rows, DEPTH)


@pytest.mark.parametrize("depth", range(1, DEPTH + 1))
def test_a_cut_tree_is_the_tree_fitted_at_that_depth(
    rows: tuple[np.ndarray, np.ndarray], tree: FittedTree, depth: int
) -> None:
    unseen = np.random.default_rng(1).random((500, 5))
    fitted = DecisionTreeRegressor(criterion=CRITERION, max_depth=depth, random_state=0).fit(*rows)
    expected = fitted.predict(unseen)
    np.testing.assert_allclose(tree.predict(unseen, depth), expected, rtol=1e-12)
    np.testing.assert_allclose(tree.cut(depth).predict(unseen), expected, rtol=1e-12)
    assert tree.num_nodes_at(depth) == tree.cut(depth).num_nodes == fitted.tree_.node_count
    assert tree.num_leaves_at(depth) == tree.cut(depth).num_leaves == fitted.get_n_leaves()


def test_nodes_carry_the_mean_and_error_of_their_rows(rows: tuple[np.ndarray, np.ndarray], tree: FittedTree) -> None:
    inputs, outputs = rows
    reached = tree.apply(inputs, 3)
    for node in np.unique(reached):
        mine = outputs[reached == node]
        assert tree.num_samples[node] == len(mine)
        np.testing.assert_allclose(tree.value[node], mine.mean(axis=0), rtol=1e-9)
        # scikit-learn averages the deviations of all outputs.
        np.testing.assert_allclose(tree.error[node], np.square(mine - mine.mean(axis=0)).mean(), rtol=1e-6)


def test_arrays_of_a_cut_tree_fit_together(tree: FittedTree) -> None:
    cut = tree.cut(4)
    is_leaf = cut.feature < 0
    assert cut.max_depth == 4
    np.testing.assert_array_equal(cut.left[is_leaf], -1)
    np.testing.assert_array_equal(cut.right[is_leaf], -1)
    assert np.isnan(cut.threshold[is_leaf]).all()
    inner = np.flatnonzero(~is_leaf)
    np.testing.assert_array_equal(cut.depth[cut.left[inner]], cut.depth[inner] + 1)
    np.testing.assert_array_equal(
        cut.num_samples[cut.left[inner]] + cut.num_samples[cut.right[inner]], cut.num_samples[inner]
    )
    assert tree.cut(99) is tree


def test_a_tree_with_nothing_to_split_is_one_leaf() -> None:
    tree = fit_tree(np.zeros((4, 2)), np.ones((4, 1)), 3)
    assert (tree.num_nodes, tree.max_depth) == (1, 0)
    np.testing.assert_array_equal(tree.predict(np.ones((2, 2))), [[1.0], [1.0]])


def test_bad_input_is_refused(tree: FittedTree) -> None:
    with pytest.raises(ConfigError, match="depth = 0; it must be a whole number, at least 1"):
        fit_tree(np.zeros((4, 2)), np.ones((4, 1)), 0)
    with pytest.raises(MismatchError, match="4 rows of inputs and 3 of outputs"):
        fit_tree(np.zeros((4, 2)), np.ones((3, 1)), 2)
    with pytest.raises(MismatchError, match="the tree tests 5 features"):
        tree.predict(np.zeros((1, 3)))
