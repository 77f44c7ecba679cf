"""Best responses over all hands and boards, inside one betting tree of two players (Johanson et al. 2011).

The public tree is walked with vectors over hands: how the opponent's hands reach a state goes down, what each own hand
wins at best comes up. From one flop on that is exact (`native/measure/full_response.cpp`, in float32); the betting
before the flop is answered here, after adding up over flops. Bets outside the tree do not exist; the buckets of the
strategy may forget, since the responder sees all cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import load_strength_tables
from nashgap.core.strategy import RaiseRange
from nashgap.errors import MismatchError, UnsupportedGameError
from nashgap.measures.flops import Flops
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import Chump

__all__ = ["FirstRound", "FlopResponse", "TreeResponse", "blind_probabilities", "is_holdem"]

_Choices = dict[int, np.ndarray]


@dataclass(frozen=True, eq=False)
class FlopResponse:
    """What comes of one flop, in chips of a hand that is dealt there.

    payoffs: by seat, `[sequences, hands]`: what each hand wins where the first round's betting ends or goes on after a
             sequence of its own, times the chance of hand, opponent and cards; best answers from the flop on.
    value:   what the first seat wins if both play the strategy.
    """

    payoffs: tuple[np.ndarray, np.ndarray]
    value: float

    def by_class(self, classes: np.ndarray) -> FlopResponse:
        """With hands of a class added up: what is won over all boards that a renaming of suits makes of this one."""
        number = int(classes.max()) + 1
        first, second = (np.stack([np.bincount(classes, row, number) for row in payoffs]) for payoffs in self.payoffs)
        return FlopResponse((first, second), self.value)


class FirstRound:
    """A seat's decisions before the flop, and its best answers there.

    nodes: of the betting tree, each with the sequence before it, its first own sequence and the number of actions.
    """

    def __init__(self, nodes: list[tuple[int, int, int, int]]) -> None:
        self.nodes = nodes

    def choose(self, payoffs: np.ndarray) -> tuple[float, _Choices]:
        """What best answers win of `[sequences, hands]` payoffs, and the action of each hand at each node."""
        choices: _Choices = {}
        won = np.array(payoffs, np.float64)
        for node, sequence, first, number in reversed(self.nodes):  # a node stands before those below it
            after = won[first : first + number]
            choices[node] = after.argmax(axis=0)
            won[sequence] += after.max(axis=0)
        return float(won[0].sum()), choices

    def evaluate(self, payoffs: np.ndarray, choices: _Choices) -> float:
        """What these answers win."""
        won = np.array(payoffs, np.float64)
        for node, sequence, first, number in reversed(self.nodes):
            won[sequence] += np.take_along_axis(won[first : first + number], choices[node][None], axis=0)[0]
        return float(won[0].sum())


class TreeResponse:
    """Best responses to one strategy in one betting tree, flop by flop.

    strategy:   of an abstract game, in its own tree; or a chump, in the tree that is given.
    is_by_suit: tell boards apart that differ in suits alone: slower, and the same numbers.
    is_general: walk a chump's tree as that of any other strategy: slower, and the same numbers.
    """

    def __init__(
        self,
        strategy: AbstractStrategy | Chump,
        tree: BettingTree | None = None,
        *,
        is_by_suit: bool = False,
        is_general: bool = False,
    ) -> None:
        if isinstance(strategy, AbstractStrategy):
            self.tree = _own_tree(strategy)
        else:
            assert tree is not None, "a chump has no tree of its own"
            self.tree = tree
        rules = self.rules = self.tree.rules
        if rules.num_seats != 2:
            raise UnsupportedGameError(
                f"{rules.name or 'the game'} has {rules.num_seats} seats; best responses over all hands are for two"
            )
        hands_of(rules)  # refuses more than two hole cards
        self.flops = Flops(rules)
        self.strategy = strategy
        self._blind: _native.BlindResponse | None = None
        self._blind_value = 0.0
        if isinstance(strategy, AbstractStrategy):
            known: _native.KnownStrategy = _native.TableStrategy(strategy.native)
        else:
            chances = blind_probabilities(strategy, self.tree)
            known = _native.BlindStrategy(rules.native, self.tree.native, chances)
            if is_holdem(rules) and not is_general:
                levels = load_strength_tables("ehs").levels[3]
                self._blind = _native.BlindResponse(rules.native, self.tree.native, chances, levels)
                self._blind_value = _value_of_folds(self.tree, chances)
        self._native = _native.FullResponse(rules.native, self.tree.native, known, not is_by_suit)

    @cached_property
    def first_rounds(self) -> tuple[FirstRound, FirstRound]:
        """By seat; without decisions where there is one round, which is answered as all that follows a board is."""
        if self.flops.round == 0:
            return FirstRound([]), FirstRound([])
        return FirstRound(self._native.trunk(0)), FirstRound(self._native.trunk(1))

    @property
    def is_blind(self) -> bool:
        """Whether flops are answered by pots and chances, which takes milliseconds."""
        return self._blind is not None

    @property
    def has_equal_suits(self) -> bool:
        """Whether the strategy does the same with hands that suits alone tell apart, before the flop."""
        if isinstance(self.strategy, Chump):
            return True
        classes = self.flops.hand_classes
        for of_seat in self.strategy.game.cards:
            buckets = of_seat[2].all_buckets((), 0)
            in_deck = buckets >= 0
            first = np.full(int(classes.max()) + 1, -1, np.int64)
            first[classes[in_deck]] = buckets[in_deck]
            if (first[classes[in_deck]] != buckets[in_deck]).any():
                return False
        return True

    def at_flop(self, board: tuple[int, ...], *, most_next: int = 0) -> FlopResponse:
        """What comes of one board. most_next: walk only so many turns, to find out how long it takes; 0: all."""
        pairs = self._num_pairs
        if self._blind is not None:
            first, second = self._blind.respond(list(board))
            return FlopResponse((first / pairs, second / pairs), self._blind_value)
        first, second, value = self._native.respond(list(board), self.flops.round, most_next)
        return FlopResponse((first / pairs, second / pairs), value / pairs)

    @property
    def _num_pairs(self) -> int:
        """Of two hands that can be dealt beside a flop."""
        left, pairs = len(self.rules.deck) - self.flops.num_cards, 1
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
                pending.append((child, _dealt(state.act(action))))
        if policy:
            raise MismatchError(f"{chump.name} has moves that are not in the betting tree: {sorted(policy)}")
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


def _dealt(state: PublicState) -> PublicState:
    """With any board, where cards are due: a chump does not look at them."""
    while state.num_missing_cards:
        state = state.deal([card for card in state.rules.deck if card not in state.board][: state.num_missing_cards])
    return state


def _own_tree(strategy: AbstractStrategy) -> BettingTree:
    strategy.require_complete(strategy.name or "the strategy")
    strategy.require_one_game(strategy.name or "the strategy", "a best response in the strategy's own tree")
    tree = strategy.game.tree
    if tree.truncation is not None:
        raise UnsupportedGameError("the betting tree ends before the last round; its game is not the real one")
    return tree
