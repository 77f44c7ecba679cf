"""Seatings of duplicate matches."""

from itertools import permutations

import numpy as np
import pytest

from nashgap.arena.duplicate import duplicate_seatings


@pytest.mark.parametrize("num_agents", [2, 3, 4])
def test_few_agents_sit_in_all_orders(num_agents):
    seatings = duplicate_seatings(num_agents, seed=1, first_match=0, num_matches=9)
    assert seatings.shape[0] == 1
    assert sorted(map(tuple, seatings[0].tolist())) == sorted(permutations(range(num_agents)))


@pytest.mark.parametrize("num_agents", [5, 6, 10])
def test_many_agents_sit_in_every_seat_once_a_deal(num_agents):
    seatings = duplicate_seatings(num_agents, seed=1, first_match=0, num_matches=20)
    assert seatings.shape == (20, num_agents, num_agents)
    everybody = np.arange(num_agents)
    assert (np.sort(seatings, axis=1) == everybody[None, :, None]).all()  # each seat has everybody once
    assert (np.sort(seatings, axis=2) == everybody).all()  # each seating has everybody once
    assert len({tuple(order) for order in seatings[:, 0].tolist()}) > 15


def test_drawn_orders_belong_to_the_deal_not_to_the_batch():
    whole = duplicate_seatings(6, seed=4, first_match=0, num_matches=10)
    assert (duplicate_seatings(6, seed=4, first_match=7, num_matches=3) == whole[7:]).all()
    assert (duplicate_seatings(6, seed=5, first_match=0, num_matches=10) != whole).any()
