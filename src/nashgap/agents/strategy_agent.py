"""A strategy of a compiled poker game at the table."""

from __future__ import annotations

import numpy as np

from nashgap.errors import MismatchError
from nashgap.poker.game import PokerGame, infoset_of
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, View
from nashgap.strategies.checked import open_strategy
from nashgap.strategies.table import TableStrategy

__all__ = ["StrategyAgent", "load_strategy_agent"]


class StrategyAgent:
    """Looks up what it knows in a table and draws an action. It plays every seat, and remembers nothing."""

    def __init__(self, name: str, strategy: TableStrategy) -> None:
        self.name = name
        self.strategy = strategy
        definition = strategy.tree.definition
        if definition.get("name") != "poker":
            raise MismatchError(
                f"agent {name!r}: a strategy for {strategy.tree.game} cannot sit at a poker table;"
                " one for a poker game (kuhn2, leduc2, a game definition file) can"
            )
        self.rules = PokerGame(**definition["parameters"]).rules

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a table where another game is played."""
        if rules != self.rules:
            raise MismatchError(
                f"agent {self.name!r} has a strategy for {self.strategy.tree.game}, not for {rules.name or 'this game'}"
            )

    def start_match(self, rules: PokerRules) -> None:
        self.check_game(rules)

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, view: View) -> Action:
        tree = self.strategy.tree
        infoset = tree.infoset_index[f"{view.seat}:{infoset_of(view)}"]
        up_to = np.cumsum(self.strategy.probabilities[tree.slots(infoset)])
        drawn = int(np.searchsorted(up_to, up_to[-1] * self._rng.random(), side="right"))
        return tuple(view.legal)[drawn]  # a table has its actions in the same order

    def end_hand(self, hand: HandRecord) -> None:
        pass


def load_strategy_agent(path: str, rules: PokerRules) -> StrategyAgent:
    """The agent that plays the strategy in a file."""
    agent = StrategyAgent(path, open_strategy(path))
    agent.check_game(rules)
    return agent
