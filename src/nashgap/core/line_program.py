"""Somebody's program that is spoken to in lines, each in time: over its own input and output, or a connection to us.

Whatever it does instead ends it, with an AgentError that says so; see `ChildProgram.fail`.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import time
from typing import IO

from nashgap.core.program import ChildProgram
from nashgap.core.wire import Wire
from nashgap.errors import WireClosedError, WireError, WireTimeoutError

__all__ = ["PipeProgram", "SocketProgram"]

MEGABYTE = 10**6
MAX_LINE_BYTES = 256 * MEGABYTE  # many times the largest sound answer; output without end is stopped here
CHUNK_BYTES = 1 << 16
MAX_SHOWN_BYTES = 60
HOST = "127.0.0.1"
GOODBYE_SECONDS = 1.0  # for what is still to be sent
POLL_SECONDS = 0.05


class PipeProgram(ChildProgram):
    """Answers each line on its input with one on its output."""

    def __init__(self, name: str, words: list[str], memory_bytes: int | None = None) -> None:
        super().__init__(name, words, has_pipes=True, memory_bytes=memory_bytes)
        self._unread = bytearray()
        for pipe in (self._stdin, self._stdout):
            _never_wait_at(pipe)

    def ask(self, line: bytes, seconds: float, what: str) -> bytes:
        """The line that answers this one; AgentError if none comes in time.

        Whether it is the only one is asked by `expect_no_more`, after a look at it: of two, the first is often the
        stray one.

        what: the question, for messages.
        """
        try:
            return self._answered(line, seconds, what)
        except BaseException:  # also Ctrl-C: half a question or answer would be taken for the next
            self.end()
            raise

    def _answered(self, line: bytes, seconds: float, what: str) -> bytes:
        deadline = time.monotonic() + seconds
        unsent = memoryview(line + b"\n")
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stdin, selectors.EVENT_WRITE)
            is_answered = False
            while not is_answered:
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready or time.monotonic() > deadline:
                    self.fail(f"takes more than {seconds:g} seconds for {what}")
                for key, _ in ready:
                    if key.fileobj is self._stdin:
                        unsent = self._send(unsent, what)
                        if not unsent:
                            selector.unregister(self._stdin)
                    else:
                        is_answered = self._receive(what)
        if unsent:
            self.fail(f"answers {_shown(self._unread)} before it has read all of {what}")
        answer, _, self._unread = self._unread.partition(b"\n")
        return bytes(answer)

    def expect_no_more(self, what: str) -> None:
        """AgentError if it has said more than the one line that answers `what`."""
        if self._unread:
            self.fail(f"says more than one line in answer to {what}, next {_shown(self._unread)}")

    @property
    def _stdin(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def _send(self, unsent: memoryview, what: str) -> memoryview:
        try:
            return unsent[self._stdin.write(unsent[:CHUNK_BYTES]) or 0 :]
        except BrokenPipeError:
            self.fail(f"does not read {what}")

    def _receive(self, what: str) -> bool:
        """Whether the line is complete."""
        received = self._stdout.read(CHUNK_BYTES)
        if received == b"":
            self.fail(f"ends its output instead of an answer to {what}")
        self._unread += received or b""
        if len(self._unread) > MAX_LINE_BYTES:
            self.fail(f"sends more than {MAX_LINE_BYTES // MEGABYTE} MB in one line in answer to {what}")
        return b"\n" in (received or b"")


class SocketProgram(ChildProgram):
    """Started with a host and a port as its last words, it connects there; lines then go both ways.

    Deadlines are times of `time.monotonic`.
    """

    def __init__(self, name: str, words: list[str], deadline: float) -> None:
        with socket.create_server((HOST, 0)) as door:
            super().__init__(name, [*words, HOST, str(door.getsockname()[1])])
            self._wire = Wire(self._connection(door, deadline))

    def queue(self, line: str) -> None:
        """Have the line sent by the next `flush`."""
        self._wire.queue(line)

    def flush(self, deadline: float) -> None:
        """Send all that is queued."""
        try:
            self._wire.flush_whole(deadline)
        except WireError as error:
            self.fail(str(error))

    def receive(self, deadline: float, lateness: str) -> str:
        """The next line. lateness: what it did if there is none in time, for the error."""
        try:
            return self._wire.receive(deadline)
        except WireTimeoutError:
            self.fail(lateness)
        except WireClosedError:
            self.fail("hung up")
        except WireError as error:
            self.fail(str(error))

    def say_goodbye(self) -> None:
        """Send what is pending, hang up, and end it."""
        self._wire.finish(time.monotonic() + GOODBYE_SECONDS)
        self.end()

    def _connection(self, door: socket.socket, deadline: float) -> socket.socket:
        door.settimeout(POLL_SECONDS)
        while True:
            try:
                return door.accept()[0]
            except TimeoutError:
                if self.process.poll() is not None:
                    self.fail("ended before it connected")
                if time.monotonic() >= deadline:
                    self.fail("did not connect in time")


def _never_wait_at(pipe: IO[bytes]) -> None:
    if sys.platform == "win32":
        raise AssertionError("nothing is started there")
    os.set_blocking(pipe.fileno(), False)


def _shown(text: bytearray) -> str:
    first = text[:MAX_SHOWN_BYTES].split(b"\n")[0].decode("utf-8", "replace")
    return repr(first)
