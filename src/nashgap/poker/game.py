"""Any small poker game as a `DealtGame`, so that everything tabular and exact takes it.

Private hands are the combinations of hole cards, suits told apart; board cards are public chance. The labels of the
public states have the letters of the competition and, before the betting of a round that deals some, its board cards:
`crc/Ks:rc`. A game that is too large is refused by `compile_tree` with its size.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import Protocol, runtime_checkable

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.cards.evaluator import hand_ranks
from nashgap.catalogue import POKER_GAMES
from nashgap.core.game import CHANCE, Deals, DealtGame, infoset_key
from nashgap.errors import ConfigError, GameSizeError, IllegalActionError
from nashgap.poker.betting_abstraction import EVERY, parse_betting_abstraction
from nashgap.poker.betting_tree import count_betting_tree
from nashgap.poker.rules import PokerRules, load_rules, parse_rules
from nashgap.poker.state import CALL, FOLD, Action, PublicState, View, action_text

__all__ = ["CardGame", "DealtPokerState", "PokerGame"]

PROBED_STATES = 50_000  # half a second
MOST_COUNTED = 1e7  # actions that the engine counts before it gives up


@runtime_checkable
class CardGame(Protocol):
    """A small game that is also played at the poker table."""

    @property
    def rules(self) -> PokerRules: ...

    def infoset_of(self, view: View) -> str:
        """The key, in the small game, of what a seat at the table knows."""
        ...


@dataclass(frozen=True)
class PokerGame(DealtGame):
    """A poker game with its private hands spelt out.

    definition: the name of a shipped game, or the path of a game definition file, or the lines of one, which is what a
                path becomes: the game stays the same when the file does not.
    """

    definition: str | tuple[str, ...] = "kuhn2"

    def __post_init__(self) -> None:
        if not self._is_shipped:
            object.__setattr__(self, "definition", tuple(_read_rules(self.definition).to_text().splitlines()))

    @property
    def _is_shipped(self) -> bool:
        return isinstance(self.definition, str) and self.definition in POKER_GAMES.entries

    @property
    def spec(self) -> str | None:
        """The name of a shipped game."""
        return str(self.definition) if self._is_shipped else None

    @cached_property
    def rules(self) -> PokerRules:
        return _read_rules(self.definition)

    @property
    def num_players(self) -> int:
        return self.rules.num_seats

    @property
    def unit(self) -> str:
        return self.rules.unit

    @cached_property
    def hands(self) -> np.ndarray:
        """`[H, hole cards]` uint8, all hands, the highest card of each first."""
        return _combinations(self.rules.deck[::-1], self.rules.num_hole_cards)

    @cached_property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(map(format_cards, self.hands.tolist())),) * self.num_players

    @cached_property
    def hand_bits(self) -> np.ndarray:
        """`[H]` uint64, a bit for each card."""
        return _card_bits(self.hands)

    @property
    def num_deals(self) -> int:
        left, size = len(self.rules.deck), self.rules.num_hole_cards
        return math.prod(math.comb(left - size * player, size) for player in range(self.num_players))

    def least_public_nodes(self, enough: float) -> float:
        """By the numbers of legal actions: a stack of a billion chips has as many raises, none of which is looked at.

        First those of the states that a few actions lead to, then those of all different states of the betting.
        """
        count = 1.0
        if not self.rules.has_sizes:
            return count
        for state in islice(_nearest_decisions(self.rules.root()), PROBED_STATES):
            count += len(state.legal)
            if count > enough:
                return count
        try:
            return max(count, 1.0 + count_betting_tree(self.rules, parse_betting_abstraction(EVERY)).num_edges)
        except GameSizeError:
            return max(count, MOST_COUNTED)

    def deals(self) -> Deals:
        return self._deals

    @cached_property
    def _deals(self) -> Deals:
        hands, taken = np.zeros((1, 0), np.int64), np.zeros(1, np.uint64)
        for _ in range(self.num_players):
            deal, hand = np.nonzero((taken[:, None] & self.hand_bits) == 0)
            hands = np.column_stack([hands[deal], hand])
            taken = taken[deal] | self.hand_bits[hand]
        return Deals(hands, np.full(len(hands), 1.0 / len(hands)))

    def infoset_of(self, view: View) -> str:
        """The key of what a seat knows."""
        return infoset_key(format_cards(sorted(view.hole_cards, reverse=True)), _label(view.state))

    def public_root(self) -> DealtPokerState:
        return DealtPokerState(self, self.rules.root())


@dataclass(frozen=True, eq=False)
class DealtPokerState:
    """A point of a hand for all deals at once. L lanes, P players."""

    game: PokerGame
    state: PublicState

    @property
    def player(self) -> int:
        return self.state.seat

    @cached_property
    def moves(self) -> tuple[Action, ...]:
        """The legal actions in the order of `actions`; player states only."""
        return tuple(self.state.legal)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        if self.state.is_over:
            return ()
        if self.player == CHANCE:
            return tuple(map(format_cards, self._boards.tolist()))
        is_free, is_first = not self.state.legal.can_fold, self.state.num_raises == 0
        raise_word = "bet" if is_free and is_first else "raise"
        has_sizes = self.game.rules.has_sizes
        words = {FOLD: "fold", CALL: "check" if is_free else "call"}
        return tuple(words.get(move) or (f"{raise_word} {move}" if has_sizes else raise_word) for move in self.moves)

    @cached_property
    def label(self) -> str:
        return _label(self.state)

    def child(self, move: int) -> DealtPokerState:
        if not 0 <= move < len(self.actions):
            raise IllegalActionError(
                f"poker after {self.label!r}: no move {move}; there are {len(self.actions)}, counted from 0"
            )
        if self.player == CHANCE:
            return DealtPokerState(self.game, self.state.deal(self._boards[move].tolist()))
        return DealtPokerState(self.game, self.state.act(self.moves[move]))

    @cached_property
    def _boards(self) -> np.ndarray:
        """`[C, missing cards]` all that can be dealt now if nobody holds any of it."""
        left = [card for card in self.game.rules.deck if card not in self.state.board]
        return _combinations(left, self.state.num_missing_cards)

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        held = np.bitwise_or.reduce(self.game.hand_bits[hands], axis=1)
        is_possible = (held[:, None] & _card_bits(self._boards)) == 0
        return np.asarray(is_possible / is_possible.sum(axis=1, keepdims=True))

    def returns(self, hands: np.ndarray) -> np.ndarray:
        if self.state.has_folded.count(False) == 1:
            return np.tile(self._payoffs(hands[0]), (len(hands), 1))
        # What a seat wins depends on who beats whom, and of that there are few patterns.
        strength = self._strength(hands)
        num_beaten = (strength[:, :, None] > strength[:, None, :]).sum(axis=2)
        _, example, pattern = np.unique(num_beaten, axis=0, return_index=True, return_inverse=True)
        return np.array([self._payoffs(hands[lane]) for lane in example])[pattern.reshape(-1)]

    def _strength(self, hands: np.ndarray) -> np.ndarray:
        """`[L, P]` hand ranks with the board."""
        held, place = np.unique(hands, return_inverse=True)
        board = np.tile(np.array(self.state.board, np.uint8), (len(held), 1))
        return hand_ranks(np.hstack([self.game.hands[held], board]))[place.reshape(hands.shape)]

    def _payoffs(self, hands: np.ndarray) -> np.ndarray:
        """`[P]` in the game's unit, of one deal."""
        return np.array(self.state.payoffs(self.game.hands[hands].tolist())) / self.game.rules.unit_chips


