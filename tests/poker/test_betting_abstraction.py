"""The notation of betting abstractions, and the actions that they keep."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nashgap.errors import ConfigError, NashGapError, UnsupportedGameError
from nashgap.poker.betting_abstraction import (
    ALL_IN,
    EVERY,
    MIN,
    BettingAbstraction,
    Geometric,
    Multiple,
    parse_betting_abstraction,
)
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD

FRACTIONS = st.integers(1, 1_000_000).map(lambda shares: Fraction(shares, 1000))
BETS = st.one_of(FRACTIONS, st.sampled_from([MIN, ALL_IN]), st.builds(Geometric, st.integers(0, 99)))
RAISES = st.one_of(BETS, st.builds(Multiple, FRACTIONS.filter(lambda factor: factor > 1)))
SHARES = st.one_of(st.just(Fraction(0)), FRACTIONS)


def sizes_of(each):
    return st.one_of(st.just((EVERY,)), st.lists(each, max_size=4).map(tuple))


ROUNDS = st.lists(st.lists(sizes_of(RAISES), min_size=1, max_size=3).map(tuple), min_size=1, max_size=4).map(tuple)
ABSTRACTIONS = st.builds(
    BettingAbstraction,
    ROUNDS,
    st.lists(st.integers(0, 255), max_size=4).map(tuple),
    st.just(False),
    st.lists(st.one_of(st.none(), sizes_of(BETS)), max_size=4).map(tuple),
    SHARES,
    SHARES,
    SHARES,
    st.lists(ROUNDS, max_size=2).map(tuple),
)


def state_after(rules, *actions, board=((51, 50, 49), (48,), (47,))):
    state, boards = rules.root(), list(board)
    for action in actions:
        state = state.act(action)
        if state.num_missing_cards and state.seat < 0:
            state = state.deal(boards.pop(0))
    return state


@given(ABSTRACTIONS)
def test_what_is_written_is_read_back(abstraction):
    assert parse_betting_abstraction(str(abstraction)) == abstraction


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("fcpa", "fcpa"),
        ("1.0,a", "fcpa"),
        ("fc", "fc"),
        (" a , 0.50,1 ", "0.5,1,a"),
        ("1,a/0.5,1,a / 1,a/1,a", "1,a / 0.5,1,a / 1,a / 1,a"),
        ("1,a / 1,a", "fcpa"),
        ("0.5,1>1,a > a>a", "0.5,1 > 1,a > a"),
        ("fcpa > fc", "1,a > fc"),
        ("full caps=3/4/4/3", "full caps=3/4/4/3"),
        ("min,0.125 caps=3/3", "min,0.125 caps=3"),
        ("push-fold", "push-fold"),
        ("push-fold caps=1", "push-fold caps=1"),
        ("a,e,60%>2.50x", "0.6,e,a > 2.5x"),
        ("2e,1,e > 3x,2x,1", "1,e,2e > 1,2x,3x"),
        (
            "1 merge=10% caps=2 force-all-in=0.150 add-all-in=150%",
            "1 caps=2 add-all-in=1.5 force-all-in=0.15 merge=0.1",
        ),
        ("1 merge=0 add-all-in=0% force-all-in=0.0", "1"),
        ("1 donk=- / - / 50%", "1 donk=-/-/0.5"),
        ("1 donk=a/-/50%", "1 donk=-/-/0.5"),  # no round comes before the first
        ("1 donk=-/a/a/a", "1 donk=a"),
        ("1 donk=a/-/-/-", "1"),
        ("1 donk=-/fc/e", "1 donk=-/fc/e"),
        ("0.5>3x|1,a / 2 caps=1", "0.5 > 3x | 1,a / 2 caps=1"),
        ("fcpa | a,1", "fcpa"),
    ],
)
def test_equal_meanings_are_written_alike(text, canonical):
    assert str(parse_betting_abstraction(text)) == canonical


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "round 1, raise 1: '' is not a size"),
        ("1,,a", "round 1, raise 1: ''"),
        ("1,a / 0.5 > pot", "round 2, raise 2: 'pot'"),
        ("1,1.0", "round 1, raise 1: 1 is named twice"),
        ("a,a", "a is named twice"),
        ("full,1", "full stands alone"),
        ("0,a", "'0' is not a size"),
        ("-1", "'-1'"),
        ("1e3", "'1e3'"),
        ("0.3333333333333", "'0.3333333333333'"),
        ("1001", "'1001'"),
        ("fc,a", "'fc'"),
        ("push-fold / a", "'push-fold'"),
        ("full caps=", "cap ''"),
        ("full caps=3/x", "cap 'x'"),
        ("full caps=256", "cap '256'"),
        ("fullcaps=3", "space before caps="),
        ("full caps=3 caps=4", "caps= is named twice"),
        ("full capz=3", "capz= is not one of caps=, donk=, add-all-in=, force-all-in=, merge="),
        ("0.5 > 1x", "round 1, raise 2: '1x' is not a size"),
        ("0e", "'0e'"),
        ("100e", "'100e'"),
        ("e,e", "e is named twice"),
        ("1 > 2x,2.0x", "2x is named twice"),
        ("0.5 donk=2x", "donk of round 1: there is no bet yet for 2x"),
        ("0.5 donk=-/pot", "donk of round 2: 'pot' is not a size"),
        ("0.5 donk=", "donk of round 1: ''"),
        ("0.5 merge=0.1/0.1", "merge=0.1/0.1 is not a fraction of the pot"),
        ("0.5 add-all-in=1001", "add-all-in=1001 is not a fraction of the pot"),
        ("0.5 merge=0.1donk=a", "space before donk="),
        ("0.5 | 1 / pot", "seat 2, round 2, raise 1: 'pot' is not a size"),
        ("0.5 |", "seat 2, round 1, raise 1: ''"),
        ("push-fold | 1", "seat 1, round 1, raise 1: 'push-fold'"),
        ("push-fold merge=0.1", "push-fold has no raise but all-in"),
        (" / ".join("a1"[number % 2] for number in range(9)), "9 rounds, at most 8"),
    ],
)
def test_an_error_is_one_line_and_names_the_place(text, place):
    with pytest.raises(ConfigError) as caught:
        parse_betting_abstraction(text)
    assert place in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="0159.,/>| amincfpullshexdonkrg%=-\n", max_size=20))
def test_any_text_is_read_or_refused(text):
    try:
        abstraction = parse_betting_abstraction(text)
    except NashGapError as error:
        assert "\n" not in str(error)
    else:
        assert parse_betting_abstraction(str(abstraction)) == abstraction


@pytest.mark.parametrize(
    "fields",
    [
        {"sizes": ()},
        {"sizes": ((),)},
        {"sizes": ((("pot",),),)},
        {"sizes": (((Fraction(1, 3),),),)},
        {"sizes": (((Fraction(0),),),)},
        {"sizes": (((EVERY, MIN),),)},
        {"sizes": (((MIN,),),), "pushes": True},
        {"sizes": (((MIN,),),), "caps": (-1,)},
        {"sizes": (((MIN,),),), "caps": (1,) * 9},
        {"sizes": (((Geometric(-1),),),)},
        {"sizes": (((Geometric(100),),),)},
        {"sizes": (((Multiple(Fraction(1)),),),)},
        {"sizes": (((MIN,),),), "donks": ((Multiple(Fraction(2)),),)},
        {"sizes": (((MIN,),),), "donks": (("pot",),)},
        {"sizes": (((MIN,),),), "donks": ((MIN,),) * 9},
        {"sizes": (((MIN,),),), "merge": 0.1},  # a float is not exactly a tenth
        {"sizes": (((ALL_IN,),),), "pushes": True, "merge": Fraction(1)},
        {"sizes": (((ALL_IN,),),), "pushes": True, "donks": ((),)},
        {"sizes": (((ALL_IN,),),), "pushes": True, "others": (((MIN,),),)},
        {"sizes": (((ALL_IN,),),), "others": ((),)},
    ],
)
def test_a_value_without_meaning_is_refused(fields):
    with pytest.raises(ConfigError):
        BettingAbstraction(**fields)


@pytest.mark.parametrize(
    ("text", "played", "kept"),
    [
        # Blinds 50 and 100: after calling there are 200 in the pot, so that a pot raise is to 300.
        ("fcpa", (), (FOLD, CALL, 300, 20000)),
        ("0.5,1,2,a", (), (FOLD, CALL, 200, 300, 500, 20000)),
        ("0.25,0.5", (), (FOLD, CALL, 200)),  # both are clipped to the smallest raise
        ("min", (300,), (FOLD, CALL, 500)),
        ("1", (300,), (FOLD, CALL, 900)),
        ("0.333", (301,), (FOLD, CALL, 502)),  # 200.466 is rounded down, and clipped
        ("0.75", (333,), (FOLD, CALL, 833)),  # 499.5 is rounded up
        ("100,a", (), (FOLD, CALL, 20000)),  # the pot bet is all-in: one action
        ("fc", (), (FOLD, CALL)),
        ("0.5,1 > 1,a > a", (300,), (FOLD, CALL, 900, 20000)),
        ("0.5,1 > 1,a > a", (300, 900), (FOLD, CALL, 20000)),
        ("fcpa", (300, CALL), (CALL, 900, 20000)),  # nothing to fold to
        ("1,a / fc / 1 / 1", (300, CALL), (CALL,)),
        ("fcpa caps=1", (300,), (FOLD, CALL)),
        ("fcpa caps=1", (300, CALL), (CALL, 900, 20000)),  # a cap is for one round
        ("fcpa", (20000,), (FOLD, CALL)),
        ("push-fold", (), (FOLD, 20000)),
        ("push-fold", (20000,), (FOLD, CALL)),
        ("push-fold", (CALL,), (CALL, 20000)),  # a check is free
    ],
)
def test_the_actions_that_are_kept(text, played, kept):
    state = state_after(load_rules("hunl"), *played)
    assert parse_betting_abstraction(text).actions(state) == kept
    assert all(action in state.legal for action in kept)


def test_every_raise_is_every_legal_one():
    for name in ("kuhn3", "leduc2", "lhe3", "hunl"):
        state = load_rules(name).root()
        assert parse_betting_abstraction("full").actions(state) == tuple(state.legal)


def test_three_seats_have_the_pot_of_three():
    state = load_rules("nlhe3").root()
    pot_after_call = state.pot + state.to_call
    assert parse_betting_abstraction("1").actions(state)[-1] == max(state.spent) + pot_after_call


def test_the_only_raise_of_a_limit_game_is_kept_whatever_its_size():
    state = load_rules("lhe2").root()
    for text in ("min", "fcpa", "0.001", "full"):
        assert parse_betting_abstraction(text).actions(state) == tuple(state.legal)


def test_an_abstraction_of_another_number_of_rounds_is_refused():
    for text in ("1 / a", "fcpa caps=1/2/3", "fcpa donk=-/a/fc"):
        with pytest.raises(UnsupportedGameError, match="rounds"):
            parse_betting_abstraction(text).native(load_rules("hunl"))
    with pytest.raises(UnsupportedGameError, match="limit game"):
        parse_betting_abstraction("push-fold").native(replace(load_rules("lhe2"), name="mine"))
