"""Chumps: agents that do not look at their cards."""

from collections import Counter

import numpy as np
import pytest

from nashgap.agents.named import agent_of
from nashgap.errors import ConfigError
from nashgap.poker.notation import parse_match_state
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.poker.state import CALL, FOLD, View
from nashgap.strategies import chumps
from nashgap.strategies.chumps import Chump

LHE3, HUNL = load_rules("lhe3"), load_rules("hunl")


def view(text, rules):
    """The view of the seat to act."""
    state = parse_match_state(text, rules)
    return View(state.state, state.seat, state.hole_cards[state.seat])


def answers(chump: Chump, seen: View, number: int = 1, seed: int = 0) -> Counter:
    agent = agent_of(chump)
    agent.start_match(seen.rules)
    counts: Counter = Counter()
    for hand in range(number):
        agent.start_hand(seen.seat, np.random.Generator(np.random.Philox(key=[seed, 7], counter=[0, hand, 0, 0])))
        counts[agent.act(seen)] += 1
    return counts


FACING_A_BET = view("MATCHSTATE:2:0::||7hAd", LHE3)  # the button before the flop: 10 to call
FREE_CHECK = view("MATCHSTATE:1:0:cc:|Kd5c|", LHE3)  # the big blind after two calls
CAPPED = view("MATCHSTATE:0:0:rrr:8s2h||", LHE3)


def test_always_fold_folds_but_never_for_free():
    assert answers(chumps.always_fold(), FACING_A_BET) == {FOLD: 1}
    assert answers(chumps.always_fold(), FREE_CHECK) == {CALL: 1}


def test_always_call_calls_and_checks():
    assert answers(chumps.always_call(), FACING_A_BET) == {CALL: 1}
    assert answers(chumps.always_call(), FREE_CHECK) == {CALL: 1}


def test_always_raise_raises_until_the_cap():
    assert answers(chumps.always_raise(), FACING_A_BET) == {20: 1}
    assert answers(chumps.always_raise(), CAPPED) == {CALL: 1}


def test_always_raise_raises_by_the_pot_without_limit():
    """Blinds 50 and 100: calling makes the pot 200, and 200 more on top of 100 is 300."""
    assert answers(chumps.always_raise(), view("MATCHSTATE:1:0::|Kd5c", HUNL)) == {300: 1}


def test_a_pot_raise_ends_at_the_stack():
    assert answers(chumps.always_raise(), view("MATCHSTATE:0:0:r15000:8s2h|", HUNL)) == {20_000: 1}


def test_probe_calls_and_raises_equally_often():
    """5,000 +- 4 standard deviations of 50."""
    counts = answers(chumps.probe(), FACING_A_BET, 10_000)
    assert set(counts) == {CALL, 20}
    assert abs(counts[CALL] - 5_000) < 200


def test_triple_keeps_its_probabilities():
    """Each within 4 standard deviations (at most 50) of 10,000 draws."""
    counts = answers(chumps.triple(0.2, 0.3, 0.5), FACING_A_BET, 10_000)
    assert abs(counts[FOLD] - 2_000) < 200
    assert abs(counts[CALL] - 3_000) < 200
    assert abs(counts[20] - 5_000) < 200


def test_triple_gives_what_is_not_legal_to_the_call():
    assert set(answers(chumps.triple(0.2, 0.3, 0.5), FREE_CHECK, 200)) == {CALL, 20}
    assert set(answers(chumps.triple(0.2, 0.3, 0.5), CAPPED, 200)) == {FOLD, CALL}


@pytest.mark.parametrize("parts", [(0.5, 0.5, 0.5), (-0.1, 0.6, 0.5), (2, -1, 0)])
def test_triple_refuses_what_are_no_probabilities(parts):
    with pytest.raises(ConfigError, match="three probabilities that add up to 1 are needed"):
        chumps.triple(*parts)


SHORT = parse_rules(
    "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nblind = 2 1\nstack = 6 6\nfirstPlayer = 2\nnumSuits = 4\n"
    "numRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\nEND GAMEDEF"
)


def test_random_takes_every_size_equally_often():
    """Fold, call and raises to 4, 5 and 6: five actions, 2,000 of 10,000 each, within 4 standard deviations of 40."""
    counts = answers(chumps.random(), view("MATCHSTATE:1:0::|Kd5c", SHORT), 10_000)
    assert set(counts) == {FOLD, CALL, 4, 5, 6}
    assert all(abs(count - 2_000) < 160 for count in counts.values())


def test_half_call_half_raise_takes_every_size_equally_often():
    counts = answers(chumps.half_call_half_raise(), view("MATCHSTATE:1:0::|Kd5c", SHORT), 12_000)
    assert set(counts) == {CALL, 4, 5, 6}
    assert abs(counts[CALL] - 6_000) < 220
    assert all(abs(counts[size] - 2_000) < 165 for size in (4, 5, 6))


def test_the_same_stream_gives_the_same_answers():
    first, second = (answers(chumps.random(), view("MATCHSTATE:1:0::|Kd5c", HUNL), 50, seed=3) for _ in range(2))
    assert first == second != answers(chumps.random(), view("MATCHSTATE:1:0::|Kd5c", HUNL), 50, seed=4)
