"""What a solve finds: a strategy, what it is worth and how far it is from equilibrium."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nashgap.core.tree import GameTree
from nashgap.measures.best_response import Exploitability, expected_values, exploitability
from nashgap.runs.config import package_version
from nashgap.strategies.table import TableStrategy

__all__ = ["Solution", "measure", "solve_exactly"]


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game. All payoffs are in the game's unit, one entry per player.

    iterations: of the solver; pivots of a linear program.
    seconds:    spent on solving, over all resumes.
    values:     of the strategy to each player.
    measured:   what best responses would gain; None where that cannot be measured.
    game_value: to the first player, where the solver itself knows it.
    frozen:     players (0-based) who were not solved for.
    facts:      what else is saved with the strategy.
    """

    strategy: TableStrategy
    solver: str
    seed: int
    iterations: int
    seconds: float
    values: tuple[float, ...]
    measured: Exploitability | None
    game_value: float | None = None
    frozen: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gains(self) -> tuple[float, ...] | None:
        return None if self.measured is None else self.measured.gains

    @property
    def nash_conv(self) -> float | None:
        return None if self.measured is None else self.measured.nash_conv

    @property
    def exploitability(self) -> float | None:
        return None if self.measured is None else self.measured.exploitability

    @property
    def value(self) -> float | None:
        """To the first player of a two-player game; None for more players."""
        if self.game_value is not None:
            return self.game_value
        return self.values[0] if len(self.values) == 2 else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to read the numbers rightly, one sentence each."""
        tree = self.strategy.tree
        notes = []
        if self.frozen:
            players = ", ".join(str(player + 1) for player in self.frozen)
            notes.append(f"Frozen: player {players}; nash_conv counts what the frozen could gain too.")
        # One player who is left alone with the frozen ones has only a best response to find, which CFR does.
        is_alone = tree.num_players - len(self.frozen) == 1
        if not is_alone and (tree.num_players > 2 or not tree.is_zero_sum):
            kind = f"{tree.num_players} players" if tree.num_players > 2 else "general sum"
            notes.append(f"With {kind} CFR promises no equilibrium; nash_conv tells how far it is.")
        if self.measured is None:
            notes.append("Players forget what they did: nash_conv cannot be measured, only values are shown.")
        return tuple(notes)

    def as_dict(self) -> dict[str, Any]:
        tree = self.strategy.tree
        return {
            "game": tree.game,
            "unit": tree.unit,
            "solver": self.solver,
            "seed": self.seed,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "value": self.value,
            "values": list(self.values),
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "gains": None if self.gains is None else list(self.gains),
            "notes": list(self.notes),
            "version": package_version(),
        }

    def save(self, path: Path) -> None:
        """Write the strategy file, whole or not at all."""
        kept = ("solver", "seed", "iterations", "nash_conv", "unit", "version")
        told = self.as_dict()
        facts = {**self.strategy.facts, **self.facts, **{key: told[key] for key in kept}}
        replace(self.strategy, facts=facts).save(path)


def measure(strategy: TableStrategy) -> tuple[tuple[float, ...], Exploitability | None]:
    """The strategy's value to each player, and what best responses would gain; None without perfect recall."""
    tree = strategy.tree
    if not tree.has_perfect_recall:
        return expected_values(tree, strategy), None
    measured = exploitability(tree, strategy)
    return measured.values, measured


def solve_exactly(tree: GameTree) -> Solution:
    """An equilibrium of a two-player zero-sum game by linear programming."""
    from nashgap.solvers.sequence_lp import solve_sequence_lp  # here, because scipy and HiGHS load slowly

    begin = time.perf_counter()
    result = solve_sequence_lp(tree)
    seconds = time.perf_counter() - begin
    values, measured = measure(result.strategy)
    return Solution(
        strategy=result.strategy,
        solver="lp",
        seed=0,
        iterations=result.num_pivots,
        seconds=seconds,
        values=values,
        measured=measured,
        game_value=result.value,
    )
