"""Bots: whatever can play or be asked, as values, each with what names it and what determines its numbers.

Each has `text`, which parses back to it (but for an object; see `spec.py`); `digest`, 16 hex digits of the files that
it is made of; `identity()`, what determines its numbers, as JSON has it and without the path of a file; and `inputs()`,
the files that a run must keep to be continued, by their digest. What a digest covers, and what not, is in
docs/formats.md.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from nashgap.catalogue import RESIDENTS
from nashgap.core.array_file import DIGEST_DIGITS, file_digest
from nashgap.core.program import ProgramLimits, shell_words
from nashgap.core.python_class import class_file
from nashgap.errors import ConfigError
from nashgap.strategies.patch import Patch, parse_patches

__all__ = [
    "BY_HAND",
    "MASTER",
    "AcpcBot",
    "Bot",
    "ExecBot",
    "FileBot",
    "GivenBot",
    "HandByHand",
    "MasterBot",
    "NamedBot",
    "PatchedBot",
    "PythonBot",
    "bot_from_identity",
    "by_hand",
]

PIECE_BYTES = 1 << 20  # of a file that is hashed
BY_HAND = "by-hand:"
"""Before the text of a player that is to be asked hand by hand."""
MASTER = "master:"
"""Before the text of a base that summons experts."""


class Bot(ABC):
    """Whatever plays or can be asked, by what names it."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What parses back to it, but for an object."""

    @property
    @abstractmethod
    def digest(self) -> str | None:
        """16 hex digits of the files that it is made of; None where it is made of none."""

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """What determines its numbers, as JSON has it and without the path of a file."""

    def inputs(self) -> dict[str, str]:
        """The strategy files that it is made of, by their digest."""
        return {}

    @property
    def is_named(self) -> bool:
        """Whether its text parses back to it."""
        return True

    @property
    def label(self) -> str:
        """Its text, or of a file its digest: the same wherever the file lies."""
        return self.text

    def to_config(self) -> dict[str, Any]:
        """As the config of a run keeps it."""
        return self.identity()

    @classmethod
    def from_config(cls, value: Mapping[str, Any], inputs: Mapping[str, str]) -> Bot:
        return bot_from_identity(value, inputs)


@dataclass(frozen=True)
class NamedBot(Bot):
    """A name of the catalogue with its arguments."""

    name: str
    positional: tuple[float, ...] = ()
    named: tuple[tuple[str, float], ...] = ()

    @property
    def text(self) -> str:
        arguments = [*map(repr, self.positional), *(f"{key}={value!r}" for key, value in self.named)]
        return f"{self.name}({','.join(arguments)})" if arguments else self.name

    @property
    def digest(self) -> None:
        return None

    def identity(self) -> dict[str, Any]:
        return {"kind": "name", "name": self.name, "positional": [*self.positional], "named": dict(self.named)}


@dataclass(frozen=True)
class FileBot(Bot):
    """A strategy file. options: of `PlayOptions`, those that are played otherwise than the file says."""

    path: str
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        return f"{self.name}({_options_text(self.options)})" if self.options else self.name

    @property
    def name(self) -> str:
        """Of a file that comes with the package that of the catalogue; else its path."""
        return next((name for name in RESIDENTS.entries if str(RESIDENTS.load(name)) == self.path), self.path)

    @cached_property
    def digest(self) -> str:
        return file_digest(Path(self.path))

    def identity(self) -> dict[str, Any]:
        return {"kind": "file", "digest": self.digest, "options": dict(self.options)}

    def inputs(self) -> dict[str, str]:
        return {self.digest: self.path}

    @property
    def label(self) -> str:
        return f"sha256:{self.digest}"


@dataclass(frozen=True)
class PythonBot(Bot):
    """A class that is called without arguments, found in the current folder or installed."""

    module: str
    class_name: str

    @property
    def text(self) -> str:
        return f"python:{self.module}:{self.class_name}"

    @cached_property
    def digest(self) -> str:
        return _digest_of(class_file(self.text))

    def identity(self) -> dict[str, Any]:
        return {"kind": "python", "class": f"{self.module}:{self.class_name}", "digest": self.digest}


