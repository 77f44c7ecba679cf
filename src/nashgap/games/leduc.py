"""Leduc poker for 2 to 4 players: one card each, one card on the board, two betting rounds.

P players ante 1 and are dealt one card each from a deck of P + 1 ranks in two suits. A round of betting with bets of
2, then a card is dealt to the board, then a round with bets of 4; at most two bets or raises a round. A player may
fold only when there is a bet to answer. Both rounds start with the first player who has not folded. At showdown a
pair with the board beats every other hand, then the higher card wins; equal ranks split the pot.

Two players: Southey et al., Bayes' bluff: opponent modelling in poker (2005); 936 information sets, worth -0.0856064
to the first player. Three players: Abou Risk, Using counterfactual regret minimization to create a competitive
multiplayer poker agent (2009), section 3.3.2. The same as OpenSpiel's leduc_poker.

Labels have a letter per action (f fold, c check or call, r bet or raise) and the board card: `crc/Kh:rc`.

At the poker table the same game is dealt from the highest ranks of a real deck: there queen, king and ace stand for
this game's jack, queen and king of the same suit (`Leduc.rules`, `Leduc.infoset_of`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.core.game import CHANCE, TERMINAL, Deals, DealtGame, infoset_key
from nashgap.games.checks import check_move, whole_number
from nashgap.games.showdown import pot_returns
from nashgap.games.spec import game_spec
from nashgap.poker.rules import UNLIMITED, PokerRules
from nashgap.poker.state import View, action_text

__all__ = ["Leduc", "LeducState"]

RANKS = "23456789TJQK"
SUITS = "sh"
LARGEST_BET = 1_000_000


@dataclass(frozen=True)
class Leduc(DealtGame):
    """Leduc poker. Card number c has rank c // 2.

    players: 2 to 4.
    ranks:   how many ranks the deck has, up to 12, K the highest; players + 1 unless told.
    raises:  most bets and raises in a round, 1 to 8.
    bet1, bet2, ante: chips.
    """

    players: int = 2
    ranks: int | None = None
    raises: int = 2
    bet1: int = 2
    bet2: int = 4
    ante: int = 1

    def __post_init__(self) -> None:
        whole_number("leduc: players", self.players, 2, 4)
        if self.ranks is None:
            object.__setattr__(self, "ranks", self.players + 1)
        # Two suits must give everybody a card and leave one for the board.
        whole_number(f"leduc: ranks for {self.players} players", self.ranks, (self.players + 2) // 2, len(RANKS))
        whole_number("leduc: raises", self.raises, 1, 8)
        for name in ("bet1", "bet2", "ante"):
            whole_number(f"leduc: {name}", getattr(self, name), 1, LARGEST_BET)

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def unit(self) -> str:
        return "antes_per_hand" if self.ante == 1 else "chips_per_hand"

    @property
    def cards(self) -> tuple[str, ...]:
        """Names of all cards, lowest first."""
        assert self.ranks is not None, "set when the game was made"
        return tuple(rank + suit for rank in RANKS[-self.ranks :] for suit in SUITS)

    @property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        return (self.cards,) * self.players

    @property
    def num_deals(self) -> int:
        return math.perm(len(self.cards), self.players)

    def deals(self) -> Deals:
        return self._deals

    @cached_property
    def _deals(self) -> Deals:
        hands = np.array(list(permutations(range(len(self.cards)), self.players)))
        return Deals(hands, np.full(len(hands), 1.0 / len(hands)))

    @cached_property
    def rules(self) -> PokerRules:
        """The same game at the poker table."""
        assert self.ranks is not None, "set when the game was made"
        return PokerRules(
            betting="limit",
            blinds=(self.ante,) * self.players,
            raise_sizes=(self.bet1, self.bet2),
            first_seats=(0, 0),
            max_raises=(self.raises,) * 2,
            num_suits=len(SUITS),
            num_ranks=self.ranks,
            num_hole_cards=1,
            num_board_cards=(0, 1),
            stacks=(UNLIMITED,) * self.players,
            name=game_spec(self),
        )

    def infoset_of(self, view: View) -> str:
        """The key of what a seat at the poker table knows, in this game's cards."""
        letters = ["".join(action_text(view.rules, action) for action in done) for done in view.state.history]
        label = letters[0] + "".join(f"/{self._card_name(card)}:{letters[1]}" for card in view.state.board)
        return infoset_key(self._card_name(view.hole_cards[0]), label)

    def _card_name(self, card: int) -> str:
        """Of a card at the poker table, whose deck ends with aces, not kings."""
        return RANKS[card // 4 - 1] + format_cards([card])[1]

    def public_root(self) -> LeducState:
        everybody = tuple(range(self.players))
        return LeducState(self, stakes=(self.ante,) * self.players, live=everybody, to_act=everybody)


@dataclass(frozen=True)
class LeducState:
    """The betting so far, and the board card once it is dealt.

    stakes: `[P]` chips that each player has put in.
    live:   players who have not folded, in seat order.
    to_act: players who must still act in this round, next first.
    raises: bets and raises made in this round.
    board:  number of the card on the board.
    """

    game: Leduc
    stakes: tuple[int, ...]
    live: tuple[int, ...]
    to_act: tuple[int, ...]
    raises: int = 0
    board: int | None = None
    label: str = ""

    @property
    def player(self) -> int:
        if self.to_act and len(self.live) > 1:
            return self.to_act[0]
        return CHANCE if self.board is None and len(self.live) > 1 else TERMINAL

    @property
    def actions(self) -> tuple[str, ...]:
        if self.player == TERMINAL:
            return ()
        if self.player == CHANCE:
            return self.game.cards
        if self.raises == 0:
            return ("check", "bet")
        return ("fold", "call", "raise") if self.raises < self.game.raises else ("fold", "call")

    def child(self, move: int) -> LeducState:
        check_move(f"leduc after {self.label!r}", self.actions, move)
        if self.player == CHANCE:
            return self._deal_board(move)
        action = self.actions[move]
        if action == "fold":
            return self._fold()
        return self._call() if action in ("check", "call") else self._raise()

    def _deal_board(self, card: int) -> LeducState:
        label = f"{self.label}/{self.game.cards[card]}:"
        return replace(self, to_act=self.live, raises=0, board=card, label=label)

    def _fold(self) -> LeducState:
        live = tuple(player for player in self.live if player != self.player)
        return replace(self, live=live, to_act=self.to_act[1:], label=self.label + "f")

    def _call(self) -> LeducState:
        return replace(self, stakes=self._put_in(max(self.stakes)), to_act=self.to_act[1:], label=self.label + "c")

    def _raise(self) -> LeducState:
        bet = self.game.bet1 if self.board is None else self.game.bet2
        behind = tuple(player for player in self.live if player > self.player)
        before = tuple(player for player in self.live if player < self.player)
        return replace(
            self,
            stakes=self._put_in(max(self.stakes) + bet),
            to_act=behind + before,
            raises=self.raises + 1,
            label=self.label + "r",
        )

    def _put_in(self, stake: int) -> tuple[int, ...]:
        return (*self.stakes[: self.player], stake, *self.stakes[self.player + 1 :])

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return sum(self.stakes)

    def outcome_probabilities(self, hands: np.ndarray) -> np.ndarray:
        num_lanes, num_players = hands.shape
        num_cards = len(self.game.cards)
        probabilities = np.full((num_lanes, num_cards), 1.0 / (num_cards - num_players))
        np.put_along_axis(probabilities, hands, 0.0, axis=1)
        return probabilities

    def returns(self, hands: np.ndarray) -> np.ndarray:
        strength = hands // 2
        if self.board is not None:
            strength = np.where(strength == self.board // 2, len(RANKS), strength)
        return pot_returns(strength, self.stakes, self.live)
