"""Named arrays with metadata in one file: safetensors layout, read by memory map, checked against damage.

Strategies and solver checkpoints are both kept in it; docs/formats.md has the layout byte by byte. In short: 8 bytes of
header length, a JSON header padded with spaces to a multiple of 4096 bytes, then the arrays without holes. The header
carries a hash of itself and a checksum of each MiB of data, so that a changed byte anywhere is noticed: in the header
on opening, in the data when an array that covers it is first asked for. Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from nashgap.core.json_text import read_json
from nashgap.core.regular_file import NotRegularError, open_regular
from nashgap.errors import ConfigError, FileFormatError, OutputError

__all__ = [
    "DIGEST_DIGITS",
    "TEMPORARY_FILES",
    "ArrayFile",
    "LateArray",
    "check_writable",
    "content_digest",
    "file_digest",
    "open_arrays",
    "save_arrays",
    "write_atomically",
]

FORMAT = "nashgap"
FORMAT_VERSION = 1
ALIGNMENT = 4096  # of the data section in the file, so that it begins on a page of memory
BLOCK_BYTES = 1 << 20
DIGEST_DIGITS = 16  # of a content's digest, where a bot or a run is told by it
CHECKSUM_BYTES = 8
TEMPORARY_FILES = ".nashgap-*.tmp"  # what a process that was killed while writing leaves behind
MAX_HEADER_BYTES = 100_000_000  # the safetensors library refuses longer headers

DTYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"), "I64": np.dtype("<i8"), "U64": np.dtype("<u8"),
    "F32": np.dtype("<f4"), "I32": np.dtype("<i4"), "U32": np.dtype("<u4"),
    "I16": np.dtype("<i2"), "U16": np.dtype("<u2"),
    "I8": np.dtype("i1"), "U8": np.dtype("u1"), "BOOL": np.dtype("?"),
}  # fmt: skip
DTYPE_CODES = {dtype: code for code, dtype in DTYPES.items()}

# After its 8 bytes of length every file of ours begins so, which marks it as ours and fixes the place of the hash.
LENGTH_BYTES = 8
HEADER_START = b'{"__metadata__":{"header_hash":"'
HASH_BYTES = 16
BLANK_HASH = "0" * (2 * HASH_BYTES)
HASH_BEGIN = LENGTH_BYTES + len(HEADER_START)
HASH_END = HASH_BEGIN + len(BLANK_HASH)


@dataclass(frozen=True, eq=False)
class ArrayFile:
    """A file opened by `open_arrays`: its metadata, and its arrays as read-only memory maps.

    The arrays keep the map open for as long as they live, and stay valid when `save_arrays` replaces the file.
    """

    path: Path
    metadata: dict[str, Any]
    _arrays: dict[str, NDArray[Any]] = field(repr=False)
    _extents: dict[str, tuple[int, int]] = field(repr=False)  # begin and end of each array, in bytes of `_data`
    _data: NDArray[np.uint8] = field(repr=False)  # the data section
    _checksums: bytes = field(repr=False)  # CHECKSUM_BYTES per block
    _sound_blocks: set[int] = field(repr=False, default_factory=set)

    @property
    def names(self) -> tuple[str, ...]:
        """The arrays, in the order in which they were given to `save_arrays`."""
        return tuple(self._arrays)

    def array(self, name: str) -> NDArray[Any]:
        """The array as a read-only memory map; the first call reads and checks the blocks it lies in."""
        if name not in self._arrays:
            raise FileFormatError(f"{self.path} has no array {name!r}; it has: {', '.join(self.names) or 'none'}")
        begin, end = self._extents[name]
        blocks = range(begin // BLOCK_BYTES, _num_blocks(end))
        self._check_blocks([block for block in blocks if block not in self._sound_blocks])
        return self._arrays[name]

    def verify(self) -> None:
        """Read and check every block, also those checked before; FileFormatError unless all are sound."""
        self._check_blocks(range(_num_blocks(len(self._data))))

    def _check_blocks(self, blocks: Sequence[int]) -> None:
        if len(blocks) < 2:
            for block in blocks:
                self._check_block(block)
            return
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # hashing leaves the interpreter to others
            for _ in pool.map(self._check_block, blocks):
                pass

    def _check_block(self, block: int) -> None:
        content = self._data[block * BLOCK_BYTES : (block + 1) * BLOCK_BYTES]
        expected = self._checksums[block * CHECKSUM_BYTES : (block + 1) * CHECKSUM_BYTES]
        if hashlib.blake2b(content.data, digest_size=CHECKSUM_BYTES).digest() != expected:
            raise FileFormatError(f"{self.path} is damaged: the checksum of data block {block} does not match")
        self._sound_blocks.add(block)


@dataclass(frozen=True)
class LateArray:
    """An array that is made when it is written and let go then, so that several need not be in memory at once."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    make: Callable[[], NDArray[Any]]

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.dtype.itemsize * math.prod(self.shape)


