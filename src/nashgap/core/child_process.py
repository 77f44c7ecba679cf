"""A process of this machine that answers requests through a pipe, and ends with whoever asks."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

__all__ = ["ChildEndedError", "ChildProcess", "end_processes"]


class ChildEndedError(Exception):
    """A child process has ended, for whatever reason; whoever asked it says what that means.

    status: of its end; None where it is not known.
    """

    def __init__(self, status: int | None) -> None:
        self.status = status
        super().__init__(f"a child process ended with status {status}")


class ChildProcess:
    """A process that has made something of its own, and gives one answer to each request, in their order.

    make:      called there once, with the arguments; what it returns is called with each request.
    arguments: they, requests and answers can be pickled.

    pipe:      this end, for `multiprocessing.connection.wait`.
    """

    def __init__(self, make: Callable[..., Callable[..., Any]], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        self.pipe: Any = here  # a connection, whose class is another on each system
        self._process = context.Process(target=_serve, args=(make, arguments, there), daemon=True)
        self._process.start()
        there.close()  # so that the end of the process is the end of the pipe

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def send(self, *request: Any) -> None:
        """Ask, without waiting for the answer."""
        try:
            self.pipe.send(request)
        except OSError as error:
            raise self._ended() from error

    def receive(self) -> Any:
        """The answer to the first request that has none yet; raised where it is an error."""
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise self._ended() from error
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def kill(self) -> None:
        self.pipe.close()
        self._process.kill()

    def join(self) -> None:
        """Wait until it has ended."""
        self._process.join()

    def _ended(self) -> ChildEndedError:
        self._process.join(1.0)  # its pipe may close a moment before
        return ChildEndedError(self._process.exitcode)


def end_processes(children: Iterable[ChildProcess]) -> None:
    """End them at once; none is left afterwards."""
    children = list(children)
    for child in children:
        child.kill()
    for child in children:
        child.join()


def _serve(make: Callable[..., Callable[..., Any]], arguments: tuple[Any, ...], pipe: Connection) -> None:
    """The life of a child: it ends when the other end of the pipe does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what it means
    answer_to = make(*arguments)
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Any = answer_to(*request)
        except Exception as error:
            answer = error
        try:
            pipe.send(answer)
        except OSError:
            return
