"""What LBR wins from a bot, cell by cell; all cells of a bot are played on the same deals.

A cell is a run of its own, the same that `nashgap measure` makes: it is played once, resumed, and can be enlarged.
Differences of two cells are taken batch by batch: what the deals have in common cancels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from statistics import NormalDist
from typing import Any

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.jobs.lbr_run import continue_lbr
from nashgap.measures.lbr_job import METHOD, LbrJob, combine_lbr
from nashgap.measures.local_best_response import LbrOptions
from nashgap.papers.reproduction import Request
from nashgap.poker.rules import PokerRules
from nashgap.runs import open_run

__all__ = ["Bound", "bound_of", "measure_bound", "paired", "sure_bound"]


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


def measure_bound(rules: PokerRules, spec: str, options: LbrOptions, deals: int, request: Request) -> Bound:
    """Play what is missing of the cell's run; where `nashgap measure` has played more of it, all counts.

    In this process: to load a bot into another takes longer than to play.
    """
    job = LbrJob(rules, (spec,), deals, options, request.seed)
    run = open_run(job, request.runs_root)
    with run.open_ledger() as ledger:
        finished = ledger.batches().keys()
    played = next(number for number in count() if number not in finished) * job.deals_per_batch
    job = replace(job, deals=max(deals, played))
    if request.on_run is not None:
        request.on_run(run)
    continue_lbr(job, run, on_progress=request.on_progress)
    with run.open_ledger() as ledger:
        batches = ledger.batches()
    return bound_of(job, [batches[number] for number in range(job.num_batches)])


def bound_of(job: LbrJob, batches: Sequence[Mapping[str, Any]]) -> Bound:
    whole = [batch for batch in batches if batch["samples"][0] == batches[0]["samples"][0]]  # the last may be shorter
    means = np.array([batch["samples"][1] / batch["samples"][0] for batch in whole])
    return Bound(combine_lbr(job, batches).estimate, means / job.rules.unit_chips)


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
