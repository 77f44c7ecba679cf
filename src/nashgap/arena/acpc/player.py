"""Any agent as a player of the competition: connects to a dealer and plays until it hangs up."""

from __future__ import annotations

import secrets
import socket
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from nashgap.agents.agent import Agent
from nashgap.arena.table import SeatGenerators
from nashgap.core.job import require_seed
from nashgap.core.result import Result
from nashgap.core.wire import Wire
from nashgap.errors import ConfigError, IllegalActionError, NashGapError, WireClosedError, WireError
from nashgap.poker.notation import HandRecord, MatchState, parse_match_state
from nashgap.poker.protocol import VERSION_LINE, is_comment
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import View, action_text

__all__ = ["AcpcPlayer", "PlayerScore"]

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 3600.0
RETRY_SECONDS = 0.05
MAX_COMMENTS = 10_000  # on end; no dealer has that much to remark


@dataclass(frozen=True, repr=False)
class PlayerScore(Result):
    """What the player saw of a match. winrate: in the unit of the game; 0 if no hand was played."""

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
        generators = SeatGenerators(self.seed)
        num_hands, chips, hand_number, own_seat = 0, 0.0, -1, -1
        is_over, answered, beginning = True, "", ""
        while (line := self._next_line(wire, is_over)) is not None:
            if not is_over and line.startswith(beginning) and wire.has_waiting(beginning):
                continue  # a later state of the hand has everything that is in this one
            message = self._parsed(line)
            state, seat = message.state, message.seat
            if is_over or message.hand_number != hand_number:
                if not is_over:
                    raise WireError(f"starts hand {message.hand_number} before the end of hand {hand_number}")
                is_over, hand_number, own_seat = False, message.hand_number, seat
                beginning = f"MATCHSTATE:{seat}:{hand_number}:"
                self.agent.start_hand(seat, generators.at(hand_number, 0, seat))
            if seat != own_seat:
                raise WireError(f"moves the player from position {own_seat} to {seat} in hand {hand_number}")
            if state.is_over:
                hand = self._finished(message)
                self.agent.end_hand(hand)
                is_over, num_hands, chips = True, num_hands + 1, chips + hand.payoffs[seat]
            elif state.seat == seat and line != answered:
                answered = line
                wire.send(f"{line}:{self._answer(message)}", time.monotonic() + self.silence_seconds)
        winrate = chips / num_hands / self.rules.unit_chips if num_hands else 0.0
        return PlayerScore(num_hands, chips, winrate, self.rules.unit)

    def _next_line(self, wire: Wire, is_between_hands: bool) -> str | None:
        """The next message; None when the dealer has hung up between two hands, which is how a match ends."""
        for _ in range(MAX_COMMENTS):
            try:
                line = wire.receive(time.monotonic() + self.silence_seconds)
            except WireClosedError:
                if is_between_hands:
                    return None
                raise WireClosedError("hung up in the middle of a hand") from None
            if line and not is_comment(line):
                return line
        raise WireError(f"sent {MAX_COMMENTS} comments on end")

    def _parsed(self, line: str) -> MatchState:
        try:
            message = parse_match_state(line.rstrip(), self.rules)
            if message.hole_cards[message.seat] is None:
                raise WireError("own hole cards are missing")
            return message
        except NashGapError as error:
            raise WireError(f"sent {line[:80]!r}: {str(error)[:200]}") from error

    def _answer(self, message: MatchState) -> str:
        cards = message.hole_cards[message.seat]
        assert cards is not None, "_parsed refuses such messages"
        action = self.agent.act(View(message.state, message.seat, cards))
        text = action_text(self.rules, action)
        if not message.state.is_legal(action):
            raise IllegalActionError(
                f"{self.agent.name} answers {text} after {message.state.betting!r}; legal: {message.state.legal}"
            )
        return text

    def _finished(self, message: MatchState) -> HandRecord:
        try:
            payoffs = message.state.payoffs(message.hole_cards)
        except NashGapError as error:
            raise WireError(f"ends hand {message.hand_number}: {error}") from error
        names = tuple(f"p{seat + 1}" for seat in range(self.rules.num_seats))
        return HandRecord(message.hand_number, message.state, message.hole_cards, payoffs, names)
