"""A measurement by Local Best Response as a job: batches of deals, and what they add up to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.job import require_seed
from nashgap.errors import ConfigError
from nashgap.measures.leaks import Leaks, combine_leaks, count_leaks
from nashgap.measures.local_best_response import LbrOptions, play_lbr
from nashgap.poker.rules import PokerRules, parse_rules
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.spec import as_bot, file_word

__all__ = ["METHOD", "LbrJob", "LbrResult", "combine_lbr", "lbr_leaks", "paired_difference"]

METHOD = "lbr"
DEALS_PER_BATCH = 500  # a fraction of a second against the engine's own strategies
ASKED_DEALS_PER_BATCH = 20


@dataclass(frozen=True)
class LbrJob:
    """LBR against strategies, complete.

    strategies: specs, one for each other seat; see `nashgap.strategies.spec`.
    deals:      each is played in every seating.
    has_leaks:  count where the winnings come from; the numbers stay the same.
    given:      the strategies themselves, where they are no specs; then the job stays in this process.
    """

    rules: PokerRules
    strategies: tuple[str, ...]
    deals: int
    options: LbrOptions = field(default_factory=LbrOptions)
    seed: int = 0
    has_leaks: bool = False
    batch_deals: int | None = None
    given: tuple[PokerStrategy, ...] = field(default=(), repr=False, compare=False)
    kind: str = field(default="lbr", init=False)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if len(self.strategies) != self.rules.num_seats - 1:
            raise ConfigError(
                f"{len(self.strategies)} strategies; in {self.rules.name or 'the game'} LBR needs one for each of the"
                f" {self.rules.num_seats - 1} other seats"
            )
        if self.deals < 2 * self.rules.num_seats:
            raise ConfigError(f"hands = {self.deals}; an interval needs at least {2 * self.rules.num_seats}")
        self.options.active_rounds(self.rules)
        self.options.effective(self.rules, self.players)
        self.options.abstraction(self.players).native(self.rules)

    @property
    def name(self) -> str:
        words = "-".join(dict.fromkeys(file_word(strategy) for strategy in self.strategies))
        return f"lbr-{self.rules.name or 'game'}-{words}"[:80]

    def identity(self) -> dict[str, Any]:
        whole_batches = self.deals % self.deals_per_batch == 0
        return {
            "game": self.rules.to_text(),
            "game_name": self.rules.name,
            "strategies": list(self.strategies),
            "strategy_files": {spec: digest for spec in self.strategies if (digest := as_bot(spec).digest)},
            "options": asdict(self.options),
            "seed": self.seed,
            "has_leaks": self.has_leaks,
            "batch_deals": self.deals_per_batch,
            # A last batch that is cut short cannot be continued.
            "deals": None if whole_batches else self.deals,
        }

    def budget(self) -> dict[str, Any]:
        return {"deals": self.deals}

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        return cls(
            rules=parse_rules(identity["game"], identity["game_name"]),
            strategies=tuple(identity["strategies"]),
            deals=budget["deals"],
            options=LbrOptions(**identity["options"]),
            seed=identity["seed"],
            has_leaks=identity["has_leaks"],
            batch_deals=identity["batch_deals"],
        )

    @cached_property
    def players(self) -> tuple[PokerStrategy, ...]:
        return self.given or tuple(load(spec, self.rules) for spec in self.strategies)

    @property
    def is_native(self) -> bool:
        """Whether the engine has all the answers."""
        return all(isinstance(player, Chump | AbstractStrategy) for player in self.players)

    @cached_property
    def deals_per_batch(self) -> int:
        has_few_states = self.rules.num_hole_cards == 1 and not any(player.is_sampled for player in self.players)
        if self.batch_deals or self.is_native or has_few_states:
            return self.batch_deals or DEALS_PER_BATCH
        return min(getattr(player, "deals_per_batch", ASKED_DEALS_PER_BATCH) for player in self.players)

    @property
    def num_batches(self) -> int:
        return -(-self.deals // self.deals_per_batch)

    def describe_batch(self, index: int) -> str:
        first = index * self.deals_per_batch
        return f"deals {first + 1:,} to {min(first + self.deals_per_batch, self.deals):,}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """Sums of the batch, in chips.

        samples: `[deals, sum, sum of squares]` of a deal's mean over its seatings.
        seats:   by seat of LBR, `[hands, sum, sum of squares]`; without duplicates the samples of its stratum.
        rounds:  by last round, `[hands, sum, sum of squares]`.
        leaks:   see `count_leaks`; where they are counted.
        """
        first = index * self.deals_per_batch
        num_deals = min(self.deals_per_batch, self.deals - first)
        played = play_lbr(
            self.rules,
            self.players,
            self.options,
            seed=self.seed,
            first_deal=first,
            num_deals=num_deals,
            has_lines=self.has_leaks,
        )
        chips = played.chips
        leaks = count_leaks(self.rules, played, seed=self.seed, first_deal=first) if self.has_leaks else None
        return {
            "samples": _sums(chips.mean(axis=1)),
            "seats": [_sums(chips[played.seats == seat]) for seat in range(self.rules.num_seats)],
            "rounds": [_sums(chips[played.end_rounds == number]) for number in range(self.rules.num_rounds)],
            "queries": played.queries,
            **({"leaks": leaks} if leaks else {}),
        }

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("players", "deals_per_batch")}


@dataclass(frozen=True)
class LbrResult:
    """What LBR won.

    estimate: a lower bound on what a best response wins, in the game's unit, with its interval.
    by_seat:  where it sat, `by_round`: where the hands ended; mean of such a hand, and their share of all hands.
    hands:    deals; `plays`: hands played, over all seatings.
    queries:  public states that the strategies were asked about.
    leaks:    where the winnings come from, where that was counted.
    """

    estimate: Estimate
    by_seat: tuple[Estimate, ...]
    by_round: tuple[tuple[float, float], ...]
    hands: int
    plays: int
    queries: int
    options: LbrOptions
    rounds: tuple[int, ...]
    leaks: Leaks | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            **self.estimate.as_dict(),
            "lower_bound_975": self.estimate.lower_bound_975,
            "hands": self.hands,
            "plays": self.plays,
            "queries": self.queries,
            "bets": self.options.bets,
            "rounds": [number + 1 for number in self.rounds],
            "options": asdict(self.options),
            "by_seat": [estimate.as_dict() for estimate in self.by_seat],
            "by_round": [{"share": share, "mean": mean} for share, mean in self.by_round],
            **({"situations": [leak.as_dict() for leak in self.leaks.situations]} if self.leaks else {}),
        }


def combine_lbr(job: LbrJob, batches: Sequence[Mapping[str, Any]]) -> LbrResult:
    """The result of these batches, in their order."""
    rules, unit_chips = job.rules, job.rules.unit_chips
    samples = np.sum([batch["samples"] for batch in batches], axis=0)
    seats = np.sum([batch["seats"] for batch in batches], axis=0)
    rounds = np.sum([batch["rounds"] for batch in batches], axis=0)
    plays = int(seats[:, 0].sum())

    def estimate(row: np.ndarray) -> Estimate:
        mean, variance = _moments(row)
        ci95 = half_width_95(variance, int(row[0])) if row[0] > 1 else math.inf
        return Estimate(mean / unit_chips, ci95 / unit_chips, int(row[0]), rules.unit, METHOD, job.seed)

    whole = estimate(samples)
    if not job.options.duplicate:
        # Every seat counts the same, also where one has a deal more.
        parts = [_moments(row) for row in seats]
        mean = sum(mean for mean, _ in parts) / len(parts) / unit_chips
        spread = sum(variance / max(row[0], 1) for (_, variance), row in zip(parts, seats, strict=True))
        is_known = all(row[0] > 1 for row in seats)
        variance = spread * samples[0] / len(parts) ** 2
        ci95 = half_width_95(variance, int(samples[0])) / unit_chips if is_known else math.inf
        whole = Estimate(mean, ci95, int(samples[0]), rules.unit, METHOD, job.seed)
    return LbrResult(
        estimate=whole,
        by_seat=tuple(estimate(row) for row in seats),
        by_round=tuple((float(row[0]) / plays, float(row[1] / max(row[0], 1)) / unit_chips) for row in rounds),
        hands=int(samples[0]),
        plays=plays,
        queries=sum(batch["queries"] for batch in batches),
        options=job.options.effective(rules, job.players),
        rounds=job.options.active_rounds(rules),
    )


def lbr_leaks(job: LbrJob, batches: Sequence[Mapping[str, Any]]) -> Leaks:
    """Where the winnings of these batches come from, of a job that counts it."""
    return combine_leaks(job.rules, (batch["leaks"] for batch in batches), seed=job.seed, method=METHOD)


def paired_difference(job: LbrJob, first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> Estimate:
    """What the first batches won more than the second, on the same deals: what they have in common cancels."""
    ours, theirs = (
        np.array([batch["samples"][1] / batch["samples"][0] for batch in batches]) for batches in (first, second)
    )
    differences, sizes = ours - theirs, np.array([batch["samples"][0] for batch in first])
    whole = differences[sizes == sizes[0]]  # a last batch may be shorter: it counts in the mean, not in the interval
    mean, unit_chips = float(differences @ sizes / sizes.sum()), job.rules.unit_chips
    ci95 = half_width_95(float(whole.var(ddof=1)), len(whole)) if len(whole) > 1 else math.inf
    return Estimate(mean / unit_chips, ci95 / unit_chips, len(whole), job.rules.unit, METHOD, job.seed)


def _moments(row: np.ndarray) -> tuple[float, float]:
    """Mean and variance of one sample, of (number, sum, sum of squares)."""
    number, total, squares = (float(value) for value in row)
    mean = total / max(number, 1.0)
    return mean, max(0.0, (squares - number * mean * mean) / max(number - 1.0, 1.0))


def _sums(values: np.ndarray) -> list[float]:
    return [int(values.size), float(values.sum()), float(np.square(values).sum())]
