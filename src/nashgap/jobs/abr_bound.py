"""What Approximate Best Response finds: lower bounds with their intervals, and the way there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from nashgap.core.estimate import Estimate, significant
from nashgap.core.result import Result, frame
from nashgap.measures.best_response import Gains
from nashgap.runs.config import package_version
from nashgap.search.options import EXACT

if TYPE_CHECKING:
    import pandas as pd

    from nashgap.jobs.abr import AbrJob

__all__ = ["METHOD", "AbrBound"]

METHOD = "abr"


@dataclass(frozen=True, eq=False, repr=False)
class AbrBound(Result):
    """What responders win that were learned against a strategy and then frozen: lower bounds on best responses.

    per_player: what the responder of each seat wins a game.
    estimate:   both added up: approximate NashConv.
    exact:      what best responses win; None where that is not known.
    responders: what each has learned.
    episodes:   games that were learned from.
    simulations_per_second: while training.
    points:     of the learning curve.
    """

    reporter: ClassVar[str] = "nashgap.reports.abr:abr_report"

    job: AbrJob
    per_player: tuple[Estimate, Estimate]
    estimate: Estimate
    exact: Gains | None
    responders: tuple[Any, ...]
    episodes: int
    simulations_per_second: float
    points: tuple[Mapping[str, float], ...] = ()

    @property
    def strategy(self) -> str:
        return self.job.strategy.text

    @property
    def game(self) -> str:
        return self.job.game_name

    @property
    def unit(self) -> str:
        return self.job.unit

    @property
    def mean(self) -> float:
        return self.estimate.mean

    @property
    def ci95(self) -> float:
        return self.estimate.ci95

    @property
    def exploitability(self) -> Estimate:
        """The mean of both seats."""
        return replace(self.estimate, mean=self.mean / 2, ci95=self.ci95 / 2)

    @property
    def exact_nash_conv(self) -> float | None:
        return None if self.exact is None else self.exact.nash_conv

    @property
    def share_of_exact(self) -> float | None:
        """Of the exact NashConv; None where that is 0 or not known."""
        return None if not self.exact_nash_conv else self.mean / self.exact_nash_conv

    @property
    def share_ci95(self) -> float | None:
        return None if not self.exact_nash_conv else self.ci95 / self.exact_nash_conv

    @property
    def win_rates(self) -> tuple[Estimate, ...] | None:
        """Of each seat and of both, a draw counted as half a win; None where games are not just won or lost."""
        if not self.job.is_win_or_loss:
            return None
        return tuple(
            Estimate(0.5 + won.mean / span, won.ci95 / span, won.samples, "wins_per_game", METHOD, won.seed)
            for won, span in ((self.per_player[0], 2), (self.per_player[1], 2), (self.estimate, 4))
        )

    @property
    def summary(self) -> str:
        share, width = self.share_of_exact, self.share_ci95
        exactly = "" if share is None or width is None else f", {share:.1%} ± {width:.1%} of the exact nash_conv"
        if self.win_rates is not None:
            exactly += f", a win rate of {self.win_rates[-1].mean:.1%} ± {self.win_rates[-1].ci95:.1%}"
        beliefs = self.job.beliefs_text
        drawn = "" if beliefs == EXACT else f" Searches drew from beliefs {beliefs}; what is won, is won in real games."
        lower = significant(self.estimate.lower_bound_975)
        return (
            f"{self.strategy} in {self.game}: responders win {self.estimate} from both seats together{exactly}; with"
            f" 97.5% confidence a best response wins at least {lower}.{drawn}"
        )

    def to_frame(self) -> pd.DataFrame:
        """The learning curve: a row for each measured point."""
        return frame(list(self.points[0]) if self.points else ["episodes"], [dict(point) for point in self.points])

    def as_dict(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "game": self.game,
            "unit": self.unit,
            "mean": self.mean,
            "ci95": self.ci95,
            "lower_bound_975": self.estimate.lower_bound_975,
            "per_player": [each.as_dict() for each in self.per_player],
            "exact_nash_conv": self.exact_nash_conv,
            "share_of_exact": self.share_of_exact,
            "share_ci95": self.share_ci95,
            "exploitability": self.exploitability.mean,
            "win_rates": None if self.win_rates is None else [each.as_dict() for each in self.win_rates],
            "episodes": self.episodes,
            "games": self.estimate.samples,
            "searches_at_evaluation": self.job.searches,
            "preset": self.job.preset,
            "beliefs": self.job.beliefs_text,
            "simulations": self.job.search.simulations,
            "simulations_per_second": self.simulations_per_second,
            "curve": [dict(point) for point in self.points],
            "method": METHOD,
            "seed": self.job.seed,
            "seconds": self.provenance.seconds,
            "version": package_version(),
        }
