"""Who runs the batches of a job: this process, worker processes of this machine, or the workers of a cluster.

A batch is a pure function of job and index, so that the numbers do not depend on who runs it. All of them hand batches
over in any order; after an error or an interrupt they begin nothing, finish what is under way, hand that over, too, and
then raise it. A second interrupt ends the work at once.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Literal, Protocol

from nashgap.core.job import BatchJob, is_whole
from nashgap.errors import ConfigError, NashGapError
from nashgap.runs.cluster import Cluster
from nashgap.runs.crew import Crew
from nashgap.runs.environment import num_cores
from nashgap.runs.trust import programs_in

__all__ = [
    "ADVICE",
    "Batch",
    "Executor",
    "Keep",
    "Workers",
    "executor_of",
    "expected_workers",
    "require_workers",
    "run_batch",
]

ADVICE = "finished batches are kept: run it again, with fewer workers if memory is short"
# Processes take about a second to start, so that a job is begun here, and they are started where more is left to do.
_BEGIN_SECONDS, _WORTH_SECONDS = 1.0, 5.0
_TASK_SECONDS = 1.0  # of batches that a worker of a cluster is given together

Workers = int | Literal["cores"] | Cluster
"""Who runs batches: so many processes of this machine, 1 being this one; or as many as it has cores, but 1 where bots
are programs with memory of their own, and none beyond this one for what is done in seconds; or a cluster."""

Batch = tuple[int, dict[str, Any], float]  # index, result, seconds
Keep = Callable[[Batch], None]


class Executor(Protocol):
    """Whoever runs batches."""

    @property
    def description(self) -> str:
        """Who is at work just now, for people; empty where that goes without saying."""
        ...

    def run(self, job: BatchJob, indices: Iterator[int], number: int, keep: Keep) -> None:
        """Run these batches, `number` in all, and hand each to `keep` in this process."""
        ...


def require_workers(workers: object) -> None:
    """ConfigError unless these are `Workers`."""
    if workers == "cores" or isinstance(workers, Cluster) or (is_whole(workers) and workers >= 1):
        return
    raise ConfigError(f"workers = {workers!r}; at least 1 is needed, or 'cores', or a Cluster")


def executor_of(workers: Workers, job: BatchJob) -> Executor:
    if isinstance(workers, Cluster):
        return _OnCluster(workers)
    if workers == "cores":
        number = _usual_number(job)
        return _HereThenProcesses(number) if number > 1 else _Here()
    return _Processes(workers) if workers > 1 else _Here()


def expected_workers(workers: Workers, job: BatchJob) -> int | None:
    """Batches that run at once, beforehand; None where only the cluster knows."""
    if isinstance(workers, Cluster):
        return None
    return _usual_number(job) if workers == "cores" else workers


def _usual_number(job: BatchJob) -> int:
    return 1 if _starts_programs(job) else num_cores()


def _starts_programs(job: BatchJob) -> bool:
    """Whether bots are programs, which may want all the memory there is."""
    try:
        programs = programs_in(job.identity(), job.inputs().values())
    except ConfigError:  # an object of Python, by which a run could not be known again
        return False
    return any(not program.startswith("python:") for program in programs)


class _Here:
    """This process."""

    description = ""

    def run(self, job: BatchJob, indices: Iterator[int], number: int, keep: Keep) -> None:
        for index in indices:
            keep(run_batch(job, index))


class _Processes:
    """Processes of this machine."""

    def __init__(self, number: int) -> None:
        self._number = number

    @property
    def description(self) -> str:
        return f"{self._number} processes"

    def run(self, job: BatchJob, indices: Iterator[int], number: int, keep: Keep) -> None:
        if number > 1:
            from nashgap.runs.pool import run_in_pool  # multiprocessing is slow to import

            run_in_pool(job, indices, min(self._number, number), keep)
        else:
            _Here().run(job, indices, number, keep)


class _HereThenProcesses:
    """This process, and as soon as it turns out to be worth their start, processes in its place."""

    def __init__(self, number: int) -> None:
        self._processes, self.description = _Processes(number), ""

    def run(self, job: BatchJob, indices: Iterator[int], number: int, keep: Keep) -> None:
        begin, can_be_sent = time.perf_counter(), _can_be_sent(job)
        for done, index in enumerate(indices, start=1):
            keep(run_batch(job, index))
            spent = time.perf_counter() - begin
            if can_be_sent and spent >= _BEGIN_SECONDS and spent / done * (number - done) >= _WORTH_SECONDS:
                self.description = self._processes.description
                return self._processes.run(job, indices, number - done, keep)


class _OnCluster:
    """The workers of a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self.description = cluster, ""

    def run(self, job: BatchJob, indices: Iterator[int], number: int, keep: Keep) -> None:
        if number == 0:
            return
        crew = Crew(
            self._cluster,
            partial(_batch_player, job),
            job.inputs(),
            tell_task=partial(_told, job),
            per_node=1 if _starts_programs(job) else None,
        )
        try:
            self._run(crew, indices, number, keep)
        except BaseException:
            with suppress(KeyboardInterrupt):
                for _, batches in crew.finish():
                    with suppress(Exception):  # an error after the first, which is raised
                        _keep_all(batches, keep)
            raise
        finally:
            crew.close()

    def _run(self, crew: Crew, indices: Iterator[int], number: int, keep: Keep) -> None:
        """Some batches are a task, where they are short: one machine keeps the books for all workers."""
        size, again = 1, deque[tuple[int, ...]]()
        while number > 0 or crew.num_under_way > 0:
            for _ in range(crew.num_free):
                if not (task := again.popleft() if again else tuple(islice(indices, size))):
                    break
                crew.submit(task)
                number -= len(task)
            found = crew.collect()
            self.description = crew.description
            _keep_all([batch for _, batches in found for batch in batches], keep)
            for task, batches in found:
                if rest := task[len(batches) :]:  # the next of them fails, as it is to do by itself
                    again.append(rest)
                    number += len(rest)
                seconds = sum(batch[2] for batch in batches) / len(batches)
                fair = number // (4 * crew.number) if crew.number else 1  # so that all come to their end together
                size = max(1, min(fair, int(_TASK_SECONDS / max(seconds, 1e-4))))
                crew.abreast = 2 if seconds <= _TASK_SECONDS and fair > 0 else 1


