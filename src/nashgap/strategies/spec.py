"""The text that names a strategy or an agent, taken apart.

`always-call`, `triple(0.1,0.4,0.5)`, `poki-sim(trials=50)` are names of the catalogue; `ir16.safetensors` is a strategy
file, and one of an abstract game may be played with options, `ir16.safetensors(fallback=call, threshold=0.1)`, see
`nashgap.strategies.play_options`; `python:module:Class` is a class of somebody's own; `exec:COMMAND` and
`acpc:COMMAND` are programs.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

from nashgap.catalogue import AGENTS, Registry
from nashgap.errors import ConfigError, FileFormatError

__all__ = ["SUFFIX", "command_words", "file_and_options", "file_word", "is_file_spec", "named_object", "spec_digest"]

_NAME = re.compile(r"(?P<name>[\w-]+)(\((?P<arguments>[^()]*)\))?")
_FILE_WITH_OPTIONS = re.compile(r"(?P<path>.+)\((?P<options>[^()]*)\)", re.DOTALL)
_PROGRAM = re.compile(r"(acpc|exec(\([^()]*\))?):(?P<command>.*)", re.DOTALL)
SUFFIX = ".safetensors"


def is_file_spec(spec: str) -> bool:
    """Whether the spec is the path of a file; a name of the catalogue never is."""
    return spec not in AGENTS.entries and os.path.isfile(spec)


def file_and_options(spec: str) -> tuple[str, str] | None:
    """The path of a strategy file and the text of its options; None where the spec names no file."""
    if is_file_spec(spec):
        return spec, ""
    match = _FILE_WITH_OPTIONS.fullmatch(spec)
    return (match["path"].strip(), match["options"]) if match and is_file_spec(match["path"].strip()) else None


def file_word(spec: str) -> str:
    """A spec as part of a file's name."""
    return "".join(letter if letter.isalnum() else "-" for letter in Path(spec).stem).strip("-")


def named_object(spec: str, registry: Registry[Any], forms: str) -> Any:
    """What a name of the registry, perhaps with arguments, makes.

    forms: what else a spec may be, for the error.
    """
    kind = registry.kind
    if spec.endswith(SUFFIX) or f"{SUFFIX}(" in spec:
        raise ConfigError(f"{kind} {spec!r}: there is no such strategy file")
    match = _NAME.fullmatch(spec)
    if match is None:
        raise ConfigError(f"{kind} {spec!r} must be a name, name(arguments), {forms}")
    make = registry.load(match["name"])
    positional, named = _arguments(kind, spec, match["arguments"] or "")
    try:
        inspect.signature(make).bind(*positional, **named)
    except TypeError as error:
        wanted = ", ".join(inspect.signature(make).parameters) or "none"
        raise ConfigError(f"{kind} {spec!r}: {error}; arguments are: {wanted}") from None
    return make(*positional, **named)


def _arguments(kind: str, spec: str, text: str) -> tuple[list[float], dict[str, float]]:
    positional: list[float] = []
    named: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = part.rpartition("=")
        try:
            number = float(value) if not value.strip().lstrip("+-").isdigit() else int(value)
        except ValueError:
            raise ConfigError(f"{kind} {spec!r}: {value.strip()!r} is not a number") from None
        if equals:
            named[key.strip()] = number
        else:
            positional.append(number)
    return positional, named


def command_words(kind: str, spec: str, command: str) -> list[str]:
    """The words of a command as in a shell; its program is there."""
    words = _split(kind, spec, command)
    if not words:
        raise ConfigError(f"{kind} '{spec}' has no command; it must be {spec.partition(':')[0]}:COMMAND")
    if shutil.which(words[0]) is None:
        raise ConfigError(f"{kind} '{spec}': there is no program {words[0]!r}, or it may not be executed")
    return words


def _split(kind: str, spec: str, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"{kind} '{spec}': {error}") from None


def spec_digest(spec: str) -> str | None:
    """Of the files that a bot is made of, so that a changed bot is another bot; None for names of the catalogue."""
    if spec.startswith("python:"):
        from nashgap.strategies.python_class import class_file

        paths = [class_file(spec)]
    elif match := _PROGRAM.fullmatch(spec):
        words = _split("bot", spec, match["command"])
        paths = [Path(found) for word in words if (found := shutil.which(word) or word) and Path(found).is_file()]
    elif found_file := file_and_options(spec):
        return _file_digest(Path(found_file[0]))
    else:
        paths = []
    if not paths:
        return None
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def _file_digest(path: Path) -> str:
    """A strategy file, which may have gigabytes, tells the hash of its content; others are read."""
    from nashgap.core.array_file import content_digest

    try:
        return content_digest(path)[:16]
    except FileFormatError:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
