"""Strategies that a solver is given beforehand: sections 3.3.3 and 4.4.1 of Abou Risk (2009).

A `GivenStrategy` is for the players of a compiled game, a `GivenAbstractStrategy` for the seats of an abstract one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError, MismatchError
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.table import TableStrategy

__all__ = ["GivenAbstractStrategy", "GivenStrategy", "Start", "start_from", "static_seats"]


@dataclass(frozen=True, eq=False)
class GivenStrategy:
    """A strategy for some players (0-based; None = all) in some infosets (`[I]` bool; None = all of theirs).

    is_static: never changed by regret; a player who is static everywhere is frozen. Otherwise the player only begins
    with it: it stands for `weight` units of regret and fades as real regret is added.
    """

    strategy: TableStrategy
    players: tuple[int, ...] | None = None
    infosets: np.ndarray | None = None
    is_static: bool = False
    weight: float = 1.0

    def __post_init__(self) -> None:
        _require_weight(self.weight)


@dataclass(frozen=True, eq=False)
class GivenAbstractStrategy:
    """A strategy for some seats (0-based; None = all) of an abstract game, everywhere.

    is_static: never changed by regret; the seats are frozen. Otherwise they only begin with it until they learn better.
    weight:    in chips of regret; how long it is believed. Static seats believe it for good; there it only decides how
               single precision rounds.

    Where its tables are 0 it plays uniformly.
    """

    strategy: AbstractStrategy
    seats: tuple[int, ...] | None = None
    is_static: bool = False
    weight: float = 1.0

    def __post_init__(self) -> None:
        _require_weight(self.weight)
        self.strategy.require_one_game(self.strategy.name or "the strategy", "a solver that begins with it")
        num_seats = self.strategy.rules.num_seats
        if self.seats is not None and not set(self.seats) <= set(range(num_seats)):
            raise ConfigError(f"seats = {sorted(self.seats)}; they must be some of 0 to {num_seats - 1}")

    @property
    def covered_seats(self) -> tuple[int, ...]:
        return tuple(range(self.strategy.rules.num_seats)) if self.seats is None else self.seats


def static_seats(game: AbstractGame, given: Sequence[GivenAbstractStrategy]) -> tuple[int, ...]:
    """The seats that never learn; later strategies win over earlier ones.

    Refuses strategies of another abstract game, and a game in which nobody learns.
    """
    is_static = [False] * game.rules.num_seats
    for each in given:
        if each.strategy.game is not game and each.strategy.game.fingerprint != game.fingerprint:
            raise MismatchError("a given strategy is of another abstract game than the one that is solved")
        for seat in each.covered_seats:
            is_static[seat] = each.is_static
    if all(is_static[seat] for seat in game.players):
        raise ConfigError(f"all {len(game.players)} seats have a static strategy; at least one must learn")
    return tuple(seat for seat, is_given in enumerate(is_static) if is_given)


@dataclass(frozen=True, eq=False)
class Start:
    """Where a solver begins: regret_sum `[S]`; fixed `[S]` and is_fixed `[I]` uint8, both None if nothing is fixed."""

    regret_sum: np.ndarray
    fixed: np.ndarray | None
    is_fixed: np.ndarray | None


def start_from(tree: GameTree, given: Sequence[GivenStrategy]) -> Start:
    """Zero regret everywhere but where a given strategy says otherwise; later ones win over earlier ones."""
    regret_sum = np.zeros(tree.num_slots)
    fixed = np.zeros(tree.num_slots)
    is_fixed = np.zeros(tree.num_infosets, np.uint8)
    for each in given:
        each.strategy.require_tree(tree)
        covered = _covered(tree, each)
        slots = covered[tree.slot_infoset]
        is_fixed[covered] = each.is_static
        if each.is_static:
            fixed[slots] = each.strategy.probabilities[slots]
            regret_sum[slots] = 0.0
        else:
            regret_sum[slots] = each.weight * each.strategy.probabilities[slots]
    if not is_fixed.any():
        return Start(regret_sum, None, None)
    return Start(regret_sum, fixed, is_fixed)


def _covered(tree: GameTree, each: GivenStrategy) -> np.ndarray:
    covered = np.ones(tree.num_infosets, bool) if each.infosets is None else np.asarray(each.infosets, bool)
    if covered.shape != (tree.num_infosets,):
        raise ConfigError(f"infosets must be a mask of {tree.num_infosets}, not of shape {covered.shape}")
    if each.players is not None:
        if not set(each.players) <= set(range(tree.num_players)):
            raise ConfigError(f"players must be among 0 to {tree.num_players - 1}, not {each.players}")
        covered = covered & np.isin(tree.infoset_player, each.players)
    return covered


def _require_weight(weight: float) -> None:
    if not 0.0 < weight < math.inf:
        raise ConfigError(f"weight = {weight}; it must be more than 0")
