"""What a match showed, from the tallies of its batches; and a match in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.agents.agent import Agent
from nashgap.agents.named import load_agent
from nashgap.arena.behaviour import Behaviour
from nashgap.arena.match import MatchJob
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.errors import ConfigError
from nashgap.poker.rules import PokerRules, load_rules

__all__ = ["MatchResult", "combine", "play_match"]


@dataclass(frozen=True, eq=False)
class MatchResult:
    """Winnings of each agent. N agents. Rates are in `unit` per hand.

    hands:          deals; each was played in `seatings` seatings.
    samples:        independent ones: deals, or whole matches in match mode.
    winrates:       `[N]` mean.
    ci95:           `[N]` half-width of its 95% interval, over samples.
    stdev:          `[N]` standard deviation of a single hand.
    stdev_per_deal: `[N]` standard deviation of a sample's mean per hand.
    covariance:     `[N, N]` of the samples.
    sequences:      share of hands by the betting before the flop up to its first fold.
    heads_up_sequences: the same of those hands only in which two seats play on after it.
    """

    game: str
    agents: tuple[str, ...]
    unit: str
    seed: int
    hands: int
    hands_per_match: int
    seatings: int
    samples: int
    winrates: np.ndarray
    ci95: np.ndarray
    stdev: np.ndarray
    stdev_per_deal: np.ndarray
    covariance: np.ndarray
    behaviour: tuple[Behaviour, ...]
    sequences: Mapping[str, float]
    heads_up_sequences: Mapping[str, float]

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

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "game": self.game,
            "agents": list(self.agents),
            "unit": self.unit,
            "winrates": self.winrates.tolist(),
            "ci95": self.ci95.tolist(),
            "stdev": self.stdev.tolist(),
            "stdev_per_deal": self.stdev_per_deal.tolist(),
            "hands": self.hands,
            "hands_per_match": self.hands_per_match,
            "seatings": self.seatings,
            "samples": self.samples,
            "seed": self.seed,
            "behaviour": [behaviour.as_dict() for behaviour in self.behaviour],
            "sequences": dict(self.sequences),
            "heads_up_sequences": dict(self.heads_up_sequences),
        }


def combine(job: MatchJob, batches: Sequence[Mapping[str, Any]]) -> MatchResult:
    """The result of all batches of a match, added up in their order."""
    samples = sum(batch["matches"] for batch in batches)
    seatings = batches[0]["seatings"]
    hands_per_sample = seatings * job.hands_per_match
    unit_chips = job.rules.unit_chips
    # Whole numbers, and as Python's: exact however many there are.
    shares = [sum(batch["payoffs"][agent] for batch in batches) for agent in range(len(job.agents))]
    chips = np.array([share / _native.CHIP_SHARES for share in shares])
    products = sum((np.array(batch["products"]) for batch in batches), np.zeros((len(shares), len(shares))))
    squares = sum((np.array(batch["squares"]) for batch in batches), np.zeros(len(shares)))
    num_hands = samples * hands_per_sample
    covariance = (products - np.outer(chips, chips) / samples) / (samples - 1) / (hands_per_sample * unit_chips) ** 2
    variances = np.maximum(np.diag(covariance), 0.0)
    winrates = chips / num_hands / unit_chips
    counts = sum((np.array(batch["counts"]) for batch in batches), np.zeros((len(shares), _native.NUM_COUNTS), int))
    return MatchResult(
        game=job.rules.name,
        agents=job.agents,
        unit=job.rules.unit,
        seed=job.seed,
        hands=job.deals,
        hands_per_match=job.hands_per_match,
        seatings=seatings,
        samples=samples,
        winrates=winrates,
        ci95=np.array([half_width_95(variance, samples) for variance in variances]),
        stdev=np.sqrt(np.maximum(squares / num_hands / unit_chips**2 - winrates**2, 0.0)),
        stdev_per_deal=np.sqrt(variances),
        covariance=covariance,
        behaviour=tuple(Behaviour.from_counts(row, job.rules.num_rounds) for row in counts),
        sequences=_shares(batches, "sequences", num_hands),
        heads_up_sequences=_shares(batches, "heads_up_sequences", num_hands),
    )


def _shares(batches: Sequence[Mapping[str, Any]], key: str, num_hands: int) -> dict[str, float]:
    """Of all hands, the most frequent first."""
    counts = sum((Counter(batch[key]) for batch in batches), Counter[str]())
    return {text: count / num_hands for text, count in counts.most_common()}


def play_match(
    game: str | PokerRules,
    agents: Sequence[Agent | str | Any],
    *,
    deals: int,
    seed: int = 0,
    hands_per_match: int = 1,
) -> MatchResult:
    """Play a duplicate match here and now, keeping nothing on disk.

    agents: in any mixture what `load_agent` takes; each object sits at one place.
    """
    rules = load_rules(game) if isinstance(game, str) else game
    objects = [agent for agent in agents if not isinstance(agent, str)]
    if len({id(agent) for agent in objects}) < len(objects):
        raise ConfigError("one agent is given twice; two places need two objects, or a spec")
    players = tuple(load_agent(agent, rules) for agent in agents)
    names = tuple(player.name for player in players)
    job = MatchJob(rules, names, deals, seed, hands_per_match, given=players)
    return combine(job, [job.run_batch(index) for index in range(job.num_batches)])
