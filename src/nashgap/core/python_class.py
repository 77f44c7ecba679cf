"""Somebody's own class, found by `python:module:Class`, and what goes wrong in it told in one line.

A script that is run has the module name `__main__`; its classes go by the name of its file, so that what they made can
be loaded after it has ended.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path
from sysconfig import get_paths
from traceback import extract_tb
from types import ModuleType
from typing import Any

from nashgap.core.one_line import one_line
from nashgap.errors import ConfigError

__all__ = ["class_file", "class_name", "load_class", "made", "told"]

MAIN = "__main__"
_PACKAGE = str(Path(__file__).parent.parent)
MAX_LETTERS = 300  # of an error's text


def load_class(spec: str, kind: str, methods: dict[str, str]) -> type[Any]:
    """The class that `python:module:Class` names; modules in the current folder are found too.

    kind:    what the class is wanted for, as messages call it.
    methods: of these, with their arguments as messages tell them, the class must have one.
    """
    module = _imported(spec, kind)
    class_name = spec.split(":")[2]
    found = getattr(module, class_name, None)
    wanted = " or ".join(f"{name}({arguments})" for name, arguments in methods.items())
    if not isinstance(found, type):
        has = ", ".join(_fitting(module, methods)) or f"none with a method {wanted}"
        raise ConfigError(f"{kind} {spec!r}: module {module.__name__} has no class {class_name!r}; classes: {has}")
    try:
        is_fit = _has_one(found, methods)
    except BaseException as error:
        raise ConfigError(f"{kind} {spec!r}: class {class_name} cannot be asked what it has: {told(error)}") from error
    if not is_fit:
        raise ConfigError(f"{kind} {spec!r}: class {class_name} has no method {wanted}")
    return found


def class_file(spec: str) -> Path:
    """The file with the class that `python:module:Class` names."""
    return Path(inspect.getfile(getattr(_imported(spec, "class"), spec.split(":")[2])))


def class_name(found: type[Any]) -> str | None:
    """The text `python:module:Class` by which it is found again; None where it is defined within something else."""
    if found.__qualname__ != found.__name__:
        return None
    module = _script_name() if found.__module__ == MAIN else found.__module__
    return f"python:{module}:{found.__name__}"


def made(spec: str, kind: str, make: Any) -> Any:
    """An object of the class."""
    try:
        return make()
    except BaseException as error:
        raise ConfigError(f"{kind} {spec!r}: the class cannot be called without arguments: {told(error)}") from error


def told(error: BaseException) -> str:
    """`KeyError: 'x' (mybot.py, line 7)`: the error and the last place in somebody's own files that it passed.

    A class may raise anything, SystemExit and GeneratorExit too; but Ctrl-C is the user's, and is raised again.
    """
    if issubclass(type(error), KeyboardInterrupt):  # `isinstance` would ask the error, too, which may raise again
        raise error
    try:
        return _told(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:  # the error's own code fails
        return f"an error that fails while it is told, with {type(second)!r}"


def _told(error: BaseException) -> str:
    kind, said = type(error).__name__, one_line(_text_of(error), MAX_LETTERS)
    if isinstance(error, SyntaxError):  # which names its place itself
        return f"{kind}: {said}"
    frames = [frame for frame in extract_tb(error.__traceback__) if _is_somebodys(frame.filename)]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{kind}{': ' if said else ''}{said}{place}"


def _text_of(error: BaseException) -> str:
    """Which somebody's own code makes, too."""
    try:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:
        return f"(its text fails with {type(second).__name__})"


def _script_name() -> str:
    """The module name that the running script would have if it were imported."""
    main = sys.modules[MAIN]
    if getattr(main, "__spec__", None) is not None:  # python -m
        return str(main.__spec__.name) if main.__spec__ else MAIN
    file = getattr(main, "__file__", None)
    return Path(file).stem if file else MAIN


def _imported(spec: str, kind: str) -> ModuleType:
    parts = spec.split(":")
    if len(parts) != 3 or not all(parts):
        raise ConfigError(f"{kind} {spec!r} must be python:module:Class")
    module_name = parts[1]
    if module_name not in sys.modules and module_name == _script_name():
        return sys.modules[MAIN]  # imported, it would run a second time
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        if f"{module_name}.".startswith(f"{error.name}."):
            wanted = f"there is no module {error.name!r}, neither installed nor in {here}"
        else:
            wanted = f"module {module_name} cannot be imported: {told(error)}"
        raise ConfigError(f"{kind} {spec!r}: {wanted}") from error
    except BaseException as error:
        raise ConfigError(f"{kind} {spec!r}: module {module_name} cannot be imported: {told(error)}") from error


def _fitting(module: ModuleType, methods: dict[str, str]) -> list[str]:
    """The classes of the module's own that would do."""
    own = (item for item in vars(module).values() if isinstance(item, type))
    return sorted(item.__name__ for item in own if _is_fitting(item, module, methods))


def _is_fitting(item: type[Any], module: ModuleType, methods: dict[str, str]) -> bool:
    try:
        return item.__module__ == module.__name__ and _has_one(item, methods)
    except KeyboardInterrupt:
        raise
    except BaseException:  # of somebody's own metaclass
        return False


def _has_one(item: type[Any], methods: dict[str, str]) -> bool:
    return any(callable(getattr(item, name, None)) for name in methods)


def _is_somebodys(filename: str) -> bool:
    """Whether the file belongs neither to this package nor to Python and what is installed."""
    libraries = (get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return not filename.startswith((_PACKAGE, "<frozen", *libraries))
