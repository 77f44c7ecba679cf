"""What a run has finished, in one SQLite file that survives `kill -9` at any moment, and believes no damaged row.

Finished batches and each checkpoint are one transaction. The rollback journal is used, not the write-ahead log,
because run folders often lie on network file systems, where the latter does not work. A ledger that many small
transactions wait for (`is_quick`) has the log while it is open, if the file system can: a transaction is then with the
operating system before it is over, so that a kill of the process loses nothing, but not yet on the disk: when the
power fails, the newest may be lost, never the file, nor one without all that came after it.

Every row has a checksum over the run, its table and all that is in it. A row that is not what was written is never
handed out: `damage` names it, and `mend` drops it, so that the run does it again. Damage between the rows, to the
structure of the file, is refused when it is opened. Ledgers of before (format 1) had no checksums: of them only rows
that cannot be read count as damaged, and they get checksums when their run goes on.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

from nashgap.core.job import Progress
from nashgap.core.json_text import read_json
from nashgap.errors import FileFormatError, MismatchError, OutputError

__all__ = ["Checkpoint", "Ledger", "Session"]

_FORMAT, _WITHOUT_CHECKSUMS = 2, 1
_APPLICATION = 0x4E474150  # "NGAP": tells our files from other SQLite files
_BUSY_SECONDS = 30.0
_IN_MEMORY = ":memory:"
_CHECKSUM_BYTES = 16
# One B-tree each: an index beside it could disagree with its table.
_TABLES = {
    "facts": "key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID",
    "batches": "number INTEGER PRIMARY KEY, payload TEXT NOT NULL, seconds REAL NOT NULL, checksum BLOB NOT NULL)",
    "points": "step REAL PRIMARY KEY NOT NULL, record TEXT NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID",
    "sessions": "number INTEGER PRIMARY KEY, began_at TEXT NOT NULL, environment TEXT NOT NULL,"
    " checksum BLOB NOT NULL)",
    "checkpoints": "number INTEGER PRIMARY KEY, step REAL NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL,"
    " saved_at TEXT NOT NULL, checksum BLOB NOT NULL)",
}
_SCHEMA = {table: f"CREATE TABLE {table} ({columns}" for table, columns in _TABLES.items()}
_LATER = "sessions"  # the table that ledgers without checksums do not have
_FACTS = ("run_id", "status", "seconds")  # that every ledger has
_WITH_RECORDS = ("batches", "points")  # in their second column
_ROW_NAMES = {
    "facts": "the fact {!r}",
    "batches": "batch {}",
    "points": "the curve's point at {}",
    "sessions": "the record of session {}",
    "checkpoints": "checkpoint {}",
}


@dataclass(frozen=True)
class Checkpoint:
    """One saved state: `file` in the run's folder, taken at `step`, with the hash of its bytes and the time (UTC)."""

    number: int
    step: float
    file: str
    sha256: str
    saved_at: str


@dataclass(frozen=True)
class Session:
    """One time that work was done on a run: when it began (UTC), and where; see `runs/environment.py`."""

    began_at: str
    environment: dict[str, Any]


