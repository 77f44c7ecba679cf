"""How likely a hand is to win the showdown: against each hand of the other, or against a range of them.

Exact: every board that may still come is counted, ties as half a win. Hold'em is a lookup before the flop, in a table
that comes with the package and that `build_matchup_points` counts anew, and fast after it: all hands together, as
`native/ranges/postflop_chances.h` says. Other games of one or two hole cards are enumerated board by board.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

import numpy as np

from nashgap import _native
from nashgap.cards.card import NUM_CARDS, NUM_HANDS, format_cards
from nashgap.cards.evaluator import MAX_HAND_CARDS
from nashgap.cards.ranges import Range
from nashgap.errors import ConfigError

__all__ = [
    "build_matchup_points",
    "equity",
    "load_matchup_points",
    "load_preflop_chances",
    "win_chances",
    "win_chances_of_deck",
]

_HOLDEM_BOARD_CARDS = 5
_MAX_HOLE_CARDS = 2
_NUM_MATCHUPS = 47_008
_POINTS_FILE = "matchup_points.npz"

# The two cards of every hand: hands are numbered in the order in which the lower triangle of a matrix is read.
_CARD_A, _CARD_B = np.tril_indices(NUM_CARDS, -1)
# `[52, 51]` the hands that have each card.
_HANDS_WITH = np.array([np.flatnonzero((card == _CARD_A) | (card == _CARD_B)) for card in range(NUM_CARDS)])


def win_chances(hole_cards: Sequence[int], board: Sequence[int] = ()) -> np.ndarray:
    """The chance to win at hold'em against every hand of the other, over the boards to come; 0 where they share a card.

    `[1326]` in the order of `nashgap.cards.card.hand_index`. The board is what is dealt of it so far.
    """
    if len(hole_cards) != _MAX_HOLE_CARDS:
        raise ConfigError(f"no hand {list(hole_cards)}; a hand of hold'em is 2 different cards of 0 to {NUM_CARDS - 1}")
    return win_chances_of_deck(range(NUM_CARDS), _HOLDEM_BOARD_CARDS, hole_cards, board)


def win_chances_of_deck(
    deck: Sequence[int], num_board_cards: int, hole_cards: Sequence[int], board: Sequence[int] = ()
) -> np.ndarray:
    """The same for a game of one or two hole cards, a deck and a whole board of so many cards.

    `[1326]` for two hole cards, whatever the deck; `[len(deck)]` for one, in the deck's order, which is ascending.
    """
    native = _game(tuple(deck), len(hole_cards), num_board_cards, len(board) == 0)
    chances = np.empty(native.num_places)
    try:
        native.compute(_card_array(hole_cards), _card_array(board), chances)
    except (TypeError, ValueError):
        raise ConfigError(_problem(deck, num_board_cards, hole_cards, board)) from None
    return chances


def equity(hole_cards: Sequence[int], hands: Range | np.ndarray, board: Sequence[int] = ()) -> float:
    """The chance to win at hold'em against a hand drawn from a range; the WpRollout of local best response.

    hands: a range, or `[1326]` weights of any scale. Those that share a card with hole_cards or the board do not count.
    """
    chances = win_chances(hole_cards, board)
    weights = hands.weights if isinstance(hands, Range) else np.asarray(hands, dtype=np.float64)
    if weights.shape != (NUM_HANDS,):
        raise ConfigError(f"a range has {NUM_HANDS} weights, not an array of shape {weights.shape}")
    if not 0 <= weights.min() <= weights.max() < np.inf:  # nor NaN
        wrong = weights[~((weights >= 0) & (weights < np.inf))]
        raise ConfigError(f"a hand has weight {wrong[0]:g}; allowed: 0 and more")
    met = weights.copy()
    met[_HANDS_WITH[[*hole_cards, *board]]] = 0.0
    total = met.sum()
    if total == 0:
        raise ConfigError(f"no hand of the range goes with the cards {format_cards([*hole_cards, *board])}")
    return float(met @ chances / total)


def load_matchup_points() -> np.ndarray:
    """The table that comes with the package, as `build_matchup_points` builds it."""
    with resources.files("nashgap.cards").joinpath(_POINTS_FILE).open("rb") as file, np.load(file) as archive:
        points: np.ndarray = archive["points"]
    return points


@cache
def load_preflop_chances() -> _native.PreflopChances:
    """The same as native code looks it up; read once."""
    return _native.PreflopChances(load_matchup_points())


def build_matchup_points(num_threads: int = 1) -> np.ndarray:
    """What hold'em hands win against each other over all 1,712,304 boards: 2 points a win, 1 a tie.

    `[47008]` uint32, the match-ups up to the names of suits and which hand is whose: those of
    `SuitIsomorphism((2, 2))`, in its order, that do not come after their mirror. About ten seconds of one core.
    """
    if not 1 <= num_threads <= 1024:
        raise ConfigError(f"num_threads is 1 to 1024, not {num_threads}")
    points = np.empty(_NUM_MATCHUPS, dtype=np.uint32)
    _native.build_matchup_points(num_threads, points)
    return points


@lru_cache(maxsize=8)
def _game(deck: tuple[int, ...], num_hole_cards: int, num_board_cards: int, is_preflop: bool) -> _native.WinChances:
    if list(deck) != sorted(set(deck)) or not set(deck) <= set(range(NUM_CARDS)):
        raise ConfigError(f"no deck {list(deck)}; a deck is different cards of 0 to {NUM_CARDS - 1} in ascending order")
    if not 1 <= num_hole_cards <= _MAX_HOLE_CARDS:
        raise ConfigError(f"no hand of {num_hole_cards} cards; a hand is 1 or {_MAX_HOLE_CARDS} cards")
    if not 0 <= num_board_cards <= MAX_HAND_CARDS - num_hole_cards:
        allowed = f"hole and board cards are at most {MAX_HAND_CARDS} in all"
        raise ConfigError(f"no board of {num_board_cards} cards; {allowed}")
    if len(deck) < 2 * num_hole_cards + num_board_cards:
        raise ConfigError(f"a deck of {len(deck)} cards is too small for two hands and {num_board_cards} board cards")
    has_table = len(deck) == NUM_CARDS and num_board_cards == _HOLDEM_BOARD_CARDS and is_preflop
    preflop = load_preflop_chances() if has_table else None
    return _native.WinChances(np.array(deck, np.uint8), num_hole_cards, num_board_cards, preflop)


def _card_array(cards: Sequence[int]) -> np.ndarray:
    return np.frombuffer(bytes(list(cards)), np.uint8)


def _problem(deck: Sequence[int], num_board_cards: int, hole_cards: Sequence[int], board: Sequence[int]) -> str:
    dealt = [*hole_cards, *board]
    if wrong := [card for card in dealt if not isinstance(card, int | np.integer) or card not in deck]:
        return f"no card {wrong[0]!r}; cards are those of the deck, numbers from {deck[0]} to {deck[-1]}"
    if len(board) > num_board_cards:
        return f"no board {list(board)}; it has at most {num_board_cards} cards"
    return f"cards {format_cards(dealt)}; hole and board cards must be different"
