"""How long a training takes until its strategy is near an equilibrium of its abstract game, in processor seconds.

The sampling of the recipes against plain external sampling, which serves one hand of the learner a walk. The gap is
measured at marks, each half as long again as the one before; between the last two the time is interpolated, in
logarithms. Measuring does not count.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import median

from comparison import Row

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.core.estimate import Estimate
from nashgap.measures.abstract_response import EXTERNAL, abstract_gap
from nashgap.measures.bucket_response import bucket_gap
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.recipe import SolverOptions, load_recipe

__all__ = ["rows"]

AIM = 2.0
SEEDS = (0, 1, 2)
MARK_GROWTH = 1.5
STEP = 1_000  # iterations between two looks at the clock
LEAST_SHARE = 0.1  # of the gap that is wanted: a smaller one is taken for noise
OURS = load_recipe("hunl-fcpa").solver
PLAIN = replace(OURS, hands=1)


@dataclass(frozen=True)
class Race:
    """A game and how near to its equilibrium both go.

    gap:        that is wanted, in the unit of the game.
    first_mark: of the recipes' sampling, in seconds; that of plain sampling is AIM times as late.
    """

    game: str
    betting: str
    cards: str
    gap: float
    measure: Callable[[PokerMCCFR], Estimate]
    first_mark: float


def _by_buckets(solver: PokerMCCFR) -> Estimate:
    return bucket_gap(solver.game, solver.average_strategy().tables, num_deals=2_000_000, seed=1).nash_conv


def _by_boards(solver: PokerMCCFR) -> Estimate:
    tables = solver.average_strategy().tables
    return abstract_gap(solver.game, tables, iterations=1_000, num_deals=100_000, seed=1).nash_conv


def _by_walks(solver: PokerMCCFR) -> Estimate:
    tables = solver.average_strategy().tables
    return abstract_gap(
        solver.game, tables, iterations=300_000, sampling=EXTERNAL, num_deals=1_000_000, seed=1
    ).nash_conv


RACES = {
    "lhe2, 4 buckets kept": Race(
        "lhe2", "full", "percentile(ehs2, 4/4/4/4, recall=all)", 0.02, _by_buckets, first_mark=30.0
    ),
    "hunl-fcpa": Race("hunl", "fcpa", "kmeans(lossless/200/200/200)", 100.0, _by_boards, first_mark=12.0),
    "ir16": Race("lhe3", "full", "percentile(ehs2, 16/16/16/16, recall=none)", 0.4, _by_walks, first_mark=40.0),
}


def rows() -> Iterator[Row]:
    for name, race in RACES.items():
        game = _build(race)
        ours, plain = [], []
        for seed in SEEDS:
            ours.append(_seconds_to_gap(race, game, OURS, race.first_mark, seed))
            plain.append(_seconds_to_gap(race, game, PLAIN, AIM * race.first_mark, seed))
        unit = game.rules.unit
        told = "; ".join(", ".join(f"{seconds:.0f}" for seconds in each) for each in (plain, ours))
        note = f"until {race.gap:g} {unit}, medians of {len(SEEDS)} seeds: {told} seconds"
        work = f"gap of {name}"
        yield Row(work, "plain", 1 / median(plain), 1 / median(ours), AIM, is_duration=True, note=note)


def _build(race: Race) -> AbstractGame:
    rules = load_rules(race.game)
    tree = build_betting_tree(rules, parse_betting_abstraction(race.betting))
    return AbstractGame(tree, build_abstraction(parse_card_abstraction(race.cards), rules))


def _seconds_to_gap(race: Race, game: AbstractGame, options: SolverOptions, first_mark: float, seed: int) -> float:
    solver = options.solver(game, seed=seed)
    seconds, mark, before = 0.0, first_mark, None
    while True:
        while seconds < mark:
            begin = time.process_time()
            solver.run(STEP)
            seconds += time.process_time() - begin
        gap = max(race.measure(solver).mean, LEAST_SHARE * race.gap)
        if gap <= race.gap:
            return seconds if before is None else _between(before, (seconds, gap), race.gap)
        before, mark = (seconds, gap), mark * MARK_GROWTH


def _between(before: tuple[float, float], after: tuple[float, float], gap: float) -> float:
    """When the gap was that of the aim, between two times with their gaps."""
    (begin, larger), (end, smaller) = before, after
    share = math.log(larger / gap) / math.log(larger / smaller)
    return begin * (end / begin) ** share
