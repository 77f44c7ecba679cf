"""A program that answers lines with lines: started without a shell, limited in time and memory, ended for sure."""

from __future__ import annotations

import os
import resource
import selectors
import signal
import subprocess
import tempfile
import time
import weakref
from contextlib import suppress
from typing import IO, NoReturn

from nashgap.errors import AgentError, ConfigError

__all__ = ["LineProgram", "last_line", "one_line"]

MEGABYTE = 10**6
MAX_LINE_BYTES = 256 * MEGABYTE  # many times the largest sound answer; output without end is stopped here
CHUNK_BYTES = 1 << 16
FAREWELL_SECONDS = 0.2
LAST_WORDS_BYTES = 300
MAX_SHOWN_BYTES = 60
# Waits until this process has gone, whatever became of it, then ends the program and all that it started.
GUARD = ("/bin/sh", "-c", 'read -r line; kill -9 -- "-$0" 2>/dev/null')


class LineProgram:
    """A running program, in a process group of its own.

    name:         as messages call it.
    memory_bytes: that it may have as address space; None for no limit.
    """

    def __init__(self, name: str, words: list[str], memory_bytes: int | None = None) -> None:
        self.name = name
        self._owner = os.getpid()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the program)
        self._unread = bytearray()
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,  # so that what it starts can be ended with it, and Ctrl-C is ours
            )
        except OSError as error:
            self._errors.close()
            raise ConfigError(f"{name} cannot be started: {words[0]}: {error.strerror}") from error
        guard = subprocess.Popen(
            [*GUARD, str(self._process.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._finalizer = weakref.finalize(self, _end, self._owner, self._process, guard, self._errors)
        if memory_bytes is not None:
            _limit_memory(self._process.pid, memory_bytes)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)

    @property
    def is_ours(self) -> bool:
        """Whether it can be asked: it has not been ended, nor is this a fork of the process that started it."""
        return self._finalizer.alive and self._owner == os.getpid()

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
        assert self._process.stdin is not None and self._process.stdout is not None
        deadline = time.monotonic() + seconds
        unsent = memoryview(line + b"\n")
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            selector.register(self._process.stdin, selectors.EVENT_WRITE)
            is_answered = False
            while not is_answered:
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready or time.monotonic() > deadline:
                    self.fail(f"takes more than {seconds:g} seconds for {what}")
                for key, _ in ready:
                    if key.fileobj is self._process.stdin:
                        unsent = self._send(unsent, what)
                        if not unsent:
                            selector.unregister(self._process.stdin)
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

    def fail(self, reason: str) -> NoReturn:
        """End it, and raise an error with what it wrote last."""
        try:
            status = self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
        words = last_line(self._errors)
        ended = "" if status is None else f"; it ended {_status_text(status)}"
        said = f"; its last words: {words!r}" if words else ""
        self._finalizer()
        raise AgentError(f"{self.name} {reason}{ended}{said}")

    def end(self) -> None:
        self._finalizer()

    def _send(self, unsent: memoryview, what: str) -> memoryview:
        assert self._process.stdin is not None
        try:
            return unsent[self._process.stdin.write(unsent[:CHUNK_BYTES]) or 0 :]
        except BrokenPipeError:
            self.fail(f"does not read {what}")

    def _receive(self, what: str) -> bool:
        """Whether the line is complete."""
        assert self._process.stdout is not None
        received = self._process.stdout.read(CHUNK_BYTES)
        if received == b"":
            self.fail(f"ends its output instead of an answer to {what}")
        self._unread += received or b""
        if len(self._unread) > MAX_LINE_BYTES:
            self.fail(f"sends more than {MAX_LINE_BYTES // MEGABYTE} MB in one line in answer to {what}")
        return b"\n" in (received or b"")


def _limit_memory(pid: int, memory_bytes: int) -> None:
    if not hasattr(resource, "prlimit"):
        raise ConfigError("the memory of a program can be limited on Linux only")
    with suppress(ProcessLookupError):  # it has ended already; the first question will tell
        resource.prlimit(pid, resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _status_text(status: int) -> str:
    return f"with status {status}" if status >= 0 else f"by {signal.Signals(-status).name}"


def _shown(text: bytearray) -> str:
    first = text[:MAX_SHOWN_BYTES].split(b"\n")[0].decode("utf-8", "replace")
    return repr(first)


def one_line(text: str, max_letters: int) -> str:
    """A program's text, fit for a terminal: cut, and with spaces for line breaks and control characters."""
    text = text.strip()
    shown = text if len(text) <= max_letters else f"{text[: max_letters - 3]}..."
    return "".join(letter if letter.isprintable() else " " for letter in shown).strip()


def last_line(file: IO[bytes]) -> str:
    """The end of the last line in a file that is not empty; what a program wrote last often says why it failed."""
    size = file.seek(0, 2)
    file.seek(max(0, size - LAST_WORDS_BYTES))
    lines = file.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _end(owner: int, process: subprocess.Popen[bytes], guard: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    """Let it end by itself, now that its input is over; then kill its group, and the guard."""
    if os.getpid() != owner:  # a fork: the program is the parent's
        return
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(FAREWELL_SECONDS)
    guard.kill()
    with suppress(ProcessLookupError, PermissionError):  # nothing is left of the group
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    guard.wait()
    if guard.stdin is not None:
        guard.stdin.close()
    errors.close()
