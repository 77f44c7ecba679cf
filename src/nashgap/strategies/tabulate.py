"""Any strategy of a small poker game as the table of its compiled game, so that everything exact takes it.

The strategy is asked about every public state of the game, in batches. An action that its policy does not list has
probability 0; a range of raises is spread over its sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nashgap.catalogue import POKER_GAMES
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.games.compiled import tree_of
from nashgap.games.spec import is_game, load_game
from nashgap.poker.game import CardGame, DealtPokerState, PokerGame
from nashgap.poker.hands import hands_of, possible_hands
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState, View
from nashgap.strategies.check_policy import check_policies
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.poker_table import PokerTableStrategy, card_game
from nashgap.strategies.table import TableStrategy

__all__ = ["tabulate_poker", "tree_of_rules"]

BATCH_STATES = 256


def tabulate_poker(strategy: PokerStrategy, tree: GameTree) -> TableStrategy:
    """What the strategy does in every information set of the tree, whose game must be one of the poker table."""
    if strategy.is_sampled:
        raise ConfigError(f"{strategy.name} is known by samples only: it has no table; Local Best Response measures it")
    game = card_game(tree, repr(strategy.name))
    probabilities = np.zeros(tree.num_slots)
    states = list(_decisions(game.rules))
    for first in range(0, len(states), BATCH_STATES):
        batch = states[first : first + BATCH_STATES]
        for state, policy in zip(batch, _asked(strategy, batch), strict=True):
            rows = _legal_rows(policy, state)
            hands = hands_of(game.rules)
            for place in np.flatnonzero(possible_hands(state)).tolist():
                key = f"{state.seat}:{game.infoset_of(View(state, state.seat, hands[place]))}"
                probabilities[tree.slots(tree.infoset_index[key])] = rows[0 if policy.ignores_hands else place]
    return TableStrategy(tree, probabilities, getattr(strategy, "facts", {}))


def tree_of_rules(rules: PokerRules) -> GameTree:
    """The compiled game of these rules, under their name where that stands for the same game."""
    if rules.name in POKER_GAMES.entries or is_game(rules.name):
        game = load_game(rules.name)
        if isinstance(game, CardGame) and game.rules == rules:
            return tree_of(game)
    return tree_of(PokerGame(tuple(rules.to_text().splitlines())))


def _asked(strategy: PokerStrategy, states: Sequence[PublicState]) -> list[Policy]:
    answers = strategy.policies(states)
    # A table has its probabilities as they are; scaled, their last bit would change.
    is_table = isinstance(strategy, PokerTableStrategy)
    return answers if is_table else check_policies(answers, states, strategy.name)


def _legal_rows(policy: Policy, state: PublicState) -> np.ndarray:
    """`[H, A]` or `[1, A]`: of all legal actions, in their order, which is that of the tree."""
    places = {action: place for place, action in enumerate(state.legal)}
    rows = np.zeros((len(policy.probabilities), len(places)))
    for move, column in zip(policy.moves, policy.probabilities.T, strict=True):
        if isinstance(move, RaiseRange):
            first = places[move.low]
            rows[:, first : first + len(move)] += (column / len(move))[:, None]
        else:
            rows[:, places[move]] += column
    return rows


def _decisions(rules: PokerRules) -> Iterator[PublicState]:
    """Every public state in which a seat acts."""
    root: DealtPokerState = PokerGame(tuple(rules.to_text().splitlines())).public_root()
    stack = [root]
    while stack:
        node = stack.pop()
        if node.player >= 0:
            yield node.state
        stack.extend(node.child(move) for move in range(len(node.actions)))
