"""The qualitative shape of a strategy: which intervals of hands follow which plan, and how many shapes there are.

The pictures of the three models of Ganzfried & Sandholm (2010) (Ganzfried & Yusuf 2017, Figures 4 to 6) are lost, so
shapes are read off the strategies themselves. From the worst hand to the best, a shape is the sequence of plans, equal
neighbours merged: `bet-fold, check-fold, check-call, bet-call` bluffs with the worst hands, gives up, then calls, then
bets for value. A mixed hand lies across borders: it is divided between its plans, which stand in the order that gives
the fewest intervals over all hands. Hands that are never dealt are skipped.

A model in the sense of the paper is a sequence with thresholds between the plans, which may coincide: a strategy
conforms to a model if its shape is the model's with some intervals empty. Models here are shapes that occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from nashgap.explanations.river_equilibria import Weights
from nashgap.explanations.river_plans import RiverPlans

__all__ = ["LEVELS", "Interval", "Level", "Model", "Shape", "conforms", "covering_models", "intervals_of", "num_needed"]

Shape = tuple[tuple[str, ...], ...]
"""For each situation that a level looks at, the plans of its intervals."""

LEAST_WEIGHT = 1e-6  # a plan that is followed less often is not part of the strategy


@dataclass(frozen=True)
class Interval:
    """Neighbouring hands with one plan; `width` is their share of the hands that are dealt, all counted alike."""

    plan: str
    width: float


@dataclass(frozen=True)
class Level:
    """How closely a strategy is looked at.

    num_situations: how many of the `SITUATIONS`: 1 for player 1 only, 3 for both players.
    num_actions:    how many actions of a plan are told apart; None for all.
    """

    name: str
    num_situations: int
    num_actions: int | None

    def intervals(self, plans: RiverPlans, weights: Weights) -> tuple[tuple[Interval, ...], ...]:
        """For each situation the intervals of hands, worst first."""
        parts = list(zip(plans.plans, weights, strict=True))[: self.num_situations]
        return tuple(intervals_of([self._cut(name) for name in names], table) for names, table in parts)

    def _cut(self, plan: str) -> str:
        return "-".join(plan.split("-")[: self.num_actions])


LEVELS = (
    Level("player 1, first action", 1, 1),
    Level("player 1, to the first answer", 1, 2),
    Level("player 1, whole plans", 1, None),
    Level("both players, whole plans", 3, None),
)


def intervals_of(names: Sequence[str], weights: np.ndarray) -> tuple[Interval, ...]:
    """The fewest intervals that the weights `[C, plans]` can be read as; columns of the same name are added up.

    Among orders with as few intervals the one whose names come first in `names` is taken.
    """
    distinct = list(dict.fromkeys(names))
    table = np.zeros((len(weights), len(distinct)))
    for column, name in enumerate(names):
        table[:, distinct.index(name)] += weights[:, column]
    table = table[table.sum(axis=1) > 0]
    table = np.where(table > LEAST_WEIGHT, table, 0.0)
    table /= table.sum(axis=1, keepdims=True)
    # For each plan that the hands so far can end with: the fewest plans one after the other, with their hands.
    ends: dict[int, list[tuple[int, int]]] = {}
    for hand, row in enumerate(table):
        longer: dict[int, list[tuple[int, int]]] = {}
        for order in permutations(np.flatnonzero(row).tolist()):
            steps = [(plan, hand) for plan in order]
            options = [before + steps for before in ends.values()] or [steps]
            best = min([*options, *filter(None, [longer.get(order[-1])])], key=_rank)
            longer[order[-1]] = best
        ends = longer
    intervals: list[Interval] = []
    for plan, hand in min(ends.values(), key=_rank):
        width = float(table[hand, plan]) / len(table)
        if intervals and intervals[-1].plan == distinct[plan]:
            width += intervals.pop().width
        intervals.append(Interval(distinct[plan], width))
    return tuple(intervals)


def _rank(steps: Sequence[tuple[int, int]]) -> tuple[int, tuple[int, ...]]:
    """Fewer intervals first, then earlier plans."""
    plans = tuple(plan for place, (plan, _) in enumerate(steps) if place == 0 or plan != steps[place - 1][0])
    return len(plans), plans


def conforms(shape: Shape, model: Shape) -> bool:
    """Whether the shape is the model with some of its intervals empty, in all situations."""
    return all(_is_part(own, whole) for own, whole in zip(shape, model, strict=True))


def _is_part(plans: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    rest = iter(whole)
    return all(plan in rest for plan in plans)


def num_needed(counts: Sequence[int], share: float) -> int:
    """How many of the counts, in this order, add up to at least this share of all."""
    reached = np.cumsum(counts)
    # A whole number of games: 99% of 50 are 50 of them.
    wanted = int(np.ceil(share * reached[-1] - 1e-9))
    return int(np.searchsorted(reached, wanted)) + 1


@dataclass(frozen=True)
class Model:
    """A shape that others conform to; `count` is how many games conform to it and to no model before it."""

    shape: Shape
    count: int


def covering_models(counts: Mapping[Shape, int]) -> tuple[Model, ...]:
    """Models to which all shapes conform, each chosen to cover most of what those before it leave.

    Greedy, and only shapes that occur are models: there may be fewer that do as well.
    """
    conforming = {model: [shape for shape in counts if conforms(shape, model)] for model in counts}
    left = Counter(counts)
    models = []
    while left:
        covered = {model: sum(left[shape] for shape in shapes) for model, shapes in conforming.items()}
        # Of models that cover as much the shorter one, then the first by name: the order of games must not matter.
        best = min(covered, key=lambda model: (-covered[model], sum(map(len, model)), model))
        models.append(Model(best, covered[best]))
        for shape in conforming[best]:
            del left[shape]
    return tuple(models)
