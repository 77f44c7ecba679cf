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
from scipy.sparse import block_array, coo_array, csr_array

from nashgap.core.tree import GameTree
from nashgap.errors import UnsupportedGameError
from nashgap.strategies.table import TableStrategy, normalised

__all__ = ["SequenceLPResult", "payoff_matrix", "require_lp_game", "solve_sequence_lp"]


TOLERANCE = 1e-10  # of feasibility and optimality; HiGHS allows no less


@dataclass(frozen=True, eq=False)
class SequenceLPResult:
    """An equilibrium: both players' strategies, the value to the first player, and the pivots it took."""

    strategy: TableStrategy
    value: float
    num_pivots: int


def require_lp_game(tree: GameTree) -> None:
    """Refuse a game that the linear program does not solve."""
    if tree.num_players != 2 or not tree.is_zero_sum:
        kind = f"{tree.num_players} players" if tree.num_players != 2 else "a general sum"
        raise UnsupportedGameError(f"solver 'lp' needs a two-player zero-sum game; {tree.game} has {kind}")
    tree.require_perfect_recall("solver 'lp'")


def solve_sequence_lp(tree: GameTree) -> SequenceLPResult:
    """An equilibrium and its value."""
    require_lp_game(tree)
    first, second = (_Plan.of(tree, player) for player in range(2))
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("primal_feasibility_tolerance", TOLERANCE)
    highs.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
    # HiGHS takes entries below 1e-9 for 0: bring the largest to 1, and the limit down.
    highs.setOptionValue("small_matrix_value", 1e-12)
    payoff = payoff_matrix(tree)
    scale = float(np.abs(payoff.data).max(initial=0.0)) or 1.0
    highs.passModel(_model(first, second, csr_array(payoff / scale)))
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise UnsupportedGameError(f"HiGHS could not solve {tree.game}: {highs.modelStatusToString(status)}")

    solution, info = highs.getSolution(), highs.getInfo()
    plan = np.array(solution.col_value)[: first.num_sequences]
    dual = np.array(solution.row_dual)[first.num_infosets + 1 :]
    # The empty sequences are no slots; what the tolerance leaves below 0 is 0.
    slots = np.maximum(np.concatenate([plan[1:], dual[1:]]), 0.0)
    strategy = normalised(tree, slots, {"solver": "lp", "highs": highs.version()})
    return SequenceLPResult(strategy, scale * float(info.objective_function_value), int(info.simplex_iteration_count))


@dataclass(frozen=True)
class _Plan:
    """One player's realisation plans: x with constraints @ x = (1, 0, 0, ...); a row for the root, one per infoset."""

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


def _model(first: _Plan, second: _Plan, payoff: csr_array) -> highspy.HighsLp:
    """Columns: x, then u. Rows: E x = e, then (F' u - A' x)[q] <= 0 for every sequence q of the second player."""
    matrix = block_array([[first.constraints, None], [-payoff.T, second.constraints.T]], format="csr")
    num_equations, infinity = first.num_infosets + 1, highspy.kHighsInf
    right = np.eye(1, matrix.shape[0])[0]
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.eye(1, lp.num_col_, first.num_sequences)[0]
    lp.col_lower_ = np.where(np.arange(lp.num_col_) < first.num_sequences, 0.0, -infinity)
    lp.col_upper_ = np.full(lp.num_col_, infinity)
    lp.row_lower_ = np.where(np.arange(lp.num_row_) < num_equations, right, -infinity)
    lp.row_upper_ = right
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
    lp.a_matrix_.value_ = matrix.data.astype(np.float64)
    return lp
