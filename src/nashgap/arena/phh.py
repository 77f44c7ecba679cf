"""Hands as PHH files, the standard hand history format that pokerkit reads and replays (Kim 2024): written, and read.

PHH has a name for limit (`FT`) and no-limit (`NT`) Texas hold'em, and for none of the other games here. Its players
are our seats, p1 being seat 0; its raises are chips of the round, ours of the whole hand. What each seat won stands in
the field `_results`, as where pokerkit itself writes hands of the competition.

Two conventions of the competition are not those of PHH, which has the casino's:

- Odd chips. The competition splits a pot exactly; pokerkit splits whole chips and gives odd ones to the first winner.
  A hand in which somebody won a fraction of a chip is written with its blinds as decimals (`[5.0, 10.0]`): pokerkit
  splits decimals exactly, and comes to the same payoffs.
- Reopening. A raise that only the competition allows, after an all-in for less than a full raise, cannot be written;
  such a hand is refused.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from nashgap.arena.acpc.log import MAX_SHOWN, log_lines
from nashgap.cards.card import format_cards, parse_cards
from nashgap.core.array_file import write_atomically
from nashgap.core.game import CHANCE
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, FileFormatError, MissingExtraError, NashGapError, UnsupportedGameError
from nashgap.poker.notation import HandRecord, parse_hand
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import CALL, FOLD

__all__ = ["check_phh_game", "read_hands", "read_log_hands", "read_phh_hands", "write_phh"]

MAX_LIMIT_RAISES = 4
UNKNOWN_CARDS = "????"
MAX_BYTES = 1 << 28  # of a file, some hundred thousand hands


def write_phh(hands: Iterable[HandRecord], path: Path) -> int:
    """Write the hands, whole or not at all: one to a `.phh` file, any number to a `.phhs` file. How many there were.

    MissingExtraError without pokerkit, UnsupportedGameError for a game or a hand that PHH cannot describe.
    """
    if path.suffix not in (".phh", ".phhs"):
        raise ConfigError(f"{path}: the name must end in .phh (one hand) or .phhs (any number)")
    if path.suffix == ".phh":
        hands = list(hands)
        if len(hands) != 1:
            raise ConfigError(f"{path}: a .phh file holds one hand, not {len(hands)}; .phhs holds any number")
        write_atomically(path, [f"{_history(hands[0]).dumps()}\n".encode()])
        return 1
    num_written = 0

    def numbered() -> Iterator[bytes]:
        nonlocal num_written
        for hand in hands:
            num_written += 1
            yield f"[{num_written}]\n{_history(hand).dumps()}\n\n".encode()

    write_atomically(path, numbered())
    return num_written


def read_log_hands(path: Path, rules: PokerRules) -> Iterator[HandRecord]:
    """The hands of an ACPC match log, one by one; errors name the line."""
    has_hand = False
    for number, line, _ in log_lines(path):
        if line.startswith("SCORE:"):
            continue
        try:
            yield parse_hand(line, rules)
        except NashGapError as error:
            raise FileFormatError(f"{path}: line {number}: {str(error)[:MAX_SHOWN]}") from error
        has_hand = True
    if not has_hand:
        raise FileFormatError(f"{path}: no STATE line; is this a match log?")


def read_hands(path: Path, rules: PokerRules) -> Iterator[HandRecord]:
    """The hands of a PHH file, or else of an ACPC match log, one by one."""
    return read_phh_hands(path, rules) if path.suffix in (".phh", ".phhs") else read_log_hands(path, rules)


def read_phh_hands(path: Path, rules: PokerRules) -> Iterator[HandRecord]:
    """The hands of a `.phh` or `.phhs` file, by the competition's conventions; errors name the hand."""
    check_phh_game(rules)
    told = read_toml(path, "PHH", MAX_BYTES)
    histories = list(told.values()) if path.suffix == ".phhs" else [told]
    for number, history in enumerate(histories, start=1):
        try:
            yield _record(history, rules, number)
        except NashGapError as error:
            raise FileFormatError(f"{path}: hand {number}: {error}") from error
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise FileFormatError(f"{path}: hand {number}: {error!r}") from error
    if not histories:
        raise FileFormatError(f"{path}: no hand")


