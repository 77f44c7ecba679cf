"""Two small jobs with known results. Run as a script, the module executes one of them: for tests that kill it."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nashgap.core.job import BatchJob, CheckpointJob, Progress, budget, setting
from nashgap.errors import FileFormatError, MismatchError
from nashgap.runs import execute, open_run
from nashgap.runs.cluster import Cluster


@dataclass(frozen=True)
class SumJob(BatchJob):
    """Batch i: the mean of 100 random numbers of stream (seed, i). Batch `broken` fails; `pause` seconds each."""

    kind: ClassVar[str] = "sum"

    seed: int = 0
    batches: int = budget(4)
    pause: float = setting(0.0)
    broken: int | None = setting(None)

    @property
    def name(self) -> str:
        return f"Sum of seed {self.seed}"

    @property
    def num_batches(self) -> int:
        return self.batches

    def describe_batch(self, index: int) -> str:
        return f"stream {index}"

    def run_batch(self, index: int) -> dict[str, Any]:
        if index == self.broken:
            raise ZeroDivisionError(f"batch {index} is broken")
        time.sleep(self.pause)
        return {"mean": float(np.random.default_rng([self.seed, index]).random(100).mean())}


@dataclass(frozen=True)
class ProcessJob(SumJob):
    """Not a pure function, as a job must be: its batches tell which process ran them."""

    def run_batch(self, index: int) -> dict[str, Any]:
        return {"process": os.getpid()}


@dataclass(frozen=True)
class DyingJob(SumJob):
    """Its batch 2 takes the whole process down, as running out of memory would."""

    def run_batch(self, index: int) -> dict[str, Any]:
        if index == 2:
            os._exit(1)
        return super().run_batch(index)


@dataclass(frozen=True)
class KilledOnceJob(SumJob):
    """The processes of its first batches are killed, as the system does when memory is short; each only once."""

    folder: Path = setting(Path())
    deaths: int = setting(1)

    def run_batch(self, index: int) -> dict[str, Any]:
        mark = self.folder / f"died-{index}"
        if index < self.deaths and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run_batch(index)


@dataclass(frozen=True)
class FratricideJob(SumJob):
    """Its first batch has a use for SIGTERM, as work of its own has, and kills the other workers while they wait."""

    folder: Path = setting(Path())

    def run_batch(self, index: int) -> dict[str, Any]:
        mark = self.folder / "killed"
        if index == 0 and not mark.exists():
            mark.touch()
            signal.signal(signal.SIGTERM, lambda number, frame: None)
            time.sleep(2.0)  # by then the others have nothing to do
            children = Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text().split()
            for child in children:
                if int(child) != os.getpid() and b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
        return super().run_batch(index)


@dataclass(frozen=True)
class GreedyJob(SumJob):
    """Its batch 2 asks for more memory than any machine has."""

    def run_batch(self, index: int) -> dict[str, Any]:
        if index == 2:
            np.ones(1 << 50)
        return super().run_batch(index)


class Walk:
    """The work of a `WalkJob`; its result is itself."""

    def __init__(self, job: WalkJob) -> None:
        self.job = job
        self.step, self.place, self.num_advances = 0, float(job.seed), 0

    @property
    def is_finished(self) -> bool:
        return self.step >= self.job.steps

    def advance(self) -> Progress:
        time.sleep(self.job.pause)
        self.step += 1
        self.num_advances += 1
        self.place = float(np.sin(self.place * 12.9898 + self.step) * 43758.5453 % 1)
        record = {"step": self.step, "place": self.place} if self.step % 3 == 0 else None
        return Progress(self.step, self.job.steps, "steps", record)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps({"seed": self.job.seed, "step": self.step, "place": self.place}))

    def load(self, path: Path) -> None:
        try:
            state = json.loads(path.read_text())
        except ValueError as error:
            raise FileFormatError(f"{path}: damaged") from error
        if state["seed"] != self.job.seed:
            raise MismatchError(f"{path}: of seed {state['seed']}")
        self.step, self.place = state["step"], state["place"]

    def result(self, points: Sequence[Mapping[str, float]]) -> Walk:
        return self

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class WalkJob(CheckpointJob):
    """A random walk: each step adds a number that depends on all before it. Measured every third step."""

    kind: ClassVar[str] = "walk"

    seed: int = 0
    steps: int = budget(10)
    pause: float = setting(0.0)
    work: type[Walk] = setting(Walk)

    @property
    def name(self) -> str:
        return f"walk-{self.seed}"

    def begin(self) -> Walk:
        return self.work(self)


if __name__ == "__main__":
    kind, root, workers = sys.argv[1:]
    if kind in ("sum", "slow-sum"):
        sum_job = SumJob(batches=8, pause=0.1 if kind == "sum" else 30.0)
        execute(sum_job, open_run(sum_job, Path(root)), workers=int(workers) if workers.isdigit() else Cluster(workers))
    else:
        walk_job = WalkJob(steps=200, pause=0.01)
        execute(walk_job, open_run(walk_job, Path(root)), checkpoint_seconds=0.05)
