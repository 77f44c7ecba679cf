"""`nashgap solve GAME_OR_RECIPE`: find a strategy close to equilibrium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import (
    DEFAULT_SOLVER,
    SAVE_SECONDS,
    JsonOption,
    QuietOption,
    RunsOption,
    SaveEveryOption,
    SeedOption,
)
from nashgap.cli.output import human_bytes, human_seconds, number, print_json, print_rows, print_table, say
from nashgap.cli.progress import progress_line, resumable

if TYPE_CHECKING:
    from nashgap.core.tree import GameTree
    from nashgap.jobs.solution import Solution
    from nashgap.jobs.solve_job import SolveJob
    from nashgap.jobs.solve_run import Forecast
    from nashgap.runs import Run

__all__ = ["print_solution", "run_job", "solve"]

LP = "lp"
LARGE_GAME = 500_000  # histories
RUN_OPTIONS = "How long"
METHOD_OPTIONS = "Method, for a game"
RECIPES = "For a recipe"


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME_OR_RECIPE",
            help="A small game such as leduc(players=3), or a recipe such as ir16 or my.toml; see nashgap list.",
            show_default=False,
        ),
    ],
    solver: Annotated[
        str, typer.Option(metavar="NAME", help="See nashgap list solvers.", rich_help_panel=METHOD_OPTIONS)
    ] = DEFAULT_SOLVER,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="In total; 1000, or a recipe's minutes, if nothing says how long.",
            rich_help_panel=RUN_OPTIONS,
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="M", help="Of solving, in total over all resumes.", rich_help_panel=RUN_OPTIONS),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            metavar="NASHCONV",
            help="Stop once nash_conv is this small, in the game's unit; not counting frozen players.",
            rich_help_panel=RUN_OPTIONS,
        ),
    ] = None,
    seed: SeedOption = 0,
    simultaneous: Annotated[
        bool,
        typer.Option("--simultaneous", metavar="", help="Update all players at once.", rich_help_panel=METHOD_OPTIONS),
    ] = False,
    freeze: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER=STRATEGY",
            help="This player (1, 2, ...) keeps this strategy; may be repeated.",
            rich_help_panel=METHOD_OPTIONS,
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="STRATEGY", help="All players begin with it.", rich_help_panel=METHOD_OPTIONS),
    ] = None,
    threads: Annotated[
        int, typer.Option(metavar="N", help="Of a recipe; with 1 the numbers repeat exactly.", rich_help_panel=RECIPES)
    ] = 1,
    quantise: Annotated[
        bool,
        typer.Option(
            "--quantise", metavar="", help="One byte an action in a recipe's file, not 4.", rich_help_panel=RECIPES
        ),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the strategy there.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", metavar="", help="Say how much memory and time it takes; write nothing.")
    ] = False,
    runs: RunsOption = None,
    save_every: SaveEveryOption = SAVE_SECONDS,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Solve a small game and measure it exactly, or train a poker strategy by a recipe.

    The work is a run: stopped or killed, the same command continues it; finished, it answers at once.

    Examples: [bold]nashgap solve leduc -o leduc.safetensors[/bold],
    [bold]nashgap solve leduc --solver lp --json[/bold],
    [bold]nashgap solve "kuhn(players=3)" --freeze 3=always-call --until 0.001[/bold]

    By a recipe: [bold]nashgap solve ir16 --dry-run[/bold],
    [bold]nashgap solve ir16 --minutes 20 --threads 2 -o ir16.safetensors[/bold]
    """
    from nashgap.core.array_file import check_writable
    from nashgap.jobs.solve_job import Budget, Method, SolveJob
    from nashgap.jobs.solve_run import forecast, open_solve
    from nashgap.runs.executors import check_settings
    from nashgap.solvers.recipe import is_recipe

    if is_recipe(game):
        from nashgap.cli.solve_recipe import solve_recipe

        _refuse(
            f"recipe {game!r} says how to solve",
            "games",
            {
                "--solver": solver != DEFAULT_SOLVER, "--until": until, "--simultaneous": simultaneous,
                "--freeze": freeze, "--start": start,
            },
        )  # fmt: skip
        solve_recipe(
            game, iterations=iterations, minutes=minutes, seed=seed, threads=threads, output=output, runs=runs,
            is_quantised=quantise, is_dry=dry_run, save_every=save_every, is_quiet=quiet, is_json=json,
        )  # fmt: skip
        return
    _require_known(game)
    _refuse(f"{game!r} is no recipe", "recipes", {"--threads": threads != 1, "--quantise": quantise})
    method = Method(solver, seed, not simultaneous, start, _parse_frozen(freeze or []))
    if solver == LP:
        _refuse(
            "solver 'lp' solves the whole game at once",
            "the other solvers",
            {
                "--iterations": iterations, "--minutes": minutes, "--until": until, "--simultaneous": simultaneous,
                "--freeze": freeze, "--start": start,
            },
        )  # fmt: skip
    budget = Budget(iterations, minutes, until)
    if output is not None and not dry_run:
        check_writable(output)
    tree = _compile(game, is_quiet=quiet)
    if solver == LP:
        _solve_lp(tree, output, is_dry=dry_run, is_quiet=quiet, is_json=json)
        return
    job = SolveJob(tree, method, budget)
    check_settings(job, checkpoint_seconds=save_every)
    if dry_run:
        _print_forecast(forecast(job), is_json=json)
        return
    run = open_solve(job, runs)
    if run is None:
        say("the run of this solve has done more iterations already: solved afresh, in memory")
    run_job(job, run, output, save_every=save_every, is_quiet=quiet, is_json=json)


