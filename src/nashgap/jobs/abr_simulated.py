"""Approximate Best Response in games that are never enumerated, such as Go, chess and backgammon of OpenSpiel's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from nashgap.errors import ConfigError
from nashgap.games.simulated import SimulatedGame, load_simulated_game
from nashgap.jobs.abr import AbrJob
from nashgap.search.options import PRESETS, NetworkLearning, TreeLearning
from nashgap.search.perceptron import import_torch
from nashgap.search.simulated_search import Parallel, SimulatedResponderGame
from nashgap.search.simulated_world import SimulatedWorld
from nashgap.strategies.simulated_policy import SimulatedPolicy, load_simulated_policy

__all__ = ["SimulatedAbrJob"]

CELL_GAMES = 8


@dataclass(frozen=True, kw_only=True)
class SimulatedAbrJob(AbrJob):
    """In a game of OpenSpiel's that is played and never compiled.

    game:     its text, `openspiel:NAME(parameters)`.
    parallel: how simulations go beside each other.
    """

    kind: ClassVar[str] = "abr-simulated"
    usual_preset: ClassVar[str] = "rollouts"
    usual_games: ClassVar[Mapping[bool, int]] = {False: 2_000, True: 200}
    is_enumerated: ClassVar[bool] = False

    game: str
    parallel: Parallel = field(default_factory=Parallel)

    def __post_init__(self) -> None:
        super().__post_init__()
        learning = PRESETS[self.preset].learning
        if isinstance(learning, TreeLearning) or self.search.keeps_tree:
            fitting = (name for name, each in PRESETS.items() if not isinstance(each.learning, TreeLearning))
            raise ConfigError(
                f"preset = {self.preset!r} keeps a tree of the whole game, and {self.game} is never enumerated; it must"
                f" be one of {', '.join(fitting)}"
            )
        if isinstance(learning, NetworkLearning):
            import_torch(f"preset {self.preset!r}")
        _ = self.policy  # refuses games that abr is not for, and strategies that are none of theirs

    @cached_property
    def rules(self) -> SimulatedGame:
        return load_simulated_game(self.game)

    @cached_property
    def policy(self) -> SimulatedPolicy:
        return load_simulated_policy(self.strategy, self.rules)

    @cached_property
    def games_of_seats(self) -> tuple[SimulatedResponderGame, SimulatedResponderGame]:
        first, second = (
            SimulatedResponderGame(SimulatedWorld(self.rules, self.policy, player), self.parallel) for player in (0, 1)
        )
        return first, second

    @property
    def game_name(self) -> str:
        return self.rules.spec

    @property
    def unit(self) -> str:
        return self.rules.unit

    @property
    def fingerprint(self) -> str:
        return f"{self.rules.spec}-{self.strategy.digest or self.strategy.text}"

    @property
    def exact(self) -> None:
        return None

    @property
    def is_win_or_loss(self) -> bool:
        return self.rules.is_win_or_loss

    @property
    def cell_games(self) -> int:
        return CELL_GAMES

    @property
    def own_words(self) -> list[str]:
        return ["--simulated"]
