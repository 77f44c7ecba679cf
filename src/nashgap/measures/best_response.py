"""Exact best responses, and what a strategy loses to them.

One pass of the tree a player: the others' reach meets the payoffs at the leaves, and the best action is taken bottom-up
through the player's own infosets. Exact; needs perfect recall and refuses a game without it. Any number of players: a
gain is always against the others' strategies as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nashgap import _native
from nashgap.core.game import Game
from nashgap.core.result import Result, frame
from nashgap.core.tree import GameTree
from nashgap.measures.subject import one_bot, table_strategy
from nashgap.poker.rules import PokerRules
from nashgap.runs.config import package_version
from nashgap.strategies.bot import Bot
from nashgap.strategies.load import is_spot, load
from nashgap.strategies.spot_strategy import SpotStrategy
from nashgap.strategies.table import TableStrategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Exploitability", "Gains", "best_response", "expected_values", "exploitability", "measure_br"]


METHOD = "br"


class Gains:
    """What best responses gain, of what is worth `values` to the players and would be worth `best_values`."""

    values: tuple[float, ...]
    best_values: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        # A best response never earns less; what is below 0 is rounding.
        return tuple(max(0.0, best - value) for best, value in zip(self.best_values, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        """Sum of the gains; 0 in equilibrium and only there."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """Mean gain a player: for two players and zero sum what the strategy loses, over both seats, to its nemesis."""
        return self.nash_conv / len(self.values)


@dataclass(frozen=True, repr=False)
class Exploitability(Gains, Result):
    """What each player could gain by a best response to the others, in the game's unit. One entry per player.

    values:      of the strategy.
    best_values: of a best response.
    strategy:    whose gap it is, as text; empty where it has no name.
    """

    reporter: ClassVar[str] = "nashgap.reports.best_response:exploitability_report"

    game: str
    unit: str
    values: tuple[float, ...]
    best_values: tuple[float, ...]
    strategy: str = field(default="", kw_only=True)
    method: str = field(default=METHOD, kw_only=True)

    @property
    def summary(self) -> str:
        return f"{self.strategy or 'The strategy'} in {self.game}: nash_conv {self.nash_conv:.6g} {self.unit}, exactly."

    def to_frame(self) -> pd.DataFrame:
        """A row for each player, from 1."""
        numbers = zip(self.values, self.best_values, self.gains, strict=True)
        rows = [(player, *row, self.unit) for player, row in enumerate(numbers, 1)]
        return frame(("player", "value", "best_response_value", "gain", "unit"), rows)

    def as_dict(self) -> dict[str, Any]:
        return {
            **({"strategy": self.strategy} if self.strategy else {}),
            "game": self.game,
            "unit": self.unit,
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "values": list(self.values),
            "gains": list(self.gains),
            "best_response_values": list(self.best_values),
            "method": self.method,
            "version": package_version(),
        }


def expected_values(tree: GameTree, strategy: TableStrategy) -> tuple[float, ...]:
    """Each player's expected payoff; holds without perfect recall too."""
    strategy.require_tree(tree)
    returns = np.empty(tree.num_players)
    _native.expected_returns(tree.native, strategy.probabilities, returns)
    return tuple(map(float, returns))


def exploitability(tree: GameTree, strategy: TableStrategy) -> Exploitability:
    """Exact gains of all players."""
    return _respond(tree, strategy)[0]


def best_response(tree: GameTree, strategy: TableStrategy) -> TableStrategy:
    """For every player a pure best response to the others, in one table; the first of equally good actions."""
    return TableStrategy(tree, _respond(tree, strategy)[1], {"method": "best response"})


def _respond(tree: GameTree, strategy: TableStrategy) -> tuple[Exploitability, np.ndarray]:
    tree.require_perfect_recall("an exact best response")
    strategy.require_tree(tree)
    values, best_values = np.empty(tree.num_players), np.empty(tree.num_players)
    response = np.empty(tree.num_slots)
    _native.best_response(tree.native, strategy.probabilities, values, best_values, response)
    return Exploitability(tree.game, tree.unit, tuple(map(float, values)), tuple(map(float, best_values))), response


def measure_br(bots: tuple[Bot, ...], game: str | Game | GameTree | PokerRules | None) -> Exploitability:
    """Exact best responses, in a small game: of tables, and of whatever answers for all hands of a small poker game."""
    bot = one_bot(bots, "br")
    if is_spot(bot) and game is None:
        return _in_its_spot(bot)
    strategy = table_strategy(bot, game)
    return replace(exploitability(strategy.tree, strategy), strategy=bot.text)


def _in_its_spot(bot: Bot) -> Exploitability:
    """Of chips that each player gets. What was locked when it was solved can be answered, too."""
    strategy = load(bot)
    assert isinstance(strategy, SpotStrategy), "what is a spot's is loaded as such"
    spot = strategy.spot
    best = spot.chips_won(strategy.ranges.response_values(keeps_locks=False))
    values = strategy.values()
    return Exploitability(f"the {spot.street} {spot.board_text}", "chips", values, best, strategy=bot.text)
