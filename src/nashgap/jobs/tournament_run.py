"""Run a tournament to its end in a run's folder, and report it.

Beside what every run keeps there, the folder has `cross-table.csv`, for `nashgap tournament rank` and other programs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from nashgap.arena.cross_table import write_cross_table
from nashgap.arena.tournament import TournamentJob
from nashgap.arena.tournament_result import TournamentResult, combine_tournament
from nashgap.errors import OutputError
from nashgap.runs.executors import Pace, execute
from nashgap.runs.folder import Run, open_run
from nashgap.jobs.match_run import behaviour_section, hands_per_second
from nashgap.reports.report import Report, write_report
from nashgap.reports.standings import standings_report

__all__ = ["continue_tournament", "cross_table_path", "open_tournament", "tournament_pace", "tournament_report"]

MOST_TRIALS = 8


def open_tournament(job: TournamentJob, root: Path | None = None) -> tuple[TournamentJob, Run]:
    """The job's run under `root`, and the job as it is played there: with the run's own copies of files."""
    run = open_run(job, root)
    job.keep_inputs(run.folder)
    return TournamentJob.from_config(run.config.identity, run.config.budget, run.folder), run


def continue_tournament(
    job: TournamentJob, run: Run, *, workers: int = 1, on_progress: Callable[[Pace], None] | None = None
) -> TournamentResult:
    """Play what is missing of the tournament, and keep its result, cross-table and report in its folder.

    Where these cannot be written there is a warning: the result is worth more.
    """
    result = combine_tournament(job, execute(job, run, workers=workers, on_progress=on_progress))
    try:
        run.save_result(result.as_dict())
        write_cross_table(result.table, cross_table_path(run))
        write_report(tournament_report(result, run.resume_command()), run.report_path)
    except OutputError as error:
        warnings.warn(f"the report is missing: {error}", stacklevel=2)
    return result


def tournament_pace(job: TournamentJob) -> float | None:
    """Hands a second in one process, by short trials of some matchups; None if one of them cannot be tried."""
    step = -(-len(job.matchups) // MOST_TRIALS)
    rates = [hands_per_second(job.match(matchup)) for matchup in range(0, len(job.matchups), step)]
    known = [rate for rate in rates if rate is not None]
    return len(rates) / sum(1 / rate for rate in known) if len(known) == len(rates) else None


def cross_table_path(run: Run) -> Path:
    return run.folder / "cross-table.csv"


def tournament_report(result: TournamentResult, command: str) -> Report:
    """The standings, how the agents played, and what the numbers depend on."""
    job, config = result.job, result.job.config
    game = job.rules.name or "a game of its own"
    standings = standings_report(
        result.table, title=f"Tournament {config.name}", command=command, confidence=result.confidence
    )
    hands = f"{config.hands:,} deals in {job.num_seatings} seatings"
    return replace(
        standings,
        summary=f"{standings.summary} {len(job.matchups):,} matchups in {game}, each of {hands}.",
        sections=(*standings.sections, behaviour_section(result.behaviour)),
        facts={
            "game": game,
            "agents": "; ".join(
                each.name if each.spec == each.name else f"{each.name} = {Path(each.spec).name}"
                for each in config.agents
            ),
            "deals of a matchup": config.hands,
            "seatings of each deal": job.num_seatings,
            "hands of a match": config.match_hands,
            "hands in all": job.num_hands,
            "seed": config.seed,
            **standings.facts,
        },
    )
