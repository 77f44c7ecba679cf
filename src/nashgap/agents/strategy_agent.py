"""A strategy at the table: it is asked for what it does with every hand, and an action is drawn for the one held."""

from __future__ import annotations

from typing import cast

import numpy as np

from nashgap.core.strategy import Policy, RaiseRange, SampledStrategy
from nashgap.poker.hands import hand_place
from nashgap.poker.notation import HandRecord
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState, View
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.poker_table import PokerTableStrategy

__all__ = ["StrategyAgent"]


class StrategyAgent:
    """Plays every seat, and remembers nothing.

    deals_per_batch: about as many as it plays in a second.
    """

    def __init__(self, strategy: PokerStrategy, *, deals_per_batch: int = 100) -> None:
        self.name = strategy.name
        self.strategy = strategy
        self.deals_per_batch = deals_per_batch

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a table where another game is played."""
        if isinstance(self.strategy, PokerTableStrategy):
            self.strategy.check_game(rules)

    def start_match(self, rules: PokerRules) -> None:
        self.check_game(rules)

    def start_hand(self, seat: int, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, view: View) -> Action:
        policy = self._policy(view)
        up_to = np.cumsum(policy.row(hand_place(view.rules, view.hole_cards)))
        drawn = int(np.searchsorted(up_to, up_to[-1] * self._rng.random(), side="right"))
        move = policy.moves[drawn]
        return int(self._rng.integers(move.low, move.high + 1)) if isinstance(move, RaiseRange) else move

    def _policy(self, view: View) -> Policy:
        if self.strategy.is_sampled:
            sampled = cast(SampledStrategy[PublicState], self.strategy)
            return sampled.sample_policies([view.state], int(self._rng.integers(2**63)))[0]
        return self.strategy.policies([view.state])[0]

    def end_hand(self, hand: HandRecord) -> None:
        pass
