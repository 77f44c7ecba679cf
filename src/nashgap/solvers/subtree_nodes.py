"""Training across nodes by subtrees of the first round (Abou Risk 2009, section 2.4; docs/training-across-nodes.md).

The betting after the first round falls apart into subtrees, one for each way in which the first round ends and the hand
goes on. Each node has the sums of some of them, and of no others; all have a copy of the first round, which is small.
Between two exchanges regret of the first round stands still. An iteration's deal and draws follow from its number, so
each node walks the first round by itself, comes to the same ends, goes on behind its own, and adds up what they are
worth to each action of the first round. At the exchange these values are added over nodes, regret of the first round
follows from them, and all get it.

So what goes between nodes at an exchange is as large as the first round, however many iterations lie between two.
Values are added up end by end and in whole numbers, and each subtree of each iteration has a stream of its own: the
numbers are the same bit for bit on any number of nodes. They are not those of training without exchanges, where each
walk finds the regret of the one before: here the strategy of the first round is up to one exchange old. The mean stays:
what is added to regret is what was won against strategies that were really played (regret matching whose feedback comes
late), so that the gap falls as it did, from a little higher up.

External sampling, without exploration and pruning. A node is a process of this machine with one thread. All that it
hears of the others is four messages: what to run, to scale, to take over and to give back.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.child_process import ChildEndedError, ChildProcess, end_processes
from nashgap.core.job import is_whole
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.betting_tree import BettingTree
from nashgap.solvers.samplings import Sampling

__all__ = [
    "EXCHANGE",
    "MOST_NODES",
    "SubtreeNodes",
    "require_exchange",
    "require_nodes",
    "require_subtrees",
    "share_out",
    "subtree_entries",
    "subtree_of_nodes",
]

EXCHANGE = 100  # iterations: the gap is hardly larger than without, and a network keeps up
MOST_NODES = 1024
PIECE = 1 << 16  # entries that a message has at most: of what is sent both ends hold copies, beside the sums themselves

Place = tuple[int, int]
"""Begin and end of entries that lie within one round."""
Options = tuple[Any, ...]
"""What the engine is made from, beside its game."""


def require_nodes(nodes: object, sampling: Sampling, threads: int) -> None:
    """Refuse what is not done across nodes, as far as that can be said without the game."""
    if not is_whole(nodes) or not 1 <= nodes <= MOST_NODES:
        raise ConfigError(f"nodes = {nodes!r}; it must be a whole number from 1 to {MOST_NODES}")
    if threads != 1:
        raise ConfigError(f"nodes = {nodes} and threads = {threads}; a node has one thread")
    if sampling.kind != "external" or sampling.exploration or np.isfinite(sampling.prune_below):
        raise ConfigError(
            f"nodes = {nodes}; only external sampling without exploration and pruning is done across nodes"
        )


def require_exchange(exchange: object, epoch: int | None) -> None:
    """Refuse what is no number of iterations between exchanges, or does not divide the epoch, where sums are scaled."""
    if not is_whole(exchange) or not 1 <= exchange <= 1_000_000:
        raise ConfigError(f"exchange = {exchange!r}; it must be a whole number of iterations from 1 to 1,000,000")
    if epoch is not None and epoch % exchange:
        raise ConfigError(f"epoch = {epoch}; it must be a multiple of the {exchange} iterations of an exchange")


def require_subtrees(tree: BettingTree, nodes: int) -> None:
    """Refuse more nodes than there are subtrees."""
    first, second = tree.native.round_start[:2]
    trunk = np.asarray(tree.native.child[: tree.native.first_edge[second]])
    number = int((trunk >= second).sum()) if first < second else 0
    name = f"{tree.rules.name or 'the game'}{' behind ' + tree.prefix_text if tree.prefix else ''}"
    if number == 0:
        raise ConfigError(
            f"nodes = {nodes}; {name} has no first round that others follow, so that nothing can be divided"
        )
    if nodes > number:
        raise ConfigError(
            f"nodes = {nodes}; the first round of {name} ends in {number} ways that go on, so that it must be 1 to"
            f" {number}"
        )


def subtree_of_nodes(tree: BettingTree) -> np.ndarray:
    """`[N]` which subtree a node of the betting is in, from 0 in the order of the tree; -1 in the first round."""
    round_start = np.asarray(tree.native.round_start)
    child = np.asarray(tree.native.child)
    round_of = np.repeat(np.arange(len(round_start) - 1), np.diff(round_start))
    parent = np.repeat(np.arange(tree.num_nodes), np.diff(tree.native.first_edge))
    starts_round = (child >= 0) & (round_of[child] > round_of[parent])
    parent, start = parent[starts_round], child[starts_round]
    in_order = np.argsort(start)
    parent, start = parent[in_order], start[in_order]
    subtree = np.full(tree.num_nodes, -1)
    is_root = parent < round_start[1]
    for number in range(1, len(round_start) - 1):
        here = round_of[start] == number
        roots = np.cumsum(is_root)[here] - 1
        of_start = np.where(is_root[here], roots, subtree[parent[here]])
        # Within a round a node comes before those below it, and these before all others.
        sizes = np.diff(start[here], append=round_start[number + 1])
        subtree[round_start[number] : round_start[number + 1]] = np.repeat(of_start, sizes)
    return subtree


def subtree_entries(game: AbstractGame, subtree: np.ndarray) -> list[list[Place]]:
    """Of each subtree: begin and end of the entries that it has in each round after the first, where it has any."""
    tree = game.tree.native
    num_actions = np.diff(tree.first_edge)
    num_subtrees = int(subtree.max()) + 1
    places: list[list[Place]] = [[] for _ in range(num_subtrees)]
    for number in range(1, len(tree.round_start) - 1):
        begin, end = tree.round_start[number : number + 2].tolist()
        num_buckets = np.zeros((game.rules.num_seats, game.rules.num_seats + 1), np.int64)
        for seat, of_seat in enumerate(game.cards):
            for num_active, cards in of_seat.items():
                num_buckets[seat, num_active] = cards.num_buckets[number]
        sizes = num_actions[begin:end] * num_buckets[tree.seat[begin:end], tree.num_active[begin:end]]
        # The entries of a round are in the order of its subtrees.
        by_subtree = np.bincount(subtree[begin:end], sizes, num_subtrees).astype(np.int64)
        ends = game.entry_start[number] + np.cumsum(by_subtree)
        for place, size, last in zip(places, by_subtree.tolist(), ends.tolist(), strict=True):
            if size:
                place.append((last - size, last))
    return places


def share_out(sizes: Sequence[int], num_nodes: int) -> np.ndarray:
    """Which node has each subtree: the largest first, each to the node that has least."""
    node = np.empty(len(sizes), np.int64)
    loads = [0] * num_nodes
    for index in sorted(range(len(sizes)), key=lambda each: (-sizes[each], each)):
        node[index] = loads.index(min(loads))
        loads[node[index]] += sizes[index]
    return node


@dataclass(eq=False)
class _Part:
    """What one node does.

    engine:   has memory only for entries that were written.
    is_own:   `[nodes after the first round]` uint8.
    places:   the entries that it has, in pieces.
    is_first: the node that has the first round, too.
    """

    engine: _native.PokerMccfr
    first_round: int
    exchange: int
    is_own: np.ndarray
    places: list[Place]
    is_first: bool

    def run(self, first: int, count: int, regret: np.ndarray | None) -> tuple[np.ndarray, int]:
        """What its subtrees are worth to the actions of the first round, and visits."""
        if regret is not None:
            self.first_round_regret[:] = regret
        values = np.zeros(self.first_round, np.int64)
        visits = self.engine.num_visits
        self.engine.run_part(first, count, self.exchange, self.is_own, self.is_first, values)
        return values, self.engine.num_visits - visits

    def discount(self, positive: float, negative: float, average: float) -> None:
        """As the engine does, but only what is here: it would take memory for all entries."""
        for place in [(0, self.first_round), *self.places] if self.is_first else self.places:
            regret, strategy = _sums_at(self.engine, place)
            regret[:] = regret * np.where(regret > 0, np.float64(positive), np.float64(negative))
            strategy[:] = strategy.astype(np.float64) * average

    def take(self, place: Place, sums: tuple[np.ndarray, np.ndarray]) -> None:
        _put(self.engine, place, sums)

    def sums(self, place: Place) -> tuple[np.ndarray, np.ndarray]:
        """What it has learned of some of its entries."""
        return _sums_at(self.engine, place)

    @property
    def first_round_regret(self) -> np.ndarray:
        return _sums_at(self.engine, (0, self.first_round))[0]


def _sums_at(engine: _native.PokerMccfr, place: Place) -> tuple[np.ndarray, np.ndarray]:
    """Views of the sums of entries: regret and strategy."""
    begin, end = place
    num_wide = engine.wide_regret_sum.size
    if begin < num_wide:
        return engine.wide_regret_sum[begin:end], engine.wide_strategy_sum[begin:end]
    begin, end = begin - num_wide, end - num_wide
    return engine.narrow_regret_sum[begin:end], engine.narrow_strategy_sum[begin:end]


def _put(engine: _native.PokerMccfr, place: Place, sums: tuple[np.ndarray, np.ndarray]) -> None:
    for here, given in zip(_sums_at(engine, place), sums, strict=True):
        here[:] = given


def _in_pieces(places: list[Place]) -> list[Place]:
    return [(first, min(first + PIECE, end)) for begin, end in places for first in range(begin, end, PIECE)]


@dataclass(frozen=True)
class _Node:
    """Another process, and the entries that it has, in pieces."""

    process: ChildProcess
    places: list[Place]


class SubtreeNodes:
    """The nodes of one solve; this process is the first of them, and can have all that was learned.

    engine:  of this process; it has what its own subtrees and the first round have learned, and after `gather` all.
    options: what other processes make theirs from.

    values:  `[entries of the first round]` since the last exchange, part of the state of a solve.

    An error or an interrupt on the way ends all of them: some have done what others have not, answers are left in the
    pipes, and nobody could go on from there.
    """

    def __init__(
        self, game: AbstractGame, engine: _native.PokerMccfr, options: Options, nodes: int, exchange: int
    ) -> None:
        require_subtrees(game.tree, nodes)
        subtree = subtree_of_nodes(game.tree)
        places = subtree_entries(game, subtree)
        node_of = share_out([sum(end - begin for begin, end in each) for each in places], nodes)
        own = [
            _in_pieces([place for each in np.flatnonzero(node_of == node) for place in places[each]])
            for node in range(nodes)
        ]
        is_own = [(node_of[subtree[subtree >= 0]] == node).astype(np.uint8) for node in range(nodes)]
        self.exchange = exchange
        self.num_visits = 0
        self.values = np.zeros(game.entry_start[1], np.int64)
        self._engine = engine
        self._part = _Part(engine, len(self.values), exchange, is_own[0], own[0], True)
        self._is_gathered, self._is_scattered = True, True
        self._nodes: list[_Node] = []
        self._end = weakref.finalize(self, _end, self._nodes)  # where nobody closes them, they end with this object
        for number in range(1, nodes):
            arguments = (game, options, len(self.values), exchange, is_own[number], own[number])
            self._nodes.append(_Node(ChildProcess(_other_part, *arguments), own[number]))

    @property
    def pids(self) -> list[int]:
        """Of the other processes."""
        return [node.process.pid for node in self._nodes]

    def run(self, first_iteration: int, num_iterations: int, num_threads: int) -> None:
        assert num_threads == 1, "a node has one thread"
        with self._whole_or_ended():
            self._begin()
            first, end = first_iteration, first_iteration + num_iterations
            while first < end:
                count = min(end - first, self.exchange - (first - 1) % self.exchange)
                self._run_between_exchanges(first, count)
                first += count
                if (first - 1) % self.exchange == 0:
                    self._engine.learn_first_round(first - 1, self.exchange, self.values)
                    self.values[:] = 0

    def discount(self, positive: float, negative: float, average: float, num_threads: int) -> None:
        assert num_threads == 1, "a node has one thread"
        with self._whole_or_ended():
            self._begin()
            for node in self._nodes:
                self._send(node, "discount", positive, negative, average)
            self._part.discount(positive, negative, average)
            for node in self._nodes:
                self._receive(node)

    def gather(self) -> None:
        """Have all that was learned here."""
        if self._is_gathered:
            return
        with self._whole_or_ended():
            self._require_nodes()
            for node in self._nodes:
                for place in node.places:
                    self._send(node, "sums", place)
                    _put(self._engine, place, self._receive(node))
            self._is_gathered = True

    def changed(self) -> None:
        """What is here was changed, and the nodes are to go on from it."""
        assert self._is_gathered, "what was learned elsewhere would be lost"
        self._is_scattered = False

    def close(self) -> None:
        self._end()

    @contextmanager
    def _whole_or_ended(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Have the nodes ready to change what they have."""
        self._require_nodes()
        self._scatter()
        self._is_gathered = False

    def _require_nodes(self) -> None:
        if not self._end.alive:
            raise NashGapError("the nodes of this training have ended: begin it anew, or from a saved state")

    def _run_between_exchanges(self, first: int, count: int) -> None:
        for node in self._nodes:
            self._send(node, "run", first, count, self._part.first_round_regret)
        found = [self._part.run(first, count, None), *map(self._receive, self._nodes)]
        for values, visits in found:
            self.values += values
            self.num_visits += visits

    def _scatter(self) -> None:
        if self._is_scattered:
            return
        for node in self._nodes:
            for place in node.places:
                self._send(node, "take", place, _sums_at(self._engine, place))
                self._receive(node)
        self._is_scattered = True

    def _send(self, node: _Node, *request: Any) -> None:
        try:
            node.process.send(*request)
        except ChildEndedError as error:
            raise self._death(node, error) from error

    def _receive(self, node: _Node) -> Any:
        try:
            return node.process.receive()
        except ChildEndedError as error:
            raise self._death(node, error) from error

    def _death(self, node: _Node, error: ChildEndedError) -> NashGapError:
        """A node that is gone takes with it what it had learned."""
        name = f"node {self._nodes.index(node) + 2} of {len(self._nodes) + 1}"
        return NashGapError(
            f"{name} ended with status {error.status}, perhaps for want of memory; what was saved before is kept: run"
            " it again"
        )


def _end(nodes: list[_Node]) -> None:
    end_processes(node.process for node in nodes)
    nodes.clear()


def _other_part(
    game: AbstractGame,
    options: Options,
    first_round: int,
    exchange: int,
    is_own: np.ndarray,
    places: list[Place],
) -> Callable[..., Any]:
    """The part of a node that is not the first, in its process: a request is one of its functions, with arguments."""
    part = _Part(_native.PokerMccfr(game.native, *options), first_round, exchange, is_own, places, False)
    return lambda name, *arguments: getattr(part, name)(*arguments)
