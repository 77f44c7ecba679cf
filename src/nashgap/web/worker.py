"""Work in a process of its own, so that the server stays quick: it can be asked how far it is, and be stopped.

The process works in a thread and answers requests beside it, at once. It ends with the server, and what it worked on is
a run like any other: it goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from nashgap.core.result import Result
from nashgap.errors import NashGapError
from nashgap.runs.executors import Pace
from nashgap.runs.folder import Run
from nashgap.strategies.bot import Bot
from nashgap.web.spot_locks import Relocked

if TYPE_CHECKING:
    from nashgap.jobs.spot import SpotJob, SpotSolution

__all__ = ["SPOT_FILE", "Asked", "Measuring", "Resuming", "Solving", "Told", "begin_work"]

SPOT_FILE = "solution.safetensors"
"""The strategy in the folder of a spot's run."""


@dataclass(frozen=True)
class Measuring:
    """One bot is to be measured, or two to be compared, by a method with these of its options."""

    bots: tuple[Bot] | tuple[Bot, Bot]
    game: str | None
    by: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Resuming:
    """A run is to go on."""

    run: Run


@dataclass(frozen=True)
class Solving:
    """A spot is to be solved, or to be solved again with other locks."""

    spot: SpotJob | Relocked


Asked = Measuring | Resuming | Solving
"""Work for the process."""


@dataclass(frozen=True)
class Told:
    """How far the work is.

    run:      the name of its folder, once there is one.
    part:     what is being done, where it is not that run itself.
    problem:  why it ended without a result; empty otherwise.
    document: what was found, where there is no run to keep it.
    """

    run: str | None = None
    part: str = ""
    pace: Pace | None = None
    is_over: bool = False
    is_stopped: bool = False
    problem: str = ""
    document: dict[str, Any] | None = None


def begin_work(asked: Asked, root: Path) -> Callable[[bool], Told]:
    """Begin, in this process; what is returned says how far it is, and stops it when called with True.

    root: of the runs.
    """
    worker = _Worker(asked, root)
    Thread(target=worker.work, daemon=True).start()
    return worker.answer


class _Worker:
    def __init__(self, asked: Asked, root: Path) -> None:
        self._asked, self._root = asked, root
        self._told = Told()
        self._is_stopping = False

    def answer(self, stops: bool) -> Told:
        self._is_stopping = self._is_stopping or stops
        return self._told

    def opened(self, folder: Path) -> None:
        """Called by the work when it has a run; of a spot with locks a second time, with that of the same without."""
        if self._told.run is None:
            self._told = replace(self._told, run=folder.name)
        else:
            self._told = replace(self._told, part="now the same without locks, for their price", pace=None)

    def __call__(self, pace: Pace) -> None:
        """Called by the work after each of its steps: what is finished is kept then."""
        self._told = replace(self._told, pace=pace)
        if self._is_stopping:
            raise KeyboardInterrupt

    def work(self) -> None:
        try:
            found = self._found()
        except KeyboardInterrupt:
            self._told = replace(self._told, is_over=True, is_stopped=True)
        except NashGapError as error:
            self._told = replace(self._told, is_over=True, problem=str(error))
        except MemoryError:
            self._told = replace(self._told, is_over=True, problem="there is not enough memory for that")
        except Exception as error:
            self._told = replace(self._told, is_over=True, problem=f"it failed: {type(error).__name__}")
            raise  # the server's own log has it all
        else:
            document = None if self._told.run is not None else {**found.as_dict(), "summary": found.summary}
            self._told = replace(self._told, is_over=True, document=document)

    def _found(self) -> Result:
        # Here and not above: the server, which starts this process, needs none of it.
        from nashgap.api.compare import compare
        from nashgap.api.measure import measure
        from nashgap.api.runs import resume

        kept: dict[str, Any] = {"run": self._root, "progress": self}
        match self._asked:
            case Measuring((bot,), game, by, options):
                # In a small game a best response takes a moment, and is no run.
                found = measure(bot, game=game, by=by, **({} if by == "br" else kept), **options)
            case Measuring((first, second), game, by, options):
                found = compare(first, second, game=game, by=by, **kept, **options)
            case Resuming(run):
                found = resume(run, root=self._root, progress=self, trust=True)
            case Solving(spot):
                found = self._solved(spot.job() if isinstance(spot, Relocked) else spot)
        assert isinstance(found, Result), "all of these find results"
        return found

    def _solved(self, job: SpotJob) -> SpotSolution:
        """The spot, with its strategy in the folder of its run."""
        from nashgap.api.spot import solve_spot

        how: dict[str, Any] = {"iterations": job.iterations, "minutes": job.minutes, "threads": job.threads}
        found = solve_spot(
            job.spot, locks=job.locks, storage=job.storage, until=job.until, run=self._root, progress=self, **how
        )
        assert found.provenance.run is not None, "it is kept"
        file = found.provenance.run / SPOT_FILE
        if found.provenance.finished_at is None or not file.is_file():
            found.save(file)
        return found
