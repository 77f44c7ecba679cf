"""A spot hand by hand and deal by deal, as a game of histories: the slow way, for everything exact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.poker.hands import hands_of
from nashgap.poker.spot import Spot
from nashgap.poker.state import PublicState


@dataclass(frozen=True)
class SpotGame:
    """Zero sum without rake: payoffs are chips less half of the pot."""

    spot: Spot

    num_players = 2
    unit = "chips_per_hand"

    @cached_property
    def deals(self) -> list[tuple[tuple[tuple[int, ...], tuple[int, ...]], float]]:
        hands, weights = hands_of(self.spot.rules), self.spot.weights
        held = [np.flatnonzero(row) for row in weights]
        pairs = [
            ((hands[one], hands[other]), weights[0][one] * weights[1][other])
            for one, other in product(*held)
            if not set(hands[one]) & set(hands[other])
        ]
        total = sum(weight for _, weight in pairs)
        return [(cards, weight / total) for cards, weight in pairs]

    def root(self) -> DealState:
        return DealState(self)


@dataclass(frozen=True)
class DealState:
    game: SpotGame
    player = CHANCE
    infoset = ""
    returns = ()

    @property
    def actions(self):
        return tuple(str(number) for number in range(len(self.game.deals)))

    @property
    def chance_probabilities(self):
        return tuple(chance for _, chance in self.game.deals)

    def child(self, move):
        return HandState(self.game.spot, self.game.deals[move][0], self.game.spot.root())


@dataclass(frozen=True)
class HandState:
    spot: Spot
    cards: tuple[tuple[int, ...], tuple[int, ...]]
    state: PublicState

    @property
    def player(self):
        return TERMINAL if self.state.is_over else CHANCE if self.state.seat == CHANCE else self.state.seat

    @property
    def _left(self):
        seen = {*self.state.board, *self.cards[0], *self.cards[1]}
        return [card for card in self.spot.rules.deck if card not in seen]

    @property
    def actions(self):
        if self.player == TERMINAL:
            return ()
        if self.player == CHANCE:
            return tuple(format_cards([card]) for card in self._left)
        return tuple(self.spot.action_text(self.state, action) for action in self.spot.betting.actions(self.state))

    @property
    def chance_probabilities(self):
        return (1 / len(self._left),) * len(self._left)

    @property
    def infoset(self):
        return f"{format_cards(self.cards[self.player])} {format_cards(self.state.board)} {self.state.betting}"

    @property
    def returns(self):
        return tuple(value / self.spot.scale for value in self.state.payoffs(self.cards))

    def child(self, move):
        if self.player == CHANCE:
            return HandState(self.spot, self.cards, self.state.deal([self._left[move]]))
        return HandState(self.spot, self.cards, self.state.act(self.spot.betting.actions(self.state)[move]))
