"""Who plays the games that responders learn from: this process, or others beside it.

What a task finds is a function of the task and of the values that it is given, so that it does not matter who plays it:
where a process dies, or a node of a cluster, another plays its task again, and nothing is lost.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from multiprocessing.connection import wait
from typing import Any, Protocol

from nashgap.core.child_process import ChildEndedError, ChildProcess, end_processes
from nashgap.errors import NashGapError
from nashgap.runs.cluster import Cluster
from nashgap.runs.crew import Crew
from nashgap.search.options import SearchOptions
from nashgap.search.responder_game import ResponderGame

__all__ = ["ActorProcesses", "Actors", "ClusterActors", "GameSource", "HereActor", "Played", "Task"]

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

    least_seconds: a task that takes less is hardly worth its way to them and back.
    """

    least_seconds: float

    @property
    def number(self) -> int:
        """How many tasks they play at once."""
        ...

    @property
    def num_free(self) -> int:
        """Tasks that could be begun at once."""
        ...

    def submit(self, task: Task, values: Any) -> None: ...

    def collect(self) -> list[Played]:
        """What has been finished since; waits a while for a task that was submitted, or for who could play one."""
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
    """A process, and the task that it is at, with how many have died of it."""

    process: ChildProcess
    task: tuple[Task, Any] | None = None
    deaths: int = 0


class ActorProcesses:
    """Processes of this machine; one that dies is replaced, and its task played again."""

    least_seconds = 0.2

    def __init__(self, source: GameSource, number: int) -> None:
        self._source, self.number = source, number
        self._actors: list[_Actor] = []
        self._end = weakref.finalize(self, _end, self._actors)  # where nobody closes them, they end with this object
        self._actors.extend(_Actor(self._start()) for _ in range(number))

    @property
    def pids(self) -> list[int]:
        return [actor.process.pid for actor in self._actors]

    @property
    def num_free(self) -> int:
        return sum(actor.task is None for actor in self._actors)

    def submit(self, task: Task, values: Any) -> None:
        self._send(next(actor for actor in self._actors if actor.task is None), (task, values))

    def collect(self) -> list[Played]:
        played: list[Played] = []
        while not played and (busy := {actor.process.pipe: actor for actor in self._actors if actor.task is not None}):
            for pipe in wait(list(busy)):
                actor = busy[pipe]
                assert actor.task is not None
                try:
                    found = actor.process.receive()
                except ChildEndedError:
                    self._replace(actor)
                    continue
                played.append((actor.task[0], found))
                actor.task, actor.deaths = None, 0
        return played

    def close(self) -> None:
        self._end()

    def _start(self) -> ChildProcess:
        return ChildProcess(_actor_of, self._source)

    def _send(self, actor: _Actor, task: tuple[Task, Any]) -> None:
        actor.task = task
        try:
            actor.process.send(*task)
        except ChildEndedError:
            self._replace(actor)

    def _replace(self, actor: _Actor) -> None:
        task, deaths = actor.task, actor.deaths + 1
        assert task is not None, "only a process that was given a task is waited for"
        if deaths >= MOST_DEATHS:
            raise NashGapError(
                f"{deaths} actor processes died of the same games, perhaps for want of memory; what was learned before"
                " is kept: run it again, with fewer actors if memory is short"
            )
        actor.process.kill()
        actor.process, actor.deaths = self._start(), deaths
        self._send(actor, task)


class ClusterActors:
    """The workers of a cluster.

    make_source: of the paths that files have on a node; sent once.
    """

    least_seconds = 0.2

    def __init__(
        self, cluster: Cluster, make_source: Callable[[Mapping[str, str]], GameSource], inputs: Mapping[str, str]
    ) -> None:
        self._make_crew = partial(Crew, cluster, partial(_task_player, make_source), inputs, tell_task=_told)
        self._shared: dict[int, tuple[Any, Any]] = {}  # by player: the values sent last, and what they are sent by

    @cached_property
    def _crew(self) -> Crew:
        """Made when the first task is there: what is finished needs no cluster."""
        crew = self._make_crew()
        self._end = weakref.finalize(self, crew.close)
        return crew

    @property
    def number(self) -> int:
        return max(1, self._crew.number)

    @property
    def num_free(self) -> int:
        return self._crew.num_free

    def submit(self, task: Task, values: Any) -> None:
        if task.player not in self._shared or self._shared[task.player][0] is not values:
            self._shared[task.player] = values, self._crew.shared(values)
        self._crew.submit(task, self._shared[task.player][1])

    def collect(self) -> list[Played]:
        return self._crew.collect()

    def close(self) -> None:
        if "_crew" in self.__dict__:
            self._end()


def _task_player(
    make_source: Callable[[Mapping[str, str]], GameSource], inputs: Mapping[str, str]
) -> Callable[[Task, Any], Any]:
    source = make_source(inputs)
    return lambda task, values: task.play(source, values)


def _told(task: Task) -> str:
    return f"games {task.first + 1:,} to {task.first + task.number:,} of player {task.player + 1}"


def _end(actors: list[_Actor]) -> None:
    end_processes(actor.process for actor in actors)
    actors.clear()


def _actor_of(source: GameSource) -> Callable[[Task, Any], Any]:
    """What an actor does in its process."""
    return lambda task, values: task.play(source, values)