def run_job(
    job: SolveJob, run: Run | None, output: Path | None, *, save_every: float, is_quiet: bool, is_json: bool
) -> None:
    """Solve to the end with a progress line, in the run or in memory, and print the outcome."""
    from nashgap.jobs.solve_run import continue_solve, sizes, solve_in_memory

    if not is_quiet:
        _say_size(sizes(job))
    how = "nothing was kept" if run is None else f"saved; continue with: {run.resume_command(output)}"
    with resumable(f"interrupted; {how}"), progress_line(is_quiet) as on_progress:
        if run is None:
            solution = solve_in_memory(job, on_progress=on_progress)
        else:
            solution = continue_solve(job, run, on_progress=on_progress, checkpoint_seconds=save_every)
    print_solution(solution, output, run, is_json=is_json)


def print_solution(solution: Solution, output: Path | None, run: Run | None, *, is_json: bool) -> None:
    """Write the strategy file where one is wanted, and print the outcome."""
    if output is not None:
        solution.save(output)
    places = {
        "output": None if output is None else str(output),
        "run": None if run is None else str(run.folder),
        "report": None if run is None or not run.report_path.exists() else str(run.report_path),
    }
    if is_json:
        print_json({**solution.as_dict(), **places})
        return
    tree = solution.strategy.tree
    unit_of_work = "pivots" if solution.solver == LP else "iterations"
    took = human_seconds(solution.seconds)
    print(f"{tree.game} solved by {solution.solver}: {solution.iterations:,} {unit_of_work} in {took}, in {tree.unit}")
    gains = [""] * len(solution.values) if solution.gains is None else [number(gain) for gain in solution.gains]
    values = map(number, solution.values)
    rows = [(str(player), *row) for player, row in enumerate(zip(values, gains, strict=True), start=1)]
    print_table(("player", "value", "best response gains"), rows, right=(1, 2))
    told: dict[str, object] = {}
    if solution.nash_conv is not None and solution.exploitability is not None:
        told = {"nash_conv": number(solution.nash_conv), "exploitability": number(solution.exploitability)}
    print_rows({**told, **{key: place for key, place in places.items() if place}})
    for note in solution.notes:
        print(note)


def _require_known(text: str) -> None:
    """ConfigError where the text is a mere name, and of nothing that can be solved."""
    from nashgap.catalogue import GAMES, POKER_GAMES, RECIPES, unknown_name

    names = {*GAMES.entries, *POKER_GAMES.entries, *RECIPES.entries}
    if re.fullmatch(r"[\w-]+", text) and text not in names:
        raise unknown_name("game or recipe", text, names)


def _parse_frozen(texts: list[str]) -> dict[int, str]:
    """Players (0-based) and their strategies from texts such as `2=always-call`."""
    from nashgap.errors import ConfigError

    frozen: dict[int, str] = {}
    for text in texts:
        player, equals, strategy = text.partition("=")
        if not (equals and strategy and player.isascii() and player.isdigit()):
            raise ConfigError(f"--freeze {text!r}; it must be PLAYER=STRATEGY, such as 2=always-call")
        if int(player) - 1 in frozen:
            raise ConfigError(f"--freeze names player {player} twice")
        frozen[int(player) - 1] = strategy
    return frozen


def _refuse(reason: str, others: str, options: dict[str, object]) -> None:
    """ConfigError where one of these options is given, which are for others."""
    from nashgap.errors import ConfigError

    if given := [name for name, value in options.items() if value]:
        raise ConfigError(f"{reason}; {', '.join(given)} is for {others}")


def _compile(spec: str, *, is_quiet: bool) -> GameTree:
    """The compiled game; one that takes a while to compile has its size told beforehand."""
    from nashgap.games.compiled import load_tree

    def tell(num_histories: float) -> None:
        if not is_quiet and num_histories >= LARGE_GAME:
            say(f"{spec}: about {num_histories / 1e6:.2g} million histories")

    return load_tree(spec, on_estimate=tell)


def _solve_lp(tree: GameTree, output: Path | None, *, is_dry: bool, is_quiet: bool, is_json: bool) -> None:
    from nashgap.jobs.solution import solve_exactly
    from nashgap.jobs.solve_run import forecast_lp
    from nashgap.solvers.sequence_lp import require_lp_game

    require_lp_game(tree)
    expected = forecast_lp(tree)
    if is_dry:
        _print_forecast(expected, is_json=is_json)
        return
    if not is_quiet:
        _say_size(expected)
    with resumable("interrupted; nothing was kept"):
        solution = solve_exactly(tree)
    print_solution(solution, output, None, is_json=is_json)


def _print_forecast(expected: Forecast, *, is_json: bool) -> None:
    if is_json:
        print_json({"dry_run": True, **expected.as_dict()})
        return
    unknown = "not known beforehand"
    rate, seconds, iterations = expected.iterations_per_second, expected.seconds, expected.iterations
    print_rows(
        {
            "game": expected.game,
            "solver": expected.solver,
            "histories": number(expected.nodes),
            "information sets": number(expected.information_sets),
            "slots": number(expected.slots),
            "memory": f"about {human_bytes(expected.bytes)}",
            "rate": unknown if rate is None else f"about {rate:,.0f} iterations a second",
            "iterations": unknown if iterations is None else number(iterations),
            "time": unknown if seconds is None else f"about {human_seconds(seconds)}",
        }
    )


def _say_size(expected: Forecast) -> None:
    sizes = f"{expected.nodes:,} histories, {expected.information_sets:,} information sets"
    say(f"{expected.game}: {sizes}, {human_bytes(expected.bytes)} for the compiled game and state")
