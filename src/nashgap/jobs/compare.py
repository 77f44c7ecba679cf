"""Versions of a bot on the same deals: what they have in common cancels, and the difference has a paired interval."""

from __future__ import annotations

import math
import shlex
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.arena.match_result import MatchResult
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.job import setting
from nashgap.core.result import Result, frame
from nashgap.errors import ConfigError, MismatchError, OptionError
from nashgap.jobs.dealing import DealsJob
from nashgap.jobs.lbr import DEFAULT_DEALS, METHOD, LbrBound, LbrJob, paired_difference
from nashgap.jobs.match import MatchJob
from nashgap.jobs.perform import Keep, perform
from nashgap.measures.local_best_response import ON_TREE, LbrOptions
from nashgap.poker.rules import PokerRules, load_rules
from nashgap.runs.config import package_version
from nashgap.runs.progress import Progressing
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load, rules_of
from nashgap.strategies.patched import PatchedStrategy
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.remembering import RememberingStrategy
from nashgap.strategies.spec import Bot, GivenBot, PatchedBot

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Comparison",
    "LbrCompareJob",
    "LbrComparison",
    "LeakChange",
    "MatchCompareJob",
    "MatchComparison",
    "VersionsJob",
    "common_rules",
    "compare_lbr",
    "compare_match",
    "own_bets",
]

FEWEST_BATCHES = 20  # that an interval of differences stands on
MATCH = "match"


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
        """Where somebody's own bots may be asked: by the first batch of the first two versions."""
        if self.may_ask:
            seconds = [_seconds(self, index) for index in range(2)]
            return super().num_batches * (seconds[0] + seconds[1] * (len(self.jobs) - 1))
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


@dataclass(frozen=True, kw_only=True)
class LbrCompareJob(VersionsJob):
    """LBR against each version, which sits at all other seats; see `LbrJob`."""

    kind: ClassVar[str] = "lbr-compare"

    options: LbrOptions = field(default_factory=LbrOptions)
    has_leaks: bool = False
    flops: tuple[str, ...] = ()
    drawn: int = 0

    @cached_property
    def jobs(self) -> tuple[LbrJob, ...]:
        bots = self._loaded_once()
        return tuple(
            LbrJob(
                rules=self.rules,
                strategies=(bot,) * (self.rules.num_seats - 1),
                options=self.options,
                has_leaks=self.has_leaks,
                flops=self.flops,
                drawn=self.drawn,
                seed=self.seed,
                batch_deals=self.batch_deals,
                deals=self.deals,
            )
            for bot in bots
        )

    def _loaded_once(self) -> list[Bot]:
        """The versions; patches of one bot share it and its answers, so that a slow one is asked about a state once."""
        shared: dict[Bot, PokerStrategy] = {}

        def base_of(bot: Bot) -> PokerStrategy:
            if bot not in shared:
                strategy = load(bot, self.rules)
                is_asked = not isinstance(strategy, Chump | AbstractStrategy) and not strategy.is_sampled
                shared[bot] = RememberingStrategy(strategy) if is_asked else strategy
            return shared[bot]

        def loaded(bot: Bot) -> Bot:
            if isinstance(bot, PatchedBot):
                return GivenBot(PatchedStrategy(bot.text, base_of(bot.base), bot.patches, self.rules))
            return GivenBot(base_of(bot)) if bot in bases else bot

        bases = {bot.base for bot in self.versions if isinstance(bot, PatchedBot)}
        return [loaded(bot) for bot in self.versions] if bases else list(self.versions)

    def command(self, found: LbrComparison) -> str | None:
        words = self._words(METHOD)
        if words is None or self.flops or self.drawn:
            return None
        options, default = self.options, LbrOptions()
        words += ["--bets", options.bets]
        words += ["--rounds", options.rounds] if options.rounds else []
        words += ["--samples", str(options.samples)] if options.samples != default.samples else []
        words += ["--lookahead", str(options.lookahead)] if options.lookahead != default.lookahead else []
        return shlex.join([*words, "--deals", str(self.deals), "--seed", str(self.seed)])

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> LbrComparison:
        return LbrComparison(self, self.found(batches))


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
        words = self._words(MATCH)
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
        return Estimate(mean, ci95, len(whole), self.rules.unit, MATCH, self.seed)


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
    def deals_to_settle(self) -> int | None:
        """More deals that would bring the interval down to the difference, if it stays; None where that is done.

        0 differences have no number: then there is none either.
        """
        mean, ci95 = abs(self.difference.mean), self.difference.ci95
        if mean >= ci95 or mean == 0 or not math.isfinite(ci95):
            return None
        return math.ceil(self.deals * ((ci95 / mean) ** 2 - 1))

    @property
    def verdict(self) -> str:
        """Which of the first two is better, in a sentence."""
        difference, (first, second) = self.difference, _short_names(self.names)[:2]
        if difference.mean == 0 and difference.ci95 == 0:
            return "They are the same on every deal."
        if (more := self.deals_to_settle) is not None:
            return f"That settles nothing; if it stays so, about {_rounded(more):,} more deals would."
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


@dataclass(frozen=True)
class LeakChange:
    """A situation that is among the dearest of one version or of both; see `Leak`.

    before, after: what it adds to the bound of each; None where it never came up, or was too rare to be counted.
    kind:          `smaller` or `larger` by more than both intervals together; of these `lost` or `gained` where it
                   costs nothing clear on one side; else `same`.
    """

    situation: str
    before: Estimate | None
    after: Estimate | None
    kind: str


