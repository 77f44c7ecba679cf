"""Exact equilibria of the bet-size game by its own linear program, and a choice among them.

Player 2's side is the smaller one. With y[j, b] the chance that card j calls bet b and w[i] what card i of player 1
wins, times its chance:

    min sum of w   s.t.   w[i] >= what bet b wins with card i against y, for all i and b,   0 <= y <= 1.

The duals of the rows are player 1's bets, so one solve gives both strategies and the value.

In two of three random deals player 1 has many equilibria. By complementary slackness with the y that was found, they
are the x that bet only where a row is tight and that give card j no reason to change: it gains nothing by calling where
y[j, b] = 0, by folding where y[j, b] = 1, and is indifferent in between. This face is convex. Mostly it holds the ways
in which the same bluffs are shared among bad hands, so that the average bet is the same in all of them. Two more
programs make choices in it that do not depend on the solver:

    weakest-bluff: the least average of bet times card, which has the worst hand make the largest bluffs.
    middle:        half that one and half the one with the largest such average.

(The nearest to uniform betting would be natural too, but HiGHS fails on 3 in 1,000 of these quadratic programs.)
Cards that are never dealt check and fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from nashgap.errors import UnsupportedGameError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes

__all__ = ["CHOICES", "BetSizeSolver", "Equilibrium"]

CHOICES = ("solver", "weakest-bluff", "middle")

TOLERANCE = 1e-10  # of feasibility and optimality; HiGHS allows no less
ZERO = 1e-9  # less is 0: a chance, or a slack in pots
LARGEST_LOSS = 1e-8  # of an equilibrium, in pots a hand


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """value: dollars a hand to player 1. bets: for each choice `[C, B]` of player 1. calls: `[C, B]` of player 2."""

    value: float
    bets: Mapping[str, np.ndarray]
    calls: np.ndarray


class BetSizeSolver:
    """Solves games of the same stakes, one after the other; what it finds depends on the game alone."""

    def __init__(self, stakes: Stakes) -> None:
        self.stakes = stakes
        self._highs = _quiet_highs()
        cards, bets = stakes.deck, stakes.num_bets
        # [C, B, 1 + C] column of each entry of the row (i, b): w[i], then y[j, b] of all j.
        self._columns = np.empty((cards, bets, 1 + cards), dtype=np.int32)
        self._columns[:, :, 0] = np.arange(cards)[:, None]
        answers = np.arange(cards)[None, :] * (bets - 1) + np.arange(-1, bets - 1)[:, None]
        self._columns[:, :, 1:] = cards + answers
        # [C, C, B] what player 1 gains where a bet is called instead of folded to.
        self._gain = stakes.shows[:, :, None] * (stakes.ante + stakes.amounts) - stakes.ante

    def solve(self, joint: np.ndarray) -> Equilibrium:
        """All choices for one deal `[C, C]`."""
        games = BetSizeGames(self.stakes, joint[None])
        value, bets, calls = self._first_stage(joint)
        weakest, strongest = self._second_stage(games, calls)
        chosen = dict(zip(CHOICES, (bets, weakest, (weakest + strongest) / 2), strict=True))
        for choice, each in chosen.items():
            loss = value - float(games.worst_case(each[None])[0])
            if loss > LARGEST_LOSS * self.stakes.pot:
                raise UnsupportedGameError(f"HiGHS left a loss of {loss:.2g} dollars a hand in the choice {choice!r}")
        return Equilibrium(value, chosen, calls)

    def _first_stage(self, joint: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        cards, bets, ante = self.stakes.deck, self.stakes.num_bets, self.stakes.ante
        entries = np.empty(self._columns.shape)
        entries[:, :, 0] = 1.0
        entries[:, :, 1:] = -(joint[:, :, None] * self._gain).transpose(0, 2, 1)
        entries[:, 0, 1:] = 0.0  # a check is not answered
        kept = entries != 0.0
        least = np.repeat(joint.sum(axis=1, keepdims=True) * ante, bets, axis=1)
        least[:, 0] = (joint * self.stakes.shows).sum(axis=1) * ante

        num_answers = cards * (bets - 1)
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = cards * bets, cards + num_answers
        lp.col_cost_ = np.repeat([1.0, 0.0], [cards, num_answers])
        lp.col_lower_ = np.repeat([-highspy.kHighsInf, 0.0], [cards, num_answers])
        lp.col_upper_ = np.repeat([highspy.kHighsInf, 1.0], [cards, num_answers])
        lp.row_lower_, lp.row_upper_ = least.ravel(), np.full(lp.num_row_, highspy.kHighsInf)
        _set_rows(lp, kept.reshape(lp.num_row_, -1).sum(axis=1), self._columns[kept], entries[kept])
        solution = self._run(lp)
        found = np.maximum(np.array(solution.row_dual).reshape(cards, bets), 0.0)
        calls = np.zeros((cards, bets))
        calls[:, 1:] = np.clip(np.array(solution.col_value)[cards:].reshape(cards, bets - 1), 0.0, 1.0)
        calls[joint.sum(axis=0) == 0] = 0.0
        return float(self._highs.getInfo().objective_function_value), _finished(found, joint), calls

    def _second_stage(self, games: BetSizeGames, calls: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The equilibria of player 1 with the least and with the largest average of bet times card."""
        cards, joint = self.stakes.deck, games.joint[0]
        values = games.bet_values(calls[None])[0]
        card, bet = np.nonzero(values >= values.max(axis=1, keepdims=True) - ZERO * self.stakes.pot)
        made = np.unique(bet[bet > 0])
        # Rows: each card's chances add up to 1; then (j, b): what player 1 gains where card j calls the bet b.
        gains = np.where(bet == made[:, None, None], (joint[card] * self._gain[card, :, bet]).T, 0.0)
        largest = np.abs(gains).max(axis=2, keepdims=True)
        gains = np.divide(gains, largest, out=gains, where=largest > 0)
        matrix = np.concatenate([(card == np.arange(cards)[:, None]).astype(np.float64), gains.reshape(-1, len(card))])
        answer = calls[:, made].T.ravel()
        ones, infinity = np.ones(cards), highspy.kHighsInf
        lp = highspy.HighsLp()
        lp.num_row_, lp.num_col_ = matrix.shape
        lp.col_cost_ = games.pdf[0, 0, card] * self.stakes.amounts[bet] * (card + 1)
        lp.col_lower_, lp.col_upper_ = np.zeros(len(card)), np.ones(len(card))
        lp.row_lower_ = np.concatenate([ones, np.where(answer > ZERO, -infinity, 0.0)])
        lp.row_upper_ = np.concatenate([ones, np.where(answer < 1.0 - ZERO, infinity, 0.0)])
        is_mixed = np.concatenate([np.zeros(cards, dtype=bool), (answer > ZERO) & (answer < 1.0 - ZERO)])
        lp.row_lower_, lp.row_upper_ = np.where(is_mixed, 0.0, lp.row_lower_), np.where(is_mixed, 0.0, lp.row_upper_)
        kept = matrix != 0.0
        _set_rows(lp, kept.sum(axis=1), np.nonzero(kept)[1], matrix[kept])
        return self._chosen(lp, card, bet, joint, is_least=True), self._chosen(lp, card, bet, joint, is_least=False)

    def _chosen(
        self, lp: highspy.HighsLp, card: np.ndarray, bet: np.ndarray, joint: np.ndarray, *, is_least: bool
    ) -> np.ndarray:
        lp.sense_ = highspy.ObjSense.kMinimize if is_least else highspy.ObjSense.kMaximize
        found = np.zeros((self.stakes.deck, self.stakes.num_bets))
        found[card, bet] = np.maximum(np.array(self._run(lp).col_value), 0.0)
        return _finished(found, joint)

    def _run(self, lp: highspy.HighsLp) -> Any:
        self._highs.passModel(lp)
        self._highs.run()
        status = self._highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise UnsupportedGameError(f"HiGHS could not solve the game: {self._highs.modelStatusToString(status)}")
        return self._highs.getSolution()


def _quiet_highs() -> highspy.Highs:
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("primal_feasibility_tolerance", TOLERANCE)
    highs.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
    highs.setOptionValue("small_matrix_value", 1e-12)
    return highs


def _set_rows(lp: highspy.HighsLp, sizes: np.ndarray, columns: np.ndarray, entries: np.ndarray) -> None:
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(sizes)])
    lp.a_matrix_.index_, lp.a_matrix_.value_ = columns, entries


def _finished(bets: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """Probabilities that add up to 1; cards that are never dealt check."""
    bets[bets < ZERO] = 0.0
    bets[joint.sum(axis=1) == 0] = 0.0
    bets[bets.sum(axis=1) == 0, 0] = 1.0
    return np.asarray(bets / bets.sum(axis=1, keepdims=True))
