"""Cards and two-card hands as numbers and as text.

A card is an int 0..51: `4 * rank + suit`, ranks in the order of `RANKS`, suits in that of `SUITS`; its text is a rank
and a suit, `Ts`. A two-card hand is an int 0..1325: cards a > b have the index `a * (a - 1) / 2 + b`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

import numpy as np

from nashgap.errors import ConfigError

__all__ = [
    "NUM_CARDS",
    "NUM_HANDS",
    "RANKS",
    "SUITS",
    "as_card_array",
    "format_card",
    "format_cards",
    "hand_cards",
    "hand_index",
    "parse_card",
    "parse_cards",
]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NUM_CARDS = len(RANKS) * len(SUITS)
NUM_HANDS = NUM_CARDS * (NUM_CARDS - 1) // 2

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_NUMBERS = {name: card for card, name in enumerate(_NAMES)}


def parse_card(text: str) -> int:
    """The card that the text names: `As` is 51."""
    if text not in _NUMBERS:
        raise ConfigError(f"no card {text!r}; a card is one of {RANKS} and one of {SUITS}, such as Ts")
    return _NUMBERS[text]


def parse_cards(text: str) -> tuple[int, ...]:
    """The different cards that the text names one after another, as in `8s2h`; spaces between them do not matter."""
    cards: list[int] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        name = text[place : place + 2]
        where = f"cards {text!r}, character {place + 1}"
        if name not in _NUMBERS:
            raise ConfigError(f"{where}: no card {name!r}; a card is one of {RANKS} and one of {SUITS}, such as Ts")
        if _NUMBERS[name] in cards:
            raise ConfigError(f"{where}: {name} is there twice")
        cards.append(_NUMBERS[name])
        place += 2
    return tuple(cards)


def format_card(card: int) -> str:
    """The card's text: 51 is `As`."""
    if not 0 <= card < NUM_CARDS:
        raise ConfigError(f"no card {card}; cards are 0 to {NUM_CARDS - 1}")
    return _NAMES[card]


def format_cards(cards: Iterable[int]) -> str:
    """The cards' texts in their order, without a gap: `8s2h`."""
    return "".join(map(format_card, cards))


def hand_index(first: int, second: int) -> int:
    """The place 0..1325 of the hand of two cards, in either order."""
    high, low = max(first, second), min(first, second)
    if not 0 <= low < high < NUM_CARDS:
        raise ConfigError(f"no hand of the cards {first} and {second}; two different cards of 0 to {NUM_CARDS - 1}")
    return high * (high - 1) // 2 + low


def hand_cards(index: int) -> tuple[int, int]:
    """The two cards of the hand with this index, the higher one first."""
    if not 0 <= index < NUM_HANDS:
        raise ConfigError(f"no hand {index}; two-card hands are 0 to {NUM_HANDS - 1}")
    high = (1 + isqrt(1 + 8 * index)) // 2
    return high, index - high * (high - 1) // 2


def as_card_array(cards: np.ndarray) -> np.ndarray:
    """The same cards as native code takes them, contiguous uint8; what is no card becomes 255, which is none either."""
    if cards.dtype == np.uint8:
        return np.ascontiguousarray(cards)
    if not np.issubdtype(cards.dtype, np.integer):
        raise ConfigError(f"cards must be whole numbers, not {cards.dtype}")
    return np.where((cards >= 0) & (cards < NUM_CARDS), cards, 255).astype(np.uint8)
