"""Measure by Approximate Best Response: a responder for each seat learns, is frozen, and plays fresh games."""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from nashgap.core.job import CheckpointJob, budget, is_whole, require_seed, setting
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.games.compiled import rebuild_tree
from nashgap.jobs.abr_bound import METHOD, AbrBound
from nashgap.jobs.abr_work import AbrWork
from nashgap.jobs.iterating import Budget
from nashgap.measures.best_response import Gains, exploitability
from nashgap.runs.cluster import Cluster
from nashgap.search.belief_network import learned_belief, require_learnable
from nashgap.search.options import BELIEFS, EXACT, LEARNED, PRESETS, Preset, SearchOptions, TreeLearning
from nashgap.search.responder_game import ResponderGame, TreeResponderGame
from nashgap.search.training import MOST_UNDER_WAY
from nashgap.strategies.bot import Bot
from nashgap.strategies.load import load
from nashgap.strategies.spec import file_word
from nashgap.strategies.table import TableStrategy

__all__ = ["AbrJob", "TreeAbrJob", "searches_usually"]

DEFAULT_PRESET = "tree"
DEFAULT_MINUTES = 1.0
DEFAULT_GAMES = {False: 200_000, True: 20_000}  # whether responders search
CELL_GAMES = 100  # are added up at a time, however many a step has
MOST_ACTORS = 1024
DEFAULT_BELIEF_GAMES = 100_000


