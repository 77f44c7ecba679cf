"""Control variates: what goes with a number and is known to be 0 as a mean is taken off it, as much as it goes along.

How much is found by least squares in other samples than those that it is taken off, so that the mean stays what it is
exactly: samples come in parts, and each part is corrected by what the others say. Parts with too few others stay.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["coefficients_of", "corrected_sums", "crossed"]

LEAST_SAMPLES = 25  # of other parts, for each control
LEAST_SHARE = 1e-12  # of the value's variance that of a control must be; less is what rounding leaves of 0


def crossed(values: np.ndarray, controls: np.ndarray) -> np.ndarray:
    """What a part is kept as. `[D]`, `[D, C] -> [2 + C, 2 + C]`: sums of products of 1, the value and the controls."""
    rows = np.column_stack([np.ones(len(values)), values, controls])
    products: np.ndarray = rows.T @ rows
    return products


def coefficients_of(parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    """For each part, how much of each control is taken off: by least squares in all others. `[C]` each."""
    total = np.sum(parts, axis=0)
    return [_coefficients(total - part) for part in parts]


def corrected_sums(parts: Sequence[np.ndarray], coefficients: Sequence[np.ndarray]) -> np.ndarray:
    """Number, sum and sum of squares of the values without so much of their controls."""
    sums = np.zeros(3)
    for part, each in zip(parts, coefficients, strict=True):
        weights = np.concatenate([[0.0, 1.0], -each])
        sums += [part[0, 0], weights @ part[0], weights @ part @ weights]
    return sums


def _coefficients(part: np.ndarray) -> np.ndarray:
    """None of controls that do not change, or were found in too few samples."""
    coefficients, number = np.zeros(len(part) - 2), max(part[0, 0], 1.0)
    squares = part / number
    covariance = squares - np.outer(squares[0], squares[0])
    variance, most = np.diag(covariance), np.diag(squares)
    found = np.flatnonzero((variance > LEAST_SHARE * most[1]) & (variance > 1e-9 * most))
    found = found[found > 1]
    if number > LEAST_SAMPLES * len(found) > 0:
        scale = np.sqrt(variance[found])
        correlation = covariance[np.ix_(found, found)] / np.outer(scale, scale)
        coefficients[found - 2] = np.linalg.lstsq(correlation, covariance[found, 1] / scale, rcond=1e-9)[0] / scale
    return coefficients
