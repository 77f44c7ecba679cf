"""Strategies that a solver is given beforehand: sections 3.3.3 and 4.4.1 of Abou Risk (2009)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.strategies.table import TableStrategy

__all__ = ["Seed", "Start", "start_from"]


@dataclass(frozen=True, eq=False)
class Seed:
    """A strategy for some players (0-based; None = all) in some infosets (`[I]` bool; None = all of theirs).

    is_static: never changed by regret; a player who is static everywhere is frozen. Otherwise the player only begins
    with it: the seed stands for `weight` units of regret and fades as real regret is added.
    """

    strategy: TableStrategy
    players: tuple[int, ...] | None = None
    infosets: np.ndarray | None = None
    is_static: bool = False
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.weight < math.inf:
            raise ConfigError(f"weight = {self.weight}; a seed's weight must be more than 0")


@dataclass(frozen=True, eq=False)
class Start:
    """Where a solver begins: regret_sum `[S]`; fixed `[S]` and is_fixed `[I]` uint8, both None if nothing is fixed."""

    regret_sum: np.ndarray
    fixed: np.ndarray | None
    is_fixed: np.ndarray | None


def start_from(tree: GameTree, seeds: Sequence[Seed]) -> Start:
    """Zero regret everywhere but where a seed says otherwise; later seeds win over earlier ones."""
    regret_sum = np.zeros(tree.num_slots)
    fixed = np.zeros(tree.num_slots)
    is_fixed = np.zeros(tree.num_infosets, np.uint8)
    for seed in seeds:
        seed.strategy.require_tree(tree)
        covered = _covered(tree, seed)
        slots = covered[tree.slot_infoset]
        is_fixed[covered] = seed.is_static
        if seed.is_static:
            fixed[slots] = seed.strategy.probabilities[slots]
            regret_sum[slots] = 0.0
        else:
            regret_sum[slots] = seed.weight * seed.strategy.probabilities[slots]
    if not is_fixed.any():
        return Start(regret_sum, None, None)
    return Start(regret_sum, fixed, is_fixed)


def _covered(tree: GameTree, seed: Seed) -> np.ndarray:
    covered = np.ones(tree.num_infosets, bool) if seed.infosets is None else np.asarray(seed.infosets, bool)
    if covered.shape != (tree.num_infosets,):
        raise ConfigError(f"a seed's infosets must be a mask of {tree.num_infosets}, not of shape {covered.shape}")
    if seed.players is not None:
        if not set(seed.players) <= set(range(tree.num_players)):
            raise ConfigError(f"a seed's players must be among 0 to {tree.num_players - 1}, not {seed.players}")
        covered = covered & np.isin(tree.infoset_player, seed.players)
    return covered
