"""What everybody at the table sees of a hand, and what one seat sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap import _native
from nashgap.cards.card import format_cards
from nashgap.core.game import CHANCE, TERMINAL
from nashgap.errors import IllegalActionError
from nashgap.poker.rules import PokerRules

__all__ = ["CALL", "FOLD", "Action", "LegalActions", "PublicState", "View", "action_text", "action_words"]

Action = int
"""FOLD, CALL (check or call), or the chips, over the whole hand, that the seat raises to."""
FOLD = -1
CALL = 0


@dataclass(frozen=True)
class LegalActions:
    """The actions of the seat to act. Calling is always legal; both limits of a raise are 0 where none is."""

    can_fold: bool
    min_raise_to: int
    max_raise_to: int

    @property
    def can_raise(self) -> bool:
        return self.max_raise_to > 0

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, int | np.integer):
            return False
        if action == FOLD:
            return self.can_fold
        return bool(action == CALL or (self.can_raise and self.min_raise_to <= action <= self.max_raise_to))

    def __len__(self) -> int:
        return self.can_fold + 1 + (self.max_raise_to - self.min_raise_to + 1 if self.can_raise else 0)

    def __iter__(self) -> Iterator[Action]:
        if self.can_fold:
            yield FOLD
        yield CALL
        if self.can_raise:
            yield from range(self.min_raise_to, self.max_raise_to + 1)

    def nearest_raise(self, raise_to: int) -> Action:
        """The legal raise nearest to this one; a call where none is legal."""
        return min(max(raise_to, self.min_raise_to), self.max_raise_to) if self.can_raise else CALL

    def __str__(self) -> str:
        words = ["fold", "call"] if self.can_fold else ["check"]
        if self.can_raise:
            sizes = f"{self.min_raise_to}"
            if self.max_raise_to > self.min_raise_to:
                sizes += f" to {self.max_raise_to}"
            words.append(f"raise to {sizes}")
        return ", ".join(words)


@dataclass(frozen=True, eq=False)
class PublicState:
    """A point of a hand. Immutable. N seats. Chips are counted over the whole hand."""

    rules: PokerRules
    native: _native.PokerState

    def __repr__(self) -> str:
        board = f" on {format_cards(self.board)}" if self.board else ""
        return f"<PublicState of {self.rules.name or 'poker'}: {self.betting or 'no betting'!r}{board}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicState):
            return NotImplemented
        return (self.betting, self.board, self.rules) == (other.betting, other.board, other.rules)

    def __hash__(self) -> int:
        return hash((self.betting, self.board))

    def __reduce__(self) -> tuple[object, ...]:
        return _played, (self.rules, self.history, self.board)  # the handle has no other memory

    @property
    def seat(self) -> int:
        """The seat to act; or CHANCE, when board cards are to be dealt; or TERMINAL."""
        return self.native.turn

    @property
    def is_over(self) -> bool:
        return self.seat == TERMINAL

    @property
    def round(self) -> int:
        return self.native.round

    @property
    def board(self) -> tuple[int, ...]:
        return self.native.board

    @property
    def num_missing_cards(self) -> int:
        """Board cards to be dealt now."""
        return self.native.num_missing_cards

    @property
    def spent(self) -> tuple[int, ...]:
        """`[N]` chips that each seat has put in."""
        return self.native.spent

    @property
    def has_folded(self) -> tuple[bool, ...]:
        return self.native.has_folded

    @property
    def pot(self) -> int:
        return sum(self.spent)

    @property
    def to_call(self) -> int:
        """Chips that a call would cost the seat to act."""
        self._require_decision()
        return self.native.to_call

    @property
    def num_raises(self) -> int:
        """In this round."""
        return self.native.num_raises

    @property
    def history(self) -> tuple[tuple[Action, ...], ...]:
        """Actions of each round so far."""
        return self.native.history

    @property
    def betting(self) -> str:
        """The actions as the competition writes them: `rc/cr`, with sizes `r300c/cr600`."""
        return self.native.betting_text

    @cached_property
    def legal(self) -> LegalActions:
        self._require_decision()
        return LegalActions(*self.native.legal)

    def is_legal(self, action: Action) -> bool:
        """Whether the seat to act may do this."""
        try:
            return self.native.is_legal(action)
        except TypeError:  # no number of chips that there could be
            return False

    def act(self, action: Action) -> PublicState:
        """The state after the seat to act did this."""
        try:
            return PublicState(self.rules, self.native.act(action))
        except (TypeError, ValueError):
            raise IllegalActionError(
                f"{action_words(action)} is not legal after {self.betting!r}; legal: {self.legal}"
            ) from None

    def deal(self, cards: Sequence[int]) -> PublicState:
        """The state after these board cards, as many as are missing."""
        if len(cards) != self.num_missing_cards:
            raise IllegalActionError(f"{len(cards)} board cards dealt; {self.num_missing_cards} are to be dealt now")
        everything = (*self.board, *cards)
        if len(set(everything)) < len(everything) or not set(cards) <= set(self.rules.deck):
            raise IllegalActionError(f"board {format_cards(everything)}: cards must differ and be of the deck")
        return PublicState(self.rules, self.native.deal(list(cards)))

    def payoffs(self, hole_cards: Sequence[Sequence[int] | None]) -> tuple[float, ...]:
        """`[N]` chips that each seat has won or lost; the hands of seats that folded do not matter and may be None."""
        if not self.is_over:
            raise IllegalActionError(f"the hand is not over after {self.betting!r}")
        shares = self.native.payoffs(self._showdown_cards(hole_cards))
        return tuple(share / _native.CHIP_SHARES for share in shares)

    def _showdown_cards(self, hole_cards: Sequence[Sequence[int] | None]) -> list[int]:
        """The cards of all seats in a row, as the engine takes them; none if nobody has to show any."""
        if self.has_folded.count(False) == 1:
            return []
        if len(hole_cards) != self.rules.num_seats:
            raise IllegalActionError(f"hole cards of {len(hole_cards)} seats; the game has {self.rules.num_seats}")
        shown: list[int] = []
        for seat, (cards, has_folded) in enumerate(zip(hole_cards, self.has_folded, strict=True)):
            if has_folded:
                continue
            if cards is None or len(cards) != self.rules.num_hole_cards:
                number = "no" if cards is None else len(cards)
                raise IllegalActionError(
                    f"{number} hole cards of seat {seat + 1} at the showdown; {self.rules.num_hole_cards} are needed"
                )
            shown += cards
        if len({*shown, *self.board}) < len(shown) + len(self.board) or not set(shown) <= set(self.rules.deck):
            raise IllegalActionError(f"hole cards {shown}, board {[*self.board]}: they must differ and be of the deck")
        anybody = shown[: self.rules.num_hole_cards]  # stands in for those who folded
        rows = zip(hole_cards, self.has_folded, strict=True)
        return [card for cards, has_folded in rows for card in (anybody if has_folded else cards or ())]

    def _require_decision(self) -> None:
        if self.seat < 0:
            what = "board cards are to be dealt" if self.seat == CHANCE else "the hand is over"
            raise IllegalActionError(f"nobody is to act after {self.betting!r}: {what}")


def _played(rules: PokerRules, history: tuple[tuple[Action, ...], ...], board: tuple[int, ...]) -> PublicState:
    state = rules.root()
    for actions in history:
        if state.seat == CHANCE and len(board) > len(state.board):
            state = state.deal(board[len(state.board) :][: state.num_missing_cards])
        for action in actions:
            state = state.act(action)
    return state


@dataclass(frozen=True)
class View:
    """What one seat may know; the only thing that an agent is given."""

    state: PublicState
    seat: int
    hole_cards: tuple[int, ...]

    @property
    def rules(self) -> PokerRules:
        return self.state.rules

    @property
    def legal(self) -> LegalActions:
        return self.state.legal


def action_words(action: Action) -> str:
    """For people."""
    return {FOLD: "fold", CALL: "call"}.get(action, f"raise to {action}")


def action_text(rules: PokerRules, action: Action) -> str:
    """As the competition writes it: f, c, r, and in games with sizes r300."""
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c"
    return f"r{action}" if rules.has_sizes else "r"
