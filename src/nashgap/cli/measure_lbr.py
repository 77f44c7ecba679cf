"""`nashgap measure STRATEGY --by lbr`: a lower bound on its exploitability, by Local Best Response."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nashgap.cli.output import human_seconds, print_json, print_rows, print_table, results_only, screen, significant
from nashgap.cli.progress import progress_line, resumable, say_forecast
from nashgap.errors import ConfigError

if TYPE_CHECKING:
    from nashgap.measures.lbr_job import LbrJob
    from nashgap.measures.leaks import Leak
    from nashgap.measures.local_best_response import LbrOptions
    from nashgap.poker.rules import PokerRules
    from nashgap.runs import Run

__all__ = ["measure_by_lbr", "run_lbr"]


def measure_by_lbr(
    strategies: Sequence[str],
    game: str | None,
    options: LbrOptions,
    *,
    hands: int,
    seed: int,
    workers: int,
    runs: Path | None,
    report: Path | None = None,
    is_split: bool,
    is_quiet: bool,
    is_json: bool,
) -> None:
    """Play LBR against the strategies; one alone sits at all other seats."""
    from nashgap.jobs.lbr_run import require_split
    from nashgap.measures.lbr_job import LbrJob
    from nashgap.runs import open_run
    from nashgap.runs.executors import check_settings

    if report is not None:
        _check_page(report)
    rules = _rules(strategies, game)
    num_others = rules.num_seats - 1
    seated = tuple(strategies) * num_others if len(strategies) == 1 else tuple(strategies)
    with results_only():
        job = LbrJob(rules, seated, hands, options, seed, has_leaks=report is not None)
    check_settings(job, workers=workers)
    if is_split:
        require_split(job)
    run = open_run(job, runs)
    run_lbr(job, run, workers=workers, report=report, is_split=is_split, is_quiet=is_quiet, is_json=is_json)


def run_lbr(
    job: LbrJob,
    run: Run,
    *,
    workers: int = 1,
    report: Path | None = None,
    is_split: bool = False,
    is_quiet: bool = False,
    is_json: bool = False,
) -> None:
    """Play what is missing and print the bound; `report` is where a page of leaks goes beside the run's own."""
    from nashgap.jobs.lbr_run import continue_lbr, lbr_hands_per_second, lbr_seconds, split_lbr
    from nashgap.poker.hands import hand_names
    from nashgap.runs import package_version
    from nashgap.strategies.spec import BY_HAND

    seatings = job.rules.num_seats if job.options.duplicate else 1
    num_hands = job.deals * seatings
    if not is_quiet:
        size = f"{job.rules.name}: {job.deals:,} deals in {seatings} seatings: {num_hands:,} hands"
        if any(strategy.startswith(BY_HAND) for strategy in job.strategies):
            size += f", slowly: asked by hand, a player answers up to {len(hand_names(job.rules)):,} times for a state"
        say_forecast(size, num_hands, run, job.num_batches, workers, lambda: lbr_hands_per_second(job))
    message = f"interrupted; what is finished is kept; continue with: {run.resume_command()}"
    with resumable(message), progress_line(is_quiet) as on_progress, results_only():
        result = continue_lbr(job, run, workers=workers, on_progress=on_progress, leak_path=report)
    split = None
    if is_split:
        with resumable(message), progress_line(is_quiet) as on_progress, results_only():
            split = split_lbr(job, run, run.folder.parent, workers=workers, on_progress=on_progress)
    strategies = list(dict.fromkeys(job.strategies))
    seconds = lbr_seconds(run)
    if is_json:
        told = {"strategy": strategies[0] if len(strategies) == 1 else strategies, "game": job.rules.name}
        kept = {"seconds": seconds, "run": str(run.folder), "report": str(report or run.report_path)}
        told_split = {"split": split.as_dict()} if split else {}
        print_json({**told, **result.as_dict(), **told_split, **kept, "version": package_version()})
        return
    bound = result.estimate
    rounds = ", ".join(str(number + 1) for number in result.rounds)
    print(f"{' and '.join(strategies)} in {job.rules.name}, by Local Best Response, in {bound.unit}")
    print_rows(
        {
            "LBR wins": str(bound).removesuffix(f" {bound.unit}"),
            "a best response wins": f"at least {significant(bound.lower_bound_975)} (97.5% confidence)",
            "bets considered": job.options.bets,
            "rounds it chooses in": rounds,
        }
    )
    rows = [
        (str(number), f"{share:.1%}", significant(mean), significant(share * mean))
        for number, (share, mean) in enumerate(result.by_round, 1)
    ]
    print_table(("last round", "hands", "LBR wins in them", "of the bound"), rows, right=(1, 2, 3))
    if split:
        parts = {"of it by bets on its tree": split.on_tree, "other bets add": split.off_tree}
        print_rows({name: str(part).removesuffix(f" {part.unit}") for name, part in parts.items()})
    if result.leaks:
        _print_situations(result.leaks.situations)
    rate = result.plays / seconds if seconds > 0 else 0.0
    pace = f", {rate:,.0f} a second" if rate >= 10 else f", {rate:.2g} a second" if rate > 0 else ""
    print_rows(
        {
            "hands": f"{result.plays:,}, of {result.hands:,} deals, in {human_seconds(seconds)}{pace}",
            "states asked": f"{result.queries:,}",
            "report": report or run.report_path,
        }
    )


def _check_page(path: Path) -> None:
    """Before the run: a page that cannot be written would be told at its end."""
    if path.suffix != ".html":
        raise ConfigError(f"--report {path}: the name of the page must end in .html")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"--report {path}: there is no folder {path.parent}")


def _print_situations(situations: Sequence[Leak]) -> None:
    from nashgap.core.estimate import format_interval
    from nashgap.reports.leaks import unclear_note

    decimals = 0 if any(leak.contribution.mean >= 100 for leak in situations) else 3
    rows = [
        (
            str(place),
            leak.situation,
            f"{leak.share:.1%}",
            format_interval(leak.mean.mean, leak.mean.ci95),
            f"{leak.contribution.mean:,.{decimals}f}",
        )
        for place, leak in enumerate(situations, 1)
    ]
    print_table(("", "dearest situations", "hands", "LBR wins a hand", "of the bound"), rows, right=(2, 3, 4))
    if note := unclear_note(situations):
        screen().print(note)


def _rules(strategies: Sequence[str], game: str | None) -> PokerRules:
    """The game that is named, or that of the first strategy file."""
    from nashgap.poker.rules import load_rules
    from nashgap.strategies.load import rules_of
    from nashgap.strategies.spec import as_bot

    if game is not None:
        return load_rules(game)
    for strategy in strategies:
        if found := rules_of(as_bot(strategy, kind="strategy")):
            return found
    raise ConfigError(f"strategy {strategies[0]!r} may be for many games; name the game too (--game hunl)")