def _nearest_decisions(root: PublicState) -> Iterator[PublicState]:
    """The root and what lies behind it before any board card, few actions first; each made when its turn comes."""
    waiting: deque[Iterator[PublicState]] = deque([iter([root])])
    while waiting:
        state = next(waiting[0], None)
        if state is None:
            waiting.popleft()
        elif state.seat >= 0:
            yield state
            waiting.append(map(state.act, state.legal))


def _label(state: PublicState) -> str:
    return "/".join(_round_labels(state))


def _round_labels(state: PublicState) -> Iterator[str]:
    dealt = 0
    for actions, number in zip(state.history, state.rules.num_board_cards, strict=False):
        cards = sorted(state.board[dealt : dealt + number])  # in whatever order they came
        dealt += number
        letters = "".join(action_text(state.rules, action) for action in actions)
        yield f"{format_cards(cards)}:{letters}" if cards else letters


def _read_rules(definition: object) -> PokerRules:
    if isinstance(definition, str):
        return load_rules(definition)
    if isinstance(definition, list | tuple) and all(isinstance(line, str) for line in definition):
        return parse_rules("\n".join(definition))
    raise ConfigError(f"poker: definition must be a name or the path of a game definition file, not {definition!r}")


def _combinations(cards: Sequence[int], size: int) -> np.ndarray:
    """`[C, size]` uint8, in the order of the cards."""
    return np.array(list(combinations(cards, size)), np.uint8).reshape(-1, size)


def _card_bits(cards: np.ndarray) -> np.ndarray:
    """`[C, cards] -> [C]` uint64, a bit for each card."""
    return np.asarray(np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64), axis=1))
