"""A decision tree as a picture: boxes from left to right, a row for each leaf, so that conditions have room."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from nashgap.explanations.trees import FittedTree

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["draw_tree", "leaf_rows"]

ROW_PIXELS = 50
# Of a column and of a row; a test stands before two rows at least, and its words need the room.
BOX_WIDTH, LEAF_HEIGHT, TEST_HEIGHT = 0.84, 0.78, 1.12
LINE_LETTERS = 25
INK, EDGE, TEST_FILL = "#1c2127", "#808894", "#eef1f5"
# Leaves from the least outcome to the largest; dark ink is readable on all of them.
LEAF_FILLS = ("#f7fbff", "#dbe9f6", "#bad6eb", "#89bedc", "#6aaed6")


def draw_tree(
    tree: FittedTree, condition: Callable[[int, float], str], outcome: Callable[[int], tuple[str, float]]
) -> go.Figure:
    """Each test with the rows that reach it and their error; true goes up, false down.

    condition: the words of a test on (feature, threshold).
    outcome:   the words of a leaf, and where it lies between 0 and 1, which colours it.
    """
    import plotly.graph_objects as go  # slow to import

    row = leaf_rows(tree)
    # Handed over all at once: plotly checks all that it has whenever one is added.
    shapes: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    for node in range(tree.num_nodes):
        if tree.feature[node] >= 0:
            words, fill = condition(int(tree.feature[node]), float(tree.threshold[node])), TEST_FILL
            for below, answer in ((int(tree.left[node]), "yes"), (int(tree.right[node]), "no")):
                shapes.append(_edge(tree, row, node, below))
                texts.append(_answer(tree, row, below, answer))
        else:
            words, share = outcome(node)
            fill = LEAF_FILLS[round(min(max(share, 0.0), 1.0) * (len(LEAF_FILLS) - 1))]
        shapes.append(_box(tree, row, node, fill))
        texts.append(_words(tree, row, node, words))
    return go.Figure(
        layout={
            "shapes": shapes,
            "annotations": texts,
            "xaxis": {"visible": False, "range": [-0.03, tree.max_depth + BOX_WIDTH + 0.03], "fixedrange": True},
            "yaxis": {"visible": False, "range": [-tree.num_leaves + 0.4, 0.6], "fixedrange": True},
            "height": ROW_PIXELS * tree.num_leaves + 40,
            "margin": {"l": 5, "r": 5, "t": 10, "b": 10},
        }
    )


def leaf_rows(tree: FittedTree) -> np.ndarray:
    """`[N]` the row of each node: leaves are 0, 1, 2, ... from the truest to the falsest, tests in the middle."""
    row = np.zeros(tree.num_nodes)
    num_leaves = 0

    def place(node: int) -> float:
        nonlocal num_leaves
        if tree.feature[node] < 0:
            row[node] = num_leaves
            num_leaves += 1
        else:
            row[node] = (place(int(tree.left[node])) + place(int(tree.right[node]))) / 2
        return float(row[node])

    place(0)
    return row


def _box(tree: FittedTree, row: np.ndarray, node: int, fill: str) -> dict[str, Any]:
    left, half = float(tree.depth[node]), (TEST_HEIGHT if tree.feature[node] >= 0 else LEAF_HEIGHT) / 2
    sides = {"x0": left, "x1": left + BOX_WIDTH, "y0": -row[node] - half, "y1": -row[node] + half}
    return {"type": "rect", "fillcolor": fill, "line": {"color": EDGE, "width": 1}, **sides}


def _words(tree: FittedTree, row: np.ndarray, node: int, words: str) -> dict[str, Any]:
    lines = "<br>".join(map(escape, wrap(words, LINE_LETTERS)))
    counted = f"{int(tree.num_samples[node]):,} rows, error {tree.error[node]:.3f}"
    place = {"x": float(tree.depth[node]) + BOX_WIDTH / 2, "y": -row[node], "showarrow": False}
    return {"text": f"<b>{lines}</b><br>{counted}", "font": {"size": 11, "color": INK}, **place}


def _edge(tree: FittedTree, row: np.ndarray, node: int, below: int) -> dict[str, Any]:
    ends = {"x0": float(tree.depth[node]) + BOX_WIDTH, "x1": float(tree.depth[below])}
    return {"type": "line", "y0": -row[node], "y1": -row[below], "line": {"color": EDGE, "width": 1}, **ends}


def _answer(tree: FittedTree, row: np.ndarray, below: int, answer: str) -> dict[str, Any]:
    """The answer that leads to a box, beside it."""
    place = {"x": float(tree.depth[below]) - 0.01, "y": -row[below], "xanchor": "right", "showarrow": False}
    anchor = "bottom" if answer == "yes" else "top"
    return {"text": answer, "yanchor": anchor, "font": {"size": 11, "color": EDGE}, **place}
