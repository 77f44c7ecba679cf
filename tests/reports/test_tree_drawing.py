"""Decision trees as pictures."""

from __future__ import annotations

import numpy as np

from nashgap.explanations.trees import FittedTree
from nashgap.reports.tree_drawing import draw_tree, leaf_rows


def small_tree() -> FittedTree:
    """A test whose false side is a second one."""
    return FittedTree(
        feature=np.array([0, -1, 1, -1, -1]),
        threshold=np.array([0.5, np.nan, 0.25, np.nan, np.nan]),
        left=np.array([1, -1, 3, -1, -1]),
        right=np.array([2, -1, 4, -1, -1]),
        depth=np.array([0, 1, 1, 2, 2]),
        value=np.array([[1.0], [0.0], [1.5], [1.0], [2.0]]),
        num_samples=np.array([4000, 2000, 2000, 1000, 1000]),
        error=np.array([0.5, 0.25, 0.125, 0.0, 0.0]),
    )


def test_leaves_stand_below_each_other_and_tests_between_them() -> None:
    np.testing.assert_array_equal(leaf_rows(small_tree()), [0.75, 0.0, 1.5, 1.0, 2.0])


def test_every_node_is_a_box_with_its_words_rows_and_error() -> None:
    tree = small_tree()
    figure = draw_tree(
        tree,
        lambda feature, threshold: f"feature {feature} is < {threshold}",
        lambda node: (f"bet {tree.value[node, 0]:g}", float(tree.value[node, 0]) / 2),
    )
    boxes = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    texts = [each.text for each in figure.layout.annotations if each.text not in ("yes", "no")]
    assert len(boxes) == len(texts) == tree.num_nodes
    assert texts[0] == "<b>feature 0 is &lt; 0.5</b><br>4,000 rows, error 0.500"
    assert "<b>bet 2</b><br>1,000 rows, error 0.000" in texts
    # The largest bet is the darkest.
    fills = [box.fillcolor for box in boxes]
    assert fills[1] != fills[4]
    assert fills[0] == fills[2]
    # Nothing overlaps: boxes of a column are a row apart.
    column = sorted((box.y0, box.y1) for box in boxes if box.x0 == 1)
    assert column[0][1] < column[1][0]


def test_true_goes_up() -> None:
    answers = {
        each.text: each.y for each in draw_tree(small_tree(), lambda *_: "", lambda _: ("", 0.0)).layout.annotations
    }
    assert answers["yes"] > answers["no"]
