"""Any agent as a player of the competition: connects to a dealer and plays until it hangs up."""

from __future__ import annotations

import secrets
import socket
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from nashgap import _native
from nashgap.agents.agent import Agent, NativeAgent
from nashgap.arena.table import SeatGenerators
from nashgap.core.job import require_seed
from nashgap.core.result import Result
from nashgap.core.wire import Wire
from nashgap.errors import ConfigError, IllegalActionError, NashGapError, WireClosedError, WireError
from nashgap.poker.notation import HandRecord
from nashgap.poker.protocol import VERSION_LINE
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState, View, action_text

__all__ = ["AcpcPlayer", "PlayerScore"]

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 3600.0
RETRY_SECONDS = 0.05


@dataclass(frozen=True, repr=False)
class PlayerScore(Result):
    """What the player saw of a match. winrate: in the unit of the game."""

    reporter: ClassVar[str] = "nashgap.reports.acpc:score_report"

    num_hands: int
    chips: float
    winrate: float
    unit: str
    agent: str = ""

    @property
    def summary(self) -> str:
        return f"{self.agent} won {self.chips:,.6g} chips, {self.winrate:.6g} {self.unit}, in {self.num_hands:,} hands."

    def as_dict(self) -> dict[str, Any]:
        told = {"agent": self.agent, "hands": self.num_hands, "chips": self.chips, "winrate": self.winrate}
        return {**told, "unit": self.unit}


class AcpcPlayer:
    """Plays an agent at a dealer.

    seed:            of the agent's choices, which are then those of the in-process match with the same seed; random if
                     not given.
    connect_seconds: how long to try to reach the dealer.
    silence_seconds: how long to wait for each of its messages; other players may think for long.
    """

    def __init__(
        self,
        agent: Agent,
        rules: PokerRules,
        *,
        seed: int | None = None,
        connect_seconds: float = CONNECT_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        if seed is not None:
            require_seed(seed)
        self.agent = agent
        self.rules = rules
        self.seed = secrets.randbits(63) if seed is None else seed
        self.connect_seconds = connect_seconds
        self.silence_seconds = silence_seconds

    def play(self, host: str, port: int) -> PlayerScore:
        """Play the match to its end. Errors name the dealer and what it did wrong."""
        place = f"the dealer at {host}:{port}"
        wire = Wire(self._connect(host, port, place))
        try:
            return self._play(wire)
        except WireError as error:
            raise WireError(f"{place} {error}") from error
        finally:
            wire.close()

    def _connect(self, host: str, port: int, place: str) -> socket.socket:
        if not 0 < port < 2**16:
            raise ConfigError(f"port {port}; 1 to 65535 are allowed")
        deadline = time.monotonic() + self.connect_seconds
        while True:
            try:
                return socket.create_connection((host, port), timeout=max(deadline - time.monotonic(), RETRY_SECONDS))
            except (ConnectionRefusedError, TimeoutError) as error:  # not there yet
                if time.monotonic() >= deadline:
                    raise ConfigError(f"{place} does not answer: {error.strerror or error}") from error
                time.sleep(RETRY_SECONDS)
            except (OSError, UnicodeError) as error:
                raise ConfigError(f"{place} cannot be reached: {getattr(error, 'strerror', None) or error}") from error

    def _play(self, wire: Wire) -> PlayerScore:
        wire.send(VERSION_LINE, time.monotonic() + self.connect_seconds)
        self.agent.start_match(self.rules)
        session: _native.AgentSession | _PythonSession
        if isinstance(self.agent, NativeAgent):
            session = _native.AgentSession(self.rules.native, self.agent.native, self.seed)
        else:
            session = _PythonSession(self.rules, self.agent, self.seed)
        while (data := self._heard(wire, session)) is not None:
            try:
                reply = session.reply(data)
            except ValueError as error:
                raise error if isinstance(error, NashGapError) else WireError(str(error)) from error
            if reply:
                wire.queue_bytes(reply)
                wire.flush_whole(time.monotonic() + self.silence_seconds)
        num_hands, chips = session.num_hands, session.won_shares / _native.CHIP_SHARES
        return PlayerScore(num_hands, chips, chips / num_hands / self.rules.unit_chips, self.rules.unit)

    def _heard(self, wire: Wire, session: _native.AgentSession | _PythonSession) -> bytes | None:
        """What the dealer sends next; None when it has hung up between two hands, which is how a match ends."""
        try:
            return wire.read(time.monotonic() + self.silence_seconds)
        except WireClosedError:
            if session.is_in_line:
                raise WireClosedError("hung up in the middle of a line") from None
            if not session.is_between_hands:
                raise WireClosedError("hung up in the middle of a hand") from None
            if session.num_hands == 0:
                raise WireClosedError("hung up before the first hand") from None
            return None


class _PythonSession:
    """`_native.AgentSession` for an agent that is asked in Python."""

    def __init__(self, rules: PokerRules, agent: Agent, seed: int) -> None:
        self._rules = rules
        self._agent = agent
        self._session = _native.PlayerSession(rules.native)
        self._generators = SeatGenerators(seed)

    is_in_line = property(lambda self: self._session.is_in_line)
    is_between_hands = property(lambda self: self._session.is_between_hands)
    num_hands = property(lambda self: self._session.num_hands)
    won_shares = property(lambda self: self._session.won_shares)

    def reply(self, data: bytes) -> bytes:
        """What is to be sent when this has come."""
        session, replies = self._session, ""
        session.hear(data)
        while event := session.next():
            if event == _native.SESSION_START:
                self._agent.start_hand(session.seat, self._generators.at(session.hand_number, 0, session.seat))
            elif event == _native.SESSION_TURN:
                replies += f"{session.answer(self._action())}\r\n"
            else:
                self._agent.end_hand(self._finished())
        return replies.encode("ascii", "replace")

    def _action(self) -> Action:
        session = self._session
        state, cards = PublicState(self._rules, session.state), session.hole_cards[session.seat]
        assert cards is not None, "the session refuses such states"
        action = self._agent.act(View(state, session.seat, cards))
        if not state.is_legal(action):
            raise IllegalActionError(
                f"{self._agent.name} answers {action_text(self._rules, action)} after {state.betting!r};"
                f" legal: {state.legal}"
            )
        return action

    def _finished(self) -> HandRecord:
        session = self._session
        names = tuple(f"p{seat + 1}" for seat in range(self._rules.num_seats))
        payoffs = tuple(shares / _native.CHIP_SHARES for shares in session.payoff_shares)
        state = PublicState(self._rules, session.state)
        return HandRecord(session.hand_number, state, session.hole_cards, payoffs, names)
