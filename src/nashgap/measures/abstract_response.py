"""Abstract-game best response by CFR (Johanson 2007): what could a seat win within the abstraction?

One seat learns against the others, who are frozen; what it has learned then plays fresh deals. It begins with the
strategy itself and leaves it where several visits speak for it, not one: a single sample is mostly noise. Where the
abstraction forgets, or training was short, there may be a better response: the value is a lower bound. It bounds
nothing outside the abstract game, where opponents tell more cards and bets apart.

Heads-up it learns by public chance sampling (Johanson et al. 2012), all hands against all hands on each sampled board.
That costs a thousand times more an iteration than sampled hands and actions, and is worth it: where there are millions
of buckets, these few boards say more than millions of sampled hands do, of which most buckets see none or one. With few
buckets both find as much in the same time. Sampled actions serve many hands of the learner a walk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.core.job import Progress
from nashgap.errors import ConfigError
from nashgap.measures.seat_gap import SeatGap
from nashgap.measures.subject import abstract_strategy, one_bot
from nashgap.poker.rules import PokerRules
from nashgap.runs.executors import Pace
from nashgap.runs.progress import Progressing, shown
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.solvers.poker_mccfr import PokerMCCFR, require_options
from nashgap.solvers.samplings import PUBLIC_CHANCE_SAMPLING, Sampling
from nashgap.solvers.schedules import LCFR
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot

__all__ = [
    "DEFAULT_ITERATIONS",
    "EXTERNAL",
    "METHOD",
    "AbstractGap",
    "abstract_gap",
    "measure_abstract_br",
    "response_sampling",
]

METHOD = "abstract-br"
DEFAULT_ITERATIONS = {"public": 3_000, "external": 1_000_000, "chance": 100_000}
MAX_WALKED_NODES = 20_000  # of a betting tree that is walked whole for each deal or board; larger ones are sampled
EXTERNAL = Sampling("external", hands=16)
NUM_STEPS = 100  # calls of on_progress for a seat
# The strategy weighs as much as so many largest blinds of regret in the last iteration. Where all hands meet all hands
# one visit says enough, and the strategy is only what is played where none was.
TRUST = {"public": 1e-6, "external": 10.0, "chance": 10.0}
FRESH = 2**32  # the deals of the evaluation are these and later ones of the seed


@dataclass(frozen=True, repr=False)
class AbstractGap(SeatGap):
    """What each seat could at least gain.

    iterations: of CFR for each response, by this kind of `sampling`.
    """

    iterations: int
    sampling: str

    def as_dict(self) -> dict[str, Any]:
        return {**super().as_dict(), "iterations": self.iterations, "sampling": self.sampling}


def response_sampling(game: AbstractGame) -> Sampling:
    """How responses are learned unless told otherwise."""
    is_walked = game.rules.num_seats == 2 and game.is_plain and game.tree.num_nodes <= MAX_WALKED_NODES
    return PUBLIC_CHANCE_SAMPLING if is_walked else EXTERNAL


def abstract_gap(
    game: AbstractGame,
    tables: Sequence[np.ndarray],
    *,
    iterations: int | None = None,
    sampling: Sampling | None = None,
    num_deals: int = 100_000,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> AbstractGap:
    """Train and play a response of each seat.

    tables:      the strategy, by round, as `PokerMCCFR.average_table`.
    iterations:  of CFR for each seat; None: `DEFAULT_ITERATIONS`.
    sampling:    see `PokerMCCFR`; None: `response_sampling`.
    on_progress: (seat, iterations done, of how many).
    """
    sampling = sampling or response_sampling(game)
    require_options(sampling, LCFR)
    if iterations is None:
        iterations = DEFAULT_ITERATIONS[sampling.kind]
    elif iterations < 1:
        raise ConfigError(f"iterations = {iterations}; it must be at least 1")
    if num_deals < 2:
        raise ConfigError(f"num_deals = {num_deals}; an interval needs at least 2")
    seats = game.players
    strategy = AbstractStrategy(game, tuple(tables))
    base = PokerMCCFR(game, threads=threads, given=[GivenAbstractStrategy(strategy)])
    played = _played(base, num_deals, seed)
    del base  # as large as the whole solve
    answered = played.copy()
    trust = TRUST[sampling.kind] * max(1, *game.rules.blinds) * iterations
    for seat in seats:
        others = tuple(other for other in seats if other != seat)
        given = [
            GivenAbstractStrategy(strategy, (seat,), weight=trust),
            GivenAbstractStrategy(strategy, others, is_static=True, weight=trust),
        ]
        solver = PokerMCCFR(game, sampling, LCFR, seed=seed, threads=threads, given=given)
        while solver.iteration < iterations:
            solver.run(min(-(-iterations // NUM_STEPS), iterations - solver.iteration))
            if on_progress is not None:
                on_progress(seat, solver.iteration, iterations)
        answered[:, seat] = _played(solver, num_deals, seed)[:, seat]
        del solver
    gains = answered - played  # 0 for who has folded
    unit_chips = game.rules.unit_chips

    def estimate(chips: np.ndarray) -> Estimate:
        samples = chips / unit_chips
        ci95 = half_width_95(float(samples.var(ddof=1)), len(samples))
        return Estimate(float(samples.mean()), ci95, len(samples), game.rules.unit, METHOD, seed)

    return AbstractGap(
        values=tuple(map(estimate, played.T)),
        responses=tuple(map(estimate, answered.T)),
        gains=tuple(map(estimate, gains.T)),
        nash_conv=estimate(gains.sum(axis=1)),
        iterations=iterations,
        sampling=sampling.kind,
    )


def _played(solver: PokerMCCFR, num_deals: int, seed: int) -> np.ndarray:
    """`[num_deals, seats]` chips won on fresh deals: expected over the betting, or of one hand each in large trees."""
    if solver.game.tree.num_nodes <= MAX_WALKED_NODES:
        return solver.deal_values(num_deals, seed, FRESH)
    return solver.self_play(num_deals, seed, FRESH).won


def measure_abstract_br(
    bots: tuple[Bot, ...],
    game: str | PokerRules | None,
    *,
    iterations: int | None = None,
    sampling: str | None = None,
    deals: int = 100_000,
    threads: int = 1,
    seed: int = 0,
    progress: Progressing = None,
) -> AbstractGap:
    """What CFR finds against a strategy within its own abstract game; see `nashgap.measures.abstract_response`."""
    strategy = abstract_strategy(one_bot(bots, "abstract-br"), game, "abstract-br")
    num_seats = strategy.rules.num_seats
    with shown(progress) as show:
        gap = abstract_gap(
            strategy.game,
            strategy.tables,
            iterations=iterations,
            sampling=EXTERNAL if sampling == EXTERNAL.kind else None if sampling is None else Sampling(sampling),
            num_deals=deals,
            threads=threads,
            seed=seed,
            on_progress=_by_seat(show.on_progress, num_seats),
        )
    return replace(gap, strategy=bots[0].text, game=strategy.rules.name)


def _by_seat(on_progress: Callable[[Pace], None] | None, num_seats: int) -> Callable[[int, int, int], None] | None:
    """What is called with (seat, iterations done, of how many), as the progress of one row of iterations."""
    if on_progress is None:
        return None
    begin = time.perf_counter()

    def tell(seat: int, done: int, iterations: int) -> None:
        message = f"response of seat {seat + 1} of {num_seats}"
        progress = Progress(seat * iterations + done, num_seats * iterations, "iterations", message=message)
        on_progress(Pace.since(begin, 0.0, progress))

    return tell
