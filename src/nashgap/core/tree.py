"""The compiled form of a small game: flat arrays, and nothing of poker in them.

`compile_tree` (in `core/compile.py`) makes it. Solvers and measures see only this.

A *block* is a public node: its *lanes* are the histories that differ only in what was dealt privately. A game that
is not a `DealtGame` compiles to blocks of one lane. Sampling walks blocks and lanes; full-width passes (CFR, best
response, values) use the sequence form below, in which each player's own decisions are a tree of their own and the
players meet only at the leaves. That form exists under perfect recall only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.errors import UnsupportedGameError

__all__ = ["DERIVED", "GameTree"]

# How payoffs are laid out for full-width passes says nothing about the game.
DERIVED = ("leaf_sequence", "leaf_size", "leaf_payoff", "payoff")


@dataclass(frozen=True, eq=False)
class GameTree:
    """B blocks, E action edges, N nodes (lanes of all blocks), K chance nodes, C chance edges, R rows of returns,
    I infosets, S strategy slots, G infoset groups, L leaves, P players.

    Blocks stand in depth-first order, every parent before its children. Infosets, slots and groups are sorted by
    player. A *slot* is one action in one infoset: action a of infoset i is slot `infoset_slot[i] + a *
    infoset_stride[i]`. A *sequence* is a player's last own action, or none yet: there are Q = P + S of them, slot s
    of player p is sequence s + p + 1, and the empty sequence of p comes just before its first slot's.

    game:             canonical spec, e.g. `leduc(players=3)`.
    unit:             of all payoffs.
    num_players:      P.

    block_player:     `[B]` acting player, or CHANCE, or TERMINAL.
    block_start:      `[B+1]` block b holds nodes block_start[b]:block_start[b+1].
    block_edge:       `[B+1]` a player's block b has action edges block_edge[b]:block_edge[b+1].
    edge_block:       `[E]` block behind each action; lane k leads to lane k.
    edge_name:        `[E]` name of each action, as people read it.
    node_row:         `[N]` a player's node: its infoset; a chance node: its k; a terminal node: its row of returns.
    chance_start:     `[K+1]` chance node k has edges chance_start[k]:chance_start[k+1].
    chance_block:     `[C]` block behind each chance edge,
    chance_lane:      `[C]` lane in it,
    chance_prob:      `[C]` probability.
    returns:          `[R, P]` distinct payoffs.

    infoset_player:   `[I]` who acts.
    infoset_slot:     `[I]` first slot.
    infoset_stride:   `[I]` distance between the slots of neighbouring actions.
    infoset_size:     `[I]` number of actions.
    infoset_parent:   `[I]` sequence of its player's last action before it; -1 if the histories in it disagree.
    infoset_name:     `[I]` readable key.
    infoset_hand:     `[I]` what the player holds; the whole key where the game does not tell hands from history.
    infoset_block:    `[I]` one block that holds the infoset; its action edges name the actions.

    group_infoset:    `[G+1]` group g holds infosets group_infoset[g]:group_infoset[g+1]: hands of one public node.
                      All have the same actions; slots of a group lie action by action, hands side by side.
    player_group:     `[P+1]` player p owns groups player_group[p]:player_group[p+1].

    leaf_sequence:    `[L, P]` first sequence of each player at a leaf,
    leaf_size:        `[L, P]` and the number of neighbouring sequences: the leaf is a box of histories.
    leaf_payoff:      `[L, P]` offset in `payoff` of player p's matrix: one row per combination of the other players'
                      sequences (in player order, last fastest), one column per own sequence; chance times return.
    payoff:           all distinct matrices, one after the other.

    definition:       name and parameters from which the game can be built again; empty for a game of your own.
    """

    game: str
    unit: str
    num_players: int
    block_player: np.ndarray
    block_start: np.ndarray
    block_edge: np.ndarray
    edge_block: np.ndarray
    edge_name: tuple[str, ...]
    node_row: np.ndarray
    chance_start: np.ndarray
    chance_block: np.ndarray
    chance_lane: np.ndarray
    chance_prob: np.ndarray
    returns: np.ndarray
    infoset_player: np.ndarray
    infoset_slot: np.ndarray
    infoset_stride: np.ndarray
    infoset_size: np.ndarray
    infoset_parent: np.ndarray
    infoset_name: tuple[str, ...]
    infoset_hand: tuple[str, ...]
    infoset_block: np.ndarray
    group_infoset: np.ndarray
    player_group: np.ndarray
    leaf_sequence: np.ndarray
    leaf_size: np.ndarray
    leaf_payoff: np.ndarray
    payoff: np.ndarray
    definition: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        sizes = f"{self.num_nodes:,} histories, {self.num_infosets:,} information sets"
        return f"<GameTree of {self.game}: {self.num_players} players, {sizes}, {self.unit}>"

    @property
    def num_nodes(self) -> int:
        """Histories, chance and terminal ones included."""
        return int(self.block_start[-1])

    @property
    def num_infosets(self) -> int:
        return len(self.infoset_slot)

    @property
    def num_slots(self) -> int:
        return int(self.infoset_size.sum())

    @cached_property
    def infoset_index(self) -> dict[str, int]:
        """Number of each infoset by its name, prefixed by its player: `0:Q kb`."""
        return {
            f"{p}:{name}": i for i, (p, name) in enumerate(zip(self.infoset_player, self.infoset_name, strict=True))
        }

    @cached_property
    def slot_infoset(self) -> np.ndarray:
        """`[S]` infoset of each slot."""
        owner = np.empty(self.num_slots, np.int32)
        for action in range(int(self.infoset_size.max(initial=0))):
            rows = np.flatnonzero(self.infoset_size > action)
            owner[self.infoset_slot[rows] + action * self.infoset_stride[rows]] = rows
        return owner

    @cached_property
    def slot_player(self) -> np.ndarray:
        """`[S]` player of each slot."""
        players: np.ndarray = self.infoset_player[self.slot_infoset]
        return players

    def slots(self, infoset: int) -> slice:
        """The slots of an infoset, action by action."""
        first, stride = int(self.infoset_slot[infoset]), int(self.infoset_stride[infoset])
        return slice(first, first + stride * int(self.infoset_size[infoset]), stride)

    def actions(self, infoset: int) -> tuple[str, ...]:
        """Names of an infoset's actions."""
        block = self.infoset_block[infoset]
        return self.edge_name[self.block_edge[block] : self.block_edge[block + 1]]

    @cached_property
    def has_perfect_recall(self) -> bool:
        """Whether every player always knows what it knew and did before."""
        return bool((self.infoset_parent >= 0).all())

    @cached_property
    def is_zero_sum(self) -> bool:
        """Whether the payoffs of every ending add up to 0 (to within rounding)."""
        largest = np.abs(self.returns).max(initial=0.0)
        return bool(np.abs(self.returns.sum(axis=1)).max(initial=0.0) <= 1e-12 * largest)

    def require_perfect_recall(self, method: str) -> None:
        if not self.has_perfect_recall:
            raise UnsupportedGameError(f"{method} needs perfect recall; in {self.game} players forget what they did")

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the rules and of the order of slots: all that a strategy's meaning depends on; 16 hex digits."""
        digest = hashlib.sha256()
        for column in fields(self):
            if column.name in DERIVED:
                continue
            value = getattr(self, column.name)
            if isinstance(value, np.ndarray):
                digest.update(f"{column.name}{value.dtype}{value.shape}".encode())
                digest.update(value.tobytes())
            elif isinstance(value, tuple):
                digest.update("\n".join(value).encode())
        return digest.hexdigest()[:16]

    def __getstate__(self) -> dict[str, Any]:
        # The handle is made again from the arrays.
        return {name: value for name, value in self.__dict__.items() if name != "native"}

    @cached_property
    def native(self) -> _native.Tree:
        """The same arrays behind one native handle, which keeps them alive."""
        return _native.Tree(
            self.num_players,
            self.block_player,
            self.block_start,
            self.block_edge,
            self.edge_block,
            self.node_row,
            self.chance_start,
            self.chance_block,
            self.chance_lane,
            self.chance_prob,
            self.returns,
            self.infoset_slot,
            self.infoset_stride,
            self.infoset_size,
            self.infoset_parent,
            self.group_infoset,
            self.player_group,
            self.leaf_sequence,
            self.leaf_size,
            self.leaf_payoff,
            self.payoff,
        )