def open_arrays(path: Path) -> ArrayFile:
    """Map the file and check its header and length: ConfigError if it cannot be read, FileFormatError if unsound."""
    content = _map_file(path)
    head = _checked_head(path, content)
    data = content[len(head) :]
    try:
        tensors = json.loads(head[LENGTH_BYTES:])
        own = tensors.pop("__metadata__")
        if (version := int(own["format_version"])) > FORMAT_VERSION:
            raise FileFormatError(f"{path} has format version {version}; this NashGap reads up to {FORMAT_VERSION}")
        extents = _extents(tensors)
        num_bytes = max((end for _, end in extents.values()), default=0)
        if len(data) != num_bytes:
            fault = "cut short" if len(data) < num_bytes else "too long"
            raise FileFormatError(f"{path} is {fault}: {len(content)} bytes instead of {len(head) + num_bytes}")
        arrays = {
            name: data[slice(*extents[name])].view(DTYPES[tensor["dtype"]]).reshape(tensor["shape"])
            for name, tensor in tensors.items()
        }
        checksums = bytes.fromhex(own["block_checksums"])
        if len(checksums) != CHECKSUM_BYTES * _num_blocks(num_bytes):
            raise ValueError("wrong number of block checksums")
        metadata = dict(read_json(own[FORMAT]))
    except FileFormatError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        # Its hash is right, so it was not damaged but written by something else.
        raise FileFormatError(f"{path} has a header that is not NashGap's: {error!r}") from error
    return ArrayFile(path, metadata, arrays, extents, data, checksums)


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any] | LateArray], metadata: Mapping[str, Any]) -> None:
    """Write the file whole or not at all; one that stood there before is replaced in one step.

    Metadata is anything that JSON can hold (finite numbers only; tuples come back as lists). OutputError if the file
    cannot be written, ConfigError if an array or the metadata cannot be stored.
    """
    contents = {name: _storable(name, array) for name, array in arrays.items()}
    # Large items first: safetensors allows no holes, and so each array begins on a multiple of its item size.
    order = sorted(contents, key=lambda name: -contents[name].itemsize)
    ends = np.cumsum([contents[name].nbytes for name in order], dtype=np.int64).tolist()
    checksums = _BlockChecksums(ends[-1] if ends else 0)
    place = dict(zip(order, ends, strict=True))
    room_for_head = _build_head(contents, place, checksums.blank, metadata)
    with _file_to_replace(path) as file:
        file.write(room_for_head)
        for name in order:
            buffer = _made(name, contents[name]).reshape(-1).view(np.uint8)
            for start in range(0, len(buffer), BLOCK_BYTES):
                piece = buffer[start : start + BLOCK_BYTES].data
                checksums.update(piece)
                file.write(piece)
            del buffer
        file.seek(0)
        file.write(_build_head(contents, place, checksums.hexdigests(), metadata))


