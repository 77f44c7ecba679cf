"""A strategy of a compiled poker game at the real table: for all hands at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nashgap.core.strategy import Policy
from nashgap.errors import IllegalActionError, MismatchError
from nashgap.poker.game import PokerGame, infoset_of
from nashgap.poker.hands import hand_names, hands_of
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState, View, action_text
from nashgap.strategies.table import TableStrategy

__all__ = ["PokerTableStrategy"]


class PokerTableStrategy:
    """Looks up what it does in a table, and remembers the answers, of which a small game has few."""

    is_sampled = False

    def __init__(self, name: str, strategy: TableStrategy) -> None:
        self.name = name
        self.strategy = strategy
        definition = strategy.tree.definition
        if definition.get("name") != "poker":
            raise MismatchError(
                f"{name!r}: a strategy for {strategy.tree.game} cannot sit at a poker table;"
                " one for a poker game (kuhn2, leduc2, a game definition file) can"
            )
        self.rules = PokerGame(**definition["parameters"]).rules
        self._answers: dict[tuple[str, tuple[int, ...]], Policy] = {}

    def check_game(self, rules: PokerRules) -> None:
        """Refuse a table where another game is played."""
        if rules != self.rules:
            raise MismatchError(
                f"{self.name!r} has a strategy for {self.strategy.tree.game}, not for {rules.name or 'this game'}"
            )

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """All legal actions, as the game has them; rows of hands that cannot be held are 0."""
        return [self._policy(state) for state in states]

    def _policy(self, state: PublicState) -> Policy:
        key = state.betting, state.board
        if key not in self._answers or state.rules is not self.rules:
            self.check_game(state.rules)
            if state.seat < 0:
                raise IllegalActionError(f"nobody is to act after {state.betting!r}")
            self._answers.setdefault(key, self._looked_up(state))
        return self._answers[key]

    def _looked_up(self, state: PublicState) -> Policy:
        tree, rules = self.strategy.tree, self.rules
        moves = tuple(state.legal)  # a table has its actions in the same order
        probabilities = np.zeros((len(hands_of(rules)), len(moves)))
        for place, hole_cards in enumerate(hands_of(rules)):
            infoset = tree.infoset_index.get(f"{state.seat}:{infoset_of(View(state, state.seat, hole_cards))}")
            if infoset is not None:  # else a card is on the board, or not in the deck
                probabilities[place] = self.strategy.probabilities[tree.slots(infoset)]
        return Policy(hand_names(rules), tuple(action_text(rules, move) for move in moves), probabilities, moves)
