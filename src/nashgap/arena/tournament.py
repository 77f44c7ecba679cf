"""Tournaments: every set of agents that may meet plays a duplicate match, all with the same cards.

A tournament is a TOML file. `name` (else the file's own), `seed` and `match_hands` may be left out:

    name = "chumps"
    game = "lhe3"        # or a game definition file, beside this one
    deals = 20_000       # of a matchup, each played in every seating
    seed = 0
    match_hands = 1      # more: agents keep their memory for matches of so many hands
    agents = ["always-call", "always-raise", "probe", "random"]

In the place of `agents`, tables can name them and put them into teams, whose members do not meet:

    [[agent]]
    name = "rock"        # else the spec
    spec = "poki-tight"
    team = "poki"
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from nashgap.catalogue import AGENTS, POKER_GAMES
from nashgap.core.job import is_whole
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.strategies.bot import Bot
from nashgap.strategies.spec import parse_bot

__all__ = ["Entrant", "TournamentConfig", "load_tournament", "read_tournament", "tournament_rules"]

LARGEST_NUMBER = 2**63 - 1  # TOML has no larger ones


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part.

    bot:  who plays.
    team: empty where it has none.
    """

    name: str
    bot: Bot
    team: str = ""

    def __post_init__(self) -> None:
        _require_text(name=self.name, team=self.team)
        if not self.name:
            raise ConfigError("name = ''; it must not be empty")


@dataclass(frozen=True)
class TournamentConfig:
    """A tournament as its file says it.

    deals:       of a matchup.
    match_hands: 1: agents remember nothing; more: match mode, see `MatchJob`.
    """

    name: str
    game: str
    deals: int
    agents: tuple[Entrant, ...]
    seed: int = 0
    match_hands: int = 1

    def __repr__(self) -> str:
        return f"<TournamentConfig {self.name}: {len(self.agents)} agents in {self.game}, {self.deals:,} deals>"

    def __post_init__(self) -> None:
        for key in ("name", "game"):
            text = getattr(self, key)
            if not isinstance(text, str) or not text.strip() or not text.isprintable():
                raise ConfigError(f"{key} = {text!r}; it must be text of one line")
        for key, least in (("deals", 1), ("seed", 0), ("match_hands", 1)):
            number = getattr(self, key)
            if not is_whole(number) or not least <= number <= LARGEST_NUMBER:
                raise ConfigError(f"{key} = {number!r}; it must be a whole number from {least} to {LARGEST_NUMBER}")
        names = [entrant.name for entrant in self.agents]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ConfigError(f"two agents are called {twice!r}; an [[agent]] table can give each a name of its own")


def load_tournament(path: Path, *, seed: int | None = None) -> tuple[PokerRules, TournamentConfig]:
    """The tournament that the file describes, and the rules of its game; an error names the file and the key.

    seed: instead of the file's.
    """
    config = read_tournament(path, seed=seed)
    return tournament_rules(path, config), config


def read_tournament(path: Path, *, seed: int | None = None) -> TournamentConfig:
    """The tournament alone: nothing that the file names is started, a game that is a class included."""
    raw = read_toml(path)
    try:
        return _parse({"name": path.stem, **raw, **({} if seed is None else {"seed": seed})}, path.parent)
    except NashGapError as error:
        raise ConfigError(f"{path}: {error}") from error


def tournament_rules(path: Path, config: TournamentConfig) -> PokerRules:
    """Of the game of the tournament that the file describes."""
    try:
        return load_rules(_game_place(config.game, path.parent))
    except NashGapError as error:
        raise ConfigError(f"{path}: {error}") from error


def _parse(raw: Mapping[str, Any], folder: Path) -> TournamentConfig:
    known = [each.name for each in fields(TournamentConfig)]
    if "hands" in raw:
        raise ConfigError("unknown key 'hands'; the deals of a matchup are called 'deals'")
    _check_keys(raw, [*known, "agent"], ["game", "deals"])
    if ("agents" in raw) == ("agent" in raw):
        raise ConfigError("either the key 'agents', a list of agents, or tables [[agent]] are needed")
    settings = {key: value for key, value in raw.items() if key in known and key != "agents"}
    key = "agents" if "agents" in raw else "agent"
    entries = raw[key]
    if not isinstance(entries, list):
        raise ConfigError(
            f"{key} = {entries!r}; {'a list of agents' if key == 'agents' else 'tables [[agent]]'} needed"
        )
    agents = []
    for number, entry in enumerate(entries, start=1):
        try:
            agents.append(_entrant(entry, key, folder))
        except ConfigError as error:
            raise ConfigError(f"agent {number}: {error}") from error
    return TournamentConfig(agents=tuple(agents), **settings)


def _entrant(entry: object, key: str, folder: Path) -> Entrant:
    if not isinstance(entry, str if key == "agents" else Mapping):
        raise ConfigError(f"{entry!r}; {'the name of an agent' if key == 'agents' else 'a table'} is needed")
    table = {"spec": entry} if isinstance(entry, str) else dict(entry)
    _check_keys(table, ["name", "spec", "team"], ["spec"])
    spec = table["spec"]
    _require_text(spec=spec)
    if not spec:
        raise ConfigError("spec = ''; it must not be empty")
    return Entrant(table.get("name", spec), parse_bot(_agent_place(spec, folder)), table.get("team", ""))


def _require_text(**texts: object) -> None:
    for key, text in texts.items():
        if not isinstance(text, str) or not text.isprintable() or text != text.strip():
            raise ConfigError(f"{key} = {text!r}; it must be text of one line, without space around it")


def _check_keys(table: Mapping[str, object], known: list[str], needed: list[str]) -> None:
    if unknown := [key for key in table if key not in known]:
        raise ConfigError(f"unknown key {unknown[0]!r}; known: {', '.join(known)}")
    if missing := [key for key in needed if key not in table]:
        raise ConfigError(f"the key {missing[0]!r} is missing")


def _game_place(game: str, folder: Path) -> str:
    is_file = game not in POKER_GAMES.entries and ("/" in game or game.endswith(".game"))
    return str(folder / game) if is_file else game


def _agent_place(spec: str, folder: Path) -> str:
    names_file = spec.endswith(".safetensors") or ".safetensors(" in spec  # options in parentheses may follow
    is_file = spec not in AGENTS.entries and (names_file or os.path.isfile(folder / spec))
    return str(folder / spec) if is_file else spec
