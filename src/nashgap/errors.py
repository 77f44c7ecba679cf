"""Every error that NashGap raises on purpose.

NashGapError
├── ConfigError            an unknown name, a bad parameter, an unknown key
│   └── MissingExtraError  an optional package is not installed
├── IllegalActionError     a move that the rules do not allow
├── GameSizeError          a game whose tree would not fit
├── UnsupportedGameError   a method asked of a game that it does not hold for
├── MismatchError          a strategy, state or file that belongs to another game
├── FileFormatError        a file that is not ours, cut short or damaged
└── OutputError            a place that cannot be written

All inherit `ValueError` too: each of them means that the caller asked for something impossible.
"""

__all__ = [
    "ConfigError",
    "FileFormatError",
    "GameSizeError",
    "IllegalActionError",
    "MismatchError",
    "MissingExtraError",
    "NashGapError",
    "OutputError",
    "UnsupportedGameError",
]


class NashGapError(ValueError):
    """Something that the caller can put right; the message says how."""


class ConfigError(NashGapError):
    """A name, parameter or key that is not known or not allowed."""


class MissingExtraError(ConfigError):
    """An optional package is needed and not installed."""


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
