"""Does some equilibrium of a limit river endgame conform to a qualitative model?

A model is a sequence of plans for each situation (`shapes.Shape`). As in Ganzfried & Sandholm (2010) the question is a
mixed-integer program: thresholds place each hand, or parts of it, at positions of the sequence, never behind those of
a better hand. With v[i, k] the part of hand i at position k and z[i, k] = 1 where all of hand i is at or before k,

    v[i, k] <= 1 - z[i, k-1],   v[i+1, k] <= z[i, k],   z[i, k] <= z[i, k+1],   sum over k of v[i, k] = 1,

and the mixtures that v makes must be an equilibrium's. In a zero-sum game players' equilibria go together as they
like, so each player is asked alone.
"""

from __future__ import annotations

import numpy as np

from nashgap.explanations.river_plans import SITUATIONS, RiverPlans
from nashgap.explanations.river_programs import (
    Program,
    Side,
    add_best_answers,
    add_mixtures,
    best_answers,
    best_guarantee,
    river_sides,
)
from nashgap.explanations.shapes import Shape

__all__ = ["has_conforming_equilibrium"]


def has_conforming_equilibrium(plans: RiverPlans, joint: np.ndarray, model: Shape) -> bool:
    """Whether the deal `[C, C]` has an equilibrium of the model's shape, intervals of which may be empty.

    model: of player 1 alone, or of all three situations.
    """
    sides = river_sides(plans, joint)
    solved = tuple(best_guarantee(side) for side in sides)
    own = tuple(tuple(names.index(plan) for plan in part) for names, part in zip(plans.plans, model, strict=False))
    if not _conforms(sides[0], solved[1], own[:1]):
        return False
    return len(model) < len(SITUATIONS) or _conforms(sides[1], solved[0], own[1:])


def _conforms(side: Side, other: np.ndarray, model: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the player has such an equilibrium; `other` is the other player's part of one."""
    kept = best_answers(side, other)
    place_of = {(int(side.blocks[k]), int(side.names[k])): place for place, k in enumerate(kept)}
    parts = list(zip(side.chains, model, strict=True))
    num_parts = sum(len(chain) * len(sequence) for chain, sequence in parts)
    program = Program(len(kept) + 2 * num_parts, is_whole_from=len(kept) + num_parts)
    add_mixtures(program, side.blocks[kept])
    add_best_answers(program, side.gains[kept], side.other_blocks, other)
    first = len(kept)
    made: dict[int, list[int]] = {place: [] for place in range(len(kept))}
    for chain, sequence in parts:
        for row, block in enumerate(chain):
            columns = range(first + row * len(sequence), first + (row + 1) * len(sequence))
            for position, column in enumerate(columns):
                place = place_of.get((block, sequence[position]))
                if place is None:
                    program.upper[column] = 0.0
                else:
                    made[place].append(column)
                done = column + num_parts
                if position > 0:
                    program.add([column, done - 1], [1.0, 1.0], 0.0, 1.0)
                    program.add([done, done - 1], [1.0, -1.0], 0.0, 1.0)
                if row > 0:
                    program.add([column, done - len(sequence)], [1.0, -1.0], -1.0, 0.0)
            program.lower[columns[-1] + num_parts] = 1.0
        first += len(chain) * len(sequence)
    for place, columns_of in made.items():
        program.add([place, *columns_of], [1.0] + [-1.0] * len(columns_of), 0.0, 0.0)
    return program.is_feasible()
