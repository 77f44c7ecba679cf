"""Random limit river endgames, solved, and the shapes of their equilibria; see `shapes`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from nashgap.core.job import BatchJob, budget, require_seed
from nashgap.explanations.bet_size_games import Stakes, sample_games
from nashgap.explanations.river_equilibria import RIVER_CHOICES, Weights, solve_river
from nashgap.explanations.river_models import has_conforming_equilibrium
from nashgap.explanations.river_plans import RiverPlans
from nashgap.explanations.shapes import LEVELS, Model, Shape, conforms, covering_models

__all__ = ["CAPS", "DECK", "POT", "ShapesJob", "Solved", "cap_words", "models_of_some_equilibrium"]

DECK, POT = 10, 5.0
CAPS = (1, 2, 4)
BATCH_GAMES = 25


@dataclass(frozen=True, kw_only=True)
class ShapesJob(BatchJob):
    """Random endgames, solved for each cap on bets and raises.

    deck:        hands that a player may hold.
    batch_games: in a batch, which has them with one cap.
    games:       how many, a multiple of those in a batch; more continue a run that has fewer.
    """

    kind: ClassVar[str] = "human-shapes"

    seed: int
    deck: int = DECK
    pot: float = POT
    caps: tuple[int, ...] = CAPS
    batch_games: int = BATCH_GAMES
    games: int = budget()

    def __post_init__(self) -> None:
        require_seed(self.seed)

    @property
    def name(self) -> str:
        return "human-figures-4-6"

    @property
    def num_batches(self) -> int:
        return self.games // self.batch_games * len(self.caps)

    def describe_batch(self, index: int) -> str:
        batch, place = divmod(index, len(self.caps))
        first = batch * self.batch_games
        return f"games {first + 1} to {first + self.batch_games}, {cap_words(self.caps[place])}"

    def run_batch(self, index: int) -> dict[str, Any]:
        """For each game by choice, level and situation its intervals as (plan, width)."""
        batch, place = divmod(index, len(self.caps))
        plans = RiverPlans(self.pot, self.caps[place])
        games = sample_games(Stakes(deck=self.deck), self.seed, batch * self.batch_games, self.batch_games)
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
