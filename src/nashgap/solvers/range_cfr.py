"""Counterfactual regret minimisation for two ranges, full width: every hand, every board to come, every bet of a tree.

Vectors over private hands go through a public tree of bets and boards (Johanson et al. 2011, 2012). Boards that a
renaming of the suits turns into each other are one where the ranges do not tell them apart. Updates alternate: each
player answers the other's newest strategy. Two players; numbers are float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.cards.card import format_cards
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.hands import hands_of
from nashgap.solvers.schedules import DCFR, Schedule
from nashgap.solvers.state import copy_state, portions, restore_state

__all__ = ["RangeCFR", "RangeGameSize", "RangeView", "count_range_game"]


@dataclass(frozen=True, eq=False)
class RangeView:
    """A decision, where both have played their average strategies up to it. Zeros for hands that are not there.

    player:   the seat that decides.
    strategy: `[hands, actions]` what it does.
    values:   `[hands, actions]` chips that the hand wins, less what it put in, if it does that and both go on as found.
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


@dataclass(frozen=True)
class RangeGameSize:
    """How large a game of two ranges is. What suits alone tell apart is counted once.

    num_boards:       of all rounds.
    num_action_nodes: decisions of the betting on all boards.
    num_bytes:        memory of the sums that `RangeCFR` takes.
    """

    num_boards: int
    num_action_nodes: int
    num_bytes: int


def count_range_game(tree: BettingTree, board: Sequence[int], ranges: np.ndarray) -> RangeGameSize:
    """The size that `RangeCFR` would have with these arguments, without taking its memory."""
    return RangeGameSize(*_native.count_range_game(tree.rules.native, tree.native, list(board), _weights(tree, ranges)))


class RangeCFR:
    """One solve; `run` it as far as you like. The same arguments give the same numbers, whatever the threads.

    tree:   of a game of two seats, from its first round on.
    board:  the cards that lie in the first round.
    ranges: `[2, hands]` weights of both seats' hands, in the order of `nashgap.poker.hands`.
    rake:   share of the pot that is taken where it is won, and the most chips of it.
    """

    def __init__(
        self,
        tree: BettingTree,
        board: Sequence[int],
        ranges: np.ndarray,
        schedule: Schedule = DCFR,
        *,
        rake: tuple[float, float] = (0.0, 0.0),
        threads: int = 1,
    ) -> None:
        if schedule.is_predictive:
            raise ConfigError("predictive schedules are not for ranges; cfr, cfr+, lcfr and dcfr are")
        weights = _weights(tree, ranges)
        self.tree, self.board, self.schedule = tree, tuple(board), schedule
        self.iteration = 0
        self._has_rake = rake[0] > 0
        self._native = _native.RangeCfr(tree.rules.native, tree.native, list(board), weights, *rake, threads)

    @property
    def size(self) -> RangeGameSize:
        return RangeGameSize(*self._native.size)

    @property
    def num_action_nodes(self) -> int:
        return self.size.num_action_nodes

    @property
    def num_boards(self) -> int:
        return self.size.num_boards

    @property
    def num_bytes(self) -> int:
        return self.size.num_bytes

    def run(self, num_iterations: int) -> None:
        for count in portions(num_iterations):
            self._native.iterate(self.schedule.weights(self.iteration + 1, count))
            self.iteration += count

    def view(self, actions: Sequence[int], board: Sequence[int]) -> RangeView:
        """The decision after these actions on this board, which has all cards that lie there by then, as they came."""
        place = self.tree.find_node(actions)
        if not place.is_on_tree or place.is_over:
            raise ConfigError(f"nobody decides after {list(actions)} in the betting tree")
        try:
            return RangeView(*self._native.view(place.target, list(board)))
        except ValueError:
            own = format_cards(self.board) or "none"
            raise ConfigError(f"board {format_cards(board)!r} does not lie there; the first cards are {own}") from None

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on exactly from here."""
        return copy_state(self.iteration, self._arrays())

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)

    def _arrays(self) -> dict[str, np.ndarray]:
        native = self._native
        return {
            f"{name}_{player}": array(player)
            for name, array in (("regret_sum", native.regret_sum), ("strategy_sum", native.strategy_sum))
            for player in (0, 1)
        }

    def values(self) -> tuple[float, float]:
        """What both win with their average strategies, in chips, the mean over all deals."""
        return self._native.value(0), self._native.value(1)

    def response_values(self) -> tuple[float, float]:
        """What a best response of each wins against the other's average strategy."""
        return self._native.response_value(0), self._native.response_value(1)

    def nash_conv(self) -> float:
        """What both best responses gain together, in chips."""
        won = sum(self.values()) if self._has_rake else 0.0  # what one wins the other loses
        return sum(self.response_values()) - won


def _weights(tree: BettingTree, ranges: np.ndarray) -> np.ndarray:
    """As the engine takes them. Refuses games and ranges that do not fit."""
    rules = tree.rules
    if rules.num_seats != 2:
        raise UnsupportedGameError(f"{rules.name or 'the game'} has {rules.num_seats} seats; two ranges meet here")
    weights = np.ascontiguousarray(ranges, np.float32)
    if weights.shape != (2, len(hands_of(rules))):
        raise ConfigError(f"ranges are of shape {weights.shape}; 2 x {len(hands_of(rules))} weights are needed")
    return weights
