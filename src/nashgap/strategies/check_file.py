"""Is a strategy file sound? All of it is read and held to the game that it names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.array_file import open_arrays
from nashgap.core.result import Result
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.load import load
from nashgap.strategies.spot_strategy import SpotStrategy
from nashgap.strategies.table import TableStrategy

__all__ = ["FileCheck", "check_file"]


@dataclass(frozen=True, eq=False, repr=False)
class FileCheck(Result):
    """A sound strategy file. largest_error: how far the probabilities of an infoset are from adding up to 1."""

    reporter: ClassVar[str] = "nashgap.reports.checks:file_report"

    path: Path
    game: str
    unit: str
    players: int
    information_sets: int
    slots: int
    largest_error: float
    facts: dict[str, Any]

    @property
    def summary(self) -> str:
        return f"{self.path} is sound: a strategy for {self.game}, {self.information_sets:,} information sets."

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
    open_arrays(path).verify()
    strategy = load(path)
    if isinstance(strategy, SpotStrategy):
        return _check_spot(path, strategy)
    return _check_abstract(path, strategy) if isinstance(strategy, AbstractStrategy) else _check_table(path, strategy)


def _check_spot(path: Path, strategy: SpotStrategy) -> FileCheck:
    """Whatever is not negative can be matched, and nothing else is loaded."""
    tables = strategy.ranges.tables
    num_entries = sum(tables[f"strategy_{seat}"].size for seat in (0, 1))
    facts = {**strategy.spot.to_config(), "locks": list(map(str, strategy.locks)), **strategy.facts}
    num_decisions = strategy.ranges.num_action_nodes
    return FileCheck(path, f"{strategy.spot.street} spot", "chips", 2, num_decisions, num_entries, 0.0, facts)


def _check_table(path: Path, strategy: TableStrategy) -> FileCheck:
    tree = strategy.tree
    totals = np.bincount(tree.slot_infoset, strategy.probabilities, tree.num_infosets)
    error = float(np.abs(totals - 1.0).max(initial=0.0))
    facts = dict(strategy.facts)
    return FileCheck(path, tree.game, tree.unit, tree.num_players, tree.num_infosets, tree.num_slots, error, facts)


def _check_abstract(path: Path, strategy: AbstractStrategy) -> FileCheck:
    found, segments = strategy.check(), strategy.segments
    first = segments[0].game
    facts = {
        **({"after": first.tree.prefix_text} if first.tree.prefix else {}),
        "betting": str(first.tree.abstraction),
        "cards": _cards_text(first),
        **(
            {"grafts": {segment.prefix_text: _cards_text(segment.game) for segment in segments[1:]}}
            if segments[1:]
            else {}
        ),
        "unreached_information_sets": found.num_unreached,
        "options": strategy.options.as_dict(),
        **strategy.facts,
    }
    rules = strategy.rules
    num_infosets = sum(segment.game.num_infosets for segment in segments)
    num_entries = sum(segment.game.num_entries for segment in segments)
    return FileCheck(
        path, rules.name, rules.unit, rules.num_seats, num_infosets, num_entries, found.largest_error, facts
    )


def _cards_text(game: AbstractGame) -> str:
    return ", ".join(dict.fromkeys(seen.spec.to_text() for seat in game.cards for seen in seat.values()))
