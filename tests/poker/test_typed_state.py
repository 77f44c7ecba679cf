"""What people type for a public state: every spelling of a line, and one clear line for what does not fit."""

import pytest

from nashgap.cards.card import format_cards
from nashgap.errors import NashGapError
from nashgap.poker.rules import load_rules
from nashgap.poker.typed_state import state_after, typed_cards
from nashgap.poker.words import betting_words, move_words, round_name

HUNL, LHE3, LEDUC, KUHN3 = map(load_rules, ("hunl", "lhe3", "leduc2", "kuhn3"))
RIVER = "2c6dThJsQd"


@pytest.mark.parametrize(
    ("after", "board"),
    [
        ("r300c/cc/cc/", RIVER),
        ("r300c/cc/cc", RIVER),
        ("r300ccccc", RIVER),
        ("R300C/CC/CC/", "2C6DTHJSQD"),
        (" r300c / cc / cc ", "2c 6d Th, Js, Qd"),
        ("r300c/2c6dTh:cc/Js:cc/Qd:", ""),
        ("r300c/2c6dTh:cc/Js:cc/Qd:", RIVER),
    ],
)
def test_all_spellings_are_one_state(after, board):
    state = state_after(HUNL, after, board)
    assert (state.betting, format_cards(state.board), state.seat) == ("r300c/cc/cc/", RIVER, 0)


@pytest.mark.parametrize(
    ("rules", "after", "board", "betting", "seat"),
    [
        (HUNL, "", "", "", 1),
        (LHE3, "rfc/", "2c6dTh", "rfc/", 1),
        (LHE3, "r20", "", "r", 0),  # the one size of a limit game may be named
        (LEDUC, "crc/Kh:r", "", "crc/r", 1),
        (LEDUC, "crc/r", "kh", "crc/r", 1),
        (KUHN3, "cr", "", "cr", 2),
    ],
)
def test_other_games(rules, after, board, betting, seat):
    state = state_after(rules, after, board)
    assert (state.betting, state.seat) == (betting, seat)


@pytest.mark.parametrize(
    ("rules", "after", "board", "message"),
    [
        (
            HUNL,
            "x",
            "",
            "betting 'x': 'x' is no action; actions are f (fold), c (check or call) and r (raise; with its",
        ),
        (HUNL, "r50", "", "betting 'r50': 'r50' is not legal at the start; legal: fold, call, raise to 200 to 20000"),
        (HUNL, "r300r400", "", "'r400' is not legal after 'r300'; legal: fold, call, raise to 500 to 20000"),
        (HUNL, "cf", "", "betting 'cf': 'f' is not legal after 'c'; legal: check, raise to 200 to 20000"),
        (HUNL, "r", "", "betting 'r': the raise at the start needs its size, as r300; legal: fold, call, raise to 200"),
        (LHE3, "r30", "", "betting 'r30': 'r30' is not legal at the start; legal: fold, call, raise to 20"),
        (LHE3, "rrrrr", "", "betting 'rrrrr': 'r' is not legal after 'rrr'; legal: fold, call"),
        (
            HUNL,
            "r300/",
            "",
            "betting 'r300/': a slash stands after 'r300', but the round is not over: player 1 is to act",
        ),
        (HUNL, "/", "", "betting '/': a slash stands at the start, but the round is not over: player 2 is to act"),
        (HUNL, "r300c//cc", RIVER, "a slash stands after 'r300c/', but the round is not over: player 1 is to act"),
        (HUNL, "r300f", "", "betting 'r300f': the hand is over after 'r300f'; nobody is to act"),
        (HUNL, "r20000c", RIVER, "betting 'r20000c': the hand is over after 'r20000c'; nobody is to act"),
        (HUNL, "r20000c///", "", "betting 'r20000c///': the hand is over after 'r20000c'; nobody is to act"),
        (HUNL, "cc/cc/cc/cc/", RIVER, "a slash stands after 'cc/cc/cc/cc', but the hand is over"),
        (LHE3, "ffr", "", "betting 'ffr': 'r' comes too late; the hand is over after 'ff'"),
        (HUNL, "r300c/", "", "after 'r300c/' the board has 3 cards; none are given"),
        (HUNL, "r300c/cc", "2c6dTh", "after 'r300c/cc/' the board has 4 cards: flop 3, turn 1; '2c6dTh' has 3"),
        (HUNL, "r300c/", RIVER, "after 'r300c/' the board has 3 cards; '2c6dThJsQd' has 5"),
        (HUNL, "", "2c", "at the start there are no board cards; '2c' has 1"),
        (HUNL, "r300c", "2c6d2c", "cards '2c6d2c', character 5: 2c is there twice"),
        (HUNL, "r300c", "2c6dT", "cards '2c6dT', character 5: no card 'T'; a card is one of 23456789TJQKA"),
        (LEDUC, "crc", "2c", "board 2c: 2c is not in the deck of leduc2, QhQsKhKsAhAs"),
        (LEDUC, "crc/", "", "after 'crc/' the board has 1 card; none are given"),
        (LEDUC, "crc/Kh:", "Ks", "board 'Ks': the betting has Kh on the board"),
    ],
)
def test_what_does_not_fit_is_told_in_one_line(rules, after, board, message):
    with pytest.raises(NashGapError) as caught:
        state_after(rules, after, board)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_cards_may_be_typed_in_any_case():
    assert typed_cards(" 2C 6d,tH ") == typed_cards("2c6dTh") == (0, 17, 34)
    assert typed_cards("") == ()


def test_actions_are_told_as_at_a_table():
    """Chips count within the round: r900 after a raise to 300 is a bet of 600."""
    preflop, river = state_after(HUNL), state_after(HUNL, "r300c/cc/cc/", RIVER)
    assert [move_words(preflop, move) for move in (-1, 0, 300, 20_000)] == ["fold", "call", "raise to 300", "all-in"]
    assert [move_words(river, move) for move in (0, 900)] == ["check", "bet 600"]
    raised = river.act(900)
    assert move_words(raised, 2700) == "raise to 2400"
    assert [move_words(state_after(LHE3, "ccc", "2c6dTh"), move) for move in (0, 20)] == ["check", "bet"]


def test_the_story_of_a_hand():
    assert betting_words(state_after(HUNL, "r300c/cr900", "2c6dTh")) == (
        "preflop: player 2 raises to 300, player 1 calls",
        "flop: player 1 checks, player 2 bets 600",
    )
    assert betting_words(state_after(HUNL, "r20000")) == ("preflop: player 2 goes all-in",)
    assert betting_words(state_after(KUHN3, "cr")) == ("player 1 checks, player 2 bets",)
    assert (round_name(LEDUC, 1), round_name(KUHN3, 0)) == ("round 2", "")
