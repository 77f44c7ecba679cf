"""A strategy for a compiled game: one probability for each slot of its tree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nashgap import _native
from nashgap.core.array_file import ArrayFile, content_digest, open_arrays, save_arrays
from nashgap.core.strategy import Policy
from nashgap.core.tree import GameTree
from nashgap.errors import FileFormatError, MismatchError

if TYPE_CHECKING:
    from nashgap.strategies.strategy_view import StrategyView

__all__ = ["TABLE_KIND", "TableStrategy", "load_table", "normalised", "read_table", "tabulated", "uniform"]

TABLE_KIND = "tree-strategy"
TOLERANCE = 1e-6  # how far an infoset's probabilities may be from adding up to 1


@dataclass(frozen=True, eq=False)
class TableStrategy:
    """All players' behaviour in one game.

    probabilities: `[S]`, see `GameTree`; those of an infoset add up to 1.
    facts:         where it comes from (solver, iterations, seed, ...); saved with it.
    """

    tree: GameTree
    probabilities: np.ndarray
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The native kernels take this layout only; nothing is copied that has it already.
        object.__setattr__(self, "probabilities", np.ascontiguousarray(self.probabilities, np.float64))
        if self.probabilities.shape != (self.tree.num_slots,):
            raise MismatchError(
                f"a strategy for {self.tree.game} has {self.tree.num_slots} probabilities,"
                f" not an array of shape {self.probabilities.shape}"
            )
        totals = np.bincount(self.tree.slot_infoset, self.probabilities, self.tree.num_infosets)
        bad = np.flatnonzero(~(np.abs(totals - 1.0) < TOLERANCE))
        if len(bad) or not (self.probabilities >= 0.0).all():
            where = int(bad[0]) if len(bad) else int(self.tree.slot_infoset[np.argmin(self.probabilities)])
            raise MismatchError(
                f"probabilities in information set {self.tree.infoset_name[where]!r} must be from 0 to 1 and add up"
                f" to 1; they are {self.probabilities[self.tree.slots(where)].tolist()}"
            )

    def __repr__(self) -> str:
        return f"<TableStrategy of {self.tree.game}: {self.tree.num_infosets:,} information sets>"

    @cached_property
    def digest(self) -> str:
        """16 hex digits that differ where the game or a probability does; of a loaded file, those of the file."""
        content = hashlib.sha256(self.tree.fingerprint.encode())
        content.update(self.probabilities.data)
        return content.hexdigest()[:16]

    def save(self, path: Path | str) -> None:
        """Write a strategy file."""
        tree = self.tree
        segment = {"prefix": "", "tree": tree.fingerprint, "cards": "lossless", "table": "probabilities"}
        metadata = {
            "kind": TABLE_KIND,
            "game": tree.game,
            "game_definition": dict(tree.definition),
            "fingerprint": tree.fingerprint,
            "unit": tree.unit,
            "segments": [segment],
            "facts": dict(self.facts),
        }
        save_arrays(Path(path), {"probabilities": self.probabilities}, metadata)

    @property
    def name(self) -> str:
        """As messages call it."""
        return str(self.facts.get("name") or self.tree.game)

    def require_tree(self, tree: GameTree) -> None:
        """Refuse a strategy that was made for another game."""
        if self.tree is not tree and self.tree.fingerprint != tree.fingerprint:
            raise MismatchError(f"the strategy is for {self.tree.game}, not for {tree.game}")

    def at(self, after: str = "", board: str = "") -> StrategyView:
        """What is done after this public label, `kb` or `crc/Kh:`; see `nashgap.strategies.view`."""
        from nashgap.strategies.view import view_strategy

        return view_strategy(self, after=after, board=board)

    def chances(self, player: int, infoset: str) -> dict[str, float]:
        """What a player (0-based) does in an infoset, by the names of its actions."""
        number = self.tree.infoset_index.get(f"{player}:{infoset}")
        if number is None:
            known = [
                name
                for name, owner in zip(self.tree.infoset_name, self.tree.infoset_player, strict=True)
                if owner == player
            ]
            raise MismatchError(
                f"{self.tree.game}: player {player + 1} has no information set {infoset!r};"
                f" it has {len(known)}, such as {', '.join(map(repr, known[:3]))}"
            )
        chances = self.probabilities[self.tree.slots(number)]
        return dict(zip(self.tree.actions(number), map(float, chances), strict=True))

    def policies(self, states: Sequence[int]) -> list[Policy]:
        """For blocks of the tree in which a player acts: every hand's probabilities."""
        return [self._policy(block) for block in states]

    def _policy(self, block: int) -> Policy:
        tree = self.tree
        if tree.block_player[block] < 0:
            raise MismatchError(f"{tree.game}: nobody acts in block {block}")
        infosets = np.unique(tree.node_row[tree.block_start[block] : tree.block_start[block + 1]])
        slots = (
            tree.infoset_slot[infosets][:, None]
            + np.arange(tree.infoset_size[infosets[0]]) * tree.infoset_stride[infosets][:, None]
        )
        hands = tuple(tree.infoset_hand[i] for i in infosets)
        return Policy(hands, tree.actions(int(infosets[0])), self.probabilities[slots])

    def with_players(self, others: Mapping[int, TableStrategy]) -> TableStrategy:
        """This strategy with some players' parts (0-based) taken from other strategies."""
        merged = self.probabilities.copy()
        for player, other in others.items():
            if not 0 <= player < self.tree.num_players:
                players = f"players 1 to {self.tree.num_players}"
                raise MismatchError(f"{self.tree.game} has {players}, and no player {player + 1}")
            other.require_tree(self.tree)
            mine = self.tree.slot_player == player
            merged[mine] = other.probabilities[mine]
        return TableStrategy(self.tree, merged)


