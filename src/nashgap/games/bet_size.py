"""One bet of any size: the poker game in which human-understandable strategies are looked for.

Both players ante and get one card each; player 1 bets a multiple of `step` up to `stack`, player 2 folds or calls. A
bet of 0 is a check and goes to showdown. The better card wins the ante and the bet; equal cards split. How likely each
pair of cards is can be chosen freely.

Ganzfried & Yusuf, Computing human-understandable strategies (2017), section 1, which prints equilibria for three
distributions. Its figure 2 (player 1 has the best or the worst card, player 2 a middle one) is worth 3/8 to player 1.

Section 2 names the lack of raises as what parts the game from real poker. With `raises=1` player 2 may also raise a bet
to any larger multiple of the step up to the stack, and player 1 folds or calls. A check still ends the hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from nashgap.core.game import TERMINAL
from nashgap.errors import ConfigError
from nashgap.games.checks import check_move, positive_number, whole_number
from nashgap.games.joint import Joint, JointlyDealtGame, checked_joint, uniform_joint

__all__ = ["BetSize", "BetSizeState", "uniform_joint"]

MOST_STEPS = 10_000
MOST_RAISES = 1


@dataclass(frozen=True)
class BetSize(JointlyDealtGame):
    """One-bet poker. Amounts are in dollars.

    deck:   number of cards, 2 to 1000, named 1 (worst) upwards; taken from `joint`, or 10, unless told.
    stack:  the largest bet, a multiple of `step`.
    step:   bets are multiples of it.
    ante:   what each player puts in beforehand.
    joint:  `[deck, deck]` probability that player 1 holds the card of the row and player 2 that of the column; or the
            path of a CSV file of it. Kept as nested tuples; scaled to sum to exactly 1 when hands are dealt. Without
            it all pairs of different cards are equally likely.
    raises: how many follow the bet at most, 0 or 1.
    """

    deck: int | None = None
    stack: float = 3.0
    step: float = 0.1
    ante: float = 0.5
    joint: Joint | str | None = None
    raises: int = 0

    def __post_init__(self) -> None:
        for name in ("stack", "step", "ante"):
            object.__setattr__(self, name, positive_number(f"bet_size: {name}", getattr(self, name)))
        steps = self.stack / self.step
        # The range comes first: an infinite quotient cannot be rounded.
        if not 0.5 <= steps <= MOST_STEPS + 0.5 or not math.isclose(steps, round(steps), rel_tol=1e-9):
            allowed = f"a multiple of step {self.step}, at most {MOST_STEPS} steps"
            raise ConfigError(f"bet_size: stack must be {allowed}, not {self.stack}")
        whole_number("bet_size: raises", self.raises, 0, MOST_RAISES)
        deck, joint = checked_joint("bet_size", self.deck, self.joint)
        object.__setattr__(self, "deck", deck)
        object.__setattr__(self, "joint", joint)

    @property
    def unit(self) -> str:
        return "dollars_per_hand"

    def public_root(self) -> BetSizeState:
        return BetSizeState(self)

    @property
    def num_steps(self) -> int:
        """The largest bet, in steps."""
        return round(self.stack / self.step)

    def amount(self, steps: int) -> float:
        """Dollars of a bet of so many steps; dividing last keeps 3 steps of 0.1 at 0.3."""
        return self.stack * steps / self.num_steps


@dataclass(frozen=True)
class BetSizeState:
    """The bet in steps of the game, what it was raised to, and the last answer; None where there is none yet."""

    game: BetSize
    bet: int | None = None
    is_called: bool | None = None
    raised_to: int | None = None

    @property
    def player(self) -> int:
        if self.bet is None:
            return 0
        if self.bet == 0 or self.is_called is not None:
            return TERMINAL
        return 1 if self.raised_to is None else 0

    @property
    def actions(self) -> tuple[str, ...]:
        if self.player == TERMINAL:
            return ()
        if self.bet is None:
            return tuple(_bet_name(self.game, steps) for steps in range(self.game.num_steps + 1))
        return ("fold", "call", *(_raise_name(self.game, steps) for steps in self._raises))

    @property
    def _raises(self) -> range:
        """What player 2 may raise to, in steps."""
        if self.bet is None or self.raised_to is not None or self.game.raises == 0:
            return range(0)
        return range(self.bet + 1, self.game.num_steps + 1)

    @property
    def label(self) -> str:
        if self.bet is None:
            return ""
        raised = "" if self.raised_to is None else f" {_raise_name(self.game, self.raised_to)}"
        answer = {None: "", False: " fold", True: " call"}[self.is_called]
        return _bet_name(self.game, self.bet) + raised + answer

    def child(self, move: int) -> BetSizeState:
        check_move(f"bet_size after {self.label!r}", self.actions, move)
        if self.bet is None:
            return replace(self, bet=move)
        if move < 2:
            return replace(self, is_called=move == 1)
        return replace(self, raised_to=self._raises[move - 2])

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        raise AssertionError("bet_size has no public chance")

    def returns(self, hands: np.ndarray) -> np.ndarray:
        assert self.bet is not None, "only a terminal state has returns"
        if self.is_called is not False:
            last = self.bet if self.raised_to is None else self.raised_to
            first = np.sign(hands[:, 0] - hands[:, 1]) * (self.game.ante + self.game.amount(last))
        elif self.raised_to is None:
            first = np.full(len(hands), self.game.ante)
        else:
            first = np.full(len(hands), -self.game.ante - self.game.amount(self.bet))
        return np.stack([first, -first], axis=1)


def _bet_name(game: BetSize, steps: int) -> str:
    return f"bet {game.amount(steps):.10g}" if steps else "check"


def _raise_name(game: BetSize, steps: int) -> str:
    return f"raise to {game.amount(steps):.10g}"
