"""The parts that the reports on Table 3.1 and Table 3.2 share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nashgap.core.tree import GameTree
from nashgap.papers.abou_risk_2009.published import PrintedTable
from nashgap.papers.abou_risk_2009.starts import Outcome, Start, infoset_reach
from nashgap.reports.report import Figure, FigureTable, Section, Table

__all__ = [
    "epsilon_section",
    "expected_value_section",
    "probability_spread",
    "sameness_section",
    "sampling_section",
    "start_sections",
]

UNIT = "antes_per_hand"
POSITIONS = ("P1", "P2", "P3")
# Information sets met less often are left out of comparisons: what is played there hardly costs anything.
MIN_REACH = 0.001
# Probabilities that differ by less count as the same.
SAME_PROBABILITY = 0.02


def expected_value_section(title: str, printed: PrintedTable, factor: float, label: str, ours: Outcome) -> Table:
    """The printed rows, the printed rows in another unit, and ours by the thesis's own method."""
    rows = zip(
        ("CFR", "BR", "Improvement"),
        (printed.cfr, printed.best, printed.improvement),
        printed.scaled(factor),
        (ours.values, ours.trained_values, tuple(np.subtract(ours.trained_values, ours.values).tolist())),
        (ours.values, ours.best_values, ours.gains),
        strict=True,
    )
    cells: list[tuple[str | float, ...]] = []
    for name, as_printed, scaled, trained, exact in rows:
        cells += [(f"{name}, printed", *as_printed), (f"{name}, printed {label}", *scaled)]
        cells += [(f"{name}, ours, BR by CFR", *trained)] if name != "CFR" else []
        cells += [(f"{name}, ours" + (", BR exact" if name != "CFR" else ""), *exact)]
    note = "Ours: the start that samples chance, as the thesis did for 10^8 iterations."
    return Table(title, (UNIT, *POSITIONS), tuple(cells), note)


def epsilon_section(printed: PrintedTable, ours: Outcome) -> FigureTable:
    """Epsilon in both readings, and whether the printed rows agree with each other."""
    in_text = "none" if printed.epsilon is None else printed.epsilon
    return FigureTable(
        f"Epsilon ({UNIT})",
        (
            Figure("mean improvement", ours.mean_gain, published=printed.mean_improvement, note="epsilon by step 9"),
            Figure("largest improvement", ours.max_gain, published=max(printed.improvement), note="by definition"),
            Figure("epsilon in the text", "", published=in_text),
            Figure("BR - CFR = Improvement", "", published="yes" if printed.rows_agree else "no"),
        ),
    )


def start_sections(starts: Sequence[Start], outcomes: Sequence[Outcome]) -> tuple[Section, ...]:
    """Every start: values and epsilon; then how far the trained best responses stay behind the exact ones."""
    measured: list[tuple[str | float, ...]] = []
    behind: list[tuple[str | float, ...]] = []
    for start, outcome in zip(starts, outcomes, strict=True):
        values = (round(value, 6) for value in outcome.values)
        measured.append((start.name, *values, _short(outcome.mean_gain), _short(outcome.max_gain)))
        missing = np.subtract(outcome.best_values, outcome.trained_values)
        behind.append((start.name, start.iterations, *map(_short, missing.tolist())))
    trained = (
        "Iterations: of the profile. Its best responses were trained by CFR against two frozen players for"
        f" {starts[0].response_iterations:,} iterations. In {UNIT}."
    )
    return (
        Table(
            "Starts",
            ("start", *POSITIONS, "eps mean", "eps max"),
            tuple(measured),
            f"Values and exact epsilons in {UNIT}.",
        ),
        Table("Exact best response minus the trained one", ("start", "iterations", *POSITIONS), tuple(behind), trained),
    )


def sampling_section(
    starts: Sequence[Start], outcomes: Sequence[Outcome], printed: Sequence[float], label: str
) -> Table:
    """What each position can still gain as chance sampling goes on, and what it can by the thesis."""
    rows: list[tuple[str | float, ...]] = [
        (f"{start.iterations:,}", *map(_short, outcome.gains)) for start, outcome in zip(starts, outcomes, strict=True)
    ]
    return Table(
        "Gains left by chance sampling",
        ("iterations", *POSITIONS),
        (*rows, (f"10^8, {label}", *map(_short, printed))),
        f"Exact best responses; in {UNIT}. All of one seed.",
    )


def _short(value: float) -> float:
    """Three significant digits."""
    return float(f"{value:.3g}")


def sameness_section(tree: GameTree, outcomes: Sequence[Outcome]) -> Table:
    """What all starts agree on: values, epsilon, and the probabilities in information sets that all of them meet."""
    values = np.array([outcome.values for outcome in outcomes])
    rows: list[tuple[str | float, ...]] = [
        (f"value of {name}", *_least_and_most(column)) for name, column in zip(POSITIONS, values.T, strict=True)
    ]
    rows.append(("largest gain", *_least_and_most(np.array([outcome.max_gain for outcome in outcomes]))))
    spread = probability_spread(tree, outcomes)
    num_same = int((spread < SAME_PROBABILITY).sum())
    widest = int(np.nanargmax(spread))
    where = f"P{tree.infoset_player[widest] + 1} holding {tree.infoset_name[widest]}"
    return Table(
        "What is the same from every start",
        (UNIT, "least", "most", "spread"),
        tuple(rows),
        note=(
            f"Strategies: of {int(np.isfinite(spread).sum())} information sets that all starts meet in at least"
            f" {MIN_REACH:g} of the hands, {num_same} are played the same to within {SAME_PROBABILITY:g}; the widest"
            f" spread is {np.nanmax(spread):.3f} ({where})."
        ),
    )


def probability_spread(tree: GameTree, outcomes: Sequence[Outcome]) -> np.ndarray:
    """Widest difference of a probability over the outcomes, `[I]`; NaN where one of them hardly comes."""
    profiles = np.array([outcome.probabilities for outcome in outcomes])
    is_met = np.all([infoset_reach(tree, profile) >= MIN_REACH for profile in profiles], axis=0)
    spread = np.zeros(tree.num_infosets)
    np.maximum.at(spread, tree.slot_infoset, np.ptp(profiles, axis=0))
    return np.where(is_met, spread, np.nan)


def _least_and_most(numbers: np.ndarray) -> tuple[float, float, float]:
    return round(float(numbers.min()), 7), round(float(numbers.max()), 7), _short(float(np.ptp(numbers)))
