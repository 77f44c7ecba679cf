"""Programs that a run's folder or a file would start: told beforehand, and started only for who trusts them.

A config is only text, but `exec:` and `acpc:` in it are commands, and `python:` is a module to import. Who types them
on the command line means them. A folder or a file may come from somebody else: there they are named first. What this
user has typed or trusted is remembered outside of it, in the user's own state folder: by the place, the programs and
the working folder, in which their paths are looked for. So a run made here is continued here without a question, and a
copy of it, or one whose programs are others, is not.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nashgap.core.array_file import open_arrays
from nashgap.core.user_folders import state_folder
from nashgap.errors import NashGapError, OptionError

__all__ = ["Trust", "programs_in", "remember", "require_trust"]

Trust = bool | Callable[[str], bool]
"""Whether programs are started that a folder or a file names; or who is asked, with what would be started."""

_PROGRAM = re.compile(r"\b(exec(\([^()]*\))?|acpc|python):")
_COMMANDS = {"exec": "command", "acpc": "command", "python": "class"}  # of a bot's table, by its kind
_MOST_LETTERS = 300  # of a program in a message


def programs_in(value: Any, files: Iterable[object] = ()) -> tuple[str, ...]:
    """What would be started for this part of a config, or these files of strategies, as one types it; none twice."""
    found = dict.fromkeys(_programs(value))
    for file in files:
        with suppress(NashGapError, OSError, ValueError):  # told when the file is opened for its use
            found |= dict.fromkeys(_programs(open_arrays(Path(str(file))).metadata))
    return tuple(found)


def require_trust(what: str, place: Path, programs: tuple[str, ...], trust: Trust) -> None:
    """OptionError unless the programs that `what`, which lies at the place, would start are trusted."""
    if not programs or trust is True or _mark(place, programs) in _marks():
        return
    told = f"{what} starts {', '.join(map(_shown, programs))}"
    if trust is False or not trust(told):
        raise OptionError(f"{told}; whoever made it may have meant you harm: with `trust` it is started")


def remember(place: Path, programs: tuple[str, ...]) -> None:
    """This user means what lies at the place to start these programs; where that cannot be kept, it is asked again."""
    if not programs or (mark := _mark(place, programs)) in _marks():
        return
    with suppress(OSError):
        path = _marks_path()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "a", encoding="ascii") as file:
            file.write(f"{mark}\n")


def _programs(value: Any) -> Iterable[str]:
    match value:
        case str() if _PROGRAM.search(value):
            yield value.strip()
        case Mapping():
            key = _COMMANDS.get(kind) if isinstance(kind := value.get("kind"), str) else None
            if key is not None:
                yield f"{kind}:{value.get(key)}"
            for item in value.values():
                yield from _programs(item)
        case list() | tuple():
            for item in value:
                yield from _programs(item)


def _shown(program: str) -> str:
    """On one line, and without what a terminal would obey."""
    text = program if program.isprintable() else repr(program)
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]} ... ({len(text):,} letters)"


def _marks_path() -> Path:
    return state_folder() / "trusted"


def _marks() -> set[str]:
    try:
        return set(_marks_path().read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return set()


def _mark(place: Path, programs: tuple[str, ...]) -> str:
    told = json.dumps([str(place.resolve()), str(Path.cwd().resolve()), sorted(programs)])
    return hashlib.sha256(told.encode()).hexdigest()
