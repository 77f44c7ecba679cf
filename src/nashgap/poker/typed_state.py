"""The public state that somebody types: betting in the competition's letters and the cards of the board.

    r300c/cc/cc/   with the board 2c6dThJsQd
    rrc/           limit: a raise has no size
    crc/Kh:r       the label of a small game's information set, with its board cards inside

Capitals and spaces do not matter, nor whether the slash after a finished round is there. Whatever does not fit is told
in one line, with what does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nashgap.cards.card import format_cards, parse_cards
from nashgap.core.game import CHANCE
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.poker.moves import parse_move
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState
from nashgap.poker.words import round_name

__all__ = ["actions_after", "dealt", "state_after", "typed_cards"]

_TOKEN = re.compile(r"[fc/]|r[0-9]*")
_ROUND_CARDS = re.compile(r"(?:^|(?<=/))([^/:]*):")


def typed_cards(text: str) -> tuple[int, ...]:
    """Cards in any case, with or without spaces or commas between them: `2C 6d,th`."""
    letters = "".join(text.replace(",", " ").split())
    pairs = (letters[place : place + 2] for place in range(0, len(letters), 2))
    return parse_cards("".join(pair[0].upper() + pair[1:].lower() for pair in pairs))


def state_after(rules: PokerRules, after: str = "", board: str = "") -> PublicState:
    """The decision that stands after this betting on this board; somebody is to act there."""
    betting = "".join(after.split()).lower()
    inside = "".join(_ROUND_CARDS.findall(betting))
    actions, end = _read_betting(rules, _ROUND_CARDS.sub("", betting), after)
    cards = _read_board(rules, inside, board, end)
    state = rules.root()
    for action in actions:
        state = dealt(state, cards).act(action)
    return dealt(state, cards)


def actions_after(rules: PokerRules, after: str) -> tuple[Action, ...]:
    """The actions of this betting, all rounds in one; somebody is to act behind them."""
    return tuple(_read_betting(rules, "".join(after.split()).lower(), after)[0])


def _read_betting(rules: PokerRules, betting: str, typed: str) -> tuple[list[Action], PublicState]:
    """The actions, and the decision after them on whatever board: which cards they are does not matter to betting."""
    actions: list[Action] = []
    state = rules.root()
    last = ""
    for token in _tokens(betting, typed):
        if token == "/":
            is_round_over = state.betting.endswith("/") and (last != "/" or _is_decided(state))
            if not is_round_over:
                here = dealt(state, rules.deck)
                told = (
                    "the hand is over" if here.is_over else f"the round is not over: player {here.seat + 1} is to act"
                )
                raise IllegalActionError(f"betting {typed!r}: a slash stands {_where(state)}, but {told}")
        else:
            state = dealt(state, rules.deck)
            action = _read_action(state, token, typed)
            actions.append(action)
            state = state.act(action)
        last = token
    state = dealt(state, rules.deck)
    if state.is_over:
        raise IllegalActionError(f"betting {typed!r}: the hand is over after {_shown(state)!r}; nobody is to act")
    return actions, state


def _tokens(betting: str, typed: str) -> Iterator[str]:
    place = 0
    while place < len(betting):
        match = _TOKEN.match(betting, place)
        if match is None:
            raise ConfigError(
                f"betting {typed[:60]!r}: {betting[place]!r} is no action; actions are f (fold), c (check or call)"
                " and r (raise; with its chips over the whole hand, as r300, where sizes differ), and / ends a round"
            )
        yield match[0]
        place = match.end()


def _read_action(state: PublicState, token: str, typed: str) -> Action:
    if state.is_over:
        raise IllegalActionError(
            f"betting {typed!r}: {token!r} comes too late; the hand is over after {_shown(state)!r}"
        )
    if token == "r" and state.rules.has_sizes:
        raise IllegalActionError(
            f"betting {typed!r}: the raise {_where(state)} needs its size, as r300; legal: {state.legal}"
        )
    try:
        move = parse_move(token, state)
    except IllegalActionError:
        raise IllegalActionError(
            f"betting {typed!r}: {token!r} is not legal {_where(state)}; legal: {state.legal}"
        ) from None
    assert isinstance(move, int), "a token is one action"
    return move


def _read_board(rules: PokerRules, inside: str, board: str, end: PublicState) -> tuple[int, ...]:
    """As many different cards of the deck as the rounds so far have."""
    cards = typed_cards(inside or board)
    text = format_cards(cards)
    if inside and board.strip() and set(typed_cards(board)) != set(cards):
        raise ConfigError(f"board {board!r}: the betting has {text} on the board")
    if missing := [card for card in cards if card not in rules.deck]:
        deck = f", {format_cards(rules.deck)}" if len(rules.deck) < 52 else ""
        raise ConfigError(f"board {text}: {format_cards(missing[:1])} is not in the deck of {_name(rules)}{deck}")
    if len(cards) != len(end.board):
        told = f"{text!r} has {len(cards)}" if cards else "none are given"
        raise ConfigError(f"{_needed(rules, end)}; {told}")
    return cards


def _needed(rules: PokerRules, end: PublicState) -> str:
    """`after 'r300c/cc/' the board has 4 cards: flop 3, turn 1`."""
    parts = [
        f"{round_name(rules, number) or 'board'} {count}"
        for number, count in enumerate(rules.num_board_cards[: end.round + 1])
        if count > 0
    ]
    where, number = _where(end), len(end.board)
    if number == 0:
        return f"{where} there are no board cards"
    return f"{where} the board has {number} card{'s' if number > 1 else ''}" + (
        f": {', '.join(parts)}" if len(parts) > 1 else ""
    )


def dealt(state: PublicState, cards: tuple[int, ...]) -> PublicState:
    """The state with the board cards of its round; all rounds where nobody can act any more."""
    while state.seat == CHANCE:
        state = state.deal(cards[len(state.board) :][: state.num_missing_cards])
    return state


def _is_decided(state: PublicState) -> bool:
    return dealt(state, state.rules.deck).is_over


def _where(state: PublicState) -> str:
    return f"after {state.betting!r}" if state.betting else "at the start"


def _shown(state: PublicState) -> str:
    return state.betting.rstrip("/")


def _name(rules: PokerRules) -> str:
    return rules.name or "this game"
