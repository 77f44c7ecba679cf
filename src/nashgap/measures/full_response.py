"""Best responses over all hands and boards, inside one betting tree of two players (Johanson et al. 2011).

The public tree is walked with vectors over hands: how the opponent's hands reach a state goes down, what each own hand
wins at best comes up. From one board on that is exact (`native/measure/full_response.cpp`, in float32); the betting
before it is answered here, after adding up over boards that nobody can tell apart by then. Bets outside the tree do
not exist; the buckets of the strategy may forget, since the responder sees all cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import load_strength_tables
from nashgap.core.strategy import RaiseRange
from nashgap.errors import UnsupportedGameError
from nashgap.measures.asked_response import AskedResponse
from nashgap.measures.flops import Flops, round_of_board
from nashgap.measures.played_tree import PlayedTree, dealt, move_outside, place_strategy, require_two_seats
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import Chump
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["BoardResponse", "TreeResponse", "Trunk", "blind_probabilities", "is_holdem"]

MOST_CLASSES = 2**22  # of hands, where a strategy of several abstract games sees them in several ways

_Choices = dict[int, np.ndarray]


@dataclass(frozen=True, eq=False)
class BoardResponse:
    """What comes of one board, in chips of a hand that is dealt there.

    payoffs: by seat, `[sequences, hands]`: what each hand wins where the betting before the board ends or goes on after
             a sequence of its own, times the chance of hand, opponent and cards; best answers from the board on.
    value:   what the first seat wins if both play the strategy.
    """

    payoffs: tuple[np.ndarray, np.ndarray]
    value: float

    def by_class(self, classes: np.ndarray) -> BoardResponse:
        """With hands of a class added up: what is won over all boards that a renaming of suits makes of this one."""
        number = int(classes.max()) + 1
        first, second = (np.stack([np.bincount(classes, row, number) for row in payoffs]) for payoffs in self.payoffs)
        return BoardResponse((first, second), self.value)


class Trunk:
    """A seat's decisions in the rounds before a board, and its best answers there.

    nodes: of the betting tree, each with its round, the sequence before it, its first own sequence and the number of
           actions; a node stands before those below it.
    """

    def __init__(self, rules: PokerRules, nodes: Sequence[tuple[int, int, int, int, int]]) -> None:
        self.rules, self.nodes = rules, nodes

    def choose(self, payoffs: np.ndarray) -> tuple[float, _Choices]:
        """What best answers win of `[sequences, hands]` payoffs, and the action of each hand at each node."""
        choices: _Choices = {}
        won = np.array(payoffs, np.float64)
        for _, node, sequence, first, number in reversed(self.nodes):
            after = won[first : first + number]
            choices[node] = after.argmax(axis=0)
            won[sequence] += after.max(axis=0)
        return float(won[0].sum()), choices

    def evaluate(self, payoffs: np.ndarray, choices: _Choices) -> float:
        """What these answers win."""
        won = np.array(payoffs, np.float64)
        for _, node, sequence, first, number in reversed(self.nodes):
            won[sequence] += np.take_along_axis(won[first : first + number], choices[node][None], axis=0)[0]
        return float(won[0].sum())

    def best_value(self, boards: Sequence[tuple[int, ...]], payoffs: np.ndarray) -> float:
        """What best answers win of `[boards, sequences, hands]` payoffs; on boards that begin alike they are the same.

        The last round before the boards is answered first, after adding up over boards with the same cards by then.
        """
        rows = list(zip(boards, payoffs, strict=True))
        for number in range(max((node[0] for node in self.nodes), default=0), -1, -1):
            together: dict[tuple[int, ...], np.ndarray] = {}
            for board, row in rows:
                seen = board[: self.rules.board_cards_by(number)]
                together[seen] = together[seen] + row if seen in together else row.copy()
            for won in together.values():
                for each, _, sequence, first, actions in reversed(self.nodes):
                    if each == number:
                        won[sequence] += won[first : first + actions].max(axis=0)
            rows = list(together.items())
        return float(sum(row[0].sum() for _, row in rows))


class TreeResponse:
    """Best responses to one strategy in one betting tree, board by board.

    strategy:   of an abstract game, in its own tree where none is given; a chump; or any that answers for all hands,
                which is asked about every decision on every board.
    is_by_suit: tell boards apart that differ in suits alone: slower, and the same numbers.
    is_general: walk a chump's tree as that of any other strategy, and ask a strategy of abstract games as any other is
                asked: slower, and the same numbers.
    """

    def __init__(
        self,
        strategy: PokerStrategy,
        tree: BettingTree | PlayedTree | None = None,
        *,
        is_by_suit: bool = False,
        is_general: bool = False,
    ) -> None:
        self.strategy = strategy
        self.tree = _own_tree(strategy) if tree is None else tree
        rules = self.rules = self.tree.rules
        require_two_seats(rules)
        hands_of(rules)  # refuses more than two hole cards
        self.flops = Flops(rules)
        self.asked: AskedResponse | None = None
        self._blind: _native.BlindResponse | None = None
        self._blind_value = 0.0
        known = self._known(is_general)
        self._native = _native.FullResponse(rules.native, self.tree.native, known, not is_by_suit)

    def _known(self, is_general: bool) -> _native.KnownStrategy:
        """All that the strategy does, as the engine reads it; where it must be asked for, nothing yet."""
        strategy, tree, rules = self.strategy, self.tree, self.rules
        if isinstance(tree, PlayedTree):
            if isinstance(strategy, AbstractStrategy) and not strategy.is_sampled and not is_general:
                placed = place_strategy(strategy, tree)
                if all(placed.num_classes(s, r) <= MOST_CLASSES for s in range(2) for r in range(rules.num_rounds)):
                    return placed
            self.asked = AskedResponse(strategy, tree)
            return _native.AskedStrategy(rules.native, tree.native)
        if isinstance(strategy, AbstractStrategy):
            return _native.TableStrategy(strategy.native)
        assert isinstance(strategy, Chump), "others are asked in a tree whose moves are known"
        chances = blind_probabilities(strategy, tree)
        if is_holdem(rules) and not is_general:
            levels = load_strength_tables("ehs").levels[3]
            self._blind = _native.BlindResponse(rules.native, tree.native, chances, levels)
            self._blind_value = _value_of_folds(tree, chances)
        return _native.BlindStrategy(rules.native, tree.native, chances)

    def trunks(self, board: Sequence[int]) -> tuple[Trunk, Trunk]:
        """By seat, the betting before such a board; none in a game of one round, which follows the empty board."""
        number = round_of_board(self.rules, board)
        first, second = (Trunk(self.rules, self._native.trunk(seat, number)) for seat in range(2))
        return first, second

    @property
    def is_blind(self) -> bool:
        """Whether flops are answered by pots and chances, which takes milliseconds."""
        return self._blind is not None

    @property
    def has_equal_suits(self) -> bool:
        """Whether the strategy is known to do the same with hands that suits alone tell apart."""
        if isinstance(self.strategy, Chump):
            return self.asked is None
        if not isinstance(self.strategy, AbstractStrategy) or self.asked is not None:
            return False
        classes = self.flops.hand_classes
        for of_seat in (cards for segment in self.strategy.segments for cards in segment.game.cards):
            buckets = of_seat[2].all_buckets((), 0)
            in_deck = buckets >= 0
            first = np.full(int(classes.max()) + 1, -1, np.int64)
            first[classes[in_deck]] = buckets[in_deck]
            if (first[classes[in_deck]] != buckets[in_deck]).any():
                return False
        return True

    def at_board(self, board: tuple[int, ...], *, most_next: int = 0) -> BoardResponse:
        """What comes of one board. most_next: walk only so many that follow, to find out how long it takes; 0: all."""
        pairs, number = self._num_pairs(len(board)), round_of_board(self.rules, board)
        if self._blind is not None and number == self.flops.round:
            first, second = self._blind.respond(list(board))
            return BoardResponse((first / pairs, second / pairs), self._blind_value)
        if self.asked is not None:
            first, second, value = self.asked.respond(board, number)
        else:
            first, second, value = self._native.respond(list(board), number, most_next)
        return BoardResponse((first / pairs, second / pairs), value / pairs)

    def _num_pairs(self, num_cards: int) -> int:
        """Of two hands that can be dealt beside so many cards."""
        left, pairs = len(self.rules.deck) - num_cards, 1
        for _ in range(2):
            pairs *= left if self.rules.num_hole_cards == 1 else left * (left - 1) // 2
            left -= self.rules.num_hole_cards
        return pairs


def is_holdem(rules: PokerRules) -> bool:
    """Whether its cards are those of Texas hold'em."""
    return len(rules.deck) == 52 and rules.num_hole_cards == 2 and tuple(rules.num_board_cards) == (0, 3, 1, 1)


