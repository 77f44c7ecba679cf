"""Hands as text: written and read back, and what is refused."""

import numpy as np
import pytest

from nashgap import _native
from nashgap.cards.card import format_cards, parse_cards
from nashgap.catalogue import POKER_GAMES
from nashgap.errors import FileFormatError
from nashgap.poker.notation import (
    HandRecord,
    MatchState,
    format_hand,
    format_match_state,
    format_payoff,
    parse_hand,
    parse_match_state,
    parse_state,
)
from nashgap.poker.rules import load_rules

NUM_HANDS = 10_000


def random_hands(rules, num_hands, seed=11):
    """Betting of hands that random agents played, with their cards and payoffs: (betting, hole cards, board, chips)."""
    seats = rules.num_seats
    agents = [_native.RandomAgent() for _ in range(seats)]
    payoffs = np.zeros((num_hands, seats), np.int64)
    _, betting = _native.play_matches(
        rules.native,
        agents,
        seed,
        0,
        1,
        np.arange(seats, dtype=np.int8)[None, None],
        np.zeros((num_hands, seats), np.int64),
        np.zeros(seats),
        np.zeros((seats, _native.NUM_COUNTS), np.int64),
        payoffs,
    )
    for deal in range(num_hands):
        cards = _native.deal_cards(rules.native, seed, deal)
        size = rules.num_hole_cards
        hole_cards = tuple(tuple(cards[size * seat : size * seat + size]) for seat in range(seats))
        yield betting[deal], hole_cards, cards[size * seats :], tuple(payoffs[deal] / _native.CHIP_SHARES)


def cards_text(rules, betting, hole_cards, board):
    """Written independently: the board cards of each round that the betting reached."""
    text = "|".join(map(format_cards, hole_cards))
    for number, size in enumerate(rules.num_board_cards):
        if size and number <= betting.count("/"):
            before = sum(rules.num_board_cards[:number])
            text += "/" + format_cards(board[before : before + size])
    return text


@pytest.mark.parametrize("name", POKER_GAMES.entries)
def test_state_strings_go_there_and_back(name):
    """10,000 random hands: the line read and written is the same line, read again the same hand, and its payoffs are
    those of the engine that played it."""
    rules = load_rules(name)
    players = tuple(f"p{seat}" for seat in range(rules.num_seats))
    for number, (betting, hole_cards, board, chips) in enumerate(random_hands(rules, NUM_HANDS)):
        cards = cards_text(rules, betting, hole_cards, board)
        won = "|".join(map(format_payoff, chips))
        line = f"STATE:{number}:{betting}:{cards}:{won}:{'|'.join(players)}"
        hand = parse_hand(line, rules)
        assert format_hand(hand) == line
        assert hand.hole_cards == hole_cards
        assert hand.state.is_over and hand.state.betting == betting
        assert hand.state.payoffs(hole_cards) == chips
        if number % 100 == 0:
            require_equal_when_replayed(hand)


def require_equal_when_replayed(hand):
    """Every state of the hand, as each seat sees it, is read back as the state that the actions lead to."""
    rules = hand.state.rules
    state = rules.root()
    for action in (action for actions in hand.state.history for action in actions):
        for seat in range(rules.num_seats):
            known = tuple(cards if owner == seat else None for owner, cards in enumerate(hand.hole_cards))
            view = MatchState(seat, hand.hand_number, state, known)
            assert parse_match_state(format_match_state(view), rules) == view
        state = state.act(action)
        if state.num_missing_cards:
            state = state.deal(hand.state.board[len(state.board) :][: state.num_missing_cards])
    assert state == hand.state
    assert HandRecord(hand.hand_number, state, hand.hole_cards, hand.payoffs, hand.players) == hand


