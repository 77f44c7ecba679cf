"""Tournaments: every set of agents that may meet plays a duplicate match, all with the same cards.

A tournament is a TOML file. `name` (else the file's own), `seed` and `match_hands` may be left out:

    name = "chumps"
    game = "lhe3"        # or a game definition file, beside this one
    hands = 20_000       # deals of a matchup, each played in every seating
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

import hashlib
import math
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, Self

from nashgap.arena.duplicate import duplicate_seatings
from nashgap.arena.match import MatchJob
from nashgap.catalogue import POKER_GAMES
from nashgap.core.job import is_whole
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, FileFormatError, NashGapError, OutputError
from nashgap.poker.rules import PokerRules, load_rules, parse_rules
from nashgap.strategies.spec import FileBot, as_bot, parse_bot

__all__ = ["Entrant", "TournamentConfig", "TournamentJob", "load_tournament"]

MOST_MATCHUPS = 100_000
LARGEST_NUMBER = 2**63 - 1  # TOML has no larger ones


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part.

    spec: see `nashgap.agents.named`.
    team: empty where it has none.
    """

    name: str
    spec: str
    team: str = ""

    def __post_init__(self) -> None:
        for key in ("name", "spec", "team"):
            text = getattr(self, key)
            if not isinstance(text, str) or not text.isprintable() or text != text.strip():
                raise ConfigError(f"{key} = {text!r}; it must be text of one line, without space around it")
        if not self.name or not self.spec:
            raise ConfigError(f"{'spec' if self.name else 'name'} = ''; it must not be empty")


@dataclass(frozen=True)
class TournamentConfig:
    """A tournament as its file says it.

    hands:       deals of a matchup.
    match_hands: 1: agents remember nothing; more: match mode, see `MatchJob`.
    """

    name: str
    game: str
    hands: int
    agents: tuple[Entrant, ...]
    seed: int = 0
    match_hands: int = 1

    def __post_init__(self) -> None:
        for key in ("name", "game"):
            text = getattr(self, key)
            if not isinstance(text, str) or not text.strip() or not text.isprintable():
                raise ConfigError(f"{key} = {text!r}; it must be text of one line")
        for key, least in (("hands", 1), ("seed", 0), ("match_hands", 1)):
            number = getattr(self, key)
            if not is_whole(number) or not least <= number <= LARGEST_NUMBER:
                raise ConfigError(f"{key} = {number!r}; it must be a whole number from {least} to {LARGEST_NUMBER}")
        names = [entrant.name for entrant in self.agents]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ConfigError(f"two agents are called {twice!r}; an [[agent]] table can give each a name of its own")


