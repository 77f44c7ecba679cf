"""`nashgap solve RECIPE`: train a poker strategy in an abstract game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nashgap.cli.output import human_bytes, human_seconds, number, print_json, print_rows, print_table, say
from nashgap.cli.progress import progress_line, resumable

if TYPE_CHECKING:
    from nashgap.runs import Run
    from nashgap.jobs.recipe_forecast import RecipeForecast
    from nashgap.jobs.recipe_job import RecipeJob
    from nashgap.jobs.recipe_run import Training

__all__ = ["run_recipe", "solve_recipe"]

MOST_LINES = 8
UNKNOWN = "not known beforehand"


def solve_recipe(
    text: str,
    *,
    iterations: int | None,
    minutes: float | None,
    seed: int,
    threads: int,
    output: Path | None,
    runs: Path | None,
    is_quantised: bool,
    is_dry: bool,
    save_every: float,
    is_quiet: bool,
    is_json: bool,
) -> None:
    """Train by the recipe in a run, or say what that takes."""
    from nashgap.runs import default_root
    from nashgap.runs.executors import check_settings
    from nashgap.jobs.recipe_forecast import forecast_recipe, require_memory, require_room
    from nashgap.jobs.recipe_job import RecipeBudget, RecipeJob
    from nashgap.jobs.recipe_run import open_recipe
    from nashgap.poker.streets import street_names
    from nashgap.solvers.recipe import load_recipe
    from nashgap.core.array_file import check_writable

    recipe = load_recipe(text)
    if iterations is None and minutes is None:
        minutes = recipe.minutes
    job = RecipeJob(recipe, RecipeBudget(iterations, minutes, threads), seed=seed)
    check_settings(job, checkpoint_seconds=save_every)
    expected = forecast_recipe(job)
    if is_dry:
        _print_forecast(expected, street_names(recipe.rules), is_json=is_json)
        return
    require_memory(expected)
    require_room("a saved state", expected.checkpoint_bytes, runs or default_root())
    if output is not None:
        check_writable(output)
        file_bytes = expected.quantised_bytes if is_quantised else expected.file_bytes
        require_room("the strategy", file_bytes, output.absolute().parent)
    run = open_recipe(job, runs)
    if run is None:
        say("the run of this recipe has done more iterations already: trained afresh, in memory")
    run_recipe(
        job, run, output, is_quantised=is_quantised, save_every=save_every, is_quiet=is_quiet, is_json=is_json
    )  # fmt: skip


def run_recipe(
    job: RecipeJob,
    run: Run | None,
    output: Path | None,
    *,
    is_quantised: bool,
    save_every: float,
    is_quiet: bool,
    is_json: bool,
) -> None:
    """Train to the end with a progress line, in the run or in memory, write the strategy and print the outcome."""
    from nashgap.jobs.recipe_forecast import forecast_recipe
    from nashgap.jobs.recipe_run import continue_recipe, train_in_memory

    expected = forecast_recipe(job)
    if not is_quiet:
        sizes = f"{human_bytes(expected.bytes)} of memory, {human_bytes(expected.disk_bytes)} of disk"
        say(f"{expected.recipe}: {expected.information_sets:,} information sets, {sizes}")
        if expected.table_bytes:
            say("card tables are loaded, or built where the cache has none")
    flags = " --quantise" if is_quantised else ""
    how = "nothing was kept" if run is None else f"saved; continue with: {run.resume_command(output)}{flags}"
    with resumable(f"interrupted; {how}"), progress_line(is_quiet) as on_progress:
        if run is None:
            training = train_in_memory(job, on_progress=on_progress)
        else:
            training = continue_recipe(job, run, on_progress=on_progress, checkpoint_seconds=save_every)
    if output is not None:
        training.save(output, is_quantised=is_quantised)
    _print_training(training, output, run, is_json=is_json)


def _print_training(training: Training, output: Path | None, run: Run | None, *, is_json: bool) -> None:
    told = training.as_dict()
    places = {
        "output": None if output is None else str(output),
        "run": None if run is None else str(run.folder),
        "report": None if run is None or not run.report_path.exists() else str(run.report_path),
    }
    if is_json:
        print_json({**told, **places})
        return
    took = human_seconds(told["seconds"])
    print(f"{told['recipe']} trained: {told['iterations']:,} iterations in {took}, in {told['unit']}")
    print_rows(
        {
            "average regret": number(told["average_regret"]),
            "deviation of a hand": number(told["stdev"]),
            "unvisited": f"{told['unvisited_share']:.2%} of the decisions in self-play",
            **{key: place for key, place in places.items() if place},
        }
    )
    literal, heads_up = told["first_folds"], told["first_folds_heads_up"]
    if training.job.recipe.rules.num_seats == 2:
        print_table(("betting", "%"), [(text, _percent(share)) for text, share in told["lines"].items()], right=(1,))
    else:
        rows = [(text, _percent(heads_up.get(text, 0.0)), _percent(share)) for text, share in literal.items()]
        rows = [*rows[:MOST_LINES], ("total", _percent(sum(heads_up.values())), _percent(sum(literal.values())))]
        print_table(("first fold", "two left %", "all %"), rows, right=(1, 2))
    for note in training.notes:
        print(note)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def _print_forecast(expected: RecipeForecast, rounds: Sequence[str], *, is_json: bool) -> None:
    if is_json:
        print_json({"dry_run": True, **expected.as_dict()})
        return
    rate, iterations, seconds = expected.iterations_per_second, expected.iterations, expected.seconds
    print_rows({"recipe": expected.recipe, "what": expected.title, "game": expected.game})
    columns = zip(rounds, expected.nodes_by_round, expected.buckets, expected.entries_by_round, strict=True)
    rows = [(name, *(f"{count:,}" for count in counts)) for name, *counts in columns]
    total = ("all", f"{sum(expected.nodes_by_round):,}", "", f"{expected.entries:,}")
    print_table(("round", "decision nodes", "buckets", "entries"), [*rows, total], right=(1, 2, 3))
    print_rows(
        {
            "information sets": f"{expected.information_sets:,}",
            "memory": f"{human_bytes(expected.bytes)}: entries {human_bytes(expected.entry_bytes)}, "
            f"tree {human_bytes(expected.tree_bytes)}, card tables {human_bytes(expected.table_bytes)}",
            "strategy file": f"{human_bytes(expected.file_bytes)}; {human_bytes(expected.quantised_bytes)} quantised",
            "checkpoints": f"{human_bytes(expected.checkpoint_bytes)} each, up to {human_bytes(expected.disk_bytes)}",
            "rate": UNKNOWN if rate is None else f"about {rate:,.0f} iterations a second, as once measured elsewhere",
            "iterations": UNKNOWN if iterations is None else f"about {iterations:,}",
            "time": UNKNOWN if seconds is None else f"about {human_seconds(seconds)}",
        }
    )
