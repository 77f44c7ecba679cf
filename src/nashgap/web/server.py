"""The server: a socket that is bound before anything is said, and the application behind it."""

from __future__ import annotations

import asyncio
import socket
import sys

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from nashgap.errors import ConfigError
from nashgap.web.api import CardRoom
from nashgap.web.app import create_app
from nashgap.web.streams import Streams

__all__ = ["bound_socket", "run_server"]

_FILES = 4096
GRACE_SECONDS = 1  # for what is being answered
REQUEST_SECONDS = 10.0  # in which a request comes whole


class _Connection(H11Protocol):
    """Ends when no whole request has come in time: who is slow on purpose may hold no number of connections."""

    _deadline: asyncio.TimerHandle | None = None

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

    def _begin_to_wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._end_without_request)

    def _end_without_request(self) -> None:
        if self.cycle is None or self.cycle.response_complete or self.cycle.more_body:
            self.transport.close()


class _Server(uvicorn.Server):
    """Ends the open streams of events before it waits for what is being answered."""

    def __init__(self, config: uvicorn.Config, streams: Streams) -> None:
        super().__init__(config)
        self._streams = streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.end()
        await super().shutdown(sockets)


def bound_socket(host: str, port: int) -> socket.socket:
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


def run_server(room: CardRoom, listening: socket.socket) -> None:
    """Until it is told to end, by Ctrl-C or SIGTERM."""
    _allow_files()
    streams = Streams()
    config = uvicorn.Config(
        create_app(room, streams),
        http=_Connection,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    _Server(config, streams).run([listening])