def content_digest(path: Path) -> str:
    """32 hex digits that differ where contents do: the hash of the header, which has a checksum of each block."""
    return _checked_head(path, _map_file(path))[HASH_BEGIN:HASH_END].decode()


def file_digest(path: Path) -> str:
    """16 hex digits of its content: of a file of ours, which may have gigabytes, as its header tells them."""
    try:
        return content_digest(path)[:DIGEST_DIGITS]
    except FileFormatError:
        if not os.path.isfile(path):
            raise
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_DIGITS]


def write_atomically(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Write the pieces as one file, whole or not at all: a reader, or a crash, sees it or the one before."""
    with _file_to_replace(path) as file:
        for piece in pieces:
            file.write(piece)


def check_writable(path: Path) -> None:
    """OutputError unless `save_arrays` could write there now; leaves nothing behind."""
    with _file_beside(path):
        pass


def _map_file(path: Path) -> NDArray[np.uint8]:
    try:
        with open_regular(path) as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise FileFormatError(f"{path} is not a NashGap file: it is empty")
            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
    except NotRegularError as error:
        raise FileFormatError(f"{path} is not a NashGap file: {error.strerror}") from error
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error


def _checked_head(path: Path, content: NDArray[np.uint8]) -> bytes:
    """All that comes before the data section, once its hash is found right."""
    start = content[:HASH_END].tobytes()
    if start[LENGTH_BYTES:HASH_BEGIN] != HEADER_START:
        raise FileFormatError(f"{path} is not a NashGap file, or its first bytes are damaged")
    num_bytes = LENGTH_BYTES + int.from_bytes(start[:LENGTH_BYTES], "little")
    if num_bytes > len(content):
        raise FileFormatError(f"{path} is cut short: {len(content)} bytes, and the header alone has {num_bytes}")
    if num_bytes > MAX_HEADER_BYTES:
        raise FileFormatError(f"{path} has a header of {num_bytes} bytes; at most {MAX_HEADER_BYTES} are allowed")
    head = content[:num_bytes].tobytes()
    if _with_hash(head) != head or num_bytes % ALIGNMENT:
        raise FileFormatError(f"{path} is damaged: the hash of its header does not match")
    return head


def _extents(tensors: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Begin and end of each array in the data section; ValueError unless they fill it from 0 without holes."""
    extents = {name: (tensor["data_offsets"][0], tensor["data_offsets"][1]) for name, tensor in tensors.items()}
    position = 0
    for begin, end in sorted(extents.values()):
        if not position == begin <= end:
            raise ValueError(f"an array begins at {begin}, not at {position}")
        position = end
    return extents


def _with_hash(head: bytes) -> bytes:
    """The head with the hash of its other bytes in place, whatever stood there before."""
    before, after = head[:HASH_BEGIN], head[HASH_END:]
    digest = hashlib.blake2b(before + BLANK_HASH.encode() + after, digest_size=HASH_BYTES)
    return before + digest.hexdigest().encode() + after


def _build_head(
    contents: Mapping[str, NDArray[Any] | LateArray],
    ends: Mapping[str, int],
    checksums: str,
    metadata: Mapping[str, Any],
) -> bytes:
    try:
        own = {
            "header_hash": BLANK_HASH,
            "format": FORMAT,
            "format_version": str(FORMAT_VERSION),
            "block_checksums": checksums,
            FORMAT: json.dumps(dict(metadata), allow_nan=False),
        }
        tensors = {
            name: {
                "dtype": DTYPE_CODES[array.dtype],
                "shape": array.shape,
                "data_offsets": [ends[name] - array.nbytes, ends[name]],
            }
            for name, array in contents.items()
        }
        header = json.dumps({"__metadata__": own, **tensors}, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise ConfigError(f"metadata or names that JSON cannot hold: {error}") from error
    num_bytes = -(-(LENGTH_BYTES + len(header)) // ALIGNMENT) * ALIGNMENT
    if num_bytes > MAX_HEADER_BYTES:
        raise ConfigError(f"metadata too large: a header of {num_bytes} bytes; at most {MAX_HEADER_BYTES} are allowed")
    length = (num_bytes - LENGTH_BYTES).to_bytes(LENGTH_BYTES, "little")
    return _with_hash((length + header).ljust(num_bytes))


def _storable(name: str, array: NDArray[Any] | LateArray) -> NDArray[Any] | LateArray:
    """The array little-endian and contiguous, copied only if it was not."""
    dtype = array.dtype.newbyteorder("<")
    if dtype not in DTYPE_CODES:
        allowed = ", ".join(known.name for known in DTYPES.values())
        raise ConfigError(f"array {name!r} has dtype {array.dtype}; allowed: {allowed}")
    if name == "__metadata__":
        raise ConfigError("an array cannot be named '__metadata__': the header keeps that name for itself")
    return array if isinstance(array, LateArray) else np.asarray(array, dtype=dtype, order="C")


def _made(name: str, array: NDArray[Any] | LateArray) -> NDArray[Any]:
    if not isinstance(array, LateArray):
        return array
    made = np.ascontiguousarray(array.make())
    if made.dtype != array.dtype or made.shape != array.shape:
        raise ConfigError(
            f"array {name!r} is {made.dtype} {list(made.shape)}; {array.dtype} {list(array.shape)} was announced"
        )
    return made


class _BlockChecksums:
    """Of the blocks of buffers laid end to end, num_bytes in all."""

    def __init__(self, num_bytes: int) -> None:
        self.blank = "0" * (2 * CHECKSUM_BYTES * _num_blocks(num_bytes))
        self._digests: list[str] = []
        self._hasher = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
        self._room = BLOCK_BYTES  # bytes that the open block can still take

    def update(self, buffer: memoryview) -> None:
        while len(buffer):
            piece, buffer = buffer[: self._room], buffer[self._room :]
            self._hasher.update(piece)
            self._room -= len(piece)
            if self._room == 0:
                self._close_block()

    def hexdigests(self) -> str:
        if self._room < BLOCK_BYTES:
            self._close_block()
        return "".join(self._digests)

    def _close_block(self) -> None:
        self._digests.append(self._hasher.hexdigest())
        self._hasher = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
        self._room = BLOCK_BYTES


def _num_blocks(num_bytes: int) -> int:
    return -(-num_bytes // BLOCK_BYTES)


@contextmanager
def _file_to_replace(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path`, synced, if all goes well."""
    with _file_beside(path) as (file, target):
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()  # not every system renames an open file
        os.replace(file.name, target)
        _sync_folder(target.parent)


@contextmanager
def _file_beside(path: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A new file in the same folder as `path`, to be renamed to the yielded target or else removed at the end.

    The target is `path` with links followed, so that a link stays a link. OutputError for all that the system refuses.
    """
    target = Path(os.path.realpath(path))
    absolute = Path(os.path.abspath(path))
    is_of_system = absolute.is_relative_to("/proc") or absolute.is_relative_to("/dev")
    # /dev/stdout leads to the file that the output was redirected to, which must not be replaced.
    if is_of_system and not absolute.is_relative_to("/dev/shm"):
        raise OutputError(f"cannot write {path}: it is not a regular file")
    try:
        # A link to a device is refused too: renaming onto it would put a plain file in its place.
        if target.exists() and not target.is_file():
            kind = "a folder" if target.is_dir() else "not a regular file"
            raise OutputError(f"cannot write {path}: it is {kind}")
        if not target.parent.is_dir():
            raise OutputError(f"cannot write {path}: there is no folder {target.parent}")
        # A short name of its own: one made from the target's could be longer than the system allows.
        beside = target.parent / TEMPORARY_FILES.replace("*", secrets.token_hex(8))
        try:
            with beside.open("xb") as file:
                yield file, target
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def _sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a loss of power, where the system can be told to."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
