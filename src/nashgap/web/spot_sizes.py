"""How large a spot is, before it is solved: found out in a process of its own, given up where that takes long."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any

from nashgap.core.child_process import ChildEndedError, ChildProcess, end_processes
from nashgap.core.recent import Recent
from nashgap.errors import ConfigError
from nashgap.runs.progress import human_bytes, human_seconds

if TYPE_CHECKING:
    from nashgap.jobs.spot import SpotJob

__all__ = ["MAX_BYTES", "MAX_SECONDS", "SpotSizes", "expected_iterations", "iterations_until"]

MAX_BYTES = 1 << 30
MAX_SECONDS = 900.0  # as it is forecast
_TRIAL_SECONDS = 30.0
_MOST_WAITING = 4
_MOST_KNOWN = 32


def iterations_until(percent: float) -> int:
    """About as many as are usual until so much of the pot is left; see the table of docs/solving-spots.md."""
    return max(10, round(100 * float((0.5 / percent) ** 0.6)))


def expected_iterations(points: Sequence[Mapping[str, float]], until: float) -> int:
    """As many as are usual; once the curve has two points, as many as it needs if it goes on as between the last."""
    from nashgap.jobs.spot import STEEPEST

    if len(points) < 2 or points[-1]["exploitability_percent"] >= points[-2]["exploitability_percent"]:
        return iterations_until(until)
    (x, y), (done, gap) = ((point["iteration"], point["exploitability_percent"]) for point in points[-2:])
    if gap <= until:
        return int(done)
    power = math.log(y / gap) / math.log(done / x)
    return int(done * (gap / until) ** (1 / min(max(power, 1.0), STEEPEST)))


class SpotSizes:
    """Forecasts of spots, one at a time; the last ones are remembered."""

    def __init__(self) -> None:
        self._known: Recent[str, dict[str, Any]] = Recent(_MOST_KNOWN)
        self._child: ChildProcess | None = None
        self._asking, self._waiting = Lock(), BoundedSemaphore(_MOST_WAITING)

    def of(self, job: SpotJob) -> dict[str, Any]:
        """Decisions, bytes and seconds; refused where a page may not ask for so much."""
        if not self._waiting.acquire(blocking=False):
            raise ConfigError("others are asking how large their spots are; try again in a moment")
        try:
            with self._asking:
                found = self._found(job)
        finally:
            self._waiting.release()
        seconds = found["seconds_per_iteration"] * iterations_until(job.until or 0.5)
        if seconds > MAX_SECONDS:
            raise ConfigError(
                f"it would take about {human_seconds(seconds)}; from a page {human_seconds(MAX_SECONDS)} are allowed:"
                " consider fewer sizes, narrower ranges or less accuracy"
            )
        return {"decisions": found["action_nodes"], "bytes": found["bytes"], "seconds": seconds} | {
            "text": f"{found['action_nodes']:,} decisions, {human_bytes(found['bytes'])} of memory,"
            f" {'less than a second' if seconds < 1 else f'about {human_seconds(seconds)}'}"
        }

    def close(self) -> None:
        """End the process, at once: who still waits gets no answer."""
        if (child := self._child) is not None:
            end_processes([child])

    def _found(self, job: SpotJob) -> dict[str, Any]:
        key = json.dumps(job.identity(), sort_keys=True)
        if key not in self._known:
            self._known[key] = self._asked(job)
        return self._known[key]

    def _asked(self, job: SpotJob) -> dict[str, Any]:
        try:
            if self._child is None:
                self._child = ChildProcess(_begin_forecasts)
            self._child.send(job)
            if not self._child.pipe.poll(_TRIAL_SECONDS):
                raise ChildEndedError(None)
            told: dict[str, Any] = self._child.receive()
        except ChildEndedError:
            self._end()
            raise ConfigError(
                f"it is too large to find out within {_TRIAL_SECONDS:.0f} seconds how large it is; consider fewer sizes"
            ) from None
        return told

    def _end(self) -> None:
        if self._child is not None:
            end_processes([self._child])
            self._child = None


def _begin_forecasts() -> Callable[[SpotJob], dict[str, Any]]:
    return _forecast


def _forecast(job: SpotJob) -> dict[str, Any]:
    job.prepare(None)
    if job.size.num_bytes > MAX_BYTES:
        raise ConfigError(
            f"the {job.spot.street} {job.spot.board_text} needs {human_bytes(job.size.num_bytes)} of memory; from a"
            f" page {human_bytes(MAX_BYTES)} are allowed: consider fewer sizes or narrower ranges"
        )
    return job.forecast().as_dict()
