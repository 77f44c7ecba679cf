"""Run batches in worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from pickle import PicklingError
from typing import Any

from nashgap.core.job import BatchJob
from nashgap.errors import ConfigError, NashGapError

__all__ = ["Batch", "run_batch", "run_in_pool"]

Batch = tuple[int, dict[str, Any], float]  # index, result, seconds


def run_batch(job: BatchJob, index: int) -> Batch:
    start = time.perf_counter()
    payload = job.run_batch(index)
    return index, payload, time.perf_counter() - start


def run_in_pool(job: BatchJob, indices: Iterator[int], workers: int, keep: Callable[[Batch], None]) -> None:
    """Run the batches in worker processes and hand each to `keep` in this process, in any order.

    After an error or interrupt, no batch is begun; those under way are finished and kept, and the error is raised. A
    second interrupt ends the workers at once.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy the locks of other threads as they happen to be
    strangers = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(job,)) as pool:
        # Few at a time: a job may have millions of batches. Twice the workers, so that none waits for this process.
        with _interrupts_ignored():  # so do workers from their first moment on; the first batch starts them all
            try:
                running = {pool.submit(_run_in_worker, index) for index in islice(indices, 2 * workers)}
            except (PicklingError, AttributeError, TypeError) as reason:  # what pickle raises
                raise ConfigError(
                    f"workers = {workers}; {job.name} has something that cannot be sent to other processes, so that 1"
                    f" must do it: {reason}"
                ) from reason
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(_run_in_worker, index) for index in islice(indices, len(done))}
                if error := _keep_successful(done, keep):
                    raise error
        except BrokenProcessPool as error:
            raise NashGapError(
                "a worker process died, perhaps for want of memory; finished batches are kept: "
                "run it again, with fewer workers if memory is short"
            ) from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            try:
                _keep_successful(running, keep)
            except KeyboardInterrupt:
                for worker in set(multiprocessing.active_children()) - strangers:
                    worker.kill()
            raise


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """By this process and, for good, by those that it starts meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _keep_successful(futures: Iterable[Future[Batch]], keep: Callable[[Batch], None]) -> BaseException | None:
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
