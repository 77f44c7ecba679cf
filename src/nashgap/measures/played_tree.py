"""A betting tree of two seats in which a strategy is measured, whatever decides its actions.

Bets of a betting abstraction, moves of a strategy of abstract games as it plays at the real table, or both: `own+fcpa`
is the tree in which everybody has the bets of `fcpa` and what the strategy may do there, translated where the betting
has left its own tree. A tree must hold all moves of the strategy; responses stay in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.errors import ConfigError, GameSizeError, MismatchError, UnsupportedGameError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import count_betting_tree
from nashgap.poker.moves import Move, move_text
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.check_policy import place_text
from nashgap.strategies.translation import OFF_TREE

__all__ = [
    "OWN",
    "PlayedTree",
    "dealt",
    "move_outside",
    "parse_tree",
    "place_strategy",
    "played_tree",
    "require_two_seats",
]

OWN = "own"
MOST_NODES = 500_000  # half a minute to build, and far too many to walk in a day
RULE = -1


@dataclass(frozen=True, eq=False)
class PlayedTree:
    """N decisions, in the order of `nashgap.poker.betting_tree`.

    text:    as it was asked for.
    actions: `[N]` of each decision: fold, call, raises ascending.
    states:  `[N]` each decision on some board.
    """

    text: str
    rules: PokerRules
    native: _native.BettingTree
    actions: tuple[tuple[Action, ...], ...]
    states: tuple[PublicState, ...]

    @property
    def nodes_by_round(self) -> tuple[int, ...]:
        return tuple(np.diff(self.native.round_start).tolist())

    def columns(self, strategy: str, node: int, state: PublicState, moves: Iterable[Action]) -> list[int]:
        """Which actions of the decision these moves of a strategy are; MismatchError where one is not in the tree."""
        places = {action: place for place, action in enumerate(self.actions[node])}
        try:
            return [places[move] for move in moves]
        except KeyError as error:
            raise move_outside(strategy, state, error.args[0], self.text) from None


def move_outside(strategy: str, state: PublicState, move: Move, tree: str) -> MismatchError:
    """For a move of a strategy that the tree does not have."""
    return MismatchError(
        f"{strategy} {place_text(state)}: {move_text(state.rules, move)} is not in the betting tree {tree}; name one"
        f" that has all its moves, such as {OWN}+{tree} for a strategy of an abstract game"
    )


def parse_tree(text: str) -> tuple[bool, str]:
    """Of `own`, `own+fcpa` or `fcpa`: whether the strategy's own moves are meant, and the betting abstraction."""
    own, plus, rest = text.strip().partition("+")
    if own.strip() != OWN:
        return False, str(parse_betting_abstraction(text))
    if plus and not rest.strip():
        raise ConfigError(f"tree {text!r}: write {OWN}, a betting abstraction, or both: {OWN}+fcpa")
    return True, str(parse_betting_abstraction(rest)) if plus else ""


def played_tree(text: str, rules: PokerRules, strategy: AbstractStrategy | None = None) -> PlayedTree:
    """The tree that the text means; strategy: whose own moves are in it, where they are meant."""
    require_two_seats(rules)
    has_own, bets = parse_tree(text)
    abstraction = parse_betting_abstraction(bets) if bets else None
    assert strategy is not None or not has_own, "whose moves?"
    if abstraction is not None and count_betting_tree(rules, abstraction).num_nodes > MOST_NODES:
        raise _too_large(text)

    def actions(state: PublicState) -> list[Action]:
        found = set() if abstraction is None else {*abstraction.actions(state)}
        if strategy is not None and has_own:
            found.update(move for _, _, _, moves in _places(strategy, state) for move in moves)
        return sorted(found)

    return _build(text, rules, actions)


def place_strategy(strategy: AbstractStrategy, tree: PlayedTree) -> _native.PlacedStrategy:
    """The strategy as it plays in the tree; MismatchError where it has moves that the tree does not have."""
    starts, weights, segments, nodes, columns = [0], list[float](), list[int](), list[int](), list[list[int]]()
    for node, state in enumerate(tree.states):
        for weight, segment, place, moves in _places(strategy, state):
            found = tree.columns(strategy.name or "the strategy", node, state, moves)
            weights.append(weight)
            segments.append(segment)
            nodes.append(place)
            columns.append(found + [0] * (_native.MAX_ACTIONS - len(found)))
        starts.append(len(weights))
    return _native.PlacedStrategy(
        strategy.native,
        tree.native,
        np.array(starts, np.int64),
        np.array(weights, np.float64),
        np.array(segments, np.int32),
        np.array(nodes, np.int32),
        np.array(columns, np.uint8),
    )


