"""Games in which each player moves once without seeing what the others did, played in seat order with hidden moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from nashgap.core.game import TERMINAL
from nashgap.games.checks import check_move

__all__ = ["OneShotGame", "OneShotState"]


class OneShotGame(ABC):
    """A normal-form game in which all players have the same actions."""

    @property
    @abstractmethod
    def num_players(self) -> int: ...

    @property
    @abstractmethod
    def unit(self) -> str: ...

    @property
    @abstractmethod
    def action_names(self) -> tuple[str, ...]: ...

    @abstractmethod
    def payoffs(self, moves: tuple[int, ...]) -> tuple[float, ...]:
        """Payoff of each player when player p has chosen action `moves[p]`."""

    def root(self) -> OneShotState:
        return OneShotState(self)


@dataclass(frozen=True)
class OneShotState:
    """The moves made so far, in seat order."""

    game: OneShotGame
    moves: tuple[int, ...] = ()

    @property
    def player(self) -> int:
        return TERMINAL if len(self.moves) == self.game.num_players else len(self.moves)

    @property
    def actions(self) -> tuple[str, ...]:
        return () if self.player == TERMINAL else self.game.action_names

    @property
    def chance_probabilities(self) -> tuple[float, ...]:
        raise AssertionError("a one-shot game has no chance")

    @property
    def infoset(self) -> str:
        assert self.player != TERMINAL, "only a player state has an information set"
        return f"player {self.player + 1}"

    @property
    def returns(self) -> tuple[float, ...]:
        assert self.player == TERMINAL, "only a terminal state has returns"
        return self.game.payoffs(self.moves)

    def child(self, move: int) -> OneShotState:
        check_move(f"after {len(self.moves)} hidden moves", self.actions, move)
        return replace(self, moves=(*self.moves, move))
