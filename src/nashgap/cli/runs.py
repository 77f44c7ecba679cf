"""`nashgap runs list|show|resume|compare|remove`: the runs in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nashgap.cli.options import (
    SAVE_SECONDS,
    ClusterOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SaveEveryOption,
    TrustOption,
    WorkersOption,
    trusting,
    workers_of,
)
from nashgap.cli.output import (
    check_page,
    print_json,
    print_paragraph,
    print_result,
    print_rows,
    results_only,
    unsaved_printed,
)

if TYPE_CHECKING:
    from nashgap.runs import RunSummary

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, help="List, show, resume, compare and remove runs.")

PARAMETERS = ("parameters", "positional", "named")  # of a game or an agent that has a name, in its table
MOST_ENTRIES = 12  # of a table or list that are shown in a line

RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="Its name or id, or how one of them begins.", show_default=False)
]


@app.command("list")
def _list(
    runs: RunsOption = None,
    html: Annotated[
        bool, typer.Option("--html", metavar="", help="Write a page over all of them, index.html, there.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the runs with when they were finished and what they found, or how far they have come.

    Examples: [bold]nashgap runs list[/bold], [bold]nashgap runs list --runs results --json[/bold],
    [bold]nashgap runs list --html[/bold]
    """
    from nashgap.runs import default_root, list_runs

    root = runs or default_root()
    found = list_runs(root)
    page = None
    if html:
        from nashgap.reports.report import write_report
        from nashgap.reports.runs import INDEX_PAGE, runs_report

        page = root / INDEX_PAGE
        write_report(runs_report(found, root), page)
    if json:
        written = {} if page is None else {"report": str(page)}
        print_json({"runs": [_document(summary) for summary in found], **written})
        return
    if page is not None:
        print(f"page: {page}")
    if not found:
        print(f"no runs in {root}")
        return
    for each in found:
        print_paragraph(
            " ".join(filter(None, (each.name, each.status, _when(each)))), each.problem or each.summary or _done(each)
        )


@app.command("show")
def _show(run: RunArgument, runs: RunsOption = None, json: JsonOption = False) -> None:
    """Show what a run is, how far it has come and what it found.

    Examples: [bold]nashgap runs show solve-leduc[/bold], [bold]nashgap runs show 1f2e3d --json[/bold]
    """
    from nashgap.runs import default_root, find_run, summarise
    from nashgap.runs.progress import human_seconds

    found = find_run(runs or default_root(), run)
    summary = summarise(found.folder)
    result = found.load_result()
    report = str(found.report_path) if found.report_path.is_file() else None
    config = found.config
    with found.open_ledger() as ledger:
        sessions = ledger.sessions()
    if json:
        told: dict[str, Any] = {"version": config.version, "identity": config.identity, "budget": config.budget}
        told |= {"inputs": config.inputs, "sessions": [vars(session) for session in sessions]}
        print_json({**_document(summary), **told, "result": result, "report": report})
        return
    print_rows(
        {
            "run": found.name,
            "status": summary.status,
            "finished": _when(summary),
            "problem": summary.problem,
            "result": summary.summary,
            "done": _done(summary),
            "time": human_seconds(summary.seconds),
            **{key: _short(value) for key, value in config.identity.items()},
            **config.budget,
            **{f"file {digest}": path for digest, path in config.inputs.items()},
            **({"done on": _place(sessions[-1].environment)} if sessions else {}),
            "report": report or "none yet",
        }
    )


