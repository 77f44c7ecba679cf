"""k nearest neighbours against a brute-force twin over Algorithm 1."""

import numpy as np
import pytest

from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.bet_size_games import Stakes, sample_games
from nashgap.explanations.distances import DISTANCES, input_distance
from nashgap.explanations.neighbours import Neighbours, find_nearest


def plain_nearest(known, asked, count, metric):
    """Sorted by distance, then by index."""
    distance = input_distance(asked[:, None], known[None], metric=metric, features="pdf")
    indices = np.argsort(distance, axis=1, kind="stable")[:, :count]
    return indices, np.take_along_axis(distance, indices, axis=1)


@pytest.mark.parametrize("metric", DISTANCES)
@pytest.mark.parametrize(
    ("deck", "num_known", "count"), [(10, 500, 1), (10, 301, 7), (3, 40, 40), (2, 9, 2), (25, 66, 5)]
)
def test_nearest_are_those_of_brute_force(metric, deck, num_known, count):
    games = sample_games(Stakes(deck=deck), seed=5, first=0, count=num_known + 37).pdf
    known, asked = games[:num_known], games[num_known:]
    found = find_nearest(known, asked, count, metric=metric)
    indices, distances = plain_nearest(known, asked, count, metric)
    np.testing.assert_array_equal(found.indices, indices)
    np.testing.assert_allclose(found.distances, distances, rtol=0, atol=1e-12)


def test_distances_are_those_of_algorithm_1_on_cdfs():
    games = sample_games(Stakes(), seed=2, first=0, count=400)
    found = find_nearest(games.pdf[:300], games.pdf[300:], 3)
    again = input_distance(games.cdf[300:, None], games.cdf[found.indices])
    np.testing.assert_allclose(found.distances, again, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", DISTANCES)
def test_of_equally_near_games_the_lower_number_comes_first(metric):
    game = sample_games(Stakes(), seed=1, first=0, count=2).pdf
    known = game[np.array([1, 0, 0, 1, 0] * 20)]
    found = find_nearest(known, game[:1], 50, metric=metric)
    same, other = np.flatnonzero(np.arange(100) % 5 % 3), np.flatnonzero(np.arange(100) % 5 % 3 == 0)
    np.testing.assert_array_equal(found.indices[0, :60], [*same, *other][:50])


def test_the_number_of_threads_changes_nothing():
    games = sample_games(Stakes(), seed=3, first=0, count=700).pdf
    one, three = (find_nearest(games[:500], games[500:], 4, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one.indices, three.indices)
    np.testing.assert_array_equal(one.distances, three.distances)


def test_a_known_game_is_its_own_nearest():
    games = sample_games(Stakes(), seed=4, first=0, count=200).pdf
    found = find_nearest(games, games, 1)
    np.testing.assert_array_equal(found.indices[:, 0], np.arange(200))
    assert not found.distances.any()


def test_predicted_bets_are_the_mean_of_the_neighbours():
    games = sample_games(Stakes(deck=4), seed=6, first=0, count=60).pdf
    bets = np.random.default_rng(0).dirichlet(np.ones(31), (50, 4))
    learner = Neighbours(games[:50], bets, count=3)
    indices, _ = plain_nearest(games[:50], games[50:], 3, "emd")
    np.testing.assert_allclose(learner.predict(games[50:]), bets[indices].mean(axis=1), atol=1e-15)
    np.testing.assert_allclose(learner.predict(games[50:]).sum(axis=2), 1.0, atol=1e-12)


def test_no_queries_have_no_neighbours():
    games = sample_games(Stakes(), seed=0, first=0, count=5).pdf
    assert find_nearest(games, games[:0], 2).indices.shape == (0, 2)


def test_bad_arguments_are_refused():
    games = sample_games(Stakes(), seed=0, first=0, count=5).pdf
    for count in (0, 6):
        with pytest.raises(ConfigError, match=f"from 1 to the 5 known games, not {count}"):
            find_nearest(games, games, count)
    with pytest.raises(ConfigError, match="metric 'l3'"):
        Neighbours(games, np.zeros((5, 10, 31)), metric="l3")
    with pytest.raises(ConfigError, match="threads must be at least 1, not 0"):
        find_nearest(games, games, 1, threads=0)
    with pytest.raises(MismatchError, match="cannot be compared"):
        find_nearest(games, games[:, :, :5], 1)
    with pytest.raises(MismatchError, match="finite"):
        find_nearest(games, np.full_like(games, np.nan), 1)
