"""Somebody's program as a child process: started without a shell, ended for sure, its last words kept."""

from __future__ import annotations

import dataclasses
import glob
import math
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import weakref
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from nashgap.errors import AgentError, ConfigError

if sys.platform == "linux":
    import resource

__all__ = ["ChildProgram", "ProgramLimits", "command_words", "shell_words"]

FAREWELL_SECONDS = 0.2
LAST_WORDS_BYTES = 300
READ_BACK_BYTES = 8000  # of what it wrote, in which its last words are looked for
# What runtimes write after the error: their version, the frames of the stack, advice.
_AFTERTHOUGHT = re.compile(
    r"""[\w.]*\s*v?\d+(\.\d+)+\S*                                # Node.js v20.0.0
    | at\s.*(:\d+\)?|\(.*\)) | from\s\S+:\d+.*                  # at Object.<anonymous> (bot.js:3:9); Java and Ruby too
    | goroutine\s.* | \S*\.\w+\(.*\) | .*\s\+0x[0-9a-f]+         # Go: main.main(), bot.go:4 +0x39
    | note:\s.*BACKTRACE.*                                      # Rust
    | exit\sstatus\s\d+""",
    re.VERBOSE,
)
# In the environment of a program and of all that it starts, so that what has left its process group is found, too.
MARK = "NASHGAP_PROGRAM"
MOST_ROUNDS = 20  # of ending what was started meanwhile
# Waits until this process has gone, whatever became of it, then ends the program and all that it started.
# (-s, because some shells take -9 but then no --.)
GUARD = (
    "/bin/sh",
    "-c",
    """read -r line
kill -s KILL -- "-$0" 2>/dev/null
for file in /proc/[0-9]*/environ; do
  if grep -qs "$1" "$file"; then
    number=${file#/proc/}
    kill -s KILL "${number%/environ}" 2>/dev/null
  fi
done""",
)


@dataclass(frozen=True)
class ProgramLimits:
    """What a program that answers questions may use.

    seconds: for the answer to one batch.
    startup: seconds from its start to its first answer.
    memory:  GB of address space; 0 for no limit.
    batch:   states in one question at most.
    """

    seconds: float = 60.0
    startup: float = 60.0
    memory: float = 0.0
    batch: int = 64

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("startup", self.startup)):
            if not 0 < value < math.inf:
                raise ConfigError(f"{name} = {value:g}; it must be {'finite' if value > 0 else 'more than 0'}")
        if not 0 <= self.memory < math.inf:
            raise ConfigError(f"memory = {self.memory:g}; it must be {'finite' if self.memory > 0 else '0 or more'}")
        if not (1 <= self.batch < math.inf) or self.batch != int(self.batch):
            raise ConfigError(f"batch = {self.batch:g}; it must be a whole number, 1 or more")

    @classmethod
    def parse(cls, text: str) -> ProgramLimits:
        """Those that `seconds=5, memory=2` says."""
        found: dict[str, Any] = {}
        allowed = [field.name for field in dataclasses.fields(cls)]
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, sign, value = (piece.strip() for piece in part.partition("="))
            if not sign or name in found or name not in allowed:
                raise ConfigError(f"cannot read {part!r}; options, once each: {', '.join(allowed)}")
            try:
                found[name] = float(value)
            except ValueError:
                raise ConfigError(f"{name} = {value!r} is not a number") from None
        return cls(**found)

    def changes(self) -> dict[str, float]:
        """The limits that are not the usual ones."""
        usual = dataclasses.asdict(ProgramLimits())
        return {name: value for name, value in dataclasses.asdict(self).items() if value != usual[name]}


def command_words(kind: str, text: str, command: str) -> list[str]:
    """The words of a command as in a shell; its program is there. kind and text: what needs it, for messages."""
    if sys.platform == "win32":
        raise ConfigError(
            f"{kind} '{text}': programs are started on Linux and macOS only, where all that they start can be ended;"
            " on Windows, run nashgap inside WSL"
        )
    words = shell_words(kind, text, command)
    if not words:
        raise ConfigError(f"{kind} '{text}' has no command; it must be {text.partition(':')[0]}:COMMAND")
    if shutil.which(words[0]) is None:
        raise ConfigError(f"{kind} '{text}': there is no program {words[0]!r}, or it may not be executed")
    return words


