"""What each seat is told, held to recordings of the competition's own dealer."""

from itertools import islice
from pathlib import Path

import pytest

from nashgap.arena.acpc.hand import DealtHand
from nashgap.arena.table import Deal, deal_cards
from nashgap.poker.notation import MatchState, format_match_state, parse_state
from nashgap.poker.protocol import shown_cards
from nashgap.poker.rules import load_rules

DATA = Path(__file__).parent / "data"


def recorded_hands(name):
    """The lines that the recorded client was sent, hand by hand."""
    hands = {}
    for line in (DATA / name).read_text().splitlines():
        if line.startswith("< "):
            text = line.removeprefix("< ").removesuffix("\\r\\n")
            hands.setdefault(int(text.split(":")[2]), []).append(text)
    return hands


def deal_of(rules, last_line):
    """Cards with which the hand goes as recorded; those that were never shown are any others."""
    _, _, _, betting, cards = last_line.split(":")
    state, hole_cards = parse_state(betting, cards, rules)
    known = {card for hand in hole_cards for card in hand or ()} | set(state.board)
    others = iter([card for card in rules.deck if card not in known])
    hands = tuple(hand or tuple(next(others) for _ in range(rules.num_hole_cards)) for hand in hole_cards)
    rest = [next(others) for _ in range(rules.total_board_cards - len(state.board))]
    return Deal(hands, (*state.board, *rest)), [action for done in state.history for action in done]


@pytest.mark.parametrize("game", ["lhe2", "lhe3", "hunl"])
def test_a_seat_is_told_what_the_competition_s_dealer_told_it(game):
    rules = load_rules(game)
    hands = recorded_hands(f"{game}.wire.txt")
    assert len(hands) >= 3
    for number, lines in hands.items():
        deal, actions = deal_of(rules, lines[-1])
        seat = -number % rules.num_seats  # the recorded client is the first player
        hand = DealtHand(rules, number, deal)
        told = [hand.message(seat)]
        for action in actions:
            hand.act(action)
            told.append(hand.message(seat))
        assert told == lines


@pytest.mark.parametrize("game", ["kuhn3", "leduc2", "lhe2", "lhe3", "hunl", "nlhe3"])
def test_messages_are_the_states_as_notation_writes_them(game):
    rules = load_rules(game)
    for number in range(30):
        hand = DealtHand(rules, number, deal_cards(rules, 3, number))
        while True:
            for seat in range(rules.num_seats):
                cards = shown_cards(hand.state, hand.deal.hole_cards, seat)
                assert hand.message(seat) == format_match_state(MatchState(seat, number, hand.state, cards))
            if hand.state.is_over:
                break
            legal = list(islice(hand.state.legal, 5))
            hand.act(legal[(7 * number + len(hand.state.betting)) % len(legal)])


def test_nobody_shows_when_all_others_fold():
    rules = load_rules("lhe3")
    hand = DealtHand(rules, 0, deal_cards(rules, 3, 0))
    hand.act(-1)
    hand.act(-1)
    assert hand.state.is_over
    for seat in range(3):
        assert [bool(cards) for cards in hand.message(seat).split(":")[4].split("|")] == [
            seat == other for other in range(3)
        ]
