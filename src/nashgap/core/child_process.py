"""A process of this machine that answers requests through a pipe, and ends with whoever asks.

Each has a pipe of its own, and nothing else is shared: one that is killed at any moment leaves no lock behind that
others would wait for.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

from nashgap.errors import NashGapError

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
        context = multiprocessing.get_context("spawn")  # a fork would copy locks of other threads as they happen to be
        here, there = context.Pipe()
        self.pipe: Any = here  # a connection, whose class is another on each system
        self._process = context.Process(target=_serve, args=(there,), daemon=True)
        try:
            with _interrupts_blocked():  # the child ignores them from its first moment on
                self._process.start()
            there.close()  # so that the end of the process is the end of the pipe
            # Not as arguments of the process: who writes those waits for a dead one for ever.
            self.send(make, arguments)
        except ChildEndedError:
            pass  # told when it is asked
        except BaseException:
            if self._process.pid is not None:
                end_processes([self])
            raise

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


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Until the end of the block, when they come; and for good in processes that are started in it."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # which the first child needs, and which lets interrupts through when it starts
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _serve(pipe: Connection) -> None:
    """The life of a child: it ends when the other end of the pipe does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what it means
    signal.signal(signal.SIGTERM, _exit)  # and nothing that is done here has another use for it
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    if (first := _received(pipe)) is None:
        return
    make, arguments = first
    answer_to = make(*arguments)
    while (request := _received(pipe)) is not None:
        try:
            answer: Any = answer_to(*request)
        except Exception as error:
            answer = error
        try:
            pipe.send(_sendable(answer))
        except OSError:
            return


def _received(pipe: Connection) -> Any:
    """What was sent next; None at the end of the pipe."""
    try:
        content = pipe.recv_bytes()
    except (EOFError, OSError):
        return None
    return pickle.loads(content)


def _sendable(answer: Any) -> Any:
    """The answer; an error with where it was raised, as one of ours where it would not arrive as it is."""
    if not isinstance(answer, Exception):
        return answer
    place = "".join(traceback.format_exception(answer))
    try:
        answer.add_note(place)
        pickle.loads(pickle.dumps(answer))
    except Exception:
        answer = NashGapError(f"{type(answer).__name__}: {answer}")
        answer.add_note(place)
    return answer


def _exit(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


def _exit_with_parent() -> None:
    """Whoever asked was killed: what is being worked out here is for nobody."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "only a child process calls this"
    parent.join()
    os._exit(1)
