"""One decision of a solved spot: what is done with every hand, and what the hands are worth.

A hand counts as often as its player comes here with it and meets a hand of the other. Values are chips that a player
gets from here on: what is in the pot can be won, what the player puts in from here on is paid, and a fold is worth 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nashgap.cards.card import parse_cards
from nashgap.cards.made_hands import MADE_HANDS, made_hand
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES
from nashgap.poker.spot import POSITIONS
from nashgap.strategies.strategy_view import StrategyView

__all__ = ["KindOfHand", "SpotView"]


@dataclass(frozen=True)
class KindOfHand:
    """Hands that make the same with the board. share: of the range. value: chips; shares: of each action."""

    name: str
    share: float
    equity: float
    value: float
    shares: dict[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class SpotView(StrategyView):
    """A `StrategyView` of the hands of the range, with what they are worth.

    values: `[H, A]` chips that each hand gets by each action.
    equity: `[H]` share of the pot that it wins if all cards are dealt at once.
    met:    `[H]` weight of the other's hands that can meet it.
    """

    reporter: ClassVar[str] = "nashgap.reports.spot:spot_view_report"

    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    equity: np.ndarray = field(default_factory=lambda: np.zeros(0))
    met: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def weights(self) -> np.ndarray:
        weights = self.reach * self.met
        return weights / weights.sum() if weights.sum() > 0 else np.full(len(self.hands), 1.0 / len(self.hands))

    @cached_property
    def hand_values(self) -> np.ndarray:
        """`[H]` chips that each hand gets as it is played."""
        return np.asarray((self.probabilities * self.values).sum(axis=1))

    @property
    def value(self) -> float:
        """Chips that the range gets."""
        return float(self.weights @ self.hand_values)

    @property
    def range_equity(self) -> float:
        return float(self.weights @ self.equity)

    @property
    def num_combos(self) -> float:
        """Hands that are held here, each counted with its weight."""
        return float(self.reach.sum())

    @cached_property
    def action_values(self) -> dict[str, float | None]:
        """Chips that the hands get which take each action; None where none does."""
        taken = self.weights[:, None] * self.probabilities
        totals = taken.sum(axis=0)
        found = ((taken * self.values).sum(axis=0) / np.where(totals > 0, totals, 1.0)).tolist()
        return {
            action: value if total > 0 else None
            for action, value, total in zip(self.actions, found, totals.tolist(), strict=True)
        }

    @cached_property
    def kinds(self) -> tuple[KindOfHand, ...]:
        """By what the hands make with the board, the strongest first."""
        board = parse_cards(self.board)
        kinds = np.array([MADE_HANDS.index(made_hand(parse_cards(hand), board)) for hand in self.hands])
        return tuple(self._kind(MADE_HANDS[kind], kinds == kind) for kind in np.unique(kinds)[::-1])

    def _kind(self, name: str, is_of_it: np.ndarray) -> KindOfHand:
        held = np.where(is_of_it, self.weights, 0.0)
        total = held.sum()
        held = held / total if total > 0 else is_of_it / is_of_it.sum()
        shares = dict(zip(self.words, (held @ self.probabilities).clip(0.0, 1.0).tolist(), strict=True))
        return KindOfHand(name, float(total), float(held @ self.equity), float(held @ self.hand_values), shares)

    @property
    def title(self) -> str:
        """`Out of position on the river QsJh2h8c4d after x b100`."""
        who = POSITIONS[self.seat].capitalize()
        after = f" after {self.after}" if self.after else ", first to act"
        return f"{who} on the {self.street} {self.board}{after}"

    @property
    def range_note(self) -> str:
        if not self.is_reached:
            return f"{super().range_note} Values are chips from here on: a fold is worth 0."
        return (
            "A hand counts as often as it is held here and meets a hand of the other. Values are chips from here on: a"
            " fold is worth 0."
        )

    def _columns(self) -> dict[str, Any]:
        """Also what every hand is worth, as it is played and by each action."""
        worth = {"weight": self.weights, "equity": self.equity, "value": self.hand_values}
        by_action = zip((f"value of {action}" for action in self.actions), self.values.T, strict=True)
        return super()._columns() | worth | dict(by_action)

    def as_dict(self) -> dict[str, Any]:
        told = super().as_dict()
        numbers = self.numbers if self.numbers is not None else np.zeros(0, int)
        return told | {
            "value": self.value,
            "equity": self.range_equity,
            "combos": self.num_combos,
            "action_values": dict(self.action_values),
            "hands": {
                hand: {
                    "class": HAND_CLASSES[CLASS_OF_HAND[number]],
                    "weight": float(weight),
                    "equity": float(equity),
                    "value": float(value),
                    "actions": dict(zip(self.actions, map(float, shares), strict=True)),
                    "values": dict(zip(self.actions, map(float, values), strict=True)),
                }
                for hand, number, weight, equity, value, shares, values in zip(
                    self.hands, numbers, self.weights, self.equity, self.hand_values, self.probabilities, self.values,
                    strict=True,
                )
            },
        }  # fmt: skip
