"""The text that names a bot, taken apart once; whatever else can play or be asked is wrapped, so that all are alike.

    always-call, triple(0.1,0.4,0.5)   a name of the catalogue                          NamedBot
    resident-hunl                      a strategy file that comes with the package      FileBot
    ir16.safetensors(fallback=call)    a strategy file, perhaps played with options     FileBot
    python:module:Class                a class of somebody's own                        PythonBot
    exec(seconds=5):COMMAND            a program that tells what it does with all hands ExecBot
    acpc:COMMAND                       a program that plays                             AcpcBot
    by-hand:PLAYER                     one that only plays, asked hand by hand          HandByHand
    master:BASE+EXPERTS.safetensors    a base that summons experts by the betting       MasterBot
    patched(PLACE = CHANGES; ...):BOT  a bot that does otherwise in some places         PatchedBot
    an object                          with `policies`, `sample_policies` or `act`,     GivenBot
                                       or of OpenSpiel's: `simulated_policy.py`

Each has `text`, which parses back to it (but for an object); `digest`, 16 hex digits of the files that it is made of;
`identity()`, what determines its numbers, as JSON has it and without the path of a file; and `inputs()`, the files that
a run must keep to be continued, by their digest. What a digest covers, and what not, is in docs/formats.md.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from nashgap.catalogue import AGENTS, POKER_STRATEGIES, POLICIES, RESIDENTS, Registry
from nashgap.core.array_file import DIGEST_DIGITS, file_digest
from nashgap.core.program import ProgramLimits, shell_words
from nashgap.core.python_class import class_file
from nashgap.errors import ConfigError
from nashgap.strategies.patch import Patch, parse_patches
from nashgap.strategies.play_options import PlayOptions, parse_play_options

__all__ = [
    "BY_HAND",
    "HUMAN",
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
    "as_bot",
    "bot_from_identity",
    "by_hand",
    "file_word",
    "named_object",
    "parse_bot",
]

SUFFIX = ".safetensors"
PIECE_BYTES = 1 << 20  # of a file that is hashed
BY_HAND = "by-hand:"
"""Before the text of a player that is to be asked hand by hand."""
MASTER = "master:"
HUMAN = "human"
BOT_METHODS = ("policies", "sample_policies", "act", "many_action_probabilities", "action_probabilities", "get_policy")
FORMS = (
    "a name, name(arguments), a strategy file, python:module:Class, exec:COMMAND, acpc:COMMAND,"
    " master:BASE+EXPERTS.safetensors or patched(PATCHES):BOT"
)
_NAME = re.compile(r"(?P<name>[\w-]+)(\((?P<arguments>[^()]*)\))?")
_FILE_WITH_OPTIONS = re.compile(r"(?P<path>.+)\((?P<options>[^()]*)\)", re.DOTALL)
_FILE = re.compile(r"(?P<path>.+\.safetensors)(\([^()]*\))?\s*", re.DOTALL)
_PATCHED = re.compile(r"patched\((?P<patches>[^()]*)\):(?P<base>.*)", re.DOTALL)
_EXEC = re.compile(r"exec(\((?P<limits>[^()]*)\))?:(?P<command>.*)", re.DOTALL)


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


def parse_bot(text: str, *, kind: str = "bot", folder: Path | None = None) -> Bot:
    """The bot that the text names; files are there, and options and limits can be read.

    kind:   what it is wanted as, for messages.
    folder: where the paths of files begin; the current one unless told.
    """
    text = text.strip()
    if text.startswith(BY_HAND):
        return _parse_by_hand(text, kind, folder)
    if text.startswith(MASTER):
        return _parse_master(text, kind, folder)
    if text.startswith("patched("):
        return _parse_patched(text, kind, folder)
    if text.startswith("python:"):
        return _parse_python(text, kind)
    if text.startswith("acpc:"):
        return AcpcBot(text.removeprefix("acpc:"))
    if text.startswith(("exec:", "exec(")):
        return _parse_exec(text, kind)
    if _is_catalogued(text):
        return NamedBot(text)
    if path := _found_file(text, folder):
        return FileBot(path)
    with_options = _FILE_WITH_OPTIONS.fullmatch(text)
    if with_options and (path := _found_file(with_options["path"].strip(), folder)):
        return FileBot(path, _parse_options(with_options["options"], text, kind))
    if text.endswith(SUFFIX) or f"{SUFFIX}(" in text:
        place = text if folder is None else str(folder / text)
        raise ConfigError(f"{kind} {place!r}: there is no such strategy file")
    return _parse_name(text, kind)


def as_bot(bot: str | Path | Bot | Any, digest: str | None = None, *, kind: str = "bot") -> Bot:
    """A text, the path of a strategy file, or any object that answers for hands or plays, as a bot.

    digest: of an object, by which a run knows it again; its own attribute `digest` unless told.
    """
    if isinstance(bot, Bot):
        return bot
    if isinstance(bot, Path):
        return FileBot(str(bot))
    if isinstance(bot, str):
        return parse_bot(bot, kind=kind)
    if not any(callable(getattr(bot, method, None)) for method in BOT_METHODS):
        raise ConfigError(
            f"{kind} {_short(bot)}: neither a text nor an object with policies(states), sample_policies(states, seed)"
            " or act(view), nor one of OpenSpiel's with action_probabilities(state) or get_policy(state)"
        )
    own = getattr(bot, "digest", None)
    return GivenBot(bot, digest if digest is not None else own if isinstance(own, str) else None)


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


def file_word(text: str) -> str:
    """The text of a bot as part of a file's name."""
    return "".join(letter if letter.isalnum() else "-" for letter in Path(text).stem).strip("-")


