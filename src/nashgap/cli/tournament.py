"""`nashgap tournament run FILE.toml` and `nashgap tournament rank TABLE.csv`: who is the best of many?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nashgap.cli.options import (
    ClusterOption,
    FreshOption,
    JsonOption,
    QuietOption,
    RunsOption,
    TrustOption,
    WorkersOption,
    kept_in,
    trusting,
    workers_of,
)
from nashgap.cli.output import print_result, results_only

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="Play a tournament, or rank the players of one.")


@app.command("run")
def _run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament.", show_default=False)],
    seed: Annotated[int | None, typer.Option(metavar="N", help="Instead of the file's.", show_default=False)] = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    fresh: FreshOption = False,
    trust: TrustOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Play a tournament: a duplicate match of every set of agents, with the same cards for all.

    The file says game = "lhe3", deals = 20000 (of each matchup) and
    agents = ["always-call", "probe", "poki"]; it may say name, seed and
    match_hands (agents keep their memory for matches of so many hands).
    Instead of agents, an array of tables called agent, each with spec and,
    where wanted, name and team: members of a team do not meet.

    Programs (exec:, acpc:, python:) in a file that was not played here before are told first, and asked for.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap tournament run chumps.toml --workers 2[/bold],
    [bold]nashgap tournament run chumps.toml --json[/bold]
    """
    import nashgap as ng

    with results_only():
        found = ng.tournament(
            file, seed=seed, workers=workers_of(workers, cluster), run=kept_in(runs), fresh=fresh,
            progress=not quiet, trust=trusting(trust),
        )  # fmt: skip
    print_result(found, is_json=json, has_fresh=True)


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
    import nashgap as ng

    if report is not None:
        ng.check_writable(report)
    found = ng.rank(table, teams=_parse_teams(team or []), unit=unit)
    print_result(found, is_json=json, write=found.write_page, report=report)


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
