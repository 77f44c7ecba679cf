"""One hand at the dealer: what has happened, and what each seat is told."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap.arena.table import Deal
from nashgap.cards.card import format_cards
from nashgap.core.game import CHANCE
from nashgap.poker.notation import HandRecord, MatchState, format_match_state
from nashgap.poker.protocol import shown_cards
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState

__all__ = ["DealtHand"]


class DealtHand:
    """A hand whose cards are all dealt beforehand; it moves on with each action.

    state: what has happened so far; after `act` the board cards that are due have been dealt.
    """

    def __init__(self, rules: PokerRules, number: int, deal: Deal) -> None:
        self.number = number
        self.deal = deal
        # The messages of a hand differ in little; what stays the same is written once.
        bars = "|" * (rules.num_seats - 1)
        self._head = [f"MATCHSTATE:{seat}:{number}:" for seat in range(rules.num_seats)]
        self._hole_text = [
            ":" + bars[:seat] + format_cards(cards) + bars[seat:] for seat, cards in enumerate(deal.hole_cards)
        ]
        self._board_text = ""
        self._move_to(rules.root())

    def message(self, seat: int) -> str:
        """The state as the seat may see it."""
        if self.state.is_over:
            cards = shown_cards(self.state, self.deal.hole_cards, seat)
            return format_match_state(MatchState(seat, self.number, self.state, cards))
        return self._head[seat] + self._betting + self._hole_text[seat] + self._board_text

    def act(self, action: Action) -> None:
        """Let the seat to act do this, and deal the board cards that are due."""
        self._move_to(self.state.act(action))

    def record(self, players: Sequence[str]) -> HandRecord:
        """The hand, which is over. players: `[N]` names by seat."""
        payoffs = self.state.payoffs(self.deal.hole_cards)
        return HandRecord(self.number, self.state, self.deal.hole_cards, payoffs, tuple(players))

    def _move_to(self, state: PublicState) -> None:
        if state.seat == CHANCE:
            dealt = len(state.board)
            cards = self.deal.board[dealt : dealt + state.num_missing_cards]
            self._board_text += _board_text(state.rules, dealt, cards)
            state = state.deal(cards)
        self.state = state
        self._betting = state.betting


def _board_text(rules: PokerRules, dealt: int, cards: Sequence[int]) -> str:
    """These cards, which come after so many others; of more than one round where all are all in."""
    text, end = "", 0
    for number in rules.num_board_cards:
        end += number
        if dealt < end <= dealt + len(cards):
            text += "/" + format_cards(cards[end - number - dealt : end - dealt])
    return text
