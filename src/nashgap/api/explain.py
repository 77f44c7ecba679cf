"""Strategies that a person can remember, and what they cost: `nashgap explain`, one function each."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from nashgap.core.array_file import check_writable
from nashgap.core.job import require_seed
from nashgap.core.result import Provenance, Result
from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import SolvedGames, load_games
from nashgap.explanations.distances import distance_named
from nashgap.explanations.fit import FitResult
from nashgap.explanations.fit import fit as fit_and_score
from nashgap.explanations.learners import NeighbourLearner, TreeLearner
from nashgap.explanations.prototype_prices import PricedPrototypes, price_prototypes
from nashgap.explanations.rule_study import RulesResult, find_rules
from nashgap.explanations.strategy_distance import StrategyDistance, compare_files
from nashgap.jobs.dataset import Dataset, DatasetJob
from nashgap.jobs.perform import Keep, naming_output, perform, saved
from nashgap.jobs.rivers import RiversJob, RiverStudy
from nashgap.runs.progress import Progressing, shown
from nashgap.runs.workers import Workers

__all__ = ["dataset", "distance", "fit", "prototypes", "rivers", "rules"]

LEARNERS = ("tree", "neighbours")
Games = Path | str | Dataset | SolvedGames
"""Solved games, or a file of them."""
Found = TypeVar("Found", bound=Result)


def dataset(
    games: int = 100_000,
    *,
    deck: int = 10,
    stack: float = 3.0,
    step: float = 0.1,
    ante: float = 0.5,
    seed: int = 0,
    output: Path | str | None = None,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> Dataset:
    """Solve random games of the bet-size game, exactly, to learn from (Ganzfried & Yusuf 2017, Algorithms 3 and 4).

    games:  how many; more are added to those of a run of the same seed.
    deck:   number of cards; stack: the largest bet, step: bets are multiples of it, ante: of each player; in dollars.
    output: the file that is written in the end; that it can be is checked at the beginning.
    """
    job = DatasetJob(Stakes(deck, stack, step, ante), seed, games=games)
    if output is not None:
        check_writable(Path(output))
    with naming_output(output):
        result: Dataset = perform(job, run=run, workers=workers, fresh=fresh, progress=progress)
    if output is not None:
        _note(progress, f"writing {output}")
    return saved(result, output)


def fit(
    games: Games,
    *,
    learner: str = "tree",
    representation: str = "pdf+card-cdf",
    depth: int = 10,
    neighbours: int = 1,
    metric: str = "emd",
    choice: str = "solver",
    train: int | None = None,
    test: int | None = None,
    threads: int = 1,
    progress: Progressing = None,
) -> FitResult:
    """Learn to play unseen games from solved ones, and measure what it costs.

    learner:        `tree`, with `representation` and `depth`; or `neighbours`, with their number, `metric` and threads.
    choice:         which equilibrium is learned: solver, weakest-bluff or middle.
    train, test:    numbers of games to learn from and to test on; 80% and the rest unless told.
    """
    if learner not in LEARNERS:
        raise ConfigError(f"learner = {learner!r}; it must be one of {', '.join(LEARNERS)}")
    chosen: NeighbourLearner | TreeLearner
    if learner == "tree":
        chosen = TreeLearner(representation, depth)
        options = ["--representation", representation, "--depth", str(depth)]
    else:
        chosen = NeighbourLearner(neighbours, metric, threads)
        options = ["--learner", "neighbours", "--neighbours", str(neighbours), "--metric", metric]
    learned, unseen = _split(games, train, test, choice)
    _note(progress, f"{chosen.name}: {len(learned):,} games to learn from, {len(unseen):,} to test on")
    result = fit_and_score(chosen, learned, unseen, choice)
    return _with_command(result, "fit", games, [*options, "--choice", choice], learned, unseen)


def rules(
    games: Games,
    *,
    max_rules: int = 8,
    choice: str = "solver",
    train: int | None = None,
    test: int | None = None,
    progress: Progressing = None,
) -> RulesResult:
    """Find a few rules that make a whole strategy, and measure what they cost in games they have not seen."""
    learned, unseen = _split(games, train, test, choice)
    _note(progress, f"rules: {len(learned):,} games to learn from, {len(unseen):,} to test on")
    with shown(progress) as show:
        result = find_rules(learned, unseen, max_rules, choice, on_note=show.note)
    return _with_command(result, "rules", games, ["--max-rules", str(max_rules), "--choice", choice], learned, unseen)


def prototypes(
    games: Games,
    *,
    counts: Sequence[int] = (5, 10, 20),
    metric: str = "emd",
    candidates: int = 800,
    judged: int = 1600,
    choice: str = "solver",
    train: int | None = None,
    test: int | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progressing = None,
) -> PricedPrototypes:
    """Find the best few games to memorise: a new game is played as the most similar of them.

    counts:     numbers of games to memorise.
    candidates: games that are tried, `judged`: games that they are judged by.
    """
    require_seed(seed)
    distance_named(metric)
    learned, unseen = _split(games, train, test, choice)
    tried = f"{candidates:,} games are tried on {judged:,} others"
    _note(progress, f"{tried}; prices are measured in {len(unseen):,} unseen ones")
    result = price_prototypes(
        learned,
        unseen,
        list(dict.fromkeys(counts)),
        seed=seed,
        choice=choice,
        metric=metric,
        num_candidates=candidates,
        num_judged=judged,
        threads=threads,
    )
    options = ["--counts", ",".join(map(str, counts)), "--metric", metric, "--choice", choice, "--seed", str(seed)]
    options += ["--candidates", str(candidates), "--judged", str(judged)]
    return _with_command(result, "prototypes", games, options, learned, unseen)


def rivers(
    spots: int = 1000,
    *,
    seed: int = 0,
    workers: Workers = 1,
    run: Keep = None,
    fresh: bool = False,
    progress: Progressing = None,
) -> RiverStudy:
    """Solve random rivers with one bet left, find rules for them, and measure what they cost on unseen boards.

    spots: how many; the last fifth is not learned from. More are added to those of a run of the same seed.
    """
    found: RiverStudy = perform(RiversJob(seed, spots), run=run, workers=workers, fresh=fresh, progress=progress)
    return found


def distance(first: Path | str, second: Path | str) -> StrategyDistance:
    """Measure how far two strategy files of the same game are apart, from 0 to 1."""
    found = compare_files(Path(first), Path(second))
    command = shlex.join(["nashgap", "explain", "distance", str(first), str(second)])
    return replace(found, first=str(first), second=str(second), provenance=Provenance(command))


def _split(games: Games, train: int | None, test: int | None, choice: str) -> tuple[SolvedGames, SolvedGames]:
    """Games to learn from and unseen ones: the numbers asked for, else 80% and the rest."""
    solved = games.games if isinstance(games, Dataset) else games
    if not isinstance(solved, SolvedGames):
        solved = load_games(Path(solved))
    if choice not in solved.chosen:
        raise ConfigError(f"no choice of equilibrium {choice!r}; there are {', '.join(solved.chosen)}")
    num_train = len(solved) * 4 // 5 if train is None else train
    num_test = len(solved) - num_train if test is None else test
    if num_test < 2:
        raise ConfigError(
            f"{num_test} games to test on; an interval needs at least 2, and there are {len(solved):,} in all"
        )
    return solved.split(num_train, num_test)


def _note(progress: Progressing, line: str) -> None:
    with shown(progress) as show:
        show.note(line)


def _with_command(
    result: Found, word: str, games: Games, options: list[str], learned: SolvedGames, unseen: SolvedGames
) -> Found:
    """The result with what to type for the same numbers, where the games came from a file."""
    if not isinstance(games, str | Path):
        return result
    split = ["--train", str(len(learned)), "--test", str(len(unseen))]
    command = shlex.join(["nashgap", "explain", word, str(games), *options, *split])
    return replace(result, provenance=Provenance(command))
