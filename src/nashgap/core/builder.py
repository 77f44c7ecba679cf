"""Puts a `GameTree` together, block by block; `core/compile.py` walks the game and calls it.

While the walk goes on, infosets, slots and sequences count from 0 within each player (local sequence 0 is the empty
one, slot s is local sequence s + 1); `finish` puts the players one behind the other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.core.tree import GameTree
from nashgap.errors import GameSizeError, UnsupportedGameError

__all__ = ["Link", "TreeBuilder"]

MAX_BOX_WASTE = 8  # a leaf's box may hold this many times its histories before it is cut into single ones


@dataclass(frozen=True)
class Link:
    """A place that waits for the number of a block that is not there yet."""

    target: Any  # a list of ints with an int place, or an array with an array of places
    place: Any

    def to(self, block: int) -> None:
        self.target[self.place] = block


@dataclass
class _PlayerRecords:
    """One player's infosets, in the order of the walk."""

    name: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    block: list[int] = field(default_factory=list)
    slot: list[int] = field(default_factory=list)
    stride: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    num_slots: int = 0


class TreeBuilder:
    """Takes blocks in depth-first order, with the infosets and leaves that they bring; see `GameTree` for the parts."""

    def __init__(self, game: str, unit: str, num_players: int, max_nodes: int) -> None:
        self.game, self.unit, self.num_players, self.max_nodes = game, unit, num_players, max_nodes
        self.players = [_PlayerRecords() for _ in range(num_players)]
        self._block_player: list[int] = []
        self._block_start = [0]
        self._block_edge = [0]
        self._edge_block: list[int] = []
        self._edge_name: list[str] = []
        self._node_row: list[np.ndarray] = []
        self._chance_start = [0]
        self._chance_block: list[np.ndarray] = []
        self._chance_lane: list[np.ndarray] = []
        self._chance_prob: list[np.ndarray] = []
        self._returns_row: dict[bytes, int] = {}
        self._returns_rows: dict[bytes, np.ndarray] = {}  # by a whole block's payoffs: most blocks repeat one
        self._leaf_sequence: list[np.ndarray] = []
        self._leaf_size: list[np.ndarray] = []
        self._leaf_payoff: list[tuple[int, ...]] = []
        self._box_payoff: dict[tuple[bytes, ...], tuple[int, ...]] = {}
        self._matrix_offset: dict[bytes, int] = {}
        self._matrices: list[np.ndarray] = []
        self._num_payoffs = 0

    @property
    def num_blocks(self) -> int:
        """Also the number that the next block will have."""
        return len(self._block_player)

    @property
    def has_perfect_recall(self) -> bool:
        return all(parent >= 0 for records in self.players for parent in records.parent)

    def add_decision(self, player: int, infosets: np.ndarray, actions: Sequence[str]) -> list[Link]:
        """A player's block from local infosets `[lanes]`: a link for each action."""
        if not actions or len(set(actions)) != len(actions):
            self._refuse(f"player {player + 1} needs actions with different names, not {', '.join(actions) or 'none'}")
        first = len(self._edge_block)
        self._edge_block.extend([-1] * len(actions))
        self._edge_name.extend(actions)
        self._add_block(player, infosets)
        return [Link(self._edge_block, first + a) for a in range(len(actions))]

    def add_chance(self, probability: np.ndarray) -> list[Link]:
        """A chance block from `[lanes, outcomes]`: for each outcome a link to the block of the lanes that allow it."""
        self._require_distribution(probability)
        lane, outcome = np.nonzero(probability)
        child_lane = (np.cumsum(probability > 0, axis=0) - 1)[lane, outcome]
        counts = np.bincount(lane, minlength=len(probability))
        child_block = self._add_chance_edges(counts, child_lane, probability[lane, outcome])
        return [Link(child_block, np.flatnonzero(outcome == o)) for o in range(probability.shape[1])]

    def add_deal(self, probability: np.ndarray) -> Link:
        """The chance block at the root of a dealt game: outcome d leads to lane d of one block."""
        self._require_distribution(probability[None, :])
        deals = len(probability)
        child_block = self._add_chance_edges(np.array([deals]), np.arange(deals), probability)
        return Link(child_block, np.arange(deals))

    def add_terminal(self, returns: np.ndarray) -> None:
        """A block of endings from payoffs `[lanes, P]`; equal payoffs share a row."""
        if returns.shape[1:] != (self.num_players,) or not np.isfinite(returns).all():
            self._refuse(f"an ending must have {self.num_players} finite payoffs, not {returns[0].tolist()}")
        key = returns.tobytes()
        rows = self._returns_rows.get(key)
        if rows is None:
            table = self._returns_row
            rows = np.array([table.setdefault(row.tobytes(), len(table)) for row in returns], np.int32)
            self._returns_rows[key] = rows
        self._add_block(TERMINAL, rows)

    def add_group(
        self, player: int, names: Sequence[str], hands: Sequence[str], num_actions: int, parents: Sequence[int]
    ) -> tuple[int, int]:
        """Infosets of the next block, one per name, with their parent sequences: first infoset and first slot."""
        records = self.players[player]
        first_infoset, first_slot, num_hands = len(records.name), records.num_slots, len(names)
        records.group.append(first_infoset)
        records.name.extend(names)
        records.hand.extend(hands)
        records.block.extend([self.num_blocks] * num_hands)
        records.slot.extend(range(first_slot, first_slot + num_hands))
        records.stride.extend([num_hands] * num_hands)
        records.size.extend([num_actions] * num_hands)
        records.parent.extend(parents)
        records.num_slots += num_actions * num_hands
        return first_infoset, first_slot

    def require_player(self, player: int) -> None:
        if not 0 <= player < self.num_players:
            self._refuse(f"a state tells player {player}; players are 0 to {self.num_players - 1}, counted from 0")

    def check_infoset(self, player: int, infoset: int, actions: Sequence[str], parent: int) -> None:
        """One more history of an infoset: its actions must agree; a disagreeing parent ends perfect recall."""
        records = self.players[player]
        first = self._block_edge[records.block[infoset]]
        known = self._edge_name[first : first + records.size[infoset]]
        if known != list(actions):
            self._refuse(
                f"information set {records.name[infoset]!r} has actions {', '.join(known)}"
                f" in one history and {', '.join(actions)} in another"
            )
        if records.parent[infoset] != parent:
            records.parent[infoset] = -1

    def add_leaf(self, sequences: np.ndarray, weighted_returns: np.ndarray) -> None:
        """Histories that end together: their sequences and chance times payoff, both `[lanes, P]`."""
        low = sequences.min(axis=0)
        size = sequences.max(axis=0) - low + 1
        if math.prod(size.tolist()) <= MAX_BOX_WASTE * len(sequences):
            self._add_box(low, size, sequences - low, weighted_returns)
            return
        for lane in range(len(sequences)):
            one = slice(lane, lane + 1)
            self._add_box(sequences[lane], np.ones_like(low), np.zeros_like(sequences[one]), weighted_returns[one])

    def add_single_leaves(self, sequences: np.ndarray, weighted_returns: np.ndarray) -> None:
        """Many leaves of one history each, `[L, P]` both."""
        offset = np.arange(weighted_returns.size).reshape(weighted_returns.shape) + self._num_payoffs
        self._leaf_sequence.extend(sequences)
        self._leaf_size.extend(np.ones_like(sequences))
        self._leaf_payoff.extend(map(tuple, offset))
        self._matrices.append(weighted_returns.reshape(-1))
        self._num_payoffs += weighted_returns.size

    def finish(self, definition: Mapping[str, Any]) -> GameTree:
        """The tree; no more calls after this."""
        for player, records in enumerate(self.players):
            if len(set(records.name)) != len(records.name):
                twice = next(name for name in records.name if records.name.count(name) > 1)
                self._refuse(f"player {player + 1} has two information sets {twice!r}; hands and labels must differ")
        infoset_start = np.cumsum([0] + [len(records.name) for records in self.players])
        slot_start = np.cumsum([0] + [records.num_slots for records in self.players])
        sequence_start = slot_start[:-1] + np.arange(self.num_players)
        block_player = np.array(self._block_player, np.int8)
        block_start = np.array(self._block_start, np.int64)
        node_row = np.concatenate(self._node_row).astype(np.int32)
        node_player = np.repeat(block_player, np.diff(block_start))
        node_row += np.where(node_player >= 0, infoset_start[np.maximum(node_player, 0)], 0).astype(np.int32)

        def joined(column: str, start: np.ndarray | None = None) -> np.ndarray:
            parts = [np.array(getattr(records, column), np.int32) for records in self.players]
            if start is not None:
                parts = [np.where(part < 0, -1, part + start[p]) for p, part in enumerate(parts)]
            return np.concatenate(parts).astype(np.int32)

        shape = (len(self._leaf_sequence), self.num_players)
        return GameTree(
            game=self.game,
            unit=self.unit,
            num_players=self.num_players,
            block_player=block_player,
            block_start=block_start,
            block_edge=np.array(self._block_edge, np.int32),
            edge_block=np.array(self._edge_block, np.int32),
            edge_name=tuple(self._edge_name),
            node_row=node_row,
            chance_start=np.array(self._chance_start, np.int64),
            chance_block=_concatenated(self._chance_block, np.int32),
            chance_lane=_concatenated(self._chance_lane, np.int32),
            chance_prob=_concatenated(self._chance_prob, np.float64),
            returns=np.frombuffer(b"".join(self._returns_row), np.float64).reshape(-1, self.num_players),
            infoset_player=np.repeat(np.arange(self.num_players, dtype=np.int8), np.diff(infoset_start)),
            infoset_slot=joined("slot", slot_start),
            infoset_stride=joined("stride"),
            infoset_size=joined("size"),
            infoset_parent=joined("parent", sequence_start),
            infoset_name=tuple(name for records in self.players for name in records.name),
            infoset_hand=tuple(hand for records in self.players for hand in records.hand),
            infoset_block=joined("block"),
            group_infoset=np.append(joined("group", infoset_start), infoset_start[-1]).astype(np.int32),
            player_group=np.cumsum([0] + [len(records.group) for records in self.players]).astype(np.int32),
            leaf_sequence=(np.array(self._leaf_sequence, np.int32).reshape(shape) + sequence_start).astype(np.int32),
            leaf_size=np.array(self._leaf_size, np.int32).reshape(shape),
            leaf_payoff=np.array(self._leaf_payoff, np.int64).reshape(shape),
            payoff=_concatenated(self._matrices, np.float64),
            definition=definition,
        )

    def _refuse(self, problem: str) -> NoReturn:
        raise UnsupportedGameError(f"{self.game}: {problem}")

    def _require_distribution(self, probability: np.ndarray) -> None:
        """`[lanes, outcomes]`: every lane's chances are from 0 to 1 and add up to 1."""
        is_good = (probability >= 0.0).all(axis=1) & (np.abs(probability.sum(axis=1) - 1.0) < 1e-9)
        if not is_good.all():
            bad = probability[np.flatnonzero(~is_good)[0]]
            self._refuse(f"chances must be from 0 to 1 and add up to 1, not {bad.tolist()[:8]} (sum {bad.sum():g})")

    def _add_block(self, player: int, rows: np.ndarray) -> None:
        self._block_player.append(player)
        self._block_start.append(self._block_start[-1] + len(rows))
        self._block_edge.append(len(self._edge_block))
        self._node_row.append(rows)
        if self._block_start[-1] > self.max_nodes:
            raise GameSizeError(f"{self.game} has more than {self.max_nodes:,} histories, the most that is compiled")

    def _add_chance_edges(self, counts: np.ndarray, lane: np.ndarray, probability: np.ndarray) -> np.ndarray:
        first = len(self._chance_start) - 1
        self._add_block(CHANCE, np.arange(first, first + len(counts), dtype=np.int32))
        self._chance_start.extend((self._chance_start[-1] + np.cumsum(counts)).tolist())
        block = np.full(len(lane), -1, np.int32)
        self._chance_block.append(block)
        self._chance_lane.append(lane.astype(np.int32))
        self._chance_prob.append(probability)
        return block

    def _add_box(self, low: np.ndarray, size: np.ndarray, place: np.ndarray, weighted: np.ndarray) -> None:
        key = (size.tobytes(), place.tobytes(), weighted.tobytes())
        offsets = self._box_payoff.get(key)
        if offsets is None:
            offsets = tuple(self._add_matrix(p, size, place, weighted[:, p]) for p in range(self.num_players))
            self._box_payoff[key] = offsets
        self._leaf_sequence.append(low)
        self._leaf_size.append(size)
        self._leaf_payoff.append(offsets)

    def _add_matrix(self, player: int, size: np.ndarray, place: np.ndarray, weighted: np.ndarray) -> int:
        box = np.zeros(size)
        np.add.at(box, tuple(place.T), weighted)
        matrix = np.ascontiguousarray(np.moveaxis(box, player, -1)).reshape(-1)
        offset = self._matrix_offset.setdefault(matrix.tobytes(), self._num_payoffs)
        if offset == self._num_payoffs:
            self._matrices.append(matrix)
            self._num_payoffs += len(matrix)
        return offset


def _concatenated(parts: list[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate(parts).astype(dtype) if parts else np.empty(0, dtype)
