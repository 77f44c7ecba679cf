"""Actions of strategies as text."""

import pytest

from nashgap.core.strategy import RaiseRange
from nashgap.errors import IllegalActionError
from nashgap.poker.moves import move_text, parse_move, raise_move
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD

HUNL, LHE2 = load_rules("hunl"), load_rules("lhe2")


@pytest.mark.parametrize(
    ("text", "move"), [("f", FOLD), ("c", CALL), ("r200", 200), ("r200..20000", RaiseRange(200, 20_000))]
)
def test_text_and_move_are_the_same(text, move):
    assert parse_move(text, HUNL.root()) == move
    assert move_text(HUNL, move) == text


def test_a_raise_in_limit_needs_no_size():
    assert parse_move("r", LHE2.root()) == parse_move("r20", LHE2.root()) == 20
    assert move_text(LHE2, 20) == "r"
    capped = LHE2.root().act(20).act(30).act(40)
    with pytest.raises(IllegalActionError, match="'r' is not legal; legal: fold, call"):
        parse_move("r", capped)


def test_a_range_of_one_is_a_raise():
    assert parse_move("r300..300", HUNL.root()) == raise_move(300, 300) == 300


@pytest.mark.parametrize("text", ["", "x", "r", "r-200", "r2e3", "r200..", "c0", "r12345678901", "R200", "r 200"])
def test_other_text_is_no_action(text):
    with pytest.raises(IllegalActionError, match="is no action; actions are f, c, r600 or"):
        parse_move(text, HUNL.root())


@pytest.mark.parametrize("text", ["r100", "r20001", "r100..300", "r300..20001", "r500..300", "r0", "r0..300"])
def test_sizes_that_are_not_legal_are_refused(text):
    with pytest.raises(IllegalActionError, match=r"is not legal; legal: fold, call, raise to 200 to 20000"):
        parse_move(text, HUNL.root())


def test_a_range_knows_its_sizes():
    sizes = RaiseRange(4, 6)
    assert len(sizes) == 3 and 4 in sizes and 6 in sizes and 7 not in sizes
