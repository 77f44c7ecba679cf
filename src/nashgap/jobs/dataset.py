"""Solve many random games of one bet: batches of games, and the set that they make together."""

from __future__ import annotations

import base64
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nashgap.core.job import BatchJob, budget, is_whole, require_seed
from nashgap.core.result import Result
from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes, sample_hands
from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.dataset import SolvedGames, SparseTables, join_games, save_games, solve_games

__all__ = ["MOST_GAMES", "Dataset", "DatasetJob"]

GAMES_PER_BATCH = 250  # some seconds
MOST_GAMES = 10_000_000
TRIAL_GAMES = 20
UNIT = "dollars_per_hand"


@dataclass(frozen=True)
class DatasetJob(BatchJob):
    """Random games of the bet-size game, solved. Batches are always whole: what exceeds `games` is left out later."""

    kind: ClassVar[str] = "dataset"
    has_file: ClassVar[bool] = True

    stakes: Stakes = field(default_factory=Stakes)
    seed: int = 0
    choices: tuple[str, ...] = CHOICES
    games: int = budget(100_000)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if not is_whole(self.games) or not 1 <= self.games <= MOST_GAMES:
            raise ConfigError(f"games = {self.games}; it must be a whole number from 1 to {MOST_GAMES:,}")

    @property
    def name(self) -> str:
        return f"dataset-bet-size-{self.stakes.deck}"

    @property
    def size_text(self) -> str:
        return f"{self.games:,} games of {self.stakes.deck} cards and {self.stakes.num_bets} bets"

    def expected_seconds(self) -> float:
        begin = time.perf_counter()
        solve_games(self.stakes, self.seed, 0, TRIAL_GAMES)
        return (time.perf_counter() - begin) * self.games / TRIAL_GAMES

    @property
    def num_batches(self) -> int:
        return -(-self.games // GAMES_PER_BATCH)

    def describe_batch(self, index: int) -> str:
        return f"games {index * GAMES_PER_BATCH + 1:,} to {(index + 1) * GAMES_PER_BATCH:,}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """The values and strategies, packed; the deals follow from the seed."""
        solved = solve_games(self.stakes, self.seed, index * GAMES_PER_BATCH, GAMES_PER_BATCH)
        tables = {**solved.chosen, "calls": solved.called}
        return {"value": _packed(solved.value), **{name: _packed_tables(each) for name, each in tables.items()}}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> Dataset:
        parts = []
        for index, batch in enumerate(batches):
            tables = {name: _unpacked_tables(batch[name], self.stakes) for name in (*CHOICES, "calls")}
            called = tables.pop("calls")
            hands = sample_hands(self.stakes, self.seed, index * GAMES_PER_BATCH, GAMES_PER_BATCH)
            parts.append(SolvedGames(self.stakes, self.seed, hands, _unpacked(batch["value"], "<f8"), tables, called))
        return Dataset(join_games(parts)[: self.games])


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Result):
    """Games with their equilibria, to learn from."""

    reporter: ClassVar[str] = "nashgap.reports.dataset:dataset_report"

    games: SolvedGames

    def __len__(self) -> int:
        return len(self.games)

    @property
    def share_with_many(self) -> float:
        """Of the games: those in which player 1 has more than one equilibrium strategy."""
        weakest, middle = self.games.bets("weakest-bluff"), self.games.bets("middle")
        return float((np.abs(weakest - middle).max(axis=(1, 2)) > 1e-6).mean())

    @property
    def summary(self) -> str:
        value = float(self.games.value.mean())
        return f"{len(self):,} games of seed {self.games.seed} solved; worth {value:.4f} {UNIT} to player 1 on average."

    def as_dict(self) -> dict[str, Any]:
        value = self.games.value
        return {
            "games": len(self),
            "mean_value": float(value.mean()),
            "least_value": float(value.min()),
            "largest_value": float(value.max()),
            "share_with_many": self.share_with_many,
            "unit": UNIT,
            "seed": self.games.seed,
        }

    def save(self, path: Path | str) -> None:
        """Write the file that learners read."""
        save_games(Path(path), self.games)


def _packed(array: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes(), level=1)).decode("ascii")


def _unpacked(text: str, dtype: str) -> np.ndarray:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=dtype)


def _packed_tables(tables: SparseTables) -> list[str]:
    sizes = np.diff(tables.start).astype("<i4")
    return [_packed(sizes), _packed(tables.place.astype("<i4")), _packed(tables.value.astype("<f8"))]


def _unpacked_tables(parts: Sequence[str], stakes: Stakes) -> SparseTables:
    sizes, place, value = (_unpacked(part, dtype) for part, dtype in zip(parts, ("<i4", "<i4", "<f8"), strict=True))
    start = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return SparseTables(start, place, value, (stakes.deck, stakes.num_bets))
