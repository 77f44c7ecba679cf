"""A hand's betting as players tell it: `r100c/xb50c`, with sizes grouped by fraction of the pot so that lines repeat.

x check, c call, f fold, b bet, r raise, each with a size where the game has sizes (`b50`: about half the pot), a all-in
for more than a call. A raise is measured by what it adds to the call, against the pot after the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from nashgap.core.game import CHANCE
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState

__all__ = [
    "ALL_IN",
    "SIZE_CLASSES",
    "LineStep",
    "betting_states",
    "fraction_words",
    "line_text",
    "line_words",
    "read_line",
    "size_words",
]

ALL_IN = "all-in"
_WORDS = {"25": "1/4 pot", "50": "1/2 pot", "75": "3/4 pot", "100": "pot", "200": "2x pot", "400": "4x pot or more"}
_TIMES = 10  # pots and more are told as a number of them
_BOUNDS = (0.375, 0.625, 0.875, 1.4, 2.9)  # fractions of the pot that divide these classes

SIZE_CLASSES = (*_WORDS, ALL_IN)
"""Sizes of bets and raises: about so many hundredths of the pot, or all-in."""

_ACTION = re.compile(r"f|c|r[0-9]*")
MAX_DIGITS = 12
_VERBS = {"x": "checks", "c": "calls", "f": "folds", "b": "bets", "r": "raises", "a": "goes all-in"}


@dataclass(frozen=True)
class LineStep:
    """One action: `kind` is its letter, `size` one of SIZE_CLASSES, empty where it has none.

    fraction: of the pot after a call, what a bet or raise adds to the call, as it was made.
    """

    seat: int
    round: int
    kind: str
    size: str = ""
    fraction: float = field(default=0.0, compare=False)

    @property
    def is_aggressive(self) -> bool:
        return self.kind in "bra"


def read_line(rules: PokerRules, betting: str) -> tuple[LineStep, ...]:
    """The steps of a betting text of the competition, `r300c/cr600c`."""
    return tuple(_step(state, action) for state, action in _played(rules, betting)[0])


def betting_states(rules: PokerRules, betting: str, *, is_last_dealt: bool = False) -> tuple[PublicState, ...]:
    """The states in which each action of the text was taken, on whatever board.

    is_last_dealt: with the state after all of them, as far as cards alone can bring it.
    """
    taken, end = _played(rules, betting)
    return tuple(state for state, _ in taken) + ((_dealt(end),) if is_last_dealt else ())


def line_text(steps: Iterable[LineStep]) -> str:
    """`r100c/xx/b50c`."""
    rounds = groupby(steps, key=lambda step: step.round)
    return "/".join("".join(step.kind + step.size.replace(ALL_IN, "") for step in taken) for _, taken in rounds)


def line_words(steps: Iterable[LineStep], names: Sequence[str], *, is_exact: bool = False) -> str:
    """`LBR bets 1/2 pot, bot calls`; `names` by seat. Exactly: `LBR bets 46% of the pot, bot calls`."""
    return ", ".join(f"{names[step.seat]} {_step_words(step, is_exact=is_exact)}" for step in steps)


def size_words(size: str) -> str:
    return _WORDS.get(size, size)


def _played(rules: PokerRules, betting: str) -> tuple[list[tuple[PublicState, Action]], PublicState]:
    """Each action with the state in which it was taken, and the state after the last."""
    taken, state = [], rules.root()
    for token in _ACTION.findall(betting):
        state = _dealt(state)
        action = _action(token, state)
        taken.append((state, action))
        state = state.act(action)
    return taken, state


def _dealt(state: PublicState) -> PublicState:
    """Which cards they are does not matter to the betting."""
    while state.seat == CHANCE:
        start = len(state.board)
        state = state.deal(state.rules.deck[start : start + state.num_missing_cards])
    return state


def fraction_words(fraction: float) -> str:
    """`66% of the pot`, `33 times the pot`."""
    return f"{fraction:.0%} of the pot" if fraction < _TIMES else f"{fraction:.0f} times the pot"


def _step_words(step: LineStep, *, is_exact: bool) -> str:
    if is_exact and step.size:
        return f"{_VERBS[step.kind]}{' for' if step.kind == 'a' else ''} {fraction_words(step.fraction)}"
    size = f" {size_words(step.size)}" if step.size and step.kind != "a" else ""
    return _VERBS[step.kind] + size


def _action(token: str, state: PublicState) -> Action:
    if token[0] == "r":
        digits = token[1:].lstrip("0")  # those of no stack are cut: Python reads only so many
        return int(digits[:MAX_DIGITS] or 0) if token[1:] else state.legal.max_raise_to
    return FOLD if token == "f" else CALL


def _step(state: PublicState, action: Action) -> LineStep:
    seat, number = state.seat, state.round
    if action == FOLD:
        return LineStep(seat, number, "f")
    if action == CALL:
        return LineStep(seat, number, "c" if state.to_call else "x")
    rules = state.rules
    highest = max(state.spent)
    fraction = (action - highest) / max(state.pot + highest - state.spent[seat], 1)
    if action == rules.stacks[seat] != UNLIMITED:
        return LineStep(seat, number, "a", ALL_IN, fraction)
    is_first = state.num_raises == 0 and (rules.has_antes or number > 0 or not any(rules.blinds))
    size = SIZE_CLASSES[sum(fraction >= bound for bound in _BOUNDS)] if rules.has_sizes else ""
    return LineStep(seat, number, "b" if is_first else "r", size, fraction)
