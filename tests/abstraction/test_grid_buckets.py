"""Grids of sorted features against a plain count over all flops, with made-up strengths."""

import itertools

import numpy as np
import pytest

from nashgap import _native
from nashgap.abstraction.strength import canonical_boards

NUM_HANDS = 1326
SHAPE = (3, 5, 4)


@pytest.fixture(scope="module")
def flops():
    """Levels of two made-up metrics on all canonical flops, the grid's buckets there, and each hand's weight."""
    rng = np.random.default_rng(0)
    boards, num_renamings = canonical_boards(3)
    first, second = np.tril_indices(52, -1)
    collides = np.array([np.isin(first, board) | np.isin(second, board) for board in boards])
    strengths = rng.integers(0, 65_535, collides.shape)
    # Any variance that a strength between 0 and 1 can have.
    share = strengths / 65_534
    squares = np.rint((share**2 + rng.random(share.shape) * share * (1 - share)) * 65_534)
    strengths[collides], squares[collides] = 65_535, 65_535
    strengths, squares = strengths.astype(np.uint16), squares.astype(np.uint16)
    grid = _native.GridBuckets(1, strengths, squares, *SHAPE, 2)
    preflop = _native.BucketTable(0, np.zeros(NUM_HANDS, dtype=np.uint16), 1)
    abstraction = _native.HoldemBuckets([preflop, grid], [[], []])
    buckets = np.empty((len(boards), NUM_HANDS), dtype=np.int32)
    for board, row in zip(boards, buckets, strict=True):
        abstraction.all_buckets(board, 1, row)
    weights = np.where(collides, 0, num_renamings[:, None])
    return boards, strengths.astype(int), squares.astype(int), buckets, weights


def test_every_cell_holds_an_equal_share_of_the_deals(flops):
    *_, buckets, weights = flops
    assert np.array_equal(buckets < 0, weights == 0)
    counts = np.bincount(buckets[buckets >= 0], weights[buckets >= 0], minlength=np.prod(SHAPE))
    by_board = counts.reshape(SHAPE[0], -1).sum(axis=1) / counts.sum()
    np.testing.assert_allclose(by_board, 1 / SHAPE[0], atol=0.002)  # whole boards, of which one has 1/900 of the deals
    np.testing.assert_allclose(counts / counts.sum(), 1 / np.prod(SHAPE), rtol=0.02)


def test_a_class_of_boards_is_cut_by_strength_and_then_by_spread(flops):
    _, strengths, squares, buckets, _ = flops
    spread = squares * 65_534 - strengths**2 >> 14
    for board_class in range(SHAPE[0]):
        cells = [[board_class * 20 + strength * 4 + level for level in range(4)] for strength in range(5)]
        ranges = [strengths[np.isin(buckets, of_strength)] for of_strength in cells]
        assert all(low.max() < high.min() for low, high in itertools.pairwise(ranges))
        for of_strength in cells:
            ranges = [spread[buckets == cell] for cell in of_strength]
            assert all(low.max() < high.min() for low, high in itertools.pairwise(ranges))


def test_boards_are_ordered_by_suits_then_pairs(flops):
    boards, *_, buckets, _ = flops
    board_class = buckets.max(axis=1) // 20
    most_in_suit = np.array([np.bincount(board % 4).max() for board in boards])
    is_paired = np.array([len(set(board // 4)) < 3 for board in boards])
    # Of the flops 30% have three suits and three ranks, 10% three suits and a pair, 5% one suit.
    assert board_class[(most_in_suit == 1) & ~is_paired].max() == 0
    assert set(board_class[(most_in_suit == 1) & is_paired]) == {0, 1}
    assert board_class[most_in_suit == 3].min() == 2


def test_the_river_has_no_spread():
    river = np.zeros((134_459, NUM_HANDS), dtype=np.uint16)
    with pytest.raises(ValueError, match="no spread"):
        _native.GridBuckets(3, river, river, 2, 2, 2, 1)
