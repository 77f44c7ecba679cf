"""Strategy files in the folder of runs, by names that pages may tell; only their heads are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from nashgap.core.array_file import open_arrays
from nashgap.errors import NashGapError
from nashgap.runs.trust import programs_in
from nashgap.strategies.abstract import ABSTRACT_KIND
from nashgap.strategies.spec import Bot
from nashgap.strategies.spot_strategy import SPOT_KIND
from nashgap.strategies.table import TABLE_KIND
from nashgap.web.file_names import short_paths

__all__ = ["MAX_FILES", "StrategyFiles", "given_files", "names_of"]

MAX_FILES = 200
"""Of the folder of runs that are offered."""
_KINDS = (ABSTRACT_KIND, SPOT_KIND, TABLE_KIND)


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

    def newest(self, *patterns: str) -> dict[str, Path]:
        """By name within the folder, in the order of names: what is no strategy, lies elsewhere, or would start
        programs that the server was not given is left out."""
        root = self._root.resolve()
        found: dict[str, Path] = {}
        paths = {path for pattern in patterns for path in root.glob(pattern)}
        for path in sorted(paths, key=lambda path: (-_changed_at(path), path)):
            if len(found) == MAX_FILES:
                break
            if self._is_offered(path, root):
                found[path.relative_to(root).as_posix()] = path
        return dict(sorted(found.items()))

    def _is_offered(self, path: Path, root: Path) -> bool:
        """A link may lead elsewhere."""
        is_hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if is_hidden or not path.is_file() or not path.resolve().is_relative_to(root):
            return False
        head = self._head(path)
        return head is not None and head.kind in _KINDS and head.programs <= self.trusted

    def _head(self, path: Path) -> _Head | None:
        """Read once while the file does not change; None of no file of ours."""
        try:
            status = path.stat()
            key = str(path), status.st_mtime_ns, status.st_size
            if key not in self._heads:
                metadata = open_arrays(path).metadata
                self._heads[key] = _Head(str(metadata.get("kind", "")), frozenset(programs_in(metadata)))
        except (OSError, NashGapError):
            return None
        return self._heads[key]


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


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # gone in the meantime
        return 0
