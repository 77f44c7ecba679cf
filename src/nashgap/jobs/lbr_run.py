"""Run a measurement by Local Best Response to its end in a run's folder, and report it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nashgap.catalogue import POKER_GAMES
from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError
from nashgap.measures.lbr_job import LbrJob, LbrResult, combine_lbr, lbr_leaks, paired_difference
from nashgap.measures.local_best_response import ON_TREE, LbrOptions
from nashgap.runs.config import package_version
from nashgap.runs.executors import Pace, execute
from nashgap.runs.folder import Run, open_run
from nashgap.reports.layout import format_number
from nashgap.reports.leaks import leak_sections, write_leak_report
from nashgap.reports.report import Curve, Plot, Report, Table, write_report

__all__ = [
    "LbrSplit",
    "continue_lbr",
    "lbr_command",
    "lbr_hands_per_second",
    "lbr_report",
    "lbr_seconds",
    "require_split",
    "split_lbr",
]

TRIAL_DEALS = 20
MAX_POINTS = 60


def continue_lbr(
    job: LbrJob,
    run: Run,
    *,
    workers: int = 1,
    on_progress: Callable[[Pace], None] | None = None,
    leak_path: Path | None = None,
) -> LbrResult:
    """Play what is missing, and keep the result and its report in the run's folder.

    leak_path: of another copy of the report of a job that counts leaks; its JSON is written beside it.
    """
    batches = execute(job, run, workers=workers, on_progress=on_progress)
    result = combine_lbr(job, batches)
    if job.has_leaks:
        result = replace(result, leaks=lbr_leaks(job, batches))
    run.save_result({**result.as_dict(), "seconds": lbr_seconds(run)})
    command = lbr_command(job) if job.rules.name in POKER_GAMES.entries else run.resume_command()
    report = lbr_report(job, result, batches, command)
    write_report(report, run.report_path)
    if leak_path is not None and result.leaks is not None:
        told = {"title": report.title, "command": command, "facts": dict(report.facts)}
        parts = {"parts": result.leaks.as_dict()["parts"]}
        write_leak_report(report, {**told, **result.as_dict(), **parts}, leak_path)
    return result


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


def split_lbr(
    job: LbrJob,
    run: Run,
    root: Path | None = None,
    *,
    workers: int = 1,
    on_progress: Callable[[Pace], None] | None = None,
) -> LbrSplit:
    """Of a finished run: play its deals with bets on the tree only, in a run of their own."""
    own_job = replace(job, options=replace(job.options, bets=ON_TREE), has_leaks=False)
    own = execute(own_job, open_run(own_job, root), workers=workers, on_progress=on_progress)
    with run.open_ledger() as ledger:
        batches = ledger.batches()
    whole = [batches[number] for number in range(job.num_batches)]
    return LbrSplit(combine_lbr(own_job, own).estimate, paired_difference(job, whole, own))


def require_split(job: LbrJob) -> None:
    """Refuse what cannot be split, before anything is played."""
    replace(job, options=replace(job.options, bets=ON_TREE))  # has a tree
    if job.num_batches < 2:
        raise ConfigError(f"hands = {job.deals}; to split the bound takes more than {job.deals_per_batch}")


def lbr_seconds(run: Run) -> float:
    """That the run has taken so far, over all resumes."""
    with run.open_ledger() as ledger:
        return ledger.seconds


def lbr_hands_per_second(job: LbrJob) -> float | None:
    """By a short trial; None with somebody's own strategy, which is not asked for a trial."""
    if not job.is_native:
        return None
    trial = replace(job, batch_deals=TRIAL_DEALS, deals=2 * TRIAL_DEALS, has_leaks=False)
    trial.run_batch(0)  # pays for what happens only once
    begin = time.perf_counter()
    plays = sum(int(seat[0]) for seat in trial.run_batch(1)["seats"])
    return plays / (time.perf_counter() - begin)


def lbr_command(job: LbrJob) -> str:
    """What to type for the same numbers; in a game that is shipped."""
    options, default = job.options, LbrOptions()
    words = ["nashgap", "measure", *dict.fromkeys(job.strategies), "--game", job.rules.name, "--by", "lbr"]
    words += ["--bets", options.bets]
    words += ["--rounds", options.rounds] if options.rounds else []
    words += ["--samples", str(options.samples)] if options.samples != default.samples else []
    words += ["--lookahead", str(options.lookahead)] if options.lookahead != default.lookahead else []
    for name in ("duplicate", "imaginary", "all_in"):
        words += [] if getattr(options, name) else [f"--no-{name.replace('_', '-')}"]
    words += ["--report", "leaks.html"] if job.has_leaks else []
    return shlex.join([*words, "--hands", str(job.deals), "--seed", str(job.seed)])


def lbr_report(job: LbrJob, result: LbrResult, batches: Sequence[Mapping[str, Any]], command: str) -> Report:
    """The bound, where it comes from if that was counted, how it settled over the deals, and where the hands ended."""
    strategies = " and ".join(dict.fromkeys(job.strategies))
    bound = result.estimate
    return Report(
        title=f"Local Best Response against {strategies} in {job.rules.name or 'a game of its own'}",
        summary=(
            f"LBR wins {bound}; a best response wins at least {format_number(bound.lower_bound_975)} {bound.unit} with"
            f" 97.5% confidence. Over {result.hands:,} deals, {result.plays:,} hands."
        ),
        sections=(
            *(leak_sections(result.leaks, job.rules.num_seats) if result.leaks else ()),
            _course(job, batches),
            _by_round(job, result),
            _by_seat(result),
        ),
        command=command,
        facts={
            "game": job.rules.name,
            "unit": bound.unit,
            "bets that LBR considers": result.options.bets,
            "rounds in which it chooses": ", ".join(str(number + 1) for number in result.rounds),
            "deals": result.hands,
            "hands played": result.plays,
            "states that the strategy was asked about": result.queries,
            "seed": job.seed,
            "version": package_version(),
        },
    )


def _course(job: LbrJob, batches: Sequence[Mapping[str, Any]]) -> Plot:
    steps = sorted({round((point + 1) * len(batches) / MAX_POINTS) for point in range(MAX_POINTS)} - {0})
    results = [combine_lbr(job, batches[:step]) for step in steps]
    curve = Curve(
        "LBR wins",
        [result.hands for result in results],
        [result.estimate.mean for result in results],
        [result.estimate.ci95 for result in results],
    )
    return Plot("The bound with its 95% interval", "deals", job.rules.unit, (curve,), lines=(("even", 0.0),))


def _by_round(job: LbrJob, result: LbrResult) -> Table:
    rows = tuple(
        (str(number), f"{share:.1%}", round(mean, 1), round(share * mean, 1))
        for number, (share, mean) in enumerate(result.by_round, 1)
    )
    note = f"In {job.rules.unit}. The last column adds up to the bound."
    return Table("Where the hands ended", ("round", "share of hands", "LBR won in them", "of the bound"), rows, note)


def _by_seat(result: LbrResult) -> Table:
    rows = tuple((str(seat), estimate) for seat, estimate in enumerate(result.by_seat, 1))
    return Table("Where LBR sat", ("seat", "LBR won there"), rows, "Seat 1 is the first left of the button.")
