"""The public betting tree of an abstract game: every betting history that the abstraction keeps, without cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.errors import ConfigError, GameSizeError, IllegalActionError
from nashgap.poker.betting_abstraction import BettingAbstraction
from nashgap.poker.prefix import prefix_text
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action

__all__ = [
    "SETTLEMENTS",
    "BettingPlace",
    "BettingTree",
    "BettingTreeSize",
    "Truncation",
    "build_betting_tree",
    "count_betting_tree",
]

MAX_NODES = 2**31 - 1
SETTLEMENTS = ("check", "bet", "best")


@dataclass(frozen=True)
class Truncation:
    """Betting that ends before the last round, and how the rest is settled (Billings et al. 2003; thesis, section 2.3).

    num_rounds: of betting.
    settle:     `check` deals all cards without any more bets; `bet` does so after everybody has put in one bet for each
                round that is missing, in limit games; `best` gives the pot to the best hand on the board so far.
    """

    num_rounds: int
    settle: str = SETTLEMENTS[0]

    def __post_init__(self) -> None:
        if self.settle not in SETTLEMENTS:
            raise ConfigError(f"settle = {self.settle!r}; it must be one of {', '.join(SETTLEMENTS)}")
        if self.num_rounds < 1:
            raise ConfigError(f"num_rounds = {self.num_rounds}; at least one round has betting")

    def num_board_cards(self, rules: PokerRules) -> int:
        """With which hands are compared."""
        return rules.board_cards_by(self.num_rounds - 1) if self.settle == "best" else sum(rules.num_board_cards)

    def check_rules(self, rules: PokerRules) -> None:
        """Refuse what does not fit the game."""
        if self.num_rounds >= rules.num_rounds:
            raise ConfigError(
                f"num_rounds = {self.num_rounds}; {rules.name or 'the game'} has {rules.num_rounds} rounds, so that"
                f" it must be 1 to {rules.num_rounds - 1}"
            )
        if self.settle == "bet" and rules.has_sizes:
            raise ConfigError("settle = 'bet' is for limit games, where a bet has one size")


@dataclass(frozen=True)
class BettingTreeSize:
    """How large a betting tree is.

    nodes_by_round: `[R]` betting histories after which a seat acts.
    edges_by_round: `[R]` actions of these.
    num_endings:    different ways in which the betting ends: chips put in and seats folded.
    """

    nodes_by_round: tuple[int, ...]
    edges_by_round: tuple[int, ...]
    num_endings: int

    @property
    def num_nodes(self) -> int:
        return sum(self.nodes_by_round)

    @property
    def num_edges(self) -> int:
        return sum(self.edges_by_round)


@dataclass(frozen=True)
class BettingPlace:
    """Where a betting history leads, as far as its actions are in the tree.

    target:       a node, or -1 - ending.
    num_followed: actions up to there; the next one, if the history has more, is not in the tree.
    is_on_tree:   whether all actions are in the tree.
    """

    target: int
    num_followed: int
    is_on_tree: bool

    @property
    def is_over(self) -> bool:
        return self.target < 0


@dataclass(frozen=True, eq=False)
class BettingTree:
    """N nodes (decisions), grouped by round, E edges (actions), K endings, P seats, R rounds.

    Within a round nodes stand in depth-first order, a node before those below it. The edges of a node are in the order
    of `BettingAbstraction.actions`. All arrays are read-only views of the engine's memory. A tree may begin behind a
    `prefix` of the betting: then it has what follows that, and nothing else.
    """

    rules: PokerRules
    abstraction: BettingAbstraction
    native: _native.BettingTree
    truncation: Truncation | None = None

    def __repr__(self) -> str:
        name = self.rules.name or "poker"
        behind = f" behind {self.prefix_text}" if self.prefix else ""
        return f"<BettingTree of {name}{behind} with {self.abstraction}: {self.num_nodes:,} decision nodes>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process builds it anew."""
        return build_betting_tree, (self.rules, self.abstraction, self.prefix, self.truncation)

    @property
    def num_nodes(self) -> int:
        return len(self.native.seat)

    @property
    def num_edges(self) -> int:
        return len(self.native.child)

    @property
    def num_endings(self) -> int:
        return len(self.native.ending_folded)

    @property
    def num_bytes(self) -> int:
        """Memory of the arrays."""
        return self.native.num_bytes

    @property
    def root(self) -> int:
        return self.native.root

    @property
    def prefix(self) -> tuple[Action, ...]:
        """The actions before the root, all rounds in one."""
        return self.native.prefix

    @property
    def prefix_text(self) -> str:
        """In the competition's letters: `rf`, `r300c`."""
        return prefix_text(self.rules, self.prefix)

    @property
    def num_players(self) -> int:
        """Seats that have not folded at the root."""
        return int(self.num_active[self.root])

    @property
    def round_start(self) -> np.ndarray:
        """`[R+1]` nodes of round r are round_start[r]:round_start[r+1]."""
        return self.native.round_start

    @property
    def first_edge(self) -> np.ndarray:
        """`[N+1]` edges of node n are first_edge[n]:first_edge[n+1]."""
        return self.native.first_edge

    @property
    def seat(self) -> np.ndarray:
        """`[N]` who acts."""
        return self.native.seat

    @property
    def num_active(self) -> np.ndarray:
        """`[N]` seats that have not folded."""
        return self.native.num_active

    @property
    def child(self) -> np.ndarray:
        """`[E]` the node behind each action, or -1 - ending."""
        return self.native.child

    @property
    def ending_spent(self) -> np.ndarray:
        """`[K, P]` chips that each seat has put in."""
        return self.native.ending_spent

    @property
    def ending_folded(self) -> np.ndarray:
        """`[K]` seats that folded, a bit a seat."""
        return self.native.ending_folded

    @property
    def size(self) -> BettingTreeSize:
        nodes = np.diff(self.round_start)
        edges = np.diff(self.first_edge[self.round_start])
        return BettingTreeSize(tuple(nodes.tolist()), tuple(edges.tolist()), self.num_endings)

    def num_actions(self, node: int) -> int:
        return int(self.first_edge[node + 1] - self.first_edge[node])

    def find_node(self, actions: Sequence[Action]) -> BettingPlace:
        """Follows the actions of a hand, all rounds in one, for as long as they are in the tree."""
        actions = [int(action) for action in actions]
        try:
            target, num_followed = _native.find_betting_place(
                self.rules.native, self.abstraction.native(self.rules), self.native, actions
            )
        except ValueError as error:
            raise IllegalActionError(f"{self.rules.name or 'betting'}: {error}") from None
        is_on_tree = num_followed == len(actions) >= len(self.prefix)
        return BettingPlace(target, num_followed, is_on_tree)


