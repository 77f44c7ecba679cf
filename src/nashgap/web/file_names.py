"""Names of strategy files without the folders that they lie in, which are nobody's business."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

__all__ = ["short_paths", "with_short_paths", "with_texts"]

_PATH = r"(?:[^\s'\"(+:=]*/)?[^\s/'\"]+\.safetensors"


def short_paths(paths: Iterable[str]) -> dict[str, str]:
    """Each path as the name of its file, with as many of its folders as tell it from the other paths."""
    parts = {path: path.split("/") for path in paths}
    found = {}
    for path, own in parts.items():
        others = [other for each, other in parts.items() if each != path]
        size = 1
        while size < len(own) and any(own[-size:] == other[-size:] for other in others):
            size += 1
        found[path] = "/".join(own[-size:])
    return found


def with_short_paths(value: Any, files: Iterable[str] = ()) -> Any:
    """The value with all paths of strategy files in its texts told so; two files keep two names.

    files: that are known, and found whatever letters are in their names.
    """
    known = "|".join(re.escape(file) for file in sorted(files, key=len, reverse=True))
    path = re.compile(f"{known}|{_PATH}" if known else _PATH)
    names = short_paths(found for text in _texts(value) for found in path.findall(text))
    return with_texts(value, lambda text: path.sub(lambda found: names[found[0]], text))


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The value with all of its texts changed, those of keys too."""
    match value:
        case str():
            return change(value)
        case Mapping():
            return {with_texts(key, change): with_texts(item, change) for key, item in value.items()}
        case list() | tuple():
            return [with_texts(item, change) for item in value]
    return value


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for key, item in value.items():
                yield from _texts(key)
                yield from _texts(item)
        case list() | tuple():
            for item in value:
                yield from _texts(item)
