"""Exact nearest neighbours among solved games: 64,000 known ones, under the distance of Ganzfried & Yusuf (2017)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
from comparison import Row, rates_in_turn

from nashgap.explanations.bet_size_games import Stakes, sample_games
from nashgap.explanations.neighbours import find_nearest

__all__ = ["rows"]

PEER = "scikit-learn"
NUM_KNOWN, NUM_ASKED, COUNT = 64_000, 200, 5
AIM = 1


def rows() -> Iterator[Row]:
    games = sample_games(Stakes(), seed=1, first=0, count=NUM_KNOWN + NUM_ASKED)
    known, asked = games.pdf[:NUM_KNOWN], games.pdf[NUM_KNOWN:]
    work = f"{NUM_ASKED} of {NUM_KNOWN // 1000}k games, k = {COUNT}"
    if find_spec("sklearn") is None:
        yield Row(work, PEER, None, None, AIM, True, f"{PEER} is not installed")
        return
    from sklearn.neighbors import NearestNeighbors

    # The distance is Manhattan's between scaled cumulative distributions.
    features = games.cdf[:, :, :-1].reshape(len(games), -1) / (2 * (games.stakes.deck - 1))
    peer = NearestNeighbors(n_neighbors=COUNT, metric="manhattan", algorithm="brute", n_jobs=1)
    peer.fit(features[:NUM_KNOWN])

    def ours(count: int) -> None:
        for _ in range(count):
            find_nearest(known, asked, COUNT)

    def theirs(count: int) -> None:
        for _ in range(count):
            peer.kneighbors(features[NUM_KNOWN:])

    our_rate, peer_rate = rates_in_turn(ours, theirs)
    found = find_nearest(known, asked, COUNT)
    distances, indices = peer.kneighbors(features[NUM_KNOWN:])
    is_same = np.array_equal(found.indices, indices) and float(np.abs(found.distances - distances).max()) < 1e-12
    note = f"the same {COUNT} games for each; {NUM_ASKED * our_rate:,.0f} games a second"
    yield Row(work, PEER, peer_rate, our_rate, AIM, True, note, is_same)
