"""Solvers on their way: what every solve does between its beginning and its end, whatever it solves.

Iterations run in small steps, whose number follows the speed of the machine; a curve is measured now and then; a state
can be saved and continued. Nothing that is saved depends on when the work was stopped, killed or continued.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nashgap.core.array_file import open_arrays, save_arrays
from nashgap.core.job import Job, Progress
from nashgap.errors import ConfigError, FileFormatError, MismatchError, OutputError

__all__ = ["Budget", "IterativeSolver", "IterativeWork"]


@dataclass(frozen=True)
class Budget:
    """How far to go: to whichever of these comes first.

    iterations: in total; None for no limit.
    minutes:    of solving, in total over all resumes; None for no limit.
    until:      NashConv, in the game's unit, looked at where it is measured; of a spot its exploitability, in percent
                of the pot. None for no limit. What frozen players could gain does not count: nothing would ever lower
                it.
    """

    iterations: int | None = None
    minutes: float | None = None
    until: float | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not 0 < value < math.inf:
                raise ConfigError(f"{name} = {value}; it must be more than 0")

    @property
    def is_open(self) -> bool:
        """Whether nothing says how far to go."""
        return self.iterations is None and self.minutes is None and self.until is None

    def is_passed_by(self, iteration: float) -> bool:
        return self.iterations is not None and iteration > self.iterations


class IterativeSolver(Protocol):
    """An algorithm that gets better with each iteration and can be cut between any two."""

    @property
    def iteration(self) -> int: ...

    def run(self, num_iterations: int) -> None: ...

    def state(self) -> dict[str, np.ndarray]: ...

    def restore(self, state: Mapping[str, np.ndarray]) -> None: ...


class IterativeWork(ABC):
    """The `Work` of a job that solves.

    step_seconds: about so long is a step.
    seconds:      spent so far, over all resumes, measuring included.
    """

    step_seconds = 0.1

    def __init__(self, job: Job, budget: Budget) -> None:
        self.job, self.budget = job, budget
        self.seconds = 0.0
        self.gap: float | None = None  # when it was last measured, what `Budget.until` is compared with
        self._rate = 0.0

    @property
    @abstractmethod
    def solver(self) -> IterativeSolver:
        """Built where it is first asked for."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Of the game that is solved: a state of other rules is refused."""

    @abstractmethod
    def is_due(self) -> bool:
        """Whether the curve gets a point now."""

    @abstractmethod
    def measure(self) -> dict[str, float]:
        """One point of the curve, and what it takes to be measured counted as solving."""

    @abstractmethod
    def result(self, points: Sequence[Mapping[str, float]]) -> Any:
        """What has been found so far."""

    def describe(self, record: Mapping[str, float]) -> str:
        """A point of the curve for people."""
        return ""

    def iterate(self, num_iterations: int) -> None:
        self.solver.run(num_iterations)

    def num_to_next_point(self) -> int | None:
        """Iterations, where they say when the curve gets a point."""
        return None

    def expected_iterations(self) -> int | None:
        """In total, as far as they are known."""
        return self.budget.iterations

    def close(self) -> None:
        """Where the solver was built and has others work for it, they end."""
        close = getattr(self.__dict__.get("solver"), "close", None)
        if close is not None:
            close()

    def kept(self) -> dict[str, Any]:
        """What else is saved with the solver's state."""
        return {}

    def put_back(self, kept: Mapping[str, Any]) -> None:
        """Take back what `kept` told."""
        assert not self.kept(), "what is kept must be put back"

    def has_shape(self, saved: tuple[int, ...], present: tuple[int, ...]) -> bool:
        """Whether an array of this shape may be put where the solver has one of that shape now."""
        return saved == present

    @property
    def is_finished(self) -> bool:
        return self.is_at_end

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left to iterate."""
        budget = self.budget
        return (
            (budget.iterations is not None and self.solver.iteration >= budget.iterations)
            or (budget.minutes is not None and self.seconds >= 60 * budget.minutes)
            or (budget.until is not None and self.gap is not None and self.gap <= budget.until)
        )

    def advance(self) -> Progress:
        solver = self.solver
        begin = time.perf_counter()
        num_iterations = self._num_next()
        self.iterate(num_iterations)
        spent = time.perf_counter() - begin
        self._rate = num_iterations / spent if spent > 0 else 0.0
        self.seconds += spent
        record = None
        if self.is_due() or self.is_at_end:
            record = self.measure()
        message = "" if record is None else self.describe(record)
        return Progress(solver.iteration, self.expected_iterations(), "iterations", record, message)

    def save(self, path: Path) -> None:
        state = self.solver.state()
        needed, free = sum(array.nbytes for array in state.values()), shutil.disk_usage(path.parent).free
        if free < needed:
            # Rather than fill the disk to the last byte, which the ledger would need.
            raise OutputError(f"{path}: cannot be written: {needed:,} bytes are needed, the disk has {free:,} left")
        metadata = {
            "kind": f"{self.job.kind}-checkpoint",
            "identity": _canonical(self.job.identity()),
            "fingerprint": self.fingerprint,
            "seconds": self.seconds,
            "gap": self.gap,
            **self.kept(),
        }
        save_arrays(path, state, metadata)

    def load(self, path: Path) -> None:
        file = open_arrays(path)
        kept = file.metadata
        if kept.get("kind") != f"{self.job.kind}-checkpoint":
            raise FileFormatError(f"{path} is not a checkpoint of a {self.job.kind} run")
        if kept.get("identity") != _canonical(self.job.identity()):
            raise MismatchError(f"{path} is the checkpoint of another {self.job.kind} run")
        if kept.get("fingerprint") != self.fingerprint:
            raise MismatchError(f"{path} was solved with other rules; remove {path.parent} to start afresh")
        present = self.solver.state()
        if set(file.names) != set(present) or not all(
            self.has_shape(file.array(name).shape, present[name].shape) for name in present
        ):
            raise FileFormatError(f"{path} does not hold the state of this solver")
        self.solver.restore({name: file.array(name) for name in present})
        self.seconds, self.gap = float(kept["seconds"]), kept["gap"]
        self.put_back(kept)

    def _num_next(self) -> int:
        """Iterations of a step: no further than the next point of the curve, and the end."""
        limits = [max(1, int(self._rate * self.step_seconds)), self.num_to_next_point()]
        if self.budget.iterations is not None:
            limits.append(self.budget.iterations - self.solver.iteration)
        return min(limit for limit in limits if limit is not None)


def _canonical(identity: Mapping[str, Any]) -> str:
    """Without what is not told, as the id of a run has it: what a later version can be told of changes nothing."""
    return json.dumps({key: value for key, value in identity.items() if value is not None}, sort_keys=True)
