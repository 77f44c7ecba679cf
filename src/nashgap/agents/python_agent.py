"""Somebody's own class as an agent: `python:module:Class`.

Whatever goes wrong in it is told in one line with the place in its file; the cause has the whole traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from reprlib import repr as short
from typing import Any

import numpy as np

from nashgap.core.one_line import one_line
from nashgap.core.python_class import made, told
from nashgap.errors import AgentError, IllegalActionError
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, View

__all__ = ["PythonAgent"]

MAX_SHOWN = 60  # letters of an answer that is none
MAX_BITS = 63  # of an action: far more chips than there are


class PythonAgent:
    """A player that needs nothing but `act(view)`; the other methods of `Agent` are called if it has them.

    make: gives the player of each match; a class gives a new one, which remembers nothing.
    """

    deals_per_batch = 25  # few, because it may be slow: what is finished is kept, and tells the time left

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.name = name
        self._make = make
        self._player = made(name, "agent", make)

    def start_match(self, rules: PokerRules) -> None:
        self._player = made(self.name, "agent", self._make)
        self._call("start_match", rules)

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._call("start_hand", seat, rng)

    def act(self, view: View) -> Action:
        try:
            action = self._player.act(view)
            if isinstance(action, int | np.integer) and not isinstance(action, bool):
                if (number := int(action)).bit_length() <= MAX_BITS:
                    return number
                shown = f"a number of {number.bit_length():,} bits"
            else:
                shown = one_line(short(action), MAX_SHOWN)
        except BaseException as error:
            raise AgentError(f"{self.name} fails in act(view): {told(error)}") from error
        raise IllegalActionError(f"{self.name} answers {shown}; an action is a whole number: -1, 0 or chips")

    def end_hand(self, hand: HandRecord) -> None:
        self._call("end_hand", hand)

    def _call(self, method: str, *arguments: object) -> None:
        try:
            if hasattr(self._player, method):
                getattr(self._player, method)(*arguments)
        except BaseException as error:
            raise AgentError(f"{self.name} fails in {method}: {told(error)}") from error
