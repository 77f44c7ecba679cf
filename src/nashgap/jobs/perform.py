"""Do a job, in memory or as a run that can be stopped and continued, and keep its result and report beside it.

Every kind of work goes through here, whoever asks for it: a function of the front door, a command, a reproduction.
"""

from __future__ import annotations

import dataclasses
import shlex
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from nashgap.catalogue import JOBS
from nashgap.core.job import BatchJob, CheckpointJob, Job
from nashgap.core.result import Provenance, Result
from nashgap.errors import ConfigError, OutputError, UnsavedError
from nashgap.runs.executors import CHECKPOINT_SECONDS, check_settings, execute
from nashgap.runs.folder import Run, default_root, existing_run, open_run
from nashgap.runs.progress import Progressing, human_seconds, shown
from nashgap.runs.trust import programs_in, remember
from nashgap.runs.workers import Workers, expected_workers

__all__ = [
    "Interrupted",
    "Keep",
    "job_of",
    "naming_output",
    "perform",
    "perform_run",
    "programs_of",
    "runs_root",
    "saved",
]

Found = TypeVar("Found", bound=Result)

Keep = bool | str | Path | None
"""Whether work is kept: None or False, in memory only; True, in the usual folder of runs; or that folder."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; the message says what was kept and, last, how to go on: `resume`, where there is a run."""

    def __init__(self, resume: str = "") -> None:
        self.resume = resume
        kept = f"what is finished is kept; continue with: {resume}" if resume else "nothing was kept"
        super().__init__(f"interrupted; {kept}")


@contextmanager
def naming_output(output: Path | str | None) -> Iterator[None]:
    """Who is interrupted and asked for a file is told to ask for it again."""
    try:
        yield
    except Interrupted as interrupt:
        if output is None or not interrupt.resume:
            raise
        raise Interrupted(f"{interrupt.resume} -o {shlex.quote(str(output))}") from interrupt


def saved(found: Found, output: Path | str | None, **options: bool) -> Found:
    """What was found, written where that was asked for; where it cannot be, the error has it."""
    if output is not None:
        file: Any = found
        try:
            file.save(output, **options)
        except OutputError as error:
            raise UnsavedError(str(error), found) from error
        except KeyboardInterrupt as interrupt:
            raise Interrupted("" if found.provenance.run is None else "the same command") from interrupt
    return found


def runs_root(run: Keep) -> Path | None:
    """The folder of runs; None where nothing is kept."""
    if run is None or run is False:
        return None
    return default_root() if run is True else Path(run)


def perform(
    job: Job,
    *,
    run: Keep = None,
    workers: Workers = 1,
    fresh: bool = False,
    progress: Progressing = None,
    save_every: float = CHECKPOINT_SECONDS,
) -> Any:
    """What the job finds; what an earlier run of the same job has finished is not done again.

    run:        where to keep it, so that it can be stopped at any moment and continued.
    workers:    who runs batches: processes, or a cluster; the numbers do not depend on it.
    fresh:      forget what an earlier run has finished.
    save_every: seconds between two saves of a state.
    """
    check_settings(job, workers=workers, checkpoint_seconds=save_every)
    root = runs_root(run)
    job.prepare(root)
    if root is None:
        return _perform(job, None, workers, progress, save_every)
    if fresh and (earlier := existing_run(job, root)) is not None:
        earlier.remove()
    opened: Run | None = open_run(job, root)
    assert opened is not None
    remember(opened.folder, programs_of(opened))
    _tell_opened(progress, opened)
    if isinstance(job, CheckpointJob) and job.is_passed_by(_last_step(opened)):
        with shown(progress) as show:
            show.note("the run of this job has gone further already: done afresh, in memory")
        opened = None
    return _perform(job, opened, workers, progress, save_every)


def job_of(run: Run) -> Job:
    """The job of a run, as its config describes it."""
    run.require_format()
    if run.config.kind == "table":
        raise ConfigError(f"run {run.name} is a table that people play at; it goes on in the browser: nashgap serve")
    job: Job = JOBS.load(run.config.kind).from_config(run.config.identity, run.config.budget, run.config.inputs)
    return job