def uniform(tree: GameTree) -> TableStrategy:
    """Every action equally often."""
    return normalised(tree, np.zeros(tree.num_slots))


def tabulated(
    tree: GameTree,
    choose: Callable[[int, str, tuple[str, ...]], Sequence[float]],
    facts: Mapping[str, Any] | None = None,
) -> TableStrategy:
    """The strategy of a function: (player, infoset, actions) to a probability for each action."""
    probabilities = np.empty(tree.num_slots)
    for infoset, (player, name) in enumerate(zip(tree.infoset_player, tree.infoset_name, strict=True)):
        actions = tree.actions(infoset)
        chosen = choose(int(player), name, actions)
        if len(chosen) != len(actions):
            raise MismatchError(
                f"{tree.game}: {len(chosen)} probabilities for the {len(actions)} actions"
                f" {', '.join(actions)} at {name!r}"
            )
        probabilities[tree.slots(infoset)] = chosen
    return TableStrategy(tree, probabilities, facts or {})


def normalised(tree: GameTree, sums: np.ndarray, facts: Mapping[str, Any] | None = None) -> TableStrategy:
    """Each infoset's sums divided by their total; uniform where it is 0."""
    probabilities = np.empty(tree.num_slots)
    _native.normalise(tree.native, sums, probabilities)
    return TableStrategy(tree, probabilities, facts or {})


def read_table(path: Path | str) -> ArrayFile:
    """The open file, known to be a strategy for a compiled game."""
    file = open_arrays(Path(path))
    if file.metadata.get("kind") != TABLE_KIND:
        kind = file.metadata.get("kind", "unknown")
        raise FileFormatError(f"{path} is a file of kind {kind!r}, not {TABLE_KIND!r}")
    # The checksums are right, but another program may have written the file.
    if missing := {"game", "game_definition", "fingerprint", "facts"} - file.metadata.keys():
        raise FileFormatError(f"{path} does not tell its {', '.join(sorted(missing))}")
    if not all(isinstance(file.metadata[key], dict) for key in ("game_definition", "facts")):
        raise FileFormatError(f"{path} does not tell its game_definition and facts as tables")
    return file


def load_table(path: Path | str, tree: GameTree) -> TableStrategy:
    """The strategy in a file, which must be for this game."""
    file = read_table(path)
    if file.metadata["fingerprint"] != tree.fingerprint:
        made_for = file.metadata["game"]
        detail = f"{made_for}, not for {tree.game}" if made_for != tree.game else f"another version of {made_for}"
        raise MismatchError(f"{path} is a strategy for {detail}")
    strategy = TableStrategy(tree, file.array("probabilities"), file.metadata["facts"])
    strategy.__dict__["digest"] = content_digest(Path(path))[:16]  # known without reading the table
    return strategy
