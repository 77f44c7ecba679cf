"""Plans for the limit river endgame: all that a player means to do with a hand, decided before the first action.

On the river of limit poker a player is asked again only after a raise, so whatever it does with one hand is a mixture
of a few plans: `check-raise-fold` is to check, to raise a bet, and to fold to another raise. Player 1 has one mixture
for each hand; player 2 has two, for what it does after a check and after a bet. Plans make the game small (with four
bets 9 for player 1 and 5 + 5 for player 2) and are what qualitative models are made of (Ganzfried & Sandholm 2010).

A plan goes on to answers that the other player never asks for in equilibrium: they are what keeps it from asking.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap.core.game import TERMINAL
from nashgap.errors import MismatchError
from nashgap.games.river_limit import RiverLimit, RiverLimitState
from nashgap.strategies.table import TableStrategy

__all__ = ["SITUATIONS", "RiverPlans"]

SITUATIONS = ("player 1", "player 2 after a check", "player 2 after a bet")
"""Where a mixture of plans is chosen."""

AGGRESSIVE = ("bet", "raise")


@dataclass(frozen=True)
class RiverPlans:
    """The plans of one game, whatever the deal. Hands are those of the game's deck, worst first.

    A plans of player 1, B of player 2: those after a check, then those after a bet.
    """

    pot: float = 5.0
    raises: int = 4

    @cached_property
    def _root(self) -> RiverLimitState:
        return RiverLimit(deck=2, pot=self.pot, raises=self.raises).public_root()

    @cached_property
    def plans(self) -> tuple[tuple[str, ...], ...]:
        """Names for each of the `SITUATIONS`: actions with hyphens between."""
        starts = self._root, self._root.child(0), self._root.child(1)
        return tuple(tuple("-".join(plan) for plan in _plans_from(start)) for start in starts)

    @cached_property
    def payoffs(self) -> np.ndarray:
        """`[A, B, 3]` bets that player 1 wins with the worse hand, an equal one, the better one.

        0 where the plan of player 2 is for the other first action of player 1.
        """
        after_check, after_bet = self.plans[1:]
        payoffs = np.zeros((len(self.plans[0]), len(after_check) + len(after_bet), 3))
        for row, first in enumerate(self.plans[0]):
            is_check = first.startswith("check")
            answers = after_check if is_check else after_bet
            for place, second in enumerate(answers, start=0 if is_check else len(after_check)):
                ending = _played(self._root, (iter(first.split("-")), iter(second.split("-"))))
                payoffs[row, place] = ending.returns(np.array([[0, 1], [0, 0], [1, 0]]))[:, 0]
        return payoffs

    def gains(self, joint: np.ndarray) -> np.ndarray:
        """`[C, A, C, B]` what player 1 wins by hand and plan of both, times the chance of the hands `[C, C]`."""
        hands = np.arange(len(joint))
        shows = np.sign(hands[:, None] - hands[None, :]) + 1
        gains: np.ndarray = joint[:, None, :, None] * self.payoffs[:, :, shows].transpose(2, 0, 3, 1)
        return gains

    def weights_of(self, strategy: TableStrategy) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How often each plan is followed, for each of the `SITUATIONS`: `[C, plans]`, rows sum to 1.

        Of a strategy for a `RiverLimit` game with this pot and as many raises; 0 for hands that are never dealt.
        """
        definition = dict(strategy.tree.definition)
        parameters = definition.get("parameters", {})
        told = definition.get("name"), parameters.get("pot"), parameters.get("raises")
        if told != ("river_limit", self.pot, self.raises):
            wanted = f"river_limit with pot {self.pot:g} and {self.raises} raises"
            raise MismatchError(f"these plans are for {wanted}; the strategy is for {strategy.tree.game}")
        starts = (0, ""), (1, "k"), (1, "b")
        weights = []
        for (player, label), names in zip(starts, self.plans, strict=True):
            table = np.zeros((int(parameters["deck"]), len(names)))
            for card in range(len(table)):
                if f"{player}:{card + 1} {label}".rstrip() in strategy.tree.infoset_index:
                    table[card] = [_plan_weight(strategy, player, card + 1, label, name) for name in names]
            weights.append(table)
        return weights[0], weights[1], weights[2]


def _plans_from(state: RiverLimitState) -> Iterator[tuple[str, ...]]:
    """All plans of the player to act: passive ones first."""
    for move, action in enumerate(state.actions):
        again = _asked_again(state.child(move))
        if again is None:
            yield (action,)
        else:
            yield from ((action, *rest) for rest in _plans_from(again))


def _asked_again(state: RiverLimitState) -> RiverLimitState | None:
    """Where the player who has just acted acts next: the other one has raised; None if that is not possible."""
    for move, action in enumerate(state.actions):
        if action in AGGRESSIVE:
            return state.child(move)
    return None


def _played(state: RiverLimitState, plans: tuple[Iterator[str], Iterator[str]]) -> RiverLimitState:
    """The end of the hand when both players follow their plans."""
    while state.player != TERMINAL:
        state = state.child(state.actions.index(next(plans[state.player])))
    return state


def _plan_weight(strategy: TableStrategy, player: int, card: int, label: str, plan: str) -> float:
    """The product of the plan's actions where the other player asks for all of them."""
    letters = {"check": "k", "bet": "b", "raise": "r"}
    weight = 1.0
    for action in plan.split("-"):
        weight *= strategy.chances(player, f"{card} {label}".rstrip())[action]
        if weight == 0.0 or action not in letters:
            break
        # What follows is asked for by a bet after a check, by a raise else.
        label += letters[action] + ("b" if action == "check" else "r")
    return weight
