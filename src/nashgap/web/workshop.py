"""Work that visitors have begun from a page, each in a process of its own: watched, stopped, and limited in number.

What it works on is a run like any other: what was stopped, or whose server was killed, goes on from a page or from the
command line.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Any

from nashgap.core.child_process import ChildEndedError, ChildProcess
from nashgap.core.recent import Recent
from nashgap.errors import ConfigError
from nashgap.runs.progress import human_seconds
from nashgap.web.api import NotFoundError, NotYoursError
from nashgap.web.run_pages import RunPages
from nashgap.web.worker import Asked, Told, begin_work

__all__ = ["MAX_PER_VISITOR", "MAX_RUNNING", "UNFINISHED", "Workshop"]

MAX_PER_VISITOR, MAX_RUNNING = 1, 2
UNFINISHED = ("new", "interrupted", "failed", "damaged")
"""What a run may be that goes on."""
_POLL_SECONDS, _STOP_SECONDS, _BEGIN_SECONDS, _CLOSE_SECONDS = 0.1, 15.0, 60.0, 3.0
_MOST_PROBLEMS = 100


@dataclass(eq=False)
class _Task:
    """Work that a visitor has begun. settled: set when it is known which run it is, or that it is over."""

    identifier: str
    visitor: str
    child: ChildProcess | None = None
    told: Told = field(default_factory=Told)
    stops_at: float | None = None
    settled: Event = field(default_factory=Event)
    over: Event = field(default_factory=Event)

    @property
    def is_late(self) -> bool:
        """Whether it is to be stopped, and has had its time to do so by itself."""
        return self.stops_at is not None and time.monotonic() > self.stops_at


class Workshop:
    """What is under way for the visitors of a server."""

    def __init__(self, pages: RunPages) -> None:
        self._pages = pages
        self._tasks: list[_Task] = []
        self._problems: Recent[str, str] = Recent(_MOST_PROBLEMS)
        self._lock = Lock()

    def begin(self, visitor: str, asked: Asked) -> dict[str, Any]:
        """Begin; the name of the run, or what was found where there is none. Refusals of the work are raised."""
        task = self._reserved(visitor)
        try:
            task.child = ChildProcess(begin_work, asked, self._pages.root)
            Thread(target=self._watch, args=(task,), daemon=True).start()
        except BaseException:
            self._forget(task)
            raise
        if not task.settled.wait(_BEGIN_SECONDS):
            task.stops_at = time.monotonic()
            raise ConfigError(f"it did not begin within {_BEGIN_SECONDS:.0f} seconds, and was given up")
        if task.told.problem:
            raise ConfigError(self._pages.told(task.told.problem))
        return {"run": task.told.run, "result": self._pages.told(task.told.document)}

    def stop(self, visitor: str, name: str) -> None:
        """Stop what the visitor has begun; what is finished is kept."""
        task = self._task_of(name)
        if task is None:
            raise NotFoundError(f"nothing is under way for run {name} on this server")
        if not visitor or task.visitor != visitor:
            raise NotYoursError("another visitor has started this")
        if task.stops_at is not None:  # of the server's threads there are forty
            return
        task.stops_at = time.monotonic() + _STOP_SECONDS
        task.over.wait(_STOP_SECONDS + 1)

    def status(self, name: str, visitor: str) -> dict[str, Any]:
        """How far a run is, whether or not it is worked on here."""
        task = self._task_of(name)
        if task is None:
            line = self._pages.line(name)
            problem = "" if line.status == "finished" else self._problems.get(name, "")
            told = {"status": line.status, "found": line.found, "problem": problem, "can_stop": False}
            return {"run": name, **told, **_pace_told(None)}
        told = {"status": "running", "found": "", "problem": "", "can_stop": task.visitor == visitor}
        return {"run": name, **told, **_pace_told(task.told)}

    def close(self) -> None:
        """Stop everything; runs go on when a server is started again and somebody asks for it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.stops_at = time.monotonic() + _CLOSE_SECONDS
        for task in tasks:
            task.over.wait(_CLOSE_SECONDS + 1)

    def _reserved(self, visitor: str) -> _Task:
        with self._lock:
            if sum(task.visitor == visitor for task in self._tasks) >= MAX_PER_VISITOR:
                raise ConfigError("a measurement or a spot of yours is under way; wait for it, or stop it")
            if len(self._tasks) >= MAX_RUNNING:
                raise ConfigError(
                    f"{MAX_RUNNING} measurements or spots are under way on this server, and no more are allowed"
                )
            task = _Task(secrets.token_hex(6), visitor)
            self._tasks.append(task)
            return task

    def _forget(self, task: _Task) -> None:
        with self._lock:
            self._tasks.remove(task)
        task.settled.set()
        task.over.set()

    def _watch(self, task: _Task) -> None:
        """Ask the process again and again how it is, until it is over."""
        assert task.child is not None, "begun"
        try:
            while not task.told.is_over:
                task.child.send(task.stops_at is not None)
                while not (is_answered := task.child.pipe.poll(_POLL_SECONDS)) and not task.is_late:
                    pass
                if not is_answered:  # a class of Python may keep the interpreter to itself
                    break
                task.told = task.child.receive()
                if task.told.run is not None:
                    task.settled.set()
                if task.is_late:
                    break
                time.sleep(_POLL_SECONDS)
        except ChildEndedError as ended:
            problem = f"the process that worked on it has ended with status {ended.status}"
            task.told = Told(task.told.run, is_over=True, problem=problem)
        finally:
            task.child.kill()
            task.child.join()
            self._remember_problem(task.told)
            self._forget(task)

    def _remember_problem(self, told: Told) -> None:
        """Of the last time that its run was worked on here: a run keeps none."""
        if told.run is None:
            return
        with self._lock:
            self._problems.pop(told.run, None)
            if told.problem:
                self._problems[told.run] = self._pages.refusal(told.problem)

    def _task_of(self, name: str) -> _Task | None:
        return next((task for task in list(self._tasks) if task.told.run == name), None)


def _pace_told(told: Told | None) -> dict[str, Any]:
    pace = None if told is None else told.pace
    if told is None or pace is None:
        return {"done": None, "total": None, "unit": "", "rate": "", "left": "", "message": "", "per_second": 0.0}
    rate = f"{pace.rate:,.3g} {pace.progress.unit} a second" if pace.rate > 0 and pace.is_settled else ""
    left = "" if pace.remaining_seconds is None else f"about {human_seconds(pace.remaining_seconds)} left"
    progress = pace.progress
    said = {"rate": rate, "left": left, "message": told.part or progress.message, "per_second": pace.rate}
    return {"done": progress.done, "total": progress.total, "unit": progress.unit, **said}
