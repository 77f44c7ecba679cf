"""Our generator is numpy's Philox."""

import numpy as np
import pytest

from nashgap import _native

KEYS = [(0, 0, 0, 0), (1, 2, 3, 4), (2**64 - 1, 7, 2**63, 1), (123456789, 2**64 - 1, 2**64 - 1, 2**64 - 1)]


@pytest.mark.parametrize(("seed", "purpose", "iteration", "lane"), KEYS)
def test_philox_is_numpys(seed, purpose, iteration, lane):
    ours = np.empty(1001, np.uint64)
    _native.philox(seed, purpose, iteration, lane, ours)
    counter = np.array([0, iteration, lane, 0], np.uint64)
    theirs = np.random.Philox(key=np.array([seed, purpose], np.uint64), counter=counter)
    np.testing.assert_array_equal(ours, theirs.random_raw(1001))


def test_streams_of_different_names_differ():
    streams = set()
    for name in [(0, 1, 1, 0), (1, 1, 1, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 1, 1, 1)]:
        numbers = np.empty(4, np.uint64)
        _native.philox(*name, numbers)
        streams.add(tuple(numbers.tolist()))
    assert len(streams) == 5


@pytest.mark.parametrize("bad", [np.empty(4, np.int64), np.empty(8, np.uint64)[::2], np.empty(4, np.float64)])
def test_philox_refuses_other_arrays(bad):
    with pytest.raises(TypeError):
        _native.philox(0, 0, 0, 0, bad)
