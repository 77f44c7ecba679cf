"""`nashgap runs list|show|resume`: the runs in a folder."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nashgap.cli.options import SAVE_SECONDS, JsonOption, QuietOption, RunsOption, SaveEveryOption
from nashgap.cli.output import human_seconds, print_json, print_rows, print_table, results_only
from nashgap.cli.progress import progress_line, resumable

if TYPE_CHECKING:
    from nashgap.core.job import BatchJob
    from nashgap.runs import Run, RunSummary

__all__ = ["CONTINUED_BY", "app"]

app = typer.Typer(no_args_is_help=True, help="List, show and resume runs.")

# What plays on and prints the outcome, by the kind of the run; the end of others is only told.
CONTINUED_BY = {
    "match": "nashgap.cli.match:run_match",
    "lbr": "nashgap.cli.measure_lbr:run_lbr",
    "dataset": "nashgap.cli.explain_dataset:run_dataset",
    "tournament": "nashgap.cli.tournament:run_tournament",
}

MOST_ENTRIES = 12  # of a table or list that is shown in a line

RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="Its name or id, or how one of them begins.", show_default=False)
]


@app.command("list")
def _list(runs: RunsOption = None, json: JsonOption = False) -> None:
    """List the runs with how far they have come.

    Examples: [bold]nashgap runs list[/bold], [bold]nashgap runs list --runs results --json[/bold]
    """
    from nashgap.runs import default_root, list_runs

    root = runs or default_root()
    found = list_runs(root)
    if json:
        print_json({"runs": [_document(summary) for summary in found]})
        return
    if not found:
        print(f"no runs in {root}")
        return
    rows = [(each.folder.name, each.status, _done(each), human_seconds(each.seconds)) for each in found]
    print_table(("run", "status", "done", "time"), rows, right=(3,), fixed=(1,))


@app.command("show")
def _show(run: RunArgument, runs: RunsOption = None, json: JsonOption = False) -> None:
    """Show what a run is, how far it has come and what it found.

    Examples: [bold]nashgap runs show solve-leduc[/bold], [bold]nashgap runs show 1f2e3d --json[/bold]
    """
    from nashgap.runs import default_root, find_run, list_runs

    root = runs or default_root()
    found = find_run(root, run)
    summary = next(each for each in list_runs(root) if each.folder == found.folder)
    result = found.load_result()
    report = str(found.report_path) if found.report_path.exists() else None
    config = found.config
    if json:
        told = {"version": config.version, "identity": config.identity, "budget": config.budget}
        print_json({**_document(summary), **told, "result": result, "report": report})
        return
    print_rows(
        {
            "run": found.name,
            "status": summary.status,
            "done": _done(summary),
            "time": human_seconds(summary.seconds),
            **{key: _short(value) for key, value in config.identity.items()},
            **config.budget,
            **{key: _short(value) for key, value in (result or {}).items() if key not in ("seconds", "notes")},
            "report": report or "none yet",
        }
    )


@app.command("resume")
def _resume(
    run: RunArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write a solve's strategy there.")
    ] = None,
    quantise: Annotated[
        bool, typer.Option("--quantise", metavar="", help="One byte an action in the file of a recipe, not 4.")
    ] = False,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes, for a run of batches.")] = 1,
    runs: RunsOption = None,
    save_every: SaveEveryOption = SAVE_SECONDS,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Continue a run that was stopped or killed; a finished one answers at once.

    Examples: [bold]nashgap runs resume solve-leduc[/bold],
    [bold]nashgap runs resume 1f2e3d -o leduc.safetensors[/bold]
    """
    from nashgap.catalogue import JOBS
    from nashgap.cli.solve import run_job
    from nashgap.cli.solve_recipe import run_recipe
    from nashgap.core.array_file import check_writable
    from nashgap.errors import ConfigError
    from nashgap.jobs.recipe_forecast import forecast_recipe, require_memory
    from nashgap.jobs.recipe_job import RecipeJob
    from nashgap.jobs.solve_job import SolveJob
    from nashgap.runs import default_root, find_run
    from nashgap.runs.executors import check_settings

    found = find_run(runs or default_root(), run)
    config = found.config
    with results_only():
        job = JOBS.load(config.kind).from_config(config.identity, config.budget, found.folder)
    check_settings(job, workers=workers, checkpoint_seconds=save_every)
    if quantise and not isinstance(job, RecipeJob):
        raise ConfigError(f"--quantise is for a recipe; {found.name} is a run of kind {config.kind!r}")
    if isinstance(job, SolveJob):
        if output is not None:
            check_writable(output)
        run_job(job, found, output, save_every=save_every, is_quiet=quiet, is_json=json)
    elif isinstance(job, RecipeJob):
        if output is not None:
            check_writable(output)
        require_memory(forecast_recipe(job))
        run_recipe(job, found, output, is_quantised=quantise, save_every=save_every, is_quiet=quiet, is_json=json)
    elif output is not None:
        raise ConfigError(f"--output is for a solve; {found.name} is a run of kind {config.kind!r}")
    elif config.kind in CONTINUED_BY:
        module, _, attribute = CONTINUED_BY[config.kind].partition(":")
        continue_run = getattr(import_module(module), attribute)
        continue_run(job, found, workers=workers, is_quiet=quiet, is_json=json)
    else:
        _resume_batches(job, found, workers, quiet, json)


def _resume_batches(job: BatchJob, run: Run, workers: int, is_quiet: bool, is_json: bool) -> None:
    from nashgap.runs import execute

    message = f"interrupted; what is finished is kept; continue with: {run.resume_command()}"
    with resumable(message), progress_line(is_quiet) as on_progress:
        batches = execute(job, run, workers=workers, on_progress=on_progress)
    if is_json:
        print_json({"name": run.name, "status": "finished", "run": str(run.folder), "batches": batches})
    else:
        print(f"{run.name} is finished: {len(batches):,} batches")


def _document(summary: RunSummary) -> dict[str, Any]:
    progress = summary.progress
    return {
        "name": summary.folder.name,
        "id": summary.folder.name.rpartition("-")[2],
        "kind": None if summary.config is None else summary.config.kind,
        "status": summary.status,
        "done": None if progress is None else progress.done,
        "total": None if progress is None else progress.total,
        "unit": None if progress is None else progress.unit,
        "seconds": summary.seconds,
        "problem": summary.problem or None,
        "run": str(summary.folder),
    }


def _short(value: object) -> object:
    """Tables in a list or table are only counted, and so are many entries and lines of a text; `--json` has them."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if any(isinstance(each, dict) for each in inner) or len(inner) > MOST_ENTRIES:
        return f"{len(inner)} entries"
    if isinstance(value, str) and "\n" in value.strip():
        return f"{len(value.splitlines())} lines"
    return value


def _done(summary: RunSummary) -> str:
    progress = summary.progress
    if progress is None:
        return summary.problem or "nothing yet"
    total = "" if progress.total is None else f" of {progress.total:,.0f}"
    return f"{progress.done:,.0f}{total} {progress.unit}"
