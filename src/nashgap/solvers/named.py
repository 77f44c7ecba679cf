"""Iterative solvers by name: what the command line calls SOLVER."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from nashgap.catalogue import SOLVERS
from nashgap.core.tree import GameTree
from nashgap.errors import ConfigError
from nashgap.solvers.cfr import CFR
from nashgap.solvers.given import GivenStrategy
from nashgap.solvers.mccfr import MCCFR, Sampling
from nashgap.solvers.schedules import Schedule
from nashgap.strategies.table import TableStrategy

__all__ = ["Solver", "make_solver"]


class Solver(Protocol):
    """An algorithm that gets better with each iteration and can be cut between any two."""

    @property
    def iteration(self) -> int: ...

    def run(self, num_iterations: int) -> None: ...

    def average_strategy(self) -> TableStrategy: ...

    def state(self) -> dict[str, np.ndarray]: ...

    def restore(self, state: Mapping[str, np.ndarray]) -> None: ...


def make_solver(
    name: str, tree: GameTree, *, seed: int = 0, is_alternating: bool = True, given: Sequence[GivenStrategy] = ()
) -> Solver:
    """A solver at its beginning. `seed` matters to sampling only, `is_alternating` to full width only."""
    variant = SOLVERS.load(name)
    if isinstance(variant, Schedule):
        return CFR(tree, variant, is_alternating=is_alternating, given=given)
    if isinstance(variant, Sampling):
        if not is_alternating:
            raise ConfigError(f"{name} always updates the players in turn; simultaneous updates are for full-width CFR")
        return MCCFR(tree, variant, seed=seed, given=given)
    raise ConfigError(f"solver {name!r} does not work in iterations")
