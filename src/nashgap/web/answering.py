"""Strategies that pages ask, each in a thread of its own: one that hangs holds up nobody who asks another.

A class of somebody's own cannot be stopped from outside. Whoever asks it waits for a while, is then told so in one
line, and those who come after are told at once, until it has answered after all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import BoundedSemaphore, Lock, Thread
from typing import Any, TypeVar

from nashgap.errors import AgentError

__all__ = ["MOST_WAITING", "MOST_WAITING_IN_ALL", "Answering"]

SECONDS = 30.0  # that a visitor waits
MOST_WAITING = 4  # at one strategy; of the server's threads there are forty
MOST_WAITING_IN_ALL = 16  # at all strategies of a server

_T = TypeVar("_T")


class Answering:
    """A strategy that answers one question after the other.

    load:   opens it, when it is asked first.
    places: for those who wait, of this strategy and of the others that share them.
    """

    def __init__(self, name: str, load: Callable[[], Any], places: BoundedSemaphore, seconds: float = SECONDS) -> None:
        self.name = name
        self._load, self._places, self._seconds = load, places, seconds
        self._strategy: Any = None
        self._questions: SimpleQueue[tuple[Future[Any], Callable[[Any], Any]] | None] = SimpleQueue()
        self._lock, self._num_waiting, self._is_ended = Lock(), 0, False
        self._begun: float | None = None  # when the question was put that it is at
        self._thread: Thread | None = None

    def ask(self, question: Callable[[Any], _T]) -> _T:
        """What the question finds of the strategy; AgentError where that takes too long."""
        self._enter()
        try:
            answer: Future[_T] = Future()
            self._questions.put((answer, question))
            try:
                return answer.result(self._seconds)
            except TimeoutError:
                if answer.done():  # its own
                    raise
                answer.cancel()
                raise self._late() from None
        finally:
            with self._lock:
                self._num_waiting -= 1
            self._places.release()

    def end(self) -> None:
        """Let go of the strategy, once it has answered what was asked."""
        with self._lock:
            self._is_ended = True
            if self._thread is not None:
                self._questions.put(None)

    def _enter(self) -> None:
        with self._lock:
            is_late = self._begun is not None and time.monotonic() - self._begun > self._seconds
            if is_late:
                raise self._late()
            if self._is_ended or self._num_waiting >= MOST_WAITING or not self._places.acquire(blocking=False):
                raise AgentError(f"{self.name} is asked by others now; try again")
            self._num_waiting += 1
            if self._thread is None:
                # A daemon: what hangs must not keep the server from ending.
                self._thread = Thread(target=self._work, daemon=True, name=f"asking {self.name[:40]}")
                self._thread.start()

    def _late(self) -> AgentError:
        return AgentError(f"{self.name} has not answered for {self._seconds:g} seconds")

    def _work(self) -> None:
        while (asked := self._questions.get()) is not None:
            answer, question = asked
            if not answer.set_running_or_notify_cancel():
                continue
            self._begun = time.monotonic()
            try:
                if self._strategy is None:
                    self._strategy = self._load()
                answer.set_result(question(self._strategy))
            except BaseException as error:
                answer.set_exception(error)
            self._begun = None
        if hasattr(self._strategy, "close"):
            self._strategy.close()
