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
        ("lhe2", LIMIT, ":", Response(0, True)),
        ("lhe2", LIMIT, "", Response(0, True)),
        ("lhe2", LIMIT, "c", Response(0, True)),
        ("lhe2", LIMIT, ":x", Response(0, True)),
        ("hunl", NO_LIMIT, ":r500", Response(500, False)),
        ("hunl", NO_LIMIT, ":r499", Response(500, True)),
        ("hunl", NO_LIMIT, ":r-5", Response(500, True)),
        ("hunl", NO_LIMIT, ":r20001", Response(20000, True)),
        ("hunl", NO_LIMIT, ":r" + "9" * 60_000, Response(20000, True)),
        ("hunl", NO_LIMIT, ":r", Response(0, True)),
        ("hunl", NO_LIMIT, ":r\u0663\u0660\u0660", Response(0, True)),
        ("hunl", NO_LIMIT, ":c\ud800", Response(0, False)),
        ("hunl", NO_LIMIT, ":raise", Response(0, True)),
        ("hunl", NO_LIMIT, ":r+-600", Response(0, True)),
    ],
)
def test_an_answer_is_read_or_mended(game, asked, answer, response):
    state = parse_match_state(asked, load_rules(game)).state
    assert parse_response(asked + answer, asked, state) == response


# What the competition's dealer did when it was given these answers to the first state of a hand.
@pytest.mark.parametrize(
    ("game", "answer", "action"),
    [
        *[
            ("hunl", raised, 300)
            for raised in ("R300", "b300", "B300", "r 300", "r+300", "r0300", "r300r400", "r300 x")
        ],
        *[("hunl", folded, -1) for folded in ("f", "F", "fold")],
        *[("hunl", called, 0) for called in ("k", "K", "C", "check", "c c")],
        *[("lhe2", raised, 20) for raised in ("R", "b", "B", "raise", "r300")],
        ("lhe2", "k", 0),
    ],
)
def test_an_answer_may_be_written_as_the_competition_s_dealer_takes_it(game, answer, action):
    asked = "MATCHSTATE:1:0::|8dJd"
    state = parse_match_state(asked, load_rules(game)).state
    assert parse_response(f"{asked}:{answer}", asked, state) == Response(action, False)


@pytest.mark.parametrize(
    "line",
    [
        "MATCHSTATE:1:3:cc/r300c/c:|8dJd/AhKd2c/3s",
        "MATCHSTATE:1:3:cc/r300c/c:|8DjD/aHKD2c/3S",
        "MATCHSTATE:1:3:CK/b 300C/c:|8dJd/AhKd2c/3s",
        "MATCHSTATE: 1: 003:ccr300cc/:|8dJd/AhKd2c/3s",
        "MATCHSTATE:1:3:cc/r300c/c:2c2d|8dJd/AhKd2c/3s",
        "MATCHSTATE:1:3:cc/r300c/c:|8dJdAhKd2c3s",
    ],
)
def test_a_state_may_be_written_as_the_competition_s_dealer_takes_it(line):
    asked = "MATCHSTATE:1:3:cc/r300c/c:|8dJd/AhKd2c/3s"
    state = parse_match_state(asked, load_rules("hunl")).state
    assert parse_response(f"{line}:r600", asked, state) == Response(600, False)
    assert parse_response(line, asked, state) == Response(0, True)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "c",
        "MATCHSTATE:0:2:r:8dJd|:c",
        "MATCHSTATE:1:3:r:8dJd|:c",
        "matchstate:0:3:r:8dJd|:c",
        " MATCHSTATE:0:3:r:8dJd|:c",
        "MATCHSTATE:0:3:rc/:8dJd|:c",
        "MATCHSTATE:0:3::8dJd|:c",
        "MATCHSTATE:0:3:r:8dJc|:c",
        "MATCHSTATE:0:3:r:8d|:c",
        "MATCHSTATE:0:3:r:|8dJd:c",
        "MATCHSTATE:0:3:r8dJd|:c",
        "MATCHSTATE:0:3:r",
        "MATCHSTATE:0",
        "MATCHSTATE:",
    ],
)
def test_an_answer_to_another_state_is_none(line):
    state = parse_match_state(LIMIT, load_rules("lhe2")).state
    assert parse_response(line, LIMIT, state) is None


def test_greetings_and_comments():
    """As the competition's dealer takes and refuses them; it says that it speaks another version, and plays on."""
    greetings = ["VERSION:2.0.0", "VERSION:2.0.1 ", "VERSION:1.0.0", "VERSION:3.7.9", "VERSION: 2. 0. 0"]
    assert all(map(is_version, [*greetings, "VERSION:2.0.0 hello", "VERSION:2.0.0.7", "VERSION:+2.-1.0"]))
    assert not any(
        map(is_version, ["VERSION:2.0", "VERSION:2.0.", "version:2.0.0", "", "xVERSION:2.0.0", " VERSION:2.0.0"])
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
