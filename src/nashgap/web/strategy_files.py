"""Strategy files in the folder of runs, by names that pages may tell; only their heads are read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nashgap.core.array_file import open_arrays
from nashgap.errors import NashGapError
from nashgap.runs.trust import programs_in
from nashgap.strategies.abstract_file import ABSTRACT_KIND
from nashgap.strategies.bot import Bot
from nashgap.strategies.spot_strategy import SPOT_KIND
from nashgap.strategies.table import TABLE_KIND
from nashgap.web.file_names import short_paths

__all__ = ["MAX_FILES", "StrategyFiles", "given_files", "names_of"]

MAX_FILES = 200
"""Of the folder of runs that are offered."""
_SUFFIX = ".safetensors"
_WITHOUT_SPOTS = (ABSTRACT_KIND, TABLE_KIND)
_KINDS = (*_WITHOUT_SPOTS, SPOT_KIND)


class _Head(NamedTuple):
    kind: str
    programs: frozenset[str]


class StrategyFiles:
    """The strategy files below a folder, and which programs a server was given, with which alone files may come.

    given: what the server was started with.
    """

    def __init__(self, root: Path, given: Iterable[Bot]) -> None:
        given = list(given)
        self.trusted = frozenset(programs_in([bot.identity() for bot in given], given_files(given)))
        self._root = root
        self._heads: dict[tuple[str, int, int], _Head] = {}

    def newest(self, *, has_loose: bool = False, has_spots: bool = True) -> dict[str, Path]:
        """By name within the folder, in the order of names. What is no strategy, lies behind a link, or would start
        programs that the server was not given is left out.

        has_loose: whether also those that are in no run. has_spots: whether also those of a spot.
        """
        root, found = self._root.resolve(), dict[str, Path]()
        for status, name in sorted(_files(root, has_loose), key=lambda pair: (-pair[0].st_mtime_ns, pair[1])):
            if len(found) == MAX_FILES:
                break
            if self._is_offered(root / name, status, _KINDS if has_spots else _WITHOUT_SPOTS):
                found[name] = root / name
        return dict(sorted(found.items()))

    def _is_offered(self, path: Path, status: os.stat_result, kinds: Sequence[str]) -> bool:
        """Its head is read once while the file does not change."""
        key = str(path), status.st_mtime_ns, status.st_size
        if key not in self._heads:
            try:
                metadata = open_arrays(path).metadata
            except (OSError, NashGapError):
                return False
            self._heads[key] = _Head(str(metadata.get("kind", "")), frozenset(programs_in(metadata)))
        head = self._heads[key]
        return head.kind in kinds and head.programs <= self.trusted


def _files(root: Path, has_loose: bool) -> Iterator[tuple[os.stat_result, str]]:
    """Those whose names are of strategies, with their names within the folder; a link may lead elsewhere."""
    folders = [""]
    for folder in folders:
        try:
            entries = list(os.scandir(root / folder))
        except OSError:  # gone in the meantime, or none of ours
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = f"{folder}/{entry.name}" if folder else entry.name
            with suppress(OSError):
                if not folder and entry.is_dir(follow_symlinks=False):
                    folders.append(name)
                elif (folder or has_loose) and name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                    yield entry.stat(follow_symlinks=False), name


def given_files(bots: Iterable[Bot]) -> list[str]:
    """The files that the bots are made of."""
    found: list[str] = []
    for bot in bots:
        try:
            found += bot.inputs().values()
        except NashGapError:
            continue  # told when it is opened
    return found


def names_of(bots: Sequence[Bot]) -> list[str]:
    """The text of each, with files told without their folders, as far as two are not called the same then."""
    names = short_paths(given_files(bots))
    paths = "|".join(re.escape(path) for path in sorted(names, key=len, reverse=True))
    return [re.sub(paths, lambda found: names[found[0]], bot.text) if paths else bot.text for bot in bots]
