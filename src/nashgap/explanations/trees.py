"""Decision trees as plain arrays: fitted once at the largest depth, cut at any smaller one.

`fit_tree` is scikit-learn's `DecisionTreeRegressor` with its criterion `squared_error`: a split is chosen that leaves
the least sum of squared deviations from the means of both sides, over all outputs. That is not the distance by which
Ganzfried & Yusuf (2017) measure a strategy, the earth mover's; nor is the tree optimal, since splits are chosen one
after the other and never taken back. The paper's "optimal" trees are made by the same function.

A greedy tree of depth d is a deeper one cut at depth d: no split looks below itself, and each node keeps the mean of
its rows. (Where two splits are equally good, scikit-learn's choice depends on what it has drawn before.)

N nodes, R rows, F features, O outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap.core.job import is_whole
from nashgap.errors import ConfigError, MismatchError

__all__ = ["CRITERION", "FittedTree", "fit_tree"]

CRITERION = "squared_error"


@dataclass(frozen=True, eq=False)
class FittedTree:
    """A tree of tests `row[feature] <= threshold`: true goes left, false right. The root is node 0.

    feature:     `[N]` that is tested; -1 at a leaf.
    threshold:   `[N]`; not a number at a leaf.
    left, right: `[N]` nodes below; -1 at a leaf.
    depth:       `[N]` tests above; 0 at the root. Parents come before their children.
    value:       `[N, O]` mean output of the node's training rows.
    num_samples: `[N]` training rows.
    error:       `[N]` mean squared deviation of those from `value`, over rows and outputs.
    """

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    depth: np.ndarray
    value: np.ndarray
    num_samples: np.ndarray
    error: np.ndarray

    @property
    def num_nodes(self) -> int:
        return len(self.feature)

    @property
    def num_leaves(self) -> int:
        return int(np.count_nonzero(self.feature < 0))

    @property
    def num_outputs(self) -> int:
        return int(self.value.shape[1])

    @cached_property
    def max_depth(self) -> int:
        return int(self.depth.max())

    def num_nodes_at(self, depth: int) -> int:
        """Nodes of the tree cut at that depth."""
        return int(np.count_nonzero(self.depth <= depth))

    def num_leaves_at(self, depth: int) -> int:
        """Leaves of the tree cut at that depth."""
        return int(np.count_nonzero(self._is_leaf_at(depth)))

    def cut(self, depth: int) -> FittedTree:
        """The tree whose nodes at that depth are leaves; this very tree if none lies deeper."""
        if depth >= self.max_depth:
            return self
        kept = np.flatnonzero(self.depth <= depth)
        place = np.full(self.num_nodes + 1, -1)  # the last stands for "none below", -1
        place[kept] = np.arange(len(kept))
        is_leaf = self._is_leaf_at(depth)[kept]
        return FittedTree(
            feature=np.where(is_leaf, -1, self.feature[kept]),
            threshold=np.where(is_leaf, np.nan, self.threshold[kept]),
            left=place[self.left[kept]],
            right=place[self.right[kept]],
            depth=self.depth[kept],
            value=self.value[kept],
            num_samples=self.num_samples[kept],
            error=self.error[kept],
        )

    def descend(self, inputs: np.ndarray) -> Iterator[np.ndarray]:
        """For depth 0, 1, ... to the deepest: `[R]` the node of each row in the tree cut there.

        The array is one and the same, changed from depth to depth.
        """
        self._check_inputs(inputs)
        # As the tree was grown: it compares single precision with a threshold in double.
        inputs = np.asarray(inputs, dtype=np.float32)
        node = np.zeros(len(inputs), dtype=np.intp)
        moving = np.arange(len(inputs))
        yield node
        for _ in range(self.max_depth):
            moving = moving[self.feature[node[moving]] >= 0]
            here = node[moving]
            goes_left = inputs[moving, self.feature[here]] <= self.threshold[here]
            node[moving] = np.where(goes_left, self.left[here], self.right[here])
            yield node

    def apply(self, inputs: np.ndarray, depth: int | None = None) -> np.ndarray:
        """`[R]` the node that answers for each row `[R, F]`, of the whole tree or of the one cut at the depth."""
        last = self.max_depth if depth is None else min(depth, self.max_depth)
        for level, node in enumerate(self.descend(inputs)):
            if level == last:
                return node
        raise AssertionError("descend goes down to the deepest node")

    def predict(self, inputs: np.ndarray, depth: int | None = None) -> np.ndarray:
        """`[R, O]` predictions for the rows `[R, F]`, by the whole tree or by the one cut at the depth."""
        return np.asarray(self.value[self.apply(inputs, depth)])

    def _is_leaf_at(self, depth: int) -> np.ndarray:
        return np.asarray((self.depth == depth) | ((self.depth < depth) & (self.feature < 0)))

    def _check_inputs(self, inputs: np.ndarray) -> None:
        needed = int(self.feature.max()) + 1
        if inputs.ndim != 2 or inputs.shape[1] < needed:
            raise MismatchError(f"inputs of shape {inputs.shape}; the tree tests {needed} features of each row")


def fit_tree(inputs: np.ndarray, outputs: np.ndarray, depth: int) -> FittedTree:
    """The tree of at most that depth for the rows `[R, F]` and what they should give, `[R, O]`."""
    from sklearn.tree import DecisionTreeRegressor  # slow to import

    if not is_whole(depth) or depth < 1:
        raise ConfigError(f"depth = {depth}; it must be a whole number, at least 1")
    if len(inputs) != len(outputs) or not len(inputs):
        raise MismatchError(f"{len(inputs)} rows of inputs and {len(outputs)} of outputs; they must be as many")
    # The seed orders the features, which only matters where two splits are equally good.
    fitted = DecisionTreeRegressor(criterion=CRITERION, max_depth=depth, random_state=0).fit(inputs, outputs)
    grown = fitted.tree_
    is_leaf = grown.children_left < 0
    return FittedTree(
        feature=np.where(is_leaf, -1, grown.feature),
        threshold=np.where(is_leaf, np.nan, grown.threshold),
        left=np.where(is_leaf, -1, grown.children_left),
        right=np.where(is_leaf, -1, grown.children_right),
        depth=_depths(grown.children_left, grown.children_right),
        value=grown.value[:, :, 0].copy(),
        num_samples=grown.n_node_samples.copy(),
        error=grown.impurity.copy(),
    )


def _depths(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """`[N]` tests above each node, level by level."""
    depth = np.zeros(len(left), dtype=np.intp)
    level, number = np.zeros(1, dtype=np.intp), 0
    while len(level):
        depth[level] = number
        below = np.concatenate([left[level], right[level]])
        level, number = below[below >= 0], number + 1
    return depth