# Played by the competition's own dealer between its example players.
RECORDED = {
    "kuhn3": ["STATE:0:ccc:Qs|Ks|Js:-1|2|-1:p1|p2|p3", "STATE:1:rcc:Js|Qs|Ks:-2|-2|4:p2|p3|p1"],
    "lhe2": [
        "STATE:0:rrc/rc/crc/cc:8s2h|Kd5c/7hAdTd/4s/Kc:-60|60:p1|p2",
        "STATE:1:crc/cc/rf:JsKs|Qs8d/Qd7s9d/Ac:20|-20:p2|p1",
    ],
    "lhe3": [
        "STATE:0:rcc/rcc/ccc/rrcc:8s2h|Kd5c|7hAd/Td4sKc/Kh/8h:-70|140|-70:p1|p2|p3",
        "STATE:2:rcc/ccrrrcc/rcc/crrcf:7d9c|Qd9h|QcJd/Td6c8c/9d/Jc:-110|-90|200:p3|p1|p2",
        "STATE:297:rfrrc/rc/crrrc/cc:9sKs|7s8c|8s5d/4hAsJd/Qc/Td:-5|2.5|2.5:p1|p2|p3",
    ],
    "hunl": [
        "STATE:0:r11458c/cc/cr14099c/cc:8s2h|Kd5c/7hAdTd/4s/Kc:-14099|14099:p1|p2",
        "STATE:2:cr13081r20000c///:5s6c|2c5d/4c4hKc/Qh/Jd:0|0:p1|p2",
        "STATE:3:cc/cr9630c/r12209r16437c/r19661c:2c8h|6cAs/9dKsJc/9c/Td:-19661|19661:p2|p1",
        "STATE:6:cc/cc/r10247f:Td9c|Kc4c/JcKs9d/Th:100|-100:p1|p2",
        "STATE:7:cc/cc/r16421c/cr18492r20000c:3d5c|Qd7s/Jh4c2c/6c/4d:20000|-20000:p2|p1",
    ],
}


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in RECORDED.items() for line in lines])
def test_recorded_hands_have_the_payoffs_of_the_competitions_dealer(name, line):
    hand = parse_hand(line, load_rules(name))
    assert hand.state.payoffs(hand.hole_cards) == hand.payoffs
    assert format_hand(hand) == line


