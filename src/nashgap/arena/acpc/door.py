"""How players come to the table: one port for each, a greeting, a time limit."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from nashgap.core.wire import Wire
from nashgap.errors import ConfigError, WireError, WireTimeoutError
from nashgap.poker.protocol import VERSION_LINE, is_comment, is_version

__all__ = ["listen", "seat_players"]

GREETING_SECONDS = 5.0
MAX_GREETING_COMMENTS = 100


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """An open door for each port; 0 takes any free one."""
    with ExitStack() as opened:
        doors = []
        for port in ports:
            try:
                doors.append(opened.enter_context(socket.create_server((host, port), backlog=8)))
            except OSError as error:
                raise ConfigError(f"cannot listen at {host} port {port}: {error.strerror or error}") from error
        opened.pop_all()
        return doors


def seat_players(
    doors: Sequence[socket.socket], seconds: float, refuse: Callable[[int, str], None]
) -> list[Wire | None]:
    """`[N]` the connection of each player; None for who did not come in time.

    A caller who does not greet as the protocol wants is sent away (`refuse` is called with player and reason), and the
    door stays open for the next.
    """
    seated: list[Wire | None] = [None] * len(doors)
    callers: dict[int, _Caller] = {}
    deadline = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for player, door in enumerate(doors):
            door.setblocking(False)
            selector.register(door, selectors.EVENT_READ, player)

        def send_away(player: int, reason: str) -> None:
            caller = callers.pop(player)
            selector.unregister(caller.wire)
            caller.wire.close()
            selector.register(doors[player], selectors.EVENT_READ, player)
            refuse(player, reason)

        while None in seated and (now := time.monotonic()) < deadline:
            for player in [player for player, caller in callers.items() if caller.deadline <= now]:
                send_away(player, f"did not say {VERSION_LINE} within {GREETING_SECONDS:g} seconds")
            soonest = min([deadline, *(caller.deadline for caller in callers.values())])
            for key, _ in selector.select(max(soonest - now, 0.0)):
                player = key.data
                if player not in callers:
                    try:
                        connection, _ = doors[player].accept()
                    except OSError:
                        continue  # gone again
                    # One caller at a time at each door; the others wait outside.
                    selector.unregister(doors[player])
                    callers[player] = _Caller(Wire(connection), now + GREETING_SECONDS)
                    selector.register(callers[player].wire, selectors.EVENT_READ, player)
                    continue
                try:
                    has_greeted = callers[player].greet()
                except WireError as error:
                    send_away(player, str(error))
                    continue
                if has_greeted:
                    seated[player] = callers.pop(player).wire
                    selector.unregister(key.fileobj)
        for player, caller in callers.items():
            caller.wire.close()
            refuse(player, f"did not say {VERSION_LINE} in time")
    return seated


@dataclass
class _Caller:
    wire: Wire
    deadline: float
    num_comments: int = 0

    def greet(self) -> bool:
        """Whether the greeting has come; a WireError if something else has."""
        while self.num_comments < MAX_GREETING_COMMENTS:
            try:
                line = self.wire.receive(0.0)
            except WireTimeoutError:
                return False
            if is_version(line):
                return True
            if not is_comment(line):
                raise WireError(f"said {line[:60]!r} instead of {VERSION_LINE}")
            self.num_comments += 1
        raise WireError(f"sent {MAX_GREETING_COMMENTS} comments instead of {VERSION_LINE}")
