"""`nashgap compare A B --by lbr|match`: two versions of a bot on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nashgap.cli.options import (
    ClusterOption,
    FreshOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SeedOption,
    WorkersOption,
    given,
    kept_in,
    workers_of,
)
from nashgap.cli.output import check_page, print_result, results_only

__all__ = ["compare"]

LBR_PANEL, MATCH_PANEL = "For lbr", "For match"


def compare(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A strategy file, a name, python:module:Class or exec:COMMAND.", show_default=False
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another version of it.", show_default=False)],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Needed for a name; checked against files.")] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="METHOD",
            help="lbr: what Local Best Response wins from each, and the leaks gained and lost. match: what A wins from"
            " B, or both from the same opponents.",
        ),
    ] = "lbr",
    deals: Annotated[
        int | None,
        typer.Option(metavar="N", min=4, help="The same for both; as many as nashgap measure, or match, has."),
    ] = None,
    bets: Annotated[
        str | None,
        typer.Option(
            metavar="BETS", help="That LBR considers, see nashgap measure. Default: fcpa.", rich_help_panel=LBR_PANEL
        ),
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="ROUNDS", help="In which LBR chooses: 1-4, 3-4, 4. Default: all.", rich_help_panel=LBR_PANEL
        ),
    ] = None,
    lines: Annotated[
        str | None,
        typer.Option(
            metavar="LINES", help="all or dealt, see nashgap measure. Default: as there.", rich_help_panel=LBR_PANEL
        ),
    ] = None,
    stake: Annotated[
        float | None,
        typer.Option(metavar="BB", help="Of all lines, see nashgap measure.", rich_help_panel=LBR_PANEL),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Of strategies that are known by samples. Default: 10.", rich_help_panel=LBR_PANEL
        ),
    ] = None,
    lookahead: Annotated[
        int | None,
        typer.Option(metavar="N", help="Of LBR, 1 or 2, see nashgap measure. Default: 1.", rich_help_panel=LBR_PANEL),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            help="Both play against it, on the same cards; once for each other seat. Default, for two seats: one"
            " against the other.",
            rich_help_panel=MATCH_PANEL,
        ),
    ] = None,
    variance: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Take luck off, beside what was won: chance (of the cards) or aivat (of known agents, too). Default:"
            " none.",
            rich_help_panel=MATCH_PANEL,
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write it as a page, with FILE.json beside it.")
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Compare two versions of a bot on the same deals: the difference with its interval.

    Luck that both share cancels. Where the interval reaches 0, it says about how many more deals would settle it.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap compare old.safetensors new.safetensors[/bold],
    [bold]nashgap compare exec:./old exec:./new --game hunl --deals 500[/bold],
    [bold]nashgap compare bot.safetensors "patched(big-blind preflop a = fold below 0.6):bot.safetensors"[/bold],
    [bold]nashgap compare old.safetensors new.safetensors --by match --against always-call[/bold],
    [bold]nashgap compare old.safetensors new.safetensors --by match --against poki --variance aivat[/bold]
    """
    import nashgap as ng

    options: dict[str, Any] = given(
        deals=deals,
        bets=bets,
        rounds=rounds,
        lines=lines,
        stake=stake,
        samples=samples,
        lookahead=lookahead,
        against=against,
        variance=variance,
    )
    check_page(report)
    with results_only():
        found = ng.compare(
            first, second, game=game, by=by, seed=seed, workers=workers_of(workers, cluster), run=kept_in(runs),
            fresh=fresh, progress=not quiet, **options,
        )  # fmt: skip
    written: dict[str, Any] = {} if report is None else {"report": report}
    print_result(found, is_json=json, has_fresh=True, write=found.save_report, **written)
