"""Hands as the competition writes them: states on the wire, lines of a match log.

    MATCHSTATE:position:hand:betting:cards          what one seat sees
    STATE:hand:betting:cards:payoffs:players        a finished hand in a log
    STATE:0:betting:cards                           what everybody sees, without hole cards

Cards are the hole cards of the seats, apart by `|` (empty where they are not known), then the board cards of each
round that deals some, each after a `/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, nan

from nashgap import _native
from nashgap.cards.card import format_cards, parse_card
from nashgap.errors import FileFormatError, NashGapError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState

__all__ = [
    "HandRecord",
    "HoleCards",
    "MatchState",
    "MatchStateReader",
    "format_hand",
    "format_match_state",
    "format_payoff",
    "format_public_state",
    "log_line",
    "log_name",
    "parse_hand",
    "parse_match_state",
    "parse_state",
    "sequence_text",
]

_BETTING = re.compile(r"[fcr0-9/]*")
_LONGEST_CARDS = 200  # characters; a whole deck with all its separators has fewer

HoleCards = tuple[tuple[int, ...] | None, ...]
"""`[N]` cards of each seat; None where they are not known."""


@dataclass(frozen=True)
class MatchState:
    """What the dealer tells one seat."""

    seat: int
    hand_number: int
    state: PublicState
    hole_cards: HoleCards


@dataclass(frozen=True)
class HandRecord:
    """A finished hand; it replays."""

    hand_number: int
    state: PublicState
    hole_cards: HoleCards
    payoffs: tuple[float, ...]
    players: tuple[str, ...]


def format_match_state(view: MatchState) -> str:
    state = view.state
    cards = _cards_text(state.rules, state.betting, view.hole_cards, state.board)
    return f"MATCHSTATE:{view.seat}:{view.hand_number}:{state.betting}:{cards}"


def parse_match_state(text: str, rules: PokerRules) -> MatchState:
    """Errors name the field and what is wrong with it."""
    return MatchStateReader(rules).read(text)


def format_public_state(state: PublicState) -> str:
    """`STATE:0:r300c/:|/AhKd2c`."""
    cards = _cards_text(state.rules, state.betting, (None,) * state.rules.num_seats, state.board)
    return f"STATE:0:{state.betting}:{cards}"


class MatchStateReader:
    """Reads states one after another; cards that stay the same are looked at once."""

    def __init__(self, rules: PokerRules) -> None:
        self._rules = rules
        self._cards_text: str | None = None
        self._hole_cards: HoleCards = ()
        self._board: list[int] = []

    def read(self, text: str) -> MatchState:
        """Errors name the field and what is wrong with it."""
        fields = text.split(":")
        if len(fields) != 5 or fields[0] != "MATCHSTATE":
            raise FileFormatError(f"{_shortened(text)!r} is not MATCHSTATE:position:hand:betting:cards")
        seat, hand_number = _whole(fields[1], "position"), _whole(fields[2], "hand")
        if seat >= self._rules.num_seats:
            raise FileFormatError(f"position {seat}; the game has positions 0 to {self._rules.num_seats - 1}")
        if fields[4] != self._cards_text:
            self._hole_cards, self._board = _parse_cards_field(fields[4], self._rules)
            self._cards_text = fields[4]
        return MatchState(seat, hand_number, _parse_betting(fields[3], self._board, self._rules), self._hole_cards)


def format_hand(hand: HandRecord) -> str:
    state = hand.state
    return log_line(
        state.rules, hand.hand_number, state.betting, hand.hole_cards, state.board, hand.payoffs, hand.players
    )


def log_line(
    rules: PokerRules,
    hand_number: int,
    betting: str,
    hole_cards: HoleCards,
    board: Sequence[int],
    payoffs: Iterable[float],
    players: Iterable[str],
) -> str:
    """The line of a hand that is known by its parts; of the board only what was dealt by then is written."""
    cards = _cards_text(rules, betting, hole_cards, board)
    chips = "|".join(map(format_payoff, payoffs))
    return f"STATE:{hand_number}:{betting}:{cards}:{chips}:{'|'.join(players)}"


def parse_hand(text: str, rules: PokerRules) -> HandRecord:
    """Errors name the field and what is wrong with it. The payoffs are the line's, not recomputed."""
    fields = text.split(":", 5)  # names may have colons
    if len(fields) != 6 or fields[0] != "STATE":
        raise FileFormatError(f"{_shortened(text)!r} is not STATE:hand:betting:cards:payoffs:players")
    state, hole_cards = parse_state(fields[2], fields[3], rules)
    if not state.is_over:
        raise FileFormatError(f"betting {_shortened(fields[2])!r}: the hand is not over")
    payoffs, players = fields[4].split("|"), fields[5].split("|")
    if len(payoffs) != rules.num_seats or len(players) != rules.num_seats:
        raise FileFormatError(f"{len(payoffs)} payoffs, {len(players)} players; the game has {rules.num_seats} seats")
    try:
        numbers = tuple(map(float, payoffs))
    except ValueError:
        numbers = (nan,)
    if not all(map(isfinite, numbers)):
        raise FileFormatError(f"payoffs {_shortened(fields[4])!r}; numbers are needed")
    return HandRecord(_whole(fields[1], "hand"), state, hole_cards, numbers, tuple(players))