def _record(history: Mapping[str, Any], rules: PokerRules, number: int) -> HandRecord:
    blinds = list(rules.blinds[::-1] if rules.num_seats == 2 else rules.blinds)
    variant = "FT" if rules.betting == "limit" else "NT"
    if history["variant"] != variant or [float(chips) for chips in history["blinds_or_straddles"]] != blinds:
        told = f"{history['variant']} with blinds {history['blinds_or_straddles']}"
        raise FileFormatError(f"{told}; {rules.name or 'the game'} is {variant} with blinds {blinds}")
    hole_cards: list[tuple[int, ...] | None] = [None] * rules.num_seats
    board: list[int] = []
    state, spent_before = rules.root(), (0,) * rules.num_seats
    for word in history["actions"]:
        who, kind, *rest = word.split("#")[0].split()
        if who == "d" and kind == "db":
            board += parse_cards(rest[0])
        elif who == "d":
            hole_cards[int(rest[0][1:]) - 1] = _cards(rest[1])
        elif kind == "sm":
            hole_cards[int(who[1:]) - 1] = (_cards(rest[0]) if rest else None) or hole_cards[int(who[1:]) - 1]
        else:
            if state.seat == CHANCE:
                state = state.deal(board[len(state.board) :][: state.num_missing_cards])
                spent_before = state.spent
            if state.seat != int(who[1:]) - 1:
                raise FileFormatError(f"{word!r}: after {state.betting!r} player p{state.seat + 1} is to act")
            chips = {"f": FOLD, "cc": CALL}.get(kind)
            if chips is None:
                chips = round(float(rest[0])) + spent_before[state.seat]
            if chips not in state.legal:
                raise FileFormatError(f"{word!r}: after {state.betting!r} legal are: {state.legal}")
            state = state.act(chips)
    if state.seat == CHANCE:  # everybody is all in
        state = state.deal(board[len(state.board) :])
    if not state.is_over:
        raise FileFormatError(f"the hand is not over after {state.betting!r}")
    if "_results" in history:
        payoffs = tuple(float(chips) for chips in history["_results"])
    else:
        payoffs = state.payoffs(hole_cards)
    players = tuple(history.get("players", [f"p{seat + 1}" for seat in range(rules.num_seats)]))
    if len(payoffs) != rules.num_seats or len(players) != rules.num_seats:
        raise FileFormatError(
            f"{len(players)} players and {len(payoffs)} results; the game has {rules.num_seats} seats"
        )
    return HandRecord(int(history.get("hand", number)), state, tuple(hole_cards), payoffs, players)


def _cards(text: str) -> tuple[int, ...] | None:
    return None if "?" in text else parse_cards(text)


def check_phh_game(rules: PokerRules) -> None:
    """UnsupportedGameError unless PHH can describe the game."""
    for problem in _problems(rules):
        name = rules.name or "this game"
        raise UnsupportedGameError(f"{name}: {problem}; PHH describes limit and no-limit Texas hold'em with two blinds")


def _problems(rules: PokerRules) -> Iterator[str]:
    if not rules.is_holdem:
        yield "its cards are not those of Texas hold'em"
    if rules.betting == "potlimit":
        yield "pot-limit hold'em has no name in PHH"
    is_heads_up = rules.num_seats == 2
    small, big = rules.blinds[1::-1] if is_heads_up else rules.blinds[:2]
    first_seat = 1 if is_heads_up else 2 % rules.num_seats
    if not 0 < small < big or any(rules.blinds[2:]) or rules.first_seats != (first_seat, 0, 0, 0):
        yield f"blinds {rules.blinds} or who acts first are not the usual ones"
    if rules.betting == "limit":
        small_bet, big_bet = rules.raise_sizes[0], rules.raise_sizes[-1]
        if rules.raise_sizes != (small_bet, small_bet, big_bet, big_bet) or small_bet != big:
            yield f"bets {rules.raise_sizes} are not a small bet (the big blind) twice and a big bet twice"
        if max(rules.max_raises) > MAX_LIMIT_RAISES:
            yield f"{max(rules.max_raises)} raises in a round; pokerkit knows at most {MAX_LIMIT_RAISES}"