def shell_words(kind: str, text: str, command: str) -> list[str]:
    """The words of a command, whatever they are."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"{kind} '{text}': {error}") from None


class ChildProgram:
    """A running program, in a process group of its own; it ends with all that it started.

    On Linux that is whatever has its mark in the environment, process groups of their own included; elsewhere, where
    nobody can look, its process group.

    name:         as messages call it.
    has_pipes:    whether its input and output are ours; else it has none.
    memory_bytes: that it may have as address space; None for no limit.
    """

    def __init__(
        self, name: str, words: list[str], *, has_pipes: bool = False, memory_bytes: int | None = None
    ) -> None:
        self.name = name
        self._owner = os.getpid()
        if memory_bytes is not None and sys.platform != "linux":
            raise ConfigError("the memory of a program can be limited on Linux only")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the program)
        stream = subprocess.PIPE if has_pipes else subprocess.DEVNULL
        mark = secrets.token_hex(16)
        try:
            self.process = subprocess.Popen(
                words,
                stdin=stream,
                stdout=stream,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,  # so that what it starts can be ended with it, and Ctrl-C is ours
                env={**os.environ, MARK: mark},
            )
        except OSError as error:
            self._errors.close()
            raise ConfigError(f"{name} cannot be started: {words[0]}: {error.strerror}") from error
        try:
            guard = subprocess.Popen(
                [*GUARD, str(self.process.pid), f"{MARK}={mark}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except BaseException as error:
            _kill(self.process, mark)
            self._errors.close()
            if isinstance(error, OSError):
                raise ConfigError(f"{name} cannot be guarded: {GUARD[0]}: {error.strerror}") from error
            raise
        self._finalizer = weakref.finalize(self, _end, self._owner, self.process, mark, guard, self._errors)
        if memory_bytes is not None and sys.platform == "linux":
            with suppress(ProcessLookupError):  # it has ended already; who uses it will notice
                resource.prlimit(self.process.pid, resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    @property
    def is_ours(self) -> bool:
        """Whether it can be used: it has not been ended, nor is this a fork of the process that started it."""
        return self._finalizer.alive and self._owner == os.getpid()

    def fail(self, reason: str) -> NoReturn:
        """End it, and raise an error with what it wrote last, which often says why."""
        if not self.is_ours:
            raise AgentError(f"{self.name} {reason}")
        try:
            status = self.process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
        words = _last_words(self._errors)
        self.end()
        ended = "" if status is None else f"; it ended {_status_text(status)}"
        said = f"; its last words: {words!r}" if words else ""
        raise AgentError(f"{self.name} {reason}{ended}{said}")

    def end(self) -> None:
        self._finalizer()


def _status_text(status: int) -> str:
    if status >= 0:
        return f"with status {status}"
    named = {each.value: each.name for each in signal.Signals}  # those of the system's real-time range have none
    return f"by {named.get(-status, f'signal {-status}')}"


def _last_words(file: IO[bytes]) -> str:
    """The end of the line that tells most: the last that the program wrote itself, not its runtime after it."""
    size = file.seek(0, 2)
    file.seek(max(0, size - READ_BACK_BYTES))
    said = [line.strip() for line in file.read().decode("utf-8", "replace").split("\n")]
    lines = [line for line in reversed(said) if line]
    telling = (line for line in lines if not _AFTERTHOUGHT.fullmatch(line))
    return next(telling, lines[0] if lines else "")[-LAST_WORDS_BYTES:]


def _end(
    owner: int, process: subprocess.Popen[bytes], mark: str, guard: subprocess.Popen[bytes], errors: IO[bytes]
) -> None:
    """Let it end by itself, now that its input is over; then kill its group, what it has started, and the guard."""
    if os.getpid() != owner:  # a fork: the program is the parent's
        return
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(FAREWELL_SECONDS)
    guard.kill()
    _kill(process, mark)
    guard.wait()
    if guard.stdin is not None:
        guard.stdin.close()
    errors.close()


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """Its whole group, and all that has its mark."""
    if sys.platform == "win32":
        raise AssertionError("nothing is started there")
    with suppress(ProcessLookupError, PermissionError):  # nothing is left of the group
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(MOST_ROUNDS):
        marked = _marked(mark)
        for number in marked:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        if not marked:
            break


def _marked(mark: str) -> list[int]:
    """The processes that have the mark in their environment; none where the system does not tell."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for folder in glob.glob("/proc/[0-9]*"):
        with suppress(OSError), open(f"{folder}/environ", "rb") as file:
            if wanted in file.read().split(b"\0"):
                found.append(int(folder.removeprefix("/proc/")))
    return found
