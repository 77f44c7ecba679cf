"""The actions of a strategy at the real table as text: `f`, `c`, `r600`, or a range of raises, `r200..20000`."""

from __future__ import annotations

import re

from nashgap.core.strategy import RaiseRange
from nashgap.errors import IllegalActionError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState, action_text

__all__ = ["Move", "is_legal_move", "move_text", "parse_move", "raise_move"]

Move = Action | RaiseRange

_RAISE = re.compile(r"r(?P<low>[0-9]{1,10})(\.\.(?P<high>[0-9]{1,10}))?")


def move_text(rules: PokerRules, move: Move) -> str:
    return str(move) if isinstance(move, RaiseRange) else action_text(rules, move)


def parse_move(text: str, state: PublicState) -> Move:
    """What the text means in this state, where it must be legal; `r` alone is the one raise of a limit game."""
    if text == "f" and state.legal.can_fold:
        return FOLD
    if text == "c":
        return CALL
    move: Move = CALL
    if match := _RAISE.fullmatch(text):
        move = raise_move(int(match["low"]), int(match["high"] or match["low"]))
    elif text == "r" and not state.rules.has_sizes:
        move = state.legal.max_raise_to
    elif text != "f":
        raise IllegalActionError(f"{text[:40]!r} is no action; actions are f, c, r600 or r200..20000")
    if move == CALL or not is_legal_move(move, state):
        raise IllegalActionError(f"{text!r} is not legal; legal: {state.legal}")
    return move


def raise_move(low: int, high: int) -> Move:
    """Raises to `low` to `high`, equally often."""
    return low if low == high else RaiseRange(low, high)


def is_legal_move(move: object, state: PublicState) -> bool:
    if isinstance(move, RaiseRange):
        return CALL < move.low <= move.high and move.low in state.legal and move.high in state.legal
    return not isinstance(move, bool) and move in state.legal
