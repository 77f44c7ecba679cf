"""`nashgap explain dataset`: random games of one bet, solved, to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption, RunsOption, SeedOption, WorkersOption
from nashgap.cli.output import print_json, print_rows, results_only, say
from nashgap.cli.progress import progress_line, resumable, say_forecast

if TYPE_CHECKING:
    from nashgap.explanations.dataset import SolvedGames
    from nashgap.explanations.dataset_job import DatasetJob
    from nashgap.runs import Run

__all__ = ["AnteOption", "DeckOption", "StackOption", "StepOption", "dataset", "run_dataset"]

DeckOption = Annotated[int, typer.Option(metavar="N", help="Number of cards.")]
StackOption = Annotated[float, typer.Option(metavar="DOLLARS", help="The largest bet.")]
StepOption = Annotated[float, typer.Option(metavar="DOLLARS", help="Bets are multiples of it.")]
AnteOption = Annotated[float, typer.Option(metavar="DOLLARS", help="What each player puts in beforehand.")]


def dataset(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file of the games.", show_default=False)
    ],
    games: Annotated[int, typer.Option(metavar="N", help="How many to solve.")] = 100_000,
    deck: DeckOption = 10,
    stack: StackOption = 3.0,
    step: StepOption = 0.1,
    ante: AnteOption = 0.5,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    runs: RunsOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Solve random games of the bet-size game, exactly, to learn from.

    Each game has its own random distribution of the two players' cards
    (Ganzfried & Yusuf 2017, Algorithms 3 and 4); the file has the
    distributions, both players' equilibrium strategies and the values. Where
    there are many equilibria it has three: the linear program's own, the one
    in which the worst hands make the largest bluffs, and one in the middle.

    What is finished is kept: the same command continues where it was stopped,
    and more games are added to those of the same seed.

    Examples: [bold]nashgap explain dataset --games 2000 -o games.safetensors[/bold],
    [bold]nashgap explain dataset --workers 2 -o games.safetensors[/bold]
    """
    from nashgap.core.array_file import check_writable
    from nashgap.explanations.bet_size_games import Stakes
    from nashgap.explanations.dataset_job import DatasetJob
    from nashgap.runs import open_run
    from nashgap.runs.executors import check_settings

    with results_only():
        job = DatasetJob(games, Stakes(deck, stack, step, ante), seed)
        check_settings(job, workers=workers)
        check_writable(output)
        run = open_run(job, runs)
    run_dataset(job, run, workers=workers, is_quiet=quiet, is_json=json, output=output)


def run_dataset(
    job: DatasetJob,
    run: Run,
    *,
    workers: int = 1,
    is_quiet: bool = False,
    is_json: bool = False,
    output: Path | None = None,
) -> None:
    """Solve what is missing, write the file, and print what is in it."""
    from nashgap.explanations.dataset import save_games
    from nashgap.jobs.dataset_run import continue_dataset, games_per_second

    path = output or run.folder / "games.safetensors"
    if not is_quiet:
        size = f"{job.games:,} games of {job.stakes.deck} cards and {job.stakes.num_bets} bets"
        say_forecast(size, job.games, run, job.num_batches, workers, lambda: games_per_second(job))
    how = "the same command continues" if output else f"continue with: {run.resume_command()}"
    message = f"interrupted; what is finished is kept; {how}"
    with resumable(message), progress_line(is_quiet) as on_progress, results_only():
        solved = continue_dataset(job, run, workers=workers, on_progress=on_progress)
        if not is_quiet:
            say(f"writing {path}")
        save_games(path, solved)
    facts = _facts(solved)
    if is_json:
        print_json({**facts, "unit": "dollars_per_hand", "file": str(path), "seed": job.seed, "run": str(run.folder)})
        return
    print_rows(
        {
            "games": f"{facts['games']:,}, seed {job.seed}",
            "value to player 1": f"{facts['mean_value']:.4f} dollars a hand on average,"
            f" {facts['least_value']:.3f} to {facts['largest_value']:.3f}",
            "more than one for player 1": f"{facts['share_with_many']:.0%} of the games have several equilibria",
            "file": str(path),
        }
    )


def _facts(solved: SolvedGames) -> dict[str, float]:
    import numpy as np

    weakest, middle = solved.bets("weakest-bluff"), solved.bets("middle")
    has_many = np.abs(weakest - middle).max(axis=(1, 2)) > 1e-6
    return {
        "games": len(solved),
        "mean_value": float(solved.value.mean()),
        "least_value": float(solved.value.min()),
        "largest_value": float(solved.value.max()),
        "share_with_many": float(has_many.mean()),
    }
