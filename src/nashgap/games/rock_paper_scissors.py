"""Rock, paper, scissors: the first move is hidden, the winner takes a point from the loser.

Worth 0; the only equilibrium is to choose each with probability 1/3. The same as OpenSpiel's matrix_rps.
"""

from __future__ import annotations

from dataclasses import dataclass

from nashgap.games.one_shot import OneShotGame

__all__ = ["RockPaperScissors"]


@dataclass(frozen=True)
class RockPaperScissors(OneShotGame):
    """Rock, paper, scissors. No parameters."""

    @property
    def num_players(self) -> int:
        return 2

    @property
    def unit(self) -> str:
        return "points_per_game"

    @property
    def action_names(self) -> tuple[str, ...]:
        return ("rock", "paper", "scissors")

    def payoffs(self, moves: tuple[int, ...]) -> tuple[float, ...]:
        # Each action beats the one before it, and rock beats scissors.
        draw, first_wins, second_wins = (0.0, 0.0), (1.0, -1.0), (-1.0, 1.0)
        return (draw, first_wins, second_wins)[(moves[0] - moves[1]) % 3]
