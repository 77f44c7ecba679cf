"""Play tasks on a Ray cluster: a worker for each core of each node, whatever nodes come and go.

What a task finds (a batch of a job, games of a responder) is a function of the task alone, so that it does not matter
who plays it. What was under way on a node that is lost is played again elsewhere, and a node that joins is given work.
Nodes are prepared once, see `cluster_node.py`. Each worker is sent the work once and then only tasks, of short ones two
at a time, so that it never waits, and never much is lost with it.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import time
import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from nashgap.errors import NashGapError
from nashgap.runs.cluster import Cluster, connect, place_of
from nashgap.runs.cluster_node import MakePlayer, Player, Sender, machine_kind, packed, prepare

__all__ = ["Crew"]

MUSTER_SECONDS = 2.0  # between two looks at which nodes there are
LONELY_SECONDS = 300.0  # without a core for any worker, after which the cluster is given up
HEADLESS_SECONDS = 15.0  # without its head, after which the cluster is given up; Ray ends this process after 60
MOST_DEATHS = 3  # of workers at the same task on nodes that live on, or at their start on the same node

Given = tuple[Any, ...]
"""A task, and what else its player is given: values, or `Crew.shared` ones."""


@dataclass
class _Node:
    """A node with so many cores.

    paths:      of the files on it by digest, once it is prepared.
    num_deaths: of workers at their start.
    """

    identifier: str
    name: str
    cores: int
    paths: dict[str, str] | None = None
    num_deaths: int = 0


@dataclass(eq=False)
class _Worker:
    """An actor of Ray: placed as soon as it has a core, and then ready as soon as it can be given tasks.

    tasks: that it was given, in their order, by what their answer is known by.
    """

    node: _Node
    handle: Any
    is_placed: bool = False
    is_ready: bool = False
    tasks: dict[Any, Given] = field(default_factory=dict)


class Crew:
    """Workers on all nodes of a cluster, as many on each as it has cores; to be closed.

    tell_task: a task in a few words.
    per_node:  at most so many workers on a node; None: one for each core.
    abreast:   tasks that a worker is given at once; more than one where they are short, so that it never waits.
    """

    def __init__(
        self,
        cluster: Cluster,
        make_player: MakePlayer,
        inputs: Mapping[str, str],
        *,
        tell_task: Callable[[Any], str],
        per_node: int | None = None,
    ) -> None:
        self.abreast = 1
        self._cluster, self._tell_task, self._per_node = cluster, tell_task, per_node
        self._inputs = {digest: os.path.abspath(path) for digest, path in inputs.items()}
        self._nodes: dict[str, _Node] = {}
        self._workers: list[_Worker] = []
        self._answers: dict[Any, _Node | _Worker] = {}  # that are waited for, and who gives them
        self._found: list[tuple[Any, Any]] = []  # and not yet told
        self._lost: deque[Given] = deque()  # to be given again
        self._deaths: defaultdict[Any, list[str]] = defaultdict(list)  # by task, the nodes of workers that died at it
        self._mustered_at, self._lonely_since = float("-inf"), time.monotonic()
        self._headless_since: float | None = None
        work = packed(make_player)
        self._ray, self._is_ours, self._session_folder = connect(cluster)
        try:
            self._remote_player, self._work = self._ray.remote(Player), self._ray.put(work)
            context = self._ray.get_runtime_context()
            self._head, here = place_of(context.gcs_address), context.get_node_id()
            self._sender = self._on(here, self._ray.remote(Sender), cores=0).remote(self._inputs)
        except BaseException:
            self.close()
            raise

    @property
    def number(self) -> int:
        """Of workers that are ready."""
        return sum(worker.is_ready for worker in self._workers)

    @property
    def description(self) -> str:
        """Who works, for people."""
        nodes = {worker.node.identifier for worker in self._workers if worker.is_ready}
        return f"{_counted(self.number, 'worker')} on {_counted(len(nodes), 'node')}"

    @property
    def num_free(self) -> int:
        """Tasks that could be given now."""
        slots = sum(max(0, self.abreast - len(worker.tasks)) for worker in self._workers if worker.is_ready)
        return max(0, slots - len(self._lost))

    @property
    def num_under_way(self) -> int:
        return len(self._lost) + sum(len(worker.tasks) for worker in self._workers)

    def shared(self, value: Any) -> Any:
        """The value as it is given with many tasks: sent to each node once."""
        return self._ray.put(value)

    def submit(self, task: Any, *more: Any) -> None:
        """Give a task to who has least to do; to be called only while somebody is free."""
        worker = min((each for each in self._workers if each.is_ready), key=lambda each: len(each.tasks))
        answer = worker.handle.play.remote(task, *more)
        worker.tasks[answer] = (task, *more)
        self._answers[answer] = worker

    def collect(self) -> list[tuple[Any, Any]]:
        """Tasks with what was found; waits a moment for one, or for workers to come. Errors of a task are raised."""
        self._muster()
        while self._lost and any(worker.is_ready and len(worker.tasks) < self.abreast for worker in self._workers):
            self.submit(*self._lost.popleft())
        self._take_answers()
        return self._take_found()

    def finish(self) -> Iterator[tuple[Any, Any]]:
        """What was found, and those find that are at work now; nothing is begun any more, and errors are not raised."""
        yield from self._take_found()
        first = dict(next(iter(worker.tasks.items())) for worker in self._workers if worker.tasks)
        for worker in self._workers:
            for answer in list(worker.tasks)[1:]:
                self._ray.cancel(answer)
        waiting = list(first)
        while waiting:
            timeout = None if self._headless_since is None else HEADLESS_SECONDS
            done, waiting = self._ray.wait(waiting, timeout=timeout)
            if not done:
                return
            for answer in done:
                with suppress(Exception):
                    yield first[answer][0], self._ray.get(answer)

    def close(self) -> None:
        """End the workers; a cluster that was started for them ends, too."""
        with suppress(Exception):  # the cluster may have ended before
            for worker in self._workers:
                self._ray.kill(worker.handle)
            self._ray.kill(self._sender)
        self._workers.clear()
        if self._is_ours:
            self._ray.shutdown()
        if self._session_folder is not None:
            shutil.rmtree(self._session_folder, ignore_errors=True)

    def _take_found(self) -> list[tuple[Any, Any]]:
        found, self._found = self._found, []
        return found

    def _take_answers(self) -> None:
        """What comes before an error stays to be told."""
        answers = list(self._answers)
        if not answers:
            time.sleep(0.1)
            return
        self._ray.wait(answers, timeout=MUSTER_SECONDS)
        done, _ = self._ray.wait(answers, num_returns=len(answers), timeout=0)
        for answer in done:
            giver = self._answers.pop(answer, None)
            if isinstance(giver, _Node):
                self._note_prepared(giver, answer)
            elif giver is not None and not giver.is_ready:
                self._note_started(giver, answer)
            elif giver is not None and answer in giver.tasks:
                with self._losing(giver):
                    value = self._ray.get(answer)
                    self._found.append((giver.tasks.pop(answer)[0], value))

    def _muster(self) -> None:
        """Prepare nodes that are new, and have workers on those that are prepared."""
        now = time.monotonic()
        if self._is_preparing or any(worker.is_placed for worker in self._workers):
            self._lonely_since = now
        elif now - self._lonely_since > LONELY_SECONDS:
            raise NashGapError(
                f"cluster {self._cluster.address}: no node has had a free core for {LONELY_SECONDS:.0f} seconds; what"
                " is finished is kept: run it again when there is one"
            )
        if now - self._mustered_at < MUSTER_SECONDS:
            return
        self._mustered_at = now
        if not self._has_head():
            return
        alive = {node["NodeID"]: node for node in self._ray.nodes() if node["Alive"]}
        for worker in [each for each in self._workers if each.node.identifier not in alive]:
            self._lose(worker)
        for identifier in set(self._nodes) - set(alive):
            lost = self._nodes.pop(identifier)
            warnings.warn(f"node {lost.name} of the cluster is lost; what it was at is done elsewhere", stacklevel=2)
        for identifier in set(alive) - set(self._nodes):
            cores = int(alive[identifier]["Resources"].get("CPU", 0))
            node = self._nodes[identifier] = _Node(identifier, alive[identifier]["NodeManagerHostname"], cores)
            if cores > 0:
                preparing = self._on(identifier, self._ray.remote(prepare), cores=0)
                self._answers[preparing.remote(self._inputs, self._sender, machine_kind())] = node
        for node in self._nodes.values():
            if node.paths is not None and node.num_deaths < MOST_DEATHS:
                present = sum(worker.node is node for worker in self._workers)
                for _ in range(min(node.cores, self._per_node or node.cores) - present):
                    self._hire(node)

    @property
    def _is_preparing(self) -> bool:
        """Whether a node has not yet answered whether it can work."""
        return any(isinstance(giver, _Node) for giver in self._answers.values())

    def _hire(self, node: _Node) -> None:
        worker = _Worker(node, self._on(node.identifier, self._remote_player, cores=1).remote())
        self._workers.append(worker)
        self._answers[worker.handle.be_placed.remote()] = worker

    def _note_prepared(self, node: _Node, answer: Any) -> None:
        """A node that cannot work is left out where another can, or is not known not to; else that is an error."""
        self._mustered_at = float("-inf")
        try:
            node.paths = self._ray.get(answer)
            return
        except self._ray.exceptions.RayTaskError as error:
            refusal = _on_node(node, error.cause)
        except self._ray.exceptions.RayError as error:
            refusal = _on_node(node, error)
        if self._is_preparing or any(other.paths is not None for other in self._nodes.values()):
            warnings.warn(f"left out: {refusal}", stacklevel=2)
        elif self._has_head() and node.identifier in self._alive():
            raise refusal

    def _note_started(self, worker: _Worker, answer: Any) -> None:
        """It has a core, and is to make what plays; or has made it."""
        with self._losing(worker):
            self._ray.get(answer)
            worker.is_placed, worker.is_ready = True, worker.is_placed
            if not worker.is_ready:
                here = (self._inputs, os.getcwd(), sys.path)
                self._answers[worker.handle.start.remote(self._work, worker.node.paths, *here)] = worker

    @contextmanager
    def _losing(self, worker: _Worker) -> Iterator[None]:
        """Where it turns out that the worker is lost, or what it found, its tasks are given to others."""
        try:
            yield
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self._ray.exceptions.RayError:
            self._lose(worker)

    def _lose(self, worker: _Worker) -> None:
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        with suppress(Exception):
            self._ray.kill(worker.handle)
        for answer in worker.tasks:
            self._answers.pop(answer, None)
        self._lost.extend(worker.tasks.values())
        self._mustered_at = float("-inf")
        if worker.is_placed and not worker.is_ready:
            self._note_death_at_start(worker.node)
        for task, *_ in list(worker.tasks.values())[:1]:  # the one that it was at
            self._note_death_at(task, worker.node)

    def _note_death_at_start(self, node: _Node) -> None:
        node.num_deaths += 1
        if node.num_deaths == MOST_DEATHS:
            warnings.warn(f"left out: node {node.name} of the cluster, {MOST_DEATHS} workers died there", stacklevel=2)

    def _note_death_at(self, task: Any, node: _Node) -> None:
        """What died with its node says nothing of the task; that it did is known a while later."""
        if not self._has_head():
            return
        alive = self._alive()
        self._deaths[task] = [each for each in (*self._deaths[task], node.identifier) if each in alive]
        if len(self._deaths[task]) >= MOST_DEATHS:
            raise NashGapError(
                f"{self._tell_task(task)}: {MOST_DEATHS} workers of the cluster were lost at it, perhaps for want of"
                " memory; what is finished is kept: run it again, on nodes with more memory a core"
            )

    def _has_head(self) -> bool:
        """Whether the cluster's head answers, to be known before it is asked: what asks in vain waits until Ray ends
        this process. NashGapError where it has not answered for long."""
        now = time.monotonic()
        try:
            socket.create_connection(self._head, timeout=MUSTER_SECONDS).close()
        except OSError as error:
            self._headless_since = self._headless_since or now
            if now - self._headless_since > HEADLESS_SECONDS:
                raise NashGapError(
                    f"cluster {self._cluster.address}: its head is lost; what is finished is kept: run it again when"
                    " there is one"
                ) from error
            return False
        self._headless_since = None
        return True

    def _alive(self) -> set[str]:
        return {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}

    def _on(self, node: str, what: Any, *, cores: int) -> Any:
        """A remote class or function, on this node."""
        placed = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        return what.options(num_cpus=cores, scheduling_strategy=placed)


def _on_node(node: _Node, cause: BaseException) -> NashGapError:
    """An error of the same kind, where it is ours, that names the node."""
    kind = type(cause) if isinstance(cause, NashGapError) else NashGapError
    return kind(f"node {node.name} of the cluster: {' '.join(str(cause).split())}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
