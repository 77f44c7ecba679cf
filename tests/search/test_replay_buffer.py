"""What a network learns from: how long decisions stay, and how they are drawn."""

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.search.replay_buffer import Decisions, ReplayBuffer

COLUMNS = {"infoset": np.empty(0, np.int64), "share": np.empty((0, 2), np.float32)}


def decisions(*infosets: int) -> Decisions:
    return {"infoset": np.array(infosets), "share": np.full((len(infosets), 2), 0.5, np.float32)}


def drawn(buffer: ReplayBuffer, number: int, seed: int = 0) -> list[int]:
    return sorted(buffer.sample(number, np.random.default_rng(seed))["infoset"].tolist())


def test_the_oldest_leave_first():
    buffer = ReplayBuffer(COLUMNS, most=4, most_samples=30)
    buffer.add(decisions(1, 2, 3))
    buffer.add(decisions(4, 5))
    assert len(buffer) == 4
    assert drawn(buffer, 10) == [2, 3, 4, 5]
    buffer.add(decisions(6, 7, 8, 9, 10, 11))
    assert drawn(buffer, 10) == [8, 9, 10, 11]


def test_a_decision_is_drawn_so_often_and_no_more():
    buffer = ReplayBuffer(COLUMNS, most=10, most_samples=3)
    buffer.add(decisions(1, 2))
    for seed in range(3):
        assert drawn(buffer, 2, seed) == [1, 2]
    assert len(buffer) == 0
    assert drawn(buffer, 2) == []
    buffer.add(decisions(3))
    assert drawn(buffer, 2) == [3]


def test_what_is_used_up_makes_room_before_the_oldest_goes():
    buffer = ReplayBuffer(COLUMNS, most=3, most_samples=1)
    buffer.add(decisions(1, 2, 3))
    used = drawn(buffer, 1)
    buffer.add(decisions(4))
    assert drawn(buffer, 3) == sorted({1, 2, 3, 4} - set(used))


def test_all_are_drawn_alike_and_none_twice_in_a_batch():
    buffer = ReplayBuffer(COLUMNS, most=100, most_samples=10_000)
    buffer.add(decisions(*range(10)))
    generator = np.random.default_rng(5)
    batches = [buffer.sample(4, generator)["infoset"] for _ in range(2_000)]
    assert all(len(set(batch)) == 4 for batch in batches)
    counts = np.bincount(np.concatenate(batches), minlength=10)
    # 2,000 draws with probability 0.4 each: five standard deviations are 110.
    assert np.abs(counts - 800).max() < 110


def test_what_is_restored_draws_the_same():
    buffer, other = ReplayBuffer(COLUMNS, most=50, most_samples=2), ReplayBuffer(COLUMNS, most=50, most_samples=2)
    buffer.add(decisions(*range(40)))
    drawn(buffer, 25)
    other.restore(buffer.state())
    for number in (1, 2):
        assert drawn(buffer, 30, number) == drawn(other, 30, number)
        assert len(buffer) == len(other)
        buffer.add(decisions(100, 101))
        other.add(decisions(100, 101))


@pytest.mark.parametrize(("most", "most_samples"), [(0, 1), (1, 0), (2.5, 1)])
def test_impossible_sizes_are_refused(most, most_samples):
    with pytest.raises(ConfigError, match="both must be whole numbers, 1 or more"):
        ReplayBuffer(COLUMNS, most=most, most_samples=most_samples)
