"""What is done on a node of a Ray cluster: it is prepared once, and its workers play tasks.

It must be a machine of the same kind with this version of NashGap, and is sent the files that do not lie on it, in
pieces that fit into anybody's memory; they are kept in its cache and opened by memory map.

Programs (`exec:`, `acpc:`) and Python classes are not sent: they have to be on every node.
"""

from __future__ import annotations

import os
import pickle
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from nashgap.core.array_file import content_digest, file_digest, open_arrays, write_atomically
from nashgap.core.user_folders import cache_folder
from nashgap.errors import ConfigError, FileFormatError, MissingExtraError, NashGapError
from nashgap.runs.config import package_version

__all__ = ["MakePlayer", "Player", "Sender", "machine_kind", "packed", "prepare"]

PIECE_BYTES = 32 << 20  # of a file that is sent
KEPT_SECONDS = 14 * 86400.0  # that a file which was sent is kept without being asked for

MakePlayer = Callable[[Mapping[str, str]], Callable[..., Any]]
"""What makes, on a node, the function that plays a task; given the paths of files by digest, where they are others."""


def machine_kind() -> str:
    """Of a machine: on machines of one kind the same work finds the same numbers."""
    return f"nashgap {package_version()} on {platform.machine()}"


def prepare(inputs: Mapping[str, str], sender: Any, kind: str) -> dict[str, str]:
    """On a node: the paths of the files on it, those that were missing included."""
    if machine_kind() != kind:
        raise ConfigError(f"it has {machine_kind()}, and this machine {kind}; they must be the same")
    return {digest: _path_here(digest, path, sender) for digest, path in inputs.items()}


def _path_here(digest: str, path: str, sender: Any) -> str:
    if _has_content(Path(path), digest):
        return path
    kept = cache_folder() / "sent" / f"{digest}{Path(path).suffix}"
    with suppress(OSError):  # first of all, so that nobody forgets it meanwhile
        os.utime(kept)
    if not _is_whole(kept, digest):
        kept.parent.mkdir(parents=True, exist_ok=True)
        _forget_old(kept.parent)
        write_atomically(kept, _pieces(sender, digest))
        _require_whole(kept, digest)
    return str(kept)


def _pieces(sender: Any, digest: str) -> Iterator[bytes]:
    import ray

    begin = 0
    while piece := ray.get(sender.read.remote(digest, begin)):
        yield piece
        begin += len(piece)


def _has_content(path: Path, digest: str) -> bool:
    try:
        return file_digest(path) == digest
    except (NashGapError, OSError):
        return False


def _is_whole(path: Path, digest: str) -> bool:
    """Whether all of it is what its digest says, which of a file of ours is of its header alone."""
    try:
        if not _has_content(path, digest):
            return False
        if _is_ours(path):
            open_arrays(path).verify()
    except NashGapError:
        return False
    return True


def _require_whole(path: Path, digest: str) -> None:
    """Nothing is kept that changed while it was sent."""
    if not _is_whole(path, digest):
        path.unlink()
        raise FileFormatError(f"{path.name}: damaged, or changed while it was sent")


def _is_ours(path: Path) -> bool:
    try:
        return bool(content_digest(path))
    except FileFormatError:
        return False


def _forget_old(folder: Path) -> None:
    for path in folder.iterdir():
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > KEPT_SECONDS:
                path.unlink()


class Sender:
    """Reads files of the machine where the work was asked for."""

    def __init__(self, inputs: Mapping[str, str]) -> None:
        self._inputs = inputs

    def read(self, digest: str, begin: int) -> bytes:
        """A piece; empty at the end."""
        with open(self._inputs[digest], "rb") as file:
            file.seek(begin)
            return file.read(PIECE_BYTES)


class Player:
    """A worker: plays one task after the other."""

    def be_placed(self) -> None:
        """Answered as soon as there is a core for it."""

    def start(
        self, work: bytes, paths: Mapping[str, str], inputs: Mapping[str, str], folder: str, search_path: Sequence[str]
    ) -> None:
        """Make what plays.

        paths, inputs:       of files on this node, and where the work was asked for.
        folder, search_path: in which programs and modules are looked for, as there.
        """
        with suppress(OSError):  # not on this node: it can do without, or tells what it misses
            os.chdir(folder)
        sys.path += [place for place in search_path if place not in sys.path]
        try:
            make_player: MakePlayer = pickle.loads(work)
        except ImportError as error:
            raise ConfigError(f"{error} on a node of the cluster; what is not NashGap's must be on all") from None
        is_alike = paths == inputs and os.getcwd() == folder
        self._play = make_player({} if is_alike else paths)

    def play(self, task: Any, *more: Any) -> Any:
        return self._play(task, *more)


def packed(make_player: MakePlayer) -> bytes:
    try:
        from ray import cloudpickle
    except ImportError:
        raise MissingExtraError("a cluster needs Ray; install it with: pip install 'nashgap[cluster]'") from None
    dumps: Callable[[object], bytes] = cloudpickle.dumps
    try:
        return dumps(make_player)
    except (pickle.PicklingError, AttributeError, TypeError) as reason:
        raise ConfigError(f"this cannot be sent to a cluster: {reason}") from reason
