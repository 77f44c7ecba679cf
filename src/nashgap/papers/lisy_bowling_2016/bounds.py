"""What LBR wins from a bot, cell by cell; all cells of a bot are played on the same deals.

A cell is a run of its own, the same that `nashgap measure` makes: it is played once, resumed, and can be enlarged.
Differences of two cells are taken batch by batch: what the deals have in common cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from statistics import NormalDist

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.lbr_bound import METHOD, LbrBound
from nashgap.jobs.reproduction import Request
from nashgap.measures.local_best_response import LbrOptions
from nashgap.poker.rules import PokerRules
from nashgap.runs.folder import existing_run
from nashgap.strategies.bot import Bot

__all__ = ["Bound", "measure_bound", "paired", "sure_bound"]


@dataclass(frozen=True, eq=False)
class Bound:
    """What LBR wins.

    batches: `[B]` of the same deals in every cell of a game and seed, in the unit of the estimate.
    """

    estimate: Estimate
    batches: np.ndarray

    @property
    def mean(self) -> float:
        return self.estimate.mean

    @property
    def low(self) -> float:
        return self.estimate.mean - self.estimate.ci95

    @property
    def high(self) -> float:
        return self.estimate.mean + self.estimate.ci95


def measure_bound(rules: PokerRules, bot: Bot, options: LbrOptions, deals: int, request: Request) -> Bound:
    """Play what is missing of the cell's run; where `nashgap measure` has played more of it, all counts.

    In this process: to load a bot into another takes longer than to play.
    """
    job = LbrJob(rules=rules, strategies=(bot,), options=options, seed=request.seed, deals=deals)
    job = replace(job, deals=max(deals, _deals_played(job, request)))
    found: LbrBound = request.perform(job, workers=1)
    num_whole = job.deals // job.deals_per_batch or 1  # the last batch may be shorter
    return Bound(found.estimate, found.batch_chips[:num_whole] / rules.unit_chips)


def _deals_played(job: LbrJob, request: Request) -> int:
    """Of the job's run, from the first one on without a gap."""
    run = existing_run(job, request.runs_root)
    if run is None:
        return 0
    with run.open_ledger() as ledger:
        finished = ledger.batch_seconds().keys()
    return next(number for number in count() if number not in finished) * job.deals_per_batch


def paired(first: Bound, second: Bound, weights: tuple[float, float] = (1.0, -1.0)) -> Estimate:
    """The sum of both with these weights, as a rule the first minus the second, on the deals that they share."""
    number = min(len(first.batches), len(second.batches))
    samples = weights[0] * first.batches[:number] + weights[1] * second.batches[:number]
    estimate = first.estimate
    return Estimate.from_samples(samples, unit=estimate.unit, method=METHOD, seed=estimate.seed)


def sure_bound(bounds: Sequence[Bound]) -> float:
    """What the best of several bounds is worth at least, with confidence 97.5% although the best was picked."""
    normal = NormalDist()
    widening = normal.inv_cdf(1 - 0.025 / len(bounds)) / normal.inv_cdf(0.975)
    return max(bound.mean - widening * bound.estimate.ci95 for bound in bounds)
