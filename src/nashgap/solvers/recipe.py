"""Recipes: which abstract game to train in, how, and for how long; each is one small TOML file.

    title = "3-player limit hold'em, 16 buckets a round"
    paper = "Abou Risk 2009, section 3.4"
    game = "lhe3"                     # a poker game of the catalogue or a game definition file
    betting = "full"                  # see nashgap.poker.betting_abstraction
    off_tree = "call"                 # what to do where the others' raises lead off the betting tree; or "check-fold"
    cards = "percentile(ehs2, 16/16/16/16, recall=none)"  # see nashgap.abstraction.buckets
    minutes = 20                      # of training, unless told otherwise
    iterations_per_second = 20000     # measured once, of one thread; for forecasts only; may be missing

    [solver]                          # see SolverOptions; may be missing
    exploration = 0.05

`cards` may also be a table by the number of players who are still in the hand, `{ 3 = "...", 2 = "..." }`, or a list of
texts or tables, one a seat.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import CardAbstractionSpec, parse_card_abstraction
from nashgap.catalogue import POKER_GAMES, RECIPES
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.betting_abstraction import BettingAbstraction, parse_betting_abstraction
from nashgap.poker.rules import PokerRules, load_rules, parse_rules
from nashgap.solvers.poker_mccfr import POKER_SCHEDULES, PokerMCCFR, require_options
from nashgap.solvers.samplings import EXTERNAL_SAMPLING, Sampling
from nashgap.solvers.schedules import Schedule
from nashgap.strategies.play_options import OFF_TREE

__all__ = ["Recipe", "SolverOptions", "is_recipe", "load_recipe", "parse_recipe"]

SUFFIX = ".toml"
MOST_LETTERS = 250  # of a title that is shown in a line

_NEEDED = ("title", "game", "betting", "cards", "minutes")
_OTHER = ("paper", "off_tree", "iterations_per_second", "solver")

CardSpecs = Mapping[int, CardAbstractionSpec]
"""What a seat tells apart, by the number of players who are still in the hand."""


@dataclass(frozen=True)
class SolverOptions:
    """A recipe's table `[solver]`, key by key: how `nashgap.solvers.poker_mccfr.PokerMCCFR` trains.

    `exploration`, `prune_below` and `hands` are those of the sampling.
    """

    sampling: str = EXTERNAL_SAMPLING.kind
    schedule: str = "cfr"
    exploration: float = 0.0
    regret_floor: float = -math.inf
    prune_below: float = -math.inf
    hands: int = 1
    tilt: float = 0.0

    def __post_init__(self) -> None:
        if self.schedule not in POKER_SCHEDULES:
            raise ConfigError(f"schedule = {self.schedule!r}; it must be one of {', '.join(POKER_SCHEDULES)}")
        require_options(self._sampling, self._schedule, regret_floor=self.regret_floor, tilt=self.tilt)

    def solver(self, game: AbstractGame, *, seed: int = 0, threads: int = 1) -> PokerMCCFR:
        """A solver of the abstract game with these options, at its beginning."""
        return PokerMCCFR(
            game,
            self._sampling,
            self._schedule,
            seed=seed,
            threads=threads,
            regret_floor=self.regret_floor,
            tilt=self.tilt,
        )

    @property
    def _sampling(self) -> Sampling:
        return Sampling(self.sampling, self.exploration, self.prune_below, self.hands)

    @property
    def _schedule(self) -> Schedule:
        return POKER_SCHEDULES[self.schedule]

    def as_dict(self) -> dict[str, str | float]:
        """What differs from the defaults."""
        values = vars(self)
        return {key: value for key, value in values.items() if value != getattr(SolverOptions, key)}


@dataclass(frozen=True)
class Recipe:
    """One file, read and checked.

    name:    of the file, without its ending.
    cards:   one entry a seat.
    minutes: of training, unless told otherwise.
    iterations_per_second: of one thread, as once measured; None if nobody has.
    """

    name: str
    title: str
    rules: PokerRules
    betting: BettingAbstraction
    cards: tuple[CardSpecs, ...]
    minutes: float
    paper: str = ""
    off_tree: str = OFF_TREE[0]
    iterations_per_second: float | None = None
    solver: SolverOptions = field(default_factory=SolverOptions)

    def __repr__(self) -> str:
        return f"<Recipe {self.name} in {self.rules.name or 'a game of its own'}: {self.title[:MOST_LETTERS]}>"

    @property
    def card_specs(self) -> list[CardAbstractionSpec]:
        """Each abstraction once."""
        return list(dict.fromkeys(spec for of_seat in self.cards for spec in of_seat.values()))

    def content(self) -> dict[str, Any]:
        """All that determines what training finds, in one form for all recipes that mean the same."""
        by_seat = [_shortest({str(n): spec.to_text() for n, spec in of_seat.items()}) for of_seat in self.cards]
        return {
            "recipe": self.name,
            "game": self.rules.name,
            "rules": self.rules.to_text(),
            "betting": str(self.betting),
            "off_tree": self.off_tree,
            "cards": by_seat[0] if all(of_seat == by_seat[0] for of_seat in by_seat) else by_seat,
            "solver": self.solver.as_dict(),
        }

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Recipe:
        """The recipe that has this content, the shipped one if it is that; KeyError or TypeError if it is none."""
        name, rules = content["recipe"], parse_rules(content["rules"], content["game"])
        table = {key: content[key] for key in ("game", "betting", "off_tree", "cards", "solver")}
        recipe = parse_recipe({"title": "", "minutes": 1.0, **table}, name, name, rules)
        return load_recipe(name) if recipe.is_shipped else recipe

    def to_config(self) -> dict[str, Any]:
        """As the config of a run keeps it."""
        return self.content()

    @classmethod
    def from_config(cls, value: Mapping[str, Any], inputs: Mapping[str, str]) -> Recipe:
        return cls.from_content(value)

    @property
    def is_shipped(self) -> bool:
        """Whether the catalogue's recipe of this name means the same."""
        return self.name in RECIPES.entries and load_recipe(self.name).content() == self.content()