def programs_of(run: Run) -> tuple[str, ...]:
    """What is started when the run is continued: `exec:`, `acpc:` and `python:`, of its config or its files."""
    return programs_in(run.config.identity, run.config.inputs.values())


def perform_run(
    run: Run, job: Job, *, workers: Workers = 1, progress: Progressing = None, save_every: float = CHECKPOINT_SECONDS
) -> Any:
    """Continue the run of a job; a finished one answers at once."""
    check_settings(job, workers=workers, checkpoint_seconds=save_every)
    remember(run.folder, programs_of(run))
    _tell_opened(progress, run)
    job.prepare(run.folder.parent)
    return _perform(job, run, workers, progress, save_every)


def _tell_opened(progress: Progressing, run: Run) -> None:
    """Tell who watches, and wants to know, which run it is."""
    if (tell := getattr(progress, "opened", None)) is not None:
        tell(run.folder)


def _perform(job: Job, run: Run | None, workers: Workers, progress: Progressing, save_every: float) -> Any:
    try:
        return _performed(job, run, workers, progress, save_every)
    except KeyboardInterrupt as interrupt:
        raise Interrupted("" if run is None else run.resume_command) from interrupt


def _performed(job: Job, run: Run | None, workers: Workers, progress: Progressing, save_every: float) -> Any:
    with shown(progress) as show:
        if show.has_readers and (line := _beforehand(job, run, workers)):
            show.note(line)
        outcome = execute(job, run, workers=workers, on_progress=show.on_progress, checkpoint_seconds=save_every)
    result = outcome.result
    if not isinstance(result, Result):
        return result
    command = job.command(result) or ("" if run is None else run.resume_command)
    folder = None if run is None else run.folder
    provenance = Provenance(command, folder, outcome.seconds, outcome.finished_at)
    result = dataclasses.replace(result, provenance=provenance)
    if run is not None:
        _keep(result, run, is_news=outcome.finished_at is None)
    return result


def _beforehand(job: Job, run: Run | None, workers: Workers) -> str:
    """One line: how much work it is, what of it was finished before, and about how long the rest takes."""
    size = job.size_text
    if not size or not isinstance(job, BatchJob):
        return size
    share = 1.0
    if run is not None:
        with run.open_ledger() as ledger:
            share -= min(len(ledger.batch_seconds()), job.num_batches) / job.num_batches
    if share == 0:
        return ""
    finished = f", {1 - share:.0%} finished before" if share < 1 else ""
    seconds = job.expected_seconds()
    if seconds is None:
        return f"{size}{finished}"
    number = expected_workers(workers, job)
    if number is None:
        return f"{size}{finished}, about {human_seconds(share * seconds)} of one core"
    left = share * seconds / number
    return f"{size}{finished}, {f'about {human_seconds(left)}' if left >= 1 else 'less than a second'}"


def _keep(result: Result, run: Run, *, is_news: bool) -> None:
    """Write result and report, unless they are there; where they cannot be written, warn: the result is worth more.

    Another result goes first and this one comes last, and a report that is not of it goes: so whoever finds a result
    there, and a report, has found what belongs together, wherever work was killed.
    """
    told = {**result.as_dict(), "summary": result.summary}
    has_result = run.has_result(told)
    if not is_news and has_result and run.report_path.is_file():
        return
    try:
        if not has_result and run.result_path.is_file():
            run.result_path.unlink()
        result.keep_beside(run.folder)
        result.write_page(run.report_path)
    except (OutputError, OSError) as error:
        with suppress(OSError):
            run.report_path.unlink()
        warnings.warn(f"the report is missing: {error}", stacklevel=2)
    try:
        run.save_result(told)
    except OutputError as error:
        warnings.warn(f"the result is missing: {error}", stacklevel=2)


def _last_step(run: Run) -> float:
    with run.open_ledger() as ledger:
        newest = next(iter(ledger.checkpoints()), None)
    return 0.0 if newest is None else newest.step
