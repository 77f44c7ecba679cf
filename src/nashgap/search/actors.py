"""Who plays the games that responders learn from: this process, or others beside it.

What a task finds is a function of the task and of the values that it is given, so that it does not matter who plays it:
where a process dies, another plays its task again, and nothing is lost. A cluster can take the place of the processes
by the same three methods.
"""

from __future__ import annotations

import multiprocessing
import signal
import weakref
from collections import deque
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from nashgap.errors import NashGapError
from nashgap.search.options import SearchOptions
from nashgap.search.responder_game import ResponderGame

__all__ = ["ActorProcesses", "Actors", "GameSource", "HereActor", "Played", "Task"]

MOST_DEATHS = 3  # of processes that were given the same task


class GameSource(Protocol):
    """What actors are sent once, to make the games from; can be pickled."""

    @property
    def games(self) -> tuple[ResponderGame, ResponderGame]:
        """As the first and as the second player meets them."""
        ...


@dataclass(frozen=True)
class Task:
    """Games of one responder.

    is_evaluation: only what the responder wins is asked for.
    """

    player: int
    options: SearchOptions
    seed: int
    first: int
    number: int
    is_evaluation: bool = False

    def play(self, source: GameSource, values: Any) -> Any:
        game = source.games[self.player]
        play = game.evaluate if self.is_evaluation else game.play
        return play(self.options, values, seed=self.seed, first=self.first, number=self.number)


Played = tuple[Task, Any]
"""A task, and what came of it: what the engine tells of games, or what was won where it was an evaluation."""


class Actors(Protocol):
    """Whoever plays tasks.

    number:        how many tasks they play at once.
    least_seconds: a task that takes less is hardly worth its way to them and back.
    """

    number: int
    least_seconds: float

    @property
    def num_free(self) -> int:
        """Tasks that could be begun at once."""
        ...

    def submit(self, task: Task, values: Any) -> None: ...

    def collect(self) -> list[Played]:
        """What has been finished since; at least one task, where any was submitted."""
        ...

    def close(self) -> None:
        """End them; what is under way is given up."""
        ...


class HereActor:
    """This process plays when it is asked to collect."""

    number = 1
    least_seconds = 0.0

    def __init__(self, source: GameSource) -> None:
        self._source = source
        self._waiting: deque[tuple[Task, Any]] = deque()

    @property
    def num_free(self) -> int:
        return 1 - len(self._waiting)

    def submit(self, task: Task, values: Any) -> None:
        self._waiting.append((task, values))

    def collect(self) -> list[Played]:
        played: list[Played] = [(task, task.play(self._source, values)) for task, values in self._waiting]
        self._waiting.clear()
        return played

    def close(self) -> None:
        self._waiting.clear()


@dataclass
class _Actor:
    """A process, this end of its pipe, and the task that it is at, with how many have died of it."""

    process: multiprocessing.process.BaseProcess
    pipe: Connection
    task: tuple[Task, Any] | None = None
    deaths: int = 0


class ActorProcesses:
    """Processes of this machine; one that dies is replaced, and its task played again."""

    least_seconds = 0.2

    def __init__(self, source: GameSource, number: int) -> None:
        self._source, self.number = source, number
        self._actors: list[_Actor] = []
        self._end = weakref.finalize(self, _end, self._actors)  # where nobody closes them, they end with this object
        self._actors.extend(self._start() for _ in range(number))

    @property
    def pids(self) -> list[int]:
        return [actor.process.pid or 0 for actor in self._actors]

    @property
    def num_free(self) -> int:
        return sum(actor.task is None for actor in self._actors)

    def submit(self, task: Task, values: Any) -> None:
        self._send(next(actor for actor in self._actors if actor.task is None), (task, values))

    def collect(self) -> list[Played]:
        played: list[Played] = []
        while not played and (busy := {actor.pipe: actor for actor in self._actors if actor.task is not None}):
            for pipe in wait(list(busy)):
                actor = busy[pipe]  # type: ignore[index]
                assert actor.task is not None
                try:
                    found = actor.pipe.recv()
                except (EOFError, OSError):
                    self._replace(actor)
                    continue
                if isinstance(found, BaseException):
                    raise found
                played.append((actor.task[0], found))
                actor.task, actor.deaths = None, 0
        return played

    def close(self) -> None:
        self._end()

    def _start(self) -> _Actor:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_act, args=(self._source, there), daemon=True)
        process.start()
        there.close()  # so that the end of the process is the end of the pipe
        return _Actor(process, here)

    def _send(self, actor: _Actor, task: tuple[Task, Any]) -> None:
        actor.task = task
        try:
            actor.pipe.send(task)
        except OSError:
            self._replace(actor)

    def _replace(self, actor: _Actor) -> None:
        task, deaths = actor.task, actor.deaths + 1
        assert task is not None, "only a process that was given a task is waited for"
        if deaths >= MOST_DEATHS:
            raise NashGapError(
                f"{deaths} actor processes died of the same games, perhaps for want of memory; what was learned before"
                " is kept: run it again, with fewer actors if memory is short"
            )
        actor.pipe.close()
        actor.process.kill()
        fresh = self._start()
        actor.process, actor.pipe, actor.deaths = fresh.process, fresh.pipe, deaths
        self._send(actor, task)


def _end(actors: list[_Actor]) -> None:
    for actor in actors:
        actor.pipe.close()
        actor.process.kill()
    for actor in actors:
        actor.process.join()
    actors.clear()


def _act(source: GameSource, pipe: Connection) -> None:
    """The life of an actor process: it ends when the other end of the pipe does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the learner decides what it means
    while True:
        try:
            task, values = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            found: Any = task.play(source, values)
        except Exception as error:
            found = error
        try:
            pipe.send(found)
        except OSError:
            return
