"""The report of a set of solved games of one bet."""

from __future__ import annotations

import numpy as np

from nashgap.jobs.dataset import Dataset
from nashgap.reports.report import Curve, Figure, FigureTable, Plot, Report
from nashgap.runs.config import package_version

__all__ = ["dataset_report"]

NUM_POINTS = 101


def dataset_report(dataset: Dataset) -> Report:
    """How many games, what they are worth, and in how many there are several equilibria."""
    told, stakes = dataset.as_dict(), dataset.games.stakes
    unit, worth = told["unit"], "to player 1"
    figures = (
        Figure("least value", told["least_value"], unit, note=worth),
        Figure("largest value", told["largest_value"], unit, note=worth),
        Figure("several equilibria", f"{told['share_with_many']:.0%}", note="of the games, for player 1"),
    )
    return Report(
        title=f"{len(dataset):,} solved games of one bet",
        summary=dataset.summary,
        sections=(FigureTable("", figures), _values(dataset, unit)),
        command=dataset.provenance.command,
        facts={
            "games": len(dataset),
            "cards": stakes.deck,
            "bets": stakes.num_bets,
            "largest bet": stakes.stack,
            "ante": stakes.ante,
            "seed": dataset.games.seed,
            "version": package_version(),
        },
    )


def _values(dataset: Dataset, unit: str) -> Plot:
    shares = np.linspace(0.0, 1.0, NUM_POINTS)
    values = np.quantile(dataset.games.value, shares)
    curve = Curve("games", values.tolist(), (100 * shares).tolist())
    return Plot("Values of the games", f"value ({unit})", "games worth at most so much (%)", (curve,), is_detail=True)
