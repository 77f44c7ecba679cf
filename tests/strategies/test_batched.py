"""Functions over batches as strategies."""

import numpy as np
import pytest

from nashgap.errors import AgentError, ConfigError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.strategies.batched import BatchedStrategy
from nashgap.strategies.check_bot import check_bot, sample_states

HUNL, LHE2 = load_rules("hunl"), load_rules("lhe2")
ACTIONS = ("f", "c", "min", "0.5", "1", "a")


def test_it_keeps_to_the_batch_size():
    sizes = []

    def answer(states):
        sizes.append(len(states))
        return np.ones((len(states), 1326, len(ACTIONS)))

    states = sample_states(HUNL, 50, np.random.default_rng(1))
    assert len(BatchedStrategy(ACTIONS, answer, batch_size=20).policies(states)) == 50
    assert sizes == [20, 20, 10]


@pytest.mark.parametrize("rules", [HUNL, LHE2], ids=lambda rules: rules.name)
def test_its_actions_are_those_of_the_betting_abstraction(rules):
    strategy = BatchedStrategy(ACTIONS, lambda states: [np.ones((1, len(ACTIONS)))] * len(states))
    states = sample_states(rules, 100, np.random.default_rng(2))
    kept = parse_betting_abstraction("min,0.5,1,a" if rules.has_sizes else "full")
    for state, policy in zip(states, strategy.policies(states), strict=True):
        assert sorted(policy.moves) == sorted(kept.actions(state))
    assert check_bot(strategy, rules, num_states=40).problem is None


def test_weights_of_what_is_the_same_are_added_and_what_is_not_legal_is_dropped():
    weights = np.array([[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]])
    strategy = BatchedStrategy(ACTIONS, lambda states: [weights] * len(states))
    limped = HUNL.root().act(CALL)  # no fold; the smallest raise is by half the pot
    called = HUNL.root().act(20_000)  # no raise
    first, second = strategy.policies([limped, called])
    taken = dict(zip(first.moves, first.probabilities[0].tolist(), strict=True))
    assert taken == pytest.approx({CALL: 2 / 62, 200: 12 / 62, 300: 16 / 62, 20_000: 32 / 62})
    assert dict(zip(second.moves, second.probabilities[0].tolist(), strict=True)) == pytest.approx(
        {CALL: 2 / 3, FOLD: 1 / 3}
    )


def test_a_hand_with_nothing_legal_calls():
    strategy = BatchedStrategy(("a",), lambda states: [np.ones((1, 1))] * len(states))
    (policy,) = strategy.policies([HUNL.root().act(20_000)])
    assert (policy.moves, policy.probabilities.tolist()) == ((CALL,), [[1.0]])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda states: [], "0 arrays for 1 states"),
        (lambda states: [np.ones((1326, 2))], r"weights of shape \(1326, 2\); \(1326, 6\) or \(1, 6\) is needed"),
        (lambda states: [-np.ones((1326, 6))], "weights must be finite and 0 or more"),
        (lambda states: [np.full((1326, 6), np.nan)], "weights must be finite and 0 or more"),
    ],
)
def test_nonsense_is_refused(answer, message):
    with pytest.raises(AgentError, match=message):
        BatchedStrategy(ACTIONS, answer).policies([HUNL.root()])


@pytest.mark.parametrize("actions", [(), ("c", "c"), ("c", "raise"), ("-1",), ("1/0",)])
def test_actions_are_checked(actions):
    with pytest.raises(ConfigError, match=r"^actions? "):
        BatchedStrategy(actions, lambda states: [])
    with pytest.raises(ConfigError, match="batch_size = 0"):
        BatchedStrategy(("c",), lambda states: [], batch_size=0)
