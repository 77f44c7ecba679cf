"""Somebody's own class as an agent: `python:module:Class`.

Whatever goes wrong in it is told in one line with the place in its file; the cause has the whole traceback.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from reprlib import repr as short
from sysconfig import get_paths
from traceback import extract_tb
from types import ModuleType
from typing import Any

import numpy as np

from nashgap.errors import AgentError, ConfigError, IllegalActionError
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, View

__all__ = ["PythonAgent", "class_file", "load_class"]

_PACKAGE = str(Path(__file__).parent.parent)
# A class may end the process (SystemExit); Ctrl-C is the user's and passes.
_FAILURES = (Exception, SystemExit)


class PythonAgent:
    """A player that needs nothing but `act(view)`; the other methods of `Agent` are called if it has them.

    make: gives the player of each match; a class gives a new one, which remembers nothing.
    """

    deals_per_batch = 25  # few, because it may be slow: what is finished is kept, and tells the time left

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.name = name
        self._make = make
        self._player = self._made()

    def start_match(self, rules: PokerRules) -> None:
        self._player = self._made()
        self._call("start_match", rules)

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._call("start_hand", seat, rng)

    def act(self, view: View) -> Action:
        try:
            action = self._player.act(view)
        except _FAILURES as error:
            raise AgentError(f"{self.name} fails in act(view): {_told(error)}") from error
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise IllegalActionError(
                f"{self.name} answers {short(action)}; an action is a whole number: -1, 0 or chips"
            )
        return int(action)

    def end_hand(self, hand: HandRecord) -> None:
        self._call("end_hand", hand)

    def _call(self, method: str, *arguments: object) -> None:
        if hasattr(self._player, method):
            try:
                getattr(self._player, method)(*arguments)
            except _FAILURES as error:
                raise AgentError(f"{self.name} fails in {method}: {_told(error)}") from error

    def _made(self) -> Any:
        try:
            return self._make()
        except _FAILURES as error:
            raise ConfigError(
                f"agent {self.name!r}: the class cannot be called without arguments: {_told(error)}"
            ) from error


def load_class(spec: str) -> type[Any]:
    """The class that `python:module:Class` names; modules in the current folder are found too."""
    parts = spec.split(":")
    if len(parts) != 3 or not all(parts):
        raise ConfigError(f"agent {spec!r} must be python:module:Class")
    _, module_name, class_name = parts
    module = _imported(spec, module_name)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        has = ", ".join(_bots(module)) or "none with a method act(view)"
        raise ConfigError(f"agent {spec!r}: module {module_name} has no class {class_name!r}; classes: {has}")
    if not callable(getattr(found, "act", None)):
        raise ConfigError(f"agent {spec!r}: class {class_name} has no method act(view)")
    return found


def class_file(spec: str) -> Path:
    """The file with the class that `python:module:Class` names."""
    return Path(inspect.getfile(load_class(spec)))


def _imported(spec: str, module_name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        if f"{module_name}.".startswith(f"{error.name}."):
            wanted = f"there is no module {error.name!r}, neither installed nor in {here}"
        else:
            wanted = f"module {module_name} cannot be imported: {_told(error)}"
        raise ConfigError(f"agent {spec!r}: {wanted}") from error
    except _FAILURES as error:
        raise ConfigError(f"agent {spec!r}: module {module_name} cannot be imported: {_told(error)}") from error


def _bots(module: ModuleType) -> list[str]:
    """The classes of the module's own that could play."""
    own = (item for item in vars(module).values() if isinstance(item, type) and item.__module__ == module.__name__)
    return sorted(item.__name__ for item in own if callable(getattr(item, "act", None)))


def _told(error: BaseException) -> str:
    """`KeyError: 'x' (mybot.py, line 7)`: the error and the last place in somebody's own files that it passed."""
    if isinstance(error, SyntaxError):  # which names its place itself
        return f"{type(error).__name__}: {error}"
    frames = [frame for frame in extract_tb(error.__traceback__) if _is_somebodys(frame.filename)]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    said = str(error)
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}"


def _is_somebodys(filename: str) -> bool:
    """Whether the file belongs neither to this package nor to Python and what is installed."""
    libraries = (get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return not filename.startswith((_PACKAGE, "<frozen", *libraries))