@dataclass(frozen=True, eq=False, repr=False)
class LbrComparison(Comparison):
    """What LBR wins from each version on the same deals.

    bounds: one for each version.
    """

    reporter: ClassVar[str] = "nashgap.reports.compare:lbr_comparison_report"

    job: LbrCompareJob
    bounds: tuple[LbrBound, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return _numbered([bot.text for bot in self.job.versions])

    @property
    def deals(self) -> int:
        return self.bounds[0].deals

    @property
    def difference(self) -> Estimate:
        return self.gain(1)

    def gain(self, version: int) -> Estimate:
        """What LBR wins less from this version than from the first."""
        return paired_difference(self.bounds[0], self.bounds[version])

    @property
    def summary(self) -> str:
        if len(self.bounds) > 2:
            best = max(range(1, len(self.bounds)), key=lambda version: self.gain(version).mean)
            return f"Of {len(self.bounds)} versions LBR wins least from version {best + 1}: {_less(self.gain(best))}."
        first, second = _short_names(self.names)
        before, after = (bound.estimate for bound in self.bounds)
        return f"LBR wins {before} from {first} and {after} from {second}: {_less(self.difference)}. {self.verdict}"

    @cached_property
    def leak_changes(self) -> tuple[LeakChange, ...]:
        """Of the dearest situations of both, the largest change first."""
        first, second = (bound.leaks for bound in self.bounds[:2])
        if first is None or second is None:
            return ()
        names = dict.fromkeys(leak.situation for leak in (*first.situations, *second.situations))
        changes = [_leak_change(name, first.contributions.get(name), second.contributions.get(name)) for name in names]
        return tuple(sorted(changes, key=lambda change: -abs(_mean(change.before) - _mean(change.after))))

    def to_frame(self) -> pd.DataFrame:
        """A row for each version."""
        rows = [
            (name, bound.estimate.mean, bound.estimate.ci95, self.gain(version).mean, self.gain(version).ci95,
             bound.estimate.unit)
            for version, (name, bound) in enumerate(zip(self.names, self.bounds, strict=True))
        ]  # fmt: skip
        return frame(("version", "lbr_wins", "lbr_wins_ci95", "gain", "gain_ci95", "unit"), rows)

    def as_dict(self) -> dict[str, Any]:
        return {
            **self._told(),
            "method": METHOD,
            "game": self.job.rules.name,
            "bounds": [bound.estimate.as_dict() for bound in self.bounds],
            "leak_changes": [asdict(change) for change in self.leak_changes],
        }


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
        return _numbered([bot.text for bot in self.job.versions])

    @property
    def deals(self) -> int:
        return self.matches[0].deals

    @property
    def difference(self) -> Estimate:
        """What the second wins more."""
        return replace(self.more, mean=0.0 - self.more.mean)

    @property
    def summary(self) -> str:
        first, second = _short_names(self.names)
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
            "method": MATCH,
            "game": self.job.rules.name,
            "opponents": [bot.text for bot in self.job.opponents],
            "matches": [match.as_dict() for match in self.matches],
        }


def compare_lbr(
    bots: tuple[Bot, Bot],
    game: str | PokerRules | None,
    *,
    bets: str = "fcpa",
    rounds: str = "",
    deals: int = DEFAULT_DEALS,
    samples: int = 10,
    lookahead: int = 1,
    seed: int = 0,
    workers: int = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> LbrComparison:
    """What LBR wins from each on the same deals, and which leaks were gained and lost; see `measure_lbr`."""
    rules = common_rules(bots, game)
    options = LbrOptions(own_bets(bots, rules) if bets == ON_TREE else bets, rounds, samples, lookahead=lookahead)
    job = LbrCompareJob(rules=rules, versions=bots, deals=deals, options=options, seed=seed, has_leaks=True)
    found: LbrComparison = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    return found


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


def own_bets(bots: Sequence[Bot], rules: PokerRules) -> str:
    """Of the first that has a betting tree of its own, as text: all versions meet the same bets."""
    for bot in bots:
        strategy = load(bot, rules)
        if isinstance(strategy, AbstractStrategy):
            return str(strategy.game.tree.abstraction)
    raise ConfigError("bets on-tree: only a strategy of an abstract game has a tree of its own")


def _seconds(job: VersionsJob, index: int) -> float:
    begin = time.perf_counter()
    job.run_batch(index)
    return time.perf_counter() - begin


def _leak_change(situation: str, before: Estimate | None, after: Estimate | None) -> LeakChange:
    less = _mean(before) - _mean(after)
    if abs(less) <= math.hypot(*(each.ci95 for each in (before, after) if each is not None)):
        return LeakChange(situation, before, after, "same")
    left = after if less > 0 else before
    is_gone = left is None or left.lower_bound_975 <= 0
    kind = ("lost" if is_gone else "smaller") if less > 0 else ("gained" if is_gone else "larger")
    return LeakChange(situation, before, after, kind)


def _mean(estimate: Estimate | None) -> float:
    return 0.0 if estimate is None else estimate.mean


def _less(difference: Estimate) -> str:
    """`220 ± 90 mbb_per_hand less from the second`."""
    side = "less" if difference.mean >= 0 else "more"
    return f"{replace(difference, mean=abs(difference.mean))} {side} from the second"


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{name} #{[*names[: place + 1]].count(name)}" if [*names].count(name) > 1 else name
        for place, name in enumerate(names)
    )


def _short_names(names: Sequence[str]) -> list[str]:
    """In a sentence a long text is told by its number."""
    return [name if len(name) <= 60 else f"version {number}" for number, name in enumerate(names, 1)]


def _rounded(number: int) -> int:
    """To two digits."""
    return int(float(f"{number:.1e}"))
