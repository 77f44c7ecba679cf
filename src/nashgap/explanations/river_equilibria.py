"""Exact equilibria of the limit river endgame in plans, and the one among them with the simplest shape.

An equilibrium is seldom unique, and what a linear program ends in is seldom simple. Over all equilibria of a player a
mixed-integer program looks for the fewest intervals of hands with one plan (`fewest-intervals`). A mixed hand lies
across borders: its plans stand beside each other in any order, and the first and the last may run on in the
neighbouring hands. With s[i, a] = 1 where hand i follows plan a at times, l[i, a] = 1 where plan a runs on from hand i
to the next one, and p[i] = 1 where hand i has a single plan, the intervals are counted by

    min sum of s - sum of l   s.t.   x <= s,   l[i, a] <= s[i, a],   l[i, a] <= s[i+1, a],   sum over a of l[i, a] <= 1,
                                     l[i-1, a] + l[i, a] <= 1 + p[i],   sum over a of s[i, a] + (A - 1) p[i] <= A.

Several equilibria may have the fewest intervals; which of them comes out depends on the version of HiGHS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.errors import UnsupportedGameError
from nashgap.explanations.river_plans import RiverPlans
from nashgap.explanations.river_programs import (
    Program,
    Side,
    add_best_answers,
    add_mixtures,
    best_answers,
    best_guarantee,
    river_sides,
)

__all__ = ["RIVER_CHOICES", "RiverEquilibrium", "Weights", "solve_river"]

RIVER_CHOICES = ("solver", "fewest-intervals")

Weights = tuple[np.ndarray, np.ndarray, np.ndarray]
"""For each of the `SITUATIONS` `[C, plans]` how often a plan is followed; rows of hands never dealt are 0."""

LARGEST_LOSS = 1e-6  # of a choice, in bets a hand


@dataclass(frozen=True, eq=False)
class RiverEquilibrium:
    """An equilibrium by each of the `RIVER_CHOICES`.

    value:     bets a hand to player 1.
    loss:      the most that both players together could gain over a choice; rounding.
    is_proven: whether there are no fewer intervals; else they are the fewest that were found.
    """

    value: float
    weights: Mapping[str, Weights]
    loss: float
    is_proven: bool


def solve_river(plans: RiverPlans, joint: np.ndarray) -> RiverEquilibrium:
    """Equilibria of the deal `[C, C]`."""
    sides = river_sides(plans, joint)
    solved = tuple(best_guarantee(side) for side in sides)
    simplest = tuple(_fewest_intervals(sides[player], solved[1 - player]) for player in range(2))
    chosen = dict(zip(RIVER_CHOICES, (solved, tuple(weights for weights, _ in simplest)), strict=True))
    losses = [-sum(side.guarantee(own) for side, own in zip(sides, each, strict=True)) for each in chosen.values()]
    if max(losses) > LARGEST_LOSS:
        raise UnsupportedGameError(f"HiGHS left a loss of {max(losses):.2g} bets a hand in the river endgame")
    return RiverEquilibrium(
        sides[0].guarantee(solved[0]),
        {choice: _tables(plans, joint, *each) for choice, each in chosen.items()},
        max(0.0, *losses),
        all(is_proven for _, is_proven in simplest),
    )


def _tables(plans: RiverPlans, joint: np.ndarray, first: np.ndarray, second: np.ndarray) -> Weights:
    """Mixtures of dealt hands as tables of all hands."""
    tables = tuple(np.zeros((len(joint), len(names))) for names in plans.plans)
    dealt = joint.sum(axis=1) > 0, joint.sum(axis=0) > 0
    border = int(dealt[1].sum()) * len(plans.plans[1])
    parts = (dealt[0], first), (dealt[1], second[:border]), (dealt[1], second[border:])
    for table, (is_dealt, weights) in zip(tables, parts, strict=True):
        table[is_dealt] = weights.reshape(-1, table.shape[1])
    return tables[0], tables[1], tables[2]


def _fewest_intervals(side: Side, other: np.ndarray) -> tuple[np.ndarray, bool]:
    """The mixtures with the fewest intervals among the equilibria, and whether it is certain; `other` is in one."""
    kept = best_answers(side, other)
    blocks, names, size = side.blocks[kept], side.names[kept], len(kept)
    links = _links(side, blocks, names)
    program = Program(2 * size + len(links) + side.num_blocks, is_whole_from=size)
    used, linked, single = size, 2 * size, 2 * size + len(links)
    program.cost[used:linked], program.cost[linked:single] = 1.0, -1.0
    add_mixtures(program, blocks)
    add_best_answers(program, side.gains[kept], side.other_blocks, other)
    for place in range(size):
        program.add([place, used + place], [1.0, -1.0], -1.0, 0.0)
    for link, ends in enumerate(links):
        for end in ends:
            program.add([linked + link, used + end], [1.0, -1.0], -1.0, 0.0)
    _add_orders(program, links, blocks, linked, single)
    for block in range(side.num_blocks):
        own = np.flatnonzero(blocks == block)
        columns, entries = [*(used + own), single + block], [1.0] * len(own) + [len(own) - 1.0]
        program.add(columns, entries, 0.0, float(len(own)))
    solution, is_proven = program.solve()
    weights = np.zeros(len(side.blocks))
    weights[kept] = solution[:size]
    return side.finished(weights), is_proven


def _links(side: Side, blocks: np.ndarray, names: np.ndarray) -> list[tuple[int, int]]:
    """Pairs of places with the same plan in neighbouring hands."""
    neighbour = {block: block + 1 for chain in side.chains for block in chain[:-1]}
    at = {(int(block), int(name)): place for place, (block, name) in enumerate(zip(blocks, names, strict=True))}
    pairs = ((place, at.get((neighbour.get(block, -1), name))) for (block, name), place in at.items())
    return [(place, other) for place, other in pairs if other is not None]


def _add_orders(
    program: Program, links: Sequence[tuple[int, int]], blocks: np.ndarray, linked: int, single: int
) -> None:
    """One plan runs on between two hands; through a hand with several plans none does."""
    for block in np.unique(blocks):
        own = [linked + link for link, (start, _) in enumerate(links) if blocks[start] == block]
        program.add(own, [1.0] * len(own), 0.0, 1.0)
    start_at = {start: link for link, (start, _) in enumerate(links)}
    for link, (_, end) in enumerate(links):
        if end in start_at:
            columns = [linked + link, linked + start_at[end], single + int(blocks[end])]
            program.add(columns, [1.0, 1.0, -1.0], -1.0, 1.0)
