"""Somebody's own class as an agent: `python:module:Class`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from nashgap.errors import ConfigError, IllegalActionError
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, View

__all__ = ["PythonAgent", "class_file", "load_class"]


class PythonAgent:
    """A player that needs nothing but `act(view)`; the other methods of `Agent` are called if it has them.

    make: gives the player of each match; a class gives a new one, which remembers nothing.
    """

    deals_per_batch = 100

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.name = name
        self._make = make
        self._player = _made(name, make)

    def start_match(self, rules: PokerRules) -> None:
        self._player = _made(self.name, self._make)
        self._call("start_match", rules)

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._call("start_hand", seat, rng)

    def act(self, view: View) -> Action:
        action = self._player.act(view)
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise IllegalActionError(f"{self.name} answers {action!r}; an action is a whole number: -1, 0 or chips")
        return int(action)

    def end_hand(self, hand: HandRecord) -> None:
        self._call("end_hand", hand)

    def _call(self, method: str, *arguments: object) -> None:
        if hasattr(self._player, method):
            getattr(self._player, method)(*arguments)


def load_class(spec: str) -> type[Any]:
    """The class that `python:module:Class` names; modules in the current folder are found too."""
    parts = spec.split(":")
    if len(parts) != 3 or not all(parts):
        raise ConfigError(f"agent {spec!r} must be python:module:Class")
    _, module_name, class_name = parts
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"agent {spec!r}: there is no module {error.name!r}") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        raise ConfigError(f"agent {spec!r}: module {module_name} has no class {class_name!r}")
    if not callable(getattr(found, "act", None)):
        raise ConfigError(f"agent {spec!r}: class {class_name} has no method act(view)")
    return found


def class_file(spec: str) -> Path:
    """The file with the class that `python:module:Class` names."""
    return Path(inspect.getfile(load_class(spec)))


def _made(name: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except TypeError as error:
        raise ConfigError(f"agent {name!r}: the class must be callable without arguments: {error}") from error
