"""What a run is, complete, in one small TOML file: the same file gives the same numbers.

The id of a run hashes what determines the numbers (kind and identity), so that the same work lands in the same folder
whatever its budget, workers or place. A checksum over all of it tells that no byte has changed since it was written.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import metadata
from pathlib import Path
from typing import Any, Self

from nashgap.core.job import Job, is_whole
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, FileFormatError

__all__ = ["FORMAT", "FORMAT_WITHOUT_CHECKSUM", "RunConfig", "load_config", "package_version"]

FORMAT = 3  # of configs and of what lies beside them; 1 was written by version 0.1
FORMAT_WITHOUT_CHECKSUM = 2  # which is continued, too
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class RunConfig:
    """One run, complete.

    kind:     the job's key in the catalogue.
    name:     readable.
    version:  of the package that ran it last.
    identity: all that determines the numbers; values are str, int, float, bool, lists and tables of these.
    budget:   how far to go; the same values.
    inputs:   paths of the files that the job was given, by digest: where they are looked for, no part of the identity.
    format:   of the run's folder.
    """

    kind: str
    name: str
    version: str
    identity: dict[str, Any]
    budget: dict[str, Any]
    inputs: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    def __post_init__(self) -> None:
        for key in ("kind", "name", "version"):
            if not isinstance(getattr(self, key), str):
                raise ConfigError(f"{key} = {getattr(self, key)!r}; it must be a string")
        if not is_whole(self.format):
            raise ConfigError(f"format = {self.format!r}; it must be a whole number")
        for key in ("identity", "budget", "inputs"):
            if not isinstance(getattr(self, key), Mapping):
                raise ConfigError(f"{key} = {getattr(self, key)!r}; it must be a table")
            object.__setattr__(self, key, _plain(getattr(self, key), key))

    @classmethod
    def of(cls, job: Job) -> Self:
        return cls(job.kind, job.name, package_version(), job.identity(), job.budget(), dict(job.inputs()))

    @property
    def run_id(self) -> str:
        """Twelve hexadecimal digits, the same for equal kind and identity."""
        canonical = json.dumps({"kind": self.kind, "identity": self.identity}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    @property
    def checksum(self) -> str:
        """Of all that it says."""
        told = json.dumps({each.name: getattr(self, each.name) for each in fields(self)}, sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def to_toml(self) -> str:
        lines = [f"{key} = {_toml(getattr(self, key))}" for key in ("kind", "name", "version", "format", "checksum")]
        for key in ("identity", "budget", "inputs"):
            table: dict[str, Any] = getattr(self, key)
            lines += ["", f"[{key}]", *(f"{_toml_key(name)} = {_toml(value)}" for name, value in table.items())]
        return "\n".join(lines) + "\n"


def load_config(path: Path) -> RunConfig:
    """The config in the file; an error names the file, the key and what is allowed."""
    raw = read_toml(path)
    checksum = raw.pop("checksum", None)
    try:
        config = _parse(raw)
    except ConfigError as error:
        if checksum is not None or raw.get("format") == FORMAT:
            raise _damaged(path, str(error)) from error
        raise ConfigError(f"{path}: {error}") from error
    has_none = checksum is None and config.format in range(1, FORMAT_WITHOUT_CHECKSUM + 1)
    if not has_none and checksum != config.checksum:
        raise _damaged(path, "it is not what was written")
    return config


def _parse(raw: Mapping[str, Any]) -> RunConfig:
    known = [each.name for each in fields(RunConfig)]
    if unknown := sorted(set(raw) - set(known)):
        raise ConfigError(f"unknown keys {unknown}; known: {known}")
    if missing := [key for key in known if key not in raw and key not in ("inputs", "format")]:
        raise ConfigError(f"missing keys {missing}")
    return RunConfig(**{"format": 1, **raw})


def _damaged(path: Path, what: str) -> FileFormatError:
    return FileFormatError(f"{path}: damaged or edited: {what}; the command of the run, given again, writes it anew")


def package_version() -> str:
    """The installed version of nashgap, or `unknown` when it runs from a source tree."""
    try:
        return metadata.version("nashgap")
    except metadata.PackageNotFoundError:
        return "unknown"


def _plain(value: Any, where: str) -> Any:
    """The value as TOML and JSON both can hold it: no None, tuples as lists, subclasses of float as floats."""
    match value:
        case bool() | str():
            return value
        case int():
            return int(value)
        case float() if math.isfinite(value):
            return float(value)
        case list() | tuple():
            return [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
        case Mapping() if all(isinstance(key, str) for key in value):
            return {key: _plain(item, f"{where}.{key}") for key, item in value.items() if item is not None}
    raise ConfigError(
        f"{where} = {value!r}; it must be a string, a finite number, true, false, or a list or table of these"
    )


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            # JSON's escapes are TOML's, but for DEL, which only TOML wants escaped.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return "[" + ", ".join(_toml(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{_toml_key(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    raise AssertionError(f"not a plain value: {value!r}")


def _toml_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _toml(key)
