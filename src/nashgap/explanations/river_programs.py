"""The limit river endgame in plans as linear programs, one for each player.

With x a player's mixtures of plans, one mixture for each hand and two for each hand of player 2:

    max sum of u   s.t.   u[block of q] <= what x wins against plan q of the other player, for all q,

where a block is one mixture of the other player. By complementary slackness with the other player's solution, a
player's equilibria are the mixtures of best answers to it that leave each of its plans a best answer: `best_answers`
and `add_best_answers` describe this face to other programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import highspy
import numpy as np

from nashgap.errors import UnsupportedGameError
from nashgap.explanations.river_plans import RiverPlans

__all__ = [
    "Program",
    "Side",
    "add_best_answers",
    "add_mixtures",
    "best_answers",
    "best_guarantee",
    "river_sides",
]

TOLERANCE = 1e-10  # of feasibility and optimality; HiGHS allows no less
ZERO = 1e-8  # less is 0: a slack, a weight
MOST_NODES = 5000  # of a search over whole numbers: counted, so that a slow machine finds the same


@dataclass(frozen=True, eq=False)
class Side:
    """One player's program. K own plans, Q plans of the other player, both of hands that are dealt.

    gains:        `[K, Q]` what the player wins.
    blocks:       `[K]` number of the mixture that a plan belongs to.
    names:        `[K]` number of the plan in it.
    other_blocks: `[Q]` as `blocks`, of the other player.
    chains:       runs of blocks whose hands are neighbours.
    """

    gains: np.ndarray
    blocks: np.ndarray
    names: np.ndarray
    other_blocks: np.ndarray
    chains: tuple[range, ...]

    @property
    def num_blocks(self) -> int:
        return int(self.blocks[-1]) + 1

    def guarantee(self, weights: np.ndarray) -> float:
        """What the mixtures win against a best answer."""
        least = np.full(self.other_blocks[-1] + 1, np.inf)
        np.minimum.at(least, self.other_blocks, weights @ self.gains)
        return float(least.sum())

    def finished(self, weights: np.ndarray) -> np.ndarray:
        """Each mixture without what tolerances leave, adding up to 1."""
        kept = np.where(weights > ZERO, weights, 0.0)
        return np.asarray(kept / np.bincount(self.blocks, kept)[self.blocks])


def river_sides(plans: RiverPlans, joint: np.ndarray) -> tuple[Side, Side]:
    first, second = (np.flatnonzero(joint.sum(axis=axis)) for axis in (1, 0))
    num_first, num_check, num_bet = map(len, plans.plans)
    by_hand = plans.gains(joint)[first][:, :, second]
    # Player 2's mixtures: of all hands after a check, then of all hands after a bet.
    parts = by_hand[..., :num_check], by_hand[..., num_check:]
    gains = np.hstack([part.reshape(len(first) * num_first, -1) for part in parts])
    blocks = np.repeat(np.arange(len(first)), num_first)
    other_blocks = np.repeat(np.arange(2 * len(second)), np.repeat([num_check, num_bet], len(second)))
    names = np.tile(np.arange(num_first), len(first))
    other_names = np.concatenate([np.tile(np.arange(size), len(second)) for size in (num_check, num_bet)])
    chains = range(len(second)), range(len(second), 2 * len(second))
    return (
        Side(gains, blocks, names, other_blocks, (range(len(first)),)),
        Side(-gains.T, other_blocks, other_names, blocks, chains),
    )


def best_guarantee(side: Side) -> np.ndarray:
    """Mixtures `[K]` that win the value of the game to the player."""
    num_own, num_values = len(side.blocks), int(side.other_blocks[-1]) + 1
    program = Program(num_own + num_values)
    program.cost[num_own:] = -1.0
    program.lower[num_own:] = -highspy.kHighsInf
    program.upper[num_own:] = highspy.kHighsInf
    add_mixtures(program, side.blocks)
    for place, block in enumerate(side.other_blocks):
        program.add([*range(num_own), num_own + int(block)], [*-side.gains[:, place], 1.0], -highspy.kHighsInf, 0.0)
    solution, _ = program.solve()
    return side.finished(solution[:num_own])


def best_answers(side: Side, other: np.ndarray) -> np.ndarray:
    """Places of the player's plans that win most against the other player's mixtures."""
    worth = side.gains @ other
    best = np.full(side.num_blocks, -np.inf)
    np.maximum.at(best, side.blocks, worth)
    return np.flatnonzero(worth >= best[side.blocks] - ZERO)


def add_mixtures(program: Program, blocks: np.ndarray) -> None:
    for block in range(int(blocks[-1]) + 1):
        own = np.flatnonzero(blocks == block)
        program.add(list(own), [1.0] * len(own), 1.0, 1.0)


def add_best_answers(program: Program, gains: np.ndarray, other_blocks: np.ndarray, other: np.ndarray) -> None:
    """Against the mixtures, each plan that `other` follows wins as much as any plan of its block."""
    columns = list(range(len(gains)))
    for block in range(int(other_blocks[-1]) + 1):
        places = np.flatnonzero(other_blocks == block)
        followed = places[np.argmax(other[places])]
        for place in places[places != followed]:
            difference = gains[:, place] - gains[:, followed]
            largest = np.abs(difference).max()
            if largest > 0:
                most = 0.0 if other[place] > ZERO else highspy.kHighsInf
                program.add(columns, list(difference / largest), 0.0, most)


@dataclass
class Program:
    """A program under construction: columns from 0 to 1 unless told, those from `is_whole_from` on are whole."""

    size: int
    is_whole_from: int | None = None
    rows: list[tuple[np.ndarray, np.ndarray, float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cost, self.lower, self.upper = np.zeros(self.size), np.zeros(self.size), np.ones(self.size)

    def add(self, columns: Sequence[int], entries: Sequence[float], least: float, most: float) -> None:
        """A row; entries of 0 are left out."""
        values = np.asarray(entries, dtype=np.float64)
        kept = values != 0.0
        self.rows.append((np.asarray(columns, dtype=np.int32)[kept], values[kept], least, most))

    def solve(self) -> tuple[np.ndarray, bool]:
        """The best columns, and whether none are better."""
        highs = self._run()
        status = highs.getModelStatus()
        is_proven = bool(status == highspy.HighsModelStatus.kOptimal)
        if not is_proven and (self.is_whole_from is None or not _has_solution(highs)):
            raise UnsupportedGameError(f"HiGHS could not solve the endgame: {highs.modelStatusToString(status)}")
        return np.array(highs.getSolution().col_value), is_proven

    def is_feasible(self) -> bool:
        """Whether there are columns that fit."""
        highs = self._run()
        status = highs.getModelStatus()
        if _has_solution(highs) or status == highspy.HighsModelStatus.kInfeasible:
            return _has_solution(highs)
        raise UnsupportedGameError(f"HiGHS could not tell whether there is such an equilibrium: {status.name}")

    def _run(self) -> highspy.Highs:
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": 1,
            "solver": "simplex",
            "presolve": "off" if self.is_whole_from is None else "on",
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
            "mip_feasibility_tolerance": TOLERANCE,
            "mip_max_nodes": MOST_NODES,
            "small_matrix_value": 1e-12,
        }
        for name, value in options.items():
            highs.setOptionValue(name, value)
        highs.passModel(self._model())
        highs.run()
        return highs

    def _model(self) -> highspy.HighsLp:
        columns, entries, least, most = zip(*self.rows, strict=True)
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = len(self.rows), self.size
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = self.cost, self.lower, self.upper
        lp.row_lower_, lp.row_upper_ = np.array(least), np.array(most)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
        lp.a_matrix_.index_, lp.a_matrix_.value_ = np.concatenate(columns), np.concatenate(entries)
        if self.is_whole_from is not None:
            kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
            lp.integrality_ = [kinds[column >= self.is_whole_from] for column in range(self.size)]
        return lp


def _has_solution(highs: highspy.Highs) -> bool:
    return bool(highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible)
