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
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
from pathlib import Path
from typing import Any

from nashgap.catalogue import AGENTS, POKER_STRATEGIES, POLICIES, RESIDENTS, Registry
from nashgap.core.program import ProgramLimits
from nashgap.errors import ConfigError
from nashgap.strategies.bot import (
    BY_HAND,
    MASTER,
    AcpcBot,
    Bot,
    ExecBot,
    FileBot,
    GivenBot,
    HandByHand,
    MasterBot,
    NamedBot,
    PatchedBot,
    PythonBot,
    by_hand,
)
from nashgap.strategies.patch import parse_patches
from nashgap.strategies.play_options import PlayOptions, parse_play_options

__all__ = ["HUMAN", "as_bot", "file_word", "named_object", "parse_bot"]

SUFFIX = ".safetensors"
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


def _short(given: object) -> str:
    from reprlib import repr as short

    return short(given)
