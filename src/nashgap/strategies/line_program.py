"""A program that answers lines with lines, each in time."""

from __future__ import annotations

import os
import selectors
import time
from typing import IO, NoReturn

from nashgap.core.program import ChildProgram

__all__ = ["LineProgram", "one_line"]

MEGABYTE = 10**6
MAX_LINE_BYTES = 256 * MEGABYTE  # many times the largest sound answer; output without end is stopped here
CHUNK_BYTES = 1 << 16
MAX_SHOWN_BYTES = 60


class LineProgram:
    """A running program; see `ChildProgram` for its name and its memory."""

    def __init__(self, name: str, words: list[str], memory_bytes: int | None = None) -> None:
        self._child = ChildProgram(name, words, has_pipes=True, memory_bytes=memory_bytes)
        self._unread = bytearray()
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)

    @property
    def is_ours(self) -> bool:
        return self._child.is_ours

    def fail(self, reason: str) -> NoReturn:
        self._child.fail(reason)

    def end(self) -> None:
        self._child.end()

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
        assert self._child.process.stdin is not None
        return self._child.process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._child.process.stdout is not None
        return self._child.process.stdout

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


def _shown(text: bytearray) -> str:
    first = text[:MAX_SHOWN_BYTES].split(b"\n")[0].decode("utf-8", "replace")
    return repr(first)


def one_line(text: str, max_letters: int) -> str:
    """A program's text, fit for a terminal: cut, and with spaces for line breaks and control characters."""
    text = text.strip()
    shown = text if len(text) <= max_letters else f"{text[: max_letters - 3]}..."
    return "".join(letter if letter.isprintable() else " " for letter in shown).strip()
