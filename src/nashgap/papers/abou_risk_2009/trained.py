"""The agents of section 3.4, trained by their recipes in the folder of runs, once for all reproductions.

The thesis trained for weeks and months and counts iterations; here the clock is the limit. IR16_20M is what IR16 was at
half time, as in the thesis (20 of 43 million iterations).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nashgap.papers.reproduction import Request
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.runs import Curve, Plot, Run, open_run
from nashgap.runs.recipe_forecast import forecast_recipe, require_memory, require_room
from nashgap.runs.recipe_job import LINE, RecipeBudget, RecipeJob
from nashgap.runs.recipe_run import Training, continue_recipe, train_in_memory
from nashgap.solvers.recipe import Recipe, load_recipe
from nashgap.strategies.abstract import AbstractStrategy, load_abstract_strategy, read_abstract

__all__ = [
    "IR16_END",
    "IR16_HALF",
    "MULTI2",
    "MULTI2_NESTED",
    "TrainedAgent",
    "curve_section",
    "train",
    "trained_agent",
]

MULTI2, MULTI2_NESTED, IR16_HALF, IR16_END = "Multi2", "Multi2, nested", "IR16_20M", "IR16_43M"
# The recipe of each agent, and the share of the training after which it is taken.
RECIPES = {
    MULTI2: ("multi2", 1.0),
    MULTI2_NESTED: ("multi2-nested", 1.0),
    IR16_HALF: ("ir16", 0.5),
    IR16_END: ("ir16", 1.0),
}

QUICK_MINUTES = 1.0
QUICK_BETTING = "full caps=3/1/1/1"
# A run that has been trained for longer than that does not tell any more what it was at the time.
SLACK_SHARE, SLACK_SECONDS = 1.05, 5.0


@dataclass(frozen=True)
class TrainedAgent:
    """What training left at one time.

    file:   the strategy.
    facts:  of the training up to then: iterations, seconds, unvisited_share, ...
    points: of the whole run's curve, see `nashgap.runs.recipe_job`.
    """

    recipe: str
    file: Path
    facts: Mapping[str, Any]
    points: tuple[Mapping[str, float], ...]

    def spec(self, fallback: str = "uniform") -> str:
        """The agent as text. fallback: what it does in information sets that training never reached."""
        return f"{self.file.resolve()}(fallback={fallback})"

    def load(self) -> AbstractStrategy:
        """The strategy; who holds it keeps its abstract game from being built anew for every match."""
        return load_abstract_strategy(self.file)

    def told(self, name: str) -> str:
        """A sentence on the training of the agent of this name."""
        facts = self.facts
        return (
            f"{name} is {self.recipe} after {facts['iterations']:,} iterations in {facts['seconds'] / 60:.3g} minutes;"
            f" {facts['unvisited_share']:.2%} of its decisions in self-play are in information sets that training"
            " never reached."
        )


def trained_agent(name: str, request: Request) -> TrainedAgent:
    """One of the thesis's agents; trained now where no earlier reproduction did."""
    recipe_name, share = RECIPES[name]
    recipe = load_recipe(recipe_name)
    if request.is_quick:
        betting = parse_betting_abstraction(QUICK_BETTING)
        recipe = replace(recipe, name=f"{recipe_name}-quick", betting=betting, minutes=QUICK_MINUTES)
    minutes = request.minutes or recipe.minutes
    if share < 1:
        return train(recipe, share * minutes, request)
    if name == IR16_END:
        trained_agent(IR16_HALF, request)  # on the way there; a run does not go back
    return train(recipe, minutes, request)


def train(recipe: Recipe, minutes: float, request: Request) -> TrainedAgent:
    """The recipe's strategy after so many minutes, in the folder of its run; what is there is not trained again.

    A run that was stopped is continued. One that has gone on for longer is left alone: then the shorter training is
    done afresh, in memory.
    """
    job = RecipeJob(recipe, RecipeBudget(minutes=minutes, threads=request.workers), seed=request.seed)
    run = open_run(job, request.runs_root)
    file = run.folder / f"{recipe.name}-{minutes:g}-minutes.safetensors"
    if not file.exists():
        _run_job(job, run, request).save(file)
    with run.open_ledger() as ledger:
        points = tuple(ledger.points())
    return TrainedAgent(recipe.name, file, read_abstract(file).metadata["facts"], points)


def _run_job(job: RecipeJob, run: Run, request: Request) -> Training:
    expected = forecast_recipe(job)
    require_memory(expected)
    require_room(f"the run of {job.recipe.name}", expected.disk_bytes + expected.file_bytes, run.folder)
    seconds, minutes = _seconds_done(run), job.limits.minutes or 0.0
    is_beyond = seconds > SLACK_SHARE * 60 * minutes + SLACK_SECONDS
    left = minutes if is_beyond else max(0.0, minutes - seconds / 60)
    request.note(
        f"{job.recipe.name} is trained for {minutes:g} minutes, {left:.3g} of them now, with {request.workers}"
        f" thread{'s' if request.workers > 1 else ''}, in {expected.bytes / 2**30:.2g} GiB of memory"
    )
    if is_beyond:
        return train_in_memory(job, on_progress=request.on_progress)
    return continue_recipe(job, run, on_progress=request.on_progress)


def _seconds_done(run: Run) -> float:
    """Of training, as of the run's last measured point."""
    with run.open_ledger() as ledger:
        points = ledger.points()
    return points[-1]["seconds"] if points else 0.0


def curve_section(title: str, agent: TrainedAgent, printed: Mapping[str, float]) -> Plot:
    """How often hands of self-play are heads-up after each betting before the flop, over the time of training.

    printed: percent, drawn as horizontal lines.
    """
    minutes = [point["seconds"] / 60 for point in agent.points]
    keys = [key for key in (agent.points[0] if agent.points else {}) if key.startswith(LINE)]
    return Plot(
        title,
        "minutes",
        "hands, two players left, by the first fold (%)",
        tuple(Curve(key.removeprefix(LINE), minutes, [100 * point[key] for point in agent.points]) for key in keys),
        lines=tuple((f"{text}, printed", share) for text, share in printed.items()),
    )
