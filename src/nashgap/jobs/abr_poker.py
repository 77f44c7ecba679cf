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
from nashgap.strategies.spec import Bot

__all__ = ["PokerAbrJob", "TableOptions", "usual_table_options"]

LEVELS = 20
ONE_BUCKET = "percentile(ehs2, 1/1/1/1, recall=none)"


@dataclass(frozen=True)
class TableOptions:
    """As of `PokerAbrJob`, and the constant of exploration; None: the preset's."""

    levels: int = 1
    cards: str = ""
    exploration: float | None = None


def usual_table_options(bot: Bot, rules: PokerRules, *, has_cards: bool) -> TableOptions:
    """What serves best against the strategy where nothing else is said.

    One that looks at its cards tells about them by what it does, so that the strength of a hand against what it may
    hold says more than that against all hands. In no-limit, where stakes span whole stacks, less exploration does.
    """
    exploration = 0.1 if rules.has_sizes else None
    looks_at_cards = isinstance(load(bot, rules), AbstractStrategy) and rules.has_holdem_hands
    if has_cards or not looks_at_cards:
        return TableOptions(exploration=exploration)
    return TableOptions(LEVELS, ONE_BUCKET, exploration if rules.has_sizes else 0.3)


@dataclass(frozen=True, kw_only=True)
class PokerAbrJob(AbrJob):
    """At the real poker table, with responders whose information sets are those of an abstract game.

    betting, cards: of that game, as recipes have them; empty: what serves these rules.
    levels:         of the chance to win against what the strategy may hold, which responders tell apart.
    """

    kind: ClassVar[str] = "abr-poker"

    rules: PokerRules
    betting: str = ""
    cards: str = ""
    levels: int = 1

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
        first, second = (PokerResponderGame(self.player, self.abstraction, seat, self.levels) for seat in (0, 1))
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
        told = (("--bets", self.betting), ("--cards", self.cards), ("--levels", str(self.levels)))
        return [word for option, text in told if text for word in (option, text)]

    @cached_property
    def exact(self) -> Gains | None:
        """Of strategies that ignore their cards in limit hold'em; it takes half a minute."""
        return measure_br((self.strategy,), self.rules) if is_answered_exactly(self.strategy, self.rules) else None
