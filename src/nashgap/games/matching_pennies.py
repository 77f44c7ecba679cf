"""Matching pennies for three players: an equilibrium strategy that two opponents together can beat.

Each player antes 1 and chooses heads or tails in secret. All the same: everybody takes the ante back. Otherwise the
two who agree split the third one's ante.

Abou Risk, Using counterfactual regret minimization to create a competitive multiplayer poker agent (2009), section
3.1.1. Choosing at random is an equilibrium worth 0 to everybody, and so is always heads; but the random player loses
1/2 to two players who always choose heads.
"""

from __future__ import annotations

from dataclasses import dataclass

from nashgap.games.one_shot import OneShotGame

__all__ = ["MatchingPennies"]


@dataclass(frozen=True)
class MatchingPennies(OneShotGame):
    """Three-player matching pennies. No parameters."""

    @property
    def num_players(self) -> int:
        return 3

    @property
    def unit(self) -> str:
        return "antes_per_game"

    @property
    def action_names(self) -> tuple[str, ...]:
        return ("heads", "tails")

    def payoffs(self, moves: tuple[int, ...]) -> tuple[float, ...]:
        if len(set(moves)) == 1:
            return (0.0, 0.0, 0.0)
        return tuple(-1.0 if moves.count(move) == 1 else 0.5 for move in moves)
