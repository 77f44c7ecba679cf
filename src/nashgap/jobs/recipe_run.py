"""Run a solve by recipe to its end, in a run's folder or in memory, and report it."""

from __future__ import annotations

import shlex
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from nashgap.errors import FileFormatError, OutputError
from nashgap.poker.rules import PokerRules
from nashgap.runs.config import package_version
from nashgap.runs.executors import CHECKPOINT_SECONDS, Pace, execute
from nashgap.runs.folder import Run, open_run
from nashgap.reports.layout import format_number
from nashgap.jobs.match_run import first_round
from nashgap.jobs.recipe_job import LINE, RecipeJob, preflop_lines
from nashgap.reports.report import Curve, Figure, FigureTable, Plot, Report, Section, Table, Text, write_report
from nashgap.solvers.poker_mccfr import SelfPlay
from nashgap.strategies.abstract import save_tables
from nashgap.strategies.play_options import PlayOptions

__all__ = ["Training", "continue_recipe", "open_recipe", "recipe_report", "train_in_memory"]

FINAL_HANDS = 200_000
FINAL_SEED = 2
MOST_LINES = 12


@dataclass(frozen=True, eq=False)
class Training:
    """What a solve by recipe has found.

    average_regret: positive regret an iteration, of all seats together, in the game's unit.
    self_play:      of `FINAL_HANDS` hands of the average strategy against itself.
    """

    job: RecipeJob
    average_regret: float
    self_play: SelfPlay

    @property
    def stdev(self) -> float:
        """Of what a seat wins in a hand of self-play, in the game's unit."""
        return self.self_play.stdev / self.job.recipe.rules.unit_chips

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to read the numbers rightly, one sentence each."""
        job, notes = self.job, []
        if job.recipe.rules.num_seats > 2:
            notes.append("Two left: hands that two play on, as Abou Risk 2009 seems to count them.")
            notes.append(f"With {job.recipe.rules.num_seats} players CFR promises no equilibrium.")
        if job.most_threads > 1:
            notes.append("With more than one thread the numbers differ a little from run to run.")
        notes.append("The average regret is that of the abstract game, all seats together.")
        return tuple(notes)

    def as_dict(self) -> dict[str, Any]:
        job, played = self.job, self.self_play
        return {
            "recipe": job.recipe.name,
            "game": job.recipe.rules.name,
            "unit": job.recipe.rules.unit,
            "seed": job.seed,
            "threads": job.most_threads,
            "iterations": job.solver.iteration,
            "seconds": job.seconds,
            "visits": job.num_visits,
            "information_sets": job.solver.game.num_infosets,
            "entries": job.solver.game.num_entries,
            "average_regret": self.average_regret,
            "self_play_hands": played.num_hands,
            "unvisited_share": played.unvisited_share,
            "stdev": self.stdev,
            "lines": preflop_lines(played),
            "first_folds": played.first_folds(),
            "first_folds_heads_up": played.first_folds(2),
            "notes": list(self.notes),
            "version": package_version(),
        }

    def save(self, path: Path, *, is_quantised: bool = False) -> None:
        """Write the strategy file, whole or not at all. It is made in the solver's memory: the job cannot train on."""
        solver, recipe, told = self.job.solver, self.job.recipe, self.as_dict()
        kept = ("recipe", "seed", "iterations", "seconds", "average_regret", "unit", "unvisited_share", "version")
        save_tables(
            path,
            solver.game,
            [partial(solver.take_average_table, number) for number in range(recipe.rules.num_rounds)],
            options=PlayOptions(off_tree=recipe.off_tree),
            facts={"solver": "mccfr", **recipe.solver.as_dict(), **{key: told[key] for key in kept}},
            is_quantised=is_quantised,
        )


def open_recipe(job: RecipeJob, root: Path | None = None) -> Run | None:
    """The job's run, ready to be continued; None where it has gone beyond the job's iterations already.

    Such a job can only be trained in memory: a state does not run backwards.
    """
    run = open_run(job, root)
    with run.open_ledger() as ledger:
        newest = next(iter(ledger.checkpoints()), None)
    limit = job.limits.iterations
    return None if newest is not None and limit is not None and newest.step > limit else run


