"""`nashgap tournament run FILE.toml` and `nashgap tournament rank TABLE.csv`: who is the best of many?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, RunsOption, WorkersOption
from nashgap.cli.output import print_json, results_only
from nashgap.cli.progress import progress_line, resumable, say_forecast

if TYPE_CHECKING:
    from nashgap.arena.cross_table import CrossTable
    from nashgap.arena.tournament import TournamentJob
    from nashgap.reports.report import Report
    from nashgap.runs import Run

__all__ = ["app", "run_tournament"]

# A screen shows the cross-table of no more matchups: it would push the rankings out of sight.
MOST_SHOWN = 21

app = typer.Typer(no_args_is_help=True, help="Play a tournament, or rank the players of one.")


@app.command("run")
def _run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament.", show_default=False)],
    seed: Annotated[int | None, typer.Option(metavar="N", help="Instead of the file's.", show_default=False)] = None,
    workers: WorkersOption = 1,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play a tournament: a duplicate match of every set of agents, with the same cards for all.

    The file says game = "lhe3", hands = 20000 (deals of each matchup) and
    agents = ["always-call", "probe", "poki"]; it may say name, seed and
    match_hands (agents keep their memory for matches of so many hands).
    Instead of agents, an array of tables called agent, each with spec and,
    where wanted, name and team: members of a team do not meet.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap tournament run chumps.toml --workers 2[/bold],
    [bold]nashgap tournament run chumps.toml --json[/bold]
    """
    from nashgap.arena.tournament import load_tournament
    from nashgap.jobs.tournament_run import open_tournament
    from nashgap.runs.executors import check_settings

    with results_only():
        job = load_tournament(file, seed=seed)
        check_settings(job, workers=workers)
        played, run = open_tournament(job, runs)
    run_tournament(played, run, workers=workers, is_quiet=quiet, is_json=json)


def run_tournament(
    job: TournamentJob, run: Run, *, workers: int = 1, is_quiet: bool = False, is_json: bool = False
) -> None:
    """Play what is missing of the tournament and print its outcome."""
    from nashgap.jobs.tournament_run import (
        continue_tournament,
        cross_table_path,
        tournament_pace,
        tournament_report,
    )
    from nashgap.reports.terminal import print_report
    from nashgap.runs import package_version

    if not is_quiet:
        each = f"{job.config.hands:,} deals in {job.num_seatings} seatings"
        size = f"{job.config.name}: {len(job.matchups):,} matchups, each of {each}: {job.num_hands:,} hands"
        say_forecast(size, job.num_hands, run, job.num_batches, workers, lambda: tournament_pace(job))
    message = f"interrupted; what is finished is kept; continue with: {run.resume_command()}"
    with resumable(message), progress_line(is_quiet) as on_progress, results_only():
        result = continue_tournament(job, run, workers=workers, on_progress=on_progress)
    if is_json:
        places = {"run": run.folder, "report": run.report_path, "cross_table": cross_table_path(run)}
        told = {key: str(path) if path.exists() else None for key, path in places.items()}
        print_json({**result.as_dict(), **told, "version": package_version()})
    else:
        page = tournament_report(result, run.resume_command())
        print_report(_for_screen(page, cross_table_path(run)), run.report_path)


def _for_screen(report: Report, table_path: Path) -> Report:
    """The report with a large cross-table only named."""
    from nashgap.reports.report import CrossTableSection, Text

    sections = tuple(
        Text(section.title, (f"{len(section.table.matchups):,} matchups: see the report, or {table_path}",))
        if isinstance(section, CrossTableSection) and len(section.table.matchups) > MOST_SHOWN
        else section
        for section in report.sections
    )
    return replace(report, sections=sections)


@app.command("rank")
def _rank(
    table: Annotated[Path, typer.Argument(metavar="TABLE.csv", help="A cross-table.", show_default=False)],
    team: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=A,B", help="Players of one team, whose matchups do not count. May be repeated."),
    ] = None,
    unit: Annotated[str, typer.Option(metavar="UNIT", help="Of the winrates, such as sb_per_hand.")] = "",
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with the table.")] = None,
    json: JsonOption = False,
) -> None:
    """Rank the players of a cross-table by bankroll, instant run-off and total wins.

    The table has a row for each player of each matchup. Columns:
    player,opponent1,opponent2,winrate (two players: no opponent2);
    optional: ci95, half-width of the 95% interval; team, of the row's player.

    Run-off: the last by mean winrate is eliminated, the rest are ranked
    as if it had not entered, and so on while all who are left have a matchup.

    Examples: [bold]nashgap tournament rank table.csv --json[/bold],
    [bold]nashgap tournament rank table.csv --team red=ann,bob --report ranks.html[/bold]
    """
    from nashgap.arena.cross_table import read_cross_table
    from nashgap.reports.report import write_report
    from nashgap.reports.standings import standings_report
    from nashgap.reports.terminal import print_report

    ranked = read_cross_table(table, unit)
    if team:
        ranked = ranked.with_teams(_parse_teams(team))
    page = standings_report(ranked, title=f"Rankings of {table.name}", command=_command(table, team, unit))
    if report is not None:
        write_report(page, report)
    if json:
        print_json(_document(ranked, table, report))
    else:
        print_report(page, report)


def _parse_teams(texts: list[str]) -> dict[str, str]:
    """The team of each player from texts such as `alberta=H-Eqm,H-BR`."""
    from nashgap.errors import ConfigError

    teams: dict[str, str] = {}
    for text in texts:
        name, _, listed = text.partition("=")
        players = [player.strip() for player in listed.split(",")]
        if not name.strip() or not all(players):
            raise ConfigError(f"--team {text!r}; it must be a name, = and players with commas between: team=A,B")
        for player in players:
            if player in teams:
                raise ConfigError(f"--team: {player} is in two teams, or twice in one")
            teams[player] = name.strip()
    return teams


def _document(table: CrossTable, path: Path, report: Path | None) -> dict[str, object]:
    from nashgap.arena.tournament_result import rankings_document
    from nashgap.runs.config import package_version

    return {
        "table": str(path),
        "unit": table.unit or None,
        "teams": dict(table.teams),
        "matchups": len(table.matchups),
        **rankings_document(table),
        "report": None if report is None else str(report),
        "version": package_version(),
    }


def _command(table: Path, team: list[str] | None, unit: str) -> str:
    from shlex import join

    teams = [word for text in team or () for word in ("--team", text)]
    return join(["nashgap", "tournament", "rank", str(table), *teams, *(["--unit", unit] if unit else [])])
