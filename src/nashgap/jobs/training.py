"""What training by a recipe has found: a strategy, with the curve of its training and what its self-play shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.estimate import Estimate
from nashgap.core.result import Result, frame
from nashgap.core.strategy import Policy
from nashgap.poker.state import PublicState
from nashgap.runs.config import package_version
from nashgap.solvers.poker_mccfr import SelfPlay
from nashgap.solvers.recipe import Recipe
from nashgap.strategies.abstract import AbstractStrategy

if TYPE_CHECKING:
    import pandas as pd

    from nashgap.jobs.train import TrainJob
    from nashgap.strategies.strategy_view import StrategyView

__all__ = ["LINE", "Training", "preflop_lines"]

LINE = "line_"  # before a line's name in a record
MULTIWAY_LINES = ("f", "rf", "rrf", "rcf")
HEADS_UP_LINES = ("f", "c", "r", "rf", "rc", "rr")


@dataclass(frozen=True, eq=False, repr=False)
class Training(Result):
    """What training by a recipe has found, which is a strategy too.

    strategy:       the average strategy, to be played at the real table.
    seconds:        of training, over all resumes.
    visits:         of decisions and endings.
    threads:        the most that trained at once.
    average_regret: positive regret an iteration, of all seats together, in the game's unit.
    gap:            of the abstract game, at least, by responses; None in games too large to learn them unasked.
    self_play:      of the strategy against itself, as long as `nashgap.jobs.train` has it.
    points:         of the curve, as measured on the way.
    """

    reporter: ClassVar[str] = "nashgap.reports.training:training_report"

    job: TrainJob
    strategy: AbstractStrategy
    iterations: int
    seconds: float
    visits: int
    threads: int
    average_regret: float
    self_play: SelfPlay
    gap: Estimate | None = None
    points: tuple[Mapping[str, float], ...] = ()

    @property
    def recipe(self) -> Recipe:
        return self.job.recipe

    @property
    def stdev(self) -> float:
        """Of what a seat wins in a hand of self-play, in the game's unit."""
        return self.self_play.stdev / self.recipe.rules.unit_chips

    @property
    def summary(self) -> str:
        return f"{self.recipe.name} trained: {self.iterations:,} iterations; {self.distance}."

    @property
    def distance(self) -> str:
        """How far it is from an equilibrium of its abstract game, as far as that is known, in words."""
        if self.gap is not None:
            return f"gap in its abstract game at least {self.gap}"
        regret = self.average_regret
        return f"average regret {regret:{',.0f' if regret >= 10_000 else '.4g'}} {self.recipe.rules.unit}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to read the numbers rightly, one sentence each."""
        notes = []
        if self.self_play.num_players > 2:
            notes.append("Two left: hands that two play on, as Abou Risk 2009 seems to count them.")
            notes.append(f"With {self.self_play.num_players} players CFR promises no equilibrium.")
        if self.job.exchange is not None:
            notes.append(
                f"Trained across nodes, with an exchange every {self.job.exchange:,} iterations: the numbers are the"
                " same on any number of nodes, but not those of training without."
            )
        if self.threads > 1:
            notes.append("With more than one thread the numbers differ a little from run to run.")
        if self.gap is not None:
            notes.append(
                "The gap is NashConv in the abstract game, by responses that were learned briefly: a lower bound."
            )
        notes.append(
            "The average regret is that of the abstract game, all seats together: mostly the noise of sampling, and far"
            " above the gap."
        )
        return tuple(notes)

    def to_frame(self) -> pd.DataFrame:
        """The curves: a row for each measured point."""
        columns = dict.fromkeys(["iteration", *(key for point in self.points for key in point)])
        return frame(list(columns), [dict(point) for point in self.points])

    def as_dict(self) -> dict[str, Any]:
        recipe, game, played = self.recipe, self.strategy.game, self.self_play
        return {
            "recipe": recipe.name,
            "game": recipe.rules.name,
            "unit": recipe.rules.unit,
            "seed": self.job.seed,
            "threads": self.threads,
            **({} if self.job.exchange is None else {"exchange": self.job.exchange}),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "visits": self.visits,
            "information_sets": game.num_infosets,
            "entries": game.num_entries,
            "average_regret": self.average_regret,
            "gap": None if self.gap is None else self.gap.as_dict(),
            "self_play_hands": played.num_hands,
            "unvisited_share": played.unvisited_share,
            "stdev": self.stdev,
            "lines": preflop_lines(played),
            "first_folds": played.first_folds(),
            "first_folds_heads_up": played.first_folds(2),
            "notes": list(self.notes),
            "version": package_version(),
        }

    @cached_property
    def saved_strategy(self) -> AbstractStrategy:
        """The strategy with all facts that are saved with it."""
        kept = ("recipe", "seed", "iterations", "seconds", "average_regret", "unit", "unvisited_share", "version")
        told = self.as_dict()
        facts = {"solver": "mccfr", **self.recipe.solver.as_dict(), **{key: told[key] for key in kept}}
        return replace(self.strategy, facts=facts)

    @property
    def digest(self) -> str:
        return self.strategy.digest

    def save(self, path: Path | str, *, is_quantised: bool = False) -> None:
        """Write the strategy file, whole or not at all.

        is_quantised: one byte an action, not 4.
        """
        self.saved_strategy.save(path, is_quantised=is_quantised)

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """What the strategy does; see `AbstractStrategy.policies`."""
        return self.strategy.policies(states)

    def at(self, after: str = "", board: str = "") -> StrategyView:
        """What the strategy does after this betting; see `AbstractStrategy.at`."""
        return self.strategy.at(after, board)


def preflop_lines(played: SelfPlay) -> dict[str, float]:
    """Shares of the hands by the beginning of the first round's betting, the same lines for every strategy of a game.

    Three and more players: up to the first fold, of hands in which two play on (as in Table 4.4 of Abou Risk 2009), and
    the total of all such. Two players: the first and the first two actions.
    """
    if played.num_players > 2:
        folds = played.first_folds(2)
        return {**{text: folds.get(text, 0.0) for text in MULTIWAY_LINES}, "total": sum(folds.values())}
    shares = dict.fromkeys(HEADS_UP_LINES, 0.0)
    for text, count in played.sequences.items():
        for line in {text[:1], text[:2]} & shares.keys():
            shares[line] += count / played.num_hands
    return shares
