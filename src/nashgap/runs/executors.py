"""Run a job so that it can be stopped at any moment, killed included, and continued with the same result.

Batches run in this process or in a pool of workers. The results are the same, because a batch is a pure function of
job and index, and because they are read back from the ledger in batch order. A checkpoint job runs in this process.
"""

from __future__ import annotations

import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from nashgap.core.job import BatchJob, CheckpointJob, Job, Progress, Work
from nashgap.errors import ConfigError, FileFormatError, MismatchError, NashGapError
from nashgap.runs.checkpoints import CheckpointKeeper, load_newest
from nashgap.runs.config import RunConfig
from nashgap.runs.environment import environment
from nashgap.runs.folder import Run, listed_names
from nashgap.runs.ledger import Ledger
from nashgap.runs.workers import Batch, Workers, executor_of, require_workers

__all__ = ["CHECKPOINT_SECONDS", "OnProgress", "Outcome", "Pace", "check_settings", "execute"]

CHECKPOINT_SECONDS = 30.0
# A batch is written at once while that takes less of the time than one in so many, beyond a moment that is free: to
# write is mostly to wait for the disk, and batches may be small. Else it waits for others, but never for longer than
# this, which is what a kill -9 may cost.
_WRITING_SHARE, _FREE_WRITING_SECONDS, _MOST_UNWRITTEN_SECONDS = 150, 0.05, 10.0
FEWEST_SECONDS, FEWEST_STEPS = 1.0, 3  # of work, after which the time that is left means something


@dataclass(frozen=True)
class Pace:
    """A job's progress with its speed since it was started or resumed.

    seconds:           since then.
    rate:              `progress.unit` a second since then; 0 while unknown.
    remaining_seconds: until the total is reached at this rate; None where that is not known.
    is_settled:        whether there is enough behind the rate to mean something.
    """

    progress: Progress
    seconds: float
    rate: float
    remaining_seconds: float | None
    is_settled: bool = True

    @classmethod
    def since(cls, start: float, done_before: float, progress: Progress) -> Pace:
        """The pace of a job that had done `done_before` at the time `start` of `time.perf_counter`."""
        seconds = time.perf_counter() - start
        rate = max(progress.done - done_before, 0.0) / seconds if seconds > 0 else 0.0
        # The first steps pay for what happens only once, and of several workers the first batch says little.
        is_settled = seconds >= FEWEST_SECONDS and progress.done - done_before >= FEWEST_STEPS
        if progress.total is None or not is_settled:
            return cls(progress, seconds, rate, None, is_settled)
        return cls(progress, seconds, rate, max(progress.total - progress.done, 0.0) / rate)


