"""A strategy of an abstract game at the table, played by the engine.

It draws an action from the strategy's policy for its own hand, so it plays what `AbstractStrategy.policies` says; with
`translation=sampled`, what the mean of its samples says.
"""

from __future__ import annotations

from nashgap import _native
from nashgap.agents.agent import NativeAgent
from nashgap.errors import MismatchError
from nashgap.poker.rules import PokerRules
from nashgap.strategies.abstract import AbstractStrategy

__all__ = ["TableAgent"]

DEALS_PER_BATCH = 100_000  # a second or less


class TableAgent(NativeAgent):
    """Plays every seat, and remembers nothing between hands."""

    def __init__(self, name: str, strategy: AbstractStrategy) -> None:
        native = _native.TableAgent(strategy.native)
        super().__init__(name, native, deals_per_batch=DEALS_PER_BATCH, strategy=strategy)
        self._rules = strategy.rules

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a table where another game is played."""
        if rules != self._rules:
            raise MismatchError(
                f"agent {self.name!r} has a strategy for {self._rules.name or 'a game'}, not for"
                f" {rules.name or 'this game'}"
            )

    def start_match(self, rules: PokerRules) -> None:
        self.check_game(rules)
        super().start_match(rules)
