"""Kuhn poker for 2 to 4 players: one card each, one bet of one chip.

P players ante 1 and are dealt one card each from a deck of P + 1 (J Q K; T J Q K; 9 T J Q K). While nobody has bet,
a player checks or bets 1; the first bet is the last, and each other player then folds or calls. The highest card that
has not folded wins the pot.

Two players: Kuhn, A simplified two-person poker (1950); the game is worth -1/18 to the first player. Three players:
Abou Risk, Using counterfactual regret minimization to create a competitive multiplayer poker agent (2009), section
3.3.1 and figure 3.1, whose letters the labels use: k check, b bet, f fold, c call. The same as OpenSpiel's kuhn_poker.

At the poker table the same game is dealt from the highest spades: there queen, king and ace stand for this game's jack,
queen and king (`Kuhn.rules`, `Kuhn.infoset_of`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

import numpy as np

from nashgap.core.game import TERMINAL, Deals, DealtGame, infoset_key
from nashgap.games.checks import check_move, whole_number
from nashgap.games.showdown import pot_returns
from nashgap.games.spec import game_spec
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import FOLD, View

__all__ = ["Kuhn", "KuhnState"]

RANKS = "9TJQK"


@dataclass(frozen=True)
class Kuhn(DealtGame):
    """Kuhn poker.

    players: 2 to 4.
    """

    players: int = 2

    def __post_init__(self) -> None:
        whole_number("kuhn: players", self.players, 2, 4)

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def unit(self) -> str:
        return "antes_per_hand"

    @property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(RANKS[-(self.players + 1) :]),) * self.players

    @property
    def num_deals(self) -> int:
        return math.factorial(self.players + 1)

    def deals(self) -> Deals:
        return self._deals

    @cached_property
    def _deals(self) -> Deals:
        hands = np.array(list(permutations(range(self.players + 1), self.players)))
        return Deals(hands, np.full(len(hands), 1.0 / len(hands)))

    @cached_property
    def rules(self) -> PokerRules:
        """The same game at the poker table."""
        return PokerRules(
            betting="limit",
            blinds=(1,) * self.players,
            raise_sizes=(1,),
            first_seats=(0,),
            max_raises=(1,),
            num_suits=1,
            num_ranks=self.players + 1,
            num_hole_cards=1,
            num_board_cards=(0,),
            stacks=(UNLIMITED,) * self.players,
            name=game_spec(self),
        )

    def infoset_of(self, view: View) -> str:
        """The key of what a seat at the poker table knows, in this game's cards and letters."""
        public = self.public_root()
        for action in view.state.history[0]:
            public = public.child(int(action != FOLD) if public.has_bet else int(action > 0))
        card = view.hole_cards[0] // 4 - (13 - self.rules.num_ranks)
        return infoset_key(self.hand_names[view.seat][card], public.label)

    def public_root(self) -> KuhnState:
        return KuhnState(self.players)


@dataclass(frozen=True)
class KuhnState:
    """The betting so far: one letter per action. Nobody is skipped, so letter i is player i modulo P."""

    players: int
    label: str = ""

    @property
    def has_bet(self) -> bool:
        return "b" in self.label

    @property
    def player(self) -> int:
        # All check, or everybody behind the bettor answers him.
        end = self.label.index("b") + self.players if self.has_bet else self.players
        return TERMINAL if len(self.label) == end else len(self.label) % self.players

    @property
    def actions(self) -> tuple[str, ...]:
        if self.player == TERMINAL:
            return ()
        return ("fold", "call") if self.has_bet else ("check", "bet")

    def child(self, move: int) -> KuhnState:
        check_move(f"kuhn after {self.label!r}", self.actions, move)
        return replace(self, label=self.label + ("fc" if self.has_bet else "kb")[move])

    @property
    def stakes(self) -> tuple[int, ...]:
        """`[P]` antes and bets that each player has put in."""
        bets = [0] * self.players
        for step, letter in enumerate(self.label):
            bets[step % self.players] += letter in "bc"
        return tuple(1 + bet for bet in bets)

    @property
    def pot(self) -> int:
        """All antes and bets so far."""
        return sum(self.stakes)

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        raise AssertionError("kuhn has no public chance")

    def returns(self, hands: np.ndarray) -> np.ndarray:
        highest = max(self.stakes)
        live = [player for player, stake in enumerate(self.stakes) if stake == highest]
        return pot_returns(hands, self.stakes, live)
