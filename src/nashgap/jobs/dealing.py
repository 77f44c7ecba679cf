"""Work that is cut into deals: what a match and a measurement by Local Best Response have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from nashgap.core.job import BatchJob, budget, require_seed
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules
from nashgap.strategies.bot import Bot
from nashgap.strategies.spec import file_word

__all__ = ["DealsJob", "curve_steps"]

_CUT = "cut_deals"
MAX_POINTS = 60  # of the curve that shows how a number settled


@dataclass(frozen=True, kw_only=True)
class DealsJob(BatchJob):
    """Deals of one game, some in a batch.

    deals:       each is played in every seating.
    batch_deals: deals in a batch; None: as many as take about a second, whatever the number of workers.
    """

    rules: PokerRules
    seed: int = 0
    batch_deals: int | None = None
    deals: int = budget()

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.batch_deals is not None and self.batch_deals < 1:
            raise ConfigError(f"batch_deals = {self.batch_deals}; at least 1 is needed")

    @property
    def bots(self) -> tuple[Bot, ...]:
        """Who plays."""
        raise AssertionError(f"a {self.kind} job has nobody to play")

    @property
    def num_seatings(self) -> int:
        """In which each deal is played."""
        raise AssertionError(f"a {self.kind} job has no seatings")

    @property
    def num_hands(self) -> int:
        """That are played in all: each deal in every seating."""
        return self.deals * self.num_seatings

    @property
    def name(self) -> str:
        words = "-".join(dict.fromkeys(file_word(bot.text) for bot in self.bots))
        return f"{self.kind}-{self.rules.name or 'game'}-{words}"[:80]

    @property
    def size_text(self) -> str:
        game = self.rules.name or "a game of its own"
        return f"{game}: {self.deals:,} deals in {self.num_seatings} seatings: {self.num_hands:,} hands"

    @property
    def deals_per_batch(self) -> int:
        assert self.batch_deals is not None, "set when the job was made"
        return self.batch_deals

    def identity(self) -> dict[str, Any]:
        """A last batch that is cut short cannot be continued: such a number of deals is a job of its own."""
        return {**super().identity(), _CUT: self.deals if self.deals % self.deals_per_batch else None}

    @classmethod
    def from_config(
        cls, identity: Mapping[str, Any], budget: Mapping[str, Any], inputs: Mapping[str, str] | None = None
    ) -> Self:
        return super().from_config({key: item for key, item in identity.items() if key != _CUT}, budget, inputs)

    @property
    def num_batches(self) -> int:
        return -(-self.deals // self.deals_per_batch)

    def batch_range(self, index: int) -> tuple[int, int]:
        """First deal of the batch, and how many."""
        first = index * self.deals_per_batch
        return first, min(self.deals_per_batch, self.deals - first)

    def describe_batch(self, index: int) -> str:
        first, number = self.batch_range(index)
        return f"deals {first + 1:,} to {first + number:,}"


def curve_steps(num_batches: int) -> list[int]:
    """Numbers of batches after which a curve has a point."""
    return sorted({round((point + 1) * num_batches / MAX_POINTS) for point in range(MAX_POINTS)} - {0})
