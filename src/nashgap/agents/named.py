"""Agents as text: what the command line calls AGENT.

`always-call`, `triple(0.1,0.4,0.5)`, `poki-sim(trials=50)` are names of the catalogue; `kuhn.safetensors` is a strategy
file, and one of an abstract game may be played with options, `ir16.safetensors(fallback=call, threshold=0.1)`, see
`nashgap.strategies.play_options`; `python:module:Class` is a class of somebody's own; `acpc:COMMAND` a program that
speaks the competition's protocol.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from nashgap.agents.agent import Agent
from nashgap.catalogue import AGENTS
from nashgap.errors import ConfigError, FileFormatError
from nashgap.poker.rules import PokerRules

__all__ = ["agent_digest", "distinct_names", "is_agent_file", "load_agent"]

_NAME = re.compile(r"(?P<name>[\w-]+)(\((?P<arguments>[^()]*)\))?")
_FILE_WITH_OPTIONS = re.compile(r"(?P<path>.+)\((?P<options>[^()]*)\)", re.DOTALL)
SUFFIX = ".safetensors"


def load_agent(spec: str, rules: PokerRules) -> Agent:
    """The agent that `spec` names, sure to play this game."""
    agent = _made(spec.strip(), rules)
    check_game = getattr(agent, "check_game", None)
    if check_game is not None:
        check_game(rules)
    return agent


def distinct_names(agents: Sequence[str]) -> tuple[str, ...]:
    """The names; copies of one agent are numbered."""
    return tuple(
        f"{agent} #{agents[: place + 1].count(agent)}" if agents.count(agent) > 1 else agent
        for place, agent in enumerate(agents)
    )


def is_agent_file(spec: str) -> bool:
    """Whether the spec is the path of a file; a name of the catalogue never is."""
    return spec not in AGENTS.entries and os.path.isfile(spec)


def _file_and_options(spec: str) -> tuple[str, str] | None:
    """The path of a strategy file and the text of its options; None where the spec names no file."""
    if is_agent_file(spec):
        return spec, ""
    match = _FILE_WITH_OPTIONS.fullmatch(spec)
    return (match["path"].strip(), match["options"]) if match and is_agent_file(match["path"].strip()) else None


def agent_digest(spec: str) -> str | None:
    """Of the files that an agent is made of, so that a changed bot is another bot; None for names of the catalogue."""
    if spec.startswith("python:"):
        from nashgap.agents.python_agent import class_file

        paths = [class_file(spec)]
    elif spec.startswith("acpc:"):
        words = shlex.split(spec.removeprefix("acpc:"))
        paths = [Path(found) for word in words if (found := shutil.which(word) or word) and Path(found).is_file()]
    elif found_file := _file_and_options(spec):
        return _file_digest(Path(found_file[0]))
    else:
        paths = []
    if not paths:
        return None
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def _file_digest(path: Path) -> str:
    """A strategy file, which may have gigabytes, tells the hash of its content; others are read."""
    from nashgap.strategies.file import content_digest

    try:
        return content_digest(path)[:16]
    except FileFormatError:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _made(spec: str, rules: PokerRules) -> Agent:
    if spec.startswith("python:"):
        from nashgap.agents.python_agent import PythonAgent, load_class

        return PythonAgent(spec, load_class(spec))
    if spec.startswith("acpc:"):
        from nashgap.agents.external import AcpcAgent

        return AcpcAgent(spec.removeprefix("acpc:"))
    if spec == "human":
        raise ConfigError("agent 'human' plays in the terminal only: nashgap play --against AGENT")
    if found := _file_and_options(spec):
        return _file_agent(spec, *found, rules)
    if spec.endswith(SUFFIX) or f"{SUFFIX}(" in spec:
        raise ConfigError(f"agent {spec!r}: there is no such strategy file")
    match = _NAME.fullmatch(spec)
    if match is None:
        raise ConfigError(
            f"agent {spec!r} must be a name, name(arguments), a strategy file, python:module:Class or acpc:COMMAND"
        )
    make = AGENTS.load(match["name"])
    return _called(spec, make, match["arguments"])


def _file_agent(spec: str, path: str, options: str, rules: PokerRules) -> Agent:
    from nashgap.strategies.abstract import ABSTRACT_KIND
    from nashgap.strategies.file import open_arrays

    if open_arrays(Path(path)).metadata.get("kind") == ABSTRACT_KIND:
        from nashgap.agents.table_agent import load_table_agent

        return load_table_agent(spec, path, options, rules)
    if options.strip():
        raise ConfigError(f"agent {spec!r}: only a strategy of an abstract game has options")
    from nashgap.agents.strategy_agent import load_strategy_agent

    return load_strategy_agent(path, rules)


def _called(spec: str, make: Any, arguments: str | None) -> Agent:
    positional: list[float] = []
    named: dict[str, float] = {}
    for text in filter(None, (part.strip() for part in (arguments or "").split(","))):
        key, equals, value = text.rpartition("=")
        try:
            number = float(value) if not value.strip().lstrip("+-").isdigit() else int(value)
        except ValueError:
            raise ConfigError(f"agent {spec!r}: {value.strip()!r} is not a number") from None
        if equals:
            named[key.strip()] = number
        else:
            positional.append(number)
    try:
        inspect.signature(make).bind(*positional, **named)
    except TypeError as error:
        wanted = ", ".join(inspect.signature(make).parameters) or "none"
        raise ConfigError(f"agent {spec!r}: {error}; arguments are: {wanted}") from None
    return cast(Agent, make(*positional, **named))
