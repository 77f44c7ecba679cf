"""k nearest neighbours: play a new game as the most similar of the solved ones are played (Ganzfried & Yusuf 2017).

Exact: a native kernel sums absolute or squared differences, and the earth mover's distance of two games (Algorithm 1)
is such a sum over their cumulative distributions. With k > 1 the bets are the mean of the neighbours', which is a
strategy again. For any deck.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.distances import distance_named

__all__ = ["Nearest", "Neighbours", "find_nearest", "find_nearest_rows"]


@dataclass(frozen=True, eq=False)
class Nearest:
    """The K nearest of the known games for each of Q, nearest first; of equally near ones the lower number first.

    indices:   `[Q, K]` int64.
    distances: `[Q, K]`, see `nashgap.explanations.distances`.
    """

    indices: np.ndarray
    distances: np.ndarray


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Predicts the bets of a game from the N games that are known.

    pdf:     `[N, 2, C]` how likely each card of each player is.
    bets:    `[N, C, B]` player 1's strategy.
    count:   how many neighbours are averaged.
    metric:  a name of `nashgap.explanations.distances`.
    threads: the answers do not depend on it.
    """

    pdf: np.ndarray
    bets: np.ndarray
    count: int = 1
    metric: str = "emd"
    threads: int = 1

    def __post_init__(self) -> None:
        if self.pdf.ndim != 3 or len(self.bets) != len(self.pdf):
            raise MismatchError(f"hands of shape {self.pdf.shape} and bets of shape {self.bets.shape} of known games")
        distance_named(self.metric)
        _require_count(self.count, len(self.pdf))

    def nearest(self, pdf: np.ndarray) -> Nearest:
        """Of games with hands `pdf`, `[Q, 2, C]`."""
        return find_nearest(self.pdf, pdf, self.count, metric=self.metric, threads=self.threads)

    def predict(self, pdf: np.ndarray) -> np.ndarray:
        """The bets `[Q, C, B]` in games with hands `pdf`, `[Q, 2, C]`."""
        indices = self.nearest(pdf).indices
        bets = np.zeros((len(indices), *self.bets.shape[1:]))
        for place in range(self.count):
            bets += self.bets[indices[:, place]]
        return bets / self.count


def find_nearest(known: np.ndarray, asked: np.ndarray, count: int, *, metric: str = "emd", threads: int = 1) -> Nearest:
    """The `count` games of `known` that are nearest to each of `asked`: hands, `[N, 2, C]` and `[Q, 2, C]`."""
    distance_named(metric)
    if known.ndim != 3 or known.shape[1:] != asked.shape[1:]:
        raise MismatchError(f"hands of shapes {known.shape} and {asked.shape} cannot be compared")
    _require_count(count, len(known))
    rows = _features(known, metric), _features(asked, metric)
    return find_nearest_rows(*rows, count, is_squared=metric == "l2", threads=threads)


def find_nearest_rows(
    points: np.ndarray, queries: np.ndarray, count: int, *, is_squared: bool = False, threads: int = 1
) -> Nearest:
    """The `count` of `points` `[N, F]` nearest to each of `queries` `[Q, F]`, by the sum of differences or Euclid's."""
    _require_count(count, len(points))
    if threads < 1:
        raise ConfigError(f"threads must be at least 1, not {threads}")
    if not (np.isfinite(points).all() and np.isfinite(queries).all()):
        raise MismatchError("what is compared must be finite numbers")
    # The kernel leaves a point as soon as it is too far: features that differ most come first.
    order = np.argsort(-points.var(axis=0), kind="stable")
    indices, distances = np.empty((len(queries), count), np.int64), np.empty((len(queries), count))
    points, queries = (np.ascontiguousarray(each[:, order]) for each in (points, queries))
    _native.find_nearest(points, queries, is_squared, threads, indices, distances)
    return Nearest(indices, distances)


def _features(pdf: np.ndarray, metric: str) -> np.ndarray:
    """`[N, F]`: their L1 distance, or L2 for `l2`, is the metric's distance of the hands `[N, M, C]`."""
    num_players, num_cards = pdf.shape[1:]
    if metric == "emd":
        # The last cumulative value is 1 for all.
        scaled = np.cumsum(pdf, axis=2)[:, :, :-1] / (num_players * max(num_cards - 1, 1))
    else:
        scaled = pdf / (2 * num_players) if metric == "l1" else pdf / np.sqrt(2 * num_players)
    return np.asarray(scaled.reshape(len(pdf), scaled.shape[1] * scaled.shape[2]))


def _require_count(count: int, num_known: int) -> None:
    if not 1 <= count <= num_known:
        raise ConfigError(f"the number of neighbours must be from 1 to the {num_known} known games, not {count}")