def test_a_recorded_state_is_read():
    view = parse_match_state("MATCHSTATE:0:0:rc:8dJd||", load_rules("lhe3"))
    assert (view.seat, view.hand_number, view.state.seat, view.state.spent) == (0, 0, 1, (20, 10, 20))
    assert view.hole_cards == (parse_cards("8dJd"), None, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("STATE:0:ccc:Qs|Ks|Js:-1|2|-1", "is not STATE:hand:betting:cards:payoffs:players"),
        ("HAND:0:ccc:Qs|Ks|Js:-1|2|-1:a|b|c", "is not STATE:hand:betting:cards:payoffs:players"),
        ("STATE:x:ccc:Qs|Ks|Js:-1|2|-1:a|b|c", "hand 'x'; a whole number is needed"),
        ("STATE:-1:ccc:Qs|Ks|Js:-1|2|-1:a|b|c", "hand '-1'; a whole number is needed"),
        ("STATE:0:cc:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'cc': the hand is not over"),
        ("STATE:0:ccc:Qs|Ks|Qs:-1|2|-1:a|b|c", "cards 'Qs|Ks|Qs': Qs is there twice"),
        ("STATE:0:ccc:Qs|Ks|Ts:-1|2|-1:a|b|c", "cards 'Qs|Ks|Ts': Ts is not in the deck of this game"),
        ("STATE:0:ccc:Qs|Ks|Xs:-1|2|-1:a|b|c", "cards 'Qs|Ks|Xs': .*no card 'Xs'"),
        ("STATE:0:ccc:Qs|Ks|J:-1|2|-1:a|b|c", "cards 'Qs|Ks|J': .*no card 'J'"),
        ("STATE:0:ccc:Qs|Ks:-1|2|-1:a|b|c", "cards 'Qs|Ks': hole cards of 2 seats; the game has 3"),
        ("STATE:0:ccc:QsAs|Ks|Js:-1|2|-1:a|b|c", "cards 'QsAs|Ks|Js': 2 hole cards; the game has 1"),
        ("STATE:0:ccc:Qs|Ks|Js/As:-1|2|-1:a|b|c", "the numbers of board cards are none"),
        ("STATE:0:ccc:Qs|Ks|Js:-1|2:a|b|c", "2 payoffs, 3 players; the game has 3 seats"),
        ("STATE:0:ccc:Qs|Ks|Js:-1|2|-1:a|b", "3 payoffs, 2 players; the game has 3 seats"),
        ("STATE:0:ccc:Qs|Ks|Js:-1|two|-1:a|b|c", "payoffs '-1|two|-1'; numbers"),
        ("STATE:0:ccc:Qs|Ks|Js:-1|nan|-1:a|b|c", "payoffs '-1|nan|-1'; numbers"),
        ("STATE:0:ccc:Qs|Ks|Js:-1|inf|-1:a|b|c", "payoffs '-1|inf|-1'; numbers"),
        ("STATE:0:cxc:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'cxc': only f, c, r with its digits, and / are allowed"),
        ("STATE:0:ccé:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'ccé': only f, c, r"),
        ("STATE:0:c2c:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'c2c', character 2: '2' is no action"),
        ("STATE:0:crrcc:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'crrcc', character 3: r is not legal; legal: f, c"),
        ("STATE:0:fcc:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'fcc', character 1: f is not legal; legal: c, r"),
        ("STATE:0:cccc:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'cccc', character 4: the hand is over"),
        ("STATE:0:ccc/:Qs|Ks|Js:-1|2|-1:a|b|c", "betting 'ccc/', character 4: the betting round is not over"),
    ],
)
def test_a_bad_line_of_kuhn_is_refused_by_its_field(line, message):
    with pytest.raises(FileFormatError, match=message.replace("|", r"\|")) as refusal:
        parse_hand(line, load_rules("kuhn3"))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("betting", "cards", "message"),
    [
        ("r199", "AcAd|KcKd", "character 1: r199 is not legal; legal: f, c, r200 to r20000"),
        ("r20001", "AcAd|KcKd", "character 1: r20001 is not legal"),
        ("r", "AcAd|KcKd", "character 1: a raise has no size, or one that is too large"),
        ("r99999999999", "AcAd|KcKd", "character 1: a raise has no size, or one that is too large"),
        ("r0", "AcAd|KcKd", "character 1: a raise has no size"),
        ("r300r450", "AcAd|KcKd", "character 5: r450 is not legal; legal: f, c, r500 to r20000"),
        ("cccc/", "AcAd|KcKd/2c3c4c", "character 3: the betting round is over, '/' is missing"),
        ("cc", "AcAd|KcKd/2c3c4c", "character 3: the betting round is over, '/' is missing"),
        ("cc/c/", "AcAd|KcKd/2c3c4c", "character 5: the betting round is not over"),
        ("cc/", "AcAd|KcKd", "'cc/' goes with 3 board cards, not 0"),
        ("cc/cc/", "AcAd|KcKd/2c3c4c", "'cc/cc/' goes with 4 board cards, not 3"),
        ("cc", "AcAd|KcKd/2c3c", "the numbers of board cards are 3/1/1"),
        ("cc/", "AcAd|KcKd/2c3c4c/", "the numbers of board cards are 3/1/1"),
        ("cc/", "AcAd|KcKd2c3c4c", "5 hole cards; the game has 2"),
        ("cc/", "AcAd|KcKd/2c3cAd", "Ad is there twice"),
        ("cc/", "AcAd|KcKd/2c2c3c", "2c is there twice"),
        ("fc", "AcAd|KcKd", "character 2: the hand is over"),
        ("c" * 5000, "AcAd|KcKd", "character 3"),
        ("", "Ac" * 5000, "10000 characters, more than a deck has"),
    ],
)
def test_a_bad_no_limit_state_is_refused_by_its_field(betting, cards, message):
    with pytest.raises(FileFormatError, match=message) as refusal:
        parse_state(betting, cards, load_rules("hunl"))
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MATCHSTATE:0:0:", "is not MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:2:0::AcAd|", "position 2; the game has positions 0 to 1"),
        ("MATCHSTATE:a:0::AcAd|", "position 'a'; a whole number is needed"),
        ("MATCHSTATE:0:99999999999999999999::AcAd|", "hand '99999999999999999999'; a whole number is needed"),
        ("MATCHSTATE:0:0::AcAd", "hole cards of 1 seats; the game has 2"),
        ("x" * 100_000, "is not MATCHSTATE"),
    ],
)
def test_a_bad_match_state_is_refused_by_its_field(text, message):
    with pytest.raises(FileFormatError, match=message) as refusal:
        parse_match_state(text, load_rules("hunl"))
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(("chips", "text"), [(-0.0, "0"), (2.5, "2.5"), (-10.0, "-10"), (10 / 3, "3.333333")])
def test_payoffs_are_written_short(chips, text):
    assert format_payoff(chips) == text
