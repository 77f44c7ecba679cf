"""The dealer: deals hands to players over TCP and keeps the match going whatever any of them does.

After the competition's dealer. It listens only to the player whose turn it is; what the others say meanwhile waits and
is found stale at their turn. A raise of a size that is not allowed is moved to the nearest that is, any other action
that is not legal becomes a check or call, lines that answer nothing are passed over while the clock runs. Where the
competition's dealer ends the match (time out, hang-up) this one goes on without the player: from then on its seat
checks where that is free and folds otherwise, and the others' results stand. When nobody is left the match is over.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from nashgap import _native
from nashgap.arena.acpc.config import DealerConfig
from nashgap.arena.acpc.door import listen, seat_players
from nashgap.arena.acpc.guest import Guest
from nashgap.arena.acpc.hand import DealtHand
from nashgap.arena.acpc.log import MatchLog
from nashgap.arena.table import deal_cards
from nashgap.core.result import Result
from nashgap.errors import ConfigError, WireError, WireTimeoutError
from nashgap.poker.protocol import is_comment
from nashgap.poker.state import Action, action_text
from nashgap.runs.config import package_version

__all__ = ["Dealer", "DealerResult", "PlayerResult"]

MAX_IDLE_LINES = 1000
"""Lines that answer nothing, comments among them, which a player may send before an answer."""
MAX_REMARKS = 20
MAX_QUEUED_BYTES = 1 << 14
# A message costs more than anything else here. Who is not to act gets them together, at most so much later.
MAX_DELAY_SECONDS = 0.01
FAREWELL_SECONDS = 2.0
PROGRESS_SECONDS = 0.1


@dataclass(frozen=True)
class PlayerResult:
    """How a player did. winrate: in the unit of the game.

    num_mended:   actions that were not legal and were replaced.
    num_ignored:  lines that answered nothing, comments not counted.
    wait_seconds: how long it was waited for.
    fault:        why it was taken out of the match, and at which hand; None if it was there to the end.
    """

    name: str
    chips: float
    winrate: float
    num_mended: int
    num_ignored: int
    wait_seconds: float
    fault: str | None


@dataclass(frozen=True, eq=False, repr=False)
class DealerResult(Result):
    """A finished match; players in the order of their ports. log: of the match; None where none was written."""

    reporter: ClassVar[str] = "nashgap.reports.acpc:dealer_report"

    players: tuple[PlayerResult, ...]
    unit: str
    num_hands: int
    seed: int
    seconds: float
    log: Path | None = None

    @property
    def summary(self) -> str:
        best = max(self.players, key=lambda player: player.winrate)
        return f"{best.name} wins {best.winrate:.6g} {self.unit} over {self.num_hands:,} hands."

    def as_dict(self) -> dict[str, Any]:
        return {
            "players": [player.name for player in self.players],
            "unit": self.unit,
            "chips": [player.chips for player in self.players],
            "winrates": [player.winrate for player in self.players],
            "hands": self.num_hands,
            "seed": self.seed,
            "seconds": self.seconds,
            "errors": {
                player.name: {"changed": player.num_mended, "ignored": player.num_ignored, "fault": player.fault}
                for player in self.players
            },
            "log": None if self.log is None else str(self.log),
            "version": package_version(),
        }


class Dealer:
    """Plays one match: `listen`, then `run`; or `close` to give up before."""

    def __init__(self, config: DealerConfig) -> None:
        self.config = config
        self._doors: list[socket.socket] = []

    def listen(self) -> tuple[int, ...]:
        """Open the doors; the players' ports."""
        self._doors = listen(self.config.host, self.config.ports or (0,) * self.config.rules.num_seats)
        return tuple(door.getsockname()[1] for door in self._doors)

    def run(self, progress: Callable[[int], None] | None = None) -> DealerResult:
        """Wait for the players and play the match. progress: called now and then with the number of hands played."""
        config = self.config
        if not self._doors:
            self.listen()
        try:
            with MatchLog(config.log_path) as log, MatchLog(config.transcript_path) as transcript:
                return _Match(config, log, transcript).play(self._doors, progress)
        finally:
            self.close()

    def close(self) -> None:
        while self._doors:
            self._doors.pop().close()


