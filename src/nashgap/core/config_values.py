"""Values as a run's config keeps them: strings, numbers, booleans, lists and tables, and back by the types of fields.

Plain values stay as they are; tuples become lists, enumerations their value, dataclasses tables of their fields. A type
that knows better has `to_config(self)` and the class method `from_config(cls, value, inputs)`; one that was made from
files tells them by `inputs(self)`, as paths by digest: a config keeps the digests, and the paths beside it.
"""

from __future__ import annotations

import dataclasses
import reprlib
import types
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from nashgap.errors import ConfigError

__all__ = ["collect_inputs", "fields_from_config", "from_config", "to_config"]

_PLAIN = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


def to_config(value: Any) -> Any:
    """The value as TOML and JSON can hold it; None where there is none."""
    if hasattr(value, "to_config"):
        return value.to_config()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_config(getattr(value, each.name)) for each in dataclasses.fields(value) if each.init}
    if isinstance(value, Mapping):
        return {str(key): to_config(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_config(item) for item in value]
    return value


def from_config(kind: Any, value: Any, inputs: Mapping[str, str]) -> Any:
    """The value of this type that `to_config` has made into `value`.

    inputs: paths of files by their digests.
    """
    if hasattr(kind, "from_config"):
        return kind.from_config(value, inputs)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _from_union(arguments, value, inputs)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(from_config(arguments[0], item, inputs) for item in value)
    if origin is tuple:
        return tuple(from_config(each, item, inputs) for each, item in zip(arguments, value, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {_key(arguments[0], key): from_config(arguments[1], item, inputs) for key, item in value.items()}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return fields_from_config(kind, value, inputs)
    if isinstance(kind, type) and issubclass(kind, Enum | Path):
        return kind(value)
    return _plain(kind, value) if kind in _PLAIN else value


def collect_inputs(values: Iterable[Any]) -> dict[str, str]:
    """The files that any of these values, or what is in them, were made from."""
    found: dict[str, str] = {}
    for value in values:
        if hasattr(value, "inputs"):
            found |= value.inputs()
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            found |= collect_inputs(getattr(value, each.name) for each in dataclasses.fields(value))
        elif isinstance(value, Mapping):
            found |= collect_inputs(value.values())
        elif isinstance(value, tuple | list):
            found |= collect_inputs(value)
    return found


def _from_union(kinds: tuple[Any, ...], value: Any, inputs: Mapping[str, str]) -> Any:
    if value is None:
        return None
    real = [kind for kind in kinds if kind is not types.NoneType]
    if len(real) == 1:
        return from_config(real[0], value, inputs)
    if any(isinstance(kind, type) and type(value) is kind for kind in real):
        return value
    for kind in real:
        if hasattr(kind, "from_config") or dataclasses.is_dataclass(kind):
            return from_config(kind, value, inputs)
    return value


def _plain(kind: type, value: Any) -> Any:
    """A value of a plain type; a whole number will do for any number."""
    if type(value) is kind:
        return value
    if kind is float and type(value) is int:
        return float(value)
    raise ConfigError(f"{reprlib.repr(value)} is not {_PLAIN[kind]}")


def _key(kind: Any, key: str) -> Any:
    return int(key) if kind is int else key


def fields_from_config(kind: type, value: Mapping[str, Any], inputs: Mapping[str, str]) -> Any:
    """The dataclass whose fields `value` has by name; an unknown one is refused."""
    hints = get_type_hints(kind)
    if not isinstance(value, Mapping):
        raise ConfigError(f"{reprlib.repr(value)} is not a table")
    fields = [each for each in dataclasses.fields(cast(Any, kind)) if each.init]
    known = {each.name for each in fields}
    if unknown := sorted(set(value) - known):
        raise ConfigError(f"unknown keys {unknown}; known: {sorted(known)}")
    nothing = dataclasses.MISSING
    needed = {each.name for each in fields if each.default is nothing and each.default_factory is nothing}
    if missing := sorted(needed - set(value)):
        raise ConfigError(f"missing keys {missing}")
    return kind(**{name: _field(name, hints[name], item, inputs) for name, item in value.items()})


def _field(name: str, kind: Any, value: Any, inputs: Mapping[str, str]) -> Any:
    try:
        return from_config(kind, value, inputs)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from error
