"""Random limit river endgames, solved, and the shapes of their equilibria; see `shapes`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from nashgap.explanations.bet_size_games import Stakes, sample_games
from nashgap.explanations.river_equilibria import RIVER_CHOICES, Weights, solve_river
from nashgap.explanations.river_models import has_conforming_equilibrium
from nashgap.explanations.river_plans import RiverPlans
from nashgap.explanations.shapes import LEVELS, Model, Shape, conforms, covering_models

__all__ = ["CAPS", "DECK", "POT", "ShapesJob", "Solved", "cap_words", "models_of_some_equilibrium"]

DECK, POT = 10, 5.0
CAPS = (1, 2, 4)
BATCH_GAMES = 25


@dataclass(frozen=True)
class ShapesJob:
    """Random endgames of ten hands, solved for each cap on bets and raises.

    games: how many, a multiple of the batch's 25; more continue a run that has fewer.
    """

    games: int
    seed: int
    kind: ClassVar[str] = "human-shapes"

    @property
    def name(self) -> str:
        return "human-figures-4-6"

    def identity(self) -> dict[str, Any]:
        return {"deck": DECK, "pot": POT, "caps": list(CAPS), "batch_games": BATCH_GAMES, "seed": self.seed}

    def budget(self) -> dict[str, Any]:
        return {"games": self.games}

    @classmethod
    def from_config(cls, identity: Mapping[str, Any], budget: Mapping[str, Any], folder: Path | None = None) -> Self:
        return cls(budget["games"], identity["seed"])

    @property
    def num_batches(self) -> int:
        return self.games // BATCH_GAMES * len(CAPS)

    def describe_batch(self, index: int) -> str:
        batch, place = divmod(index, len(CAPS))
        first = batch * BATCH_GAMES
        return f"games {first + 1} to {first + BATCH_GAMES}, {cap_words(CAPS[place])}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """For each game by choice, level and situation its intervals as (plan, width)."""
        batch, place = divmod(index, len(CAPS))
        plans = RiverPlans(POT, CAPS[place])
        games = sample_games(Stakes(deck=DECK), self.seed, batch * BATCH_GAMES, BATCH_GAMES)
        solved = [solve_river(plans, joint) for joint in games.joint]
        return {
            "cap": plans.raises,
            "is_proven": [one.is_proven for one in solved],
            "loss": max(one.loss for one in solved),
            "intervals": {
                choice: [_all_intervals(plans, one.weights[choice]) for one in solved] for choice in RIVER_CHOICES
            },
        }


def _all_intervals(plans: RiverPlans, weights: Weights) -> list[list[list[tuple[str, float]]]]:
    """(plan, width) by level and situation."""
    levels = (level.intervals(plans, weights) for level in LEVELS)
    return [[[(each.plan, round(each.width, 6)) for each in part] for part in parts] for parts in levels]


@dataclass(frozen=True, eq=False)
class Solved:
    """The shapes of all games with one cap, by one choice of equilibrium, at one level.

    shapes: of each game, in order.
    counts: how often each shape occurs, most frequent first.
    widths: the mean width of each interval of each shape.
    models: to which all games conform, those that cover most first.
    """

    shapes: tuple[Shape, ...]
    counts: Mapping[Shape, int]
    widths: Mapping[Shape, tuple[tuple[float, ...], ...]]
    models: tuple[Model, ...]

    @classmethod
    def of(cls, games: Sequence[Sequence[Sequence[tuple[str, float]]]]) -> Self:
        """games: for each, for each situation, (plan, width) of its intervals."""
        shapes = tuple(tuple(tuple(plan for plan, _ in part) for part in parts) for parts in games)
        found: dict[Shape, list[list[list[float]]]] = defaultdict(list)
        for shape, parts in zip(shapes, games, strict=True):
            found[shape].append([[width for _, width in part] for part in parts])
        counts = {shape: len(each) for shape, each in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))}
        widths = {
            shape: tuple(
                tuple(sum(game[part][place] for game in each) / len(each) for place in range(len(shape[part])))
                for part in range(len(shape))
            )
            for shape, each in found.items()
        }
        return cls(shapes, counts, widths, covering_models(counts))

    @property
    def num_games(self) -> int:
        return len(self.shapes)


def models_of_some_equilibrium(solved: Solved, cap: int, seed: int) -> tuple[Model, ...]:
    """Models such that each game has an equilibrium, the simplest or another, that conforms to one of them.

    Each is the one that covers most of the shapes of the games that those before it leave.
    """
    plans = RiverPlans(POT, cap)
    left = dict(enumerate(solved.shapes))
    models = []
    while left:
        shape = covering_models(Counter(left.values()))[0].shape
        covered = [game for game, own in left.items() if conforms(own, shape) or _fits(plans, seed, game, shape)]
        models.append(Model(shape, len(covered)))
        left = {game: own for game, own in left.items() if game not in set(covered)}
    return tuple(models)


def _fits(plans: RiverPlans, seed: int, game: int, model: Shape) -> bool:
    return has_conforming_equilibrium(plans, sample_games(Stakes(deck=DECK), seed, game, 1).joint[0], model)


def cap_words(cap: int) -> str:
    """A cap on bets and raises, for people."""
    return "one bet" if cap == 1 else "a bet and one raise" if cap == 2 else f"a bet and {cap - 1} raises"
