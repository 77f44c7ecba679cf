"""Run batches in worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from pickle import PicklingError
from types import FrameType

from nashgap.core.job import BatchJob
from nashgap.errors import ConfigError, NashGapError
from nashgap.runs.workers import ADVICE, Batch, Keep, run_batch

__all__ = ["run_in_pool"]


def run_in_pool(job: BatchJob, indices: Iterator[int], workers: int, keep: Keep) -> None:
    """Run the batches in worker processes.

    Where a worker is killed, as the system does when memory is short, all are replaced. What was under way is played
    again, one batch at a time: there the one that needs too much has the memory for itself, and if it is killed there
    twice, that is told by its name.
    """
    deaths: Counter[int] = Counter()
    while lost := _run_until_a_death(job, indices, workers, 2 * workers, keep):
        while lost:
            left = iter(lost)
            dead = _run_until_a_death(job, left, 1, 1, keep)
            deaths.update(dead)
            for index in dead:
                if deaths[index] == 2:
                    raise NashGapError(
                        f"{job.describe_batch(index)}: the process that played it, and nothing else, was killed twice,"
                        f" perhaps for want of memory; {ADVICE}"
                    )
            lost = [*dead, *left]


def _run_until_a_death(job: BatchJob, indices: Iterator[int], workers: int, abreast: int, keep: Keep) -> list[int]:
    """The batches that were under way, at most so many abreast, when a worker died; none where all are finished."""
    context = multiprocessing.get_context("spawn")  # a fork would copy the locks of other threads as they happen to be
    strangers = set(multiprocessing.active_children())
    begun: dict[Future[Batch], int] = {}

    def begin(number: int) -> set[Future[Batch]]:
        """Few at a time: a job may have millions of batches."""
        futures = set()
        for index in islice(indices, number):
            try:
                future = pool.submit(_run_in_worker, index)
            except BrokenProcessPool as death:
                future = Future()
                future.set_exception(death)
            begun[future] = index
            futures.add(future)
        return futures

    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(job,)) as pool:
        # Workers ignore interrupts from their first moment on; the first batch starts them all.
        with _interrupts_ignored() as is_interrupted:
            try:
                running = begin(abreast)
            except (PicklingError, AttributeError, TypeError) as reason:  # what pickle raises
                raise ConfigError(
                    f"workers = {workers}; {job.name} has something that cannot be sent to other processes, so that 1"
                    f" must do it: {reason}"
                ) from reason
        lost: list[int] = []
        try:
            if is_interrupted():
                raise KeyboardInterrupt
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                dead = {future for future in done if isinstance(future.exception(), BrokenProcessPool)}
                lost += (begun[future] for future in dead)
                if not lost:
                    running |= begin(len(done))
                if error := _keep_successful(done - dead, keep):
                    raise error
                for future in done:
                    del begun[future]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            try:
                _keep_successful(running, keep)
            except KeyboardInterrupt:
                for worker in set(multiprocessing.active_children()) - strangers:
                    worker.kill()
            raise
    return sorted(lost)


@contextmanager
def _interrupts_ignored() -> Iterator[Callable[[], bool]]:
    """By those that are started meanwhile for good; in this process they are noted, and told by what is given.

    They must not interrupt the start of a pool, which leaves it in a state that cannot be shut down.
    """
    is_interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    noted = {number: handler for number, handler in usual.items() if callable(handler)}  # where they interrupt
    for number in noted:
        signal.signal(number, note)
    try:
        with _interrupts_blocked():
            yield lambda: is_interrupted
    finally:
        for number, handler in noted.items():
            signal.signal(number, handler)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Until the end of the block, when they come; and for good in processes that are started in it."""
    if sys.platform == "win32":
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, usual)
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _keep_successful(futures: Iterable[Future[Batch]], keep: Keep) -> BaseException | None:
    """Wait for the batches and keep those that succeeded; the first error of the others."""
    first_error = None
    for future in futures:
        try:
            error = future.exception()
        except CancelledError:  # it was not begun
            continue
        if error is None:
            keep(future.result())
        first_error = first_error or error
    return first_error


# The one job of a worker process, set as it starts: if the job were sent with each batch, it would each time load anew
# what it holds in memory.
_worker_job: BatchJob | None = None


def _start_worker(job: BatchJob) -> None:
    global _worker_job
    _worker_job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what it means
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this worker when its parent is killed; it would otherwise wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "only a worker process calls this"
    parent.join()
    os._exit(1)


def _run_in_worker(index: int) -> Batch:
    assert _worker_job is not None, "the pool starts each worker with its job"
    return run_batch(_worker_job, index)
