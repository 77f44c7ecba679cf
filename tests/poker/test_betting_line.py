"""Betting as players tell it."""

import pytest

from nashgap.errors import IllegalActionError
from nashgap.poker.betting_line import SIZE_CLASSES, line_text, line_words, read_line, size_words
from nashgap.poker.rules import load_rules


@pytest.mark.parametrize(
    ("game", "betting", "line"),
    [
        ("hunl", "cc/cc/cc/cc", "cx/xx/xx/xx"),
        ("hunl", "r300c/cr900f", "r100c/xb100f"),  # 300 adds 200 to the call, which makes the pot 200
        ("hunl", "f", "f"),
        ("hunl", "r000000000000300f", "r100f"),
        ("hunl", "cr20000c///", "cac"),
        ("hunl", "r300c/r500c/r650r1150c/cc", "r100c/b25c/b25r50c/xx"),
        ("hunl", "cc/r200c/r350f", "cx/b50c/b50f"),  # 150 into 400: between a quarter and a half
        ("hunl", "cc/r1100f", "cx/b400f"),
        ("hunl", "cc/r500f", "cx/b200f"),
        ("hunl", "cc/r260f", "cx/b75f"),
        ("lhe2", "rrc/rc/crc/cc", "rrc/bc/xbc/xx"),
        ("leduc2", "cr", "xb"),
        ("leduc2", "crc/rrc", "xbc/brc"),
        ("nlhe3", "fcc/cc/cc/cc", "fcx/xx/xx/xx"),
    ],
)
def test_lines_group_their_sizes(game, betting, line):
    assert line_text(read_line(load_rules(game), betting)) == line


def test_words_say_who_did_what():
    steps = read_line(load_rules("hunl"), "r300c/cr450r20000c//")
    names = ["LBR", "bot"]
    assert line_words([step for step in steps if step.round == 0], names) == "bot raises pot, LBR calls"
    assert line_words([step for step in steps if step.round == 1], names) == (
        "LBR checks, bot bets 1/4 pot, LBR goes all-in, bot calls"
    )
    assert [step.is_aggressive for step in steps] == [True, False, False, True, True, False]
    assert [size_words(size) for size in SIZE_CLASSES][-2:] == ["4x pot or more", "all-in"]


def test_a_raise_of_thousands_of_digits_is_not_legal():
    with pytest.raises(IllegalActionError, match="is not legal"):
        read_line(load_rules("hunl"), "r" + "9" * 5000)
