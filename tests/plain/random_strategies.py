"""Random strategies for compiled games, and strategies by the names of their infosets."""

from __future__ import annotations

import numpy as np

from nashgap.strategies.table import TableStrategy, normalised


def random_strategy(tree, seed, sparsity=0.0):
    """Independent exponential weights; a share of about `sparsity` of the actions is never taken."""
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=tree.num_slots) * (rng.random(tree.num_slots) >= sparsity)
    return normalised(tree, weights)


def by_name(tree, values):
    """`[S]` values as a dict from (player, infoset) to a list, one entry per action."""
    keys = zip(tree.infoset_player.tolist(), tree.infoset_name, strict=True)
    return {key: values[tree.slots(number)].tolist() for number, key in enumerate(keys)}


def from_names(tree, table):
    """The strategy that a dict from (player, infoset) to probabilities says."""
    probabilities = np.empty(tree.num_slots)
    for (player, name), row in table.items():
        probabilities[tree.slots(tree.infoset_index[f"{player}:{name}"])] = row
    return TableStrategy(tree, probabilities)


def largest_difference(ours, theirs):
    """Over all infosets of two dicts, which must have the same ones."""
    assert ours.keys() == theirs.keys()
    return max(np.abs(np.subtract(ours[key], theirs[key])).max() for key in ours)
