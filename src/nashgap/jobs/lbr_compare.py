"""Local Best Response against versions of a bot on the same deals: bounds, differences, leaks gained and lost."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.estimate import Estimate
from nashgap.core.result import frame
from nashgap.errors import ConfigError
from nashgap.jobs.lbr import LbrJob, usual_deals, with_lines
from nashgap.jobs.lbr_bound import METHOD, LbrBound, paired_difference
from nashgap.jobs.perform import Keep, perform
from nashgap.jobs.versions import Comparison, VersionsJob, common_rules, numbered, short_names
from nashgap.measures.local_best_response import ALL_LINES, ON_TREE, LbrOptions
from nashgap.poker.rules import PokerRules
from nashgap.runs.progress import Progressing
from nashgap.runs.workers import Workers
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot, GivenBot, PatchedBot
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load
from nashgap.strategies.patched import PatchedStrategy
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.remembering import RememberingStrategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LbrCompareJob", "LbrComparison", "LeakChange", "compare_lbr", "own_bets"]


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
                takes_off_luck=False,  # what versions have in common cancels
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
        words += ["--lines", options.lines]
        words += ["--stake", f"{options.stake:g}"] if options.lines == ALL_LINES else []
        words += ["--samples", str(options.samples)] if options.samples != default.samples else []
        words += ["--lookahead", str(options.lookahead)] if options.lookahead != default.lookahead else []
        return shlex.join([*words, "--deals", str(self.deals), "--seed", str(self.seed)])

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> LbrComparison:
        return LbrComparison(self, self.found(batches))


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
        return numbered([bot.text for bot in self.job.versions])

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
        first, second = short_names(self.names)
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


def compare_lbr(
    bots: tuple[Bot, Bot],
    game: str | PokerRules | None,
    *,
    bets: str = "fcpa",
    rounds: str = "",
    deals: int | None = None,
    lines: str | None = None,
    stake: float | None = None,
    samples: int = 10,
    lookahead: int = 1,
    seed: int = 0,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> LbrComparison:
    """What LBR wins from each on the same deals, and which leaks were gained and lost; see `measure_lbr`."""
    rules = common_rules(bots, game)
    options = LbrOptions(own_bets(bots, rules) if bets == ON_TREE else bets, rounds, samples, lookahead=lookahead)
    options = with_lines(options, rules, bots, lines, stake, draws=True)
    number = usual_deals(options) if deals is None else deals
    job = LbrCompareJob(rules=rules, versions=bots, deals=number, options=options, seed=seed, has_leaks=True)
    found: LbrComparison = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    return found


def own_bets(bots: Sequence[Bot], rules: PokerRules) -> str:
    """Of the first that has a betting tree of its own, as text: all versions meet the same bets."""
    for bot in bots:
        strategy = load(bot, rules)
        if isinstance(strategy, AbstractStrategy):
            return str(strategy.game.tree.abstraction)
    raise ConfigError("bets on-tree: only a strategy of an abstract game has a tree of its own")


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
