"""Limit poker on the river: no card comes any more, bets have one size, and the hands are drawn from any distribution.

Player 1 checks or bets; a bet is folded to, called or raised, up to a cap; after a check player 2 checks behind or
bets, and so on. The better hand wins the pot and what was bet; equal hands split. Hands are cards 1 (worst) upwards, as
if all hands that may still be held were sorted.

The endgame of Ganzfried & Sandholm, Computing equilibria by incorporating qualitative models (2010), for which they
draw three qualitative models (Ganzfried & Yusuf 2017, section 2, Figures 4 to 6). They do not say there how large the
pot is. The default is that of heads-up limit hold'em after one raise before the flop and one bet on the flop and the
turn, all called: 2 + 1 + 2 = 5 big bets; the cap is that of limit hold'em, a bet and three raises.

Labels have a letter per action: k check, b bet, r raise, c call, f fold: `kbrc`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nashgap.core.game import TERMINAL
from nashgap.games.checks import check_move, positive_number, whole_number
from nashgap.games.joint import Joint, JointlyDealtGame, checked_joint

__all__ = ["RiverLimit", "RiverLimitState"]

MOST_RAISES = 20
LETTERS = {"check": "k", "bet": "b", "raise": "r", "call": "c", "fold": "f"}


@dataclass(frozen=True)
class RiverLimit(JointlyDealtGame):
    """The river of limit poker. Amounts are in bets, the only size there is.

    deck:   number of hands, 2 to 1000, named 1 (worst) upwards; taken from `joint`, or 10, unless told.
    pot:    what lies in the middle beforehand, half of it from each player.
    raises: most bets and raises, 1 to 20.
    joint:  `[deck, deck]` probability that player 1 holds the hand of the row and player 2 that of the column; or the
            path of a CSV file of it. Without it all pairs of different hands are equally likely.
    """

    deck: int | None = None
    pot: float = 5.0
    raises: int = 4
    joint: Joint | str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "pot", positive_number("river_limit: pot", self.pot))
        whole_number("river_limit: raises", self.raises, 1, MOST_RAISES)
        deck, joint = checked_joint("river_limit", self.deck, self.joint)
        object.__setattr__(self, "deck", deck)
        object.__setattr__(self, "joint", joint)

    @property
    def unit(self) -> str:
        return "bets_per_hand"

    def public_root(self) -> RiverLimitState:
        return RiverLimitState(self)


@dataclass(frozen=True)
class RiverLimitState:
    """The betting so far: one letter an action."""

    game: RiverLimit
    label: str = ""

    @property
    def num_bets(self) -> int:
        """Bets and raises made so far: what a player who has not folded to the last of them has put in."""
        return self.label.count("b") + self.label.count("r")

    @property
    def player(self) -> int:
        return TERMINAL if self.label.endswith(("kk", "c", "f")) else len(self.label) % 2

    @property
    def actions(self) -> tuple[str, ...]:
        if self.player == TERMINAL:
            return ()
        if self.num_bets == 0:
            return ("check", "bet")
        return ("fold", "call", "raise") if self.num_bets < self.game.raises else ("fold", "call")

    def child(self, move: int) -> RiverLimitState:
        check_move(f"river_limit after {self.label!r}", self.actions, move)
        return RiverLimitState(self.game, self.label + LETTERS[self.actions[move]])

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        raise AssertionError("river_limit has no public chance")

    def returns(self, hands: np.ndarray) -> np.ndarray:
        half = self.game.pot / 2
        if self.label.endswith("f"):
            has_first_folded = len(self.label) % 2 == 1
            # The last bet was not called: it goes back.
            won = half + self.num_bets - 1
            first = np.full(len(hands), -won if has_first_folded else won)
        else:
            first = np.sign(hands[:, 0] - hands[:, 1]) * (half + self.num_bets)
        return np.stack([first, -first], axis=1)
