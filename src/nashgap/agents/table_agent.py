"""A strategy of an abstract game at the table, played by the engine.

It draws an action from the strategy's policy for its own hand, so it plays what `AbstractStrategy.policies` says; with
`translation=sampled`, what the mean of its samples says.
"""

from __future__ import annotations

from nashgap import _native
from nashgap.agents.agent import NativeAgent
from nashgap.errors import MismatchError
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, View
from nashgap.strategies.abstract import AbstractStrategy

__all__ = ["TableAgent"]

DEALS_PER_BATCH = 100_000  # a second or less


class TableAgent(NativeAgent):
    """Plays every seat, and remembers nothing between hands."""

    def __init__(self, name: str, strategy: AbstractStrategy) -> None:
        self._table, self._engine = strategy, strategy.on_boards([])
        native = _native.TableAgent(self._engine)
        super().__init__(name, native, deals_per_batch=DEALS_PER_BATCH, strategy=strategy)

    @property
    def native(self) -> _native.Agent:
        """For hands that are played within the engine, on any boards."""
        return _native.TableAgent(self._table.native)

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a table where another game is played."""
        own = self._table.rules
        if rules != own:
            raise MismatchError(
                f"agent {self.name!r} has a strategy for {own.name or 'a game'}, not for {rules.name or 'this game'}"
            )

    def start_match(self, rules: PokerRules) -> None:
        self.check_game(rules)
        self._player = _native.TableAgent(self._engine)

    def act(self, view: View) -> Action:
        engine = self._table.on_boards([view.state.board])
        if engine is not self._engine:
            self._engine, self._player = engine, _native.TableAgent(engine)
        return super().act(view)
