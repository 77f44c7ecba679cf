"""Versions of a bot in duplicate matches on the same cards: one against the other, or both against the same others."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.arena.match_result import MatchResult
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.result import frame
from nashgap.errors import OptionError
from nashgap.jobs.match import MatchJob
from nashgap.jobs.perform import Keep, perform
from nashgap.jobs.versions import Comparison, VersionsJob, common_rules, numbered, short_names
from nashgap.poker.rules import PokerRules
from nashgap.runs.progress import Progressing
from nashgap.strategies.spec import Bot

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MatchCompareJob", "MatchComparison", "compare_match"]

METHOD = "match"
DEFAULT_DEALS = 10_000


@dataclass(frozen=True, kw_only=True)
class MatchCompareJob(VersionsJob):
    """Each version in a duplicate match with the opponents, on the same cards; without any, one against the other.

    opponents: one for each other seat; or none, for two versions in a game of two seats.
    """

    kind: ClassVar[str] = "match-compare"

    opponents: tuple[Bot, ...] = ()

    @cached_property
    def jobs(self) -> tuple[MatchJob, ...]:
        tables = [(bot, *self.opponents) for bot in self.versions] if self.opponents else [self.versions]
        return tuple(
            MatchJob(rules=self.rules, agents=agents, seed=self.seed, batch_deals=self.batch_deals, deals=self.deals)
            for agents in tables
        )

    def command(self, found: MatchComparison) -> str | None:
        words = self._words(METHOD)
        if words is None or any(not bot.is_named for bot in self.opponents):
            return None
        words += [word for bot in self.opponents for word in ("--against", bot.text)]
        return shlex.join([*words, "--deals", str(self.deals), "--seed", str(self.seed)])

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> MatchComparison:
        matches = self.found(batches)
        return MatchComparison(self, matches, self._difference(matches, batches))

    def _difference(self, matches: Sequence[MatchResult], batches: Sequence[Mapping[str, Any]]) -> Estimate:
        if not self.opponents:
            return matches[0].estimate(0)
        first, second = (
            np.array([batch["payoffs"][0] / _native.CHIP_SHARES / batch["matches"] for batch in batches[version::2]])
            for version in range(2)
        )
        differences = (first - second) / (self.num_seatings * self.rules.unit_chips)
        sizes = np.array([batch["matches"] for batch in batches[::2]])
        whole = differences[sizes == sizes[0]]  # a last batch may be shorter: it counts in the mean only
        ci95 = half_width_95(float(whole.var(ddof=1)), len(whole)) if len(whole) > 1 else math.inf
        mean = float(differences @ sizes / sizes.sum())
        return Estimate(mean, ci95, len(whole), self.rules.unit, METHOD, self.seed)


@dataclass(frozen=True, eq=False, repr=False)
class MatchComparison(Comparison):
    """Two versions in matches on the same cards.

    matches:    one against the other; or of each against the same opponents.
    difference: how much more the first wins than the second against the same opponents, or wins from it.
    """

    reporter: ClassVar[str] = "nashgap.reports.compare:match_comparison_report"

    job: MatchCompareJob
    matches: tuple[MatchResult, ...]
    more: Estimate

    @property
    def names(self) -> tuple[str, ...]:
        return numbered([bot.text for bot in self.job.versions])

    @property
    def deals(self) -> int:
        return self.matches[0].deals

    @property
    def difference(self) -> Estimate:
        """What the second wins more."""
        return replace(self.more, mean=0.0 - self.more.mean)

    @property
    def summary(self) -> str:
        first, second = short_names(self.names)
        if not self.job.opponents:
            return f"{first} wins {self.more} from {second}, over {self.deals:,} deals. {self.verdict}"
        before, after = (match.estimate(0) for match in self.matches)
        others = " and ".join(bot.text for bot in self.job.opponents)
        return (
            f"Against {others} {first} wins {before} and {second} {after}: the second {self.difference} more."
            f" {self.verdict}"
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each version."""
        estimates = [match.estimate(0) for match in self.matches]
        if not self.job.opponents:
            estimates.append(self.matches[0].estimate(1))
        rows = [(name, each.mean, each.ci95, each.unit) for name, each in zip(self.names, estimates, strict=True)]
        return frame(("version", "winrate", "ci95", "unit"), rows)

    def as_dict(self) -> dict[str, Any]:
        return {
            **self._told(),
            "method": METHOD,
            "game": self.job.rules.name,
            "opponents": [bot.text for bot in self.job.opponents],
            "matches": [match.as_dict() for match in self.matches],
        }


def compare_match(
    bots: tuple[Bot, Bot],
    game: str | PokerRules | None,
    *,
    against: tuple[Bot, ...] = (),
    deals: int = DEFAULT_DEALS,
    seed: int = 0,
    workers: int = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> MatchComparison:
    """What the one wins from the other in a duplicate match; or more than it against the same opponents."""
    rules = common_rules(bots, game)
    if not against and rules.num_seats != 2:
        raise OptionError(f"{rules.name or 'the game'} has {rules.num_seats} seats; name the opponents too (`against`)")
    job = MatchCompareJob(rules=rules, versions=bots, opponents=against, deals=deals, seed=seed)
    found: MatchComparison = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    return found
