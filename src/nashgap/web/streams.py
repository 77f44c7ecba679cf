"""Streams of server-sent events, which stay open as long as a page does: how many there may be at once, and their end.

One holds a connection and is written to whenever something changes, so that neither a visitor nor all of them together
may have any number.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from fastapi import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from nashgap.errors import NashGapError
from nashgap.web.visitors import visitor_asking

__all__ = ["MAX_STREAMS", "MAX_STREAMS_PER_VISITOR", "CutOff", "EventStream", "Streams", "TooManyError"]

MAX_STREAMS_PER_VISITOR = 20
"""Twice the tables that a visitor may have."""
MAX_STREAMS = 500


class TooManyError(NashGapError):
    """There are as many as there may be at once."""


class Streams:
    """Counts the open streams of a server; of its event loop alone."""

    def __init__(self, most: int = MAX_STREAMS, most_per_visitor: int = MAX_STREAMS_PER_VISITOR) -> None:
        self._most, self._most_per_visitor = most, most_per_visitor
        self._open: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_ending = False

    def end(self) -> None:
        """All that are open end now: the server does, and none of them has an end of its own."""
        self.is_ending = True
        for task in self._tasks:
            task.cancel()

    @contextmanager
    def one_more(self, who: str) -> Iterator[None]:
        """As long as it is open; TooManyError."""
        if self._open[who] >= self._most_per_visitor:
            raise TooManyError(f"{self._most_per_visitor} streams of events are allowed at once; close other windows")
        if self._open.total() >= self._most:
            raise TooManyError(f"{self._most} streams of events are open on this server, and no more are allowed")
        task = asyncio.current_task()
        assert task is not None, "streams belong to an event loop"
        self._open[who] += 1
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)
            self._open[who] -= 1
            self._open += Counter()  # forgets who has none


class EventStream(StreamingResponse):
    """An answer that goes on for as long as there are events and somebody reads them."""

    media_type = "text/event-stream"

    def __init__(self, request: Request, streams: Streams, events: AsyncIterator[str]) -> None:
        super().__init__(events)
        host = "" if request.client is None else request.client.host
        self._who, self._streams = visitor_asking(request) or host, streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Counted here, because this is left in any case, even before the first event is asked for.
        with self._streams.one_more(self._who):
            try:
                await super().__call__(scope, receive, send)
            except asyncio.CancelledError:
                if not self._streams.is_ending:
                    raise
                await send({"type": "http.response.body", "body": b"", "more_body": False})


class CutOff:
    """Stands before an application: who waits for an answer, as of an agent, when the server ends, is told so."""

    def __init__(self, app: ASGIApp, streams: Streams) -> None:
        self._app, self._streams = app, streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http" or not self._streams.is_ending:
                raise
            await JSONResponse({"error": "the server was ended"}, 503)(scope, receive, send)
