"""A set of experts: strategies for what follows some betting, one by one trained by one recipe (section 4.3 of the
thesis), and played from one file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.result import Result, frame
from nashgap.jobs.train_forecast import TrainForecast
from nashgap.jobs.training import Training
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes
from nashgap.solvers.recipe import Recipe
from nashgap.strategies.abstract import AbstractStrategy, graft

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ExpertSet", "ExpertsForecast"]


@dataclass(frozen=True, eq=False, repr=False)
class ExpertSet(Result):
    """What training has found for each betting that the recipe has an expert for."""

    reporter: ClassVar[str] = "nashgap.reports.experts:experts_report"

    recipe: Recipe
    trainings: tuple[Training, ...]

    @cached_property
    def strategy(self) -> AbstractStrategy:
        """All experts, a segment each; it says nothing about what comes before them."""
        first, *others = (training.saved_strategy for training in self.trainings)
        rows = self._rows()
        totals = {key: sum(row[key] for row in rows) for key in ("iterations", "seconds")}
        return replace(graft(first, *others), facts={**first.facts, "recipe": self.recipe.name, **totals})

    @property
    def summary(self) -> str:
        iterations = sum(training.iterations for training in self.trainings)
        return f"{self.recipe.name} trained: {len(self.trainings)} experts, {iterations:,} iterations."

    def to_frame(self) -> pd.DataFrame:
        """A row for each expert."""
        columns = ("after", "iterations", "seconds", "gap", "gap_ci95", "unit", "information_sets", "entries")
        return frame(columns, [tuple(row[column] for column in columns) for row in self._rows()])

    def as_dict(self) -> dict[str, Any]:
        return {"recipe": self.recipe.name, "experts": self._rows(), "version": package_version()}

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "after": training.recipe.after[0],
                "gap": None if training.gap is None else training.gap.mean,
                "gap_ci95": None if training.gap is None else training.gap.ci95,
                **{key: value for key, value in training.as_dict().items() if key not in ("gap", "notes")},
            }
            for training in self.trainings
        ]

    @property
    def digest(self) -> str:
        return self.strategy.digest

    def save(self, path: Path | str, *, is_quantised: bool = False) -> None:
        """Write the strategy file, whole or not at all. is_quantised: one byte an action, not 4."""
        self.strategy.save(path, is_quantised=is_quantised)


@dataclass(frozen=True, repr=False)
class ExpertsForecast(Result):
    """What a set of experts takes, one after the other."""

    reporter: ClassVar[str] = "nashgap.reports.experts:experts_forecast_report"

    recipe: str
    title: str
    experts: tuple[TrainForecast, ...]

    @property
    def bytes(self) -> int:
        """The most memory at a time: of one in training, and the strategies of those before it."""
        done = accumulate((expected.file_bytes for expected in self.experts), initial=0)
        return max(expected.bytes + before for expected, before in zip(self.experts, done, strict=False))

    @property
    def summary(self) -> str:
        return f"{self.recipe}: {len(self.experts)} experts, at most {human_bytes(self.bytes)} of memory at a time."

    def to_frame(self) -> pd.DataFrame:
        columns = ("recipe", "information_sets", "entries", "bytes", "file_bytes", "seconds")
        return frame(columns, [tuple(row[column] for column in columns) for row in self.as_dict()["experts"]])

    def as_dict(self) -> dict[str, Any]:
        experts = [expected.as_dict() for expected in self.experts]
        return {"dry_run": True, "recipe": self.recipe, "bytes": self.bytes, "experts": experts}