def continue_recipe(
    job: RecipeJob,
    run: Run,
    *,
    on_progress: Callable[[Pace], None] | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> Training:
    """Do what is missing of the run, and keep its result and report in its folder.

    Where these cannot be written there is a warning: the strategy is worth more.
    """
    execute(job, run, on_progress=on_progress, checkpoint_seconds=checkpoint_seconds)
    training = _finish(job)
    if _iterations_told(run) != job.solver.iteration or not run.report_path.exists():
        with run.open_ledger() as ledger:
            points = ledger.points()
        try:
            run.save_result(training.as_dict())
            write_report(recipe_report(training, points, _command(job, run)), run.report_path)
        except OutputError as error:
            warnings.warn(f"the report is missing: {error}", stacklevel=2)
    return training


def train_in_memory(job: RecipeJob, *, on_progress: Callable[[Pace], None] | None = None) -> Training:
    """Train without a run: nothing is written, and an interrupt loses the work."""
    begin = time.perf_counter()
    while not job.is_finished:
        progress = job.advance()
        if on_progress is not None:
            on_progress(Pace.since(begin, 0.0, progress))
    return _finish(job)


def recipe_report(training: Training, points: Sequence[Mapping[str, float]], command: str) -> Report:
    """The curves from their measured points, and the figures."""
    job, told = training.job, training.as_dict()
    recipe, unit = job.recipe, job.recipe.rules.unit
    figures = (
        Figure("average regret", training.average_regret, unit, note="of all seats together, in the abstract game"),
        Figure("decisions in unvisited information sets", 100 * training.self_play.unvisited_share, "% of self-play"),
        Figure("standard deviation of a hand", training.stdev, unit, note="a seat of self-play"),
        Figure("iterations", job.solver.iteration, "iterations"),
        Figure("node visits", job.num_visits, "visits"),
        Figure("time", job.seconds, "seconds", note="of training, over all resumes"),
    )
    sections: list[Section] = [FigureTable("Figures", figures)]
    sections += _curves(points, recipe.rules)
    sections.append(_line_table(training.self_play, recipe.rules))
    sections.append(Text("Notes", training.notes))
    facts = {key: told[key] for key in ("game", "unit", "seed", "threads", "entries", "version")}
    content = recipe.content()
    facts |= {key: content[key] for key in ("betting", "off_tree", "cards")}
    facts |= {"information sets": told["information_sets"], "paper": recipe.paper, **recipe.solver.as_dict()}
    regret = f"{format_number(training.average_regret)} {unit}"
    return Report(
        f"{recipe.name}: {recipe.title}".removesuffix(": "),
        f"After {job.solver.iteration:,} iterations the average regret is {regret}.",
        tuple(sections),
        command,
        {key: fact for key, fact in facts.items() if fact != ""},
    )


def _finish(job: RecipeJob) -> Training:
    regret = sum(job.solver.average_regret()) / job.recipe.rules.unit_chips
    return Training(job, regret, job.solver.self_play(FINAL_HANDS, FINAL_SEED))


def _iterations_told(run: Run) -> int | None:
    """The iterations that the run's result is of; None where there is no sound result."""
    try:
        return (run.load_result() or {}).get("iterations")
    except FileFormatError:
        return None


def _curves(points: Sequence[Mapping[str, float]], rules: PokerRules) -> list[Plot]:
    if not points:
        return []
    minutes = [point["seconds"] / 60 for point in points]

    def curve(name: str, key: str, factor: float = 1.0) -> Curve:
        return Curve(name, minutes, [factor * point[key] for point in points])

    lines = [key for key in points[0] if key.startswith(LINE)]
    what = "hands that begin so" if rules.num_seats == 2 else "hands, two players left, by the first fold"
    return [
        Plot(
            f"Betting {first_round(rules)} in self-play",
            "minutes",
            f"{what} (%)",
            tuple(curve(key.removeprefix(LINE), key, 100.0) for key in lines),
        ),
        Plot(
            "Average regret",
            "minutes",
            f"average regret ({rules.unit})",
            (curve("average regret", "average_regret"),),
            log_x=True,
            log_y=True,
        ),
        Plot(
            "Unvisited information sets",
            "minutes",
            "decisions of self-play in them (%)",
            (curve("unvisited", "unvisited_share", 100.0),),
        ),
        Plot(
            "Speed",
            "minutes",
            "million node visits a second",
            (curve("visits", "visits_per_second", 1e-6),),
        ),
    ]


def _line_table(played: SelfPlay, rules: PokerRules) -> Table:
    """Three and more seats: lines up to the first fold, by both countings; two: the most frequent betting."""
    if rules.num_seats == 2:
        most = list(played.sequences.items())[:MOST_LINES]
        shares = tuple((text, round(100 * count / played.num_hands, 2)) for text, count in most)
        return Table(f"Betting {first_round(rules)}", ("betting", "%"), shares, "Percent of hands of self-play.")
    literal, heads_up = played.first_folds(), played.first_folds(2)
    rows: list[tuple[str | float, ...]] = [
        (text, round(100 * heads_up.get(text, 0.0), 2), round(100 * share, 2))
        for text, share in list(literal.items())[:MOST_LINES]
    ]
    rows.append(("total", round(100 * sum(heads_up.values()), 2), round(100 * sum(literal.values()), 2)))
    note = (
        "Of the hands of self-play, by the betting up to its first fold. Two left: hands that exactly two players play"
        " on, as the tables of Abou Risk 2009 seem to count; all: every hand with a fold."
    )
    return Table(f"Folds {first_round(rules)}", ("betting", "two left, %", "all, %"), tuple(rows), note)


def _command(job: RecipeJob, run: Run) -> str:
    """What to type for the same numbers; a recipe of one's own is kept in its run."""
    if not job.recipe.is_shipped:
        return run.resume_command()
    words = ["nashgap", "solve", job.recipe.name, "--iterations", str(job.solver.iteration), "--seed", str(job.seed)]
    words += ["--threads", str(job.most_threads)] if job.most_threads > 1 else []
    return shlex.join(words)
