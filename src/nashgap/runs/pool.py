"""Run batches in worker processes of this machine."""

from __future__ import annotations

import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import wait
from pickle import PicklingError
from types import FrameType
from typing import Any

from nashgap.core.child_process import ChildEndedError, ChildProcess, end_processes
from nashgap.core.job import BatchJob
from nashgap.errors import ConfigError, NashGapError
from nashgap.runs.workers import ADVICE, Batch, Keep, run_batch

__all__ = ["run_in_pool"]

KILLED_STATUS = 128  # and above, of a process that a signal ended
SHORT_SECONDS = 1.0  # of a batch, up to which a worker is given the next one beforehand, so that it never waits


def run_in_pool(job: BatchJob, indices: Iterator[int], workers: int, keep: Keep) -> None:
    """Run the batches in worker processes.

    Where a worker is killed, as the system does when memory is short, the others finish what they were given. What it
    was given is played again, one batch at a time in a process of its own: there the one that needs too much has the
    memory for itself, and if it is killed there twice, that is told by its name. Then workers go on with the rest.
    """
    deaths: Counter[int] = Counter()
    has_begun = False

    def keep_noted(batch: Batch) -> None:
        nonlocal has_begun
        has_begun = True
        keep(batch)

    with _interrupts_noted() as interrupts:
        while ended := _run_until_a_death(job, indices, workers, keep_noted, interrupts):
            if not has_begun:
                _require_killed(workers, ended.values())
            lost = sorted(ended)
            while lost:
                index, left = lost[0], lost[1:]
                lost = [*_run_until_a_death(job, iter([index]), 1, keep_noted, interrupts), *left]
                deaths[index] += lost[:1] == [index]
                if deaths[index] == 2:
                    raise NashGapError(
                        f"{job.describe_batch(index)}: the process that played it, and nothing else, was killed twice,"
                        f" perhaps for want of memory; {ADVICE}"
                    )


def _require_killed(workers: int, statuses: Iterable[int | None]) -> None:
    """ConfigError where all processes have ended by themselves, as they do that cannot import what they need."""
    told = set(statuses)
    if all(status is not None and 0 < status < KILLED_STATUS for status in told):
        raise ConfigError(
            f"workers = {workers}; processes ended with status {', '.join(map(str, told))} before they began, and say"
            ' why on standard error: a script has to start them under `if __name__ == "__main__":`, and classes of bots'
            " have to lie in a module; workers = 1 needs neither"
        )


@dataclass(eq=False)
class _Worker:
    """A process, and the batches that it was given and has not handed over; it is at the first of them."""

    process: ChildProcess
    given: deque[int] = field(default_factory=deque)

    def give(self, index: int) -> None:
        self.given.append(index)
        with suppress(ChildEndedError):  # which is told when its answer is waited for
            self.process.send(index)

    def collect(self) -> Batch:
        """The batch that it has finished; ChildEndedError leaves what it was given."""
        try:
            batch: Batch = self.process.receive()
        except ChildEndedError:
            raise
        except Exception:
            self.given.popleft()
            raise
        self.given.popleft()
        return batch


def _run_until_a_death(
    job: BatchJob, indices: Iterator[int], number: int, keep: Keep, interrupts: _Interrupts
) -> dict[int, int | None]:
    """What workers that died were given, each with the status of the worker's end; none where all is finished."""
    workers: list[_Worker] = []
    lost: dict[int, int | None] = {}
    try:
        for index in indices:
            workers.append(_Worker(_started(job, number)))
            workers[-1].give(index)
            if len(workers) == number:
                break
        while busy := [worker for worker in workers if worker.given]:
            for worker in _answering(busy, interrupts):
                try:
                    batch = worker.collect()
                except ChildEndedError as end:
                    lost |= dict.fromkeys(worker.given, end.status)
                    worker.given.clear()
                    continue
                if not lost:
                    _give_next(worker, indices, is_short=batch[2] <= SHORT_SECONDS)
                keep(batch)
    except BaseException:
        _finish(workers, keep, interrupts)
        raise
    finally:
        end_processes(worker.process for worker in workers)
    return lost


def _started(job: BatchJob, number: int) -> ChildProcess:
    try:
        return ChildProcess(_batch_runner, job)
    except (PicklingError, AttributeError, TypeError) as reason:  # what pickle raises
        raise ConfigError(
            f"workers = {number}; {job.name} has something that cannot be sent to other processes, so that 1"
            f" must do it: {reason}"
        ) from reason


def _batch_runner(job: BatchJob) -> Callable[[int], Batch]:
    """What a worker does: it is sent the job once, and would else load anew what that holds in memory."""
    return partial(run_batch, job)


def _give_next(worker: _Worker, indices: Iterator[int], *, is_short: bool) -> None:
    while len(worker.given) < (2 if is_short else 1) and (index := next(indices, None)) is not None:
        worker.give(index)


def _answering(workers: Sequence[_Worker], interrupts: _Interrupts) -> list[_Worker]:
    """Those that have something to hand over, or have died; waits for the first."""
    by_pipe: dict[Any, _Worker] = {worker.process.pipe: worker for worker in workers}
    with interrupts.let_through():
        ready = wait(list(by_pipe))
    return [by_pipe[pipe] for pipe in ready]


def _finish(workers: Sequence[_Worker], keep: Keep, interrupts: _Interrupts) -> None:
    """Keep what was given to workers and succeeds; another interrupt ends that."""
    while busy := [worker for worker in workers if worker.given]:
        for worker in _answering(busy, interrupts):
            try:
                keep(worker.collect())
            except ChildEndedError:
                worker.given.clear()
            except Exception:  # an error after the first, which is raised
                continue


class _Interrupts:
    """Ctrl-C and SIGTERM, where they interrupt: noted, and let through only where nothing is left half done.

    One that came while a batch is read from its pipe would leave half of it there.
    """

    def __init__(self) -> None:
        self._noted: Callable[[], object] | None = None
        self._is_open = False

    @contextmanager
    def let_through(self) -> Iterator[None]:
        self._is_open = True
        try:
            if (noted := self._noted) is not None:
                self._noted = None
                noted()
            yield
        finally:
            self._is_open = False

    def note(self, interrupt: Callable[..., object], number: int, frame: FrameType | None) -> None:
        if self._is_open:
            interrupt(number, frame)
        else:
            self._noted = partial(interrupt, number, frame)


@contextmanager
def _interrupts_noted() -> Iterator[_Interrupts]:
    interrupts = _Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    noted = {number: handler for number, handler in usual.items() if callable(handler)}  # where they interrupt
    for number, handler in noted.items():
        signal.signal(number, partial(interrupts.note, handler))
    try:
        yield interrupts
    finally:
        for number, handler in noted.items():
            signal.signal(number, handler)
        with interrupts.let_through():
            pass
