"""A person at the table. What is shown, and where answers come from, is given: this module neither prints nor reads.

Players count chips by the round: on the flop "bet 100" is a hundred more than was put in before it, and "raise to 300"
makes it three hundred. The engine counts over the whole hand; the difference is made up here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from nashgap.errors import IllegalActionError
from nashgap.poker.notation import HandRecord
from nashgap.poker.replay import chips_before_round
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState, View
from nashgap.poker.table_words import has_bet

__all__ = ["HumanAgent", "LeaveTable", "choices", "help_lines", "parse_answer", "raise_presets"]

_RAISE = re.compile(r"(?:(?P<word>r|raise|b|bet)\b|(?P<letter>[rb])(?=\d))?\s*(?:to\s+)?(?P<size>[\w-]+(?: in)?)?")
_POT_PARTS = {"half": 2, "pot": 1}
_MAX_DIGITS, _MAX_SHOWN = 12, 30
_ALL_IN = ("allin", "all-in", "all in", "max")


class LeaveTable(Exception):  # noqa: N818  (it is no error)
    """The person does not want to play on."""


class HumanAgent:
    """Asks until the answer is a legal action.

    ask:  shows a view with the text of its choices, and gives back the answer; may raise LeaveTable.
    tell: takes a line about an answer that was no action.
    """

    def __init__(self, ask: Callable[[View, str], str], tell: Callable[[str], None], name: str = "human") -> None:
        self.name = name
        self._ask = ask
        self._tell = tell

    def start_match(self, rules: PokerRules) -> None:
        pass

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        pass

    def act(self, view: View) -> Action:
        while True:
            answer = self._ask(view, choices(view.state)).strip().lower()
            if answer in ("q", "quit", "exit"):
                raise LeaveTable
            if answer in ("?", "h", "help"):
                for line in help_lines(view.state):
                    self._tell(line)
                continue
            try:
                return parse_answer(answer, view.state)
            except IllegalActionError as error:
                self._tell(str(error))

    def end_hand(self, hand: HandRecord) -> None:
        pass


def choices(state: PublicState) -> str:
    """What the seat to act may do: `[f]old  [c]all 10  [r]aise to 30`."""
    legal = state.legal
    words = ["[f]old"] if legal.can_fold else []
    words.append(f"[c]all {state.to_call}" if state.to_call > 0 else "[c]heck")
    if legal.can_raise:
        words.append(f"{'[r]aise to' if has_bet(state) else '[b]et'} {_sizes(state)}")
    return "  ".join(words)


def help_lines(state: PublicState) -> list[str]:
    lines = [
        "f, fold         give up the hand",
        "c, call, check  put in what is missing, or nothing where nothing is",
        "r, b            raise or bet; chips are counted from the beginning of the round",
        "?               this text",
        "q, quit         leave the table",
    ]
    if state.rules.has_sizes:
        lines[3:3] = [
            "r 300, 300      raise to, or bet, 300 in this round",
            "pot, half       by the pot, or half of it, once the call is in it",
            "min, allin      the least, the most",
        ]
    return lines


def parse_answer(answer: str, state: PublicState) -> Action:
    """The action that the answer means; IllegalActionError says what is allowed."""
    text, legal = " ".join(answer.lower().replace(",", "").split()), state.legal
    if text in ("f", "fold"):
        if not legal.can_fold:
            raise IllegalActionError(f"there is nothing to fold to; {_allowed(state)}")
        return FOLD
    if text in ("k", "x", "check") and state.to_call > 0:
        raise IllegalActionError(f"it is {state.to_call} to call; {_allowed(state)}")
    if text in ("c", "call", "k", "x", "check"):
        return CALL
    found = _RAISE.fullmatch(text)
    if not text or found is None:
        raise _not_understood(answer, state)
    size = found["size"] or ""
    is_number = size.isascii() and size.isdigit() and len(size) <= _MAX_DIGITS
    if not is_number and size not in ("", "min", *_ALL_IN, *_POT_PARTS):
        raise _not_understood(answer, state)
    if not legal.can_raise:
        raise IllegalActionError(f"no raise is allowed any more; {_allowed(state)}")
    return _raise_to(size, state)


def raise_presets(state: PublicState) -> dict[str, int]:
    """Sizes that a button each may stand for, by the words that `parse_answer` knows, in chips of the round."""
    if not state.rules.has_sizes or not state.legal.can_raise:
        return {}
    before = chips_before_round(state)[state.seat]
    sizes = {word: _raise_to(word, state) - before for word in ("min", "half", "pot", "allin")}
    return {word: size for word, size in sizes.items() if word == "allin" or size < sizes["allin"]}


def _raise_to(size: str, state: PublicState) -> Action:
    legal, before = state.legal, chips_before_round(state)[state.seat]
    if size == "":
        if state.rules.has_sizes and legal.min_raise_to < legal.max_raise_to:
            raise IllegalActionError(f"to how much? {_allowed(state)}")
        return legal.max_raise_to
    if size == "min":
        return legal.min_raise_to
    if size in _ALL_IN:
        return legal.max_raise_to
    if size in _POT_PARTS:
        called = state.spent[state.seat] + state.to_call
        return legal.nearest_raise(called + (state.pot + state.to_call) // _POT_PARTS[size])
    chips = before + int(size)
    if not legal.min_raise_to <= chips <= legal.max_raise_to:
        raise IllegalActionError(f"{size} is not allowed; {_allowed(state)}")
    return chips


def _sizes(state: PublicState) -> str:
    before, legal = chips_before_round(state)[state.seat], state.legal
    least, most = legal.min_raise_to - before, legal.max_raise_to - before
    return f"{least}" if least == most else f"{least}..{most}"


def _not_understood(answer: str, state: PublicState) -> IllegalActionError:
    shown = answer if len(answer) <= _MAX_SHOWN else f"{answer[:_MAX_SHOWN]}..."
    return IllegalActionError(f"{shown!r} is not understood; {_allowed(state)}")


def _allowed(state: PublicState) -> str:
    return f"allowed: {choices(state)}"