class _Match:
    def __init__(self, config: DealerConfig, log: MatchLog, transcript: MatchLog) -> None:
        self._config = config
        self._log = log
        self._transcript = transcript
        self._is_transcribed = transcript.is_kept
        self._guests = [Guest(config, number) for number in range(config.rules.num_seats)]
        self._hand_number = 0
        self._num_present = len(self._guests)

    def play(self, doors: list[socket.socket], progress: Callable[[int], None] | None) -> DealerResult:
        self._write_header()
        try:
            self._seat_players(doors)
            start = shown = time.monotonic()
            for number in range(self._config.num_hands):
                self._play_hand(number)
                if progress is not None and (now := time.monotonic()) - shown > PROGRESS_SECONDS:
                    shown = now
                    progress(number + 1)
            if progress is not None:
                progress(self._config.num_hands)
            return self._finished(time.monotonic() - start)
        finally:
            for guest in self._guests:
                if guest.wire is not None:
                    guest.wire.close()

    def _write_header(self) -> None:
        config = self._config
        limits = {
            "t_response": 1000 * config.seconds_per_action,
            "t_hand": 1000 * config.seconds_per_hand,
            "t_per_hand": 1000 * config.match_seconds / config.num_hands,
        }
        self._log.header(config.name, config.rules.name or "game", config.num_hands, config.seed, limits)

    def _seat_players(self, doors: list[socket.socket]) -> None:
        ports = [door.getsockname()[1] for door in doors]
        seconds = self._config.startup_seconds

        def refuse(player: int, reason: str) -> None:
            guest = self._guests[player]
            guest.num_ignored += 1
            self._remark(guest, f"a caller was sent away: it {reason}")

        wires = seat_players(doors, seconds, refuse)
        while doors:
            doors.pop().close()
        if not any(wires):
            raise ConfigError(f"no player came to ports {', '.join(map(str, ports))} within {seconds:g} seconds")
        for guest, wire, port in zip(self._guests, wires, ports, strict=True):
            guest.wire = wire
            if wire is None:
                self._take_out(guest, f"did not come to port {port} within {seconds:g} seconds")

    def _play_hand(self, number: int) -> None:
        rules, guests = self._config.rules, self._guests
        self._hand_number = number
        for guest in guests:
            guest.hand_seconds = 0.0
        at_seat = [guests[(seat + number) % len(guests)] for seat in range(len(guests))]
        seats = [(guest, (guest.number - number) % len(guests)) for guest in guests]
        hand = DealtHand(rules, number, deal_cards(rules, self._config.seed, number))
        self._tell_all(hand, seats)
        while (seat := hand.seat) >= 0:
            hand.act(self._decision(at_seat[seat], hand, seat))
            if self._num_present == 0:
                reasons = "; ".join(f"{guest.name} at {guest.fault}" for guest in guests)
                raise WireError(f"no player is left: {reasons}")
            self._tell_all(hand, seats)
        for guest, shares in zip(at_seat, hand.payoff_shares, strict=True):
            guest.shares += shares
        self._log.write(hand.log_line([guest.name for guest in at_seat]))

    def _tell_all(self, hand: DealtHand, seats: list[tuple[Guest, int]]) -> None:
        """Queue the state for everybody. It leaves when the player is to answer, or when another takes its time."""
        for guest, seat in seats:
            wire = guest.wire
            if wire is not None:
                line = hand.message(seat)
                num_pending = wire.queue(line)
                if self._is_transcribed:
                    self._note("TO", guest, line)
                if num_pending > MAX_QUEUED_BYTES:
                    self._flush(guest)

    def _flush(self, guest: Guest) -> None:
        if guest.wire is not None and guest.wire.num_pending:
            try:
                guest.wire.flush()
            except WireError as error:
                self._take_out(guest, str(error))

    def _flush_all(self) -> None:
        for guest in self._guests:
            self._flush(guest)

    def _decision(self, guest: Guest, hand: DealtHand, seat: int) -> Action:
        self._flush(guest)
        if guest.wire is not None:
            start = time.monotonic()
            try:
                return self._answer(guest, hand, seat, start)
            except WireTimeoutError:
                self._take_out(guest, f"took more than {guest.tightest_limit()}")
            except WireError as error:
                self._take_out(guest, str(error))
            finally:
                guest.spend(time.monotonic() - start)
        return hand.passive_action

    def _answer(self, guest: Guest, hand: DealtHand, seat: int, start: float) -> Action:
        """The player's legal answer; a WireError if it is to be taken out."""
        asked = hand.message(seat)
        deadline = start + guest.seconds_left()
        for _ in range(MAX_IDLE_LINES):
            line = self._line_from(guest, deadline)
            if self._is_transcribed:
                self._note("FROM", guest, line)
            if is_comment(line):
                continue
            response = hand.response(line, asked)
            if response is None:
                guest.num_ignored += 1
                self._remark(guest, f"ignored {line[:60]!r}")
                continue
            if response.is_mended:
                guest.num_mended += 1
                said, done = line.rpartition(":")[2][:60], action_text(self._config.rules, response.action)
                betting = hand.state.betting
                self._remark(guest, f"{said!r} after {betting[-60:]!r} is not legal; changed to {done}")
            return response.action
        raise WireError(f"sent {MAX_IDLE_LINES} lines without an answer")

    def _line_from(self, guest: Guest, deadline: float) -> str:
        while guest.wire is not None:
            try:
                return guest.wire.receive(min(deadline, time.monotonic() + MAX_DELAY_SECONDS))
            except WireTimeoutError:
                if time.monotonic() >= deadline:
                    raise
            self._flush_all()
        raise WireError(guest.fault or "is out")

    def _take_out(self, guest: Guest, reason: str) -> None:
        if guest.wire is not None:
            guest.wire.close()
            guest.wire = None
        if guest.fault is None:
            self._num_present -= 1
            guest.fault = f"hand {self._hand_number}: {reason}"
            self._log.remark(f"{guest.name} is out at hand {self._hand_number}: {reason}")

    def _remark(self, guest: Guest, text: str) -> None:
        guest.num_remarks += 1
        if guest.num_remarks <= MAX_REMARKS:
            self._log.remark(f"{guest.name} at hand {self._hand_number}: {text}")
        elif guest.num_remarks == MAX_REMARKS + 1:
            self._log.remark(f"{guest.name}: more of this is only counted")

    def _note(self, direction: str, guest: Guest, line: str) -> None:
        self._transcript.write(f"{direction} {guest.number + 1} at {time.time():.6f} {line}")

    def _finished(self, seconds: float) -> DealerResult:
        self._flush_all()
        config, guests = self._config, self._guests
        chips = [guest.shares / _native.CHIP_SHARES for guest in guests]
        for guest in guests:
            if guest.num_mended or guest.num_ignored:
                counts = f"{guest.num_mended} actions changed, {guest.num_ignored} lines ignored"
                self._log.remark(f"{guest.name}: {counts}")
        self._log.score(chips, [guest.name for guest in guests])
        deadline = time.monotonic() + FAREWELL_SECONDS
        for guest in guests:
            if guest.wire is not None:
                guest.wire.finish(deadline)
        players = tuple(
            PlayerResult(
                guest.name,
                won,
                won / config.num_hands / config.rules.unit_chips,
                guest.num_mended,
                guest.num_ignored,
                guest.match_seconds,
                guest.fault,
            )
            for guest, won in zip(guests, chips, strict=True)
        )
        return DealerResult(players, config.rules.unit, config.num_hands, config.seed, seconds, config.log_path)
