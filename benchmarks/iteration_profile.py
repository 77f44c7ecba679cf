"""Where the time of one CFR+ iteration goes.

An iteration is, for each player, a pass over the leaves, an update of the player's infosets bottom-up, and the reach
of the new strategy. Only reach can be called alone; the rest is leaves and update together. A best response is no
measure of the leaves: half of it is its own bottom-up pass. To part the two, sample a build with symbols by `perf`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from comparison import rates_in_turn

from nashgap import _native
from nashgap.games.compiled import load_tree
from nashgap.solvers.named import make_solver
from nashgap.strategies.table import uniform

__all__ = ["profile"]


def profile(game: str) -> dict[str, Any]:
    """Microseconds of an iteration and of its parts, and the multiplications at the leaves."""
    tree = load_tree(game)
    strategy = uniform(tree).probabilities
    reach = np.empty(tree.num_slots + tree.num_players)

    def repeat_reach(count: int) -> None:
        for _ in range(count):
            _native.own_reach(tree.native, strategy, reach)

    iteration, own_reach = (1e6 / rate for rate in rates_in_turn(make_solver("cfr+", tree).run, repeat_reach))
    products = tree.num_players * int(tree.leaf_size.astype(np.int64).prod(axis=1).sum())
    return {
        "game": game,
        "iteration_us": iteration,
        "reach_us": own_reach,
        "leaves_and_update_us": iteration - own_reach,
        "leaf_products": products,
        "slots": tree.num_slots,
        "leaves": len(tree.leaf_size),
    }