def build_betting_tree(
    rules: PokerRules,
    abstraction: BettingAbstraction,
    prefix: Sequence[Action] = (),
    truncation: Truncation | None = None,
    *,
    max_nodes: int = MAX_NODES,
) -> BettingTree:
    """The tree behind the prefix; refused, before it is built, where it has more nodes than that."""
    native, cut = abstraction.native(rules), _cut(rules, truncation)
    with _told(rules, abstraction, prefix):
        tree = _native.build_betting_tree(rules.native, native, list(prefix), *cut, max_nodes)
    return BettingTree(rules, abstraction, tree, truncation)


def count_betting_tree(
    rules: PokerRules,
    abstraction: BettingAbstraction,
    prefix: Sequence[Action] = (),
    truncation: Truncation | None = None,
) -> BettingTreeSize:
    """The size of the tree, without building it."""
    native, cut = abstraction.native(rules), _cut(rules, truncation)
    with _told(rules, abstraction, prefix):
        return BettingTreeSize(*_native.count_betting_tree(rules.native, native, list(prefix), *cut))


def _cut(rules: PokerRules, truncation: Truncation | None) -> tuple[int, bool, bool]:
    """As the engine takes it."""
    if truncation is None:
        return rules.num_rounds, False, False
    truncation.check_rules(rules)
    return truncation.num_rounds, truncation.settle == "bet", truncation.settle == "best"


@contextmanager
def _told(rules: PokerRules, abstraction: BettingAbstraction, prefix: Sequence[Action]) -> Iterator[None]:
    behind = f" behind {list(prefix)}" if prefix else ""
    where = f"betting tree of {rules.name or 'the game'}{behind}, {abstraction}"
    try:
        yield
    except OverflowError as error:
        raise GameSizeError(f"{where}: {error}") from None
    except ValueError as error:
        raise IllegalActionError(f"{where}: {error}") from None
