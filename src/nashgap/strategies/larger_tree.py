"""A strategy of a small betting tree on a larger one, which allows more raises than it was trained with.

Heads-up limit games. The trees differ in their caps only. The strategy never raises beyond its own cap. Where the
opponent does, it checks or calls until the round is over (or folds, see `PlayOptions.off_tree`), and goes on in the
next round as if all raises beyond the cap had been calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.game import CHANCE
from nashgap.errors import MismatchError, UnsupportedGameError
from nashgap.poker.state import CALL, FOLD, Action, PublicState
from nashgap.strategies.abstract import AbstractStrategy

__all__ = ["on_larger_tree"]


def on_larger_tree(strategy: AbstractStrategy, game: AbstractGame) -> tuple[np.ndarray, ...]:
    """The strategy's tables in the entries of an abstract game of the same cards: `[R]` float32.

    Information sets that training never reached have what the strategy's fallback makes of them.
    """
    rules = game.rules
    if rules.num_seats != 2 or rules.has_sizes:
        raise UnsupportedGameError(f"{rules.name or 'the game'}: a larger betting tree is for heads-up limit games")
    if rules != strategy.rules or _seen(game) != _seen(strategy.game):
        raise MismatchError("the larger tree must be of the strategy's game and cards")
    walk = _Walk(strategy, game)
    walk.visit(rules.root(), game.tree.root, _Belief(rules.root(), strategy.game.tree.root))
    return tuple(walk.tables)


@dataclass(frozen=True)
class _Belief:
    """Where the strategy believes to be: a state of its own tree.

    is_lost: somebody has raised beyond the cap in this round.
    """

    state: PublicState
    node: int
    is_lost: bool = False


class _Walk:
    """Both trees at once."""

    def __init__(self, strategy: AbstractStrategy, game: AbstractGame) -> None:
        self.strategy, self.game = strategy, game
        self.tables = [np.zeros(size, np.float32) for size in np.diff(game.entry_start).tolist()]

    def visit(self, state: PublicState, node: int, belief: _Belief) -> None:
        """Fill the entries of the node and of all below it."""
        tree = self.game.tree
        actions = tree.abstraction.actions(state)
        entries = self.game.entries(node) - self.game.entry_start[state.round]
        played = self._off_tree(actions) if belief.is_lost else self._on_tree(actions, belief)
        self.tables[state.round][entries] = played
        for action, child in zip(actions, tree.child[tree.first_edge[node] :].tolist(), strict=False):
            if child >= 0:
                after = _dealt(state.act(action))
                followed = self._follow(belief, _kind(action))
                self.visit(after, child, followed if after.round == state.round else self._next_round(followed, after))

    def _on_tree(self, actions: Sequence[Action], belief: _Belief) -> np.ndarray:
        """`[buckets, actions]`: the strategy's own, and 0 for a raise that it does not have."""
        game, table = self.strategy.game, self.strategy.tables[belief.state.round]
        own = self._kinds(belief)
        entries = game.entries(belief.node) - game.entry_start[belief.state.round]
        shares = table[entries].astype(np.float32) / np.float32(255 if table.dtype == np.uint8 else 1)
        is_unreached = ~shares.any(axis=1)
        shares[is_unreached] = np.equal(own, CALL) if self.strategy.options.fallback == "call" else 1 / len(own)
        played = np.zeros((len(shares), len(actions)), np.float32)
        played[:, [[_kind(action) for action in actions].index(kind) for kind in own]] = shares
        return played

    def _off_tree(self, actions: Sequence[Action]) -> np.ndarray:
        """`[actions]`, the same for all buckets."""
        does_fold = self.strategy.options.off_tree == "check-fold" and FOLD in actions
        return np.equal(actions, FOLD if does_fold else CALL)

    def _follow(self, belief: _Belief, kind: int) -> _Belief:
        """What is believed after an action, in the same round as far as that goes."""
        if belief.is_lost:
            return belief
        is_beyond = kind not in self._kinds(belief)
        return self._step(belief, CALL if is_beyond else kind, is_lost=is_beyond)

    def _next_round(self, belief: _Belief, state: PublicState) -> _Belief:
        """The belief where a round begins: all raises beyond the cap were calls."""
        while belief.state.round < state.round:
            belief = self._step(belief, CALL, is_lost=True)
        return replace(belief, is_lost=False)

    def _step(self, belief: _Belief, kind: int, *, is_lost: bool) -> _Belief:
        tree, place = self.strategy.game.tree, self._kinds(belief).index(kind)
        action = tree.abstraction.actions(belief.state)[place]
        child = int(tree.child[tree.first_edge[belief.node] + place])
        return _Belief(_dealt(belief.state.act(action)), child, is_lost)

    def _kinds(self, belief: _Belief) -> list[int]:
        return [_kind(action) for action in self.strategy.game.tree.abstraction.actions(belief.state)]


def _kind(action: Action) -> int:
    """FOLD, CALL, or 1 for any raise: limit games have one."""
    return min(int(action), 1)


def _dealt(state: PublicState) -> PublicState:
    """With board cards, whichever they are, where some are to come."""
    if state.seat == CHANCE:
        unseen = [card for card in state.rules.deck if card not in state.board]
        return state.deal(unseen[: state.num_missing_cards])
    return state


def _seen(game: AbstractGame) -> list[str]:
    """What the seats tell apart."""
    return [cards.fingerprint for of_seat in game.cards for _, cards in sorted(of_seat.items())]
