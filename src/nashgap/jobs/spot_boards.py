"""Solve the same spot on many boards, one after the other or side by side, and put what is found into one table."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.array_file import write_atomically
from nashgap.core.job import BatchJob
from nashgap.core.result import Result, frame
from nashgap.errors import ConfigError
from nashgap.jobs.perform import perform
from nashgap.jobs.spot import DEFAULT_UNTIL, SpotJob, SpotSolution
from nashgap.poker.spot import POSITIONS, Spot
from nashgap.poker.typed_state import typed_cards
from nashgap.runs.config import package_version
from nashgap.strategies.range_strategy import STORAGES
from nashgap.strategies.spot_lock import SpotLock

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SpotBoards", "SpotBoardsJob"]


@dataclass(frozen=True)
class SpotBoardsJob(BatchJob):
    """Each board is a batch.

    spot:   on the first of the boards; the others have all else from it.
    boards: as they are typed.
    locks, storage, until, iterations: see `SpotJob`.
    """

    kind: ClassVar[str] = "spot-boards"
    has_file: ClassVar[bool] = True

    spot: Spot
    boards: tuple[str, ...]
    locks: tuple[SpotLock, ...] = ()
    storage: str = STORAGES[0]
    until: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if self.until is None and self.iterations is None:
            object.__setattr__(self, "until", DEFAULT_UNTIL)
        if not self.boards:
            raise ConfigError("no boards; at least one is needed")
        for board in self.boards:
            if len(typed_cards(board)) != len(self.spot.board):
                raise ConfigError(f"board {board!r}; all boards must have {len(self.spot.board)} cards, as the first")
        self._job(0)

    @property
    def name(self) -> str:
        return f"spot-{len(self.boards)}-boards"

    @property
    def size_text(self) -> str:
        return f"{len(self.boards):,} boards, pot {self.spot.pot}"

    @property
    def num_batches(self) -> int:
        return len(self.boards)

    def describe_batch(self, index: int) -> str:
        return f"{self.boards[index]}, board {index + 1:,} of {self.num_batches:,}"

    def prepare(self, root: Path | None) -> None:
        for index in range(len(self.boards)):  # refuses, before anything is solved, what one of them would refuse
            self._job(index).prepare(None)

    def _job(self, index: int) -> SpotJob:
        spot = replace(self.spot, board=typed_cards(self.boards[index]))
        return SpotJob(spot, self.locks, self.storage, self.iterations, None, self.until)

    def run_batch(self, index: int) -> dict[str, Any]:
        found: SpotSolution = perform(self._job(index))
        told = found.as_dict()
        kept = ("board", "values", "equity", "exploitability_percent", "iterations", "action_nodes", "bytes", "root")
        return {name: told[name] for name in kept}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> SpotBoards:
        return SpotBoards(self.spot, tuple(batches), self.locks)


@dataclass(frozen=True, eq=False, repr=False)
class SpotBoards(Result):
    """rows: what each board came to, as the JSON of `solve-spot` names it."""

    reporter: ClassVar[str] = "nashgap.reports.spot:spot_boards_report"

    spot: Spot
    rows: tuple[Mapping[str, Any], ...]
    locks: tuple[SpotLock, ...] = ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Of the first decision."""
        return tuple(self.rows[0]["root"])

    @property
    def means(self) -> dict[str, float]:
        """Over the boards, each counted once."""
        rows = self.flat_rows()
        return {name: float(np.mean([row[name] for row in rows])) for name in rows[0] if name != "board"}

    @property
    def summary(self) -> str:
        means = self.means
        often = ", ".join(f"{action} {means[action]:.1%}" for action in self.actions)
        return (
            f"{len(self.rows)} boards: {POSITIONS[0]} has {means['oop_value']:.2f} of {self.spot.pot} chips on average,"
            f" with an equity of {means['oop_equity']:.1%}: {often}."
        )

    def flat_rows(self) -> list[dict[str, Any]]:
        """A row for each board, without lists and tables in it."""
        return [
            {
                "board": row["board"],
                "oop_value": row["values"][0],
                "ip_value": row["values"][1],
                "oop_equity": row["equity"][0],
                "ip_equity": row["equity"][1],
                **row["root"],
                "exploitability_percent": row["exploitability_percent"],
                "iterations": row["iterations"],
            }
            for row in self.rows
        ]

    def to_frame(self) -> pd.DataFrame:
        """A row for each board."""
        rows = self.flat_rows()
        return frame(list(rows[0]), rows)

    def to_csv(self) -> str:
        """The table as text: a line of names, then a line for each board."""
        rows, text = self.flat_rows(), io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def save(self, path: Path | str) -> None:
        """The table, as CSV."""
        write_atomically(Path(path), [self.to_csv().encode()])

    def keep_beside(self, folder: Path) -> None:
        self.save(folder / "boards.csv")

    @property
    def places(self) -> dict[str, Path | tuple[Path, ...] | None]:
        run = self.provenance.run
        return {} if run is None else {"table": run / "boards.csv"}

    def as_dict(self) -> dict[str, Any]:
        return {
            "street": self.spot.street,
            "pot": self.spot.pot,
            "stacks": list(self.spot.stacks),
            "betting": str(self.spot.betting),
            "locks": list(map(str, self.locks)),
            "means": self.means,
            "boards": [dict(row) for row in self.rows],
            "version": package_version(),
        }
