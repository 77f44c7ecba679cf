"""Two finished runs side by side: on the same deals where they share them, else by the differences of what they found.

Runs of Local Best Response, or of matches, that are alike but for one bot were dealt the same deals: their batches are
put together as `nashgap compare` would have played them, and nothing is played again. All others share nothing that
could cancel: then each number is compared with the one of the same name, with the interval of independent samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nashgap.core.estimate import Estimate
from nashgap.core.job import Job
from nashgap.core.result import Result
from nashgap.errors import MismatchError
from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.lbr_compare import LbrCompareJob
from nashgap.jobs.match import MatchJob
from nashgap.jobs.match_compare import MatchCompareJob
from nashgap.jobs.versions import Comparison, VersionsJob
from nashgap.runs.config import package_version

__all__ = ["NumberPair", "RunComparison", "compare_documents", "compare_on_same_deals", "joint_job"]

Batches = Mapping[int, Mapping[str, Any]]
MOST_ENTRIES = 16  # of a list, whose entries have no names
_PARTS = ("mean", "ci95", "winrates")  # of estimates
UNCOMPARED = ("seconds", "version", "seed", "samples")


@dataclass(frozen=True)
class NumberPair:
    """A number that both found. difference: second minus first; an estimate where either was sampled."""

    name: str
    first: float | Estimate
    second: float | Estimate
    difference: float | Estimate


@dataclass(frozen=True, eq=False, repr=False)
class RunComparison(Result):
    """What two runs found, number by number. names: of the runs."""

    reporter: ClassVar[str] = "nashgap.reports.run_compare:run_comparison_report"

    names: tuple[str, str]
    pairs: tuple[NumberPair, ...]

    @property
    def differing(self) -> tuple[NumberPair, ...]:
        """Those whose difference is more than chance: beyond its interval."""
        return tuple(
            pair
            for pair in self.pairs
            if isinstance(pair.difference, Estimate) and abs(pair.difference.mean) > pair.difference.ci95
        )

    @property
    def summary(self) -> str:
        sampled = [pair for pair in self.pairs if isinstance(pair.difference, Estimate)]
        told = f"Both runs have {len(self.pairs)} numbers of the same name"
        if not sampled:
            return f"{told}, all exact or without an interval."
        main = sampled[0]
        return (
            f"{told}; {len(sampled)} have an interval, of which {len(self.differing)} differ by more than that."
            f" {main.name}: {main.first} and {main.second}, a difference of {main.difference}."
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "runs": list(self.names),
            "has_same_deals": False,
            "numbers": [{key: _plain(value) for key, value in vars(pair).items()} for pair in self.pairs],
            "version": package_version(),
        }


def joint_job(first: Job, second: Job) -> VersionsJob | None:
    """The comparison of two bots on the deals that both jobs were dealt; None where they share none."""
    if isinstance(first, LbrJob) and isinstance(second, LbrJob):
        versions = first.strategies[0], second.strategies[0]
        is_alike = _is_alike(first, second, "strategies")
        if is_alike and all(len(set(job.strategies)) == 1 for job in (first, second)):
            return LbrCompareJob(
                versions=versions,
                options=first.options,
                has_leaks=first.has_leaks,
                flops=first.flops,
                drawn=first.drawn,
                **_shared(first, second),
            )
    elif isinstance(first, MatchJob) and isinstance(second, MatchJob):
        is_usual = first.hands_per_match == 1 and first.variance == "none" and not first.has_log
        if is_usual and first.agents[1:] == second.agents[1:] and _is_alike(first, second, "agents"):
            versions, opponents = (first.agents[0], second.agents[0]), first.agents[1:]
            return MatchCompareJob(versions=versions, opponents=opponents, **_shared(first, second))
    return None


def compare_on_same_deals(job: VersionsJob, first: Batches, second: Batches) -> Comparison:
    """What the job would find if it were played, of batches that were."""
    batches = [by_index[index] for index in range(job.num_batches // 2) for by_index in (first, second)]
    found: Comparison = job.combine(batches)
    return found


def compare_documents(names: tuple[str, str], first: Mapping[str, Any], second: Mapping[str, Any]) -> RunComparison:
    """The numbers of two results by their names. MismatchError where they have none in common.

    Numbers whose difference no float holds are left out.
    """
    known, others = dict(_numbers(first, "")), dict(_numbers(second, ""))
    pairs = [
        NumberPair(name, value, others[name], difference)
        for name, value in known.items()
        if name in others and (difference := _difference(value, others[name])) is not None
    ]
    if not pairs:
        raise MismatchError(f"{names[0]} and {names[1]} found nothing of the same name and unit; nothing to compare")
    return RunComparison(names, tuple(pairs))


def _is_alike(first: LbrJob | MatchJob, second: LbrJob | MatchJob, but: str) -> bool:
    """Whether the jobs are the same but for one field and how far they went, and share enough batches."""
    left = {**vars(first), but: None, "deals": None}
    right = {**vars(second), but: None, "deals": None}
    names = type(first).__dataclass_fields__
    is_same = all(left.get(name) == right.get(name) for name in names)
    deals = min(first.deals, second.deals)
    return (
        is_same
        and (first.deals == second.deals or deals % first.deals_per_batch == 0)
        and (deals >= 2 * first.deals_per_batch)
    )


def _shared(first: LbrJob | MatchJob, second: LbrJob | MatchJob) -> dict[str, Any]:
    return {
        "rules": first.rules,
        "seed": first.seed,
        "batch_deals": first.deals_per_batch,
        "deals": min(first.deals, second.deals),
    }


def _numbers(value: Any, name: str) -> Iterator[tuple[str, float | Estimate]]:
    match value:
        case Mapping():
            sampled = dict(_estimates(value, name))
            yield from sampled.items()
            for key, item in value.items():
                if key not in UNCOMPARED and not (sampled and key in _PARTS):
                    yield from _numbers(item, f"{name}.{key}" if name else key)
        case list() if len(value) <= MOST_ENTRIES:
            for place, item in enumerate(value, start=1):
                yield from _numbers(item, f"{name}.{place}")
        case int() | float() if not isinstance(value, bool):
            yield name, float(value)


def _estimates(table: Mapping[str, Any], name: str) -> Iterator[tuple[str, Estimate]]:
    """The estimate that the table tells, or those of a match for each of its players."""
    method = str(table.get("method", ""))
    match table:
        case {"mean": float() | int() as mean, "ci95": float() | int() as ci95, "samples": int(), "unit": str()}:
            yield name or "result", Estimate(mean, ci95, table["samples"], table["unit"], method, 0)
        case {"winrates": list() as means, "ci95": list() as widths, "samples": int(), "unit": str()}:
            for place, (mean, ci95) in enumerate(zip(means, widths, strict=False), start=1):
                if isinstance(mean, float | int) and isinstance(ci95, float | int):
                    estimate = Estimate(mean, ci95, table["samples"], table["unit"], method, 0)
                    yield f"{name}.winrates.{place}" if name else f"winrates.{place}", estimate


def _difference(first: float | Estimate, second: float | Estimate) -> float | Estimate | None:
    match first, second:
        case float(), float() if math.isfinite(second - first):
            return second - first
        case Estimate(), Estimate() if first.unit == second.unit and math.isfinite(second.mean - first.mean):
            ci95, samples = math.hypot(first.ci95, second.ci95), min(first.samples, second.samples)
            if math.isfinite(ci95):
                return Estimate(second.mean - first.mean, ci95, samples, first.unit, "difference", first.seed)
    return None


def _plain(value: Any) -> Any:
    return value.as_dict() if isinstance(value, Estimate) else value
