"""Hands as the competition writes them: states on the wire, lines of a match log.

    MATCHSTATE:position:hand:betting:cards          what one seat sees
    STATE:hand:betting:cards:payoffs:players        a finished hand in a log
    STATE:0:betting:cards                           what everybody sees, without hole cards

Cards are the hole cards of the seats, apart by `|` (empty where they are not known), then the board cards of each
round, after a `/` even if there are none; before the first round's only if there are some.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from nashgap import _native
from nashgap.errors import FileFormatError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState

__all__ = [
    "HandRecord",
    "HoleCards",
    "MatchState",
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
    try:
        seat, hand_number, state, hole_cards = _native.parse_match_state(rules.native, text)
    except (TypeError, ValueError) as error:
        raise _refusal(error, text.split(":")[3:4], text) from None
    return MatchState(seat, hand_number, PublicState(rules, state), hole_cards)


def format_public_state(state: PublicState) -> str:
    """`STATE:0:r300c/:|/AhKd2c`."""
    cards = _cards_text(state.rules, state.betting, (None,) * state.rules.num_seats, state.board)
    return f"STATE:0:{state.betting}:{cards}"


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
    try:
        state, hole_cards = _native.parse_state(rules.native, betting, cards)
    except (TypeError, ValueError) as error:
        raise _refusal(error, [betting], cards) from None
    return PublicState(rules, state), hole_cards


def _refusal(error: Exception, bettings: Sequence[str], text: str) -> FileFormatError:
    """What the engine refuses; it takes nothing but text that can be written as UTF-8."""
    for betting in bettings:
        if not _BETTING.fullmatch(betting):
            return FileFormatError(f"betting {_shortened(betting)!r}: only f, c, r with its digits, and / are allowed")
    return FileFormatError(str(error) if isinstance(error, ValueError) else f"{_shortened(text)!r} is not ASCII text")


def _cards_text(rules: PokerRules, betting: str, hole_cards: HoleCards, board: Sequence[int]) -> str:
    known = [hand or () for hand in hole_cards]
    return _native.cards_text(rules.native, betting.count("/"), known, board)


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
