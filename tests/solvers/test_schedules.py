"""Schedules as values: what they keep of the past."""

import numpy as np
import pytest

from nashgap.solvers.schedules import CFR, CFR_PLUS, DCFR, DROP, KEEP, LCFR, PDCFR_PLUS, SCHEDULES, Schedule


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("first", [1, 2, 10**6, 10**12])
def test_weights_are_shares(name, first):
    weights = SCHEDULES[name].weights(first, 3)
    assert weights.shape == (3, 3)
    assert np.isfinite(weights).all()
    assert ((weights >= 0) & (weights <= 1)).all()


def test_keep_and_drop_are_exact_from_the_first_iteration():
    weights = Schedule(positive=KEEP, negative=DROP).weights(1, 5)
    assert weights[:, 0].tolist() == [1.0] * 5
    assert weights[:, 1].tolist() == [0.0] * 5


def test_weights_are_those_of_the_papers():
    """Brown & Sandholm (2019), section 5: DCFR(1.5, 0, 2) and LCFR = DCFR(1, 1, 1); Tammelin (2014) for CFR+."""
    assert CFR.weights(1, 2).tolist() == [[1, 1, 1], [1, 1, 1]]
    np.testing.assert_allclose(CFR_PLUS.weights(1, 3), [[1, 0, 0], [1, 0, 1 / 2], [1, 0, 2 / 3]])
    np.testing.assert_allclose(LCFR.weights(1, 2), [[1 / 2, 1 / 2, 0], [2 / 3, 2 / 3, 1 / 2]])
    np.testing.assert_allclose(DCFR.weights(4, 1), [[8 / 9, 1 / 2, 9 / 16]])
    np.testing.assert_allclose(PDCFR_PLUS.weights(2, 1), [[2**2.3 / (2**2.3 + 1), 0, 1 / 32]])


def test_weights_do_not_depend_on_how_a_run_is_cut():
    for schedule in SCHEDULES.values():
        np.testing.assert_array_equal(
            schedule.weights(1, 20), np.concatenate([schedule.weights(1, 7), schedule.weights(8, 13)])
        )


def test_gamma_weighs_iteration_t_by_t_to_the_gamma():
    """The running discount makes iteration t count t^gamma out of the sum."""
    total, sums = 30, []
    for t in range(1, total + 1):
        later = Schedule(gamma=2).weights(t + 1, total - t)[:, 2]
        sums.append(later.prod())
    np.testing.assert_allclose(sums, (np.arange(1, total + 1) / total) ** 2)
