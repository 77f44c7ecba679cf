"""What a match showed, from the tallies of its batches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.agents.named import distinct_names
from nashgap.arena.behaviour import Behaviour
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.result import Result, frame
from nashgap.poker.rules import PokerRules
from nashgap.poker.streets import first_round
from nashgap.runs.config import package_version

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MatchResult", "Winnings", "combine_tallies"]


@dataclass(frozen=True, eq=False)
class Winnings:
    """What N agents won, in some way of counting it. Rates are in the result's unit per hand.

    winrates:         `[N]` mean.
    ci95:             `[N]` half-width of its 95% interval, over samples.
    stdev:            `[N]` standard deviation of a single hand.
    stdev_per_sample: `[N]` standard deviation of a sample's mean per hand.
    covariance:       `[N, N]` of the samples' means per hand.
    blocks:           `[B, N + 1]` number of samples in each part of the match, in order, and the sums of their means
                      per hand: to compare with another match over the same deals, part by part.
    """

    winrates: np.ndarray
    ci95: np.ndarray
    stdev: np.ndarray
    stdev_per_sample: np.ndarray
    covariance: np.ndarray
    blocks: np.ndarray

    def as_dict(self, sample: str) -> dict[str, Any]:
        """sample: as the result calls it."""
        return {
            "winrates": self.winrates.tolist(),
            "ci95": self.ci95.tolist(),
            "stdev": self.stdev.tolist(),
            f"stdev_per_{sample}": self.stdev_per_sample.tolist(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class MatchResult(Result):
    """Winnings of each agent. N agents. Rates are in `unit` per hand.

    agents:         `[N]` as text.
    deals:          each was played in `seatings` seatings.
    samples:        independent ones: deals, or whole matches in match mode.
    winrates:       `[N]` mean.
    ci95:           `[N]` half-width of its 95% interval, over samples.
    stdev:          `[N]` standard deviation of a single hand.
    stdev_per_sample: `[N]` standard deviation of a sample's mean per hand.
    covariance:     `[N, N]` of the samples.
    blocks:         `[B, N + 1]` parts of the match, see `Winnings`.
    sequences:      share of hands by the betting before the flop up to its first fold.
    heads_up_sequences: the same of those hands only in which two seats play on after it.
    variance:       which luck was taken off: `none`, `chance` or `aivat`.
    corrected:      what they won without that luck: another estimate of the same; None where it stayed.
    course:         (deals, `[N]` winrates, `[N]` half-widths) after more and more batches.
    first_round:    when the bets of `sequences` are made, for people.
    logs:           the hands as lines of a log, for each seating, where they were kept,
    log_paths:      and the files that they were written to.
    """

    reporter: ClassVar[str] = "nashgap.reports.match:match_report"

    game: str
    agents: tuple[str, ...]
    unit: str
    seed: int
    deals: int
    hands_per_match: int
    seatings: int
    samples: int
    winrates: np.ndarray
    ci95: np.ndarray
    stdev: np.ndarray
    stdev_per_sample: np.ndarray
    covariance: np.ndarray
    blocks: np.ndarray
    behaviour: tuple[Behaviour, ...]
    sequences: Mapping[str, float]
    heads_up_sequences: Mapping[str, float]
    variance: str = "none"
    corrected: Winnings | None = None
    course: tuple[tuple[int, np.ndarray, np.ndarray], ...] = ()
    first_round: str = ""
    logs: tuple[tuple[str, ...], ...] = ()
    log_paths: tuple[Path, ...] = ()

    @property
    def hands(self) -> int:
        """That were played: each deal in every seating."""
        return self.deals * self.seatings

    @property
    def sample(self) -> str:
        """What is independent of the others: a `deal`, or in match mode a `match`."""
        return "deal" if self.hands_per_match == 1 else "match"

    @property
    def names(self) -> tuple[str, ...]:
        """Of the agents; copies of one agent are numbered."""
        return distinct_names(self.agents)

    @property
    def summary(self) -> str:
        game = self.game or "a game of its own"
        return f"{self.finding} in {game}, over {self.deals:,} deals, each in {self.seatings} seatings."

    @property
    def finding(self) -> str:
        """Who wins how much, by the narrower interval if there are two."""
        winrates = self.winrates if self.corrected is None else self.corrected.winrates
        best = int(winrates.argmax())
        if not winrates.any():
            return "Nobody wins anything"
        if self.corrected is None:
            return f"{self.names[best]} wins {self.estimate(best)}"
        won = f"{self.names[best]} wins {self.corrected_estimate(best)}"
        return f"{won} ({self.variance}; {self.estimate(best)} as played)"

    def to_frame(self) -> pd.DataFrame:
        """A row for each agent."""
        columns = ("agent", "winrate", "ci95", "stdev_per_hand", "vpip", "pfr", "went_to_showdown", "unit")
        rows = [
            (name, float(rate), float(ci95), float(stdev), how.vpip, how.pfr, how.went_to_showdown, self.unit)
            for name, rate, ci95, stdev, how in zip(
                self.names, self.winrates, self.ci95, self.stdev, self.behaviour, strict=True
            )
        ]
        if self.corrected is None:
            return frame(columns, rows)
        won = self.corrected
        without = zip(won.winrates.tolist(), won.ci95.tolist(), won.stdev.tolist(), strict=True)
        names = tuple(f"{self.variance}_{column}" for column in columns[1:4])
        return frame((*columns, *names), [(*row, *more) for row, more in zip(rows, without, strict=True)])

    def estimate(self, agent: int) -> Estimate:
        return self._estimate(float(self.winrates[agent]), float(self.ci95[agent]))

    def corrected_estimate(self, agent: int) -> Estimate:
        """Without luck; the plain one where none was taken off."""
        if self.corrected is None:
            return self.estimate(agent)
        return self._estimate(float(self.corrected.winrates[agent]), float(self.corrected.ci95[agent]), self.variance)

    def difference(self, agent: int, other: int, *, corrected: bool = False) -> Estimate:
        """How much more the one wins than the other, from their differences in each sample; corrected: without luck."""
        won = self.corrected if corrected else None
        rates, cov = (self.winrates, self.covariance) if won is None else (won.winrates, won.covariance)
        variance = cov[agent, agent] + cov[other, other] - 2 * cov[agent, other]
        mean = float(rates[agent] - rates[other])
        method = "match" if won is None else self.variance
        return self._estimate(mean, half_width_95(max(float(variance), 0.0), self.samples), method)

    def more_than(self, other: MatchResult, *, corrected: bool = False) -> Estimate:
        """How much more the first agent wins here than the first one there, on the same deals in the same batches.

        The interval stands on the differences in parts of the match, each weighted by its deals; corrected: without
        luck. What was won on the same deals in the same way cancels.
        """
        won = self.corrected if corrected else None
        there = other.corrected if corrected else None
        (sizes, sums), (other_sizes, other_sums) = (
            (blocks[:, 0], blocks[:, 1])
            for blocks in (self.blocks if won is None else won.blocks, other.blocks if there is None else there.blocks)
        )
        assert self.seed == other.seed and np.array_equal(sizes, other_sizes), "the same deals, cut alike"
        differences = sums - other_sums
        mean = float(differences.sum() / sizes.sum())
        # Of a single sample: a part of n of them varies by an n-th of that.
        variance = float(np.square(differences - sizes * mean) @ (1 / sizes)) / (len(sizes) - 1)
        ci95 = half_width_95(variance, len(sizes)) * math.sqrt(len(sizes) / sizes.sum())
        method = "match" if won is None else self.variance
        return Estimate(mean, ci95, len(sizes), self.unit, method, self.seed)

    def _estimate(self, mean: float, ci95: float, method: str = "match") -> Estimate:
        return Estimate(mean, ci95, self.samples, self.unit, method, self.seed)

    @property
    def places(self) -> dict[str, Path | tuple[Path, ...] | None]:
        return {"logs": self.log_paths}

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "unit": self.unit,
            "winrates": self.winrates.tolist(),
            "ci95": self.ci95.tolist(),
            "stdev": self.stdev.tolist(),
            f"stdev_per_{self.sample}": self.stdev_per_sample.tolist(),
            "variance": self.variance,
            **({} if self.corrected is None else {"corrected": self.corrected.as_dict(self.sample)}),
            "deals": self.deals,
            "hands_per_match": self.hands_per_match,
            "seatings": self.seatings,
            "samples": self.samples,
            "seed": self.seed,
            "behaviour": [behaviour.as_dict() for behaviour in self.behaviour],
            "sequences": dict(self.sequences),
            "heads_up_sequences": dict(self.heads_up_sequences),
            "version": package_version(),
        }


def combine_tallies(
    rules: PokerRules,
    agents: tuple[str, ...],
    batches: Sequence[Mapping[str, Any]],
    *,
    seed: int,
    hands_per_match: int = 1,
    variance: str = "none",
) -> MatchResult:
    """The result of batches of a match, see `play_matches`, added up in their order."""
    samples = sum(batch["matches"] for batch in batches)
    seatings = batches[0]["seatings"]
    num_hands = samples * seatings * hands_per_match
    # Whole numbers, and as Python's: exact however many there are.
    shares = [sum(batch["payoffs"][agent] for batch in batches) for agent in range(len(agents))]
    chips = np.array([share / _native.CHIP_SHARES for share in shares])
    won = _winnings(rules, batches, chips, samples, num_hands, block_chips=1 / _native.CHIP_SHARES)
    corrected = [batch["corrected"] for batch in batches if "corrected" in batch]
    counts = sum((np.array(batch["counts"]) for batch in batches), np.zeros((len(shares), _native.NUM_COUNTS), int))
    return MatchResult(
        game=rules.name,
        agents=agents,
        unit=rules.unit,
        seed=seed,
        deals=samples * hands_per_match,
        hands_per_match=hands_per_match,
        seatings=seatings,
        samples=samples,
        winrates=won.winrates,
        ci95=won.ci95,
        stdev=won.stdev,
        stdev_per_sample=won.stdev_per_sample,
        covariance=won.covariance,
        blocks=won.blocks,
        behaviour=tuple(Behaviour.from_counts(row, rules.num_rounds) for row in counts),
        sequences=_shares(batches, "sequences", num_hands),
        heads_up_sequences=_shares(batches, "heads_up_sequences", num_hands),
        variance=variance,
        corrected=_corrected(rules, corrected, samples, num_hands) if corrected else None,
        first_round=first_round(rules),
    )


def _corrected(rules: PokerRules, batches: Sequence[Mapping[str, Any]], samples: int, num_hands: int) -> Winnings:
    chips = sum((np.array(batch["payoffs"]) for batch in batches), np.zeros(rules.num_seats))
    return _winnings(rules, batches, chips, samples, num_hands)


def _winnings(
    rules: PokerRules,
    batches: Sequence[Mapping[str, Any]],
    chips: np.ndarray,
    samples: int,
    num_hands: int,
    *,
    block_chips: float = 1.0,
) -> Winnings:
    """chips: `[N]` won in all; the rest is in the batches. block_chips: what their blocks are counted in, in chips."""
    size, unit_chips = len(chips), rules.unit_chips
    per_sample = num_hands // samples * unit_chips
    products = sum((np.array(batch["products"]) for batch in batches), np.zeros((size, size)))
    squares = sum((np.array(batch["squares"]) for batch in batches), np.zeros(size))
    covariance = (products - np.outer(chips, chips) / samples) / (samples - 1) / per_sample**2
    variances = np.maximum(np.diag(covariance), 0.0)
    winrates = chips / num_hands / unit_chips
    blocks = np.array([block for batch in batches for block in batch["blocks"]], dtype=np.float64)
    blocks[:, 1:] *= block_chips / per_sample
    return Winnings(
        winrates=winrates,
        ci95=np.array([half_width_95(variance, samples) for variance in variances]),
        stdev=np.sqrt(np.maximum(squares / num_hands / unit_chips**2 - winrates**2, 0.0)),
        stdev_per_sample=np.sqrt(variances),
        covariance=covariance,
        blocks=blocks,
    )


def _shares(batches: Sequence[Mapping[str, Any]], key: str, num_hands: int) -> dict[str, float]:
    """Of all hands, the most frequent first."""
    counts = sum((Counter(batch[key]) for batch in batches), Counter[str]())
    return {text: count / num_hands for text, count in counts.most_common()}
