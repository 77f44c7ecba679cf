"""The rounds of a game by the names that players have for them."""

from __future__ import annotations

from nashgap.cards import isomorphism
from nashgap.poker.rules import HOLDEM_BOARD, PokerRules

__all__ = ["STREETS", "first_round", "street_name", "street_names"]

STREETS = tuple(isomorphism.STREETS)
"""preflop, flop, turn, river."""


def street_name(rules: PokerRules, round_number: int) -> str:
    """Of a round (0-based): `flop` where the board comes as in hold'em, whatever the deck; else `round 2`."""
    has_flop = rules.num_rounds > 1 and rules.num_board_cards == HOLDEM_BOARD[: rules.num_rounds]
    return STREETS[round_number] if has_flop else f"round {round_number + 1}"


def street_names(rules: PokerRules) -> tuple[str, ...]:
    """Of all rounds."""
    return tuple(street_name(rules, number) for number in range(rules.num_rounds))


def first_round(rules: PokerRules) -> str:
    """When its bets are made, for people; not all poker has a flop."""
    return "before the flop" if street_name(rules, 0) == STREETS[0] else "in the first round"