def parse_state(betting: str, cards: str, rules: PokerRules) -> tuple[PublicState, HoleCards]:
    """The state after this betting with these cards, and the hole cards that are known."""
    hole_cards, board = _parse_cards_field(cards, rules)
    return _parse_betting(betting, board, rules), hole_cards


def _parse_betting(betting: str, board: list[int], rules: PokerRules) -> PublicState:
    if not _BETTING.fullmatch(betting):
        raise FileFormatError(f"betting {_shortened(betting)!r}: only f, c, r with its digits, and / are allowed")
    try:
        return PublicState(rules, _native.PokerState.parse(rules.native, betting, board))
    except ValueError as error:
        raise FileFormatError(str(error)) from None


def _parse_cards_field(cards: str, rules: PokerRules) -> tuple[HoleCards, list[int]]:
    if len(cards) > _LONGEST_CARDS:
        raise FileFormatError(f"cards {_shortened(cards)!r}: {len(cards)} characters, more than a deck has")
    hole_text, *board_texts = cards.split("/")
    hands = hole_text.split("|")
    if len(hands) != rules.num_seats:
        raise FileFormatError(f"cards {cards!r}: hole cards of {len(hands)} seats; the game has {rules.num_seats}")
    try:
        hole_cards = tuple([_cards_of(hand) if hand else None for hand in hands])
        board_by_round = [_cards_of(board) for board in board_texts]
    except NashGapError as error:
        raise FileFormatError(f"cards {cards!r}: {error}") from error
    board = [card for dealt in board_by_round for card in dealt]
    _check_cards(cards, hole_cards, board, rules)
    needed = [number for number in rules.num_board_cards if number > 0]
    if [len(dealt) for dealt in board_by_round] != needed[: len(board_by_round)]:
        raise FileFormatError(f"cards {cards!r}: the numbers of board cards are {'/'.join(map(str, needed)) or 'none'}")
    return hole_cards, board


@lru_cache(maxsize=256)  # the states of a hand have the same cards again and again
def _cards_of(text: str) -> tuple[int, ...]:
    return tuple([parse_card(text[place : place + 2]) for place in range(0, len(text), 2)])


def _check_cards(text: str, hole_cards: HoleCards, board: Sequence[int], rules: PokerRules) -> None:
    for hand in hole_cards:
        if hand is not None and len(hand) != rules.num_hole_cards:
            raise FileFormatError(f"cards {text!r}: {len(hand)} hole cards; the game has {rules.num_hole_cards}")
    known = [card for hand in hole_cards if hand for card in hand] + list(board)
    seen: set[int] = set(known)
    if len(seen) == len(known) and seen.issubset(rules.deck):
        return
    seen.clear()
    for card in known:  # which one is it?
        if card in seen:
            raise FileFormatError(f"cards {text!r}: {format_cards([card])} is there twice")
        if card not in rules.deck:
            raise FileFormatError(f"cards {text!r}: {format_cards([card])} is not in the deck of this game")
        seen.add(card)


def _cards_text(rules: PokerRules, betting: str, hole_cards: HoleCards, board: Sequence[int]) -> str:
    text = "|".join(format_cards(hand) if hand else "" for hand in hole_cards)
    dealt = 0
    for number in rules.num_board_cards[: betting.count("/") + 1]:
        if number > 0:
            text += "/" + format_cards(board[dealt : dealt + number])
        dealt += number
    return text


def log_name(name: str) -> str:
    """A player's name without what has a meaning in a log."""
    return "".join(letter if letter.isprintable() and letter not in ":| " else "-" for letter in name)


def format_payoff(chips: float) -> str:
    """Whole chips where they are whole; at most six decimals otherwise."""
    text = f"{chips:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _whole(text: str, field: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise FileFormatError(f"{field} {_shortened(text)!r}; a whole number is needed")
    return int(text)


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}..."


def sequence_text(code: int) -> str:
    """`crf` from the engine's number of a betting sequence."""
    letters = []
    while code:
        letters.append("?fcr"[code & 3])
        code >>= 2
    return "".join(reversed(letters))
