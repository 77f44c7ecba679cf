"""Tables that take long to build, kept in the user's cache with a checksum; what is damaged counts as missing.

A file is the SHA-256 digest of the array's bytes, then the bytes.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from nashgap.errors import OutputError
from nashgap.runs.file_lock import try_lock

__all__ = ["TableFile", "check_room", "kept_table", "kept_tables", "map_table", "read_table", "write_table"]

_DIGEST_BYTES = 32
_LOCK_PAUSE = 0.1


@dataclass(frozen=True)
class TableFile:
    """A file of the cache and the array that it holds."""

    path: Path
    dtype: type[np.generic]
    shape: tuple[int, ...]


def kept_table(
    path: Path, dtype: type[np.generic], shape: tuple[int, ...], build: Callable[[], np.ndarray]
) -> np.ndarray:
    """The array of a file, memory-mapped; built first where it is missing, cut short or damaged."""
    return kept_tables([TableFile(path, dtype, shape)], lambda: [build()])[0]


def kept_tables(files: Sequence[TableFile], build: Callable[[], Sequence[np.ndarray]]) -> list[np.ndarray]:
    """The arrays of files, memory-mapped; all built first where one is missing, cut short or damaged.

    One process of a machine builds at a time: the others wait, and read what it wrote.
    """
    tables = _read_tables(files)
    if tables is not None:
        return tables
    check_room(files[0].path)
    while tables is None:
        with _turn_to_build(files[0].path) as is_ours:
            tables = _read_tables(files)
            if tables is None and is_ours:
                for file, array in zip(files, build(), strict=True):
                    write_table(file.path, array)
                tables = [map_table(file.path, file.dtype, file.shape) for file in files]
    return tables


def _read_tables(files: Sequence[TableFile]) -> list[np.ndarray] | None:
    with ThreadPoolExecutor(len(files)) as pool:  # hashing leaves the interpreter to others
        tables = list(pool.map(lambda file: read_table(file.path, file.dtype, file.shape), files))
    found = [table for table in tables if table is not None]
    return found if len(found) == len(files) else None


@contextmanager
def _turn_to_build(path: Path) -> Iterator[bool]:
    """True: no other process of this machine builds the table, nor will; False: one did, and has ended.

    A lock beside the table, which the system takes from a process that dies. Where it has no locks, all build.
    """
    try:
        lock = open(path.with_name(f"{path.name}.lock"), "ab")  # noqa: SIM115
    except OSError:  # another user's, or a folder that takes no more: whether it takes the table was asked before
        yield True
        return
    with lock:
        try:
            is_ours = try_lock(lock.fileno())
            while not is_ours and not try_lock(lock.fileno(), is_shared=True):
                time.sleep(_LOCK_PAUSE)
        except OSError:
            is_ours = True
        if is_ours:
            yield True
            return
    # Without the lock: else those who waited would read one after another, and keep each other from building.
    yield False


def read_table(path: Path, dtype: type[np.generic], shape: tuple[int, ...]) -> np.ndarray | None:
    """The array of a file, memory-mapped, or None if it is missing, cut short or damaged."""
    try:
        if path.stat().st_size != _DIGEST_BYTES + np.dtype(dtype).itemsize * int(np.prod(shape)):
            return None
        array = map_table(path, dtype, shape)
        with path.open("rb") as file:
            digest = file.read(_DIGEST_BYTES)
    except OSError:
        return None
    return array if hashlib.sha256(array.data).digest() == digest else None


def map_table(path: Path, dtype: type[np.generic], shape: tuple[int, ...]) -> np.ndarray:
    """The array of a file that is known to be whole: pages of a file can be shared and dropped, an array's cannot."""
    array: np.ndarray = np.memmap(path, dtype=dtype, mode="r", offset=_DIGEST_BYTES, shape=shape)
    return array


def check_room(path: Path) -> None:
    """OutputError if no file can be made there; asked before a table is built that takes minutes."""
    with _part_of(path):
        pass


def write_table(path: Path, array: np.ndarray) -> None:
    """The array's digest and bytes; the file is whole or not there."""
    with _part_of(path) as file:
        file.write(hashlib.sha256(array.data).digest())
        file.write(array.data)
        file.flush()
        os.fsync(file.fileno())
        file.close()  # not every system renames an open file
        os.replace(file.name, path)


@contextmanager
def _part_of(path: Path) -> Iterator[IO[bytes]]:
    """A new file beside the one that it may become; else it is removed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
            try:
                yield file
            finally:
                file.close()
                part.unlink(missing_ok=True)
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(f"cannot keep {path} ({reason}); NASHGAP_CACHE can name another folder") from problem
