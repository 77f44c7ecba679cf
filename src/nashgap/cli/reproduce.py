"""`nashgap reproduce NAME`: a table or figure of a paper, published and ours side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from nashgap.catalogue import describe
from nashgap.cli.list import Kind, print_catalogue
from nashgap.cli.options import JsonOption, QuietOption, RunsOption, SeedOption
from nashgap.cli.output import print_json, say
from nashgap.cli.progress import progress_line, resumable
from nashgap.cli.runs import CONTINUED_BY

__all__ = ["reproduce"]


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Which; without it they are listed.", show_default=False)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", metavar="", help="Less work, rougher numbers.")] = False,
    seed: SeedOption = 0,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="N", help="Of training for each agent that is trained; else its recipe's."),
    ] = None,
    agents: Annotated[
        str, typer.Option("--agents", metavar="NAMES", help="Only these of the agents it trains, by commas.")
    ] = "",
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", help="Processes, and threads where agents are trained.")
    ] = 1,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Reproduce a table or figure of a paper: published and ours side by side.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap reproduce[/bold], [bold]nashgap reproduce thesis-matching-pennies[/bold],
    [bold]nashgap reproduce thesis-table-3.1 --quick --workers 2[/bold]
    """
    if name is None:
        if json:
            print_json({Kind.REPRODUCTIONS.value: describe(Kind.REPRODUCTIONS)})
        else:
            print_catalogue(Kind.REPRODUCTIONS)
        return

    from nashgap.catalogue import REPRODUCTIONS
    from nashgap.errors import ConfigError, OutputError
    from nashgap.papers.reproduction import CHOOSES_AGENTS, Request, keep_report
    from nashgap.reports.report import write_report
    from nashgap.reports.terminal import print_report, report_document
    from nashgap.runs import Run, default_root, package_version

    make_report = REPRODUCTIONS.load(name)
    if agents and name not in CHOOSES_AGENTS:
        raise ConfigError(
            f"--agents: {name} needs all of its agents; for {', '.join(CHOOSES_AGENTS)} they can be chosen"
        )
    chosen = tuple(filter(None, (agent.strip() for agent in agents.split(","))))
    root = runs or default_root()
    opened: list[Run] = []
    on_note = None if quiet else say
    request = Request(quick, seed, workers, minutes, root, on_note, on_run=opened.append, agents=chosen)
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{root}: cannot be written: {error.strerror}") from error
    with resumable("interrupted; the same command continues"), progress_line(quiet) as on_progress:
        report = make_report(replace(request, on_progress=on_progress))
    # A match has a report of its own, and may be played for several reproductions.
    own = [run for run in opened if run.config.kind not in CONTINUED_BY]
    if own:
        path = own[-1].report_path
        keep_report(report, own[-1])
    else:
        # Beside the runs, because all reports there share one copy of the chart script.
        path = root / f"{name}{'-quick' if quick else ''}{f'-seed-{seed}' if seed else ''}.html"
        write_report(report, path)
    if json:
        extra = {"name": name, "is_quick": quick, "seed": seed, "report": str(path), "version": package_version()}
        print_json({**extra, **report_document(report)})
    else:
        print_report(report, path)
