"""One opened strategy at one place of its game: the view of it, what each seat holds there, and what must be told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.errors import ConfigError
from nashgap.poker.hands import possible_hands
from nashgap.poker.prefix import prefix_end
from nashgap.poker.rules import PokerRules
from nashgap.poker.typed_state import actions_after, state_after, typed_cards
from nashgap.strategies.poker_strategy import PokerStrategy
from nashgap.strategies.spot_lock import actions_of
from nashgap.strategies.spot_strategy import SpotStrategy
from nashgap.strategies.strategy_view import StrategyView
from nashgap.strategies.table import TableStrategy
from nashgap.strategies.view import line_ranges, view_strategy
from nashgap.web.beside import translations
from nashgap.web.look_view import SeatRanges, told_view

__all__ = ["Looked", "MissingCards", "look_at"]

Opened = PokerStrategy | SpotStrategy | TableStrategy
"""At the table of some rules, of a spot, or of a small game that is no poker game."""


@dataclass(frozen=True)
class MissingCards:
    """The betting leads to a street whose cards are not all given."""

    after: str
    board: str
    num_cards: int

    def told(self) -> dict[str, Any]:
        return {"after": self.after, "board": self.board, "num_board_cards": self.num_cards}


@dataclass(frozen=True)
class Looked:
    """What there is to see at a place.

    notes:     what the strategy takes for what, of bets that it does not have.
    deck:      the cards that may lie on the board; empty where none can be chosen.
    num_fixed: of those that lie there, the first ones, which cannot be changed.
    """

    view: StrategyView
    ranges: SeatRanges | None
    notes: tuple[str, ...] = ()
    deck: str = ""
    num_fixed: int = 0

    def told(self) -> dict[str, Any]:
        return told_view(self.view, self.ranges) | {
            "translated": list(self.notes),
            "deck": self.deck,
            "num_fixed": self.num_fixed,
        }


def look_at(strategy: Opened, rules: PokerRules | None, name: str, after: str, board: str) -> Looked | MissingCards:
    """What the strategy does after this betting on this board; see `nashgap.strategies.view`."""
    if isinstance(strategy, SpotStrategy):
        return _in_spot(strategy, name, _spot_line(strategy, after, board))
    if isinstance(strategy, TableStrategy):
        return Looked(view_strategy(strategy, None, after, board, name=name), None)
    if rules is None:
        raise ConfigError(f"{name} does not know its game; choose one")
    if ":" in after:  # a small game's label, with the board inside
        return Looked(view_strategy(strategy, rules, after, board, name=name), None)
    cards, num_cards = typed_cards(board), _num_board_cards(rules, after)
    if len(cards) < num_cards:
        return MissingCards(after, format_cards(cards), num_cards)
    return _at_the_table(strategy, rules, name, after, format_cards(cards[:num_cards]))


def _at_the_table(strategy: PokerStrategy, rules: PokerRules, name: str, after: str, board: str) -> Looked:
    view = view_strategy(strategy, rules, after, board, name=name)
    ranges = None
    if view.numbers is not None:
        ranges = SeatRanges(view.numbers, line_ranges(strategy, rules, after, board, name=name))
    notes = translations(strategy, state_after(rules, after, board))
    return Looked(view, ranges, tuple(notes), format_cards(rules.deck))


def _in_spot(strategy: SpotStrategy, name: str, line: str) -> Looked:
    view = replace(strategy.at(line), strategy=name)
    state = strategy.spot.state_after(line)
    numbers = np.flatnonzero(possible_hands(state))
    found = strategy.ranges.view(actions_of(state), state.board).reach
    reach = {seat: each[numbers].astype(np.float64) for seat, each in enumerate(found)}
    num_fixed = len(strategy.spot.board)
    return Looked(view, SeatRanges(numbers, reach), (), format_cards(strategy.rules.deck), num_fixed)


def _num_board_cards(rules: PokerRules, after: str) -> int:
    """At the decision that follows this betting."""
    return len(prefix_end(rules, actions_after(rules, after)).board)


def _spot_line(strategy: SpotStrategy, after: str, board: str) -> str:
    """The line with the cards of the board in the places of its own, and at its end those that it does not have yet."""
    later = [format_cards([card]) for card in typed_cards(board) if card not in strategy.spot.board]
    words = []
    for word in after.split():
        is_card = word == "*" or (len(word) == 2 and word[1].lower() in "shdc")
        words.append(later.pop(0) if is_card and later else word)
    return " ".join([*words, *later])
