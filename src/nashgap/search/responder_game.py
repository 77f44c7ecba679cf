"""A game of two players and zero sum as one of them, the responder, meets it: the other's strategy is part of it.

The responder's information sets are numbered; each has slots, one for each action. What was learned of them is handed
to the engine as arrays, so that a table and a network serve it alike, and nothing is asked while it plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from nashgap import _native
from nashgap.core.tree import GameTree
from nashgap.errors import UnsupportedGameError
from nashgap.measures.best_response import expected_values
from nashgap.search.options import RULES, SearchOptions
from nashgap.strategies.table import TableStrategy

__all__ = [
    "Episodes",
    "Learner",
    "NumberedGame",
    "ResponderGame",
    "TreeResponderGame",
    "Values",
    "play_games",
    "require_two_zero_sum",
]


@dataclass(frozen=True, eq=False)
class Values:
    """What was learned. I information sets, S slots.

    value:    `[I]` float32, what the responder wins from there on, in the game's unit.
    prior:    `[S]` float32, how good each action is thought to be; only their order counts without a search.
    is_known: `[I]` uint8, whether anything was learned there; where not, simulations are played out: at random, at the
              poker table by checks and calls.
    visits:   `[S]` float32, of earlier searches, with which trees begin; None: they begin empty.
    total:    `[S]` float64, what they won.
    """

    value: np.ndarray
    prior: np.ndarray
    is_known: np.ndarray
    visits: np.ndarray | None = None
    total: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Episodes:
    """Games that the responder has played. E games, D decisions in them, at most A actions in one.

    payoff:          `[E]` what it won, in the game's unit.
    decision_end:    `[E]` decisions up to the end of each game.
    infoset:         `[D]` where it decided,
    value:           `[D]` what its search said of that,
    share:           `[D, A]` and how the visits were shared out among the actions.
    num_simulations: of all searches.
    counted_slot:    `[C]` slots that searches of a kept tree have visited,
    counted_visits:  `[C]` how often,
    counted_total:   `[C]` and what that won.
    """

    payoff: np.ndarray
    decision_end: np.ndarray
    infoset: np.ndarray
    value: np.ndarray
    share: np.ndarray
    num_simulations: int
    counted_slot: np.ndarray
    counted_visits: np.ndarray
    counted_total: np.ndarray

    @property
    def payoff_of_decision(self) -> np.ndarray:
        """`[D]` what its game paid."""
        return np.repeat(self.payoff, np.diff(self.decision_end, prepend=0))


class ResponderGame(Protocol):
    """The engine of one responder; can be sent to other processes.

    What learners of such a game tell, and what they learn from, is between them and the engine: `Values` and `Episodes`
    where information sets are numbered.
    """

    @property
    def scale(self) -> float:
        """The most that can be won or lost."""
        ...

    def play(self, options: SearchOptions, values: Any, *, seed: int, first: int, number: int) -> Any:
        """Games `first`, `first + 1`, ...: each a function of its number, the seed, the options and the values; where
        the tree is kept, of the games before it in the same call, too."""
        ...

    def evaluate(self, options: SearchOptions, values: Any, *, seed: int, first: int, number: int) -> np.ndarray:
        """`[number]` what the responder, as it is, wins in so many games, with as little luck as can be had."""
        ...


class NumberedGame(ResponderGame, Protocol):
    """One whose information sets are numbered, with slots for their actions."""

    @property
    def num_infosets(self) -> int: ...

    @property
    def num_slots(self) -> int: ...

    @property
    def slots(self) -> np.ndarray:
        """`[I, A]` the slots of each information set; -1 where it has fewer actions."""
        ...

    @property
    def own_infosets(self) -> np.ndarray:
        """int64: the numbers of those that are the responder's."""
        ...

    @property
    def features(self) -> np.ndarray:
        """`[I, F]` float32: information sets as a network sees them."""
        ...


