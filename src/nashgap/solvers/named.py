"""Iterative solvers by name: what the command line calls SOLVER."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from nashgap.catalogue import SOLVERS
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.mccfr import MCCFR
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.solvers.samplings import Sampling
from nashgap.solvers.schedules import Schedule
from nashgap.strategies.table import TableStrategy

__all__ = ["Solver", "UpperVariant", "make_solver", "solver_variant"]


FoundStrategy = TypeVar("FoundStrategy", covariant=True)


class Solver(Protocol[FoundStrategy]):
    """An algorithm that gets better with each iteration and can be cut between any two.

    `CFR`, `MCCFR` and `PSRO` find a `TableStrategy`, `PokerMCCFR` an `AbstractStrategy`.
    """

    @property
    def iteration(self) -> int: ...

    def run(self, num_iterations: int) -> None: ...

    def average_strategy(self) -> FoundStrategy: ...

    def state(self) -> dict[str, np.ndarray]: ...

    def restore(self, state: Mapping[str, np.ndarray]) -> None: ...


@dataclass(frozen=True)
class UpperVariant(ABC):
    """What a solver is handed that lies in a room above this one; it makes its solver itself."""

    @abstractmethod
    def solver(self, tree: GameTree, *, seed: int, given: Sequence[GivenStrategy]) -> Solver[TableStrategy]:
        """At its beginning."""


def make_solver(
    name: str, tree: GameTree, *, seed: int = 0, is_alternating: bool = True, given: Sequence[GivenStrategy] = ()
) -> Solver[TableStrategy]:
    """A solver at its beginning. `seed` matters where something is drawn, `is_alternating` to full width only."""
    variant = solver_variant(name)
    if isinstance(variant, Schedule):
        return CFR(tree, variant, is_alternating=is_alternating, given=given)
    if not is_alternating:
        raise ConfigError(f"{name} always updates the players in turn; simultaneous updates are for full-width CFR")
    if isinstance(variant, Sampling):
        return MCCFR(tree, variant, seed=seed, given=given)
    return variant.solver(tree, seed=seed, given=given)


def solver_variant(name: str) -> Schedule | Sampling | UpperVariant:
    """What an iterative solver is handed to be the solver of this name."""
    variant = SOLVERS.load(name)
    if isinstance(variant, Schedule | Sampling | UpperVariant):
        return variant
    if variant is PokerMCCFR:
        raise ConfigError(f"solver {name!r} trains by a recipe; nashgap list recipes has them, nashgap solve takes one")
    raise ConfigError(f"solver {name!r} does not work in iterations")
