"""The server: a socket that is bound before anything is said, and the application behind it."""

from __future__ import annotations

import asyncio
import gc
import secrets
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from nashgap.errors import ConfigError
from nashgap.web.api import CardRoom
from nashgap.web.app import create_app
from nashgap.web.streams import Streams

__all__ = ["BoundServer", "bound_server"]

LOCAL = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = {
    "0.0.0.0": (socket.AF_INET, "192.0.2.1", "127.0.0.1"),
    "::": (socket.AF_INET6, "2001:db8::1", "::1"),
}
"""All addresses of this machine, how they are written; some other machine's (RFC 5737, RFC 3849); the own alone."""
LARGEST_PORT = 65535
LEAST_TOKEN = 8  # letters
_FILES = 4096
GRACE_SECONDS = 1  # for what is being answered
REQUEST_SECONDS = 10.0  # in which a request comes whole
LEAST_READ = 1 << 14  # bytes of what waits to be read, in as many seconds


class _Connection(H11Protocol):
    """Ends when no whole request has come in time, or an answer is not read: who is slow on purpose may hold no number
    of connections.
    """

    _deadline: asyncio.TimerHandle | None = None
    _num_unread = 0  # bytes that waited to be read when the time began

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_to_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._begin_to_wait()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._begin_to_wait()

    def _begin_to_wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._num_unread = self.transport.get_write_buffer_size()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._end_without_request)

    def _end_without_request(self) -> None:
        is_asked = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if is_asked and not self.flow.write_paused:
            return
        if self._num_unread - self.transport.get_write_buffer_size() >= LEAST_READ:
            self._begin_to_wait()
        else:
            self.transport.abort()  # to close it would wait until all is read


class _Server(uvicorn.Server):
    """Ends the open streams of events before it waits for what is being answered."""

    def __init__(self, config: uvicorn.Config, streams: Streams) -> None:
        super().__init__(config)
        self._streams = streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.end()
        await super().shutdown(sockets)


@dataclass(frozen=True)
class BoundServer:
    """A server that has its address, and answers as soon as it runs. link: to its first page, with the token."""

    room: CardRoom
    listening: socket.socket
    link: str

    def run(self) -> None:
        """Until it is told to end, by Ctrl-C or SIGTERM."""
        _allow_files()
        streams = Streams()
        config = uvicorn.Config(
            create_app(self.room, streams),
            http=_Connection,
            log_level="warning",
            timeout_graceful_shutdown=GRACE_SECONDS,
            server_header=False,
        )
        gc.freeze()  # to look for garbage in all that is there by now would hold up everybody for a moment
        _Server(config, streams).run([self.listening])


@contextmanager
def bound_server(
    given: Sequence[str] = (), root: Path | None = None, *, host: str, port: int, token: str | None = None
) -> Iterator[BoundServer]:
    """A server of the tables and runs below `root`; port 0 is any that is free.

    given: agents, beside those of the catalogue; see `CardRoom`.
    token: what visitors need. One is made up where none is told, unless the host is this machine alone.
    """
    if not 0 <= port <= LARGEST_PORT:
        raise ConfigError(f"port {port}; 0 to {LARGEST_PORT} are allowed")
    if token is not None:
        _require_token(token)
    elif host not in LOCAL:
        token = f"t{secrets.token_urlsafe(16)}"
    room = CardRoom(given, root, token)
    room.describe_games()  # so that the first page does not wait for it
    with _bound_socket(host, port) as listening:
        told = _told_host(host)
        shown = f"[{told}]" if ":" in told else told
        query = "" if token is None else f"?token={token}"
        yield BoundServer(room, listening, f"http://{shown}:{listening.getsockname()[1]}/{query}")


def _require_token(token: str) -> None:
    if len(token) < LEAST_TOKEN or not token.isascii() or not token.replace("-", "_").isidentifier():
        raise ConfigError(
            f"token {token!r}; at least {LEAST_TOKEN} letters, digits, - and _ are needed, the first a letter"
        )


def _told_host(host: str) -> str:
    """What others can open: of a server at all addresses the one that this machine has in its network."""
    if host not in EVERYWHERE:
        return host
    family, beyond, alone = EVERYWHERE[host]
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((beyond, 9))  # nothing is sent
        except OSError:
            return alone
        return str(asking.getsockname()[0])


def _bound_socket(host: str, port: int) -> socket.socket:
    """A socket at the address; port 0 is any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigError(f"host {host!r}: {error.strerror or error}") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)  # so that who is told the address can come at once
    except OSError as error:
        listening.close()
        raise ConfigError(f"port {port} of {host}: {error.strerror}; --port 0 takes a free one") from error
    return listening


def _allow_files() -> None:
    """Have the system allow as many open files as all tables and visitors need: four a table, one a connection."""
    if sys.platform == "win32":
        return  # it has no such limit
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
