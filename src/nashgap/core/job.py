"""What a long piece of work is: something that can be stopped at any moment and continued with the same result.

A job is a frozen dataclass, and its fields are all that it is. Those that determine the numbers are its identity; those
made by `budget` say how far to go, and a job continued with a larger budget is the same job; those made by `setting`
change nothing that is found. The skeleton here turns fields into a run's config and back, so that a new kind of job
writes no bookkeeping: it says what a batch is, or how its work moves on, and what comes of it.

Two kinds. A `BatchJob` is a row of independent batches (the deals of a match, the hands of LBR); a `CheckpointJob`
begins a `Work` that moves forward in steps (a solver). `nashgap.runs` runs both, keeps what is finished and resumes.
Jobs can be pickled, because batches may run in other processes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeGuard, cast

from nashgap.core.config_values import collect_inputs, fields_from_config, to_config
from nashgap.errors import ConfigError, NashGapError

__all__ = [
    "LARGEST_SEED",
    "BatchJob",
    "CheckpointJob",
    "Job",
    "Progress",
    "Work",
    "budget",
    "is_whole",
    "require_seed",
    "require_threads",
    "setting",
]

LARGEST_SEED = 2**63 - 1  # the TOML of a run's config has no larger whole numbers
MOST_THREADS = 1024
_ROLE = "role"
_BUDGET, _SETTING = "budget", "setting"


def budget(default: Any = dataclasses.MISSING) -> Any:
    """A field of a job that says how far to go."""
    return dataclasses.field(default=default, metadata={_ROLE: _BUDGET})


def setting(default: Any) -> Any:
    """A field of a job that changes nothing that is found, and is not kept."""
    return dataclasses.field(default=default, metadata={_ROLE: _SETTING}, repr=False, compare=False)


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


class Job:
    """A piece of work that its fields describe completely. Subclasses are frozen dataclasses.

    kind:     the job's key in the catalogue, such as `solve`.
    has_file: whether what it finds can be saved to a file, as a strategy can, by its method `save`.
    """

    kind: ClassVar[str]
    has_file: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Readable; names the folder of the run: `solve-leduc-cfr+`."""
        return self.kind

    @property
    def size_text(self) -> str:
        """How much work it is, in one line for people; empty where there is nothing to say."""
        return ""

    def command(self, found: Any) -> str | None:
        """What to type for the same numbers as were found; None where only its run can be continued."""
        return None

    def expected_seconds(self) -> float | None:
        """Of all of it in one process, by a short trial; None where it is not known beforehand."""
        return None

    def prepare(self, root: Path | None) -> None:
        """Refuse now what would fail later, such as for want of memory or of room under `root`."""

    def identity(self) -> dict[str, Any]:
        """All that determines the numbers: game, method, options, seed, digests of files; never workers or paths."""
        return self._values(None)

    def budget(self) -> dict[str, Any]:
        """How far to go (iterations, deals, minutes); a job continued with a larger budget is the same job."""
        return self._values(_BUDGET)

    def inputs(self) -> dict[str, str]:
        """The paths of the files that it was given, by digest: where a resumed run looks for them."""
        return collect_inputs([getattr(self, each.name) for each in self._fields(None)])

    @classmethod
    def from_config(
        cls, identity: Mapping[str, Any], budget: Mapping[str, Any], inputs: Mapping[str, str] | None = None
    ) -> Self:
        """The job that has this identity and budget, at its beginning."""
        try:
            return cast(Self, fields_from_config(cls, {**identity, **budget}, inputs or {}))
        except NashGapError as error:
            raise type(error)(f"the config of a {cls.kind} run: {error}") from error
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise ConfigError(f"not the config of a {cls.kind} run: {error!r}") from error

    def with_inputs(self, inputs: Mapping[str, str]) -> Self:
        """The same job where its files lie at these paths, by digest."""
        moved = type(self).from_config(self.identity(), self.budget(), inputs)
        settings = {each.name: getattr(self, each.name) for each in self._fields(_SETTING)}
        return cast(Self, dataclasses.replace(cast(Any, moved), **settings))

    def _values(self, role: str | None) -> dict[str, Any]:
        return {each.name: to_config(getattr(self, each.name)) for each in self._fields(role)}

    @classmethod
    def _fields(cls, role: str | None) -> list[dataclasses.Field[Any]]:
        return [each for each in dataclasses.fields(cast(Any, cls)) if each.metadata.get(_ROLE) == role and each.init]

    def __getstate__(self) -> dict[str, Any]:
        """Without what was cached: another process makes it for itself."""
        names = {each.name for each in dataclasses.fields(cast(Any, self))}
        return {key: value for key, value in self.__dict__.items() if key in names}


class BatchJob(Job):
    """Independent batches. Their size never depends on the number of workers; results are combined in batch order."""

    @property
    def num_batches(self) -> int:
        """Grows with the budget; batch `index` stays the same batch."""
        raise AssertionError(f"a {self.kind} job has no batches")

    def describe_batch(self, index: int) -> str:
        """What the batch is, in a few words."""
        return f"batch {index + 1:,} of {self.num_batches:,}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """The batch's result as JSON-able values: a pure function of the job's identity and the index."""
        raise AssertionError(f"a {self.kind} job has no batches")

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> Any:
        """What all batches, in their order, add up to."""
        return list(batches)


class Work(Protocol):
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

    def result(self, points: Sequence[Mapping[str, float]]) -> Any:
        """What has been found so far; `points` are the measured ones of the curve."""
        ...

    def close(self) -> None:
        """End what works for it beside this process; called in the end, also after an error."""
        ...


class CheckpointJob(Job):
    """One state that moves forward."""

    def begin(self) -> Work:
        """The work at its beginning."""
        raise AssertionError(f"a {self.kind} job has no work")

    def is_passed_by(self, done: float) -> bool:
        """Whether a state that has come so far is beyond the job's end: a state does not run backwards."""
        return False


def require_seed(seed: object) -> None:
    """Refuse a seed that a config could not keep."""
    if not is_whole(seed) or not 0 <= seed <= LARGEST_SEED:
        raise ConfigError(f"seed = {seed}; it must be a whole number from 0 to {LARGEST_SEED}")


def require_threads(threads: object) -> None:
    """Refuse what is no number of threads."""
    if not is_whole(threads) or not 1 <= threads <= MOST_THREADS:
        raise ConfigError(f"threads = {threads}; it must be a whole number from 1 to {MOST_THREADS}")


def is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)
