"""Tables that take long to build, kept in the user's cache with a checksum; what is damaged counts as missing.

The folder is `$NASHGAP_CACHE`, or else the platform's cache folder of `nashgap`. A file is the SHA-256 digest of the
array's bytes, then the bytes.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np

from nashgap.errors import OutputError

__all__ = ["cache_folder", "check_room", "kept_table", "map_table", "read_table", "write_table"]

_DIGEST_BYTES = 32


def cache_folder() -> Path:
    """Where tables are kept that can be built again."""
    if chosen := os.environ.get("NASHGAP_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("nashgap", appauthor=False))


def kept_table(
    path: Path, dtype: type[np.generic], shape: tuple[int, ...], build: Callable[[], np.ndarray]
) -> np.ndarray:
    """The array of a file, memory-mapped; built first where it is missing, cut short or damaged."""
    table = read_table(path, dtype, shape)
    if table is None:
        check_room(path)
        write_table(path, build())
        table = map_table(path, dtype, shape)
    return table


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
    with _part_of(path) as file:
        os.unlink(file.name)


def write_table(path: Path, array: np.ndarray) -> None:
    """The array's digest and bytes; the file is whole or not there."""
    with _part_of(path) as file:
        try:
            file.write(hashlib.sha256(array.data).digest())
            file.write(array.data)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


@contextmanager
def _part_of(path: Path) -> Iterator[IO[bytes]]:
    """A new file beside the one that it may become."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            yield file
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(f"cannot keep {path} ({reason}); NASHGAP_CACHE can name another folder") from problem
