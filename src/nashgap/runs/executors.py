"""Run a job so that it can be stopped at any moment, killed included, and continued with the same result.

Batches run in this process or in a pool of workers. The results are the same, because a batch is a pure function of
job and index, and because they are read back from the ledger in batch order. A checkpoint job runs in this process.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, overload

from nashgap.core.job import BatchJob, CheckpointJob, Progress
from nashgap.errors import ConfigError, MismatchError
from nashgap.runs.checkpoints import CheckpointKeeper, load_newest
from nashgap.runs.config import RunConfig
from nashgap.runs.folder import Run
from nashgap.runs.ledger import Ledger

__all__ = ["CHECKPOINT_SECONDS", "OnProgress", "Pace", "check_settings", "execute"]

CHECKPOINT_SECONDS = 30.0


@dataclass(frozen=True)
class Pace:
    """A job's progress with its speed since it was started or resumed.

    seconds:           since then.
    rate:              `progress.unit` a second since then; 0 while unknown.
    remaining_seconds: until the total is reached at this rate; None where that is not known.
    """

    progress: Progress
    seconds: float
    rate: float
    remaining_seconds: float | None

    @classmethod
    def since(cls, start: float, done_before: float, progress: Progress) -> Pace:
        """The pace of a job that had done `done_before` at the time `start` of `time.perf_counter`."""
        seconds = time.perf_counter() - start
        rate = max(progress.done - done_before, 0.0) / seconds if seconds > 0 else 0.0
        if progress.total is None or rate == 0:
            return cls(progress, seconds, rate, None)
        return cls(progress, seconds, rate, max(progress.total - progress.done, 0.0) / rate)


OnProgress = Callable[[Pace], None]


@overload
def execute(
    job: BatchJob,
    run: Run,
    *,
    workers: int = ...,
    on_progress: OnProgress | None = ...,
    checkpoint_seconds: float = ...,
) -> list[dict[str, Any]]: ...
@overload
def execute(
    job: CheckpointJob,
    run: Run,
    *,
    workers: int = ...,
    on_progress: OnProgress | None = ...,
    checkpoint_seconds: float = ...,
) -> None: ...
def execute(
    job: BatchJob | CheckpointJob,
    run: Run,
    *,
    workers: int = 1,
    on_progress: OnProgress | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> list[dict[str, Any]] | None:
    """Do what is missing of the job: all batches' results in order; None for a checkpoint job, which holds its result.

    workers:            processes that run batches; results do not depend on it.
    on_progress:        called in this process after each batch or step; an error it raises stops the job.
    checkpoint_seconds: between two saves of a checkpoint job, at least.

    An interrupt (Ctrl-C) or an error is raised after all that is finished has been kept.
    """
    config = RunConfig.of(job)
    if config.run_id != run.config.run_id:
        raise MismatchError(
            f"job {job.name} is run {config.run_id}, which is not the run of folder {run.name};"
            " has a file or bot that it is made of changed?"
        )
    check_settings(job, workers=workers, checkpoint_seconds=checkpoint_seconds)
    with run.lock(), run.open_ledger() as ledger, _status_kept(ledger):
        run.save_config(config)
        if isinstance(job, BatchJob):
            return _execute_batches(job, ledger, workers, on_progress)
        _execute_steps(job, run, ledger, on_progress, checkpoint_seconds)
        return None


def check_settings(
    job: BatchJob | CheckpointJob, *, workers: int = 1, checkpoint_seconds: float = CHECKPOINT_SECONDS
) -> None:
    """ConfigError unless `execute` takes these; for whoever wants to know before a run is made."""
    if workers < 1:
        raise ConfigError(f"workers = {workers}; at least 1 is needed")
    if workers > 1 and not isinstance(job, BatchJob):
        raise ConfigError(f"workers = {workers}; a {job.kind} job runs in 1 process")
    if not 0 <= checkpoint_seconds < float("inf"):
        raise ConfigError(f"save every {checkpoint_seconds} seconds; it must be a number, 0 or more")


def _execute_batches(
    job: BatchJob, ledger: Ledger, workers: int, on_progress: OnProgress | None
) -> list[dict[str, Any]]:
    from nashgap.runs.workers import Batch, run_batch, run_in_pool  # multiprocessing is slow to import

    total = job.num_batches
    finished = {index for index in ledger.batches() if index < total}
    done_before = frozenset(finished)
    missing = (index for index in range(total) if index not in done_before)
    start = written_at = time.perf_counter()

    def keep(batch: Batch) -> None:
        nonlocal written_at
        index, payload, seconds = batch
        finished.add(index)
        progress = Progress(len(finished), total, "batches", message=job.describe_batch(index))
        elapsed, written_at = time.perf_counter() - written_at, time.perf_counter()
        ledger.record_batch(index, payload, seconds=seconds, progress=progress, elapsed=elapsed)
        if on_progress is not None:
            on_progress(Pace.since(start, len(done_before), progress))

    workers = min(workers, total - len(done_before))
    if workers > 1:
        run_in_pool(job, missing, workers, keep)
    else:
        for index in missing:
            keep(run_batch(job, index))
    batches = ledger.batches()
    return [batches[index] for index in range(total)]


def _execute_steps(
    job: CheckpointJob, run: Run, ledger: Ledger, on_progress: OnProgress | None, checkpoint_seconds: float
) -> None:
    checkpoint = load_newest(job, run, ledger)
    done_before = checkpoint.step if checkpoint else 0.0
    keeper = CheckpointKeeper(job, run, ledger, checkpoint_seconds)
    start = time.perf_counter()
    is_quiescent = True
    with _interrupt_deferred() as is_interrupted:
        try:
            while not job.is_finished and not is_interrupted():
                is_quiescent = False
                progress = job.advance()
                is_quiescent = True
                keeper.keep(progress)
                if on_progress is not None:
                    on_progress(Pace.since(start, done_before, progress))
        finally:
            # An error inside a step leaves a state between two quiescent points; the last checkpoint is the better one.
            if is_quiescent:
                keeper.save()


@contextmanager
def _status_kept(ledger: Ledger) -> Iterator[None]:
    """Have the ledger say what became of the work."""
    ledger.set_status("running")
    try:
        yield
    except KeyboardInterrupt:
        ledger.set_status("interrupted")
        raise
    except BaseException:
        ledger.set_status("failed")
        raise
    ledger.set_status("finished")


@contextmanager
def _interrupt_deferred() -> Iterator[Callable[[], bool]]:
    """Have Ctrl-C raise at the end of the block, which can ask whether it was pressed; pressed twice it raises at once.

    Outside the main thread, and where interrupts are ignored (nohup), nothing changes.
    """
    is_interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        if is_interrupted:
            raise KeyboardInterrupt
        is_interrupted = True

    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: is_interrupted
    finally:
        signal.signal(signal.SIGINT, usual)
    if is_interrupted:
        raise KeyboardInterrupt