def require_two_seats(rules: PokerRules) -> None:
    if rules.num_seats != 2:
        raise UnsupportedGameError(
            f"{rules.name or 'the game'} has {rules.num_seats} seats; best responses over all hands are for two"
        )


def dealt(state: PublicState) -> PublicState:
    """With any board, where cards are due."""
    while state.num_missing_cards:
        state = state.deal([card for card in state.rules.deck if card not in state.board][: state.num_missing_cards])
    return state


def _places(strategy: AbstractStrategy, state: PublicState) -> list[tuple[float, int, int, tuple[Action, ...]]]:
    """Weight, segment, node and moves of each place in the strategy's trees; a RULE has one move for all hands."""
    segment, places = strategy.native.places(state.native)
    folds = strategy.options.off_tree == "fold" and state.legal.can_fold
    return [
        (weight, segment, node, moves)
        if node >= 0
        else (weight, segment, RULE, (FOLD if node == OFF_TREE and folds else CALL,))
        for weight, node, moves in places
    ]


def _build(text: str, rules: PokerRules, actions_at: Callable[[PublicState], Sequence[Action]]) -> PlayedTree:
    builder = _Builder(text, rules, actions_at)
    builder.build()
    return PlayedTree(text, rules, builder.native(), tuple(builder.actions), tuple(builder.states))


def _too_large(text: str) -> GameSizeError:
    return GameSizeError(f"the betting tree {text} has more than {MOST_NODES:,} decisions, too many to walk")


class _Builder:
    """Nodes round by round, within a round depth first."""

    def __init__(self, text: str, rules: PokerRules, actions_at: Callable[[PublicState], Sequence[Action]]) -> None:
        self.text, self.rules, self.actions_at = text, rules, actions_at
        self.actions: list[tuple[Action, ...]] = []
        self.states: list[PublicState] = []
        self.round_start: list[int] = []
        self.first_edge = [0]
        self.child: list[int] = []
        self.endings: dict[tuple[tuple[int, ...], int], int] = {}

    def build(self) -> None:
        starts: list[list[tuple[PublicState, int]]] = [[] for _ in range(self.rules.num_rounds)]
        starts[0].append((dealt(self.rules.root()), -1))
        for number in range(self.rules.num_rounds):
            self.round_start.append(len(self.states))
            for state, edge in starts[number]:
                node = self._expand(state, starts)
                if edge >= 0:
                    self.child[edge] = node
        self.round_start.append(len(self.states))

    def _expand(self, state: PublicState, starts: list[list[tuple[PublicState, int]]]) -> int:
        if len(self.states) == MOST_NODES:
            raise _too_large(self.text)
        actions = tuple(self.actions_at(state))
        node, first = len(self.states), len(self.child)
        self.states.append(state)
        self.actions.append(actions)
        self.child += [0] * len(actions)
        self.first_edge.append(len(self.child))
        for edge, action in enumerate(actions, first):
            after = dealt(state.act(action))
            if after.is_over:
                folded = sum(1 << seat for seat, has_folded in enumerate(after.has_folded) if has_folded)
                self.child[edge] = -1 - self.endings.setdefault((tuple(after.spent), folded), len(self.endings))
            elif after.round == state.round:
                self.child[edge] = self._expand(after, starts)
            else:
                starts[after.round].append((after, edge))
        return node

    def native(self) -> _native.BettingTree:
        return _native.make_betting_tree(
            self.rules.native,
            np.array(self.round_start, np.int64),
            np.array(self.first_edge, np.int64),
            np.array([state.seat for state in self.states], np.uint8),
            np.array([actions.count(FOLD) for actions in self.actions], np.uint8),
            np.array([sum(action in (FOLD, CALL) for action in actions) for actions in self.actions], np.uint8),
            np.array(self.child, np.int32),
            np.array([spent for spent, _ in self.endings], np.int32).reshape(-1, 2),
            np.array([folded for _, folded in self.endings], np.uint16),
        )
