"""Versions of a bot on the same deals: what they have in common cancels, and the difference has a paired interval."""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nashgap.core.estimate import Estimate
from nashgap.core.job import setting
from nashgap.core.result import Result
from nashgap.errors import ConfigError, MismatchError, OptionError
from nashgap.jobs.dealing import DealsJob
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.config import package_version
from nashgap.strategies.bot import Bot
from nashgap.strategies.load import rules_of

__all__ = ["FEWEST_BATCHES", "Comparison", "VersionsJob", "common_rules", "numbered", "rounded", "short_names"]

TRIAL_VERSIONS = 4  # the last of which tells the time: the others pay for what happens only once
FEWEST_BATCHES = 20  # that an interval of differences stands on


@dataclass(frozen=True, kw_only=True)
class VersionsJob(DealsJob):
    """The same work for each of some versions, V of them, on the same deals; a batch of deals is V batches.

    versions: the first is what the others are compared with.
    may_ask:  whether somebody's own bot is asked to tell how long it takes.
    """

    versions: tuple[Bot, ...]
    may_ask: bool = setting(False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.versions) < 2:
            raise ConfigError(f"{len(self.versions)} version of a bot; two are needed for a difference")
        if self.batch_deals is None:
            usual = min(job.deals_per_batch for job in self.jobs)
            object.__setattr__(self, "batch_deals", max(1, min(usual, self.deals // FEWEST_BATCHES)))
            self.__dict__.pop("jobs", None)  # they have batches of that size, too
        if self.deals < 2 * self.deals_per_batch:
            raise ConfigError(f"deals = {self.deals}; a difference needs at least {2 * self.deals_per_batch}")

    @cached_property
    @abstractmethod
    def jobs(self) -> tuple[DealsJob, ...]:
        """One for each version, alike but for it."""

    @property
    def bots(self) -> tuple[Bot, ...]:
        return self.versions

    @property
    def num_seatings(self) -> int:
        return self.jobs[0].num_seatings

    @property
    def num_hands(self) -> int:
        return sum(job.num_hands for job in self.jobs)

    @property
    def size_text(self) -> str:
        game, number = self.rules.name or "a game of its own", len(self.versions)
        return f"{game}: {number} versions on the same {self.deals:,} deals: {self.num_hands:,} hands"

    def expected_seconds(self) -> float | None:
        """Where somebody's own bots may be asked: by the first batch of the first versions."""
        if self.may_ask:
            first, *others = [_seconds(self, index) for index in range(min(len(self.jobs), TRIAL_VERSIONS))]
            return super().num_batches * (first + others[-1] * (len(self.jobs) - 1))
        known = [job.expected_seconds() for job in self.jobs]
        return None if None in known else sum(filter(None, known))

    @property
    def num_batches(self) -> int:
        return super().num_batches * len(self.jobs)

    def describe_batch(self, index: int) -> str:
        deals, version = divmod(index, len(self.jobs))
        return f"{self.jobs[version].describe_batch(deals)} of version {version + 1}"

    def run_batch(self, index: int) -> dict[str, Any]:
        deals, version = divmod(index, len(self.jobs))
        return self.jobs[version].run_batch(deals)

    def found(self, batches: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
        """What the job of each version makes of its batches."""
        number = len(self.jobs)
        return tuple(job.combine(batches[version::number]) for version, job in enumerate(self.jobs))

    def _words(self, by: str) -> list[str] | None:
        """The command as far as it is the same by any method; None where it cannot be typed."""
        if len(self.versions) != 2 or not self.rules.is_shipped or any(not bot.is_named for bot in self.versions):
            return None
        bots = [bot.text for bot in self.versions]
        return ["nashgap", "compare", *bots, "--game", self.rules.name, "--by", by]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Two versions on the same deals."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Of the versions, as text; the same text twice is numbered."""

    @property
    @abstractmethod
    def deals(self) -> int:
        """That every version was dealt."""

    @property
    @abstractmethod
    def difference(self) -> Estimate:
        """How much better the second is, in the game's unit, over pairs of batches of the same deals."""

    @property
    def judged(self) -> Estimate:
        """The difference that the verdict goes by."""
        return self.difference

    @property
    def deals_to_settle(self) -> int | None:
        """More deals that would bring the interval down to the difference, if it stays; None where that is done.

        0 differences have no number: then there is none either.
        """
        return self._deals_to_settle(self.difference.ci95)

    def _deals_to_settle(self, ci95: float) -> int | None:
        """By an interval of this width, about the difference that the verdict goes by."""
        mean = abs(self.judged.mean)
        if mean >= ci95 or mean == 0 or not math.isfinite(ci95):
            return None
        return math.ceil(self.deals * ((ci95 / mean) ** 2 - 1))

    @property
    def verdict(self) -> str:
        """Which of the first two is better, in a sentence."""
        difference, (first, second) = self.judged, short_names(self.names)[:2]
        if difference.mean == 0 and difference.ci95 == 0:
            return "They are the same on every deal."
        if (more := self._deals_to_settle(difference.ci95)) is not None:
            return f"That settles nothing; if it stays so, about {rounded(more):,} more deals would."
        return f"{second if difference.mean > 0 else first} is better, with 97.5% confidence."

    def _told(self) -> dict[str, Any]:
        return {
            "versions": list(self.names),
            "difference": self.difference.as_dict(),
            "deals": self.deals,
            "deals_to_settle": self.deals_to_settle,
            "verdict": self.verdict,
            "version": package_version(),
        }


def common_rules(bots: Sequence[Bot], game: str | PokerRules | None) -> PokerRules:
    """The game that is named, or that all bots which have one were made for."""
    if game is not None:
        return load_rules(game) if isinstance(game, str) else game
    own = [(bot, rules) for bot in bots if (rules := rules_of(bot)) is not None]
    if not own:
        raise OptionError(f"{bots[0].text!r} and {bots[-1].text!r} may be for many games; name the game too (`game`)")
    (first, rules), (last, other) = own[0], own[-1]
    if rules != other:
        raise MismatchError(
            f"{first.text} is for {rules.name or 'a game'}, {last.text} for {other.name or 'another game'}"
            f"{', whose rules differ' if rules.name == other.name else ''}; two versions of a bot play the same game"
        )
    return rules


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{name} #{[*names[: place + 1]].count(name)}" if [*names].count(name) > 1 else name
        for place, name in enumerate(names)
    )


def short_names(names: Sequence[str]) -> list[str]:
    """In a sentence a long text is told by its number."""
    return [name if len(name) <= 60 else f"version {number}" for number, name in enumerate(names, 1)]


def _seconds(job: VersionsJob, index: int) -> float:
    begin = time.perf_counter()
    job.run_batch(index)
    return time.perf_counter() - begin


def rounded(number: int) -> int:
    """To two digits."""
    return int(float(f"{number:.1e}"))
