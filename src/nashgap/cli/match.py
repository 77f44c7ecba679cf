"""`nashgap match A B [C ...] --game G --hands N`: a duplicate match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, RunsOption, SeedOption, WorkersOption
from nashgap.cli.output import number, print_json, print_rows, print_table, results_only, say
from nashgap.cli.progress import progress_line, resumable, say_forecast

if TYPE_CHECKING:
    from nashgap.arena.match import MatchJob
    from nashgap.runs import Run

__all__ = ["match", "run_match"]

SEQUENCES_SHOWN = 5


def match(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...", help="One for each seat; `nashgap list agents` has names.", show_default=False
        ),
    ],
    game: Annotated[
        str, typer.Option(metavar="GAME", help="A poker game, by name (lhe3) or game definition file.")
    ] = "lhe3",
    hands: Annotated[int, typer.Option(metavar="N", help="Deals; each is played in every seating.")] = 10_000,
    match_hands: Annotated[
        int, typer.Option(metavar="H", help="Let agents keep their memory for matches of H hands.")
    ] = 1,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    log: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the hands there, a log for each seating.")
    ] = None,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play a duplicate match: the same cards in every seating, so that luck cancels.

    Up to 4 agents sit in all orders; more in a random order and its rotations.
    An AGENT is a name, a strategy file, python:module:Class, exec:COMMAND or
    acpc:COMMAND.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap match poki always-call probe --hands 20000[/bold],
    [bold]nashgap match always-raise random --game hunl --json[/bold],
    [bold]nashgap match python:mybot:Bot poki --game lhe2 --match-hands 1000 --hands 20000[/bold]
    """
    from nashgap.arena.match import MatchJob
    from nashgap.jobs.match_run import make_log_folder
    from nashgap.poker.rules import load_rules
    from nashgap.runs import open_run
    from nashgap.runs.executors import check_settings

    with results_only():
        job = MatchJob(load_rules(game), tuple(agents), hands, seed, match_hands, has_log=log is not None)
    check_settings(job, workers=workers)
    if log is not None:
        make_log_folder(log)
    run_match(job, open_run(job, runs), workers=workers, log=log, is_quiet=quiet, is_json=json)


def run_match(
    job: MatchJob, run: Run, *, workers: int = 1, log: Path | None = None, is_quiet: bool = False, is_json: bool = False
) -> None:
    """Play what is missing of the match and print its result."""
    from nashgap.agents.named import distinct_names
    from nashgap.arena.duplicate import duplicate_seatings
    from nashgap.core.estimate import format_interval
    from nashgap.jobs.match_run import continue_match, first_round, hands_per_second, percent, write_logs
    from nashgap.runs import package_version

    if not is_quiet:
        seatings = duplicate_seatings(job.rules.num_seats, job.seed, 0, 1).shape[1]
        num_hands = job.deals * seatings
        size = f"{job.rules.name}: {job.deals:,} deals in {seatings} seatings: {num_hands:,} hands"
        say_forecast(size, num_hands, run, job.num_batches, workers, lambda: hands_per_second(job))
    message = f"interrupted; what is finished is kept; continue with: {run.resume_command()}"
    with resumable(message), progress_line(is_quiet) as on_progress, results_only():
        result = continue_match(job, run, workers=workers, on_progress=on_progress)
    logs = []
    if log is not None:
        with run.open_ledger() as ledger:
            batches = ledger.batches()
        logs = write_logs(job, [batches[index] for index in range(job.num_batches)], log)
        if not is_quiet:
            say(f"{len(logs)} logs written to {log}")
    if is_json:
        kept = {"run": str(run.folder), "report": str(run.report_path), "logs": [str(path) for path in logs]}
        print_json({**result.as_dict(), **kept, "version": package_version()})
        return
    print(
        f"{result.game or 'game'}, {result.hands:,} deals in {result.seatings} seatings"
        f" = {result.hands * result.seatings:,} hands, seed {result.seed}; {result.unit}"
    )
    rows = [
        (
            name,
            format_interval(float(result.winrates[agent]), float(result.ci95[agent])),
            number(round(float(result.stdev[agent]), 2)),
            percent(behaviour.vpip),
            percent(behaviour.pfr),
            percent(behaviour.went_to_showdown),
        )
        for agent, (name, behaviour) in enumerate(zip(distinct_names(result.agents), result.behaviour, strict=True))
    ]
    columns = ("agent", "winrate", "stdev/hand", "VPIP", "PFR", "showdown")
    print_table(columns, rows, right=(1, 2, 3, 4, 5))
    shown = list(result.sequences.items())[:SEQUENCES_SHOWN]
    more = ", ..." if len(result.sequences) > len(shown) else ""
    print_rows(
        {
            first_round(job.rules): ", ".join(f"{text} {percent(share)}" for text, share in shown) + more,
            "report": run.report_path,
        }
    )
