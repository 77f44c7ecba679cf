"""What two ranges do on a public tree of bets and boards: a vector over private hands at every decision.

Boards that a renaming of the suits turns into each other are one where the ranges do not tell them apart. All that is
asked here is exact: values, best responses (Johanson et al. 2011), and one decision with all that brings hands there.

A decision can be locked: its player keeps to what is given there. Best responses, and so `nash_conv`, then count what
can be gained at all other decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.cards.card import format_cards
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.hands import hands_of

__all__ = [
    "STORAGES", "RangeGameSize", "RangeLock", "RangeStrategy", "RangeView", "count_range_game", "decision_after",
    "require_storage",
]  # fmt: skip

STORAGES = ("float32", "int16")
"""How numbers are kept: as they are, or in 16 bits, sixteen hands with one exponent; that takes about half the memory.

What lies between two numbers of 16 bits is rounded up or down by a draw that only place and iteration decide, so that
small increments count on average and the same arguments still give the same numbers.
"""

_HANDS_OF_EXPONENT = 16
_BIAS = 127 + 14  # of an exponent, as native/solvers/packed_block.h has it
_ROUNDING = 1e-4  # by which the shares of a hand may miss 1


@dataclass(frozen=True, eq=False)
class RangeView:
    """A decision, where both have played as they do up to it. Zeros for hands that are not there.

    player:   the seat that decides.
    strategy: `[hands, actions]` what it does.
    values:   `[hands, actions]` chips that the hand wins, less what it put in, if it does that and both go on so.
    reach:    `[hands]` of each seat: weights of what it holds by then.
    met:      `[hands]` the weight of the other's hands that can meet it.
    equity:   `[hands]` share of the pot that the hand wins if all cards are dealt at once.
    """

    player: int
    strategy: np.ndarray
    values: np.ndarray
    reach: tuple[np.ndarray, np.ndarray]
    met: np.ndarray
    equity: np.ndarray


@dataclass(frozen=True, eq=False)
class RangeLock:
    """A decision whose player keeps to a given strategy.

    actions:  the betting before it.
    strategy: `[hands, actions]`, each row adds up to 1.
    board:    all cards that lie there; boards that suits alone tell from it are locked with it. None: on all boards.
    """

    actions: tuple[int, ...]
    strategy: np.ndarray
    board: tuple[int, ...] | None = None

    def native(self, tree: BettingTree) -> tuple[int, list[int], np.ndarray]:
        """As the engine takes it; refused where nobody decides there, or between other actions."""
        node = decision_after(tree, self.actions)
        shape = (len(hands_of(tree.rules)), tree.num_actions(node))
        strategy = np.ascontiguousarray(self.strategy, np.float32)
        if strategy.shape != shape:
            raise ConfigError(f"a lock of shape {strategy.shape}; {shape[0]} hands and {shape[1]} actions are there")
        if not (strategy >= 0).all() or (abs(strategy.sum(axis=1) - 1) > _ROUNDING).any():
            raise ConfigError("a lock has shares that are below 0 or do not add up to 1")
        return node, list(self.board or ()), strategy


@dataclass(frozen=True)
class RangeGameSize:
    """How large a game of two ranges is. What suits alone tell apart is counted once.

    num_boards:       of all rounds.
    num_action_nodes: decisions of the betting on all boards.
    num_bytes:        memory of what is solved with it: regrets and averages; optimistic regrets, if it is predictive.
    """

    num_boards: int
    num_action_nodes: int
    num_bytes: int


def count_range_game(
    tree: BettingTree,
    board: Sequence[int],
    ranges: np.ndarray,
    *,
    locks: Sequence[RangeLock] = (),
    storage: str = STORAGES[0],
    is_predictive: bool = False,
) -> RangeGameSize:
    """The size that a `RangeStrategy` of these arguments would have, without taking its memory.

    is_predictive: of one that a predictive schedule makes better.
    """
    given = [lock.native(tree) for lock in locks]
    weights = _weights(tree, ranges)
    is_packed = _is_packed(storage)
    return RangeGameSize(
        *_native.count_range_game(tree.rules.native, tree.native, list(board), weights, given, is_packed, is_predictive)
    )


class RangeStrategy:
    """Both players' strategies; uniform until something is put into its tables.

    tree:   of a game of two seats, from its first round on.
    board:  the cards that lie in the first round.
    ranges: `[2, hands]` weights of both seats' hands, in the order of `nashgap.poker.hands`.
    rake:   share of the pot that is taken where it is won, and the most chips of it.
    locks:  decisions that are given.
    storage: one of `STORAGES`.
    """

    def __init__(
        self,
        tree: BettingTree,
        board: Sequence[int],
        ranges: np.ndarray,
        *,
        rake: tuple[float, float] = (0.0, 0.0),
        locks: Sequence[RangeLock] = (),
        storage: str = STORAGES[0],
        threads: int = 1,
    ) -> None:
        weights = _weights(tree, ranges)
        self.tree, self.board, self.storage = tree, tuple(board), storage
        self._has_rake = rake[0] > 0 and rake[1] > 0
        given = [lock.native(tree) for lock in locks]
        try:
            self.native = _native.RangeCfr(
                tree.rules.native, tree.native, list(board), weights, *rake, given, _is_packed(storage), threads
            )
        except ValueError as error:
            raise ConfigError(f"two ranges on {format_cards(board) or 'no board'}: {error}") from None

    @property
    def size(self) -> RangeGameSize:
        return RangeGameSize(*self.native.size)

    @property
    def num_action_nodes(self) -> int:
        return self.size.num_action_nodes

    @property
    def num_boards(self) -> int:
        return self.size.num_boards

    @property
    def num_bytes(self) -> int:
        return self.size.num_bytes

    @property
    def tables(self) -> dict[str, np.ndarray]:
        """Of both players, in the engine's order: weights in proportion to what is done. Writing changes it.

        In 16 bits, `strategy_exponent_0` and `_1` have the exponents of sixteen hands each.
        """
        return {
            f"{name.replace('_sum', '')}_{player}": array
            for player in (0, 1)
            for name, array in self.native.arrays(player).items()
            if name.startswith("strategy_sum")
        }

    def weights(self, player: int) -> np.ndarray:
        """One player's table as float32, however it is kept."""
        tables = self.tables
        numbers = tables[f"strategy_{player}"]
        if not _is_packed(self.storage):
            return numbers
        exponents = tables[f"strategy_exponent_{player}"].astype(np.int32)
        steps = np.ldexp(np.float32(1), exponents - _BIAS)  # where it is 0, so are the numbers
        return (numbers.reshape(-1, _HANDS_OF_EXPONENT) * steps[:, None]).astype(np.float32).reshape(-1)

    def view(self, actions: Sequence[int], board: Sequence[int]) -> RangeView:
        """The decision after these actions on this board, which has all cards that lie there by then, as they came."""
        node = decision_after(self.tree, actions)
        with self._naming_board(board):
            return RangeView(*self.native.view(node, list(board)))

    def probabilities(self, actions: Sequence[int], board: Sequence[int]) -> np.ndarray:
        """`[hands, actions]` what is done there, as `view` has it, without what it is worth."""
        node = decision_after(self.tree, actions)
        with self._naming_board(board):
            return self.native.average_strategy(node, list(board)).reshape(-1, self.tree.num_actions(node))

    @contextmanager
    def _naming_board(self, board: Sequence[int]) -> Iterator[None]:
        try:
            yield
        except ValueError:
            own = format_cards(self.board) or "none"
            raise ConfigError(f"board {format_cards(board)!r} does not lie there; the first cards are {own}") from None

    def values(self) -> tuple[float, float]:
        """What both win, in chips, the mean over all deals."""
        return self.native.value(0), self.native.value(1)

    def response_values(self, *, keeps_locks: bool = True) -> tuple[float, float]:
        """What a best response of each wins against the other; it may answer at locked decisions, too."""
        return self.native.response_value(0, keeps_locks), self.native.response_value(1, keeps_locks)

    def nash_conv(self) -> float:
        """What both best responses gain together, in chips."""
        paid = sum(self.values()) if self._has_rake else 0.0  # without it, what one wins the other loses
        return sum(self.response_values()) - paid


def require_storage(storage: str) -> None:
    if storage not in STORAGES:
        raise ConfigError(f"storage {storage!r}; it must be one of {', '.join(STORAGES)}")


def _is_packed(storage: str) -> bool:
    require_storage(storage)
    return storage == "int16"


def decision_after(tree: BettingTree, actions: Sequence[int]) -> int:
    """The node at which somebody decides after these actions."""
    place = tree.find_node(actions)
    if not place.is_on_tree or place.is_over:
        raise ConfigError(f"nobody decides after {list(actions)} in the betting tree")
    return place.target


def _weights(tree: BettingTree, ranges: np.ndarray) -> np.ndarray:
    """As the engine takes them. Refuses games and ranges that do not fit."""
    rules = tree.rules
    if rules.num_seats != 2:
        raise UnsupportedGameError(f"{rules.name or 'the game'} has {rules.num_seats} seats; two ranges meet here")
    weights = np.ascontiguousarray(ranges, np.float32)
    if weights.shape != (2, len(hands_of(rules))):
        raise ConfigError(f"ranges are of shape {weights.shape}; 2 x {len(hands_of(rules))} weights are needed")
    return weights
