"""Estimates: the interval, and how it is written."""

import numpy as np
import pytest

from nashgap.core.estimate import Estimate, format_interval
from nashgap.errors import ConfigError


def estimate(samples):
    return Estimate.from_samples(samples, unit="antes_per_hand", method="match", seed=3)


def test_small_samples_use_students_t():
    """Mean 2, standard deviation 1, three samples; the t table gives 4.30265 for 2 degrees of freedom."""
    found = estimate([1.0, 2.0, 3.0])
    assert found.mean == 2.0
    assert found.ci95 == pytest.approx(4.30265 / 3**0.5, rel=1e-5)
    assert (found.samples, found.unit, found.method, found.seed) == (3, "antes_per_hand", "match", 3)


def test_large_samples_approach_the_normal_quantile():
    samples = np.random.default_rng(0).standard_normal(100_000)
    expected = 1.959964 * samples.std(ddof=1) / 100_000**0.5
    assert estimate(samples).ci95 == pytest.approx(expected, rel=1e-4)


def test_interval_covers_the_truth_95_times_in_100():
    """2000 repetitions: the share of intervals that cover has a standard error of 0.5%; four of them are allowed."""
    generator = np.random.default_rng(1)
    found = [estimate(generator.normal(7.0, 2.0, size=5)) for _ in range(2000)]
    share = np.mean([abs(e.mean - 7.0) <= e.ci95 for e in found])
    assert share == pytest.approx(0.95, abs=0.02)


def test_lower_bound_is_the_lower_end_of_the_interval():
    assert Estimate(1.0, 0.25, 9, "mbb_per_hand", "lbr", 0).lower_bound_975 == 0.75


@pytest.mark.parametrize(
    ("mean", "ci95", "text"),
    [
        (-0.05441, 0.00123, "-0.0544 ± 0.0012"),
        (1234.5, 12.3, "1,234 ± 12"),
        (1.25, 0.03, "1.250 ± 0.030"),
        (0.5, 0.0, "0.5 ± 0"),
        (1e-9, 2.5e-11, "1e-09 ± 2.5e-11"),
        (192.15747838, 0.00000053, "192.157 ± 0"),
        (7500.0, 0.0076, "7,500.0000 ± 0.0076"),
        (-21985.4, 1180.2, "-21,985 ± 1,180"),
        (34301.0, 0.0, "34,301 ± 0"),
    ],
)
def test_interval_is_written_to_two_digits_of_its_width(mean, ci95, text):
    assert format_interval(mean, ci95) == text


def test_text_names_the_unit():
    assert str(Estimate(-0.05441, 0.00123, 9, "antes_per_hand", "match", 0)) == "-0.0544 ± 0.0012 antes_per_hand"


def test_dictionary_makes_the_same_estimate():
    found = estimate([1.0, 2.0, 4.0])
    assert Estimate(**found.as_dict()) == found


@pytest.mark.parametrize("samples", [[], [1.0], [[1.0, 2.0]]])
def test_too_few_samples_are_refused(samples):
    with pytest.raises(ConfigError, match="at least 2 samples"):
        estimate(samples)


def test_samples_that_are_not_finite_are_refused():
    with pytest.raises(ConfigError, match="1 of 3 samples are not finite"):
        estimate([1.0, float("nan"), 2.0])
