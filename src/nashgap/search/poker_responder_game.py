"""Poker for two at the real table, as a responder meets it whose information sets are those of an abstract game.

The abstraction limits what the responder remembers and which bets it makes, never what it is paid: what it wins is won
at the real table, and is a lower bound on what a best response wins. A raise that its tree does not have is taken for
one that it has; where the tree has ended, or has no raise left, it checks or calls.

The strategy may be any that answers for all hands. Those that the engine does not know are asked in Python about every
state that a game or a simulation comes to: about as many at once as games are played side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.core.job import is_whole
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.measures.local_best_response import LbrOptions, play_lbr, preflop_table
from nashgap.measures.opponents import Opponent, is_known, opponent_of
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import PokerRules
from nashgap.search.options import SearchOptions
from nashgap.search.poker_features import betting_features, bucket_features
from nashgap.search.responder_game import Episodes, Values, play_games
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.play_options import PlayOptions
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["PokerResponderGame", "build_responder_abstraction", "evaluate_responders"]

BETTING = {False: "full", True: "fcpa"}  # whether bets have sizes
CARDS = {False: "lossless", True: "percentile(ehs2, lossless/10/10/10, recall=none)"}  # whether it is hold'em
RESPONDER_OPTIONS = PlayOptions(fallback="call", translation="hard")  # as the engine follows the betting, too
MOST_LEVELS = 1000
NUM_SAMPLES = 10  # of a strategy that is known by samples, for what is believed


def build_responder_abstraction(rules: PokerRules, *, betting: str = "", cards: str = "") -> AbstractGame:
    """What a responder tells apart. betting, cards: as recipes have them; empty: what serves this game."""
    _require_two_seats(rules)  # before a tree of three is built
    tree = build_betting_tree(rules, parse_betting_abstraction(betting or BETTING[rules.has_sizes]))
    return AbstractGame(tree, build_abstraction(parse_card_abstraction(cards or CARDS[rules.has_holdem_hands]), rules))


def _require_two_seats(rules: PokerRules) -> None:
    """UnsupportedGameError for what no responder plays."""
    if rules.num_seats != 2 or rules.num_hole_cards > 2:
        raise UnsupportedGameError(
            f"{rules.name or 'the game'} has {rules.num_seats} seats with {rules.num_hole_cards} hole cards each;"
            " abr is for two seats with one or two"
        )


class PokerResponderGame:
    """One seat's responder against a strategy. N own nodes of its tree, I information sets, A actions at most.

    Information sets are (level, node, bucket); slots are the entries of the abstract game, level by level.
    levels: equal steps of the chance that the responder's hand wins against what the strategy may hold by then, over
            all boards to come; 1: it does not look at that.
    """

    def __init__(self, strategy: PokerStrategy, game: AbstractGame, seat: int, levels: int = 1) -> None:
        rules = game.rules
        if not is_whole(levels) or not 1 <= levels <= MOST_LEVELS:
            raise ConfigError(f"levels = {levels}; it must be a whole number from 1 to {MOST_LEVELS}")
        _require_two_seats(rules)
        if game.tree.prefix or game.tree.truncation is not None:
            raise ConfigError("the responder's betting tree must be of the whole game")
        if strategy.is_sampled and not is_known(strategy):
            raise ConfigError(
                f"{strategy.name} is known by samples only: what it may hold cannot be told from them, and abr needs"
                " to know; lbr measures it"
            )
        self.strategy, self.game, self.seat, self.levels = strategy, game, seat, levels
        _ = self.opponent  # refuses a strategy of other rules

    @property
    def rules(self) -> PokerRules:
        return self.game.rules

    @cached_property
    def nodes(self) -> np.ndarray:
        """`[N]` of the tree."""
        return np.flatnonzero(self.game.tree.seat == self.seat)

    @property
    def num_infosets(self) -> int:
        return self.native.num_infosets

    @property
    def num_slots(self) -> int:
        return self.game.num_entries * self.levels

    @property
    def own_infosets(self) -> np.ndarray:
        return np.arange(self.num_infosets)

    @cached_property
    def slots(self) -> np.ndarray:
        entries = [self.game.entries(node) for node in self.nodes.tolist()]
        slots = np.full((self.num_infosets // self.levels, max(each.shape[1] for each in entries)), -1, np.int64)
        first = 0
        for each in entries:
            slots[first : first + len(each), : each.shape[1]] = each
            first += len(each)
        above = np.arange(self.levels)[:, None, None] * self.game.num_entries
        return np.where(slots >= 0, slots + above, -1).reshape(self.num_infosets, -1)

    @cached_property
    def features(self) -> np.ndarray:
        """The betting of the node, how strong hands of the bucket are, and the level."""
        betting, cards = betting_features(self.game.tree), bucket_features(self.game, self.seat)
        rounds = np.searchsorted(self.game.tree.round_start, self.nodes, side="right") - 1
        features = np.concatenate(
            [
                np.hstack([np.repeat(betting[[node]], len(cards[number]), axis=0), cards[number]])
                for node, number in zip(self.nodes, rounds, strict=True)
            ]
        )
        chances = np.repeat((np.arange(self.levels, dtype=np.float32) + 0.5) / self.levels, len(features))
        features = np.column_stack([np.tile(features, (self.levels, 1)), chances, chances**2])
        return np.ascontiguousarray(features[:, features.min(axis=0) < features.max(axis=0)])  # others say nothing

    @property
    def scale(self) -> float:
        return float(self.game.tree.ending_spent.min(axis=1).max()) / self.rules.unit_chips

    @cached_property
    def opponent(self) -> Opponent:
        return opponent_of(self.rules, self.strategy, NUM_SAMPLES)

    @cached_property
    def native(self) -> _native.PokerSearch:
        return _native.PokerSearch(
            self.game.native,
            self.seat,
            self.opponent.native,
            preflop_table(self.rules) if self.levels > 1 else None,
            self.rules.unit_chips,
            self.levels,
            not self.strategy.is_sampled,
        )

    def play(self, options: SearchOptions, values: Values, *, seed: int, first: int, number: int) -> Episodes:
        return play_games(
            self.native, options, values, seed=seed, first=first, number=number, answer=self.opponent.answer
        )

    def evaluate(self, options: SearchOptions, values: Values, *, seed: int, first: int, number: int) -> np.ndarray:
        """Without search and levels the responder is a strategy, and its showdowns count as `play_lbr` counts them."""
        if options.simulations or self.levels > 1:
            return self.play(options, values, seed=seed, first=first, number=number).payoff
        responder = self.responder(values)
        return _won_by(responder, self.seat, self.strategy, self.rules, seed, first, number)

    def responder(self, values: Values) -> AbstractStrategy:
        """The play that takes the action of the largest prior, and calls where nothing was learned.

        It says nothing about the other seat. Only with one level: what is believed is no part of a strategy.
        """
        assert self.levels == 1, "a responder that looks at its beliefs is no strategy of an abstract game"
        prior = np.where(self.slots >= 0, values.prior[self.slots], -np.inf)
        best = self.slots[np.arange(len(prior)), prior.argmax(axis=1)]
        table = np.zeros(self.num_slots, np.float32)
        table[best[prior.max(axis=1) > 0.0]] = 1.0
        tables = np.split(table, self.game.entry_start[1:-1])
        return AbstractStrategy(self.game, tuple(tables), RESPONDER_OPTIONS, name=f"responder of seat {self.seat + 1}")

    def __getstate__(self) -> dict[str, Any]:
        # The engine is made again from these.
        return {"strategy": self.strategy, "game": self.game, "seat": self.seat, "levels": self.levels}


def evaluate_responders(
    strategy: PokerStrategy,
    responders: Sequence[PokerStrategy],
    rules: PokerRules,
    *,
    seed: int = 0,
    first_deal: int = 0,
    num_deals: int,
) -> np.ndarray:
    """`[2, num_deals]` what the responder of each seat wins from the strategy there, in the game's unit.

    A showdown counts as the mean over all hands that the strategy may hold by then, an all-in as the mean over boards.
    """
    return np.stack(
        [
            _won_by(responder, seat, strategy, rules, seed, first_deal, num_deals)
            for seat, responder in enumerate(responders)
        ]
    )


def _won_by(
    responder: PokerStrategy,
    seat: int,
    strategy: PokerStrategy,
    rules: PokerRules,
    seed: int,
    first_deal: int,
    num_deals: int,
) -> np.ndarray:
    options = LbrOptions(bets="fc", samples=NUM_SAMPLES)
    hands = play_lbr(
        rules, [strategy], options, seed=seed, first_deal=first_deal, num_deals=num_deals, stand_in=responder, seat=seat
    )
    won: np.ndarray = hands.chips[:, 0] / rules.unit_chips
    return won
