"""Algorithms 1 and 2 of Ganzfried & Yusuf (2017) against their pseudocode, scipy and the axioms of a metric."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.distances import DISTANCES, input_distance, output_distance


def algorithm_1(first, second, num_players, deck):
    """The paper's loops, on cdf vectors with the players one after the other."""
    first, second = (
        [vector[i] - (vector[i - 1] if i % deck else 0.0) for i in range(len(vector))] for vector in (first, second)
    )
    total = 0.0
    for player in range(num_players):
        result = carried = 0.0
        for j in range(player * deck, (player + 1) * deck):
            carried += first[j] - second[j]
            result += abs(carried)
        total += result / (deck - 1)
    return total / num_players


def algorithm_2(first, second):
    """Its twin for bets `[C, B]`, by scipy's general distance."""
    scale = np.arange(first.shape[1])
    each = [wasserstein_distance(scale, scale, one, other) for one, other in zip(first, second, strict=True)]
    return np.mean(each) / (first.shape[1] - 1)


def distributions(seed, *shape):
    return np.random.default_rng(seed).dirichlet(np.full(shape[-1], 0.5), shape[:-1])


@pytest.mark.parametrize("deck", [2, 3, 10])
def test_input_distance_is_the_pseudocode_of_algorithm_1(deck):
    first, second = distributions(deck, 2, 30, 2, deck)
    cdfs = np.cumsum(first, axis=-1), np.cumsum(second, axis=-1)
    expected = [algorithm_1(a.ravel(), b.ravel(), 2, deck) for a, b in zip(*cdfs, strict=True)]
    np.testing.assert_allclose(input_distance(*cdfs), expected, atol=1e-14)
    np.testing.assert_allclose(input_distance(first, second, features="pdf"), expected, atol=1e-14)


@pytest.mark.parametrize(("cards", "bets"), [(10, 31), (3, 2), (1, 5)])
def test_output_distance_is_algorithm_2_by_scipy(cards, bets):
    first, second = distributions(bets, 2, 20, cards, bets)
    expected = [algorithm_2(a, b) for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(output_distance(first, second), expected, atol=1e-12)


def test_distances_by_hand():
    """A check instead of a bet of 1 of at most 3 with one of two cards; the other card is bet alike."""
    check_both = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    bet_once = np.array([[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    assert output_distance(check_both, bet_once) == pytest.approx(1 / 3 / 2)
    assert output_distance(check_both, bet_once, metric="l1") == pytest.approx(1 / 2)
    assert output_distance(check_both, bet_once, metric="l2") == pytest.approx(np.sqrt(1 / 2))


@pytest.mark.parametrize("metric", DISTANCES)
def test_opposite_ends_of_the_scale_are_1_apart(metric):
    low, high = np.zeros((2, 10)), np.zeros((2, 10))
    low[:, 0] = high[:, -1] = 1.0
    assert input_distance(low, high, metric=metric, features="pdf") == pytest.approx(1.0)


def test_only_the_earth_movers_distance_sees_how_far_apart_bets_are():
    near, far, here = np.eye(5)[[1]], np.eye(5)[[4]], np.eye(5)[[0]]
    assert output_distance(here, near) < output_distance(here, far)
    for metric in ("l1", "l2"):
        assert output_distance(here, near, metric=metric) == output_distance(here, far, metric=metric)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6), size=st.integers(1, 12), parts=st.integers(1, 4), metric=st.sampled_from([*DISTANCES])
)
def test_all_distances_are_metrics_from_0_to_1(seed, size, parts, metric):
    first, second, third = distributions(seed, 3, parts, size)
    ahead, back = (output_distance(*pair, metric=metric) for pair in ((first, second), (second, first)))
    assert ahead == pytest.approx(back, abs=1e-15)
    assert 0.0 <= ahead <= 1.0 + 1e-12
    assert output_distance(first, first, metric=metric) == 0.0
    assert size == 1 or ahead > 0.0
    around = output_distance(first, third, metric=metric) + output_distance(third, second, metric=metric)
    assert ahead <= around + 1e-12


def test_distances_broadcast():
    first, second = distributions(1, 7, 2, 5), distributions(2, 4, 2, 5)
    table = input_distance(first[:, None], second[None], features="pdf")
    assert table.shape == (7, 4)
    assert table[3, 2] == input_distance(first[3], second[2], features="pdf")


def test_what_cannot_be_compared_is_refused():
    tables = distributions(0, 3, 4)
    with pytest.raises(ConfigError, match="metric 'cosine'; known: emd, l1, l2"):
        output_distance(tables, tables, metric="cosine")
    with pytest.raises(ConfigError, match="features 'cards'; allowed: cdf, pdf"):
        input_distance(tables, tables, features="cards")
    with pytest.raises(MismatchError, match=r"bets of shapes \(3, 4\) and \(3, 5\) cannot be compared"):
        output_distance(tables, distributions(0, 3, 5))
