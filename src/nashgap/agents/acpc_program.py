"""A player program of the competition as an agent: `acpc:COMMAND`.

The program is started as `COMMAND HOST PORT` at the beginning of each match and hears what a dealer would tell it: the
state after every action, its own cards, and at a showdown those that are shown. It has one seat; its answers are
mended as the competition's dealer mends them. A program that dies, hangs up or takes too long ends the match with an
error.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from nashgap.core.game import CHANCE
from nashgap.core.line_program import SocketProgram
from nashgap.core.program import command_words
from nashgap.poker.notation import HandRecord, HoleCards, MatchState, format_match_state
from nashgap.poker.protocol import VERSION_LINE, is_comment, is_version, parse_response, shown_cards
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState, View

__all__ = ["AcpcAgent"]

STARTUP_SECONDS = 30.0
ACTION_SECONDS = 60.0
MAX_IDLE_LINES = 1000


class AcpcAgent:
    """Plays a program that speaks the competition's protocol.

    command:         as in a shell, without host and port; no shell is involved.
    startup_seconds: time that the program has to connect.
    action_seconds:  for one answer.
    num_mended:      answers of this match that were not legal and were replaced.
    """

    is_external = True
    deals_per_batch = 1000

    def __init__(
        self, command: str, *, startup_seconds: float = STARTUP_SECONDS, action_seconds: float = ACTION_SECONDS
    ) -> None:
        self.name = f"acpc:{command}"
        self.startup_seconds = startup_seconds
        self.action_seconds = action_seconds
        self.num_mended = 0
        self._words = command_words("agent", self.name, command)
        self._program: SocketProgram | None = None

    def start_match(self, rules: PokerRules) -> None:
        self.close()
        self.num_mended = 0
        self._rules = rules
        self._hand_number = -1
        deadline = time.monotonic() + self.startup_seconds
        program = SocketProgram(self.name, self._words, deadline)
        _greet(program, deadline)
        self._program = program

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._seat = seat
        self._hand_number += 1
        self._told: PublicState | None = None

    def act(self, view: View) -> Action:
        hole_cards = tuple(view.hole_cards if seat == self._seat else None for seat in range(self._rules.num_seats))
        asked = self._tell(view.state, hole_cards)
        deadline = time.monotonic() + self.action_seconds
        for _ in range(MAX_IDLE_LINES):
            line = self._running.receive(deadline, f"takes more than {self.action_seconds:g} seconds for an action")
            response = None if is_comment(line) else parse_response(line, asked, view.state)
            if response is not None:
                self.num_mended += response.is_mended
                return response.action
        self._running.fail(f"sent {MAX_IDLE_LINES} lines without an answer")

    def end_hand(self, hand: HandRecord) -> None:
        if hand.hole_cards[self._seat] is not None:  # else nothing can be told
            self._tell(hand.state, hand.hole_cards)

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.say_goodbye()
            self._program = None

    def __getstate__(self) -> dict[str, Any]:
        settings = ("name", "startup_seconds", "action_seconds", "_words")
        return {key: self.__dict__[key] for key in settings} | {"num_mended": 0, "_program": None}

    @property
    def _running(self) -> SocketProgram:
        assert self._program is not None, "start_match comes first"
        return self._program

    def _tell(self, state: PublicState, hole_cards: HoleCards) -> str:
        """Send every state of the hand, up to this one, that the program has not heard; the last message."""
        line = ""
        for passed in self._untold(state):
            cards = shown_cards(passed, hole_cards, self._seat)
            line = format_match_state(MatchState(self._seat, self._hand_number, passed, cards))
            self._running.queue(line)
            self._told = passed
        self._running.flush(time.monotonic() + self.action_seconds)
        return line

    def _untold(self, state: PublicState) -> list[PublicState]:
        actions = [action for done in state.history for action in done]
        passed = self._told
        untold: list[PublicState] = []
        if passed is None:
            passed = _with_board(self._rules.root(), state)
            untold.append(passed)
        for action in actions[sum(map(len, passed.history)) :]:
            passed = _with_board(passed.act(action), state)
            untold.append(passed)
        return untold


def _greet(program: SocketProgram, deadline: float) -> None:
    for _ in range(MAX_IDLE_LINES):
        line = program.receive(deadline, f"did not say {VERSION_LINE} in time")
        if is_version(line):
            return
        if not is_comment(line):
            program.fail(f"said {line[:60]!r} instead of {VERSION_LINE}")
    program.fail(f"sent {MAX_IDLE_LINES} comments instead of {VERSION_LINE}")


def _with_board(state: PublicState, later: PublicState) -> PublicState:
    """The state with the board cards that are due, as they are known from a later state."""
    if state.seat != CHANCE:
        return state
    start = len(state.board)
    return state.deal(later.board[start : start + state.num_missing_cards])