OnProgress = Callable[[Pace], None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """A job that has come to its end.

    result:      what the job makes of its batches or of its work.
    seconds:     that it took, over all resumes.
    finished_at: when all of it was finished, if that was before it was asked for; UTC, as ISO 8601 writes it.
    """

    result: Any
    seconds: float
    finished_at: str | None = None


def execute(
    job: Job,
    run: Run | None = None,
    *,
    workers: Workers = 1,
    on_progress: OnProgress | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> Outcome:
    """Do what is missing of the job; without a run all of it, in memory.

    workers:            who runs batches: processes of this machine, or a cluster; results do not depend on it.
    on_progress:        called in this process after each batch or step; an error it raises stops the job.
    checkpoint_seconds: between two saves of a checkpoint job, at least.

    An interrupt (Ctrl-C, SIGTERM) or an error is raised after all that is finished has been kept.
    """
    check_settings(job, workers=workers, checkpoint_seconds=checkpoint_seconds)
    if run is None:
        with Ledger(None, "memory") as ledger:
            return _execute(job, None, ledger, workers, on_progress, checkpoint_seconds)
    config = RunConfig.of(job)
    if config.run_id != run.config.run_id:
        raise MismatchError(
            f"job {job.name} is run {config.run_id}, which is not the run of folder {run.name};"
            " has a file or bot that it is made of changed?"
        )
    with _termination_interrupts(), run.lock(), run.open_ledger() as ledger:
        if dropped := ledger.mend():
            warnings.warn(f"{ledger.path}: damaged, and done again: {listed_names(dropped)}", stacklevel=2)
        with _status_kept(ledger):
            run.save_config(config)
            return _execute(job, run, ledger, workers, on_progress, checkpoint_seconds)


def _execute(
    job: Job,
    run: Run | None,
    ledger: Ledger,
    workers: Workers,
    on_progress: OnProgress | None,
    checkpoint_seconds: float,
) -> Outcome:
    """Do what is missing; the ledger says when all of it was finished."""
    if isinstance(job, BatchJob):
        has_earlier = bool(ledger.batch_seconds())
        is_news = _execute_batches(job, ledger, workers, on_progress)
        batches = ledger.batches()
        if lost := [f"batch {index}" for index in range(job.num_batches) if index not in batches]:
            raise FileFormatError(
                f"{ledger.path}: damaged while the run went on: {listed_names(lost)}; resuming the run does it again"
            )
        with _held_to(job, ledger, has_earlier):
            result = job.combine([batches[index] for index in range(job.num_batches)])
    else:
        assert isinstance(job, CheckpointJob), "a job has batches or work"
        work = job.begin()
        try:
            has_earlier = bool(ledger.points())
            is_news = _execute_steps(work, run, ledger, on_progress, checkpoint_seconds)
            with _held_to(job, ledger, has_earlier):
                result = work.result(ledger.points())
        finally:
            work.close()
    ledger.set_finished(is_news=is_news)
    return Outcome(result, ledger.seconds, None if is_news else ledger.finished_at)


@contextmanager
def _held_to(job: Job, ledger: Ledger, has_earlier: bool) -> Iterator[None]:
    """FileFormatError where what an earlier process has left, or whoever made the folder, is not what the job makes."""
    try:
        yield
    except NashGapError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        if not has_earlier:
            raise
        raise FileFormatError(
            f"{ledger.path}: holds what no {job.kind} job has found: {error!r};"
            f" remove {ledger.path.parent} to start afresh"
        ) from error


def check_settings(job: Job, *, workers: Workers = 1, checkpoint_seconds: float = CHECKPOINT_SECONDS) -> None:
    """ConfigError unless `execute` takes these; for whoever wants to know before a run is made."""
    require_workers(workers)
    if workers not in (1, "cores") and not isinstance(job, BatchJob):
        raise ConfigError(f"workers = {workers}; a {job.kind} job runs in 1 process")
    if not 0 <= checkpoint_seconds < float("inf"):
        raise ConfigError(f"save every {checkpoint_seconds} seconds; it must be a number, 0 or more")


def _execute_batches(job: BatchJob, ledger: Ledger, workers: Workers, on_progress: OnProgress | None) -> bool:
    """Whether there was anything left to do."""
    executor = executor_of(workers, job)
    total = job.num_batches
    finished = {index for index in ledger.batch_seconds() if 0 <= index < total}
    done_before = frozenset(finished)
    missing = (index for index in range(total) if index not in done_before)
    start = written_at = time.perf_counter()
    writing_seconds, unwritten = 0.0, list[Batch]()

    def write() -> None:
        nonlocal written_at, writing_seconds
        if unwritten:
            begin = time.perf_counter()
            progress = Progress(len(finished), total, "batches")
            ledger.record_batches(unwritten, progress=progress, elapsed=begin - written_at)
            unwritten.clear()
            written_at = begin
            writing_seconds += time.perf_counter() - begin

    def keep(batch: Batch) -> None:
        finished.add(batch[0])
        unwritten.append(batch)
        now = time.perf_counter()
        is_cheap = writing_seconds <= _FREE_WRITING_SECONDS + (now - start) / _WRITING_SHARE
        if is_cheap or now - written_at >= _MOST_UNWRITTEN_SECONDS:
            write()
        if on_progress is not None:
            who = f", {executor.description}" if executor.description else ""
            progress = Progress(len(finished), total, "batches", message=f"{job.describe_batch(batch[0])}{who}")
            on_progress(Pace.since(start, len(done_before), progress))

    _begin_session(ledger, is_work=len(done_before) < total)
    try:
        executor.run(job, missing, total - len(done_before), keep)
    finally:
        write()
    return len(done_before) < total


def _execute_steps(
    work: Work, run: Run | None, ledger: Ledger, on_progress: OnProgress | None, checkpoint_seconds: float
) -> bool:
    """Bring the work to its end; whether there was anything left to do."""
    checkpoint = None if run is None else load_newest(work, run, ledger)
    done_before = checkpoint.step if checkpoint else 0.0
    keeper = CheckpointKeeper(work, run, ledger, checkpoint_seconds)
    is_quiescent, is_news = True, checkpoint is None or not work.is_finished  # asking may build what the work needs
    _begin_session(ledger, is_work=is_news)
    start = time.perf_counter()
    with _interrupt_deferred() as is_interrupted:
        try:
            while not work.is_finished and not is_interrupted():
                is_quiescent, is_news = False, True
                progress = work.advance()
                is_quiescent = True
                keeper.keep(progress)
                if on_progress is not None:
                    on_progress(Pace.since(start, done_before, progress))
        finally:
            # An error inside a step leaves a state between two quiescent points; the last checkpoint is the better one.
            if is_quiescent:
                keeper.save()
    return is_news


def _begin_session(ledger: Ledger, *, is_work: bool) -> None:
    """Keep where work is done that is left of a run."""
    if is_work and ledger.is_kept:
        ledger.record_session(environment())


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


@contextmanager
def _termination_interrupts() -> Iterator[None]:
    """Have SIGTERM do what Ctrl-C does, where nobody else has a use for it."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    is_free = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if threading.current_thread() is not threading.main_thread() or not is_free:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _interrupt_deferred() -> Iterator[Callable[[], bool]]:
    """Have Ctrl-C raise at the end of the block, which can ask whether it was pressed; pressed twice it raises at once.

    So has SIGTERM where it interrupts. Outside the main thread, and where signals are ignored (nohup) or left to the
    system, nothing changes.
    """
    is_interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        if is_interrupted:
            raise KeyboardInterrupt
        is_interrupted = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    deferred = {number: handler for number, handler in usual.items() if callable(handler)}
    for number in deferred:
        signal.signal(number, note)
    try:
        yield lambda: is_interrupted
    finally:
        for number, handler in deferred.items():
            signal.signal(number, handler)
    if is_interrupted:
        raise KeyboardInterrupt
