"""Exact equilibrium of a two-player zero-sum game by one linear program (Koller, Megiddo & von Stengel 1996).

Maximise v over the first player's realisation plan x and the second player's infoset values u, such that no sequence
of the second player earns less than u says:

    max u_root   s.t.   E x = e,   x >= 0,   u[I(q)] - sum of u[J] over infosets J right behind q <= (x A)[q] for all q.

The duals of the last rows are the second player's plan, so one solve gives both strategies. Needs perfect recall, two
players and zero sum. An equilibrium is seldom unique: which one comes out depends on the version of HiGHS. In infosets
that a plan never reaches the strategy is uniform.
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
from scipy.sparse import coo_array, csr_array

from nashgap.core.tree import GameTree
from nashgap.errors import UnsupportedGameError
from nashgap.strategies.table import TableStrategy, normalised

__all__ = ["SEQUENCE_LP", "SequenceLP", "SequenceLPResult", "payoff_matrix", "solve_sequence_lp"]


@dataclass(frozen=True)
class SequenceLP:
    """How the program is solved. tolerance: of feasibility and optimality; HiGHS allows 1e-10 and up."""

    tolerance: float = 1e-10


SEQUENCE_LP = SequenceLP()


@dataclass(frozen=True, eq=False)
class SequenceLPResult:
    """An equilibrium: both players' strategies, the value to the first player, and the pivots it took."""

    strategy: TableStrategy
    value: float
    num_pivots: int


def solve_sequence_lp(tree: GameTree, options: SequenceLP = SEQUENCE_LP) -> SequenceLPResult:
    """An equilibrium and its value."""
    if tree.num_players != 2:
        raise UnsupportedGameError(f"the sequence-form LP needs two players; {tree.game} has {tree.num_players}")
    if not tree.is_zero_sum:
        raise UnsupportedGameError(f"the sequence-form LP needs a zero-sum game; {tree.game} is general-sum")
    tree.require_perfect_recall("the sequence-form LP")

    first, second = (_Plan.of(tree, player) for player in range(2))
    payoff = payoff_matrix(tree)
    num_plan, num_values = first.num_sequences, second.num_infosets + 1
    # Columns: x, then u. Rows: E x = e, then (F' u - A' x)[q] <= 0.
    matrix = _blocks(first.constraints, None, -payoff.T, second.constraints.T)
    highs = highspy.Highs()
    for option, setting in {
        "output_flag": False,
        "threads": 1,
        "solver": "simplex",
        "primal_feasibility_tolerance": options.tolerance,
        "dual_feasibility_tolerance": options.tolerance,
    }.items():
        highs.setOptionValue(option, setting)

    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = matrix.shape[1], matrix.shape[0]
    lp.sense_ = highspy.ObjSense.kMaximize
    cost = np.zeros(lp.num_col_)
    cost[num_plan] = 1.0
    right = np.concatenate([np.eye(1, first.num_infosets + 1)[0], np.zeros(second.num_sequences)])
    lp.col_cost_ = cost
    lp.col_lower_ = np.concatenate([np.zeros(num_plan), np.full(num_values, -highspy.kHighsInf)])
    lp.col_upper_ = np.full(lp.num_col_, highspy.kHighsInf)
    lp.row_lower_ = np.concatenate([right[: first.num_infosets + 1], np.full(second.num_sequences, -highspy.kHighsInf)])
    lp.row_upper_ = right
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs.passModel(lp)
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise UnsupportedGameError(f"HiGHS could not solve {tree.game}: {highs.modelStatusToString(status)}")

    solution = highs.getSolution()
    plans = np.concatenate(
        [np.array(solution.col_value)[:num_plan], np.array(solution.row_dual)[first.num_infosets + 1 :]]
    )
    # What the tolerance leaves below 0 is 0; the empty sequences are no slots.
    slots = np.delete(np.maximum(plans, 0.0), [0, num_plan])
    info = highs.getInfo()
    strategy = normalised(tree, slots, {"solver": "lp", "highs": highs.version()})
    return SequenceLPResult(strategy, float(info.objective_function_value), int(info.simplex_iteration_count))


@dataclass(frozen=True)
class _Plan:
    """One player's realisation plans: x with constraints @ x = (1, 0, 0, ...), a row per infoset and one for the root."""

    num_infosets: int
    num_sequences: int
    constraints: csr_array

    @classmethod
    def of(cls, tree: GameTree, player: int) -> _Plan:
        infosets = np.flatnonzero(tree.infoset_player == player)
        slots = np.flatnonzero(tree.slot_player == player)
        num_sequences = len(slots) + 1
        empty = int(slots[0]) + player if len(slots) else 0
        parent = tree.infoset_parent[infosets] - empty
        row_of_slot = tree.slot_infoset[slots] - (infosets[0] if len(infosets) else 0) + 1
        rows = np.concatenate([[0], row_of_slot, np.arange(len(infosets)) + 1])
        columns = np.concatenate([[0], np.arange(len(slots)) + 1, parent])
        signs = np.concatenate([[1.0], np.ones(len(slots)), -np.ones(len(infosets))])
        shape = (len(infosets) + 1, num_sequences)
        return cls(len(infosets), num_sequences, csr_array(coo_array((signs, (rows, columns)), shape)))


def payoff_matrix(tree: GameTree) -> csr_array:
    """Chance times the first player's payoff for each pair of sequences, `[Q0, Q1]`; two players only."""
    rows, columns, values = [], [], []
    for sequence, size, offset in zip(tree.leaf_sequence, tree.leaf_size, tree.leaf_payoff[:, 0], strict=True):
        box = tree.payoff[offset : offset + size[0] * size[1]].reshape(size[1], size[0])
        second, first = np.nonzero(box)
        rows.append(sequence[0] + first)
        columns.append(sequence[1] + second)
        values.append(box[second, first])
    num_first = int((tree.slot_player == 0).sum()) + 1
    shape = (num_first, tree.num_slots + 2 - num_first)
    if not values:
        return csr_array(shape)
    place = (np.concatenate(rows), np.concatenate(columns) - num_first)
    return csr_array(coo_array((np.concatenate(values), place), shape))


def _blocks(top_left: csr_array, top_right: None, bottom_left: csr_array, bottom_right: csr_array) -> csr_array:
    from scipy.sparse import block_array

    return csr_array(block_array([[top_left, top_right], [bottom_left, bottom_right]], format="csr"))
