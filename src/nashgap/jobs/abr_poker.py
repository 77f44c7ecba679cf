"""Approximate Best Response at the real poker table, heads-up."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.job import setting
from nashgap.errors import ConfigError
from nashgap.jobs.abr import AbrJob
from nashgap.jobs.full_response import is_answered_exactly, measure_br
from nashgap.measures.best_response import Gains
from nashgap.measures.opponents import is_known
from nashgap.poker.rules import PokerRules
from nashgap.runs.progress import human_seconds
from nashgap.search.asking import forecast_asking, require_same_answers
from nashgap.search.poker_responder_game import PokerResponderGame, build_responder_abstraction
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.chumps import Chump
from nashgap.strategies.load import load
from nashgap.strategies.poker_strategy import PokerStrategy

__all__ = ["PokerAbrJob", "TableOptions", "usual_table_options"]

ASKED_ABREAST = 16
ASKED_GAMES = {False: 1_000, True: 100}  # whether responders search
LEVELS = 20
ONE_BUCKET = "percentile(ehs2, 1/1/1/1, recall=none)"


@dataclass(frozen=True)
class TableOptions:
    """As of `PokerAbrJob`, of its search, and its fresh games by whether responders search; None: the usual ones."""

    levels: int = 1
    cards: str = ""
    exploration: float | None = None
    abreast: int = 1
    games: Mapping[bool, int] | None = None


def usual_table_options(player: PokerStrategy, rules: PokerRules, *, has_cards: bool) -> TableOptions:
    """What serves best against the strategy where nothing else is said.

    One that looks at its cards tells about them by what it does, so that the strength of a hand against what it may
    hold says more than that against all hands. In no-limit, where stakes span whole stacks, less exploration does. One
    that is asked is asked about several games at once.
    """
    usual = TableOptions(exploration=0.1 if rules.has_sizes else None)
    if not is_known(player):
        usual = replace(usual, abreast=ASKED_ABREAST, games=ASKED_GAMES)
    if has_cards or isinstance(player, Chump) or not rules.has_holdem_hands:
        return usual
    return replace(usual, levels=LEVELS, cards=ONE_BUCKET, exploration=0.1 if rules.has_sizes else 0.3)


@dataclass(frozen=True, kw_only=True)
class PokerAbrJob(AbrJob):
    """At the real poker table, with responders whose information sets are those of an abstract game.

    betting, cards: of that game, as recipes have them; empty: what serves these rules.
    levels:         of the chance to win against what the strategy may hold, which responders tell apart.
    given:          the strategy, where it is there already.
    """

    kind: ClassVar[str] = "abr-poker"

    rules: PokerRules
    betting: str = ""
    cards: str = ""
    levels: int = 1
    given: PokerStrategy | None = setting(None)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.games_of_seats  # refuses rules and strategies that abr is not for
        if self.actors != 1 and self.is_asked:
            self._require_copies()

    def require_answers(self) -> None:
        if self.is_asked:
            require_same_answers(self.player, self.rules)

    @property
    def is_asked(self) -> bool:
        """Whether the strategy is asked in Python."""
        return not is_known(self.player)

    @property
    def size_text(self) -> str:
        if not self.is_asked:
            return super().size_text
        expected = forecast_asking(self.games_of_seats, self.search, searches=self.searches)
        abreast = self.actors if isinstance(self.actors, int) else 1  # a cluster does not tell beforehand
        a_game = expected.questions * expected.seconds / abreast
        fresh = 2 * self.games * expected.fresh * expected.seconds / abreast
        learned = (
            f"about {60 * self.minutes / a_game:,.0f} games to learn from in {human_seconds(60 * self.minutes)}"
            if self.minutes is not None
            else f"about {human_seconds((self.episodes or 0) * a_game)} for {self.episodes:,} games to learn from"
        )
        return (
            f"{super().size_text}; {self.strategy.text} is asked {expected.questions:,.0f} questions in a game to learn"
            f" from, {expected.fresh:,.0f} in a fresh one, {1000 * expected.seconds:.2g} ms each: {learned}, and about"
            f" {human_seconds(fresh)} for {self.games:,} fresh ones of each seat; fewer simulations and games ask less"
        )

    def _require_copies(self) -> None:
        try:
            pickle.dumps(self.player)
        except Exception as error:  # whatever somebody's own object raises
            raise ConfigError(
                f"actors = {self.actors}: {self.strategy.text} cannot be sent to other processes"
                f" ({type(error).__name__}: {error}); with 1 it is not"
            ) from error

    @cached_property
    def player(self) -> PokerStrategy:
        player = load(self.strategy, self.rules) if self.given is None else self.given
        if isinstance(player, AbstractStrategy):
            player.require_complete(self.strategy.text)
        return player

    @cached_property
    def abstraction(self) -> AbstractGame:
        return build_responder_abstraction(self.rules, betting=self.betting, cards=self.cards)

    @cached_property
    def games_of_seats(self) -> tuple[PokerResponderGame, PokerResponderGame]:
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
