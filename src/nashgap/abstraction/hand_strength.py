"""How strong each hand is, in any game of one or two hole cards: its chance to win against one hand that may be any.

Exact, ties as half a win, over all boards to come; `ehs` of `nashgap.abstraction.strength` in hold'em, without tables
on disk. What was counted is remembered, in hold'em by board up to a renaming of suits.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import board_strengths
from nashgap.cards.equity import win_chances_of_deck
from nashgap.poker.hands import hands_of
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState

__all__ = ["hand_strengths"]

_REMEMBERED = 4_000  # boards, 11 kB each
_HIGH, _LOW = np.tril_indices(52, -1)  # the cards of each hand of hold'em


def hand_strengths(state: PublicState) -> np.ndarray:
    """`[H]` in the order of `nashgap.poker.hands`, from 0 to 1; nan for hands that cannot be held."""
    rules, board = state.rules, state.board
    if not rules.is_holdem or not board:
        return _counted(rules, board)
    suit_map = np.empty(4, np.uint8)
    _native.BoardIndex(len(board)).find(np.array(board, np.uint8), suit_map)

    def renamed(cards: np.ndarray) -> np.ndarray:
        return np.asarray(cards // 4 * 4 + suit_map[cards % 4].astype(np.int64))

    first, second = renamed(_HIGH), renamed(_LOW)
    high, low = np.maximum(first, second), np.minimum(first, second)
    canonical = _of_board(tuple(sorted(renamed(np.array(board)).tolist())))
    return np.asarray(canonical[high * (high - 1) // 2 + low])


@lru_cache(_REMEMBERED)
def _of_board(board: tuple[int, ...]) -> np.ndarray:
    return board_strengths("ehs", board)


@lru_cache(_REMEMBERED)
def _counted(rules: PokerRules, board: tuple[int, ...]) -> np.ndarray:
    """Hand by hand, against each that shares no card with it."""
    hands = hands_of(rules)
    held = np.array([(cards[0], cards[-1]) for cards in hands])
    is_possible = np.isin(held, rules.deck).all(axis=1) & ~np.isin(held, board).any(axis=1)
    strengths = np.full(len(hands), np.nan)
    for place in np.flatnonzero(is_possible):
        others = is_possible & ~np.isin(held, hands[place]).any(axis=1)
        chances = win_chances_of_deck(rules.deck, rules.total_board_cards, hands[place], board)
        strengths[place] = chances[others].mean()
    return strengths
