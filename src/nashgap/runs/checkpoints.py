"""Save the state of a checkpoint job's work in its run and put the newest good state back.

A state counts only once the ledger lists it with the hash of its file, so that a kill during a save costs nothing. Two
are kept: should the newest turn out damaged, the one before serves. Of gigabytes only one is kept, and the next is
whole before it goes.
"""

from __future__ import annotations

import hashlib
import os
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from nashgap.core.array_file import TEMPORARY_FILES
from nashgap.core.job import Progress, Work
from nashgap.core.regular_file import NotRegularError, open_regular
from nashgap.errors import FileFormatError, OutputError
from nashgap.runs.folder import Run
from nashgap.runs.ledger import Checkpoint, Ledger

__all__ = ["CheckpointKeeper", "load_newest", "num_kept"]

_NUM_KEPT = 2
_LARGE_BYTES = 1 << 30
_SAVING_SHARE = 20  # at least so many times a save's duration lies between two saves: less than 5% goes into saving
_POINT_SECONDS = 1.0  # between two writings of curve points


def load_newest(work: Work, run: Run, ledger: Ledger) -> Checkpoint | None:
    """Put the newest good state into the work and forget what came after it; None when it starts from nothing."""
    for checkpoint in ledger.checkpoints():
        path = run.folder / checkpoint.file
        try:
            if _sha256(path) != checkpoint.sha256:
                raise FileFormatError(f"{path}: damaged: it is not what was saved")
            work.load(path)
        except (FileFormatError, FileNotFoundError, NotRegularError) as error:
            warnings.warn(f"checkpoint passed over: {error}", stacklevel=2)
            continue
        except OSError as error:  # it may be whole, and what is passed over is lost
            raise OutputError(
                f"{path}: cannot be read: {error.strerror}; run it again when it can be, or remove it to go on from an"
                " earlier state"
            ) from error
        ledger.rewind(checkpoint)
        return checkpoint
    ledger.rewind(None)
    return None


def num_kept(num_bytes: int) -> int:
    """How many states of so many bytes lie in a run's folder, beside the one that is being written."""
    return _NUM_KEPT if num_bytes < _LARGE_BYTES else 1


class CheckpointKeeper:
    """Writes a running work's curve points and states as often as is worth it; without a run, points only."""

    def __init__(self, work: Work, run: Run | None, ledger: Ledger, checkpoint_seconds: float) -> None:
        self._work, self._run, self._ledger = work, run, ledger
        self._checkpoint_seconds = self._pause = checkpoint_seconds
        self._saved_at = self._written_at = time.perf_counter()
        self._unsaved: Progress | None = None
        self._points: list[tuple[float, Mapping[str, float]]] = []
        self._remove_unlisted()  # gigabytes, perhaps, that the next save needs

    def keep(self, progress: Progress) -> None:
        """Take note of a step; save where it is time."""
        self._unsaved = progress
        if progress.record is not None:
            self._points.append((progress.done, progress.record))
        now = time.perf_counter()
        if now - self._saved_at >= self._pause:
            self.save()
        elif now - self._written_at >= _POINT_SECONDS:
            self._write_points(progress)

    def save(self) -> None:
        """Save the state, unless that is done already."""
        if self._unsaved is None:
            return
        self._write_points(self._unsaved)
        if self._run is None:
            self._unsaved = None
            return
        start = time.perf_counter()
        newest = next(iter(self._ledger.checkpoints()), None)
        number = newest.number + 1 if newest else 1
        path = self._run.folder / f"checkpoint-{number}"
        try:
            self._work.save(path)
            digest = _sha256(path, is_synced=True)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
        keep = num_kept(path.stat().st_size)
        self._ledger.record_checkpoint(number, self._unsaved.done, path.name, digest, keep=keep)
        self._remove_unlisted()
        self._unsaved = None
        self._saved_at = time.perf_counter()
        self._pause = max(self._checkpoint_seconds, _SAVING_SHARE * (self._saved_at - start))

    def _write_points(self, progress: Progress) -> None:
        now = time.perf_counter()
        self._ledger.record_points(self._points, progress=progress, elapsed=now - self._written_at)
        self._points, self._written_at = [], now

    def _remove_unlisted(self) -> None:
        if self._run is None:
            return
        listed = {checkpoint.file for checkpoint in self._ledger.checkpoints()}
        leftovers = self._run.folder.glob(TEMPORARY_FILES)  # of a process that was killed while it saved
        for path in (*self._run.folder.glob("checkpoint-*"), *leftovers):
            if path.name not in listed:
                with suppress(PermissionError):  # not every system removes what is mapped; the next save tries again
                    path.unlink(missing_ok=True)


def _sha256(path: Path, *, is_synced: bool = False) -> str:
    """The hash of the file's bytes, which are first forced to disk where asked."""
    if is_synced:
        with open(path, "rb+") as written:  # not every system syncs what is open for reading alone
            os.fsync(written.fileno())
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
