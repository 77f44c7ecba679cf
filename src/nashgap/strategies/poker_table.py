"""A strategy of a compiled poker game at the real table: for all hands at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nashgap.core.strategy import Policy
from nashgap.core.tree import GameTree
from nashgap.errors import IllegalActionError, MismatchError
from nashgap.games.compiled import rebuild_game
from nashgap.poker.game import CardGame
from nashgap.poker.hands import hand_names, hands_of
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState, View, action_text
from nashgap.strategies.table import TableStrategy

__all__ = ["PokerTableStrategy", "card_game"]


class PokerTableStrategy:
    """Looks up what it does in a table, and remembers the answers, of which a small game has few."""

    is_sampled = False

    def __init__(self, name: str, strategy: TableStrategy) -> None:
        self.name = name
        self.strategy = strategy
        self._game = card_game(strategy.tree, repr(name))
        self.rules = self._game.rules
        self._answers: dict[tuple[str, tuple[int, ...]], Policy] = {}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Where the table comes from."""
        return self.strategy.facts

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
            known = self._game.infoset_of(View(state, state.seat, hole_cards))
            infoset = tree.infoset_index.get(f"{state.seat}:{known}")
            if infoset is not None:  # else a card is on the board, or not in the deck
                probabilities[place] = self.strategy.probabilities[tree.slots(infoset)]
        return Policy(hand_names(rules), tuple(action_text(rules, move) for move in moves), probabilities, moves)


def card_game(tree: GameTree, who: str) -> CardGame:
    """The game of the tree as one of the poker table; `who` wants it, for messages."""
    game = rebuild_game(tree.definition) if tree.definition else None
    if not isinstance(game, CardGame):
        raise MismatchError(
            f"{who}: a strategy for {tree.game} cannot sit at a poker table;"
            " one for a poker game (kuhn, leduc, a game definition file) can"
        )
    return game