@dataclass(frozen=True)
class TournamentJob:
    """All matches of a tournament. Its batches are those of the first matchup, then of the second, and so on."""

    rules: PokerRules
    config: TournamentConfig
    kind: str = field(default="tournament", init=False)

    def __post_init__(self) -> None:
        game, seats, agents = self.rules.name or "the game", self.rules.num_seats, self.config.agents
        if len(agents) < seats:
            raise ConfigError(f"{len(agents)} agents; {game} has {seats} seats, so at least {seats} are needed")
        if (number := math.comb(len(agents), seats)) > MOST_MATCHUPS:
            raise ConfigError(f"{len(agents)} agents make {number:,} matchups of {seats}; at most {MOST_MATCHUPS:,}")
        if not self.matchups:
            sides = len({entrant.team or (entrant.name,) for entrant in agents})
            raise ConfigError(f"no matchup is left: {game} has {seats} seats, and the teams leave {sides} sides")
        assert self.deals_per_batch > 0  # asking for it loads every agent, so that a bad one is told of now

    @property
    def name(self) -> str:
        return f"tournament-{self.config.name}"[:80]

    def identity(self) -> dict[str, Any]:
        config = self.config
        return {
            "name": config.name,
            "game": self.rules.to_text(),
            "game_name": self.rules.name,
            "agents": [
                {
                    "name": entrant.name,
                    "spec": None if entrant.spec in self._files else entrant.spec,
                    "file": self._files.get(entrant.spec),
                    "digest": None if entrant.spec in self._files else as_bot(entrant.spec).digest,
                    "team": entrant.team or None,
                }
                for entrant in config.agents
            ],
            "hands": config.hands,
            "seed": config.seed,
            "match_hands": config.match_hands,
            "deals_per_batch": self.deals_per_batch,
        }

    def budget(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        """The job; agents that came from files are taken from `folder`, see `keep_inputs`."""
        try:
            agents = tuple(
                Entrant(each["name"], each.get("spec") or str(_input_path(folder, each["file"])), each.get("team", ""))
                for each in identity["agents"]
            )
            numbers = (identity["seed"], identity["match_hands"])
            config = TournamentConfig(identity["name"], identity["game_name"], identity["hands"], agents, *numbers)
            return cls(parse_rules(identity["game"], identity["game_name"]), config)
        except (KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"not the config of a tournament: {error!r}") from error

    def keep_inputs(self, folder: Path) -> None:
        """Copy agents that came from files to the run's folder: it can be continued when they are gone or changed."""
        for spec, label in self._files.items():
            path = _input_path(folder, label)
            if path.exists():
                continue
            half_made = path.with_name(f".{path.name}")
            try:
                shutil.copyfile(spec, half_made)
                half_made.replace(path)
            except OSError as error:
                raise OutputError(f"{path}: cannot be written: {error.strerror}") from error

    @cached_property
    def matchups(self) -> tuple[tuple[Entrant, ...], ...]:
        """All sets of as many agents as there are seats, without those in which members of a team would meet."""
        return tuple(
            members for members in combinations(self.config.agents, self.rules.num_seats) if not _are_mates(members)
        )

    @property
    def num_seatings(self) -> int:
        """In which each deal is played."""
        return int(duplicate_seatings(self.rules.num_seats, self.config.seed, 0, 1).shape[1])

    @property
    def num_hands(self) -> int:
        """That are played in all."""
        return len(self.matchups) * self.config.hands * self.num_seatings

    @cached_property
    def deals_per_batch(self) -> int:
        """For the slowest agent about a second of work; the same in all matchups, so that their blocks are the same."""
        return min(self._match_of(members).deals_per_batch for members in self._with_everybody())

    @property
    def batches_per_matchup(self) -> int:
        return -(-self.config.hands // self.deals_per_batch)

    @property
    def num_batches(self) -> int:
        return len(self.matchups) * self.batches_per_matchup

    def describe_batch(self, index: int) -> str:
        matchup, part = divmod(index, self.batches_per_matchup)
        of_part = f", part {part + 1} of {self.batches_per_matchup}" if self.batches_per_matchup > 1 else ""
        return f"matchup {matchup + 1} of {len(self.matchups)}{of_part}"

    def run_batch(self, index: int) -> dict[str, Any]:
        matchup, part = divmod(index, self.batches_per_matchup)
        return self.match(matchup).run_batch(part)

    def match(self, matchup: int) -> MatchJob:
        return _loaded_match(self, matchup)

    def _match_of(self, members: tuple[Entrant, ...], batch_deals: int | None = None) -> MatchJob:
        specs, config = tuple(entrant.spec for entrant in members), self.config
        return MatchJob(self.rules, specs, config.hands, config.seed, config.match_hands, batch_deals=batch_deals)

    def _with_everybody(self) -> Iterator[tuple[Entrant, ...]]:
        """Some of the matchups, with every agent in at least one."""
        seen: set[Entrant] = set()
        for members in self.matchups:
            if not seen.issuperset(members):
                seen.update(members)
                yield members

    @cached_property
    def _files(self) -> dict[str, str]:
        """Specs that are files, and what such a file is called whatever its place."""
        specs = [entrant.spec for entrant in self.config.agents if as_bot(entrant.spec) == FileBot(entrant.spec)]
        return {spec: _content_hash(Path(spec)) + Path(spec).suffix for spec in specs}


@lru_cache(maxsize=1)
def _loaded_match(job: TournamentJob, matchup: int) -> MatchJob:
    """With its agents in memory; batches of the same matchup come one after the other."""
    return job._match_of(job.matchups[matchup], job.deals_per_batch)


def load_tournament(path: Path, *, seed: int | None = None) -> TournamentJob:
    """The tournament that the file describes, sure to be playable; an error names the file and the key.

    seed: instead of the file's.
    """
    raw = read_toml(path)
    try:
        config = _parse({"name": path.stem, **raw, **({} if seed is None else {"seed": seed})}, path.parent)
        return TournamentJob(load_rules(_game_place(config.game, path.parent)), config)
    except NashGapError as error:
        raise ConfigError(f"{path}: {error}") from error


def _parse(raw: Mapping[str, Any], folder: Path) -> TournamentConfig:
    known = [each.name for each in fields(TournamentConfig)]
    _check_keys(raw, [*known, "agent"], ["game", "hands"])
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
    _check_keys(table, [each.name for each in fields(Entrant)], ["spec"])
    entrant = Entrant(**{"name": table["spec"], **table})
    return Entrant(entrant.name, parse_bot(entrant.spec, kind="agent", folder=folder).text, entrant.team)


def _check_keys(table: Mapping[str, object], known: list[str], needed: list[str]) -> None:
    if unknown := [key for key in table if key not in known]:
        raise ConfigError(f"unknown key {unknown[0]!r}; known: {', '.join(known)}")
    if missing := [key for key in needed if key not in table]:
        raise ConfigError(f"the key {missing[0]!r} is missing")


def _game_place(game: str, folder: Path) -> str:
    is_file = game not in POKER_GAMES.entries and ("/" in game or game.endswith(".game"))
    return str(folder / game) if is_file else game


def _input_path(folder: Path | None, label: str) -> Path:
    return (folder or Path()) / f"agent-{label}"


def _content_hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from error


def _are_mates(members: tuple[Entrant, ...]) -> bool:
    teams = [entrant.team for entrant in members if entrant.team]
    return len(set(teams)) < len(teams)