def _history(hand: HandRecord) -> Any:
    rules = hand.state.rules
    check_phh_game(rules)
    is_whole = all(float(chips).is_integer() for chips in hand.payoffs)
    results = [int(chips) if float(chips).is_integer() else chips for chips in hand.payoffs]
    blinds = list(rules.blinds[::-1] if rules.num_seats == 2 else rules.blinds)  # PHH: small blind first, also of two
    is_limit = rules.betting == "limit"
    return _notation().HandHistory(
        variant="FT" if is_limit else "NT",
        antes=[0] * rules.num_seats,
        blinds_or_straddles=blinds if is_whole else [float(blind) for blind in blinds],
        small_bet=rules.raise_sizes[0] if is_limit else None,
        big_bet=rules.raise_sizes[-1] if is_limit else None,
        min_bet=None if is_limit else rules.big_blind,
        starting_stacks=[float("inf") if stack == UNLIMITED else stack for stack in rules.stacks],
        actions=list(_actions(hand)),
        hand=hand.hand_number,
        players=[_written_name(name) for name in hand.players],
        user_defined_fields={"_results": results},
    )


def _written_name(name: str) -> str:
    """Without what would end it: pokerkit writes text between quotes, three where there is one in it."""
    return re.sub("'{3,}", "''", "".join(letter for letter in name if letter.isprintable()))


def _actions(hand: HandRecord) -> Iterator[str]:
    """The dealings and actions of the hand, found by playing it again by the casino's conventions."""
    for seat, cards in enumerate(hand.hole_cards, start=1):
        yield f"d dh p{seat} {UNKNOWN_CARDS if cards is None else format_cards(cards)}"
    rules = dataclasses.replace(hand.state.rules, conventions="casino")
    state, spent_before = rules.root(), (0,) * rules.num_seats
    for actions in hand.state.history:
        if not actions:
            break  # everybody is all in
        if state.seat == CHANCE:
            dealt = hand.state.board[len(state.board) :][: state.num_missing_cards]
            yield f"d db {format_cards(dealt)}"
            state, spent_before = state.deal(dealt), state.spent
        for action in actions:
            if action not in state.legal:
                raise UnsupportedGameError(
                    f"hand {hand.hand_number}: after {state.betting!r} the casino's conventions, which PHH has, "
                    f"allow only: {state.legal}"
                )
            word = {FOLD: "f", CALL: "cc"}.get(action, f"cbr {action - spent_before[state.seat]}")
            yield f"p{state.seat + 1} {word}"
            state = state.act(action)
    if state.has_folded.count(False) > 1:
        yield from _showdown(hand, len(state.board))


def _showdown(hand: HandRecord, num_dealt: int) -> Iterator[str]:
    """The cards of all who did not fold; then, where everybody is all in, the rest of the board, round by round."""
    for seat, cards in enumerate(hand.hole_cards):
        if not hand.state.has_folded[seat]:
            yield f"p{seat + 1} sm {UNKNOWN_CARDS if cards is None else format_cards(cards)}"
    rules = hand.state.rules
    for round_number in range(rules.num_rounds):
        start, end = rules.board_cards_by(round_number - 1), rules.board_cards_by(round_number)
        if start >= num_dealt and end > start:
            yield f"d db {format_cards(hand.state.board[start:end])}"


def _notation() -> Any:
    try:
        return import_module("pokerkit.notation")
    except ImportError:
        raise MissingExtraError("PHH needs pokerkit; install it with: pip install 'nashgap[phh]'") from None