def _value_of_folds(tree: BettingTree, probabilities: np.ndarray) -> float:
    """What the first seat wins, in chips, if both play so: hands that are alike win nothing at showdowns."""
    native = tree.native
    reach = np.zeros(tree.num_nodes)
    reach[tree.root] = 1.0
    won = 0.0
    for node in range(tree.num_nodes):  # a node stands before those below it
        for edge in range(int(native.first_edge[node]), int(native.first_edge[node + 1])):
            child, chance = int(native.child[edge]), reach[node] * probabilities[edge]
            if child >= 0:
                reach[child] = chance
            elif folded := int(tree.ending_folded[-1 - child]):
                spent = tree.ending_spent[-1 - child]
                won += chance * float(-spent[0] if folded & 1 else spent[1])
    return float(won)


def blind_probabilities(chump: Chump, tree: BettingTree) -> np.ndarray:
    """`[edges]` what a chump does at each node of a betting tree in which it has all its moves."""
    rules, native = tree.rules, tree.native
    probabilities = np.zeros(tree.num_edges)
    pending: list[tuple[int, PublicState]] = [(tree.root, rules.root())]
    while pending:
        node, state = pending.pop()
        first, last = int(native.first_edge[node]), int(native.first_edge[node + 1])
        actions = tree.abstraction.actions(state)
        policy = dict(zip(*_moves(chump, state), strict=True))
        for edge, action in zip(range(first, last), actions, strict=True):
            probabilities[edge] = policy.pop(action, 0.0)
            child = int(native.child[edge])
            if child >= 0:
                pending.append((child, dealt(state.act(action))))
        if policy:
            raise move_outside(chump.name, state, min(policy), str(tree.abstraction))
    return probabilities


def _moves(chump: Chump, state: PublicState) -> tuple[list[Any], list[float]]:
    policy = chump.policies([state])[0]
    moves: list[Any] = []
    shares: list[float] = []
    for move, share in zip(policy.moves, policy.probabilities[0].tolist(), strict=True):
        sizes = range(move.low, move.high + 1) if isinstance(move, RaiseRange) else (move,)
        moves.extend(sizes)
        shares.extend([share / len(sizes)] * len(sizes))
    return moves, shares


def _own_tree(strategy: PokerStrategy) -> BettingTree:
    assert isinstance(strategy, AbstractStrategy), "others have no tree of their own"
    strategy.require_complete(strategy.name or "the strategy")
    strategy.require_one_game(strategy.name or "the strategy", "a best response in the strategy's own tree")
    tree = strategy.game.tree
    if tree.truncation is not None:
        raise UnsupportedGameError("the betting tree ends before the last round; its game is not the real one")
    return tree
