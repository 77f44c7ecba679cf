"""`nashgap explain fit`: learn to play unseen games from solved ones, and what that costs."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nashgap.cli.options import JsonOption, QuietOption
from nashgap.cli.output import print_json, say

if TYPE_CHECKING:
    from nashgap.explanations.dataset import SolvedGames

__all__ = ["ChoiceOption", "GamesArgument", "LearnerName", "TestOption", "TrainOption", "fit", "load_split"]

GamesArgument = Annotated[
    Path, typer.Argument(metavar="GAMES", help="A file of `nashgap explain dataset`.", show_default=False)
]
TrainOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Games to learn from; else 80% of those in the file.", show_default=False),
]
TestOption = Annotated[
    int | None, typer.Option(metavar="N", help="Unseen games to test on; else the rest.", show_default=False)
]
ChoiceOption = Annotated[
    str,
    typer.Option(metavar="NAME", help="Which equilibrium is learned: solver, weakest-bluff or middle."),
]


class LearnerName(StrEnum):
    """What can learn."""

    TREE = "tree"
    NEIGHBOURS = "neighbours"


def fit(
    games: GamesArgument,
    learner: Annotated[LearnerName, typer.Option(help="A tree, or the most similar games.")] = LearnerName.TREE,
    representation: Annotated[
        str, typer.Option(metavar="NAME", help="What a tree is given: cdf, pdf, cdf+card, ..., pdf+card-cdf:bet.")
    ] = "pdf+card-cdf",
    depth: Annotated[int, typer.Option(metavar="N", help="Of the tree.")] = 10,
    neighbours: Annotated[int, typer.Option(metavar="K", help="How many similar games are averaged.")] = 1,
    metric: Annotated[str, typer.Option(metavar="NAME", help="How similar games are: emd, l1 or l2.")] = "emd",
    choice: ChoiceOption = "solver",
    train: TrainOption = None,
    test: TestOption = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with the charts.")] = None,
    threads: Annotated[int, typer.Option(metavar="N", help="For the search of similar games.")] = 1,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Learn to play unseen games, and measure what it costs.

    A learner sees games with their equilibria, then bets in games it has not
    seen. Its errors there: the distance to the equilibrium's bets (Ganzfried &
    Yusuf 2017, Algorithm 2), what a best response takes, and what it loses to
    the opponent's equilibrium, both exact; by games learned from and by depth.

    Examples: [bold]nashgap explain fit games.safetensors[/bold],
    [bold]nashgap explain fit games.safetensors --learner neighbours --neighbours 5[/bold],
    [bold]nashgap explain fit games.safetensors --depth 4 --report tree.html[/bold]
    """
    from nashgap.core.array_file import check_writable
    from nashgap.explanations.learners import NeighbourLearner, TreeLearner
    from nashgap.reports.fit import fit_and_score, fit_report
    from nashgap.reports.report import write_report
    from nashgap.reports.terminal import print_report

    chosen: NeighbourLearner | TreeLearner
    if learner is LearnerName.TREE:
        chosen = TreeLearner(representation, depth)
        options = ["--representation", representation, "--depth", str(depth)]
    else:
        chosen = NeighbourLearner(neighbours, metric, threads)
        options = ["--learner", "neighbours", "--neighbours", str(neighbours), "--metric", metric]
    if report is not None:
        check_writable(report)
    learned, unseen = load_split(games, train, test, choice)
    if not quiet:
        say(f"{chosen.name}: {len(learned):,} games to learn from, {len(unseen):,} to test on")
    result = fit_and_score(chosen, learned, unseen, choice)
    split = ["--train", str(len(learned)), "--test", str(len(unseen))]
    page = fit_report(
        result, shlex.join(["nashgap", "explain", "fit", str(games), *options, "--choice", choice, *split])
    )
    if report is not None:
        write_report(page, report)
    if json:
        print_json({**result.as_dict(), "report": str(report) if report else None})
    else:
        print_report(page, report)


def load_split(path: Path, train: int | None, test: int | None, choice: str) -> tuple[SolvedGames, SolvedGames]:
    """Games to learn from and unseen ones: the numbers asked for, else 80% and the rest."""
    from nashgap.errors import ConfigError
    from nashgap.explanations.dataset import load_games

    solved = load_games(path)
    if choice not in solved.chosen:
        raise ConfigError(f"no choice of equilibrium {choice!r}; there are {', '.join(solved.chosen)}")
    num_train = len(solved) * 4 // 5 if train is None else train
    num_test = len(solved) - num_train if test is None else test
    if num_test < 2:
        raise ConfigError(
            f"{num_test} games to test on; an interval needs at least 2, and {path} has {len(solved):,} in all"
        )
    return solved.split(num_train, num_test)
