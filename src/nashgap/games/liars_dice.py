"""Liar's dice with one die each: bid on all the dice, or call the last bidder a liar.

Each player rolls one die in secret. A bid `2-5` says that among all dice at least two show 5; the highest face is
wild and counts as every face. Bids rise by quantity, then by face. Instead of bidding higher, a player may say liar:
if the last bid was true its bidder wins a point from the caller, otherwise the caller wins one from the bidder. Any
third player neither wins nor loses.

Two players with six sides are OpenSpiel's liars_dice: 24576 information sets. Lisy, Lanctot & Bowling, Online Monte
Carlo counterfactual regret minimization for search in imperfect information games (2015), describe this version.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from nashgap.core.game import TERMINAL, Deals, DealtGame
from nashgap.games.checks import check_move, whole_number

__all__ = ["LiarsDice", "LiarsDiceState"]


@dataclass(frozen=True)
class LiarsDice(DealtGame):
    """Liar's dice.

    players:    2 or 3.
    dice_sides: 2 to 6.
    """

    players: int = 2
    dice_sides: int = 6

    def __post_init__(self) -> None:
        whole_number("liars_dice: players", self.players, 2, 3)
        whole_number("liars_dice: dice_sides", self.dice_sides, 2, 6)

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def unit(self) -> str:
        return "points_per_game"

    @property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(str(face) for face in range(1, self.dice_sides + 1)),) * self.players

    @property
    def num_deals(self) -> int:
        return int(self.dice_sides**self.players)

    def deals(self) -> Deals:
        return self._deals

    @cached_property
    def _deals(self) -> Deals:
        hands = np.array(list(product(range(self.dice_sides), repeat=self.players)))
        return Deals(hands, np.full(len(hands), 1.0 / len(hands)))

    def public_root(self) -> LiarsDiceState:
        return LiarsDiceState(self)

    @cached_property
    def calls(self) -> tuple[str, ...]:
        """Names of all bids from the lowest up, then liar."""
        quantities = range(1, self.players + 1)
        bids = (f"{quantity}-{face + 1}" for quantity in quantities for face in range(self.dice_sides))
        return (*bids, "liar")


@dataclass(frozen=True)
class LiarsDiceState:
    """What has been called so far, as indices into `LiarsDice.calls`."""

    game: LiarsDice
    called: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        names = self.game.calls
        return " ".join(names[call] for call in self.called)

    @property
    def player(self) -> int:
        liar = self.game.players * self.game.dice_sides
        return TERMINAL if self.called and self.called[-1] == liar else len(self.called) % self.game.players

    @property
    def actions(self) -> tuple[str, ...]:
        names = self.game.calls
        return names[self.called[-1] + 1 :] if self.called else names[:-1]

    def child(self, move: int) -> LiarsDiceState:
        check_move(f"liars_dice after {self.label!r}", self.actions, move)
        lowest = self.called[-1] + 1 if self.called else 0
        return replace(self, called=(*self.called, lowest + move))

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        raise AssertionError("liars_dice has no public chance")

    def returns(self, hands: np.ndarray) -> np.ndarray:
        wild = self.game.dice_sides - 1
        more, face = divmod(self.called[-2], self.game.dice_sides)
        is_true = ((hands == face) | (hands == wild)).sum(axis=1) >= more + 1
        caller = (len(self.called) - 1) % self.game.players
        bidder = (len(self.called) - 2) % self.game.players
        payoffs = np.zeros(hands.shape)
        payoffs[:, bidder] = np.where(is_true, 1.0, -1.0)
        payoffs[:, caller] = -payoffs[:, bidder]
        return payoffs
