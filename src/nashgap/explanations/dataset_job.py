"""Solving many random games as a job: batches of games, and the set that they make together."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from nashgap.core.job import is_whole, require_seed
from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes, sample_hands
from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.dataset import SolvedGames, SparseTables, join_games, solve_games

__all__ = ["MOST_GAMES", "DatasetJob", "combine_games"]

GAMES_PER_BATCH = 250  # some seconds
MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class DatasetJob:
    """Random games of the bet-size game, solved. Batches are always whole: what exceeds `games` is left out later."""

    games: int
    stakes: Stakes = field(default_factory=Stakes)
    seed: int = 0
    kind: str = field(default="dataset", init=False)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if not is_whole(self.games) or not 1 <= self.games <= MOST_GAMES:
            raise ConfigError(f"games = {self.games}; it must be a whole number from 1 to {MOST_GAMES:,}")

    @property
    def name(self) -> str:
        return f"dataset-bet-size-{self.stakes.deck}"

    def identity(self) -> dict[str, Any]:
        return {"stakes": asdict(self.stakes), "seed": self.seed, "choices": list(CHOICES)}

    def budget(self) -> dict[str, Any]:
        return {"games": self.games}

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        return cls(budget["games"], Stakes(**identity["stakes"]), identity["seed"])

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


def combine_games(job: DatasetJob, batches: Sequence[Mapping[str, Any]]) -> SolvedGames:
    """The games of the job from the results of all its batches, in order."""
    parts = []
    for index, batch in enumerate(batches):
        tables = {name: _unpacked_tables(batch[name], job.stakes) for name in (*CHOICES, "calls")}
        called = tables.pop("calls")
        hands = sample_hands(job.stakes, job.seed, index * GAMES_PER_BATCH, GAMES_PER_BATCH)
        parts.append(SolvedGames(job.stakes, job.seed, hands, _unpacked(batch["value"], "<f8"), tables, called))
    return join_games(parts)[: job.games]


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
