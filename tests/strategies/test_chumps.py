"""What chumps say they do is what the engine's chumps do."""

from collections import Counter

import numpy as np
import pytest

from nashgap import _native
from nashgap.core.strategy import RaiseRange
from nashgap.errors import ConfigError
from nashgap.poker.notation import parse_state
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.strategies import chumps
from nashgap.strategies.chumps import Chump

HUNL, LHE3 = load_rules("hunl"), load_rules("lhe3")
SHORT = parse_rules(
    "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nblind = 2 1\nstack = 6 6\nfirstPlayer = 2\nnumSuits = 4\n"
    "numRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\nEND GAMEDEF"
)
STATES = [
    SHORT.root(),  # fold, call, raises to 4, 5 and 6
    SHORT.root().act(CALL),  # a free check
    SHORT.root().act(6),  # no raise
    SHORT.root().act(5),  # one raise
    LHE3.root(),
    parse_state("rrr", "||", LHE3)[0],  # capped
    parse_state("r300c/", "|/AhKd2c", HUNL)[0],
    parse_state("r15000", "|", HUNL)[0],  # a raise by the pot would be more than the stack
]
ALL = [
    chumps.always_fold(),
    chumps.always_call(),
    chumps.always_raise(),
    chumps.probe(),
    chumps.half_call_half_raise(),
    chumps.random(),
    chumps.triple(0.2, 0.3, 0.5),
    Chump("all-in", fold=0.5, raising=0.5, size="all-in"),
    Chump("kinds", kind="random-kind"),
]


def groups(policy):
    """The probability of each action; of raises in a range, all together."""
    return dict(zip(policy.moves, policy.probabilities[0].tolist(), strict=True))


@pytest.mark.parametrize("chump", ALL, ids=lambda chump: chump.name)
def test_the_engine_does_what_the_policy_says(chump):
    """4,000 draws in each state: within 4.5 standard deviations (at most 32) for each action, of a range all in one."""
    player, draws = chump.native, 4_000
    for number, state in enumerate(STATES):
        policy = chump.policies([state])[0]
        assert policy.probabilities.shape == (1, len(policy.moves))
        assert policy.probabilities.sum() == pytest.approx(1, abs=1e-12)
        hole_cards = [1, 5]
        stream = _native.Stream(11, 3, number, 0)
        counts = Counter(player.act(state.native, hole_cards, stream) for _ in range(draws))
        for move, probability in groups(policy).items():
            taken = sum(counts.pop(action, 0) for action in list(counts) if action == move or _is_in(action, move))
            assert taken == pytest.approx(
                draws * probability, abs=4.5 * (draws * probability * (1 - probability)) ** 0.5
            )
        assert not counts, f"{chump.name} {policy.actions}: {counts}"


def _is_in(action, move):
    return isinstance(move, RaiseRange) and action in move


def test_sizes_within_a_range_are_equally_likely():
    policy = chumps.random().policies([SHORT.root()])[0]
    assert policy.actions == ("f", "c", "r4..6")
    assert groups(policy) == pytest.approx({FOLD: 0.2, CALL: 0.2, RaiseRange(4, 6): 0.6})
    stream, player = _native.Stream(1, 2, 3, 4), chumps.random().native
    counts = Counter(player.act(SHORT.root().native, [0, 4], stream) for _ in range(10_000))
    assert all(abs(counts[size] - 2_000) < 160 for size in (4, 5, 6))  # four standard deviations


def test_one_size_is_no_range():
    assert groups(chumps.half_call_half_raise().policies([SHORT.root().act(5)])[0]) == {CALL: 0.5, 6: 0.5}
    assert chumps.random().policies([LHE3.root()])[0].actions == ("f", "c", "r")


def test_what_is_not_legal_goes_to_the_call():
    triple = chumps.triple(0.2, 0.3, 0.5)
    free, capped = triple.policies([SHORT.root().act(CALL), parse_state("rrr", "||", LHE3)[0]])
    assert groups(free)[CALL] == pytest.approx(0.5) and FOLD not in free.moves
    assert groups(capped) == pytest.approx({FOLD: 0.2, CALL: 0.8})


def test_one_row_stands_for_all_hands():
    policy = chumps.probe().policies([HUNL.root()])[0]
    assert policy.ignores_hands and len(policy.hands) == 1326
    np.testing.assert_array_equal(policy.row(1000), [0.5, 0.5])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"fold": 0.5}, "three probabilities that add up to 1"),
        ({"call": 1.0, "size": "half"}, "size = 'half'; it must be one of pot, uniform, all-in"),
        ({"kind": "mixed"}, "kind = 'mixed'; it must be one of triple, random, random-kind"),
        ({"kind": "random", "call": 1.0}, "three probabilities"),
    ],
)
def test_a_wrong_chump_is_refused(fields, message):
    with pytest.raises(ConfigError, match=message):
        Chump("x", **fields)
