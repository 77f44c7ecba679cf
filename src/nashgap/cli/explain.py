"""`nashgap explain dataset|fit|rules|prototypes|rivers|distance|quiz`: strategies that a person can remember."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from nashgap.cli.explain_quiz import quiz
from nashgap.cli.options import (
    ClusterOption,
    FreshOption,
    JsonOption,
    QuietOption,
    RunsOption,
    SeedOption,
    WorkersOption,
    kept_in,
    workers_of,
)
from nashgap.cli.output import check_page, print_result, results_only, unsaved_printed

__all__ = ["LearnerName", "app"]

app = typer.Typer(no_args_is_help=True, help="Learn strategies that a person can remember, and what they cost.")
app.command("quiz")(quiz)

DeckOption = Annotated[int, typer.Option(metavar="N", help="Number of cards.")]
StackOption = Annotated[float, typer.Option(metavar="DOLLARS", help="The largest bet.")]
StepOption = Annotated[float, typer.Option(metavar="DOLLARS", help="Bets are multiples of it.")]
AnteOption = Annotated[float, typer.Option(metavar="DOLLARS", help="What each player puts in beforehand.")]
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
PageOption = Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with the charts.")]
ThreadsOption = Annotated[int, typer.Option(metavar="N", help="For the search of similar games.")]
MetricOption = Annotated[str, typer.Option(metavar="NAME", help="How similar games are: emd, l1 or l2.")]


class LearnerName(StrEnum):
    """What can learn."""

    TREE = "tree"
    NEIGHBOURS = "neighbours"


@app.command("dataset")
def _dataset(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file of the games.", show_default=False)
    ],
    games: Annotated[int, typer.Option(metavar="N", help="How many to solve.")] = 100_000,
    deck: DeckOption = 10,
    stack: StackOption = 3.0,
    step: StepOption = 0.1,
    ante: AnteOption = 0.5,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    fresh: FreshOption = False,
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
    import nashgap as ng

    def print_found(found: Any, output: Path | None) -> None:
        print_result(found, is_json=json, has_fresh=True, file=output)

    with unsaved_printed(print_found), results_only():
        found = ng.explain.dataset(
            games, deck=deck, stack=stack, step=step, ante=ante, seed=seed, output=output,
            workers=workers_of(workers, cluster), run=kept_in(runs), fresh=fresh, progress=not quiet,
        )  # fmt: skip
    print_found(found, output)


@app.command("fit")
def _fit(
    games: GamesArgument,
    learner: Annotated[LearnerName, typer.Option(help="A tree, or the most similar games.")] = LearnerName.TREE,
    representation: Annotated[
        str, typer.Option(metavar="NAME", help="What a tree is given: cdf, pdf, cdf+card, ..., pdf+card-cdf:bet.")
    ] = "pdf+card-cdf",
    depth: Annotated[int, typer.Option(metavar="N", help="Of the tree.")] = 10,
    neighbours: Annotated[int, typer.Option(metavar="K", help="How many similar games are averaged.")] = 1,
    metric: MetricOption = "emd",
    choice: ChoiceOption = "solver",
    train: TrainOption = None,
    test: TestOption = None,
    report: PageOption = None,
    threads: ThreadsOption = 1,
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
    import nashgap as ng

    check_page(report)
    found = ng.explain.fit(
        games, learner=learner.value, representation=representation, depth=depth, neighbours=neighbours, metric=metric,
        choice=choice, train=train, test=test, threads=threads, progress=not quiet,
    )  # fmt: skip
    print_result(found, is_json=json, write=found.write_page, report=report)


@app.command("rules")
def _rules(
    games: GamesArgument,
    max_rules: Annotated[int, typer.Option("--max-rules", metavar="N", help="At most so many rules.")] = 8,
    choice: ChoiceOption = "solver",
    train: TrainOption = None,
    test: TestOption = None,
    report: PageOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Find a few rules that make a whole strategy, and measure what they cost.

    The rules are searched for the least exploitability in games to learn from,
    given round numbers, and priced in games they have not seen, beside the two
    rules of Ganzfried & Yusuf (2017), similar games, their tree, and checking.

    Examples: [bold]nashgap explain rules games.safetensors[/bold],
    [bold]nashgap explain rules games.safetensors --max-rules 4 --report rules.html[/bold]
    """
    import nashgap as ng

    check_page(report)
    found = ng.explain.rules(
        games, max_rules=max_rules, choice=choice, train=train, test=test, progress=not quiet
    )  # fmt: skip
    print_result(found, is_json=json, write=found.write_page, report=report)


