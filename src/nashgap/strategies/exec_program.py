"""A program in any language as a strategy: `exec:COMMAND`.

One JSON line asks, one answers. First the game, then batches of public states; the protocol is in docs/formats.md. All
that a program answers is checked; one that answers nonsense, dies or takes too long is ended, and an AgentError names
the state and the row. Asked again, the program is started anew.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.core.line_program import PipeProgram
from nashgap.core.one_line import one_line
from nashgap.core.program import ProgramLimits, command_words
from nashgap.core.strategy import Policy
from nashgap.errors import AgentError, IllegalActionError
from nashgap.poker.hands import hand_names
from nashgap.poker.moves import parse_move
from nashgap.poker.notation import format_public_state
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.strategies.check_policy import check_policy, place_text, row_name

__all__ = ["PROTOCOL_VERSION", "ExecStrategy"]

PROTOCOL_VERSION = 1
GIGABYTE = 10**9
MAX_NAME, MAX_ERROR, MAX_VALUE = 60, 200, 40  # letters of what a program says, in a message
LARGEST_WHOLE = 2**63  # of the integers that are read at all


class ExecStrategy:
    """Asks a program, which is started by the first question.

    name:     the spec.
    bot_name: as the program calls itself, once it has been started.
    """

    is_sampled = False
    is_checked = True

    def __init__(self, command: str, rules: PokerRules, limits: ProgramLimits | None = None, name: str = "") -> None:
        self.name = name or f"exec:{command}"
        self.rules = rules
        self.limits = limits or ProgramLimits()
        self.bot_name = ""
        hand_names(rules)  # refuses a game with many hole cards
        self._command = command
        self._words = command_words("strategy", self.name, command)
        self._program: PipeProgram | None = None
        self._num_asked = 0

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        for state in states:
            if state.seat < 0:
                raise IllegalActionError(f"nobody is to act after {state.betting!r}")
        size = int(self.limits.batch)
        return [policy for first in range(0, len(states), size) for policy in self._asked(states[first : first + size])]

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def __reduce__(self) -> tuple[Any, ...]:
        return ExecStrategy, (self._command, self.rules, self.limits, self.name)  # a program of its own

    def _asked(self, states: Sequence[PublicState]) -> list[Policy]:
        program = self._running()
        self._num_asked += 1
        number = self._num_asked
        more = f" and {len(states) - 1} more" if len(states) > 1 else ""
        what = f"the policy {place_text(states[0])}{more}"
        question = {"id": number, "states": [_described(state) for state in states]}
        answer = _parsed(program, program.ask(_json(question), self.limits.seconds, what), what)
        try:
            return self._read(answer, number, states)
        except AgentError as error:
            self.close()
            raise error from None

    def _running(self) -> PipeProgram:
        if self._program is not None and self._program.is_ours:
            return self._program
        memory = round(self.limits.memory * GIGABYTE) or None
        program = PipeProgram(self.name, self._words, memory)
        question = {
            "nashgap": PROTOCOL_VERSION,
            "game": self.rules.to_text(),
            "game_name": self.rules.name,
            "hands": hand_names(self.rules),
        }
        what = "the game definition"
        answer = _parsed(program, program.ask(_json(question), self.limits.startup, what), what)
        if answer.get("nashgap") != PROTOCOL_VERSION:
            program.fail(
                f'answers the game definition with "nashgap": {_value_text(answer.get("nashgap"))};'
                f" the version of the protocol is {PROTOCOL_VERSION}"
            )
        self.bot_name = one_line(str(answer.get("name", "")), MAX_NAME)
        self._program = program
        return program

    def _read(self, answer: dict[str, Any], number: int, states: Sequence[PublicState]) -> list[Policy]:
        first = f"{self.name} {place_text(states[0])}"
        if "error" in answer:
            raise AgentError(f"{first}: the program says: {one_line(str(answer['error']), MAX_ERROR)}")
        if answer.get("id") != number or isinstance(answer.get("id"), bool):
            raise AgentError(f"{first}: answers question {_value_text(answer.get('id'))}; question {number} was asked")
        policies = answer.get("policies")
        if not isinstance(policies, list) or len(policies) != len(states):
            count = f"{len(policies)} policies" if isinstance(policies, list) else 'no list "policies"'
            raise AgentError(f"{first}: {count} for {len(states)} states")
        return [self._policy(policy, state) for policy, state in zip(policies, states, strict=True)]

    def _policy(self, given: object, state: PublicState) -> Policy:
        where = f"{self.name} {place_text(state)}"
        if not isinstance(given, dict) or "actions" not in given or "probabilities" not in given:
            raise AgentError(f'{where}: a policy is an object with "actions" and "probabilities"')
        actions = given["actions"]
        if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
            raise AgentError(f'{where}: "actions" must be a list of text such as ["f", "c", "r600"]')
        try:
            moves = tuple(parse_move(action, state) for action in actions)
        except IllegalActionError as error:
            raise AgentError(f"{where}: action {error}") from None
        rows = _rows(given["probabilities"], len(actions), hand_names(state.rules), where)
        return check_policy(Policy(hand_names(state.rules), tuple(actions), rows, moves), state, self.name)


def _described(state: PublicState) -> dict[str, Any]:
    """The state as the competition writes it, and what follows from it by the rules, which a program need not know."""
    legal = state.legal
    return {
        "state": format_public_state(state),
        "betting": state.betting,
        "board": format_cards(state.board),
        "seat": state.seat,
        "spent": state.spent,
        "pot": state.pot,
        "to_call": state.to_call,
        "can_fold": legal.can_fold,
        "raise_to": [legal.min_raise_to, legal.max_raise_to] if legal.can_raise else None,
    }


def _rows(given: object, num_actions: int, names: Sequence[str], where: str) -> np.ndarray:
    """`[rows, A]`; how many rows, and whether their numbers are probabilities, is not looked at."""
    if isinstance(given, dict) and isinstance(given.get("base64"), str):
        try:
            raw = base64.b64decode(given["base64"], validate=True)
        except (binascii.Error, ValueError):
            raise AgentError(f'{where}: "base64" is not base64') from None
        if len(raw) % (4 * max(num_actions, 1)):
            raise AgentError(f"{where}: {len(raw)} bytes of float32 do not make rows of {num_actions} actions")
        return np.frombuffer(raw, "<f4").astype(np.float64).reshape(-1, max(num_actions, 1))
    if not isinstance(given, list):
        raise AgentError(
            f'{where}: "probabilities" must be numbers, a row for each hand or one for all, or {{"base64": ...}}'
        )
    table = given if any(isinstance(row, list) for row in given) else [given]
    try:
        rows = np.array(table)
        if rows.dtype.kind in "fi" and rows.shape == (len(table), num_actions):
            return rows
    except ValueError:  # rows of different lengths
        pass
    for number, row in enumerate(table):
        wrong = _row_problem(row, num_actions)
        if wrong:
            raise AgentError(f"{where}: {row_name(number, len(table), names)}: {wrong}")
    return np.array(table, np.float64)


def _row_problem(row: object, num_actions: int) -> str:
    """Why this is not a row of so many numbers; empty if it is one."""
    if not isinstance(row, list):
        return f"{_value_text(row)} is no list of numbers"
    for value in row:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"{_value_text(value)} is no number"
        if isinstance(value, int) and not abs(value) < LARGEST_WHOLE:
            return f"{_value_text(value)} is too large"
    return "" if len(row) == num_actions else f"{len(row)} numbers for {num_actions} actions"


def _value_text(value: object) -> str:
    """A value that a program sent: as in Python if it is text, else as in JSON."""
    return repr(value[:MAX_VALUE]) if isinstance(value, str) else one_line(json.dumps(value), MAX_VALUE)


def _json(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def _parsed(program: PipeProgram, line: bytes, what: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        shown = line[:60].decode("utf-8", "replace")
        program.fail(f"answers {shown!r}, which is no JSON object, to {what}")
    program.expect_no_more(what)
    return answer
