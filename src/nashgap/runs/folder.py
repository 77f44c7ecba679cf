"""The folder of a run, `runs/NAME-ID/`, and how runs are opened, found and listed.

    config.toml        what is run
    ledger.sqlite      what is finished
    checkpoint-NUMBER  saved states, the two newest
    result.json        the outcome
    report.html        the outcome for people
    lock               held by the process that works on the run

A folder is made under a hidden name and renamed when it is whole, so that there is no half-made run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shlex
import shutil
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nashgap.core.array_file import TEMPORARY_FILES, write_atomically
from nashgap.core.job import Job, Progress
from nashgap.core.json_text import read_json
from nashgap.core.regular_file import open_at_once, open_regular, read_text
from nashgap.errors import ConfigError, FileFormatError, MismatchError, NashGapError, OutputError
from nashgap.runs.config import FORMAT, FORMAT_WITHOUT_CHECKSUM, RunConfig, load_config
from nashgap.runs.file_lock import try_lock
from nashgap.runs.ledger import Ledger

__all__ = [
    "Run",
    "RunSummary",
    "default_root",
    "existing_run",
    "find_run",
    "is_run_folder",
    "list_runs",
    "listed_names",
    "open_run",
    "runs_of_kind",
    "summarise",
]

_CONFIG, _LEDGER, _LOCK = "config.toml", "ledger.sqlite", "lock"
_CHECKSUM = "sha256"  # in a result: of all else in it
MAX_LISTED = 8  # names in an error
_LOCK_ATTEMPTS, _LOCK_PAUSE = 5, 0.05
_STALE_SECONDS = 3600.0  # a folder or file takes a moment to make; one that is half made for so long is nobody's


@dataclass(frozen=True)
class Run:
    """A run on disk."""

    folder: Path
    config: RunConfig

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def report_path(self) -> Path:
        return self.folder / "report.html"

    @property
    def result_path(self) -> Path:
        return self.folder / "result.json"

    @property
    def is_being_worked_on(self) -> bool:
        """Whether a process holds the run's lock now."""
        try:
            with open_regular(self.folder / _LOCK) as file:
                return not _try_lock(self.folder, file.fileno(), is_shared=True)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be read: {error.strerror}") from error

    @property
    def resume_command(self) -> str:
        """What to type, here, to continue this run."""
        words = ["nashgap", "runs", "resume", self.name]
        words += [] if self.folder.parent == default_root() else ["--runs", str(self.folder.parent)]
        return shlex.join(words)

    def require_format(self) -> None:
        """ConfigError for a run of another version, which cannot be continued."""
        if self.config.format not in (FORMAT, FORMAT_WITHOUT_CHECKSUM):
            raise ConfigError(
                f"run {self.name} was made by nashgap {self.config.version}, whose runs this version cannot continue;"
                f" give its command again, or remove it: nashgap runs remove {self.name}"
            )

    def remove(self) -> None:
        """Remove the folder with all that is in it; refused while a process works on it."""
        try:
            with self.lock():
                (self.folder / _CONFIG).unlink()  # first, so that what a kill leaves behind is no run
                (self.folder / _LEDGER).unlink()
            shutil.rmtree(self.folder)  # with the lock's file, which not every system removes while it is open
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be removed: {error.strerror}") from error

    def open_ledger(self, *, is_shared: bool = False, is_quick: bool = False) -> Ledger:
        """is_shared: by threads of this process, one at a time. is_quick: no transaction waits for the disk."""
        return Ledger(self.folder / _LEDGER, self.config.run_id, is_shared=is_shared, is_quick=is_quick)

    def save_config(self, config: RunConfig) -> None:
        """Put a config of the same identity (another budget or version) in the place of the present one."""
        assert config.run_id == self.config.run_id, "a run never changes its identity"
        write_atomically(self.folder / _CONFIG, [config.to_toml().encode()])

    def save_result(self, result: Mapping[str, Any]) -> None:
        write_atomically(self.result_path, [_result_bytes(result)])

    def has_result(self, result: Mapping[str, Any]) -> bool:
        """Whether `save_result` wrote just this, and it is sound."""
        try:
            wanted = _result_bytes(result)
            with open_regular(self.result_path) as file:
                return file.read(len(wanted) + 1) == wanted
        except OSError:
            return False

    def load_result(self) -> dict[str, Any] | None:
        """What `save_result` wrote; None when there is none yet."""
        try:
            result = read_json(read_text(self.result_path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FileFormatError(f"{self.result_path}: cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise self._damaged_result(str(error)) from error
        if not isinstance(result, dict):
            raise self._damaged_result("not an object")
        checksum = result.pop(_CHECKSUM, None)
        is_older = checksum is None and self.config.format == FORMAT_WITHOUT_CHECKSUM
        if not is_older and checksum != _result_checksum(result):
            raise self._damaged_result("it is not what was written")
        return result

    def _damaged_result(self, what: str) -> FileFormatError:
        return FileFormatError(f"{self.result_path}: damaged: {what}; resuming the run writes it anew")

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the run, so that no other process works on it; the system lets go when the process dies."""
        try:
            file = open(self.folder / _LOCK, "ab", opener=open_at_once)  # noqa: SIM115
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be written: {error.strerror}") from error
        with file:
            # More than once, because `is_being_worked_on` in another process holds the lock for a moment.
            for attempt in range(_LOCK_ATTEMPTS):
                if _try_lock(self.folder, file.fileno()):
                    break
                if attempt == _LOCK_ATTEMPTS - 1:
                    raise OutputError(f"run {self.name} is already being worked on by another process")
                time.sleep(_LOCK_PAUSE)
            os.utime(self.folder / _LOCK)
            _remove_stale(self.folder, TEMPORARY_FILES, now=os.fstat(file.fileno()).st_mtime)
            yield


@dataclass(frozen=True)
class RunSummary:
    """One line of a list of runs.

    config:      None when it cannot be read.
    status:      `new`, `running`, `interrupted`, `failed`, `finished` or `damaged`.
    seconds:     spent over all resumes.
    finished_at: UTC, as ISO 8601 writes it; None while it is not finished.
    summary:     of what it found, in a sentence or two; empty where there is no result yet.
    problem:     what is damaged; empty otherwise.
    """

    folder: Path
    config: RunConfig | None
    status: str
    seconds: float = 0.0
    progress: Progress | None = None
    finished_at: str | None = None
    summary: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        return self.folder.name


def default_root() -> Path:
    """Where runs lie: the environment's NASHGAP_RUNS, else `runs` in the working folder."""
    return Path(os.environ.get("NASHGAP_RUNS") or "runs")


def open_run(job: Job, root: Path | None = None) -> Run:
    """The job's run under `root`: the existing one of the same identity, else a fresh one."""
    root = default_root() if root is None else root
    return existing_run(job, root) or _load_run(_make_folder(root, RunConfig.of(job)))


def existing_run(job: Job, root: Path) -> Run | None:
    """The run under `root` that has the job's identity."""
    config = RunConfig.of(job)
    folder = next((path for path in _run_folders(root) if _run_id(path) == config.run_id), None)
    if folder is None:
        return None
    try:
        run = _load_run(folder)
    except FileFormatError as error:
        # The folder's name and the ledger's checksums say which run it is; the next work on it writes the config.
        warnings.warn(f"the config of the run was passed over: {error}", stacklevel=2)
        return Run(folder, config)
    if (run.config.kind, run.config.identity) != (config.kind, config.identity):
        raise MismatchError(f"{folder}: holds another run of the same id; remove it or use another folder of runs")
    return run


def find_run(root: Path, wanted: str) -> Run:
    """The one run whose folder, id or name is `wanted`, or begins with it."""
    folders = _run_folders(root)
    exact = [path for path in folders if wanted in (path.name, _run_id(path), path.name.rpartition("-")[0])]
    begins = [path for path in folders if path.name.startswith(wanted) or _run_id(path).startswith(wanted)]
    matches = exact or begins
    if len(matches) == 1 and wanted:
        return _load_run(matches[0])
    listed = listed_names([path.name for path in matches or folders]) or "none"
    what = f"{len(matches)} runs match" if matches else "no run matches"
    raise ConfigError(f"{what} {wanted!r} in {root}; {'candidates' if matches else 'known'}: {listed}")


def runs_of_kind(root: Path, kind: str) -> list[Run]:
    """The runs of one kind under `root` whose config can be read, in order of their names."""
    found = []
    for folder in _run_folders(root):
        with suppress(NashGapError):
            found.append(_load_run(folder))
    return [run for run in found if run.config.kind == kind]


def list_runs(root: Path) -> list[RunSummary]:
    """All runs under `root` in order of their names; damaged ones say so."""
    return [summarise(folder) for folder in _run_folders(root)]


def is_run_folder(path: Path) -> bool:
    # os.path, because a folder that may not be entered is none of ours rather than an error.
    return not path.name.startswith(".") and any(os.path.isfile(path / name) for name in (_CONFIG, _LEDGER))


def _run_folders(root: Path) -> list[Path]:
    try:
        return sorted(path for path in root.iterdir() if is_run_folder(path))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise ConfigError(f"{root}: cannot be read: {error.strerror}") from error


def _run_id(folder: Path) -> str:
    return folder.name.rpartition("-")[2]


def _make_folder(root: Path, config: RunConfig) -> Path:
    name = re.sub(r"[^a-z0-9+.]+", "-", config.name.lower()).strip("-.") or "run"
    folder = root / f"{name}-{config.run_id}"
    half_made = root / f".new-{config.run_id}-{secrets.token_hex(4)}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        half_made.mkdir()
        for pattern in (".new-*", TEMPORARY_FILES):
            _remove_stale(root, pattern, now=half_made.stat().st_mtime)
    except OSError as error:
        raise OutputError(f"{root}: cannot be written: {error.strerror}") from error
    try:
        with open(half_made / _LOCK, "ab") as file:
            _try_lock(root, file.fileno())  # here, rather than after the run was made
        write_atomically(half_made / _CONFIG, [config.to_toml().encode()])
        Ledger.create(half_made / _LEDGER, config.run_id)
        half_made.rename(folder)
    except OSError as error:
        # Another process may have been first: then its folder is in the way, and is the run.
        if not is_run_folder(folder):
            raise OutputError(f"{folder}: cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(half_made, ignore_errors=True)
    return folder


def _remove_stale(folder: Path, pattern: str, *, now: float) -> None:
    """Remove what processes that were killed while they made a folder or a file left behind.

    now: by the clock of the file system, as something just made has it: this machine's may be another.
    """
    for path in folder.glob(pattern):
        with suppress(OSError):  # another process may remove it at the same time
            if now - path.stat().st_mtime <= _STALE_SECONDS:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def _load_run(folder: Path) -> Run:
    config = load_config(folder / _CONFIG)
    if config.run_id != _run_id(folder):
        raise MismatchError(f"{folder / _CONFIG}: describes run {config.run_id}, not this folder's; was it edited?")
    return Run(folder, config)


def summarise(folder: Path) -> RunSummary:
    """One line on the run in this folder."""
    config = None
    try:
        run = _load_run(folder)
        config = run.config
        with run.open_ledger() as ledger:
            status, seconds, progress = ledger.status, ledger.seconds, ledger.progress
            finished_at = ledger.finished_at
            if damage := ledger.damage():
                problem = f"{ledger.path}: damaged: {listed_names(damage)}; resuming the run does it again"
                return RunSummary(folder, config, "damaged", seconds, progress, problem=problem)
        # A killed process leaves the word "running" behind, but not the lock.
        if status == "running" and not run.is_being_worked_on:
            status = "interrupted"
        summary = str((run.load_result() or {}).get("summary", ""))
        return RunSummary(folder, config, status, seconds, progress, finished_at, summary)
    except NashGapError as error:
        return RunSummary(folder, config, "damaged", problem=str(error))


def listed_names(names: Sequence[str]) -> str:
    """As an error tells them, of many only the first."""
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + more


def _result_bytes(result: Mapping[str, Any]) -> bytes:
    told = {**result, _CHECKSUM: _result_checksum(result)}
    return (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()


def _result_checksum(result: Mapping[str, Any]) -> str:
    """Of what a reader finds, to whom all keys are text."""
    read = json.loads(json.dumps(result))
    return hashlib.sha256(json.dumps(read, sort_keys=True).encode()).hexdigest()


def _try_lock(folder: Path, descriptor: int, *, is_shared: bool = False) -> bool:
    """Whether nobody else holds the lock of the run in the folder."""
    try:
        return try_lock(descriptor, is_shared=is_shared)
    except OSError as error:
        raise OutputError(
            f"{folder}: its file system has no locks ({error.strerror}), without which two processes could work on one"
            " run at once; choose another folder of runs"
        ) from error
