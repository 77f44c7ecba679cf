"""What an agent wins more than another one in its place: the same two opponents, the same cards, deal by deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.agents.named import load_agent
from nashgap.arena.match import Match, play_matches
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.job import BatchJob, budget, require_seed
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules
from nashgap.strategies.bot import Bot

__all__ = ["Change", "ChangesJob", "deals_to_decide"]

DEALS_PER_BATCH = 10_000


@dataclass(frozen=True)
class Change:
    """A better or worse player in the place of another, against the same opponents."""

    name: str
    new: Bot
    old: Bot
    opponents: tuple[Bot, ...]


@dataclass(frozen=True)
class ChangesJob(BatchJob):
    """All changes on the same deals, in all seatings. A batch is some deals of one change."""

    kind: ClassVar[str] = "thesis-changes"

    rules: PokerRules
    changes: tuple[Change, ...]
    seed: int
    deals: int = budget(200_000)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if self.deals % DEALS_PER_BATCH or self.deals < DEALS_PER_BATCH:
            raise ConfigError(f"deals = {self.deals}; a multiple of {DEALS_PER_BATCH:,} is needed")

    @property
    def name(self) -> str:
        return "thesis-changes"

    @property
    def num_batches(self) -> int:
        return len(self.changes) * self.deals // DEALS_PER_BATCH

    def describe_batch(self, index: int) -> str:
        return self.changes[index % len(self.changes)].name

    def run_batch(self, index: int) -> dict[str, Any]:
        """`blocks`: number of deals, and how many chips the new player won more in them, over all seatings."""
        part, place = divmod(index, len(self.changes))
        tallies = [play_matches(match, part * DEALS_PER_BATCH, DEALS_PER_BATCH) for match in self._matches[place]]
        blocks = [
            [deals, (mine - others) / _native.CHIP_SHARES]
            for (deals, mine, *_), (_, others, *_) in zip(*(tally["blocks"] for tally in tallies), strict=True)
        ]
        return {"seatings": tallies[0]["seatings"], "blocks": blocks}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> list[Estimate]:
        """Of each change, a hand; intervals from the differences between blocks of deals."""
        found = []
        for place in range(len(self.changes)):
            own = batches[place :: len(self.changes)]
            blocks = np.array([block for batch in own for block in batch["blocks"]])
            hands = blocks[:, 0] * own[0]["seatings"]
            rates = blocks[:, 1] / hands / self.rules.unit_chips
            ci95 = half_width_95(float(rates.var(ddof=1)), len(rates))
            found.append(
                Estimate(float(rates.mean()), ci95, int(blocks[:, 0].sum()), self.rules.unit, "match", self.seed)
            )
        return found

    @cached_property
    def _matches(self) -> list[list[Match]]:
        """Of each change, with the new player and with the old one."""

        def match(*bots: Bot) -> Match:
            players = tuple(load_agent(bot, self.rules) for bot in bots)
            return Match(self.rules, players, tuple(bot.text for bot in bots), self.seed)

        return [[match(change.new, *change.opponents), match(change.old, *change.opponents)] for change in self.changes]


def deals_to_decide(change: Estimate) -> int | None:
    """About how many deals would leave 0 outside of the interval, were the mean right; None where it is there."""
    if abs(change.mean) > change.ci95:
        return None
    return round(change.samples * (change.ci95 / max(abs(change.mean), 1e-9)) ** 2)