@dataclass(frozen=True, kw_only=True)
class AbrJob(CheckpointJob):
    """Responders of both seats against one strategy, complete but for the game, which subclasses say.

    usual_preset, usual_games: where nothing is said; games by whether responders search when they are evaluated.
    is_enumerated: whether information sets are numbered.
    preset:   how they learn, by its name; search: how they search.
    searches: whether they search when they are evaluated; else they act by what they have learned.
    episodes, minutes: of training, both seats together: to whichever comes first.
    games:    fresh ones of each seat, when nothing is learned any more.
    actors:   processes that play beside the one that learns; 1: it plays itself. Or the workers of a cluster.
    """

    usual_preset: ClassVar[str] = DEFAULT_PRESET
    usual_games: ClassVar[Mapping[bool, int]] = DEFAULT_GAMES
    is_enumerated: ClassVar[bool] = True

    strategy: Bot
    preset: str = DEFAULT_PRESET
    search: SearchOptions = field(default_factory=lambda: PRESETS[DEFAULT_PRESET].search)
    searches: bool = False
    seed: int = 0
    episodes: int | None = budget(None)
    minutes: float | None = budget(None)
    games: int = budget(DEFAULT_GAMES[False])
    actors: int | Cluster = setting(1)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.preset not in PRESETS:
            raise ConfigError(f"preset = {self.preset!r}; it must be one of {', '.join(PRESETS)}")
        if self.is_enumerated and self.search.is_for_long_games:
            fitting = (name for name, each in PRESETS.items() if not each.search.is_for_long_games)
            raise ConfigError(
                f"preset = {self.preset!r} is for games that are never enumerated; it must be one of"
                f" {', '.join(fitting)}"
            )
        if self.search.simulations < 1:
            raise ConfigError(f"simulations = {self.search.simulations}; training needs at least 1")
        if self.episodes is not None and not is_whole(self.episodes):
            raise ConfigError(f"episodes = {self.episodes}; it must be a whole number")
        if not is_whole(self.games) or self.games < 2:
            raise ConfigError(f"games = {self.games}; an interval needs at least 2")
        if not isinstance(self.actors, Cluster) and not (is_whole(self.actors) and 1 <= self.actors <= MOST_ACTORS):
            raise ConfigError(f"actors = {self.actors}; it must be a whole number from 1 to {MOST_ACTORS}")
        if self.limits.is_open:
            object.__setattr__(self, "minutes", DEFAULT_MINUTES)

    @property
    @abstractmethod
    def games_of_seats(self) -> tuple[ResponderGame, ResponderGame]: ...

    @property
    @abstractmethod
    def game_name(self) -> str: ...

    @property
    @abstractmethod
    def unit(self) -> str: ...

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Of the game and the strategy: a state of others is refused."""

    @property
    @abstractmethod
    def exact(self) -> Gains | None:
        """What best responses win; None where that is not known."""

    @property
    def is_win_or_loss(self) -> bool:
        """Whether a game is won by 1 or lost by 1, or perhaps drawn, so that a win rate says it better."""
        return False

    @property
    def beliefs_text(self) -> str:
        """Of the beliefs from which searches draw."""
        return EXACT

    @property
    def cell_games(self) -> int:
        """Games of an evaluation that are played between two moments at which it can be stopped, at least."""
        return CELL_GAMES if self.search.abreast == 1 else self.search.abreast

    @property
    def plan(self) -> Preset:
        """Where games are played side by side they are a batch: there may be no time for more."""
        usual = PRESETS[self.preset]
        return replace(
            usual, search=self.search, games=usual.games if self.search.abreast == 1 else self.search.abreast
        )

    @property
    def limits(self) -> Budget:
        iterations = None if self.episodes is None else -(-self.episodes // self.plan.games)
        return Budget(iterations, self.minutes)

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.game_name}-{file_word(self.strategy.text)}"[:80]

    @property
    def size_text(self) -> str:
        return f"{self.game_name}: responders of both seats"

    def command(self, found: AbrBound) -> str | None:
        """Where one actor played, so that games say how far it went."""
        if not self.strategy.is_named or self.actors != 1:
            return None
        words = ["nashgap", "measure", self.strategy.text, "--game", self.game_name, "--by", METHOD]
        words += [*self.own_words, "--preset", self.preset]
        words += ["--episodes", str(found.episodes), "--games", str(self.games)]
        usual = PRESETS[self.preset].search
        for option in ("simulations", "rule", "exploration", "abreast"):
            if getattr(self.search, option) != getattr(usual, option):
                words += [f"--{option}", str(getattr(self.search, option))]
        words += (
            [] if self.searches == searches_usually(self.preset) else ["--search" if self.searches else "--no-search"]
        )
        return shlex.join([*words, "--seed", str(self.seed)])

    @property
    def own_words(self) -> list[str]:
        """Of the command, besides what all such jobs have."""
        return []

    def is_passed_by(self, done: float) -> bool:
        if self.episodes is None:
            return False
        under_way = 0.0 if self.actors == 1 else MOST_UNDER_WAY * self.episodes  # learned from when all was there
        most = self.actors if isinstance(self.actors, int) else MOST_ACTORS
        return done > self.episodes + max(most * self.plan.games, under_way)

    def require_answers(self) -> None:
        """Before the first game: refuse a strategy whose answers show that it cannot be measured."""

    def for_cluster(self) -> Self:
        """The job as nodes are sent it: those open files themselves."""
        changes: dict[str, Any] = {"actors": 1}
        if self.strategy.is_named and "given" in {each.name for each in fields(self)}:
            changes["given"] = None
        return replace(self, **changes)

    def begin(self) -> AbrWork:
        return AbrWork(self)


@dataclass(frozen=True, kw_only=True)
class TreeAbrJob(AbrJob):
    """In a compiled game.

    game:         its definition.
    given:        the strategy in it, where it is there already.
    beliefs:      from which searches draw, `exact` or `learned`; evaluation plays real games, whatever is believed.
    belief_games: of each seat from which those are learned.
    """

    kind: ClassVar[str] = "abr"

    game: Mapping[str, Any]
    given: TableStrategy | None = setting(None)
    beliefs: str = EXACT
    belief_games: int = DEFAULT_BELIEF_GAMES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beliefs not in BELIEFS:
            raise ConfigError(f"beliefs = {self.beliefs!r}; it must be one of {', '.join(BELIEFS)}")
        if not is_whole(self.belief_games) or self.belief_games < 1:
            raise ConfigError(f"belief_games = {self.belief_games}; it must be a whole number, 1 or more")
        for player in (0, 1):
            game = TreeResponderGame(self.table, player)  # refuses games that abr is not for
            if self.beliefs == LEARNED:
                require_learnable(game)

    @property
    def size_text(self) -> str:
        return f"{super().size_text}, {self.tree.num_infosets // 2:,} information sets each"

    @cached_property
    def table(self) -> TableStrategy:
        return self.given or load(self.strategy, rebuild_tree(self.game))

    @property
    def tree(self) -> GameTree:
        return self.table.tree

    @cached_property
    def games_of_seats(self) -> tuple[ResponderGame, ResponderGame]:
        first, second = (TreeResponderGame(self.table, player, self._belief(player)) for player in (0, 1))
        return first, second

    def _belief(self, player: int) -> np.ndarray | None:
        """None: exact."""
        if self.beliefs == EXACT:
            return None
        return learned_belief(self.table, player, self.belief_games, seed=self.seed)

    @property
    def beliefs_text(self) -> str:
        if self.beliefs == EXACT:
            return EXACT
        return f"{LEARNED} by a network from {self.belief_games:,} games of each seat"

    @property
    def own_words(self) -> list[str]:
        if self.beliefs == EXACT:
            return []
        return ["--beliefs", self.beliefs, "--belief-games", str(self.belief_games)]

    @property
    def game_name(self) -> str:
        return self.tree.game

    @property
    def unit(self) -> str:
        return self.tree.unit

    @property
    def fingerprint(self) -> str:
        return f"{self.tree.fingerprint}-{self.table.digest}"

    @cached_property
    def exact(self) -> Gains:
        return exploitability(self.tree, self.table)

    def identity(self) -> dict[str, Any]:
        if not self.game:
            raise ConfigError(f"{self.tree.game} has no name by which a run could find it again; measure without a run")
        return super().identity()


def searches_usually(preset: str) -> bool:
    """A kept tree is what searches would say; tables and networks gain by searching."""
    return not isinstance(PRESETS[preset].learning, TreeLearning)