@dataclass(frozen=True)
class ExecBot(Bot):
    """A program that speaks the protocol of docs/formats.md."""

    command: str
    limits: ProgramLimits = field(default_factory=ProgramLimits)

    @property
    def text(self) -> str:
        limits = _options_text(self.limits.changes().items())
        return f"exec({limits}):{self.command}" if limits else f"exec:{self.command}"

    @cached_property
    def digest(self) -> str | None:
        return _program_digest(self.text, self.command)

    def identity(self) -> dict[str, Any]:
        # A network adds up in another order in batches of another size, and a search may watch the clock.
        return {"kind": "exec", "command": self.command, "digest": self.digest, "limits": self.limits.changes()}


@dataclass(frozen=True)
class AcpcBot(Bot):
    """A player program of the competition."""

    command: str

    @property
    def text(self) -> str:
        return f"acpc:{self.command}"

    @cached_property
    def digest(self) -> str | None:
        return _program_digest(self.text, self.command)

    def identity(self) -> dict[str, Any]:
        return {"kind": "acpc", "command": self.command, "digest": self.digest}


@dataclass(frozen=True)
class HandByHand(Bot):
    """A deterministic player that only plays, asked for one hand after the other; see `nashgap.agents.by_hand`."""

    player: Bot

    @property
    def text(self) -> str:
        return f"{BY_HAND}{self.player.text}"

    @property
    def digest(self) -> str | None:
        return self.player.digest

    def identity(self) -> dict[str, Any]:
        return {"kind": "by-hand", "player": self.player.identity()}

    def inputs(self) -> dict[str, str]:
        return self.player.inputs()

    @property
    def is_named(self) -> bool:
        return self.player.is_named


@dataclass(frozen=True)
class MasterBot(Bot):
    """A base of any other kind, and files of experts who play behind the betting that they are for."""

    base: Bot
    experts: tuple[FileBot, ...]

    def __post_init__(self) -> None:
        if isinstance(self.base, MasterBot):
            raise ConfigError(f"{self.base.text!r} is a master already; one master has all experts, {MASTER}BASE+A+B")

    @property
    def text(self) -> str:
        return "+".join([f"{MASTER}{self.base.text}", *(expert.text for expert in self.experts)])

    @cached_property
    def digest(self) -> str:
        told = hashlib.sha256(repr([self.base.text if self.base.digest is None else self.base.digest]).encode())
        for expert in self.experts:
            told.update(repr(expert.identity()).encode())
        return told.hexdigest()[:DIGEST_DIGITS]

    def identity(self) -> dict[str, Any]:
        experts = [expert.identity() for expert in self.experts]
        return {"kind": "master", "base": self.base.identity(), "experts": experts}

    def inputs(self) -> dict[str, str]:
        found = self.base.inputs()
        for expert in self.experts:
            found = {**found, **expert.inputs()}
        return found

    @property
    def is_named(self) -> bool:
        return self.base.is_named

    @property
    def label(self) -> str:
        return "+".join([f"{MASTER}{self.base.label}", *(expert.label for expert in self.experts)])


@dataclass(frozen=True)
class PatchedBot(Bot):
    """A base of any kind that answers for all hands, and what it does otherwise, where."""

    base: Bot
    patches: tuple[Patch, ...]

    @property
    def text(self) -> str:
        return f"patched({self.patches_text}):{self.base.text}"

    @property
    def patches_text(self) -> str:
        return "; ".join(map(str, self.patches))

    @cached_property
    def digest(self) -> str | None:
        """Of the base and the patches; None where the base has none."""
        base = self.base.digest
        return None if base is None else _digest_of_text(repr([base, self.patches_text]))

    def identity(self) -> dict[str, Any]:
        return {"kind": "patched", "base": self.base.identity(), "patches": self.patches_text}

    def inputs(self) -> dict[str, str]:
        return self.base.inputs()

    @property
    def is_named(self) -> bool:
        return self.base.is_named

    @property
    def label(self) -> str:
        return f"patched({self.patches_text}):{self.base.label}"


