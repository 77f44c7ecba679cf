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

An expert is for what follows some betting, and is told how hands come there:

    after = "rf"                      # or a list, for as many experts
    seeding = "uniform"               # see nashgap.solvers.seeding; "base": as the strategy plays that it is for
    start = "nothing"                 # or "base": what follows begins as that strategy plays in the first round

A model of a part of the game ends the betting early (section 2.3 of the thesis):

    rounds = 3                        # of betting
    settle = "check"                  # the rest; see nashgap.poker.betting_tree.Truncation

`cards` may also be a table by the number of players who are still in the hand, `{ 3 = "...", 2 = "..." }`, or a list of
texts or tables, one a seat.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import CardAbstractionSpec, parse_card_abstraction
from nashgap.catalogue import POKER_GAMES, RECIPES
from nashgap.core.toml import read_toml
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.betting_abstraction import BettingAbstraction, parse_betting_abstraction
from nashgap.poker.betting_tree import SETTLEMENTS, Truncation, count_betting_tree
from nashgap.poker.prefix import parse_prefix, prefix_end, prefix_text
from nashgap.poker.rules import PokerRules, load_rules, parse_rules
from nashgap.poker.state import Action
from nashgap.runs.trust import programs_in
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.solvers.poker_mccfr import POKER_SCHEDULES, PokerMCCFR, require_options
from nashgap.solvers.samplings import EXTERNAL_SAMPLING, PUBLIC_CHANCE_SAMPLING, Sampling
from nashgap.solvers.schedules import Schedule
from nashgap.solvers.seeding import BASE, UNIFORM, TableSeeding, load_seeding, parse_seeding
from nashgap.solvers.subtree_nodes import EXCHANGE, require_nodes
from nashgap.strategies.play_options import OFF_TREE

__all__ = ["Recipe", "SolverOptions", "is_catalogued", "is_recipe", "load_recipe", "parse_recipe"]

SUFFIX = ".toml"
MOST_LETTERS = 250  # of a title that is shown in a line

_NEEDED = ("title", "game", "betting", "cards", "minutes")
_OTHER = ("paper", "off_tree", "iterations_per_second", "solver", "after", "seeding", "start", "rounds", "settle")
STARTS = ("nothing", "base")

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

    def solver(
        self,
        game: AbstractGame,
        *,
        seed: int = 0,
        threads: int = 1,
        given: Sequence[GivenAbstractStrategy] = (),
        nodes: int | None = None,
        exchange: int = EXCHANGE,
    ) -> PokerMCCFR:
        """A solver of the abstract game with these options, at its beginning."""
        return PokerMCCFR(
            game,
            self._sampling,
            self._schedule,
            seed=seed,
            threads=threads,
            given=given,
            regret_floor=self.regret_floor,
            tilt=self.tilt,
            nodes=nodes,
            exchange=exchange,
        )

    def require_nodes(self, nodes: int, threads: int) -> None:
        """Refuse what is not done across nodes."""
        require_nodes(nodes, self._sampling, threads)

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
    minutes: of training, unless told otherwise; of each expert.
    iterations_per_second: of one thread, as once measured; None if nobody has.
    after:   the betting that experts are for, one each; none for a strategy of the whole game.
    seeding: how hands come there.
    start:   one of STARTS.
    truncation: where the betting ends early.
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
    after: tuple[str, ...] = ()
    seeding: str | TableSeeding = UNIFORM
    start: str = STARTS[0]
    truncation: Truncation | None = None

    def __repr__(self) -> str:
        return f"<Recipe {self.name} in {self.rules.name or 'a game of its own'}: {self.title[:MOST_LETTERS]}>"

    @property
    def needs_base(self) -> bool:
        """Whether it takes what a strategy plays."""
        return BASE in (self.seeding, self.start)

    def experts(self) -> tuple[Recipe, ...]:
        """A recipe for each betting that it has experts for, by the name `hue5-uniform-rf`."""
        return tuple(replace(self, name=f"{self.name}-{text}", after=(text,)) for text in self.after)

    @property
    def prefix(self) -> tuple[Action, ...]:
        """The betting that the expert is for; none for a strategy of the whole game."""
        assert len(self.after) <= 1, "several experts are recipes of their own"
        return parse_prefix(self.rules, self.after[0]) if self.after else ()

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
            **({} if not self.after else self._expert_content()),
            **({} if self.truncation is None else self._truncation_content(self.truncation)),
        }

    @staticmethod
    def _truncation_content(truncation: Truncation) -> dict[str, Any]:
        return {"rounds": truncation.num_rounds, "settle": truncation.settle}

    def _expert_content(self) -> dict[str, Any]:
        seeding = self.seeding if isinstance(self.seeding, str) else self.seeding.content()
        return {"after": [*self.after], "seeding": seeding, "start": self.start}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Recipe:
        """The recipe that has this content, the shipped one if it is that; KeyError or TypeError if it is none."""
        name, rules = content["recipe"], parse_rules(content["rules"], content["game"])
        told = ("game", "betting", "off_tree", "cards", "solver", "after", "seeding", "start", "rounds", "settle")
        table = {key: content[key] for key in told if key in content}
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
        return is_catalogued(self.name) and load_recipe(self.name).content() == self.content()


