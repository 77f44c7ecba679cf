"""Answers of somebody's own strategy are held to the state."""

import numpy as np
import pytest

from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import AgentError
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.notation import parse_state
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.strategies.check_policy import check_policies, check_policy

HUNL = load_rules("hunl")
FLOP = parse_state("r300c/r600", "|/AhKd2c", HUNL)[0]
NAMES = hand_names(HUNL)


def policy(moves, rows, actions=(), hands=NAMES):
    return Policy(hands, actions, rows, moves)


def rows(*row):
    return np.tile(np.array(row, np.float64), (1326, 1))


def test_a_sound_policy_is_normalised_and_blocked_hands_are_zeroed():
    given = rows(0.25, 0.75) * (1 + 5e-5)
    given[NAMES.index("AhAd")] = 7.0
    checked = check_policy(policy((FOLD, CALL), given), FLOP)
    is_possible = possible_hands(FLOP)
    assert is_possible.sum() == 49 * 48 // 2
    np.testing.assert_allclose(checked.probabilities[is_possible], rows(0.25, 0.75)[is_possible], rtol=1e-14)
    assert not checked.probabilities[~is_possible].any()
    assert checked.actions == ("f", "c")
    assert given[NAMES.index("AhAd"), 0] == 7.0, "the bot's own array is left alone"


def test_names_alone_are_enough():
    checked = check_policy(policy((), [[0.5, 0.25, 0.25]], ("c", "r1200", "r1201..20000")), FLOP)
    assert checked.moves == (CALL, 1200, RaiseRange(1201, 20000))
    assert checked.ignores_hands


WRONG_ROW = rows(0.5, 0.5)
WRONG_ROW[NAMES.index("QsQh")] = [0.5, 0.4]
NEGATIVE = rows(0.5, 0.5)
NEGATIVE[3] = [1.5, -0.5]
INFINITE = rows(0.5, 0.5)
INFINITE[NAMES.index("AhAd")] = [np.nan, 0.5]  # also where the hand cannot be held


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (policy((FOLD, CALL), WRONG_ROW), r"row \d+, hand QsQh: the probabilities 0.5, 0.4 do not add up to 1"),
        (policy((FOLD, CALL), NEGATIVE), r"row 4, hand 2s2c: the probabilities 1.5, -0.5 are not all 0 or more"),
        (policy((FOLD, CALL), INFINITE), r"hand AhAd: the probabilities nan, 0.5 are not all finite"),
        (policy((FOLD, CALL), [[0.5, 0.4]]), "the row of all hands: the probabilities 0.5, 0.4 do not add up to 1"),
        (policy((FOLD, CALL), rows(1.0)), r"shape 1326 x 1; hands x actions, 1326 x 2, or one row"),
        (policy((FOLD, CALL), [0.5, 0.5]), r"shape 2; hands x actions"),
        (policy((FOLD, CALL), "half"), "are no table of numbers"),
        (policy((FOLD, CALL), [[1e308, 1e308]]), "do not add up to 1"),
        (policy((FOLD, 800), rows(0.5, 0.5)), r"'r800' is not legal; legal: fold, call, raise to 900"),
        (policy((FOLD, RaiseRange(100, 2000)), rows(0.5, 0.5)), r"'r100..2000' is not legal"),
        (policy((CALL, CALL), rows(0.5, 0.5)), r"actions 'c' and 'c' overlap"),
        (policy((1200, RaiseRange(1000, 2000)), rows(0.5, 0.5)), r"'r1000..2000' and 'r1200' overlap"),
        (policy((True, CALL), rows(0.5, 0.5)), "move True is no action"),
        (policy((), rows(1.0), ("raise",)), "action 'raise' is no action; actions are f, c, r600"),
        (policy((), rows(1.0), ("r",)), "'r' is no action"),
        (policy((), rows(1.0)), "no actions; legal: fold, call"),
        (policy((CALL,), rows(1.0), ("f", "c")), "1 moves have 2 names"),
        (
            policy((CALL,), rows(1.0), hands=NAMES[::-1]),
            "1326 hands; the game's 1326, 2d2c to AsAh, are needed in their order",
        ),
        ("call", "answers a str, not a Policy"),
    ],
)
def test_nonsense_is_told_with_its_state(given, message):
    with pytest.raises(AgentError, match=message) as refused:
        check_policy(given, FLOP, "mybot")
    assert str(refused.value).startswith("mybot after 'r300c/r600' on board AhKd2c, on the button: ")
    assert "\n" not in str(refused.value)


def test_folding_for_free_is_no_action():
    free = parse_state("r300c/", "|/AhKd2c", HUNL)[0]
    with pytest.raises(AgentError, match="'f' is not legal; legal: check, raise to"):
        check_policy(policy((FOLD, CALL), rows(0.5, 0.5)), free)


def test_every_state_needs_an_answer():
    with pytest.raises(AgentError, match="mybot answers 0 policies for 1 states"):
        check_policies([], [FLOP], "mybot")
    with pytest.raises(AgentError, match="mybot answers a NoneType for 1 states"):
        check_policies(None, [FLOP], "mybot")
