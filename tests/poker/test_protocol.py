import pytest

from nashgap.poker.notation import parse_match_state
from nashgap.poker.protocol import (
    Response,
    is_comment,
    is_version,
    parse_response,
    shown_cards,
)
from nashgap.poker.rules import load_rules

LIMIT = "MATCHSTATE:0:3:r:8dJd|"
NO_LIMIT = "MATCHSTATE:0:3:r300:8dJd|"


@pytest.mark.parametrize(
    ("game", "asked", "answer", "response"),
    [
        ("lhe2", LIMIT, ":c", Response(0, False)),
        ("lhe2", LIMIT, ":f", Response(-1, False)),
        ("lhe2", LIMIT, ":r", Response(30, False)),
        ("lhe2", LIMIT, ":r30", Response(30, False)),
        ("lhe2", LIMIT, ":c ", Response(0, False)),
        ("lhe2", LIMIT, ":raise", Response(0, True)),
        ("lhe2", LIMIT, ":", Response(0, True)),
        ("lhe2", LIMIT, "", None),
        ("lhe2", LIMIT, "c", None),
        ("hunl", NO_LIMIT, ":r500", Response(500, False)),
        ("hunl", NO_LIMIT, ":r499", Response(500, True)),
        ("hunl", NO_LIMIT, ":r20001", Response(20000, True)),
        ("hunl", NO_LIMIT, ":r" + "9" * 60_000, Response(20000, True)),
        ("hunl", NO_LIMIT, ":r", Response(0, True)),
        ("hunl", NO_LIMIT, ":r\u0663\u0660\u0660", Response(0, True)),
    ],
)
def test_an_answer_is_read_or_mended(game, asked, answer, response):
    state = parse_match_state(asked, load_rules(game)).state
    assert parse_response(asked + answer, asked, state) == response


@pytest.mark.parametrize("line", ["", "c", "MATCHSTATE:0:2:r:8dJd|:c", "MATCHSTATE:1:3:r:8dJd|:c", LIMIT[:-1] + ":c"])
def test_an_answer_to_another_state_is_none(line):
    state = parse_match_state(LIMIT, load_rules("lhe2")).state
    assert parse_response(line, LIMIT, state) is None


def test_greetings_and_comments():
    assert is_version("VERSION:2.0.0")
    assert is_version("VERSION:2.0.1 ")
    assert not any(
        map(is_version, ["VERSION:1.0.0", "VERSION:2.1.0", "VERSION:2.0.", "version:2.0.0", "", "xVERSION:2.0.0"])
    )
    assert is_comment("# x")
    assert is_comment(";x")
    assert not is_comment("MATCHSTATE")


def test_at_a_showdown_everybody_who_did_not_fold_is_seen():
    rules = load_rules("lhe3")
    text = "MATCHSTATE:0:0:fcc/cc/cc/cc:8dJd|AsAh|2c3c/6s3d6c/2h/Qc"
    state = parse_match_state(text, rules)
    shown = shown_cards(state.state, state.hole_cards, 0)
    assert shown == (state.hole_cards[0], state.hole_cards[1], None)
    assert shown_cards(state.state, state.hole_cards, 2) == state.hole_cards
    assert state.state.payoffs(shown) == (-10.0, 10.0, 0.0)
