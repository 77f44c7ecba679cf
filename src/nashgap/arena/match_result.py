"""What a match showed, from the tallies of its batches."""

from __future__ import annotations

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

__all__ = ["MatchResult", "combine_tallies"]


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
    sequences:      share of hands by the betting before the flop up to its first fold.
    heads_up_sequences: the same of those hands only in which two seats play on after it.
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
    behaviour: tuple[Behaviour, ...]
    sequences: Mapping[str, float]
    heads_up_sequences: Mapping[str, float]
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
        best = int(self.winrates.argmax())
        won = f"{self.names[best]} wins {self.estimate(best)}" if self.winrates.any() else "Nobody wins anything"
        game = self.game or "a game of its own"
        return f"{won} in {game}, over {self.deals:,} deals, each in {self.seatings} seatings."

    def to_frame(self) -> pd.DataFrame:
        """A row for each agent."""
        columns = ("agent", "winrate", "ci95", "stdev_per_hand", "vpip", "pfr", "went_to_showdown", "unit")
        rows = [
            (name, float(rate), float(ci95), float(stdev), how.vpip, how.pfr, how.went_to_showdown, self.unit)
            for name, rate, ci95, stdev, how in zip(
                self.names, self.winrates, self.ci95, self.stdev, self.behaviour, strict=True
            )
        ]
        return frame(columns, rows)

    def estimate(self, agent: int) -> Estimate:
        return self._estimate(float(self.winrates[agent]), float(self.ci95[agent]))

    def difference(self, agent: int, other: int) -> Estimate:
        """How much more the one wins than the other, from their differences in each sample."""
        cov = self.covariance
        variance = cov[agent, agent] + cov[other, other] - 2 * cov[agent, other]
        mean = float(self.winrates[agent] - self.winrates[other])
        return self._estimate(mean, half_width_95(max(float(variance), 0.0), self.samples))

    def _estimate(self, mean: float, ci95: float) -> Estimate:
        return Estimate(mean, ci95, self.samples, self.unit, "match", self.seed)

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
) -> MatchResult:
    """The result of batches of a match, see `play_matches`, added up in their order."""
    samples = sum(batch["matches"] for batch in batches)
    seatings = batches[0]["seatings"]
    hands_per_sample = seatings * hands_per_match
    unit_chips = rules.unit_chips
    # Whole numbers, and as Python's: exact however many there are.
    shares = [sum(batch["payoffs"][agent] for batch in batches) for agent in range(len(agents))]
    chips = np.array([share / _native.CHIP_SHARES for share in shares])
    products = sum((np.array(batch["products"]) for batch in batches), np.zeros((len(shares), len(shares))))
    squares = sum((np.array(batch["squares"]) for batch in batches), np.zeros(len(shares)))
    num_hands = samples * hands_per_sample
    covariance = (products - np.outer(chips, chips) / samples) / (samples - 1) / (hands_per_sample * unit_chips) ** 2
    variances = np.maximum(np.diag(covariance), 0.0)
    winrates = chips / num_hands / unit_chips
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
        winrates=winrates,
        ci95=np.array([half_width_95(variance, samples) for variance in variances]),
        stdev=np.sqrt(np.maximum(squares / num_hands / unit_chips**2 - winrates**2, 0.0)),
        stdev_per_sample=np.sqrt(variances),
        covariance=covariance,
        behaviour=tuple(Behaviour.from_counts(row, rules.num_rounds) for row in counts),
        sequences=_shares(batches, "sequences", num_hands),
        heads_up_sequences=_shares(batches, "heads_up_sequences", num_hands),
        first_round=first_round(rules),
    )


def _shares(batches: Sequence[Mapping[str, Any]], key: str, num_hands: int) -> dict[str, float]:
    """Of all hands, the most frequent first."""
    counts = sum((Counter(batch[key]) for batch in batches), Counter[str]())
    return {text: count / num_hands for text, count in counts.most_common()}
