"""How far two games, or two strategies, are apart: Algorithms 1 and 2 of Ganzfried & Yusuf (2017), and L1 and L2.

All compare tuples of distributions over an ordered scale: the hands of both players (Algorithm 1), or the bets with
each card (Algorithm 2). Algorithms 1 and 2 take the earth mover's distance of each distribution, which in one dimension
is the L1 distance of the cumulative ones, divide it by its largest value, the length of the scale, and average. L1 and
L2 are scaled alike, so that all three are 0 for equal tuples and at most 1; they do not see how far apart two bets are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from nashgap.errors import ConfigError, MismatchError

__all__ = ["DISTANCES", "FEATURES", "Distance", "distance_named", "input_distance", "output_distance"]

Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Of two tuples of distributions, `[..., M, N]` and `[..., M, N]`, that broadcast: `[...]`, from 0 to 1."""

FEATURES = ("cdf", "pdf")
"""How the hands of both players are told: cumulative, as the paper's Algorithm 1 takes them, or card by card."""


def input_distance(first: np.ndarray, second: np.ndarray, *, metric: str = "emd", features: str = "cdf") -> np.ndarray:
    """How far two games are apart (Algorithm 1 for `emd`): `[..., 2, C]` and `[..., 2, C]`, broadcast, to `[...]`."""
    if features not in FEATURES:
        raise ConfigError(f"features {features!r}; allowed: {', '.join(FEATURES)}")
    if features == "cdf":
        first, second = (np.diff(np.asarray(each, np.float64), axis=-1, prepend=0.0) for each in (first, second))
    return _distance("inputs", first, second, metric)


def output_distance(first: np.ndarray, second: np.ndarray, *, metric: str = "emd") -> np.ndarray:
    """How far two strategies are apart (Algorithm 2 for `emd`): `[..., C, B]`, `[..., C, B]`, broadcast, to `[...]`."""
    return _distance("bets", first, second, metric)


def distance_named(metric: str) -> Distance:
    """One of `DISTANCES`."""
    if metric not in DISTANCES:
        raise ConfigError(f"metric {metric!r}; known: {', '.join(DISTANCES)}")
    return DISTANCES[metric]


def _distance(what: str, first: np.ndarray, second: np.ndarray, metric: str) -> np.ndarray:
    measure = distance_named(metric)
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.ndim < 2 or first.shape[-2:] != second.shape[-2:]:
        raise MismatchError(f"{what} of shapes {first.shape} and {second.shape} cannot be compared")
    return measure(first, second)


def _emd(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    moved = np.abs(np.cumsum(first - second, axis=-1)).sum(axis=-1)
    # On a scale of one place nothing can be moved.
    return np.asarray((moved / max(first.shape[-1] - 1, 1)).mean(axis=-1))


def _l1(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(first - second).sum(axis=-1).mean(axis=-1) / 2)


def _l2(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Euclidean over the whole tuple: what a library computes that is handed all numbers in a row, scaled."""
    return np.asarray(np.sqrt(np.square(first - second).sum(axis=-1).mean(axis=-1) / 2))


DISTANCES: Mapping[str, Distance] = {"emd": _emd, "l1": _l1, "l2": _l2}
"""By name: earth mover's; half the sum of differences (total variation), averaged; Euclidean over all, scaled."""
