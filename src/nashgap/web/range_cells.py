"""The 169 classes of hands of one decision, as the grid of the pages draws them."""

from __future__ import annotations

from typing import Any

import numpy as np

from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.strategies.strategy_view import StrategyView

__all__ = ["action_cells", "class_means", "range_cells"]

_NUM_CLASSES = len(HAND_CLASSES)


def action_cells(view: StrategyView, digits: int | None = None) -> list[dict[str, Any]] | None:
    """`[169]` by class: name, how much of it is held, shares of what is drawn; no shares where it cannot be held.

    None in games without the 169 classes. digits: that are kept.
    """
    grid = view.grid
    if grid is None:
        return None
    return [
        {
            "name": name,
            "weight": _kept(cell.weight, digits),
            "shares": [_kept(cell.shares[action], digits) for action in grid.actions] if cell.shares else [],
        }
        for name, cell in zip(HAND_CLASSES, grid.cells, strict=True)
    ]


def class_means(view: StrategyView, values: np.ndarray) -> list[float | None]:
    """`[H] -> [169]`: means as hands count in the range, or alike where none of the class is in it; None of no hand."""
    assert view.numbers is not None, "only hold'em has classes"
    classes = CLASS_OF_HAND[view.numbers]
    held = np.bincount(classes, view.weights, _NUM_CLASSES)
    each = np.where(held[classes] > 0, view.weights, 1.0)
    counted = np.bincount(classes, each, _NUM_CLASSES)
    means = np.bincount(classes, each * values, _NUM_CLASSES) / np.where(counted > 0, counted, 1.0)
    return [mean if count > 0 else None for mean, count in zip(means.tolist(), counted.tolist(), strict=True)]


def range_cells(numbers: np.ndarray, reach: np.ndarray) -> list[dict[str, Any]]:
    """`[169]` of a range: what part of each class comes here, and how high that is beside the fullest class.

    numbers: of the hands that can be held, among the 1326. None where no hand of the class can be.
    """
    classes = CLASS_OF_HAND[numbers]
    possible = np.bincount(classes, minlength=_NUM_CLASSES)
    shares = np.bincount(classes, reach, _NUM_CLASSES) / np.maximum(possible, 1)
    highest = shares.max() or 1.0
    return [
        {"name": name, "share": share if count else None, "weight": share / highest}
        for name, share, count in zip(HAND_CLASSES, shares.tolist(), possible.tolist(), strict=True)
    ]


def _kept(number: float, digits: int | None) -> float:
    return number if digits is None else round(number, digits)
