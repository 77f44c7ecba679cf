"""Points of a hand: what is legal, what is refused, who wins what."""

import dataclasses
import pickle
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from nashgap.cards.card import parse_cards
from nashgap.catalogue import POKER_GAMES
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import IllegalActionError
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD, LegalActions, View, action_text

BOARD = parse_cards("2c7d9hJsKc")


def table(stacks, blinds, conventions="acpc"):
    """No-limit hold'em with these stacks and blinds; the seat after the last blind begins, heads-up the small blind."""
    first = 1 if len(stacks) == 2 else sum(blind > 0 for blind in blinds) % len(stacks)
    return dataclasses.replace(
        load_rules("nlhe3"),
        stacks=stacks,
        blinds=blinds,
        first_seats=(first, 0, 0, 0),
        conventions=conventions,
    )


def played(rules, actions, board=BOARD):
    """After these actions, with the board dealt as it is needed."""
    state = rules.root()
    for action in actions:
        state = dealt(state.act(action), board)
    return state


def dealt(state, board=BOARD):
    number = state.num_missing_cards
    return state.deal(board[len(state.board) : len(state.board) + number]) if number else state


def payoffs(state, hands):
    return state.payoffs([parse_cards(hand) if hand else None for hand in hands.split("|")])


def test_a_state_does_not_change():
    root = load_rules("lhe3").root()
    called = root.act(CALL)
    assert (root.betting, root.seat, root.spent) == ("", 2, (5, 10, 0))
    assert (called.betting, called.seat, called.spent) == ("c", 0, (5, 10, 10))
    with pytest.raises(dataclasses.FrozenInstanceError):
        root.rules = None
    assert root.act(CALL) == called != root
    assert hash(root.act(CALL)) == hash(called)


@pytest.mark.parametrize("game", ["hunl", "leduc2"])
def test_a_state_can_be_pickled_at_every_point_of_a_hand(game):
    rules, random = load_rules(game), Random(3)
    for _ in range(20):
        state, cards = rules.root(), random.sample(rules.deck, rules.total_board_cards)
        while True:
            again = pickle.loads(pickle.dumps(state))
            assert again == state
            assert (again.seat, again.spent, again.history) == (state.seat, state.spent, state.history)
            if state.is_over:
                break
            if state.seat == CHANCE:
                state = state.deal([cards.pop() for _ in range(state.num_missing_cards)])
            else:
                legal = state.legal
                state = state.act(random.choice([CALL, CALL, legal.nearest_raise(200), legal.nearest_raise(20_000)]))


def test_a_hand_goes_its_way():
    """Heads-up limit: the small blind (seat 1) begins before the flop, the big blind after it."""
    state = load_rules("lhe2").root()
    assert (state.seat, state.to_call, str(state.legal)) == (1, 5, "fold, call, raise to 20")
    state = state.act(20).act(CALL)
    assert (state.seat, state.num_missing_cards, state.round) == (CHANCE, 3, 1)
    state = state.deal(BOARD[:3])
    assert (state.seat, state.board, state.pot, str(state.legal)) == (0, BOARD[:3], 40, "check, raise to 30")
    state = state.act(30).act(FOLD)
    assert (state.seat, state.is_over, state.betting) == (TERMINAL, True, "rc/rf")
    assert state.history == ((20, CALL), (30, FOLD))
    assert state.payoffs([None, None]) == (20.0, -20.0)


def test_legal_actions_are_a_collection():
    legal = LegalActions(True, 300, 305)
    assert list(legal) == [FOLD, CALL, 300, 301, 302, 303, 304, 305]
    assert len(legal) == 8
    assert FOLD in legal and np.int64(303) in legal
    assert 299 not in legal and 303.0 not in legal and "c" not in legal
    assert [legal.nearest_raise(size) for size in (1, 303, 999)] == [300, 303, 305]
    check = LegalActions(False, 0, 0)
    assert list(check) == [CALL] and len(check) == 1 and FOLD not in check
    assert check.nearest_raise(300) == CALL and str(check) == "check"


def test_a_whole_number_of_numpy_is_an_action():
    assert load_rules("hunl").root().act(np.int64(300)).betting == "r300"


