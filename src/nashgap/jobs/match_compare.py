"""Versions of a bot in duplicate matches on the same cards: one against the other, or both against the same others."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.arena.luck import NO_VARIANCE, LearnedValues
from nashgap.arena.match import Match, play_matches
from nashgap.arena.match_result import MatchResult
from nashgap.core.estimate import Estimate
from nashgap.core.result import frame
from nashgap.errors import OptionError
from nashgap.jobs.match import MatchJob
from nashgap.jobs.perform import Keep, perform
from nashgap.jobs.versions import Comparison, VersionsJob, common_rules, numbered, rounded, short_names
from nashgap.poker.rules import PokerRules
from nashgap.runs.progress import Progressing
from nashgap.runs.workers import Workers
from nashgap.strategies.bot import Bot

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MatchCompareJob", "MatchComparison", "compare_match"]

METHOD = "match"
DEFAULT_DEALS = 10_000


@dataclass(frozen=True, kw_only=True)
class MatchCompareJob(VersionsJob):
    """Each version in a duplicate match with the opponents, on the same cards; without any, one against the other.

    opponents: one for each other seat; or none, for two versions in a game of two seats.
    variance:  which luck is taken off beside what was won, as in a match: `none`, `chance` or `aivat`.
    """

    kind: ClassVar[str] = "match-compare"

    opponents: tuple[Bot, ...] = ()
    variance: str = NO_VARIANCE

    @cached_property
    def jobs(self) -> tuple[MatchJob, ...]:
        tables = [(bot, *self.opponents) for bot in self.versions] if self.opponents else [self.versions]
        return tuple(
            MatchJob(
                rules=self.rules,
                agents=agents,
                seed=self.seed,
                batch_deals=self.batch_deals,
                deals=self.deals,
                variance=self.variance,
            )
            for agents in tables
        )

    @cached_property
    def tables(self) -> tuple[Match, ...]:
        """The match of each version. Luck is taken off by the same values in all: what versions share, cancels.

        They are learned from hands of all versions, each against the opponents.
        """
        matches = tuple(job.match for job in self.jobs)
        if len(matches) == 1 or self.variance == NO_VARIANCE:
            return matches
        opponents = matches[0].players[1:]
        learned = LearnedValues(self.rules, [(match.players[0], *opponents) for match in matches], self.seed)
        return tuple(replace(match, learned=learned) for match in matches)

    def run_batch(self, index: int) -> dict[str, Any]:
        deals, version = divmod(index, len(self.jobs))
        return play_matches(self.tables[version], *self.batch_range(deals))

    def command(self, found: MatchComparison) -> str | None:
        words = self._words(METHOD)
        if words is None or any(not bot.is_named for bot in self.opponents):
            return None
        words += [word for bot in self.opponents for word in ("--against", bot.text)]
        words += ["--variance", self.variance] if self.variance != NO_VARIANCE else []
        return shlex.join([*words, "--deals", str(self.deals), "--seed", str(self.seed)])

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> MatchComparison:
        matches: tuple[MatchResult, ...] = self.found(batches)
        corrected = None if self.variance == NO_VARIANCE else self._more(matches, corrected=True)
        return MatchComparison(self, matches, self._more(matches), corrected)

    def _more(self, matches: Sequence[MatchResult], *, corrected: bool = False) -> Estimate:
        if self.opponents:
            first, second = matches
            return first.more_than(second, corrected=corrected)
        return matches[0].corrected_estimate(0) if corrected else matches[0].estimate(0)


@dataclass(frozen=True, eq=False, repr=False)
class MatchComparison(Comparison):
    """Two versions in matches on the same cards.

    matches:        one against the other; or of each against the same opponents.
    more:           how much more the first wins than the second against the same opponents, or wins from it.
    corrected_more: the same without luck; None where none was taken off.
    """

    reporter: ClassVar[str] = "nashgap.reports.compare:match_comparison_report"

    job: MatchCompareJob
    matches: tuple[MatchResult, ...]
    more: Estimate
    corrected_more: Estimate | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return numbered([bot.text for bot in self.job.versions])

    @property
    def deals(self) -> int:
        return self.matches[0].deals

    @property
    def difference(self) -> Estimate:
        """What the second wins more, as played."""
        return _opposite(self.more)

    @property
    def corrected_difference(self) -> Estimate:
        """What the second wins more, without luck; as played where none was taken off."""
        return self.difference if self.corrected_more is None else _opposite(self.corrected_more)

    @property
    def judged(self) -> Estimate:
        """Without luck, where it was taken off: which of the two is said beforehand, whatever was found."""
        return self.corrected_difference

    @property
    def corrected_deals_to_settle(self) -> int | None:
        """As `deals_to_settle`, by the interval without luck; both for the same difference, the one without luck."""
        return self._deals_to_settle(self.corrected_difference.ci95)

    @property
    def verdict(self) -> str:
        if self.corrected_more is None or (more := self.deals_to_settle) is None:
            return super().verdict
        return f"{super().verdict} As played, about {rounded(more):,} more deals would be needed."

    @property
    def winnings(self) -> tuple[tuple[Estimate, Estimate], ...]:
        """Of each version, as played and without luck; the same twice where none was taken off."""
        matches, agents = (self.matches, (0, 0)) if self.job.opponents else (self.matches * 2, (0, 1))
        pairs = zip(matches, agents, strict=True)
        return tuple((match.estimate(agent), match.corrected_estimate(agent)) for match, agent in pairs)

    @property
    def summary(self) -> str:
        first, second = short_names(self.names)
        if not self.job.opponents:
            more, played = self.corrected_more or self.more, self._as_played(self.more)
            return f"{first} wins {more}{played} from {second}, over {self.deals:,} deals. {self.verdict}"
        (_, before), (_, after) = self.winnings
        others = " and ".join(bot.text for bot in self.job.opponents)
        return (
            f"Against {others} {first} wins {before} and {second} {after}: the second {self.judged} more"
            f"{self._as_played(self.difference)}. {self.verdict}"
        )

    def _as_played(self, told: Estimate) -> str:
        """Beside a number without luck; nothing where it is the same."""
        return "" if self.corrected_more is None else f" ({self.job.variance}; {told} as played)"

    def to_frame(self) -> pd.DataFrame:
        """A row for each version."""
        columns = ["version", "winrate", "ci95", "unit"]
        rows = [
            (name, won.mean, won.ci95, won.unit, without.mean, without.ci95)
            for name, (won, without) in zip(self.names, self.winnings, strict=True)
        ]
        if self.corrected_more is not None:
            columns += [f"{self.job.variance}_winrate", f"{self.job.variance}_ci95"]
        return frame(columns, [row[: len(columns)] for row in rows])

    def as_dict(self) -> dict[str, Any]:
        corrected = {
            "difference": self.corrected_difference.as_dict(),
            "deals_to_settle": self.corrected_deals_to_settle,
        }
        return {
            **self._told(),
            "variance": self.job.variance,
            **({} if self.corrected_more is None else {"corrected": corrected}),
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
    variance: str = NO_VARIANCE,
    deals: int = DEFAULT_DEALS,
    seed: int = 0,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> MatchComparison:
    """What the one wins from the other in a duplicate match; or more than it against the same opponents.

    variance: which luck is taken off, beside what was won: see `nashgap.match`.
    """
    rules = common_rules(bots, game)
    if not against and rules.num_seats != 2:
        raise OptionError(f"{rules.name or 'the game'} has {rules.num_seats} seats; name the opponents too (`against`)")
    job = MatchCompareJob(rules=rules, versions=bots, opponents=against, variance=variance, deals=deals, seed=seed)
    found: MatchComparison = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    return found


def _opposite(estimate: Estimate) -> Estimate:
    return replace(estimate, mean=0.0 - estimate.mean)