@app.command("rivers")
def _rivers(
    spots: Annotated[int, typer.Option(metavar="N", help="Random rivers to solve; a fifth is kept for prices.")] = 1000,
    seed: SeedOption = 0,
    report: PageOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    runs: RunsOption = None,
    fresh: FreshOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Find rules for real rivers, and measure what they cost on unseen boards.

    Random boards, ranges and stacks with one bet left are solved by the range
    solver. Rules for betting, bluffing and calling are searched for the least
    price, beside trees, similar hands and simple ways to play. Prices are exact:
    what a best response takes, and what is lost to the equilibrium, in percent
    of the pot, on boards that nothing was learned from.

    Examples: [bold]nashgap explain rivers[/bold], [bold]nashgap explain rivers --spots 200 --seed 1[/bold]
    """
    import nashgap as ng

    check_page(report)
    with results_only():
        found = ng.explain.rivers(
            spots, seed=seed, workers=workers_of(workers, cluster), run=kept_in(runs), fresh=fresh, progress=not quiet
        )  # fmt: skip
    print_result(found, is_json=json, has_fresh=True, write=found.write_page, report=report)


@app.command("prototypes")
def _prototypes(
    games: GamesArgument,
    counts: Annotated[str, typer.Option(metavar="N,N,...", help="How many games to memorise.")] = "5,10,20",
    metric: MetricOption = "emd",
    candidates: Annotated[int, typer.Option(metavar="N", help="Games that are tried.")] = 800,
    judged: Annotated[int, typer.Option(metavar="N", help="Games that they are judged by.")] = 1600,
    choice: ChoiceOption = "solver",
    train: TrainOption = None,
    test: TestOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = 1,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Find the best few games to memorise: a new game is played as the most similar of them.

    Chosen for their price, which is what a best response takes on average in
    games that they were not chosen by. Beside them: as many random games, all
    games, and never betting.

    Examples: [bold]nashgap explain prototypes games.safetensors[/bold],
    [bold]nashgap explain prototypes games.safetensors --counts 3 --json[/bold]
    """
    import nashgap as ng

    found = ng.explain.prototypes(
        games, counts=_parse_counts(counts), metric=metric, candidates=candidates, judged=judged, choice=choice,
        train=train, test=test, seed=seed, threads=threads, progress=not quiet,
    )  # fmt: skip
    print_result(found, is_json=json)


@app.command("distance")
def _distance(
    first: Annotated[Path, typer.Argument(metavar="A", help="A strategy file.", show_default=False)],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another, of the same game.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Measure how far two strategies of the same game are apart, from 0 to 1.

    In each information set by the earth mover's distance over the actions in
    their order (fold, call, raises by size), as in Algorithm 2 of Ganzfried &
    Yusuf (2017), with L1 and L2 beside it; then the mean, and the ten
    information sets that differ most.

    Examples: [bold]nashgap explain distance leduc.safetensors other.safetensors[/bold],
    [bold]nashgap explain distance early.safetensors late.safetensors --json[/bold]
    """
    import nashgap as ng

    print_result(ng.explain.distance(first, second), is_json=json)


def _parse_counts(text: str) -> list[int]:
    from nashgap.errors import ConfigError

    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdecimal() and int(word) > 0 for word in words):
        raise ConfigError(f"--counts {text}: it must be whole numbers above 0, by commas, such as 5,10,20")
    return list(map(int, words))
