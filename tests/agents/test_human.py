"""What a person types becomes a legal action, or is answered with what is allowed."""

from itertools import pairwise

import pytest

from nashgap.agents.human import HumanAgent, LeaveTable, choices, help_lines, parse_answer
from nashgap.cards.card import parse_cards
from nashgap.errors import IllegalActionError
from nashgap.poker.notation import parse_state
from nashgap.poker.replay import chips_before_round, replay
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD, View

FLOP = "/TsJsQs"


def state_after(game, betting, board=""):
    rules = load_rules(game)
    return parse_state(betting, "|" * (rules.num_seats - 1) + board, rules)[0]


def asked(answers, state):
    """(action, what was said) of a person who types these answers."""
    answers, said = iter(answers), []
    agent = HumanAgent(lambda view, text: next(answers), said.append)
    return agent.act(View(state, state.seat, parse_cards("AsAd"))), said


@pytest.mark.parametrize(
    ("game", "betting", "board", "expected"),
    [
        ("lhe2", "", "", "[f]old  [c]all 5  [r]aise to 20"),
        ("lhe2", "c", "", "[c]heck  [r]aise to 20"),
        ("lhe2", "rc/", FLOP, "[c]heck  [b]et 10"),
        ("lhe2", "rc/r", FLOP, "[f]old  [c]all 10  [r]aise to 20"),
        ("lhe2", "rrr", "", "[f]old  [c]all 10"),
        ("hunl", "", "", "[f]old  [c]all 50  [r]aise to 200..20000"),
        ("hunl", "r300c/", FLOP, "[c]heck  [b]et 100..19700"),
        ("hunl", "r300c/r500", FLOP, "[f]old  [c]all 200  [r]aise to 400..19700"),
        ("hunl", "r20000", "", "[f]old  [c]all 19900"),
        ("kuhn2", "", "", "[c]heck  [b]et 1"),
        ("leduc2", "r", "", "[f]old  [c]all 2  [r]aise to 4"),
    ],
)
def test_choices_are_counted_by_the_round(game, betting, board, expected):
    assert choices(state_after(game, betting, board)) == expected


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("f", FOLD), ("Fold", FOLD), ("c", CALL), (" call ", CALL),
        ("r 400", 700), ("r400", 700), ("400", 700), ("raise to 1,000", 1300), ("b 19700", 20000), ("bet 400", 700),
        ("min", 700), ("r min", 700), ("allin", 20000), ("all in", 20000), ("all-in", 20000), ("r max", 20000),
        ("pot", 500 + 1000), ("half", 500 + 500), ("raise half", 500 + 500),
    ],
)  # fmt: skip
def test_sizes_of_no_limit(answer, action):
    """300 each before the flop, then a bet of 200: the pot with the call in it is 1000."""
    assert parse_answer(answer, state_after("hunl", "r300c/r500", FLOP)) == action


def test_pot_and_half_are_made_legal():
    behind = state_after("hunl", "r15000c/", FLOP)
    assert parse_answer("pot", behind) == 20000
    assert parse_answer("half", state_after("nlhe3", "")) == 225
    assert parse_answer("half", state_after("hunl", "cc/", FLOP)) == 200


def test_a_limit_raise_needs_no_size_and_accepts_the_right_one():
    state = state_after("lhe2", "rc/r", FLOP)
    assert [parse_answer(text, state) for text in ("r", "b", "raise", "20", "r 20", "pot", "allin")] == [40] * 7
    with pytest.raises(
        IllegalActionError, match=r"^40 is not allowed; allowed: \[f\]old  \[c\]all 10  \[r\]aise to 20$"
    ):
        parse_answer("r 40", state)


@pytest.mark.parametrize(
    ("game", "betting", "answer", "message"),
    [
        ("lhe2", "c", "f", "there is nothing to fold to; allowed: [c]heck  [r]aise to 20"),
        ("lhe2", "", "check", "it is 5 to call; allowed: [f]old  [c]all 5  [r]aise to 20"),
        ("lhe2", "", "x", "it is 5 to call; allowed: [f]old  [c]all 5  [r]aise to 20"),
        ("lhe2", "rrr", "r", "no raise is allowed any more; allowed: [f]old  [c]all 10"),
        ("hunl", "", "r", "to how much? allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
        ("hunl", "", "199", "199 is not allowed; allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
        ("hunl", "", "20001", "20001 is not allowed; allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
        ("hunl", "", "", "'' is not understood; allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
        ("hunl", "", "-300", "'-300' is not understood; allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
        ("hunl", "", "f c", "'f c' is not understood; allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
    ],
)
def test_what_is_not_legal_is_answered_with_what_is(game, betting, answer, message):
    with pytest.raises(IllegalActionError) as error:
        parse_answer(answer, state_after(game, betting))
    assert str(error.value) == message


@pytest.mark.parametrize("answer", ["9" * 5000, "r " + "9" * 13, "r ٣٠٠", "r\0", "rr 300", "x" * 10_000, "raise to"])
def test_nonsense_is_answered_in_one_short_line(answer):
    with pytest.raises(IllegalActionError) as error:
        parse_answer(answer, state_after("hunl", ""))
    assert "is not understood; allowed:" in str(error.value)
    assert len(str(error.value)) < 140


def test_the_person_is_asked_until_the_answer_is_legal():
    action, said = asked(["what", "r 100", "?", "R 300"], state_after("hunl", ""))
    assert action == 300
    assert said[0].startswith("'what' is not understood")
    assert said[1].startswith("100 is not allowed")
    assert said[2:] == help_lines(state_after("hunl", ""))


def test_help_speaks_of_sizes_only_where_there_are_some():
    assert any("allin" in line for line in help_lines(state_after("hunl", "")))
    assert not any("allin" in line for line in help_lines(state_after("lhe2", "")))


@pytest.mark.parametrize("word", ["q", "quit", " Exit "])
def test_quitting_leaves_the_table(word):
    with pytest.raises(LeaveTable):
        asked([word], state_after("lhe2", ""))


def test_a_hand_replays_to_where_it_is():
    state = state_after("hunl", "r300c/r500r20000c//", "/TsJsQs/2c/3c")
    steps = list(replay(state))
    assert [step.action for step in steps] == [300, CALL, None, 500, 20000, CALL, None]
    assert steps[-1].after.betting == state.betting
    assert steps[-1].after.board == state.board
    assert all(one.after is two.before for one, two in pairwise(steps))


def test_chips_before_the_round_hold_antes_but_not_blinds():
    assert chips_before_round(state_after("lhe2", "r")) == (0, 0)
    assert chips_before_round(state_after("lhe3", "rfc/r", FLOP)) == (5, 20, 20)
    assert chips_before_round(state_after("kuhn2", "r")) == (1, 1)
    assert chips_before_round(state_after("leduc2", "rc/r", "/Ks")) == (3, 3)
