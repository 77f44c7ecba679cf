"""Abstract-game best response by CFR (Johanson 2007): what could a seat win within the abstraction?

One seat learns against the others, who are frozen; what it has learned then plays fresh deals. It begins with the
strategy itself and leaves it where several visits speak for it, not one: a single sample is mostly noise. Where the
abstraction forgets, or training was short, there may be a better response: the value is a lower bound. It bounds
nothing outside the abstract game, where opponents tell more cards and bets apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.errors import ConfigError
from nashgap.solvers.poker_mccfr import PokerMCCFR

__all__ = ["AbstractGap", "abstract_gap"]

METHOD = "abstract-br"
MAX_WALKED_NODES = 20_000  # of a betting tree that is walked whole for each deal; larger ones are played by sampling
STEP = 10_000  # iterations between two calls of on_progress
TRUST = 10  # largest blinds of regret an iteration that the strategy begins with
FRESH = 2**32  # the deals of the evaluation are these and later ones of the seed


@dataclass(frozen=True)
class AbstractGap:
    """What each seat wins, and could at least win, while the others stay as they are; within the abstract game.

    values:     by seat, of the strategy against itself.
    responses:  by seat, of the response that was found.
    gains:      by seat, the difference on the same deals: a lower bound on what a best response gains.
    nash_conv:  the gains of all seats together; heads-up twice the exploitability.
    iterations: of CFR for each response.
    """

    values: tuple[Estimate, ...]
    responses: tuple[Estimate, ...]
    gains: tuple[Estimate, ...]
    nash_conv: Estimate
    iterations: int

    def as_dict(self) -> dict[str, Any]:
        return {
            **{
                name: [estimate.as_dict() for estimate in getattr(self, name)]
                for name in ("values", "responses", "gains")
            },
            "nash_conv": self.nash_conv.as_dict(),
            "iterations": self.iterations,
        }


def abstract_gap(
    game: AbstractGame,
    tables: Sequence[np.ndarray],
    *,
    iterations: int = 1_000_000,
    num_deals: int = 100_000,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> AbstractGap:
    """Train and play a response of each seat.

    tables: the strategy, by round, as `PokerMCCFR.average_strategy`. on_progress: (seat, iterations done).
    """
    if num_deals < 2:
        raise ConfigError(f"num_deals = {num_deals}; an interval needs at least 2")
    seats = range(game.rules.num_seats)
    base = PokerMCCFR(game, threads=threads)
    base.start_from(tables, seats)
    played = _played(base, num_deals, seed)
    del base  # as large as the whole solve
    answered = np.empty_like(played)
    for seat in seats:
        others = [other for other in seats if other != seat]
        solver = PokerMCCFR(game, seed=seed, schedule="lcfr", frozen=others, threads=threads)
        solver.start_from(tables, seats, weight=TRUST * max(1, *game.rules.blinds) * max(1, iterations))
        while solver.iteration < iterations:
            solver.run(min(STEP, iterations - solver.iteration))
            if on_progress is not None:
                on_progress(seat, solver.iteration)
        answered[:, seat] = _played(solver, num_deals, seed)[:, seat]
        del solver
    gains = answered - played
    unit_chips = game.rules.unit_chips

    def estimate(chips: np.ndarray) -> Estimate:
        samples = chips / unit_chips
        ci95 = half_width_95(float(samples.var(ddof=1)), len(samples))
        return Estimate(float(samples.mean()), ci95, len(samples), game.rules.unit, METHOD, seed)

    return AbstractGap(
        values=tuple(estimate(played[:, seat]) for seat in seats),
        responses=tuple(estimate(answered[:, seat]) for seat in seats),
        gains=tuple(estimate(gains[:, seat]) for seat in seats),
        nash_conv=estimate(gains.sum(axis=1)),
        iterations=iterations,
    )


def _played(solver: PokerMCCFR, num_deals: int, seed: int) -> np.ndarray:
    """`[num_deals, seats]` chips won on fresh deals: expected over the betting, or of one hand each in large trees."""
    if solver.game.tree.num_nodes <= MAX_WALKED_NODES:
        return solver.deal_values(num_deals, seed, FRESH)
    return solver.self_play(num_deals, seed, FRESH).won