@dataclass(frozen=True, eq=False)
class GivenBot(Bot):
    """An object. digest: by which a run knows it again; None where nobody told one."""

    given: Any
    digest: str | None = None

    @property
    def text(self) -> str:
        """Its name, or that of its class; it does not parse back."""
        return str(getattr(self.given, "name", "") or type(self.given).__name__)

    def identity(self) -> dict[str, Any]:
        if self.digest is None:
            raise ConfigError(
                f"{self.text} is an object without a digest, so that a run cannot know it again; give it an attribute"
                " 'digest', a text that changes whenever it plays otherwise"
            )
        return {"kind": "given", "name": self.text, "digest": self.digest}

    @property
    def is_named(self) -> bool:
        return False


def bot_from_identity(identity: Mapping[str, Any], inputs: Mapping[str, str] | None = None) -> Bot:
    """The bot of which `identity()` told this; inputs: where its files lie now, by their digest."""
    try:
        match identity["kind"]:
            case "name":
                return NamedBot(identity["name"], tuple(identity["positional"]), tuple(identity["named"].items()))
            case "file":
                return _found_again(identity, inputs or {})
            case "python":
                return PythonBot(*identity["class"].split(":"))
            case "exec":
                return ExecBot(identity["command"], ProgramLimits(**identity["limits"]))
            case "acpc":
                return AcpcBot(identity["command"])
            case "by-hand":
                return HandByHand(bot_from_identity(identity["player"], inputs))
            case "master":
                experts = tuple(_found_again(expert, inputs or {}) for expert in identity["experts"])
                return MasterBot(bot_from_identity(identity["base"], inputs), experts)
            case "patched":
                return PatchedBot(bot_from_identity(identity["base"], inputs), parse_patches(identity["patches"]))
            case "given":
                raise ConfigError(
                    f"{identity['name']} was an object of Python, not a name or a file; give it again there: the same"
                    " call with run= continues"
                )
            case kind:
                raise ConfigError(f"a bot of the kind {kind!r} is not known")
    except (KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"not what tells a bot: {error!r}") from error


def _found_again(identity: Mapping[str, Any], inputs: Mapping[str, str]) -> FileBot:
    """The file of this digest, where it was last; refused if it is gone or has changed."""
    digest = identity["digest"]
    path = inputs[digest]
    if not os.path.isfile(path):
        raise ConfigError(f"the strategy file {path} is gone; put it back (digest {digest}), or start again")
    bot = FileBot(path, tuple(identity["options"].items()))
    if bot.digest != digest:
        raise ConfigError(
            f"the strategy file {path} has changed: its digest is {bot.digest}, not {digest}; put the old one back, or"
            " start again"
        )
    return bot


def by_hand(bot: Bot) -> HandByHand:
    """The same player, asked hand by hand."""
    return bot if isinstance(bot, HandByHand) else HandByHand(bot)


def _options_text(options: Any) -> str:
    """`fallback=call, threshold=0.1`."""
    return ", ".join(f"{key}={_value_text(value)}" for key, value in options)


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _program_digest(text: str, command: str) -> str | None:
    """Of the files among the words of a command, the program itself included."""
    found = [shutil.which(word) or word for word in shell_words("bot", text, command)]
    paths = [Path(path) for path in found if path and os.path.isfile(path)]
    return _digest_of(*paths) if paths else None


def _digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]


def _digest_of(*paths: Path) -> str:
    """Of one after the other; a program's words may name models of gigabytes."""
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)
    return digest.hexdigest()[:DIGEST_DIGITS]
