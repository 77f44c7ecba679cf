"""`nashgap demo`: train a small no-limit bot, measure it and some chumps by Local Best Response, say where it leaks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nashgap.cli.options import JsonOption, QuietOption, RunsOption, SeedOption, WorkersOption
from nashgap.cli.output import print_json, print_rows, print_table, results_only, say, significant
from nashgap.cli.progress import progress_line, resumable

__all__ = ["demo"]

RECIPE = "hunl-fcpa-small"
CHUMPS = ("always-fold", "always-call", "half-call-half-raise", "random")
BETS = "56"


def demo(
    minutes: Annotated[float, typer.Option(metavar="M", min=0.01, help="Of training the bot.")] = 1.0,
    hands: Annotated[int, typer.Option(metavar="N", min=4, help="Deals for each measurement.")] = 2000,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="For the bot and its report.", file_okay=False)
    ] = Path("demo"),
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Train a small no-limit hold'em bot, measure it and some chumps, and report where it leaks.

    What is finished is kept: the same command continues where it was stopped.

    Examples: [bold]nashgap demo[/bold], [bold]nashgap demo --minutes 5 --hands 20000 --workers 2[/bold]
    """
    from nashgap.core.array_file import check_writable
    from nashgap.jobs.lbr_run import continue_lbr, lbr_seconds
    from nashgap.jobs.recipe_forecast import forecast_recipe, require_memory
    from nashgap.jobs.recipe_job import RecipeBudget, RecipeJob
    from nashgap.jobs.recipe_run import continue_recipe, open_recipe, train_in_memory
    from nashgap.measures.lbr_job import LbrJob
    from nashgap.measures.local_best_response import LbrOptions
    from nashgap.runs import open_run, package_version
    from nashgap.solvers.recipe import load_recipe

    output.mkdir(parents=True, exist_ok=True)
    bot, page = output / f"{RECIPE}.safetensors", output / "leaks.html"
    check_writable(bot)
    training = RecipeJob(load_recipe(RECIPE), RecipeBudget(minutes=minutes), seed=seed)
    require_memory(forecast_recipe(training))
    message = "interrupted; what is finished is kept; the same command continues"
    with resumable(message), progress_line(quiet) as on_progress, results_only():
        if not quiet:
            say(f"{RECIPE} is trained for {minutes:g} minutes; the first time its tables take some seconds more")
        trained = open_recipe(training, runs)
        if trained is None:  # its run has gone on for longer
            train_in_memory(training, on_progress=on_progress).save(bot)
        else:
            continue_recipe(training, trained, on_progress=on_progress).save(bot)
    rows: list[tuple[str, ...]] = []
    told: list[dict[str, Any]] = []
    for strategy in (*CHUMPS, str(bot)):
        job = LbrJob(training.recipe.rules, (strategy,), hands, LbrOptions(BETS), seed, has_leaks=strategy == str(bot))
        run = open_run(job, runs)
        with resumable(message), progress_line(quiet) as on_progress, results_only():
            if not quiet:
                say(f"{strategy} is measured")
            result = continue_lbr(
                job, run, workers=workers, on_progress=on_progress, leak_path=page if job.has_leaks else None
            )
        bound, seconds = result.estimate, lbr_seconds(run)
        name = RECIPE if strategy == str(bot) else strategy
        interval = str(bound).removesuffix(f" {bound.unit}")
        rows.append((name, interval, significant(bound.lower_bound_975), f"{result.plays / seconds:,.0f}"))
        told.append({"strategy": name, **result.as_dict(), "seconds": seconds})
    if json:
        kept = {"file": str(bot), "report": str(page), "version": package_version()}
        print_json({"game": training.recipe.rules.name, "measured": told, **kept})
        return
    print(f"What Local Best Response wins in {training.recipe.rules.name}, mbb_per_hand; a best response wins more")
    print_table(("strategy", "LBR wins", "at least (97.5%)", "hands a second"), rows, right=(1, 2, 3))
    print_rows({"the bot": bot, "where it leaks": page, "folding every hand": "loses 750"})