class Learner(Protocol):
    """What learns from games."""

    def learn(self, episodes: Any) -> None: ...

    def values(self) -> Any:
        """What was learned so far, in arrays of their own."""
        ...

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to go on from here."""
        ...

    def restore(self, state: Mapping[str, np.ndarray]) -> None: ...


class TreeResponderGame:
    """A compiled game. The belief at an information set is exact: all its histories, by chance and the opponent.

    belief: `[N]` chances of the tree's nodes, each information set for itself, from which searches draw instead; what
            is played, and so what is won, does not depend on it.
    """

    def __init__(self, strategy: TableStrategy, player: int, belief: np.ndarray | None = None) -> None:
        require_two_zero_sum(strategy.tree)
        self.strategy, self.player, self.belief = strategy, player, belief

    @property
    def tree(self) -> GameTree:
        return self.strategy.tree

    @property
    def num_infosets(self) -> int:
        return self.tree.num_infosets

    @property
    def num_slots(self) -> int:
        return self.tree.num_slots

    @cached_property
    def slots(self) -> np.ndarray:
        tree = self.tree
        actions = np.arange(int(tree.infoset_size.max(initial=1)))
        slots = tree.infoset_slot[:, None].astype(np.int64) + actions * tree.infoset_stride[:, None]
        return np.where(actions < tree.infoset_size[:, None], slots, -1)

    @property
    def own_infosets(self) -> np.ndarray:
        return np.flatnonzero(self.tree.infoset_player == self.player)

    @cached_property
    def features(self) -> np.ndarray:
        """An information set is read as its text: which letter stands in which place."""
        names = self.tree.infoset_name
        letters = {letter: number for number, letter in enumerate(sorted(set("".join(names))))}
        features = np.zeros((len(names), max(map(len, names)), len(letters)), np.float32)
        for row, name in enumerate(names):
            features[row, np.arange(len(name)), [letters[letter] for letter in name]] = 1.0
        flat = features.reshape(len(names), -1)
        return np.ascontiguousarray(flat[:, flat.min(axis=0) < flat.max(axis=0)])  # others say nothing

    @property
    def scale(self) -> float:
        return float(np.abs(self.tree.returns).max(initial=0.0)) or 1.0

    @cached_property
    def native(self) -> _native.TreeSearch:
        return _native.TreeSearch(self.tree.native, self.player, self.strategy.probabilities, self.belief)

    def play(self, options: SearchOptions, values: Values, *, seed: int, first: int, number: int) -> Episodes:
        return play_games(self.native, options, values, seed=seed, first=first, number=number)

    def evaluate(self, options: SearchOptions, values: Values, *, seed: int, first: int, number: int) -> np.ndarray:
        return self.play(options, values, seed=seed, first=first, number=number).payoff

    def responder(self, values: Values) -> TableStrategy:
        """Both players' play when the responder takes the action of the largest prior everywhere, without a search."""
        prior = np.where(self.slots >= 0, values.prior[self.slots], -np.inf)
        best = self.slots[np.arange(len(prior)), prior.argmax(axis=1)]
        probabilities = self.strategy.probabilities.copy()
        probabilities[self.tree.slot_player == self.player] = 0.0
        probabilities[best[self.tree.infoset_player == self.player]] = 1.0
        return TableStrategy(self.tree, probabilities)

    def exact_value(self, values: Values) -> float:
        """What that play is worth to the responder."""
        return expected_values(self.tree, self.responder(values))[self.player]

    def __getstate__(self) -> dict[str, Any]:
        # The engine is made again from the tree.
        return {"strategy": self.strategy, "player": self.player, "belief": self.belief}


def play_games(
    engine: _native.TreeSearch | _native.PokerSearch,
    options: SearchOptions,
    values: Values,
    *,
    seed: int,
    first: int,
    number: int,
    answer: Callable[[], bool] | None = None,
) -> Episodes:
    """As `ResponderGame.play`. answer: brings the opponent the answers that it misses; whether there were any."""
    engine.start(
        options.simulations,
        RULES.index(options.rule),
        options.exploration,
        options.exploring,
        options.keeps_tree,
        options.counts_best,
        options.abreast,
        values.value,
        values.prior,
        values.is_known,
        values.visits,
        values.total,
        seed,
        first,
        number,
    )
    while not engine.advance():
        is_answered = answer is not None and answer()
        assert is_answered, "a game that is not finished waits for an answer"
    return Episodes(*engine.take())


def require_two_zero_sum(tree: GameTree, method: str = "abr") -> None:
    """Refuse a game in which what one wins is not what one other loses, or in which players forget."""
    if tree.num_players != 2 or not tree.is_zero_sum:
        why = f"{tree.num_players} players" if tree.num_players != 2 else "payoffs that do not add up to 0"
        raise UnsupportedGameError(f"{tree.game} has {why}; {method} is for two players and zero sum")
    tree.require_perfect_recall(method)