class Ledger:
    """An open ledger. Use it in a `with` statement."""

    def __init__(self, path: Path | None, run_id: str, *, is_shared: bool = False, is_quick: bool = False) -> None:
        """Open the ledger of this run, which must exist and be whole; without a path, a fresh one in memory.

        is_shared: by threads of this process, which see to it that one at a time uses it.
        is_quick:  transactions do not wait for the disk; see above. For who holds the run's lock.
        """
        self.path, self._run_id = path or Path(_IN_MEMORY), run_id
        self._has_checksums, self._is_quick = True, False
        with self._named_errors():
            # "rw" rather than the default, which would silently start an empty ledger where the file is missing.
            self._connection = (
                sqlite3.connect(_IN_MEMORY, isolation_level=None)
                if path is None
                else sqlite3.connect(
                    f"{path.absolute().as_uri()}?mode=rw",
                    uri=True,
                    isolation_level=None,
                    timeout=_BUSY_SECONDS,
                    check_same_thread=not is_shared,
                )
            )
        self._connection.text_factory = _text
        try:
            if path is None:
                self._begin()
            else:
                self._check()
            if is_quick:
                self._set_quick()
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def create(cls, path: Path, run_id: str) -> None:
        """Write an empty ledger; there is none at `path` yet."""
        ledger = cls.__new__(cls)
        ledger.path, ledger._run_id, ledger._has_checksums, ledger._is_quick = path, run_id, True, False
        try:
            ledger._connection = sqlite3.connect(path, isolation_level=None, timeout=_BUSY_SECONDS)
        except sqlite3.Error as error:
            raise OutputError(f"{path}: cannot be written: {error}") from error
        with ledger:
            ledger._begin()

    def _begin(self) -> None:
        with self._transaction():
            self._execute(f"PRAGMA application_id = {_APPLICATION}")
            self._make_tables()
            for key, value in zip(_FACTS, (self._run_id, "new", "0.0"), strict=True):
                self._put("facts", key, value)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_quick:
            with suppress(sqlite3.Error):  # while somebody reads it, the log stays, and is as good
                self._pragma("journal_mode = DELETE")
        self._connection.close()

    @property
    def status(self) -> str:
        """`new`, `running`, `finished`, `interrupted` or `failed`; still `running` after a kill."""
        return self._facts().get("status", "interrupted")

    @property
    def seconds(self) -> float:
        """Time spent on the run over all resumes, as of the last thing written; at least that of its batches."""
        told = self._facts().get("seconds")
        seconds = sum(self.batch_seconds().values()) if told is None else self._parsed(told, read_json)
        if not _is_number(seconds):
            raise self._damaged("damaged: the time that it took")
        return float(seconds)

    @property
    def progress(self) -> Progress | None:
        """How far the run has come; None before its first step."""
        told = self._facts().get("progress")
        if told is None:
            return None
        match self._parsed(told, read_json):
            case [done, total, str() as unit] if _is_number(done) and (total is None or _is_number(total)):
                return Progress(done, total, unit)
        raise self._damaged("damaged: how far it has come")

    @property
    def finished_at(self) -> str | None:
        """When it was last finished, UTC as ISO 8601 writes it; None while it is not."""
        facts = self._facts()
        return facts.get("finished_at") if facts.get("status") == "finished" else None

    @property
    def is_kept(self) -> bool:
        """Whether it is on disk."""
        return self.path.name != _IN_MEMORY

    def set_status(self, status: str) -> None:
        with self._transaction():
            self._put("facts", "status", status)

    def set_finished(self, *, is_news: bool) -> None:
        """Say that all is done; `is_news`: just now, rather than when that was said before."""
        with self._transaction():
            self._put("facts", "status", "finished")
            if is_news or "finished_at" not in self._facts():
                self._put("facts", "finished_at", datetime.now(UTC).isoformat(timespec="seconds"))

    def batches(self) -> dict[int, dict[str, Any]]:
        """The finished batches by index."""
        return {number: self._table(payload, json.loads) for number, payload, _ in self._rows("batches")}

    def record_batches(
        self, batches: Sequence[tuple[int, Mapping[str, Any], float]], *, progress: Progress, elapsed: float
    ) -> None:
        """Keep finished batches (index, payload, seconds); `elapsed` seconds went by since the last writing."""
        with self._transaction():
            for index, payload, seconds in batches:
                self._put("batches", int(index), json.dumps(payload), float(seconds))
            self._set_progress(progress, elapsed)

    def batch_seconds(self) -> dict[int, float]:
        """How long each finished batch took, by index."""
        return {number: seconds for number, _, seconds in self._rows("batches")}

    def points(self) -> list[dict[str, float]]:
        """The measured points of the curve in order of their steps."""
        return [self._table(record, json.loads) for _, record in self._rows("points")]

    def record_points(
        self, points: Sequence[tuple[float, Mapping[str, float]]], *, progress: Progress, elapsed: float
    ) -> None:
        """Keep points (step, record); a step measured again replaces its point."""
        with self._transaction():
            for step, record in points:
                self._put("points", float(step), json.dumps(dict(record)))
            self._set_progress(progress, elapsed)

    def checkpoints(self) -> list[Checkpoint]:
        """Newest first."""
        return [Checkpoint(*row) for row in reversed(list(self._rows("checkpoints")))]

    def record_checkpoint(self, number: int, step: float, file: str, sha256: str, *, keep: int) -> None:
        """Keep a checkpoint whose file is whole, and forget all but the `keep` newest."""
        with self._transaction():
            saved_at = datetime.now(UTC).isoformat(timespec="seconds")
            self._put("checkpoints", number, float(step), file, sha256, saved_at)
            self._execute("DELETE FROM checkpoints WHERE number <= ?", number - keep)

    def rewind(self, checkpoint: Checkpoint | None) -> None:
        """Forget what came after the checkpoint (all of it for None): the run goes on from there."""
        with self._transaction():
            number, step = (checkpoint.number, checkpoint.step) if checkpoint else (-1, float("-inf"))
            self._execute("DELETE FROM checkpoints WHERE number > ?", number)
            self._execute("DELETE FROM points WHERE step > ?", step)

    def sessions(self) -> list[Session]:
        """The times that work was done on the run, the first one first."""
        return [Session(began_at, self._table(told, read_json)) for _, began_at, told in self._rows("sessions")]

    def record_session(self, environment: Mapping[str, Any]) -> None:
        """Say that work begins now, and where."""
        with self._transaction():
            number = 1 + max((number for number, *_ in self._rows("sessions")), default=0)
            self._put("sessions", number, datetime.now(UTC).isoformat(timespec="seconds"), json.dumps(environment))

    def damage(self) -> list[str]:
        """The rows that are not what was written, by name: `batch 17`, and facts that are gone."""
        named = [
            _ROW_NAMES[table].format(row[0])
            for table in _TABLES
            for row, is_sound in self._stored(table)
            if not is_sound
        ]
        gone = [_ROW_NAMES["facts"].format(key) for key in _FACTS if key not in self._facts()]
        return list(dict.fromkeys([*named, *gone]))

    def mend(self) -> list[str]:
        """Drop damaged rows, so that the run does again what they held; their names. For who holds the run's lock.

        A ledger without checksums gets them; what it holds is taken as it is.
        """
        named = self.damage()
        if not named and self._has_checksums:
            return []
        with self._transaction():
            sound = {table: list(self._rows(table)) for table in _TABLES}
            facts = {"status": "interrupted", "seconds": repr(self.seconds), **self._facts(), "run_id": self._run_id}
            for table in _TABLES:
                self._execute(f"DROP TABLE IF EXISTS {table}")
            self._make_tables()
            for table, rows in {**sound, "facts": list(facts.items())}.items():
                for row in rows:
                    self._put(table, *row)
        self._has_checksums = True
        return named

    def _check(self) -> None:
        with self._named_errors():
            if self._pragma("application_id") != _APPLICATION:
                raise self._damaged("not a ledger of NashGap, or cut short")
            version = self._pragma("user_version")
            if version not in (_FORMAT, _WITHOUT_CHECKSUMS):
                raise FileFormatError(
                    f"{self.path}: ledger format {version}; this version reads formats up to {_FORMAT}"
                )
            if (verdict := self._pragma("integrity_check")) != "ok":
                raise self._damaged(f"damaged: {str(verdict).splitlines()[-1]}")
            tables = dict(
                self._execute("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").fetchall()
            )
        self._has_checksums = version == _FORMAT
        is_whole = tables == _SCHEMA if self._has_checksums else tables.keys() == _SCHEMA.keys() - {_LATER}
        if not is_whole or self._has_checksums != any("checksum" in each for each in tables.values()):
            raise self._damaged("damaged: its tables are not those of a ledger")
        for (key, value), is_sound in self._stored("facts"):
            if key == "run_id" and value != self._run_id and (is_sound or self._is_of(str(value), key, value)):
                raise MismatchError(f"{self.path}: the ledger of run {value}, not of {self._run_id}")

    def _set_quick(self) -> None:
        with self._named_errors():
            self._is_quick = self._pragma("journal_mode = WAL") == "wal"
            if self._is_quick:  # with a rollback journal, a power failure would damage the file
                self._execute("PRAGMA synchronous = NORMAL")

    def _is_of(self, run_id: str, key: str, value: str) -> bool:
        """Whether the fact is as another run would write it."""
        wanted = _checksum(run_id, "facts", (key, value))
        return self._has_checksums and (wanted,) in self._execute("SELECT checksum FROM facts").fetchall()

    def _make_tables(self) -> None:
        for statement in _SCHEMA.values():
            self._execute(statement)
        self._execute(f"PRAGMA user_version = {_FORMAT}")

    def _pragma(self, name: str) -> Any:
        return self._execute(f"PRAGMA {name}").fetchone()[0]

    def _execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        return self._connection.execute(statement, values)

    def _put(self, table: str, *row: Any) -> None:
        marks = ", ".join("?" * (len(row) + 1))
        self._execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", *row, _checksum(self._run_id, table, row))

    def _stored(self, table: str) -> Iterator[tuple[tuple[Any, ...], bool]]:
        """The rows in order of their keys, without their checksums, and whether they are what was written."""
        if table == _LATER and not self._has_checksums:
            return
        with self._named_errors():
            for stored in self._execute(f"SELECT * FROM {table} ORDER BY 1"):
                if self._has_checksums:
                    *row, checksum = stored
                    yield tuple(row), checksum == _checksum(self._run_id, table, row)
                else:
                    yield stored, _is_readable(table, stored)

    def _rows(self, table: str) -> Iterator[tuple[Any, ...]]:
        """The sound ones, in order of their keys."""
        return (row for row, is_sound in self._stored(table) if is_sound)

    def _facts(self) -> dict[str, str]:
        return dict(self._rows("facts"))

    def _set_progress(self, progress: Progress, elapsed: float) -> None:
        self._put("facts", "progress", json.dumps([progress.done, progress.total, progress.unit]))
        self._put("facts", "seconds", repr(self.seconds + elapsed))

    def _table(self, text: str, read: Callable[[str], Any]) -> dict[str, Any]:
        value = self._parsed(text, read)
        if not isinstance(value, dict):
            raise self._damaged("damaged: a row has no table")
        return value

    def _parsed(self, text: str, read: Callable[[str], Any]) -> Any:
        """Of a sound row, or of a ledger without checksums or made by somebody else, where anything may stand."""
        try:
            return read(text)
        except (ValueError, TypeError, RecursionError) as error:
            raise self._damaged(f"damaged: {error}") from error

    def _damaged(self, what: str) -> FileFormatError:
        return FileFormatError(f"{self.path}: {what}; remove {self.path.parent} to start afresh")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._named_errors():
            try:
                self._execute("BEGIN IMMEDIATE")
                yield
                self._execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite has rolled back by itself when the disk is full
                    self._execute("ROLLBACK")
                raise

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if not self.path.is_file():
                raise self._damaged("missing") from error
            raise OutputError(f"{self.path}: {error}") from error
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter where a message quotes damaged bytes
            raise self._damaged(f"damaged: {' '.join(str(error).split())}") from error


def _text(stored: bytes) -> str:
    """What is stored as text, whatever its bytes are by now; they can be had back exactly."""
    return stored.decode("utf-8", "surrogateescape")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_readable(table: str, row: Sequence[Any]) -> bool:
    """Whether a row without a checksum can be what was written, as far as one sees."""
    try:
        for value in row:
            if isinstance(value, str):
                value.encode()
        if table in _WITH_RECORDS and not isinstance(json.loads(row[1]), dict):
            return False
        return table != "batches" or isinstance(row[2], float)
    except (ValueError, TypeError, RecursionError):
        return False


def _checksum(run_id: str, table: str, row: Sequence[Any]) -> bytes:
    """Of what is stored, with its types and where one value ends."""
    hashed = blake2b(digest_size=_CHECKSUM_BYTES)
    for value in (run_id, table, *row):
        told = value if isinstance(value, str) else repr(value)
        content = told.encode("utf-8", "surrogateescape")
        hashed.update(b"%s %d:" % (type(value).__name__.encode(), len(content)))
        hashed.update(content)
    return hashed.digest()
