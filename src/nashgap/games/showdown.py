"""Who wins the pot: the last step of every poker game, for all deals at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["pot_returns"]


def pot_returns(strength: np.ndarray, stakes: Sequence[int], live: Sequence[int]) -> np.ndarray:
    """Net winnings when the strongest of the `live` players take the pot, in equal parts.

    strength: `[L, P]` int, at least 0; more is better and equal ones tie. L deals, P players.
    stakes:   `[P]` what each player has put into the pot.
    Returns `[L, P]`. A pot with a single live player is his whatever his strength.
    """
    contending = np.full_like(strength, -1)
    contending[:, live] = strength[:, live]
    is_winner = contending == contending.max(axis=1, keepdims=True)
    share = sum(stakes) / is_winner.sum(axis=1, keepdims=True)
    return np.where(is_winner, share, 0.0) - np.asarray(stakes, dtype=np.float64)