@app.command("resume")
def _resume(
    run: RunArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write what it found there: a strategy.")
    ] = None,
    quantise: Annotated[
        bool, typer.Option("--quantise", metavar="", help="One byte an action in the file of a recipe, not 4.")
    ] = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    save_every: SaveEveryOption = SAVE_SECONDS,
    trust: TrustOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Continue a run that was stopped or killed; a finished one answers at once.

    A run that was made elsewhere and would start programs (exec:, acpc:, python:) tells them first and asks.

    Examples: [bold]nashgap runs resume solve-leduc[/bold],
    [bold]nashgap runs resume 1f2e3d -o leduc.safetensors[/bold]
    """
    import nashgap as ng

    def print_found(found: Any, output: Path | None) -> None:
        print_result(found, is_json=json, output=output)

    with unsaved_printed(print_found), results_only():
        found = ng.resume(
            run, root=runs, output=output, quantise=quantise, workers=workers_of(workers, cluster),
            save_every=save_every, progress=not quiet, trust=trusting(trust),
        )  # fmt: skip
    print_found(found, output)


@app.command("compare")
def _compare(
    first: RunArgument,
    second: Annotated[str, typer.Argument(metavar="RUN", help="Another one.", show_default=False)],
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write it as a page, with FILE.json beside it.")
    ] = None,
    runs: RunsOption = None,
    trust: TrustOption = False,
    json: JsonOption = False,
) -> None:
    """Compare what two finished runs found; nothing is played again.

    Runs of lbr or of matches that are alike but for one bot were dealt the same
    deals, and are compared on them, as nashgap compare does. Of any others, the
    numbers of the same name are compared, each with its interval.

    Examples: [bold]nashgap runs compare lbr-hunl-old lbr-hunl-new[/bold],
    [bold]nashgap runs compare 1f2e3d 4a5b6c --json[/bold]
    """
    import nashgap as ng

    check_page(report)
    with results_only():
        found = ng.compare_runs(first, second, root=runs, trust=trusting(trust))
    written: dict[str, Any] = {} if report is None else {"report": report}
    print_result(found, is_json=json, write=found.save_report, **written)


@app.command("remove")
def _remove(
    names: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Names or ids, or how they begin.", show_default=False)
    ],
    runs: RunsOption = None,
    json: JsonOption = False,
) -> None:
    """Remove runs with all that they have found; one that is being worked on is refused.

    Examples: [bold]nashgap runs remove solve-leduc[/bold], [bold]nashgap runs remove 1f2e3d 4a5b6c[/bold]
    """
    from nashgap.runs import default_root, find_run

    found = [find_run(runs or default_root(), name) for name in names]
    for run in found:
        run.remove()
        if not json:
            print(f"removed {run.name}")
    if json:
        print_json({"removed": [run.name for run in found]})


def _document(summary: RunSummary) -> dict[str, Any]:
    progress = summary.progress
    return {
        "name": summary.name,
        "id": summary.name.rpartition("-")[2],
        "kind": None if summary.config is None else summary.config.kind,
        "status": summary.status,
        "finished_at": summary.finished_at,
        "summary": summary.summary or None,
        "done": None if progress is None else progress.done,
        "total": None if progress is None else progress.total,
        "unit": None if progress is None else progress.unit,
        "seconds": summary.seconds,
        "problem": summary.problem or None,
        "run": str(summary.folder),
    }


def _short(value: object) -> str:
    """A value of a config in a line, empty for an empty one; `--json` has all of it.

    What has a name is told by it with its parameters, and of many entries and lines there is only the number.
    """
    from nashgap.reports.layout import cell_text

    match value:
        case {"name": str(name), **others} if not any(isinstance(each, int | float) for each in others.values()):
            parameters = [text for key in PARAMETERS for text in _parameters(others.get(key))]
            return f"{name}({','.join(parameters)})" if parameters else name
        case dict():
            parts = [f"{key} {text}" for key, each in value.items() if (text := _short(each))]
        case list():
            parts = list(filter(None, map(_short, value)))
            if any(", " in part for part in parts):  # tables that are not told by a name
                return f"{len(parts)} entries"
        case str() if "\n" in value.strip():
            return f"{len(value.splitlines())} lines"
        case _:
            return cell_text(value)
    return ", ".join(parts) if len(parts) <= MOST_ENTRIES else f"{len(parts)} entries"


def _parameters(values: object) -> list[str]:
    """Of something that has a name, as they are typed: `players=3`."""
    match values:
        case dict():
            return [f"{key}={text}" for key, each in values.items() if (text := _parameter(each))]
        case list():
            return list(map(_parameter, values))
    return []


def _parameter(value: object) -> str:
    return str(value) if type(value) in (int, float) else _short(value)


def _when(summary: RunSummary) -> str:
    """`2026-11-16 19:18 UTC`; empty where it is not finished."""
    from nashgap.runs.progress import moment

    return "" if summary.finished_at is None else moment(summary.finished_at)


def _done(summary: RunSummary) -> str:
    from nashgap.reports.runs import done_text

    return done_text(summary)


def _place(environment: dict[str, Any]) -> str:
    """Where a run was worked on, in a line; `--json` has all of it."""
    told = {"nashgap": "nashgap {}", "python": "Python {}", "platform": "{}", "cpu": "{}", "cores": "{} cores"}
    return ", ".join(text.format(environment[key]) for key, text in told.items() if key in environment)
