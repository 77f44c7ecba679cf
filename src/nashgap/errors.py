"""Every error that NashGap raises on purpose.

NashGapError
├── ConfigError            an unknown name, a bad parameter, an unknown key
│   ├── MissingExtraError  an optional package is not installed
│   └── OptionError        an option that is not for what it was given to
├── AgentError             a bot that fails while it plays
├── IllegalActionError     a move that the rules do not allow
├── GameSizeError          a game whose tree would not fit
├── UnsupportedGameError   a method asked of a game that it does not hold for
├── MismatchError          a strategy, state or file that belongs to another game
├── FileFormatError        a file that is not ours, cut short or damaged
├── OutputError            a place that cannot be written
│   └── UnsavedError       the same, after all work was done: the error has what was found
└── WireError              a player or dealer at the other end that does not keep to the protocol
    ├── WireClosedError    it has hung up
    └── WireTimeoutError   it was silent for too long

All inherit `ValueError` too: each of them means that the caller asked for something impossible.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

__all__ = [
    "AgentError",
    "ConfigError",
    "FileFormatError",
    "GameSizeError",
    "IllegalActionError",
    "MismatchError",
    "MissingExtraError",
    "NashGapError",
    "OptionError",
    "OutputError",
    "UnsavedError",
    "UnsupportedGameError",
    "WireClosedError",
    "WireError",
    "WireTimeoutError",
]


class NashGapError(ValueError):
    """Something that the caller can put right; the message says how."""


class ConfigError(NashGapError):
    """A name, parameter or key that is not known or not allowed."""


class MissingExtraError(ConfigError):
    """An optional package is needed and not installed."""


class OptionError(ConfigError):
    """An option is missing, or is not for what it was given to.

    text: the message, with names of options in backticks: Python and the command line call them otherwise.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(self.naming(lambda option: option))

    def naming(self, name_of: Callable[[str], str]) -> str:
        """The message with each option by the name that is made of Python's."""
        return re.sub(r"`(\w+)`", lambda option: name_of(option[1]), self.text)


class AgentError(NashGapError):
    """Somebody's own agent fails while it plays; the message names it and the place in its file."""


class IllegalActionError(NashGapError):
    """A move that the rules do not allow in this state."""


class GameSizeError(NashGapError):
    """The compiled game would be larger than the limit."""


class UnsupportedGameError(NashGapError):
    """The method does not hold for this kind of game."""


class MismatchError(NashGapError):
    """A strategy, state or file belongs to another game."""


class FileFormatError(NashGapError):
    """A file is not in our format, is cut short or is damaged."""


class OutputError(NashGapError):
    """A file or folder cannot be written."""


class UnsavedError(OutputError):
    """The file of what was found cannot be written, after all work was done; `found` has it."""

    def __init__(self, message: str, found: Any) -> None:
        self.found = found
        super().__init__(message)

    def __reduce__(self) -> tuple[type[UnsavedError], tuple[str, Any]]:
        return type(self), (str(self), self.found)


class WireError(NashGapError):
    """The other end of a connection does not keep to the protocol."""


class WireClosedError(WireError):
    """The other end has hung up, after a whole line."""


class WireTimeoutError(WireError):
    """The other end was silent for too long."""