@pytest.mark.parametrize(
    ("actions", "action", "message"),
    [
        ([], 199, "raise to 199 is not legal after ''; legal: fold, call, raise to 200 to 20000"),
        ([], 20001, "raise to 20001 is not legal"),
        ([300], 499, "raise to 499 is not legal after 'r300'; legal: fold, call, raise to 500 to 20000"),
        ([CALL, CALL], FOLD, "fold is not legal after 'cc/'; legal: check, raise to 200 to 20000"),
        ([20000], 20000, "raise to 20000 is not legal after 'r20000'; legal: fold, call"),
        ([FOLD], CALL, "nobody is to act after 'f': the hand is over"),
    ],
)
def test_illegal_actions_are_refused_with_the_legal_ones(actions, action, message):
    state = played(load_rules("hunl"), actions)
    with pytest.raises(IllegalActionError, match=message):
        state.act(action)


def test_what_cannot_be_done_yet_is_refused():
    state = load_rules("hunl").root()
    with pytest.raises(IllegalActionError, match="3 board cards dealt; 0 are to be dealt now"):
        state.deal(BOARD[:3])
    with pytest.raises(IllegalActionError, match="the hand is not over after ''"):
        state.payoffs([None, None])
    state = state.act(CALL).act(CALL)
    for ask in (lambda: state.act(CALL), lambda: state.legal, lambda: state.to_call):
        with pytest.raises(IllegalActionError, match="nobody is to act after 'cc/': board cards are to be dealt"):
            ask()
    with pytest.raises(IllegalActionError, match="2 board cards dealt; 3 are to be dealt now"):
        state.deal(BOARD[:2])
    with pytest.raises(IllegalActionError, match="board 2c2c7d: cards must differ and be of the deck"):
        state.deal(parse_cards("2c") * 2 + parse_cards("7d"))
    with pytest.raises(IllegalActionError, match="board Jc: cards must differ and be of the deck"):
        load_rules("leduc2").root().act(CALL).act(CALL).deal(parse_cards("Jc"))


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ("AcAd", "hole cards of 1 seats; the game has 2"),
        ("AcAd|", "no hole cards of seat 2 at the showdown; 2 are needed"),
        ("AcAd|Kd", "1 hole cards of seat 2 at the showdown; 2 are needed"),
        ("AcAd|AcKd", "they must differ and be of the deck"),
        ("AcAd|2cKd", "they must differ and be of the deck"),
    ],
)
def test_a_showdown_needs_real_cards(hands, message):
    state = dealt(load_rules("hunl").root().act(20000).act(CALL))
    with pytest.raises(IllegalActionError, match=message):
        payoffs(state, hands)


def test_a_view_shows_the_state_to_one_seat():
    state = load_rules("hunl").root()
    view = View(state, 1, parse_cards("AcAd"))
    assert view.rules == state.rules and view.legal == state.legal


def test_three_winners_split_exactly_and_in_whole_chips():
    """The board plays for three seats that put in 35 each; the fourth left 25 on the flop: 130 chips.

    Exactly 130 / 3 each; in whole chips 43 each, and the odd one to the first seat.
    """
    won = {"acpc": (float(Fraction(130, 3) - 35),) * 3, "casino": (9.0, 8.0, 8.0)}
    for conventions, of_three in won.items():
        rules = table((99,) * 4, (5, 10, 0, 0), conventions)
        board = parse_cards("AcKdQhJsTc")
        state = played(rules, [25, CALL, CALL, CALL, 35, CALL, CALL, FOLD, *[CALL] * 6], board)
        assert state.is_over and state.spent == (35, 35, 35, 25)
        assert payoffs(state, "2c3d|4h5s|6c7d|") == (*of_three, -25.0)


def test_a_main_pot_and_two_side_pots():
    """Stacks 10, 30, 60 and 100, all in. The shortest has the best hand, then the second, the third, the last.

    Main pot 4 * 10 = 40 to seat 0; 3 * 20 = 60 to seat 1; 2 * 30 = 60 to seat 2; 40 go back to seat 3.
    """
    rules = table((10, 30, 60, 100), (5, 10, 0, 0))
    state = dealt(rules.root().act(60).act(100).act(CALL).act(CALL))
    assert state.spent == (10, 30, 60, 100)
    assert state.betting == "r60r100cc///"
    assert payoffs(state, "KdKh|JdJh|9d9c|AdAh") == (30.0, 30.0, 0.0, -60.0)


