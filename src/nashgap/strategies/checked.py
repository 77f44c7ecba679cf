"""Strategy files that name their own game: build it again, and check that file and game fit together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nashgap.catalogue import POLICIES
from nashgap.core.array_file import ArrayFile, open_arrays
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, FileFormatError
from nashgap.games.compiled import load_tree, rebuild_tree
from nashgap.strategies.abstract import ABSTRACT_KIND, load_abstract_strategy, read_abstract
from nashgap.strategies.named import load_strategy, strategy_path
from nashgap.strategies.table import TableStrategy, load_table, read_table

__all__ = ["FileCheck", "check_file", "open_strategy"]


@dataclass(frozen=True)
class FileCheck:
    """A sound strategy file. largest_error: how far the probabilities of an infoset are from adding up to 1."""

    path: Path
    game: str
    unit: str
    players: int
    information_sets: int
    slots: int
    largest_error: float
    facts: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "is_sound": True,
            "game": self.game,
            "unit": self.unit,
            "players": self.players,
            "information_sets": self.information_sets,
            "slots": self.slots,
            "largest_error": self.largest_error,
            "facts": self.facts,
        }


def check_file(path: Path) -> FileCheck:
    """Read all of the file and hold it to its game; an error says what is wrong."""
    if open_arrays(path).metadata.get("kind") == ABSTRACT_KIND:
        return _check_abstract(path)
    read_table(path).verify()
    strategy = open_strategy(str(path))
    tree = strategy.tree
    totals = np.bincount(tree.slot_infoset, strategy.probabilities, tree.num_infosets)
    error = float(np.abs(totals - 1.0).max(initial=0.0))
    facts = dict(strategy.facts)
    return FileCheck(path, tree.game, tree.unit, tree.num_players, tree.num_infosets, tree.num_slots, error, facts)


def _check_abstract(path: Path) -> FileCheck:
    read_abstract(path).verify()
    strategy = load_abstract_strategy(path)
    game, found = strategy.game, strategy.check()
    facts = {
        "betting": str(game.tree.abstraction),
        "cards": ", ".join(dict.fromkeys(seen.spec.to_text() for seat in game.cards for seen in seat.values())),
        "unreached_information_sets": found.num_unreached,
        "options": strategy.options.as_dict(),
        **strategy.facts,
    }
    name, unit, num_seats = strategy.rules.name, strategy.rules.unit, strategy.rules.num_seats
    return FileCheck(path, name, unit, num_seats, game.num_infosets, game.num_entries, found.largest_error, facts)


def open_strategy(text: str, game: str | None = None) -> TableStrategy:
    """The strategy that `text` names; `game` is needed for a named one, and a file must be for it where it is given."""
    if game is not None:
        return load_strategy(text, load_tree(game))
    if text in POLICIES.entries:
        raise ConfigError(f"strategy {text!r} exists for many games; name the game too (--game)")
    path = strategy_path(text)
    return load_table(path, _tree_of(read_table(path)))


def _tree_of(file: ArrayFile) -> GameTree:
    # The file's hash is right, but another program may have written it.
    try:
        return rebuild_tree(file.metadata["game_definition"])
    except (KeyError, TypeError, AttributeError) as error:
        raise FileFormatError(f"{file.path} does not say which game it is for: {error!r}") from error
