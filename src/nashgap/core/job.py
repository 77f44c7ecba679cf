"""What a long piece of work is: something that can be stopped at any moment and continued with the same result.

Two kinds. A `BatchJob` is a row of independent batches (the deals of a match, the hands of LBR); a `CheckpointJob` is
one state that moves forward (a solver). `nashgap.runs` runs both, keeps what is finished and resumes; a job does no
bookkeeping of its own. Jobs can be pickled, because batches may run in other processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeGuard, runtime_checkable

from nashgap.errors import ConfigError

__all__ = ["LARGEST_SEED", "BatchJob", "CheckpointJob", "Job", "Progress", "is_whole", "require_seed"]

LARGEST_SEED = 2**63 - 1  # the TOML of a run's config has no larger whole numbers


@dataclass(frozen=True)
class Progress:
    """How far a job has come.

    done, total: in `unit`s; total is None where the end is not known beforehand.
    unit:        a plural for people: `iterations`, `batches`.
    record:      a measured point of the job's curve, such as iteration, seconds, nash_conv; None between measurements.
    message:     what was just done, in a few words.
    """

    done: float
    total: float | None
    unit: str
    record: Mapping[str, float] | None = None
    message: str = ""


class Job(Protocol):
    """A piece of work that its identity and budget describe completely.

    Both are tables of strings, numbers, booleans, lists and tables. A key whose value is None is as good as absent:
    `from_config` does not get it back.
    """

    @property
    def kind(self) -> str:
        """The job's key in the catalogue, such as `solve`."""
        ...

    @property
    def name(self) -> str:
        """Readable; names the folder of the run: `solve-leduc-cfr+`."""
        ...

    def identity(self) -> dict[str, Any]:
        """All that determines the numbers: game, method, options, seed, hashes of files; never workers or paths."""
        ...

    def budget(self) -> dict[str, Any]:
        """How far to go (iterations, batches, minutes); a job continued with a larger budget is the same job."""
        ...

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        """The job that has this identity and budget, at its beginning.

        folder: of its run, where a job that was given files keeps copies of them.
        """
        ...


@runtime_checkable
class BatchJob(Job, Protocol):
    """Independent batches. Their size never depends on the number of workers; results are combined in batch order."""

    @property
    def num_batches(self) -> int:
        """Grows with the budget; batch `index` stays the same batch."""
        ...

    def describe_batch(self, index: int) -> str:
        """What the batch is, in a few words."""
        ...

    def run_batch(self, index: int) -> dict[str, Any]:
        """The batch's result as JSON-able values: a pure function of the job's identity and the index."""
        ...


@runtime_checkable
class CheckpointJob(Job, Protocol):
    """A state that moves forward in steps and can be saved between any two of them."""

    @property
    def is_finished(self) -> bool:
        """Whether the budget is used up or the goal reached."""
        ...

    def advance(self) -> Progress:
        """Move to the next quiescent point, at most about a second of work away."""
        ...

    def save(self, path: Path) -> None:
        """Write the whole state to the file."""
        ...

    def load(self, path: Path) -> None:
        """Put the exact state back that `save` wrote.

        Raises MismatchError for another job's file and FileFormatError for a damaged one, leaving the state as it was.
        """
        ...


def require_seed(seed: object) -> None:
    """Refuse a seed that a config could not keep."""
    if not is_whole(seed) or not 0 <= seed <= LARGEST_SEED:
        raise ConfigError(f"seed = {seed}; it must be a whole number from 0 to {LARGEST_SEED}")


def is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)