def test_who_folded_leaves_chips_in_every_pot_he_reached():
    """Seat 2 raises to 40 and folds to 100. Seat 0 is all in for 20 and wins the main pot of 20 + 20 + 20 = 60.

    The side pot has 20 of seat 2 and 80 of each of the other two; seats 1 and 3 split its 180.
    """
    rules = table((20, 200, 200, 200), (5, 10, 0, 0))
    state = played(rules, [40, 100, CALL, CALL, FOLD, *[CALL] * 6])
    assert state.spent == (20, 100, 40, 100)
    assert payoffs(state, "KdKh|AdQh||AhQd") == (60.0, -10.0, -40.0, -10.0)


def test_an_uncalled_raise_comes_back():
    """Seat 0 is all in for 30 against 200; only 30 can be lost."""
    state = dealt(table((30, 200), (10, 5)).root().act(200).act(CALL))
    assert state.spent == (30, 200)
    assert payoffs(state, "AdAh|KdKh") == (-30.0, 30.0)
    assert payoffs(state, "AdAh|QdQh") == (30.0, -30.0)


def test_all_in_before_the_flop_runs_the_board_out_at_once():
    state = load_rules("hunl").root().act(20000).act(CALL)
    assert (state.seat, state.num_missing_cards, state.round, state.betting) == (CHANCE, 5, 3, "r20000c///")
    state = state.deal(BOARD)
    assert state.is_over and payoffs(state, "AdAh|KdKh") == (-20000.0, 20000.0)


def test_all_in_by_their_blinds_nobody_acts():
    state = table((5, 10), (5, 10)).root()
    assert (state.seat, state.num_missing_cards) == (CHANCE, 5)
    assert payoffs(dealt(state), "AdAh|KdKh") == (-5.0, 5.0)


@pytest.mark.parametrize("conventions", ["acpc", "casino"])
def test_conventions_differ_after_a_short_all_in(conventions):
    """Seat 2 raises to 30, by 20; seat 0 is all in for 35, which is 5 more; seat 1 calls.

    The competition's dealer lets seat 2 raise again, from 50 on, the smallest raise before the all-in. In a casino he
    does not face a full raise and can only call or fold.
    """
    state = table((35, 200, 200), (5, 10, 0), conventions).root().act(30).act(35).act(CALL)
    assert (state.seat, state.to_call) == (2, 5)
    assert state.legal == (LegalActions(True, 50, 200) if conventions == "acpc" else LegalActions(True, 0, 0))


@pytest.mark.parametrize("name", POKER_GAMES.entries)
def test_random_hands_add_up_to_nothing(name):
    """Nobody's chips are lost, and nobody loses more than he put in."""
    rules, rng = load_rules(name), Random(3)
    for _ in range(50):
        deck = rng.sample(rules.deck, len(rules.deck))
        hands = [[deck.pop() for _ in range(rules.num_hole_cards)] for _ in range(rules.num_seats)]
        state = rules.root()
        while not state.is_over:
            if state.num_missing_cards:
                state = state.deal([deck.pop() for _ in range(state.num_missing_cards)])
            else:
                low, high = state.legal.min_raise_to, state.legal.max_raise_to
                sizes = [low, rng.randint(low, high), high] if state.legal.can_raise else []
                state = state.act(rng.choice([*[FOLD] * state.legal.can_fold, CALL, CALL, CALL, *sizes]))
        won = state.payoffs(hands)
        assert sum(won) == pytest.approx(0.0, abs=1e-9)
        assert all(gain >= -spent for gain, spent in zip(won, state.spent, strict=True))


def test_actions_are_written_as_the_competition_does():
    assert [action_text(load_rules("hunl"), action) for action in (FOLD, CALL, 300)] == ["f", "c", "r300"]
    assert action_text(load_rules("lhe3"), 20) == "r"
