"""What a run has finished, in one SQLite file that survives `kill -9` at any moment.

Each finished batch and each checkpoint is one transaction. The rollback journal is used, not the write-ahead log,
because run folders often lie on network file systems, where the latter does not work.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from nashgap.core.job import Progress
from nashgap.errors import FileFormatError, MismatchError, OutputError

__all__ = ["Checkpoint", "Ledger"]

_FORMAT = 1
_APPLICATION = 0x4E474150  # "NGAP": tells our files from other SQLite files
_BUSY_SECONDS = 30.0
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE batches (number INTEGER PRIMARY KEY, payload TEXT NOT NULL, seconds REAL NOT NULL);
CREATE TABLE points (step REAL PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY, step REAL NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL, saved_at TEXT NOT NULL
);
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_FORMAT};
COMMIT;
"""


@dataclass(frozen=True)
class Checkpoint:
    """One saved state: `file` in the run's folder, taken at `step`, with the hash of its bytes and the time (UTC)."""

    number: int
    step: float
    file: str
    sha256: str
    saved_at: str


class Ledger:
    """An open ledger. Use it in a `with` statement."""

    def __init__(self, path: Path | None, run_id: str) -> None:
        """Open the ledger of this run, which must exist and be whole; without a path, a fresh one in memory."""
        self.path = path or Path("memory")
        if path is None:
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
            self._begin(self._connection, run_id)
            return
        with self._named_errors():
            # "rw" rather than the default, which would silently start an empty ledger where the file is missing.
            self._connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=_BUSY_SECONDS
            )
        try:
            self._check(run_id)
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def create(cls, path: Path, run_id: str) -> None:
        """Write an empty ledger; there is none at `path` yet."""
        try:
            connection = sqlite3.connect(path, isolation_level=None)
            try:
                cls._begin(connection, run_id)
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise OutputError(f"{path}: cannot be written: {error}") from error

    @staticmethod
    def _begin(connection: sqlite3.Connection, run_id: str) -> None:
        connection.executescript(_SCHEMA)
        facts = [("run_id", run_id), ("status", "new"), ("seconds", "0.0")]
        connection.executemany("INSERT INTO facts VALUES (?, ?)", facts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    @property
    def status(self) -> str:
        """`new`, `running`, `finished`, `interrupted` or `failed`; still `running` after a kill."""
        return self._fact("status")

    @property
    def seconds(self) -> float:
        """Time spent on the run over all resumes, as of the last thing written."""
        return float(self._fact("seconds"))

    @property
    def progress(self) -> Progress | None:
        """How far the run has come; None before its first step."""
        rows = self._rows("SELECT value FROM facts WHERE key = 'progress'")
        return Progress(*json.loads(rows[0][0])) if rows else None

    @property
    def finished_at(self) -> str | None:
        """When it was last finished, UTC as ISO 8601 writes it; None while it is not."""
        rows = self._rows("SELECT value FROM facts WHERE key = 'finished_at'")
        return str(rows[0][0]) if rows and self.status == "finished" else None

    def set_status(self, status: str) -> None:
        with self._transaction():
            self._set_fact("status", status)

    def set_finished(self, *, is_news: bool) -> None:
        """Say that all is done; `is_news`: just now, rather than when that was said before."""
        with self._transaction():
            self._set_fact("status", "finished")
            if is_news or not self._rows("SELECT value FROM facts WHERE key = 'finished_at'"):
                self._set_fact("finished_at", datetime.now(UTC).isoformat(timespec="seconds"))

    def batches(self) -> dict[int, dict[str, Any]]:
        """The finished batches by index."""
        rows = self._rows("SELECT number, payload FROM batches ORDER BY number")
        return {number: self._parsed(payload) for number, payload in rows}

    def record_batch(
        self, index: int, payload: Mapping[str, Any], *, seconds: float, progress: Progress, elapsed: float
    ) -> None:
        """Keep a finished batch that took `seconds`; `elapsed` seconds of the run went by since the last writing."""
        with self._transaction():
            self._execute("INSERT OR REPLACE INTO batches VALUES (?, ?, ?)", index, json.dumps(payload), seconds)
            self._set_progress(progress, elapsed)

    def batch_seconds(self) -> dict[int, float]:
        """How long each finished batch took."""
        return dict(self._rows("SELECT number, seconds FROM batches ORDER BY number"))

    def points(self) -> list[dict[str, float]]:
        """The measured points of the curve in order of their steps."""
        return [self._parsed(record) for (record,) in self._rows("SELECT record FROM points ORDER BY step")]

    def record_points(
        self, points: Sequence[tuple[float, Mapping[str, float]]], *, progress: Progress, elapsed: float
    ) -> None:
        """Keep points (step, record); a step measured again replaces its point."""
        with self._transaction():
            for step, record in points:
                self._execute("INSERT OR REPLACE INTO points VALUES (?, ?)", step, json.dumps(dict(record)))
            self._set_progress(progress, elapsed)

    def checkpoints(self) -> list[Checkpoint]:
        """Newest first."""
        rows = self._rows("SELECT number, step, file, sha256, saved_at FROM checkpoints ORDER BY number DESC")
        return [Checkpoint(*row) for row in rows]

    def record_checkpoint(self, number: int, step: float, file: str, sha256: str, *, keep: int) -> None:
        """Keep a checkpoint whose file is whole, and forget all but the `keep` newest."""
        with self._transaction():
            saved_at = datetime.now(UTC).isoformat(timespec="seconds")
            self._execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)", number, step, file, sha256, saved_at)
            self._execute("DELETE FROM checkpoints WHERE number <= ?", number - keep)

    def rewind(self, checkpoint: Checkpoint | None) -> None:
        """Forget what came after the checkpoint (all of it for None): the run goes on from there."""
        with self._transaction():
            number, step = (checkpoint.number, checkpoint.step) if checkpoint else (-1, float("-inf"))
            self._execute("DELETE FROM checkpoints WHERE number > ?", number)
            self._execute("DELETE FROM points WHERE step > ?", step)

    def _check(self, run_id: str) -> None:
        with self._named_errors():
            if self._pragma("application_id") != _APPLICATION:
                raise self._damage("not a ledger of NashGap, or cut short")
            if (version := self._pragma("user_version")) != _FORMAT:
                raise FileFormatError(f"{self.path}: ledger format {version}; this version reads format {_FORMAT}")
            if (verdict := self._pragma("quick_check")) != "ok":
                raise self._damage(f"damaged: {str(verdict).splitlines()[-1]}")
        if (found := self._fact("run_id")) != run_id:
            raise MismatchError(f"{self.path}: the ledger of run {found}, not of {run_id}")

    def _pragma(self, name: str) -> Any:
        return self._connection.execute(f"PRAGMA {name}").fetchone()[0]

    def _rows(self, query: str) -> list[Any]:
        with self._named_errors():
            return self._connection.execute(query).fetchall()

    def _execute(self, statement: str, *values: object) -> None:
        self._connection.execute(statement, values)

    def _fact(self, key: str) -> str:
        for name, value in self._rows("SELECT key, value FROM facts"):
            if name == key:
                return str(value)
        raise self._damage(f"damaged: {key} is missing")

    def _set_fact(self, key: str, value: str) -> None:
        self._execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", key, value)

    def _set_progress(self, progress: Progress, elapsed: float) -> None:
        self._set_fact("progress", json.dumps([progress.done, progress.total, progress.unit]))
        self._set_fact("seconds", repr(self.seconds + elapsed))

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            value: dict[str, Any] = json.loads(text)
        except ValueError as error:
            raise self._damage(f"damaged: {error}") from error
        return value

    def _damage(self, what: str) -> FileFormatError:
        return FileFormatError(f"{self.path}: {what}; remove {self.path.parent} to start afresh")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._named_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:  # SQLite has rolled back by itself when the disk is full
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if not self.path.is_file():
                raise self._damage("missing") from error
            raise OutputError(f"{self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise self._damage(f"damaged: {error}") from error
