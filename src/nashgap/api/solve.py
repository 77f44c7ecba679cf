"""Find a strategy close to equilibrium: of a small game, exactly measured, or by a recipe for a large one."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nashgap.api.subjects import Subject, bot_of
from nashgap.catalogue import GAMES, POKER_GAMES, RECIPES, unknown_name
from nashgap.core.array_file import check_writable
from nashgap.core.game import Game
from nashgap.core.result import Provenance
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, GameSizeError, OptionError
from nashgap.games.compiled import load_tree
from nashgap.jobs.experts import ExpertSet, ExpertsForecast
from nashgap.jobs.perform import Interrupted, Keep, naming_output, perform, saved
from nashgap.jobs.solve import (
    DEFAULT_SOLVER,
    LP,
    Solution,
    SolveForecast,
    SolveJob,
    forecast_lp,
    forecast_solve,
    solve_by_lp,
)
from nashgap.jobs.train import TrainJob
from nashgap.jobs.train_forecast import TrainForecast, require_room
from nashgap.jobs.training import Training
from nashgap.runs.executors import CHECKPOINT_SECONDS
from nashgap.runs.progress import Progressing, shown
from nashgap.solvers.recipe import Recipe, is_recipe, load_recipe
from nashgap.strategies.load import load

__all__ = ["forecast", "performed", "solve"]

LARGE_GAME = 500_000  # histories


def solve(
    game: str | Game | GameTree | Recipe,
    *,
    solver: str | None = None,
    iterations: int | None = None,
    minutes: float | None = None,
    until: float | None = None,
    seed: int = 0,
    simultaneous: bool = False,
    freeze: Mapping[int, Subject] | None = None,
    start: Subject | None = None,
    threads: int | None = None,
    nodes: int | None = None,
    base: Subject | None = None,
    output: Path | str | None = None,
    quantise: bool = False,
    run: Keep = None,
    fresh: bool = False,
    save_every: float = CHECKPOINT_SECONDS,
    progress: Progressing = None,
) -> Solution | Training | ExpertSet:
    """Solve a small game and measure it exactly, or train a poker strategy by a recipe.

    game:         a game such as `leduc(players=3)`, `python:module:Game`, or a recipe such as `ir16` or `my.toml`.
    solver:       for a game; see `nashgap list solvers`. `cfr+` unless told.
    iterations:   in total; 1000, or a recipe's minutes, if nothing says how long.
    minutes:      of solving, in total over all resumes; of a recipe for several experts, for each.
    until:        stop once nash_conv is this small, in the game's unit, not counting frozen players; by a recipe that
                  of its abstract game, as responses measure it now and then, with its interval.
    simultaneous: for a game: update all players at once.
    freeze:       for a game: strategies that players (1, 2, ...) keep.
    start:        for a game: what all players begin with.
    threads:      of a recipe; with 1 the numbers repeat exactly.
    nodes:        of a recipe: processes that share the training by subtrees of the first round; the numbers repeat
                  exactly on any number of them, and are not those of training without.
    base:         of a recipe for experts: the strategy that they are for, where the recipe takes what it plays.
    output:       the strategy file that is written in the end; that it can be is checked at the beginning.
    quantise:     one byte an action in a recipe's file, not 4.
    run:          keep the work: stopped or killed, the same call continues it; finished, it answers at once.
    """
    asked = _Asked(solver, iterations, minutes, until, seed, simultaneous, freeze or {}, start, threads, base, nodes)
    how: dict[str, Any] = {"run": run, "fresh": fresh, "save_every": save_every, "progress": progress}
    if _is_recipe(game):
        recipe = _recipe_of(game)
        if len(recipe.after) > 1:
            return _experts(recipe, asked, output=output, quantise=quantise, **how)
        return performed(asked.train_job(recipe), output=output, quantise=quantise, **how)
    tree = asked.tree(game, progress, quantise=quantise)
    if solver != LP:
        return performed(asked.solve_job(tree), output=output, **how)
    if run:
        raise ConfigError("solver 'lp' solves the whole game at once and keeps no run")
    _check_output(output)
    solution = solve_by_lp(tree)
    return saved(solution, output)


def _experts(recipe: Recipe, asked: _Asked, *, output: Path | str | None, quantise: bool, **how: Any) -> ExpertSet:
    """One after the other; those that are trained already answer at once."""
    _check_output(output)
    jobs = [asked.train_job(expert) for expert in recipe.experts()]
    held = [load(job.base, recipe.rules) for job in jobs[:1] if job.base is not None]  # read once for all of them
    for job in jobs:
        job.prepare(None)  # refuses, before anything is trained, what one of them would refuse
    _require_room(output, jobs, quantise=quantise)
    try:
        found = ExpertSet(recipe, tuple(perform(job, **how) for job in jobs))
    except Interrupted as interrupt:
        raise Interrupted("the same command" if interrupt.resume else "") from interrupt
    del held
    if recipe.is_shipped:
        seconds = sum(training.seconds for training in found.trainings)
        found = replace(found, provenance=Provenance(_command_of(jobs[0], recipe.name), seconds=seconds))
    return saved(found, output, is_quantised=quantise)


def _command_of(job: TrainJob, name: str) -> str:
    """What to type for all experts of a set, of which the job is one."""
    words = ["nashgap", "solve", name, "--seed", str(job.seed), "--threads", str(job.threads)]
    words += [] if job.nodes is None else ["--nodes", str(job.nodes)]
    words += [] if job.base is None else ["--base", job.base.text]
    for option in ("iterations", "minutes", "until"):
        value = getattr(job, option)
        words += [] if value is None else [f"--{option}", f"{value:g}"]
    return shlex.join(words)


def performed(
    job: SolveJob | TrainJob, *, output: Path | str | None = None, quantise: bool = False, **how: Any
) -> Solution | Training:
    """Do the job, see `perform`, and write the strategy file."""
    _check_output(output)
    if isinstance(job, TrainJob):
        _require_room(output, [job], quantise=quantise)
    with naming_output(output):
        found: Solution | Training = perform(job, **how)
    return saved(found, output, **({"is_quantised": True} if quantise else {}))


def _require_room(output: Path | str | None, jobs: Sequence[TrainJob], *, quantise: bool) -> None:
    """Refuse a disk that cannot hold the strategies."""
    if output is not None:
        expected = [job.forecast() for job in jobs]
        file_bytes = sum(each.quantised_bytes if quantise else each.file_bytes for each in expected)
        require_room("the strategy", file_bytes, Path(output).absolute().parent)


def _check_output(output: Path | str | None) -> None:
    if output is not None:
        check_writable(Path(output))


def forecast(
    game: str | Game | GameTree | Recipe, *, progress: Progressing = None, **options: Any
) -> SolveForecast | TrainForecast | ExpertsForecast:
    """How much memory and time `solve` takes with the same options; nothing is kept.

    options: of `solve`, but for those that say where things are kept.
    """
    asked = _Asked(**options)
    if _is_recipe(game):
        recipe = _recipe_of(game)
        if len(recipe.after) > 1:
            experts = tuple(asked.train_job(expert).forecast() for expert in recipe.experts())
            return ExpertsForecast(recipe.name, recipe.title, experts)
        return asked.train_job(recipe).forecast()
    tree = asked.tree(game, progress)
    return forecast_lp(tree) if asked.solver == LP else forecast_solve(asked.solve_job(tree))


def _is_recipe(game: object) -> bool:
    return isinstance(game, Recipe) or (isinstance(game, str) and is_recipe(game.strip()))


def _recipe_of(game: Any) -> Recipe:
    return game if isinstance(game, Recipe) else load_recipe(game.strip())


@dataclass(frozen=True)
class _Asked:
    """The options of `solve`, taken apart the same way to solve and to forecast."""

    solver: str | None = None
    iterations: int | None = None
    minutes: float | None = None
    until: float | None = None
    seed: int = 0
    simultaneous: bool = False
    freeze: Mapping[int, Subject] = field(default_factory=dict)
    start: Subject | None = None
    threads: int | None = None
    base: Subject | None = None
    nodes: int | None = None

    def train_job(self, recipe: Recipe) -> TrainJob:
        self._refuse(f"recipe {recipe.name!r} says how to solve", "games", "solver simultaneous freeze start")
        threads = 1 if self.threads is None else self.threads
        base = None if self.base is None else bot_of(self.base, kind="strategy")
        return TrainJob(recipe, self.seed, base, self.iterations, self.minutes, self.until, threads, self.nodes)

    def tree(self, game: Any, progress: Progressing, *, quantise: bool = False) -> GameTree:
        name = game if isinstance(game, str) else "the game"
        if isinstance(game, str):
            _require_known(game)
        self._refuse(f"{name!r} is no recipe", "recipes", "threads nodes base", quantise=quantise)
        if self.solver == LP:
            options = "iterations minutes until simultaneous freeze start"
            self._refuse("solver 'lp' solves the whole game at once", "the other solvers", options)
        if isinstance(game, GameTree):
            return game
        try:
            return _compiled(game, progress)
        except GameSizeError as error:
            recipes = _recipes_for(str(name))
            if not recipes:
                raise
            raise GameSizeError(
                f"{name} is too large to be solved whole; train by a recipe: {', '.join(recipes)}"
                f" (nashgap solve {recipes[0]})"
            ) from error

    def solve_job(self, tree: GameTree) -> SolveJob:
        return SolveJob(
            tree.definition,
            solver=self.solver or DEFAULT_SOLVER,
            seed=self.seed,
            is_alternating=not self.simultaneous,
            start=None if self.start is None else bot_of(self.start, kind="strategy"),
            frozen={str(player): bot_of(each, kind="strategy") for player, each in self.freeze.items()},
            iterations=self.iterations,
            minutes=self.minutes,
            until=self.until,
            given_tree=tree,
        )

    def _refuse(self, reason: str, others: str, options: str, **more: bool) -> None:
        """OptionError where one of these options is given, which are for others."""
        values = {name: getattr(self, name) for name in options.split()} | more
        if given := [f"`{name}`" for name, value in values.items() if value]:
            raise OptionError(f"{reason}; {', '.join(given)} {'is' if len(given) == 1 else 'are'} for {others}")


def _compiled(game: str | Game, progress: Progressing) -> GameTree:
    """The compiled game; one that takes a while to compile has its size told beforehand."""

    def tell(num_histories: float) -> None:
        if num_histories >= LARGE_GAME:
            with shown(progress) as show:
                show.note(f"{game}: about {num_histories / 1e6:.2g} million histories")

    return load_tree(game, on_estimate=tell)


def _require_known(text: str) -> None:
    """ConfigError where the text is a mere name, and of nothing that can be solved."""
    names = {*GAMES.entries, *POKER_GAMES.entries, *RECIPES.entries}
    if re.fullmatch(r"[\w-]+", text.strip()) and text.strip() not in names and not os.path.isfile(text):
        raise unknown_name("game or recipe", text, names)


def _recipes_for(game: str) -> list[str]:
    """The recipes that train in this game, the quickest first."""
    recipes = [load_recipe(name) for name in RECIPES.entries]
    fitting = [recipe for recipe in recipes if recipe.rules.name == game.strip()]
    return [recipe.name for recipe in sorted(fitting, key=lambda recipe: recipe.minutes)]