def _batch_player(job: BatchJob, inputs: Mapping[str, str]) -> Callable[[Sequence[int]], list[Batch]]:
    """On a node of a cluster, where files may have paths of their own."""
    return partial(_run_some, job.with_inputs(inputs) if inputs else job)


def _run_some(job: BatchJob, indices: Sequence[int]) -> list[Batch]:
    """The batches, or those before one that fails; where that is the first, its error is raised."""
    batches: list[Batch] = []
    for index in indices:
        try:
            batches.append(run_batch(job, index))
        except Exception:
            if not batches:
                raise
            break
    return batches


def _keep_all(batches: Sequence[Batch], keep: Keep) -> None:
    """Whatever is raised on the way, those after it are kept, too."""
    first: BaseException | None = None
    for batch in batches:
        try:
            keep(batch)
        except BaseException as error:
            first = first or error
    if first is not None:
        raise first


def _told(job: BatchJob, indices: Sequence[int]) -> str:
    last = f" to {job.describe_batch(indices[-1])}" if len(indices) > 1 else ""
    return job.describe_batch(indices[0]) + last


def _can_be_sent(job: BatchJob) -> bool:
    try:
        pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def run_batch(job: BatchJob, index: int) -> Batch:
    start = time.perf_counter()
    try:
        payload = job.run_batch(index)
    except MemoryError as error:
        raise NashGapError(f"{job.describe_batch(index)}: there is not enough memory; {ADVICE}") from error
    return index, payload, time.perf_counter() - start
