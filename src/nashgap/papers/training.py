"""Agents that reproductions train by recipes in the folder of runs, each once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nashgap.jobs.perform import perform
from nashgap.jobs.reproduction import Request
from nashgap.jobs.train import TrainJob
from nashgap.jobs.train_forecast import require_room
from nashgap.jobs.training import Training
from nashgap.runs import Run, open_run
from nashgap.solvers.recipe import Recipe
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.abstract_file import load_abstract_strategy, read_abstract
from nashgap.strategies.bot import Bot
from nashgap.strategies.spec import parse_bot

__all__ = ["TrainedAgent", "train"]

# A run that has been trained for longer than that does not tell any more what it was at the time.
SLACK_SHARE, SLACK_SECONDS = 1.05, 5.0


@dataclass(frozen=True)
class TrainedAgent:
    """What training left at one time.

    file:   the strategy.
    facts:  of the training up to then: iterations, seconds, unvisited_share, ...
    points: of the whole run's curve, see `nashgap.jobs.train`.
    """

    recipe: str
    file: Path
    facts: Mapping[str, Any]
    points: tuple[Mapping[str, float], ...]

    def bot(self, **options: str) -> Bot:
        """The agent, played with these options: `fallback="call"`, `translation="soft"`."""
        told = ",".join(f"{name}={value}" for name, value in options.items())
        return parse_bot(f"{self.file.resolve()}({told})" if told else str(self.file.resolve()))

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


def train(recipe: Recipe, minutes: float, request: Request, base: Bot | None = None) -> TrainedAgent:
    """The recipe's strategy after so many minutes, in the folder of its run; what is there is not trained again.

    base: whose play it takes, where it does.

    A run that was stopped is continued. One that has gone on for longer is left alone: then the shorter training is
    done afresh, in memory.
    """
    job = TrainJob(recipe, seed=request.seed, base=base, minutes=minutes, threads=request.threads)
    run = open_run(job, request.runs_root)
    file = run.folder / f"{recipe.name}-{minutes:g}-minutes.safetensors"
    if not file.exists():
        _trained(job, minutes, run, request).save(file)
    with run.open_ledger() as ledger:
        points = tuple(ledger.points())
    return TrainedAgent(recipe.name, file, read_abstract(file).metadata["facts"], points)


def _trained(job: TrainJob, minutes: float, run: Run, request: Request) -> Training:
    expected = job.forecast()
    require_room(f"the run of {job.recipe.name}", expected.disk_bytes + expected.file_bytes, run.folder)
    seconds = _seconds_done(run)
    is_beyond = seconds > SLACK_SHARE * 60 * minutes + SLACK_SECONDS
    left = minutes if is_beyond else max(0.0, minutes - seconds / 60)
    request.note(
        f"{job.recipe.name} is trained for {minutes:g} minutes, {left:.3g} of them now, with {request.threads}"
        f" thread{'s' if request.threads > 1 else ''}, in {expected.bytes / 2**30:.2g} GiB of memory"
    )
    root = None if is_beyond else request.runs_root
    trained: Training = perform(job, run=root, progress=request.on_progress or False)
    return trained


def _seconds_done(run: Run) -> float:
    """Of training, as of the run's last measured point."""
    with run.open_ledger() as ledger:
        points = ledger.points()
    return points[-1]["seconds"] if points else 0.0