def is_recipe(text: str) -> bool:
    """Whether the text names a recipe or a TOML file."""
    return text in RECIPES.entries or text.endswith(SUFFIX)


def load_recipe(text: str) -> Recipe:
    """The recipe of the catalogue or in the TOML file; an error names the file, the key and what is allowed."""
    if not text.endswith(SUFFIX):
        RECIPES.entry(text)
        with resources.as_file(resources.files("nashgap") / "recipes" / f"{text}{SUFFIX}") as path:
            return parse_recipe(read_toml(path), text, path.name)
    path = Path(text)
    table = read_toml(path)
    game = table.get("game")
    beside = path.parent / game if isinstance(game, str) and game not in POKER_GAMES.entries else None
    rules = load_rules(str(beside)) if beside is not None and beside.is_file() else None
    return parse_recipe(table, path.name.removesuffix(SUFFIX), text, rules)


def parse_recipe(table: Mapping[str, Any], name: str, where: str, rules: PokerRules | None = None) -> Recipe:
    """The recipe that a table of TOML describes. where: for errors. rules: of its game, if they are known already."""
    known = (*_NEEDED, *_OTHER)
    if unknown := sorted(set(table) - set(known)):
        raise ConfigError(f"{where}: unknown keys {unknown}; known: {list(known)}")
    if missing := [key for key in _NEEDED if key not in table]:
        raise ConfigError(f"{where}: missing keys {missing}")
    key = ""
    try:
        for key in ("title", "paper", "game", "betting", "off_tree"):
            _require(table.get(key, ""), str, "a text")
        key = "game"
        rules = rules or load_rules(table["game"])
        key = "betting"
        betting = parse_betting_abstraction(table["betting"])
        betting.native(rules)
        key = "off_tree"
        off_tree = table.get("off_tree", OFF_TREE[0])
        if off_tree not in OFF_TREE:
            raise ConfigError(f"{off_tree!r} is not one of {', '.join(OFF_TREE)}")
        key = "cards"
        cards = _parse_cards(table["cards"], rules)
        key = "minutes"
        minutes = _positive(table["minutes"])
        key = "iterations_per_second"
        rate = _positive(table[key]) if key in table else None
        key = "solver"
        solver = _parse_options(table.get("solver", {}))
    except NashGapError as error:
        raise ConfigError(f"{where}: {key}: {error}") from error
    return Recipe(name, table["title"], rules, betting, cards, minutes, table.get("paper", ""), off_tree, rate, solver)


def _parse_cards(value: object, rules: PokerRules) -> tuple[CardSpecs, ...]:
    by_seat = value if isinstance(value, list) else [value] * rules.num_seats
    if len(by_seat) != rules.num_seats:
        raise ConfigError(f"a list of {len(by_seat)}; {rules.name} has {rules.num_seats} seats")
    return tuple(_parse_cards_of_seat(of_seat, rules) for of_seat in by_seat)


def _parse_cards_of_seat(value: object, rules: PokerRules) -> CardSpecs:
    numbers = range(2, rules.num_seats + 1)
    if isinstance(value, str):
        value = dict.fromkeys(map(str, numbers), value)
    if not isinstance(value, Mapping):
        raise ConfigError(f"{value!r} is neither a text nor a table by the number of players in the hand")
    if sorted(value) != [str(number) for number in numbers]:
        raise ConfigError(f"for {sorted(value)} players in the hand; {rules.name} needs {list(numbers)}")
    specs = {}
    for number in numbers:
        _require(value[str(number)], str, "a text")
        specs[number] = parse_card_abstraction(value[str(number)])
        specs[number].bucket_counts(rules)
    return specs


def _parse_options(value: object) -> SolverOptions:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{value!r} is not a table")
    known = list(vars(SolverOptions()))
    if unknown := sorted(set(value) - set(known)):
        raise ConfigError(f"unknown keys {unknown}; known: {known}")
    options: dict[str, Any] = {}
    for key, given in value.items():
        is_text = key in ("sampling", "schedule")
        if not isinstance(given, str if is_text else int | float) or isinstance(given, bool):
            raise ConfigError(f"{key} = {given!r}; it must be a {'text' if is_text else 'number'}")
        options[key] = given if isinstance(given, str) or key == "hands" else _float(given)
    return SolverOptions(**options)


def _require(value: object, kind: type | tuple[type, ...], words: str) -> None:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ConfigError(f"{value!r}; it must be {words}")


def _positive(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < _float(value) < math.inf:
        raise ConfigError(f"{value!r}; it must be a number above 0")
    return float(value)


def _float(value: int | float) -> float:
    """Of whole numbers that no float can hold, infinity."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _shortest(texts: dict[str, str]) -> str | dict[str, str]:
    """One text where all are the same."""
    first = next(iter(texts.values()))
    return first if all(text == first for text in texts.values()) else texts
