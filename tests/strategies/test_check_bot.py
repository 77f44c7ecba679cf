"""The checker finds what is wrong with a bot."""

from collections import Counter

import numpy as np
import pytest

from nashgap.core.strategy import Policy
from nashgap.poker.hands import hand_names
from nashgap.poker.rules import load_rules
from nashgap.strategies.check_bot import check_bot, sample_states
from nashgap.strategies.load import load

HUNL = load_rules("hunl")


class Caller:
    """Calls; what it does beside is the function's, given the number of the state in its batch and in all."""

    name = "caller"
    is_sampled = False

    def __init__(self, weight=lambda place, number: 1.0):
        self.weight = weight
        self.number = 0

    def policies(self, states):
        answers = []
        for place, state in enumerate(states):
            self.number += 1
            share = self.weight(place, self.number)
            moves = ("c", f"r{state.legal.max_raise_to}") if state.legal.can_raise else ("c",)
            rows = [[share, 1 - share]] if state.legal.can_raise else [[1.0]]
            answers.append(Policy(hand_names(state.rules), moves, rows))
        return answers


@pytest.mark.parametrize("game", ["hunl", "lhe3", "leduc2", "kuhn3"])
def test_states_are_different_and_of_all_rounds_and_seats(game):
    rules = load_rules(game)
    states = sample_states(rules, 120, np.random.default_rng(0))
    assert len(set(states)) == len(states) <= 120
    places = Counter((state.round, state.seat) for state in states)
    assert set(places) == {(n, seat) for n in range(rules.num_rounds) for seat in range(rules.num_seats)}
    if game == "hunl":
        assert set(places.values()) == {15}
        assert any(not state.legal.can_raise for state in states), "facing an all-in"
        assert any("r200" in state.betting for state in states), "the smallest raise"
    assert states == sample_states(rules, 120, np.random.default_rng(0))


def test_a_sound_bot_passes():
    found = check_bot(Caller(), HUNL, num_states=60)
    assert found.is_sound
    assert (found.num_states, sum(found.states_by_round), found.largest_num_actions) == (60, 60, 2)
    assert found.share_ignoring_hands == 1.0 and found.largest_difference == 0.0
    assert found.seconds_per_state > 0 and found.seconds_alone > 0


@pytest.mark.parametrize(
    "weight",
    [lambda place, number: 1 / number, lambda place, number: 1.0 if place < 5 else 0.9],
    ids=["remembers", "looks at the batch"],
)
def test_a_bot_that_is_not_pure_is_found(weight):
    found = check_bot(Caller(weight), HUNL, num_states=60)
    assert "asked twice, its answers differ by up to" in found.problem


def test_rounding_is_no_impurity():
    found = check_bot(Caller(lambda place, number: 1 - 1e-7 * (number % 3)), HUNL, num_states=60)
    assert found.is_sound
    assert 0 < found.largest_difference < 1e-6


def test_a_wrong_answer_is_told_with_its_state():
    found = check_bot(Caller(lambda place, number: -1.0), HUNL, num_states=60)
    assert "the row of all hands: the probabilities -1, 2 are not all 0 or more" in found.problem


def test_samples_are_asked_by_seed():
    class Sampler:
        name = "sampler"
        is_sampled = True

        def sample_policies(self, states, seed):
            return Caller(lambda place, number: float(place % 2)).policies(states)

    assert check_bot(Sampler(), HUNL, num_states=60).is_sound


@pytest.mark.parametrize("game", ["hunl", "lhe3", "leduc2", "kuhn2"])
@pytest.mark.parametrize("name", ["random", "always-raise", "half-call-half-raise"])
def test_chumps_pass(name, game):
    rules = load_rules(game)
    assert check_bot(load(name, rules), rules, num_states=40).problem is None
