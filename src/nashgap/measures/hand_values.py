"""What hands are worth after some betting, by classes of hands: learned on some deals, to take the luck out of others.

A hand is told apart by the betting so far, with raises roughly as fractions of the pot, and by how strong it is on the
board so far: one of sixteen classes, finer among the strong. In hold'em strength is the chance to win against a random
hand, from the tables that card abstractions use; elsewhere the rank of the cards so far among all hands.

The value is the mean of what was won there by hands that were played, of which the corrected ones must not be any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import load_strength_tables
from nashgap.errors import UnsupportedGameError
from nashgap.poker.rules import PokerRules

__all__ = ["HandValues"]

_BOARD_STEP = 41  # every so many boards are looked at to cut strength into classes
_NO_LEVEL = 65535


@dataclass(frozen=True, eq=False)
class HandValues:
    """A table that can be taught and asked.

    knows_agents: whether hands are told apart by who sits where, too; not where one strategy was learned from.
    """

    rules: PokerRules
    native: _native.ValueTable
    knows_agents: bool

    @classmethod
    def empty(cls, rules: PokerRules, *, knows_agents: bool = True) -> HandValues:
        if rules.num_hole_cards not in (1, 2):
            raise UnsupportedGameError(
                f"{rules.name or 'the game'} deals {rules.num_hole_cards} hole cards; luck is taken off in games with"
                " one or two"
            )
        return cls(rules, _native.ValueTable(rules.native, _hand_classes(rules)), knows_agents)

    def note_hands(self, seed: int, deals: np.ndarray, betting: Sequence[str], agents: np.ndarray) -> None:
        """Of deals of this seed, `[D]`, which ended after this betting; agents: `[D, N]` at each seat."""
        numbers = np.ascontiguousarray(deals, dtype=np.int64)
        self.native.note_hands(seed, numbers, list(betting), self.arrangements(agents))

    def settle(self) -> None:
        """Find the values by the hands noted so far; once."""
        self.native.settle()

    def arrangements(self, agents: np.ndarray) -> np.ndarray:
        """`[D]` a number for who sits where."""
        places = np.uint64(agents.shape[1]) ** np.arange(agents.shape[1], dtype=np.uint64)
        numbers = agents.astype(np.uint64) @ places
        return np.ascontiguousarray(numbers if self.knows_agents else np.zeros_like(numbers))


def _hand_classes(rules: PokerRules) -> _native.HandClasses:
    if not rules.is_holdem:
        return _native.HandClasses(rules.native, [], [])
    return _native.HandClasses(rules.native, *_holdem_levels())


@cache
def _holdem_levels() -> tuple[list[Any], list[list[int]]]:
    """Levels of strength by street, and the first level of each class but the first. Kept: the engine reads them."""
    levels = [np.asarray(table) for table in load_strength_tables("ehs").levels]
    cuts = []
    for table in levels:
        looked_at = np.asarray(table[::_BOARD_STEP])
        found = np.quantile(looked_at[looked_at != _NO_LEVEL], _native.hand_class_cuts())
        cuts.append([int(level) for level in np.ceil(found)])
    return levels, cuts
