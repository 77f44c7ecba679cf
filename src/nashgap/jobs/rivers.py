"""Solve random rivers with one bet left, learn rules from most of them, and price the rules in the others."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from nashgap.cards.card import NUM_HANDS
from nashgap.core.estimate import Estimate
from nashgap.core.job import BatchJob, budget, is_whole, require_seed
from nashgap.core.result import Result
from nashgap.errors import ConfigError
from nashgap.explanations.river_rules import RiverRules, all_plays, search_rules, sentences
from nashgap.explanations.river_spots import RiverProfile, sample_spot, solve_spot
from nashgap.runs.config import package_version

__all__ = ["PricedPlay", "RiverStudy", "RiversJob"]

SPOTS_PER_BATCH = 20
MOST_SPOTS = 100_000
SEARCHED = 100  # spots that the search looks at
STEPS = 65_535  # of a chance as it is kept
UNIT = "percent_of_pot"
EQUILIBRIUM = "the equilibrium, as solved"


@dataclass(frozen=True)
class RiversJob(BatchJob):
    """Random rivers, solved; batches are whole. The last fifth of the spots is not learned from."""

    kind: ClassVar[str] = "rivers"

    seed: int = 0
    spots: int = budget(1000)

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if not is_whole(self.spots) or not 20 <= self.spots <= MOST_SPOTS:
            raise ConfigError(f"spots = {self.spots}; it must be a whole number from 20 to {MOST_SPOTS:,}")

    @property
    def size_text(self) -> str:
        return f"{self.spots:,} random rivers"

    @property
    def num_batches(self) -> int:
        return -(-self.spots // SPOTS_PER_BATCH)

    def describe_batch(self, index: int) -> str:
        return f"rivers {index * SPOTS_PER_BATCH + 1:,} to {(index + 1) * SPOTS_PER_BATCH:,}"

    def command(self, found: RiverStudy) -> str:
        return f"nashgap explain rivers --spots {self.spots} --seed {self.seed}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """The equilibria, packed; the spots follow from the seed."""
        first = index * SPOTS_PER_BATCH
        solved = [solve_spot(sample_spot(self.seed, number)) for number in range(first, first + SPOTS_PER_BATCH)]
        chances = np.round(STEPS * np.stack([profile.chances for profile, _ in solved])).astype("<u2")
        packed = base64.b64encode(zlib.compress(chances.tobytes(), level=6)).decode("ascii")
        return {"left": [left for _, left in solved], "chances": packed}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> RiverStudy:
        spots = [sample_spot(self.seed, number) for number in range(self.spots)]
        tables = [np.frombuffer(zlib.decompress(base64.b64decode(each["chances"])), "<u2") for each in batches]
        chances = np.concatenate(tables).reshape(-1, 4, NUM_HANDS)[: self.spots] / STEPS
        profiles = [RiverProfile(each) for each in chances]
        num_train = self.spots * 4 // 5
        rules = search_rules(spots[: min(SEARCHED, num_train)])
        plays = all_plays(rules, spots[:num_train], profiles[:num_train], self.seed)
        unseen = list(zip(spots[num_train:], profiles[num_train:], strict=True))
        priced = [PricedPlay(EQUILIBRIUM, *self._prices([(spot, own, own) for spot, own in unseen]))]
        for name, play in plays.items():
            priced.append(PricedPlay(name, *self._prices([(spot, play(spot), own) for spot, own in unseen])))
        priced.sort(key=lambda each: each.price.mean)
        return RiverStudy(rules, tuple(priced), num_train, len(unseen), self.seed)

    def _prices(self, played: Sequence[tuple[Any, RiverProfile, RiverProfile]]) -> tuple[Estimate, Estimate]:
        price = [spot.exploitability(profile) for spot, profile, _ in played]
        lost = [spot.lost_to(profile, equilibrium) for spot, profile, equilibrium in played]
        first, second = (
            Estimate.from_samples(each, unit=UNIT, method="exact", seed=self.seed) for each in (price, lost)
        )
        return first, second


@dataclass(frozen=True)
class PricedPlay:
    """A way to play unseen rivers. price: lost to a best response; lost: to the equilibrium; percent of the pot."""

    name: str
    price: Estimate
    lost: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class RiverStudy(Result):
    """Rules for rivers with one bet left, and what they cost beside what else can be played, the cheapest first."""

    reporter: ClassVar[str] = "nashgap.reports.rivers:rivers_report"

    rules: RiverRules
    priced: tuple[PricedPlay, ...]
    num_train: int
    num_test: int
    seed: int

    @property
    def sentences(self) -> tuple[str, ...]:
        return sentences(self.rules)

    @property
    def summary(self) -> str:
        price = next(each.price for each in self.priced if each.name == "the rules")
        return (
            f"{len(self.sentences)} rules for rivers with one bet left lose {price.mean:.2f} ± {price.ci95:.2f}% of the"
            f" pot to a best response on {self.num_test:,} unseen boards."
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "rules": list(self.sentences),
            "numbers": asdict(self.rules),
            "compared": [
                {"name": each.name, "price": each.price.as_dict(), "lost": each.lost.as_dict()} for each in self.priced
            ],
            "train": self.num_train,
            "test": self.num_test,
            "searched": min(SEARCHED, self.num_train),
            "seed": self.seed,
            "unit": UNIT,
            "version": package_version(),
        }
