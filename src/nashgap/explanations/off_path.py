"""Sensible answers to bets that equilibrium never makes.

Player 2's equilibrium only has to keep such a bet from paying, and a linear program stops at calls that just do, with
odd cards. Of all calls that still keep every card from gaining, those are taken that cost player 1 most if every card
made the bet as often as it is dealt: an unexpected bet is answered as if any hand might have made it. With A = what
player 1 gains, times the chance of both cards, where card j calls instead of folding, and w[i] what card i wins in
equilibrium, times its chance, for each such bet

    min sum over i and j of A[i, j] y[j]   s.t.   sum over j of A[i, j] y[j] <= w[i] - what card i wins by folds alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nashgap.explanations.bet_size_games import BetSizeGames

__all__ = ["sensible_calls"]

ZERO = 1e-9  # less is 0: a chance
SLACK = 1e-10  # of what a card may gain: the tolerance that the equilibrium was found with


def sensible_calls(games: BetSizeGames, bets: Mapping[str, np.ndarray], calls: np.ndarray) -> np.ndarray:
    """`[C, B]` the calls of one game, with those to bets that none of player 1's equilibria `bets` makes replaced."""
    from scipy.optimize import linprog
    from scipy.sparse import block_diag

    stakes, joint = games.stakes, games.joint[0]
    made = np.max([table.max(axis=0) for table in bets.values()], axis=0) > ZERO
    made[0] = True  # a check is not answered
    unmade = np.flatnonzero(~made)
    if len(unmade) == 0:
        return calls
    won = games.bet_values(calls[None])[0].max(axis=1)
    left = won - stakes.ante * joint.sum(axis=1) + SLACK
    gains = [joint * (stakes.shows * (stakes.ante + stakes.amounts[bet]) - stakes.ante) for bet in unmade]
    is_dealt = joint.sum(axis=0) > 0
    solution = linprog(
        np.concatenate([gain.sum(axis=0) for gain in gains]),
        A_ub=block_diag(gains),
        b_ub=np.tile(left, len(unmade)),
        bounds=[(0.0, float(dealt)) for dealt in is_dealt] * len(unmade),
        method="highs-ds",
        options={"primal_feasibility_tolerance": SLACK, "dual_feasibility_tolerance": SLACK},
    )
    if solution.x is None:
        return calls  # at the edge of the tolerance the solver's own calls are all there is
    answered = calls.copy()
    answered[:, unmade] = np.clip(solution.x, 0.0, 1.0).reshape(len(unmade), stakes.deck).T
    return answered
