"""Control variates: the mean stays, luck goes, and nothing is corrected by what it says itself."""

import numpy as np
import pytest

from nashgap.measures.controls import coefficients_of, corrected_sums, crossed


def corrected(values, controls, size):
    parts = [crossed(values[i : i + size], controls[i : i + size]) for i in range(0, len(values), size)]
    return corrected_sums(parts, coefficients_of(parts))


def drawn(seed, number=120):
    generator = np.random.default_rng(seed)
    controls = generator.normal(size=(number, 2))
    return 5.0 + 3.0 * controls[:, 0] - controls[:, 1] ** 2 + generator.normal(size=number), controls


def test_sums_are_those_of_values_less_what_other_parts_say():
    values, controls = drawn(1)
    number, total, squares = corrected(values, controls, 40)
    left = []
    for first in range(0, 120, 40):
        others = np.r_[0:first, first + 40 : 120]
        rows = np.column_stack([np.ones(80), controls[others]])
        slopes = np.linalg.lstsq(rows, values[others])[0][1:]
        left.extend(values[first : first + 40] - controls[first : first + 40] @ slopes)
    assert number == 120
    assert (total, squares) == pytest.approx((sum(left), np.square(left).sum()))


def test_the_mean_stays_at_two_budgets_and_the_spread_falls():
    """Controls whose own mean is 0; the value bends with one of them, so that no line fits it. Mean 4."""
    for number in (80, 800):
        found = np.array([corrected(*drawn(seed, number), number // 4) / number for seed in range(600)])
        plain = np.array([drawn(seed, number)[0].mean() for seed in range(600)])
        assert abs(found[:, 1].mean() - 4.0) < 3 * found[:, 1].std() / np.sqrt(600)
        assert found[:, 1].std() < 0.7 * plain.std()


@pytest.mark.parametrize("centre", [0.0, 1.0])
def test_what_rounding_leaves_of_nothing_is_no_control(centre):
    """Luck that is 0 but for rounding would be taken off a billion times over."""
    generator = np.random.default_rng(3)
    values = 5_000 + 100 * generator.normal(size=400)
    controls = 1e-13 * (centre + 0.3 * generator.normal(size=(400, 3)))
    _, total, squares = corrected(values, controls, 20)
    assert (total, squares) == pytest.approx((values.sum(), np.square(values).sum()), rel=1e-12)


def test_controls_of_other_units_are_taken_off_alike():
    values, controls = drawn(4)
    assert corrected(values, controls, 30) == pytest.approx(corrected(values, controls * [1e-3, 1e4], 30))


@pytest.mark.parametrize("size", [20, 120])
def test_few_samples_and_controls_that_were_not_found_change_nothing(size):
    values, controls = drawn(2)
    if size == 20:
        controls = np.zeros_like(controls)
    _, total, squares = corrected(values, controls, size)
    assert (total, squares) == pytest.approx((values.sum(), np.square(values).sum()))
