"""How far two strategies of the same game are apart: Algorithm 2 of Ganzfried & Yusuf (2017), for any game of ours.

What the paper does for each hand is done for each information set: the earth mover's distance between the two
distributions over its actions, in the game's order (fold, call, raises by size), divided by its largest value. L1 and
L2 stand beside it. Means are over information sets, all alike; in games small enough for it also by how often play
comes there. The tables of two abstract poker games are compared where training has reached both; the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.game import CHANCE
from nashgap.core.result import Result, frame
from nashgap.errors import MismatchError
from nashgap.explanations.distances import DISTANCES
from nashgap.poker.betting_tree import BettingTree
from nashgap.poker.prefix import on_any_board, prefix_end
from nashgap.poker.state import PublicState, action_text
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.load import load
from nashgap.strategies.table import TableStrategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Difference", "StrategyDistance", "compare_abstract", "compare_files", "compare_tables"]

NUM_LARGEST = 10
ENTRIES_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Difference:
    """One information set. Players are 0-based.

    actions:       names, in the order that the distance moves probability along.
    first, second: what the two strategies do.
    reach:         how often play comes there, the mean of both strategies; None where it is not known.
    """

    player: int
    infoset: str
    actions: tuple[str, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    emd: float
    reach: float | None


@dataclass(frozen=True, repr=False)
class StrategyDistance(Result):
    """Distances are from 0 (the same everywhere) to 1, by name of `nashgap.explanations.distances`.

    num_compared: information sets that the means are over.
    num_one_only: information sets that training has reached in one strategy only,
    num_neither:  and in neither.
    mean:         over information sets.
    reached_mean: weighted by how often play comes to each; None where that is not known.
    largest:      the information sets that differ most by `emd`; of those that differ alike, those reached most.
    first, second: the strategies as text; empty where they have no names.
    """

    reporter: ClassVar[str] = "nashgap.reports.distance:distance_report"

    game: str
    num_compared: int
    num_one_only: int
    num_neither: int
    mean: Mapping[str, float]
    reached_mean: Mapping[str, float] | None
    largest: tuple[Difference, ...]
    first: str = field(default="", kw_only=True)
    second: str = field(default="", kw_only=True)

    @property
    def names(self) -> tuple[str, str]:
        return self.first or "A", self.second or "B"

    @property
    def summary(self) -> str:
        return (
            f"{' and '.join(self.names)} in {self.game}: {self.mean['emd']:.4f} apart by earth mover's distance, the"
            f" mean over {self.num_compared:,} information sets (0: the same, 1: as far as can be)."
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each information set that differs most; players from 1."""
        columns = ("player", "infoset", "actions", "first", "second", "emd", "reach")
        rows = [(each.player + 1, *(getattr(each, name) for name in columns[1:])) for each in self.largest]
        return frame(columns, rows)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able; players from 0."""
        counts = ("game", "num_compared", "num_one_only", "num_neither")
        return {
            **({"first": self.first, "second": self.second} if self.first or self.second else {}),
            **{name: getattr(self, name) for name in counts},
            "mean": dict(self.mean),
            "reached_mean": None if self.reached_mean is None else dict(self.reached_mean),
            "largest": [asdict(each) for each in self.largest],
        }


def compare_files(first: Path | str, second: Path | str) -> StrategyDistance:
    """Of two strategy files, which must be of the same game."""
    one, two = load(Path(first)), load(Path(second))
    if isinstance(one, AbstractStrategy) and isinstance(two, AbstractStrategy):
        return compare_abstract(one, two)
    if isinstance(one, TableStrategy) and isinstance(two, TableStrategy):
        return compare_tables(one, two)
    abstract, other = (first, second) if isinstance(one, AbstractStrategy) else (second, first)
    raise MismatchError(f"{abstract} is a strategy of an abstract game and {other} is not: they cannot be compared")


def compare_tables(first: TableStrategy, second: TableStrategy) -> StrategyDistance:
    """Of two strategies of a compiled game."""
    tree = first.tree
    if second.tree.fingerprint != tree.fingerprint:
        raise MismatchError(f"strategies of different games, {tree.game} and {second.tree.game}, cannot be compared")
    reach = (_infoset_reach(first) + _infoset_reach(second)) / 2
    tally = _Tally()
    for size in np.unique(tree.infoset_size):
        infosets = np.flatnonzero(tree.infoset_size == size)
        slots = tree.infoset_slot[infosets, None] + np.arange(size) * tree.infoset_stride[infosets, None]
        tally.add(infosets[:, None], first.probabilities[slots], second.probabilities[slots], reach[infosets])

    def named(row: _Row) -> Difference:
        (infoset,) = row.key
        player, name = int(tree.infoset_player[infoset]), tree.infoset_name[infoset]
        return Difference(player, name, tree.actions(infoset), row.first, row.second, row.emd, row.reach)

    largest = tuple(map(named, tally.largest))
    return StrategyDistance(tree.game, tally.count, 0, 0, tally.mean, tally.reached_mean, largest)


def compare_abstract(first: AbstractStrategy, second: AbstractStrategy) -> StrategyDistance:
    """Of the tables of two strategies of one abstract game; how they are played off the tree is left out."""
    for strategy in (first, second):
        strategy.require_one_game(strategy.name or "the strategy", "a comparison")
    game, name = first.game, first.rules.name or "a game"
    if second.game.fingerprint != game.fingerprint:
        other = second.rules.name or "a game"
        what = f"{name} and {other}" if name != other else f"two of {name}"
        raise MismatchError(f"strategies of different abstract games, {what}, cannot be compared")
    tally = _Tally()
    num_neither = num_one_only = 0
    for keys, first_rows, second_rows in _abstract_rows(first, second):
        rows = [each / np.maximum(each.sum(axis=1, keepdims=True), 1e-30) for each in (first_rows, second_rows)]
        num_reached = first_rows.any(axis=1).astype(int) + second_rows.any(axis=1)
        num_neither += int((num_reached == 0).sum())
        num_one_only += int((num_reached == 1).sum())
        both = num_reached == 2
        tally.add(keys[both], rows[0][both], rows[1][both])

    def named(row: _Row) -> Difference:
        node, bucket = row.key
        state = _state_at(game.tree, node)
        actions = tuple(action_text(game.rules, move) for move in game.tree.abstraction.actions(state))
        infoset = f"bucket {bucket} after {state.betting!r}" if state.betting else f"bucket {bucket} at the start"
        return Difference(state.seat, infoset, actions, row.first, row.second, row.emd, row.reach)

    largest = tuple(map(named, tally.largest))
    return StrategyDistance(name, tally.count, num_one_only, num_neither, tally.mean, None, largest)


@dataclass(frozen=True)
class _Row:
    key: tuple[int, ...]
    first: tuple[float, ...]
    second: tuple[float, ...]
    emd: float
    reach: float | None

    @property
    def order(self) -> tuple[Any, ...]:
        return (-self.emd, -(self.reach or 0.0), self.key)


class _Tally:
    """Sums over information sets, and those that differ most so far."""

    def __init__(self) -> None:
        self.count = 0
        self.largest: list[_Row] = []
        self._sums = dict.fromkeys(DISTANCES, 0.0)
        self._reached_sums = dict.fromkeys(DISTANCES, 0.0)
        self._reach = 0.0

    @property
    def mean(self) -> dict[str, float]:
        return {metric: total / max(self.count, 1) for metric, total in self._sums.items()}

    @property
    def reached_mean(self) -> dict[str, float]:
        return {metric: total / self._reach for metric, total in self._reached_sums.items()}

    def add(self, keys: np.ndarray, first: np.ndarray, second: np.ndarray, reach: np.ndarray | None = None) -> None:
        """Information sets `[N]` with keys `[N, .]`, `first` and `second` `[N, actions]`."""
        distances = {metric: measure(first[:, None], second[:, None]) for metric, measure in DISTANCES.items()}
        self.count += len(keys)
        for metric, each in distances.items():
            self._sums[metric] += float(each.sum())
            self._reached_sums[metric] += float(each @ reach) if reach is not None else 0.0
        self._reach += float(reach.sum()) if reach is not None else 0.0
        emd = distances["emd"]
        ties = np.zeros(len(emd)) if reach is None else -reach
        self.largest += [
            _Row(
                tuple(map(int, keys[place])),
                tuple(map(float, first[place])),
                tuple(map(float, second[place])),
                float(emd[place]),
                None if reach is None else float(reach[place]),
            )
            for place in np.lexsort((ties, -emd))[:NUM_LARGEST]
        ]
        self.largest = sorted(self.largest, key=lambda row: row.order)[:NUM_LARGEST]


def _infoset_reach(strategy: TableStrategy) -> np.ndarray:
    """`[I]` how likely play comes to each information set."""
    tree = strategy.tree
    reach = np.ones(tree.num_nodes)  # of the root; the others' are set by their parents, which come first
    for block, player in enumerate(tree.block_player):
        nodes = slice(tree.block_start[block], tree.block_start[block + 1])
        rows, here = tree.node_row[nodes], reach[nodes]
        if player == CHANCE:
            counts = tree.chance_start[rows + 1] - tree.chance_start[rows]
            skipped = np.repeat(tree.chance_start[rows] - np.cumsum(counts) + counts, counts)
            edges = skipped + np.arange(len(skipped))
            behind = tree.block_start[tree.chance_block[edges]] + tree.chance_lane[edges]
            reach[behind] = np.repeat(here, counts) * tree.chance_prob[edges]
        for action, child in enumerate(tree.edge_block[tree.block_edge[block] : tree.block_edge[block + 1]]):
            slots = tree.infoset_slot[rows] + action * tree.infoset_stride[rows]
            reach[tree.block_start[child] : tree.block_start[child + 1]] = here * strategy.probabilities[slots]
    is_decision = np.repeat(tree.block_player >= 0, np.diff(tree.block_start))
    return np.bincount(tree.node_row[is_decision], reach[is_decision], tree.num_infosets)


def _abstract_rows(
    first: AbstractStrategy, second: AbstractStrategy
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Piece by piece: (node, bucket) `[N, 2]`, and the two tables' rows there, `[N, actions]`."""
    game = first.game
    for number, tables in enumerate(zip(first.tables, second.tables, strict=True)):
        nodes = np.arange(*game.tree.round_start[number : number + 2])
        # Offset, stride, number of actions and of buckets.
        places = np.array([game.native.place(int(node)) for node in nodes], dtype=np.int64).reshape(-1, 4)
        places[:, 0] -= game.entry_start[number]
        for num_actions, num_buckets in np.unique(places[:, 2:], axis=0):
            alike = np.flatnonzero((places[:, 2:] == (num_actions, num_buckets)).all(axis=1))
            at_once = max(1, ENTRIES_AT_ONCE // (num_actions * num_buckets))
            for start in range(0, len(alike), at_once):
                piece = alike[start : start + at_once]
                buckets = np.arange(num_buckets)
                begin = places[piece, 0, None] + places[piece, 1, None] * buckets
                entries = begin.reshape(-1, 1) + np.arange(num_actions)
                keys = np.stack(np.broadcast_arrays(nodes[piece, None], buckets), axis=-1).reshape(-1, 2)
                yield keys, tables[0][entries].astype(np.float64), tables[1][entries].astype(np.float64)


def _state_at(tree: BettingTree, node: int) -> PublicState:
    """The betting that leads to a node; which board cards there are does not matter to it."""
    choices = []
    while node != tree.root:
        edge = int(np.flatnonzero(tree.child == node)[0])
        node = int(np.searchsorted(tree.first_edge, edge, side="right")) - 1
        choices.append(edge - int(tree.first_edge[node]))
    state = prefix_end(tree.rules, tree.prefix)
    for choice in reversed(choices):
        state = on_any_board(state.act(tree.abstraction.actions(state)[choice]))
    return state
