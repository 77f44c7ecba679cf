"""Approximate Best Response at the real poker table, heads-up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.jobs.abr import AbrJob
from nashgap.jobs.full_response import is_answered_exactly, measure_br
from nashgap.measures.best_response import Gains
from nashgap.poker.rules import PokerRules
from nashgap.search.poker_responder_game import PokerResponderGame, build_responder_abstraction
from nashgap.search.responder_game import ResponderGame
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.load import load
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["PokerAbrJob"]


@dataclass(frozen=True, kw_only=True)
class PokerAbrJob(AbrJob):
    """At the real poker table, with responders whose information sets are those of an abstract game.

    betting, cards: of that game, as recipes have them; empty: what serves these rules.
    """

    kind: ClassVar[str] = "abr-poker"

    rules: PokerRules
    betting: str = ""
    cards: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.games_of_seats  # refuses rules and strategies that abr is not for

    @cached_property
    def player(self) -> PokerStrategy:
        player = load(self.strategy, self.rules)
        if isinstance(player, AbstractStrategy):
            player.require_complete(self.strategy.text)
        return player

    @cached_property
    def abstraction(self) -> AbstractGame:
        return build_responder_abstraction(self.rules, betting=self.betting, cards=self.cards)

    @cached_property
    def games_of_seats(self) -> tuple[ResponderGame, ResponderGame]:
        first, second = (PokerResponderGame(self.player, self.abstraction, seat) for seat in (0, 1))
        return first, second

    @property
    def game_name(self) -> str:
        return self.rules.name or "a game of its own"

    @property
    def unit(self) -> str:
        return self.rules.unit

    @property
    def fingerprint(self) -> str:
        return self.abstraction.fingerprint

    @property
    def own_words(self) -> list[str]:
        told = (("--bets", self.betting), ("--cards", self.cards))
        return [word for option, text in told if text for word in (option, text)]

    @cached_property
    def exact(self) -> Gains | None:
        """Of strategies that ignore their cards in limit hold'em; it takes half a minute."""
        return measure_br((self.strategy,), self.rules) if is_answered_exactly(self.strategy, self.rules) else None
