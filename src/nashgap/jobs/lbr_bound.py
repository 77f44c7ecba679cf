"""What Local Best Response finds: a lower bound with its interval, its parts, and how two of them differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap.core.estimate import Estimate, half_width_95, significant
from nashgap.core.result import Result, frame
from nashgap.measures.controls import coefficients_of, corrected_sums
from nashgap.measures.leaks import Leaks
from nashgap.measures.local_best_response import LbrOptions
from nashgap.poker.rules import PokerRules
from nashgap.runs.config import package_version

if TYPE_CHECKING:
    import pandas as pd

    from nashgap.jobs.advice import LeakAdvice
    from nashgap.jobs.lbr import LbrJob

__all__ = [
    "METHOD",
    "LbrBound",
    "LbrGain",
    "LbrSplit",
    "bound_of",
    "corrected_rows",
    "estimate_of",
    "paired_difference",
    "seat_sums",
]

METHOD = "lbr"


@dataclass(frozen=True)
class LbrGain:
    """What who plays like one of the strategies would gain by playing like LBR, while the others stay as they are.

    by_seat: the same, where it sits.
    """

    strategy: str
    estimate: Estimate
    by_seat: tuple[Estimate, ...]

    def as_dict(self) -> dict[str, Any]:
        by_seat = [estimate.as_dict() for estimate in self.by_seat]
        return {"strategy": self.strategy, **self.estimate.as_dict(), "by_seat": by_seat}


@dataclass(frozen=True)
class LbrSplit:
    """A bound in two parts, on the same deals.

    on_tree:  with the strategy's own bets only, which need no translation: what its cards and its play there lose.
    off_tree: what the other bets add, or take where LBR is greedy.
    """

    on_tree: Estimate
    off_tree: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {"on_tree": self.on_tree.as_dict(), "off_tree": self.off_tree.as_dict()}


@dataclass(frozen=True, eq=False, repr=False)
class LbrBound(Result):
    """What LBR won: a lower bound on what a best response wins.

    estimate:    the bound in the game's unit, with its interval.
    by_seat:     where it sat, `by_round`: where the hands ended; share of all hands, and mean of such a hand.
    gains:       against different strategies, for each of them what it would gain by playing like LBR; where all are
                 the same that is the bound itself, and there are none.
    deals, hands: that were dealt; that were played, each deal in every seating.
    queries:     public states that the strategies were asked about.
    options:     as they were in force; `rounds`: in which LBR chose, from 0.
    batch_chips: `[batches]` the mean of a deal, in chips.
    course:      the bound after more and more batches.
    leaks:       where the winnings come from; None where that was not counted.
    split:       by bets on the strategy's own tree and others; None where that was not asked for.
    advice:      what to change; None where that was not asked for.
    """

    reporter: ClassVar[str] = "nashgap.reports.lbr:lbr_report"

    job: LbrJob
    estimate: Estimate
    by_seat: tuple[Estimate, ...]
    by_round: tuple[tuple[float, float], ...]
    deals: int
    hands: int
    queries: int
    options: LbrOptions
    rounds: tuple[int, ...]
    batch_chips: np.ndarray
    course: tuple[Estimate, ...]
    gains: tuple[LbrGain, ...] = ()
    leaks: Leaks | None = None
    split: LbrSplit | None = None
    advice: LeakAdvice | None = None

    @property
    def strategies(self) -> tuple[str, ...]:
        """Each once, as text."""
        return tuple(dict.fromkeys(bot.text for bot in self.job.strategies))

    @property
    def game(self) -> str:
        return self.job.rules.name

    @property
    def summary(self) -> str:
        strategies, game = " and ".join(self.strategies), self.game or "a game of its own"
        game += " with some flops only" if self.job.flops_text else ""
        return f"LBR wins {self.estimate} from {strategies} in {game}; {self.meaning}."

    @property
    def meaning(self) -> str:
        """What the bound says about a best response, as the end of a sentence.

        Who plays like the strategy itself wins 0 from it over all seats; against different ones nothing is for sure.
        """
        lower = self.estimate.lower_bound_975
        if lower < 0 and not self.gains:
            return "a bound below 0 says nothing, since a best response never loses"
        if self.job.is_exact:
            return "over all boards, so that a best response wins at least that"
        return f"a best response wins at least {significant(lower)} with 97.5% confidence"

    @property
    def luck(self) -> float:
        """Of the cards, that was taken off the bound; parts of it by round, street and the like have it still."""
        if not self.job.finds_luck:
            return 0.0
        luck = sum(share * mean for share, mean in self.by_round) - self.estimate.mean
        return luck if abs(luck) > 1e-9 * abs(self.estimate.mean) else 0.0  # of few deals nothing is taken off

    def to_frame(self) -> pd.DataFrame:
        """Where the hands ended: a row for each round, from 1; contributions add up to the bound and `luck`."""
        rows = [
            (number, share, mean, share * mean, self.estimate.unit)
            for number, (share, mean) in enumerate(self.by_round, 1)
        ]
        return frame(("round", "share", "mean", "contribution", "unit"), rows)

    def as_dict(self) -> dict[str, Any]:
        strategies = list(self.strategies)
        return {
            "strategy": strategies[0] if len(strategies) == 1 else strategies,
            "game": self.game,
            **self.estimate.as_dict(),
            "lower_bound_975": self.estimate.lower_bound_975,
            "deals": self.deals,
            "hands": self.hands,
            "queries": self.queries,
            "bets": self.options.bets,
            "rounds": [number + 1 for number in self.rounds],
            **({"flops": self.job.drawn or list(self.job.flops)} if self.job.flops_text else {}),
            "options": asdict(self.options),
            "by_seat": [estimate.as_dict() for estimate in self.by_seat],
            **({"luck": self.luck} if self.job.finds_luck else {}),
            "by_round": [{"share": share, "mean": mean} for share, mean in self.by_round],
            **({"gains": [gain.as_dict() for gain in self.gains]} if self.gains else {}),
            **({"situations": [leak.as_dict() for leak in self.leaks.situations]} if self.leaks else {}),
            **({"split": self.split.as_dict()} if self.split else {}),
            **({"advice": self.advice.as_dict()} if self.advice else {}),
            "seconds": self.provenance.seconds,
            "version": package_version(),
        }

    def page_document(self) -> dict[str, Any]:
        """With all parts of the leaks, and nothing of the machine: the same deals give the same file."""
        told = {key: value for key, value in self.as_dict().items() if key != "seconds"}
        return {**told, **({"parts": self.leaks.as_dict()["parts"]} if self.leaks else {})}


def paired_difference(first: LbrBound, second: LbrBound) -> Estimate:
    """What LBR won more in the first than in the second, on the same deals: what they have in common cancels."""
    job, differences = first.job, first.batch_chips - second.batch_chips
    sizes = np.array([job.batch_range(index)[1] for index in range(job.num_batches)])
    whole = differences[sizes == sizes[0]]  # a last batch may be shorter: it counts in the mean, not in the interval
    mean, unit_chips = float(differences @ sizes / sizes.sum()), job.rules.unit_chips
    ci95 = half_width_95(float(whole.var(ddof=1)), len(whole)) if len(whole) > 1 else math.inf
    return Estimate(mean / unit_chips, ci95 / unit_chips, len(whole), job.rules.unit, METHOD, job.seed)


def bound_of(
    batches: Sequence[Mapping[str, Any]], rules: PokerRules, seed: int, *, is_duplicate: bool, is_exact: bool
) -> Estimate:
    """The bound of batches, as `LbrJob.run_batch` tells them; where they have the luck of cards, it is taken off."""
    if "luck" in batches[0]:
        return estimate_of(corrected_rows(batches)[0], rules, seed, is_exact=is_exact)
    samples = np.sum([batch["samples"] for batch in batches], axis=0)
    if is_duplicate:
        return estimate_of(samples, rules, seed, is_exact=is_exact)
    # Every seat counts the same, also where one has a deal more.
    seats = seat_sums(batches)
    parts, unit_chips = [_moments(row) for row in seats], rules.unit_chips
    mean = sum(mean for mean, _ in parts) / len(parts) / unit_chips
    spread = sum(variance / max(row[0], 1) for (_, variance), row in zip(parts, seats, strict=True))
    is_known = all(row[0] > 1 for row in seats)
    variance = spread * samples[0] / len(parts) ** 2
    ci95 = half_width_95(variance, int(samples[0])) / unit_chips if is_known else math.inf
    return Estimate(mean, ci95, int(samples[0]), rules.unit, METHOD, seed)


def estimate_of(row: np.ndarray, rules: PokerRules, seed: int, *, is_exact: bool) -> Estimate:
    """Of number, sum and sum of squares, in chips; is_exact: nothing in them was drawn."""
    mean, variance = _moments(row)
    unit_chips = rules.unit_chips
    if is_exact:
        return Estimate(mean / unit_chips, 0.0, int(row[0]), rules.unit, METHOD, seed)
    ci95 = half_width_95(variance, int(row[0])) if row[0] > 1 else math.inf
    return Estimate(mean / unit_chips, ci95 / unit_chips, int(row[0]), rules.unit, METHOD, seed)


def seat_sums(batches: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """`[seats, 3]`: number, sum, sum of squares."""
    sums: np.ndarray = np.sum([batch["seats"] for batch in batches], axis=0)
    return sums


def corrected_rows(batches: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """`[1 + seats, 3]` of a deal's mean, then by seat, without the luck of cards; number, sum, sum of squares."""
    overall, *seats = np.array([batch["luck"] for batch in batches]).swapaxes(0, 1)
    coefficients = coefficients_of(overall)
    return np.array([corrected_sums(parts, coefficients) for parts in (overall, *seats)])


def _moments(row: np.ndarray) -> tuple[float, float]:
    """Mean and variance of one sample, of (number, sum, sum of squares)."""
    number, total, squares = (float(value) for value in row)
    mean = total / max(number, 1.0)
    return mean, max(0.0, (squares - number * mean * mean) / max(number - 1.0, 1.0))
