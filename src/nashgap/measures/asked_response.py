"""Best responses over all hands to any strategy that answers for all hands, which is asked board by board.

The questions are known beforehand: every decision of the tree on every board that may come, each once. A board's
questions are asked together, in batches, then the engine walks that board (`SteppedResponse` in
`native/measure/full_response.h`); what was answered is forgotten with it. Nothing is known of suits: no board stands
for another.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import comb

import numpy as np

from nashgap import _native
from nashgap.core.strategy import Policy, RaiseRange
from nashgap.errors import ConfigError
from nashgap.measures.played_tree import PlayedTree, move_outside
from nashgap.poker.hands import hands_of
from nashgap.poker.state import Action, PublicState
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.check_policy import checked_answers
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["AskedResponse"]

BATCH_STATES = 256
TRIAL_STATES = 16  # asked to find out how long an answer takes
_Decisions = list[tuple[int, PublicState]]  # nodes of the tree and the states there


class AskedResponse:
    """Asks a strategy about every decision of a tree."""

    def __init__(self, strategy: PokerStrategy, tree: PlayedTree) -> None:
        if strategy.is_sampled:
            mean = "translation=soft has their mean" if isinstance(strategy, AbstractStrategy) else "lbr measures it"
            raise ConfigError(f"{strategy.name} is known by samples only: no best response to them is exact; {mean}")
        self.strategy, self.tree = strategy, tree

    def num_questions(self, board: Sequence[int]) -> int:
        """Decisions before the board, on it, and on all boards that may come of it."""
        return sum(a * b for a, b in zip(self.tree.nodes_by_round, self._num_boards(board), strict=True))

    def expected_seconds(self, boards: Sequence[Sequence[int]]) -> float:
        """By a few questions of the last round, on cards that may follow the first board, and a walk without any."""
        rules, board = self.tree.rules, boards[0]
        left = [card for card in rules.deck if card not in board]
        cards = (*board, *left[: rules.total_board_cards - len(board)])
        first = int(self.tree.native.round_start[-2])
        states = [_on_board(state, cards) for state in self.tree.states[first : first + 2 * TRIAL_STATES]]
        half = max(1, len(states) // 2)
        checked_answers(self.strategy, states[:half])  # pays for what happens only once
        begin = time.perf_counter()
        checked_answers(self.strategy, states[-half:])
        asking = (time.perf_counter() - begin) / half
        walking = _Walk(self.strategy, self.tree, cards, rules.num_rounds - 1).seconds_without_questions()
        return sum(asking * self.num_questions(each) + walking * self._num_boards(each)[-1] for each in boards)

    def _num_boards(self, board: Sequence[int]) -> list[int]:
        """Of each round that go with this one."""
        rules, numbers = self.tree.rules, [1]
        for new, lying in zip(rules.num_board_cards[1:], np.cumsum(rules.num_board_cards).tolist(), strict=False):
            is_later = lying + new > len(board)
            numbers.append(numbers[-1] * (comb(len(rules.deck) - lying, new) if is_later else 1))
        return numbers

    def respond(self, board: Sequence[int], number: int) -> tuple[np.ndarray, np.ndarray, float]:
        """As `_native.FullResponse.respond`: the board is that of a round."""
        return _Walk(self.strategy, self.tree, board, number).found()


class _Walk:
    """From one board on: what the strategy does is asked, told to the engine and forgotten, one board at a time."""

    def __init__(self, strategy: PokerStrategy, tree: PlayedTree, board: Sequence[int], number: int) -> None:
        rules = tree.rules
        self.strategy, self.tree, self.board, self.number = strategy, tree, board, number
        self.told = _native.AskedStrategy(rules.native, tree.native)
        self.response = _native.SteppedResponse(rules.native, tree.native, self.told, list(board), number)

    def found(self) -> tuple[np.ndarray, np.ndarray, float]:
        rules = self.tree.rules
        starts: _Decisions = [(self.tree.native.root, rules.root())]
        for number in range(self.number):
            behind = self._tell(number, starts)
            starts = _next(behind, self.board[rules.board_cards_by(number) : rules.board_cards_by(number + 1)])
        self._visit(0, self.number, starts)
        return self.response.found()

    def seconds_without_questions(self) -> float:
        """For the engine's part on the first board."""
        for number in range(self.tree.rules.num_rounds):
            self.told.tell(number, self._table(number))
        begin = time.perf_counter()
        self.response.enter(0)
        self.response.leave(0)
        return time.perf_counter() - begin

    def _table(self, number: int) -> np.ndarray:
        """`[hands, edges]` of a round, 0."""
        native = self.tree.native
        first, last = (int(native.first_edge[native.round_start[each]]) for each in (number, number + 1))
        return np.zeros((len(hands_of(self.tree.rules)), last - first), np.float32)

    def _visit(self, board: int, number: int, starts: _Decisions) -> None:
        """A board of a round, which begins so, and all boards that may come of it."""
        behind = self._tell(number, starts)
        self.response.enter(board)
        first, count = self.response.following(board)
        num_lying = len(self.response.cards(board))
        for following in range(first, first + count):
            self._visit(following, number + 1, _next(behind, self.response.cards(following)[num_lying:]))
        self.response.leave(board)

    def _tell(self, number: int, starts: _Decisions) -> _Decisions:
        """Ask about all decisions of a round that begins so on one board; where they lead to the next round."""
        decisions, behind = self._expanded(starts)
        native, table = self.tree.native, self._table(number)
        begin = int(native.first_edge[native.round_start[number]])
        for first in range(0, len(decisions), BATCH_STATES):
            batch = decisions[first : first + BATCH_STATES]
            policies = checked_answers(self.strategy, [state for _, state in batch])
            for (node, state), policy in zip(batch, policies, strict=True):
                self._fill(table[:, int(native.first_edge[node]) - begin :], node, state, policy)
        self.told.tell(number, table)
        return behind

    def _expanded(self, starts: _Decisions) -> tuple[_Decisions, _Decisions]:
        """All decisions of the round, and those with which the next begins, before its cards are dealt."""
        native = self.tree.native
        decisions, behind, pending = _Decisions(), _Decisions(), starts[::-1]
        while pending:
            node, state = pending.pop()
            decisions.append((node, state))
            for edge, action in enumerate(self.tree.actions[node], int(native.first_edge[node])):
                child = int(native.child[edge])
                if child < 0:
                    continue
                is_later = child >= int(native.round_start[state.round + 1])
                (behind if is_later else pending).append((child, state.act(action)))
        return decisions, behind

    def _fill(self, table: np.ndarray, node: int, state: PublicState, policy: Policy) -> None:
        """The rows of a decision, whose actions are the first columns of the table."""
        name = self.strategy.name
        for move, column in zip(policy.moves, policy.probabilities.T, strict=True):
            if not column.any():
                continue
            sizes: Sequence[Action] = range(move.low, move.high + 1) if isinstance(move, RaiseRange) else (move,)
            if len(sizes) > len(self.tree.actions[node]):
                raise move_outside(name, state, move, self.tree.text)
            for place in self.tree.columns(name, node, state, sizes):
                table[:, place] += column / len(sizes)


def _next(behind: _Decisions, cards: Sequence[int]) -> _Decisions:
    """Where the next round begins on the board with these cards."""
    return [(node, state.deal(cards)) for node, state in behind] if cards else behind


def _on_board(state: PublicState, cards: Sequence[int]) -> PublicState:
    """The same betting on another board."""
    found = state.rules.root()
    for number, actions in enumerate(state.history):
        new = cards[len(found.board) : state.rules.board_cards_by(number)]
        found = found.deal(new) if new else found
        for action in actions:
            found = found.act(action)
    return found