def named_object(bot: NamedBot, registry: Registry[Any], kind: str) -> Any:
    """What a name of the registry makes of its arguments. kind: what it is wanted as, for messages."""
    make = registry.load(bot.name)
    try:
        inspect.signature(make).bind(*bot.positional, **dict(bot.named))
    except TypeError as error:
        wanted = ", ".join(inspect.signature(make).parameters) or "none"
        raise ConfigError(f"{kind} {bot.text!r}: {error}; arguments are: {wanted}") from None
    return make(*bot.positional, **dict(bot.named))


def _parse_by_hand(text: str, kind: str, folder: Path | None) -> HandByHand:
    player = text.removeprefix(BY_HAND).strip()
    if not player:
        raise ConfigError(f"{kind} {text!r} has no player; it must be {BY_HAND}PLAYER, such as {BY_HAND}acpc:./bot")
    return by_hand(parse_bot(player, kind="agent", folder=folder))


def _parse_master(text: str, kind: str, folder: Path | None) -> MasterBot:
    """The experts are what follows the last plus signs and names a strategy file; a path may have such signs, too."""
    parts, experts = text.removeprefix(MASTER).split("+"), list[FileBot]()
    while (number := _num_parts_of_file(parts, folder)) > 0:
        expert = parse_bot("+".join(parts[-number:]), kind="expert", folder=folder)
        assert isinstance(expert, FileBot), "it ends as a strategy file does"
        del parts[-number:]
        experts.insert(0, expert)
    base = "+".join(parts).strip()
    if not experts or not base:
        raise ConfigError(f"{kind} {text!r} must be {MASTER}BASE+EXPERTS{SUFFIX}, such as {MASTER}poki+hue5{SUFFIX}")
    return MasterBot(parse_bot(base, kind=kind, folder=folder), tuple(experts))


def _parse_patched(text: str, kind: str, folder: Path | None) -> PatchedBot:
    match = _PATCHED.fullmatch(text)
    if match is None or not match["base"].strip():
        raise ConfigError(
            f"{kind} {text!r} must be patched(PLACE = CHANGES; ...):BOT, such as"
            " patched(big-blind preflop a = fold below 0.62):bot.safetensors"
        )
    try:
        patches = parse_patches(match["patches"])
    except ConfigError as error:
        raise ConfigError(f"{kind} {text!r}: {error}") from None
    return PatchedBot(parse_bot(match["base"], kind=kind, folder=folder), patches)


def _num_parts_of_file(parts: list[str], folder: Path | None) -> int:
    """Of how many of the last parts, all but the first, an expert's file is made; 0 if of none.

    One that is not there has one part, if all together are no file either.
    """

    def is_there(number: int) -> bool:
        match = _FILE.fullmatch("+".join(parts[-number:]))
        return match is not None and os.path.isfile((folder or Path()) / match["path"].strip())

    if found := [number for number in range(1, len(parts)) if is_there(number)]:
        return found[0]
    is_named = len(parts) > 1 and _FILE.fullmatch(parts[-1]) is not None
    return 1 if is_named and not is_there(len(parts)) else 0


def _parse_python(text: str, kind: str) -> PythonBot:
    parts = text.split(":")
    if len(parts) != 3 or not all(parts):
        raise ConfigError(f"{kind} {text!r} must be python:module:Class")
    return PythonBot(*parts[1:])


def _parse_exec(text: str, kind: str) -> ExecBot:
    match = _EXEC.fullmatch(text)
    if match is None:
        raise ConfigError(f"{kind} {text!r} must be exec:COMMAND or exec(seconds=5, ...):COMMAND")
    try:
        return ExecBot(match["command"], ProgramLimits.parse(match["limits"] or ""))
    except ConfigError as error:
        raise ConfigError(f"{kind} {text!r}: {error}") from None


def _parse_name(text: str, kind: str) -> NamedBot:
    if text.startswith("probe:"):
        player = text.removeprefix("probe:")
        raise ConfigError(f"{kind} {text!r}: a player is asked hand by hand by the name {BY_HAND}{player}")
    match = _NAME.fullmatch(text)
    if match is None:
        raise ConfigError(f"{kind} {text!r} must be {FORMS}")
    positional: list[float] = []
    named: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in (match["arguments"] or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.rpartition("="))
        try:
            number = int(value) if value.lstrip("+-").isdigit() else float(value)
        except ValueError:
            raise ConfigError(f"{kind} {text!r}: {value!r} is not a number") from None
        if equals:
            named[key] = number
        else:
            positional.append(number)
    return NamedBot(match["name"], tuple(positional), tuple(named.items()))


def _parse_options(options: str, text: str, kind: str) -> tuple[tuple[str, Any], ...]:
    """In the order of `PlayOptions`."""
    try:
        changes = parse_play_options(options)
        PlayOptions().changed(changes)  # says which values are allowed
    except ConfigError as error:
        raise ConfigError(f"{kind} {text!r}: {error}") from None
    return tuple((each.name, changes[each.name]) for each in dataclasses.fields(PlayOptions) if each.name in changes)


def _is_catalogued(text: str) -> bool:
    return text == HUMAN or any(text in registry.entries for registry in (AGENTS, POKER_STRATEGIES, POLICIES))


def _found_file(path: str, folder: Path | None) -> str | None:
    """The path, if anything is there; what is no strategy file is refused when it is opened."""
    if path in RESIDENTS.entries:
        return str(RESIDENTS.load(path))
    place = path if folder is None else str(folder / path)
    return place if path and not _is_catalogued(path) and os.path.exists(place) else None


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


def _short(given: object) -> str:
    from reprlib import repr as short

    return short(given)