def is_recipe(text: str) -> bool:
    """Whether the text names a recipe or a TOML file."""
    return is_catalogued(text) or text.endswith(SUFFIX)


def is_catalogued(text: str) -> bool:
    """Whether it is the name of a recipe of the catalogue, or of one of its experts."""
    return text in RECIPES.entries or _set_of(text) is not None


def _set_of(name: str) -> str | None:
    """`hue5-uniform` of `hue5-uniform-rf`, where the catalogue has that."""
    of_set, dash, after = name.rpartition("-")
    is_found = dash and of_set in RECIPES.entries and after in load_recipe(of_set).after
    return of_set if is_found else None


def load_recipe(text: str) -> Recipe:
    """The recipe of the catalogue or in the TOML file; an error names the file, the key and what is allowed."""
    if not text.endswith(SUFFIX):
        if text not in RECIPES.entries and (of_set := _set_of(text)) is not None:
            return next(expert for expert in load_recipe(of_set).experts() if expert.name == text)
        RECIPES.entry(text)
        with resources.as_file(resources.files("nashgap") / "recipes" / f"{text}{SUFFIX}") as path:
            return parse_recipe(read_toml(path), text, path.name)
    path = Path(text)
    table = read_toml(path)
    game = table.get("game")
    beside = path.parent / game if isinstance(game, str) and game not in POKER_GAMES.entries else None
    rules = load_rules(str(beside)) if beside is not None and os.path.isfile(beside) else None
    return parse_recipe(table, path.name.removesuffix(SUFFIX), text, rules, path.parent)


def parse_recipe(
    table: Mapping[str, Any], name: str, where: str, rules: PokerRules | None = None, folder: Path | None = None
) -> Recipe:
    """The recipe that a table of TOML describes.

    where: for errors. rules: of its game, if they are known already. folder: in which it lies.
    """
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
        if programs_in(table["game"]):
            raise ConfigError(f"{table['game']!r} would be started; a recipe is of a poker game's name or definition")
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
        key = "rounds"
        truncation = _parse_truncation(table, rules)
        key = "after"
        after = _parse_after(table.get("after", []), rules, betting, truncation)
        key = "seeding"
        seeding = _parse_seeding(table.get("seeding", UNIFORM), folder)
        key = "start"
        start = table.get("start", STARTS[0])
        if start not in STARTS:
            raise ConfigError(f"{start!r} is not one of {', '.join(STARTS)}")
        for key in ("seeding", "start"):
            if key in table and not after:
                raise ConfigError("it is for experts, which are told by the key 'after' what they are for")
        if start == BASE and (late := [text for text in after if prefix_end(rules, parse_prefix(rules, text)).round]):
            raise ConfigError(f"{start!r} is what the base plays in the first round, which is over after {late[0]!r}")
        key = "solver"
        if after and solver.sampling == PUBLIC_CHANCE_SAMPLING.kind:
            raise ConfigError(f"sampling = {solver.sampling!r} deals all hands alike; behind some betting they are not")
    except NashGapError as error:
        raise ConfigError(f"{where}: {key}: {error}") from error
    paper = table.get("paper", "")
    return Recipe(
        name, table["title"], rules, betting, cards, minutes, paper, off_tree, rate, solver, after, seeding, start,
        truncation,
    )  # fmt: skip


def _parse_truncation(table: Mapping[str, Any], rules: PokerRules) -> Truncation | None:
    if "rounds" not in table:
        if "settle" in table:
            raise ConfigError("settle needs rounds, after which the betting ends")
        return None
    rounds = table["rounds"]
    _require(rounds, int, "a whole number of rounds with betting")
    truncation = Truncation(rounds, table.get("settle", SETTLEMENTS[0]))
    truncation.check_rules(rules)
    return truncation


def _parse_after(
    value: object, rules: PokerRules, betting: BettingAbstraction, truncation: Truncation | None
) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"{value!r}; it must be a text, such as 'rf', or a list of texts")
    prefixes = [parse_prefix(rules, text) for text in texts]
    if len(set(prefixes)) < len(prefixes):
        raise ConfigError(f"{texts} has the same betting twice")
    for prefix in prefixes:
        count_betting_tree(rules, betting, prefix, truncation)  # refuses what the betting abstraction does not have
    return tuple(prefix_text(rules, prefix) for prefix in prefixes)


def _parse_seeding(value: object, folder: Path | None) -> str | TableSeeding:
    """folder: where the path of a file begins."""
    if isinstance(value, Mapping):  # as the config of a run keeps it
        return parse_seeding(value, str(value.get("title", "")), "seeding")
    if not isinstance(value, str):
        raise ConfigError(f"{value!r}; it must be a text")
    if value in (UNIFORM, BASE):
        return value
    if value.endswith(SUFFIX) and folder is not None:
        return load_seeding(str(folder / value))
    return load_seeding(value)


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
    if set(value) != {str(number) for number in numbers}:
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
