"""One hand at the dealer: what has happened, and what each seat is told. The engine plays and writes it."""

from __future__ import annotations

from collections.abc import Sequence

from nashgap import _native
from nashgap.arena.table import Deal
from nashgap.poker.notation import format_payoff
from nashgap.poker.protocol import Response
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import Action, PublicState

__all__ = ["DealtHand"]


class DealtHand:
    """A hand whose cards are all dealt beforehand; it moves on with each action.

    message: of a seat, the state as it may see it.
    act:     lets the seat to act do this, and deals the board cards that are due.
    """

    def __init__(self, rules: PokerRules, number: int, deal: Deal) -> None:
        self.number = number
        self.deal = deal
        self._rules = rules
        self._hand = _native.DealtHand(
            rules.native, number, [*(card for hand in deal.hole_cards for card in hand), *deal.board]
        )
        self.message = self._hand.message
        self.act = self._hand.act

    @property
    def seat(self) -> int:
        """The seat to act; -1 when the hand is over."""
        return self._hand.seat

    @property
    def state(self) -> PublicState:
        """What has happened so far, the board cards that were due dealt."""
        return PublicState(self._rules, self._hand.state)

    @property
    def payoff_shares(self) -> tuple[int, ...]:
        """`[N]` what each seat won, in shares of a chip; the hand is over."""
        return self._hand.payoff_shares

    def response(self, line: str, asked: str) -> Response | None:
        """`parse_response` in the state of the hand."""
        found = self._hand.read_answer(asked, line)
        return None if found is None else Response(*found)

    @property
    def passive_action(self) -> Action:
        """A check where that is free, a fold otherwise."""
        return self._hand.passive_action

    def log_line(self, players: Sequence[str]) -> str:
        """The line of the hand, which is over. players: `[N]` names by seat."""
        hand = self._hand
        chips = "|".join([format_payoff(shares / _native.CHIP_SHARES) for shares in hand.payoff_shares])
        return f"STATE:{self.number}:{hand.betting_text}:{hand.cards_text}:{chips}:{'|'.join(players)}"
