"""What a rule may look at: numbers from 0 to 1 that a person can estimate from the two distributions and a hand.

None depends on the number of cards. "You" are player 1, "they" player 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nashgap.catalogue import unknown_name
from nashgap.explanations.bet_size_games import BetSizeGames

__all__ = ["FEATURES", "STRONG", "TOP_CARDS", "VERY_STRONG", "Feature", "feature_named"]

# A hand is strong, or very strong, if it beats such a share of the other player's hands; weak if it beats no more than
# the rest.
STRONG = 0.8
VERY_STRONG = 0.95
# The share of the deck whose cards are "weak or mediocre" in the paper's tree, which splits at card 6 of 10.
TOP_CARDS = 0.6


@dataclass(frozen=True)
class Feature:
    """One number for each hand of each game.

    words:  a clause with `{}` for "at least 20%" and the like.
    values: `[G, C]` of the games; the same for all cards of a game where it does not depend on the card.
    """

    words: str
    values: Callable[[BetSizeGames], np.ndarray]


def _of_game(games: BetSizeGames, values: np.ndarray) -> np.ndarray:
    """`[G]` as `[G, C]`."""
    return np.broadcast_to(values[:, None], (len(games), games.stakes.deck))


def _beaten_by_them(games: BetSizeGames) -> np.ndarray:
    """`[G, C]` the share of your hands that each of their cards beats."""
    return BetSizeGames(games.stakes, games.joint.transpose(0, 2, 1)).beaten


def _yours_at_least(games: BetSizeGames, share: float) -> np.ndarray:
    return _of_game(games, (games.pdf[:, 0] * (games.beaten >= share)).sum(axis=1))


def _yours_weak(games: BetSizeGames) -> np.ndarray:
    return _of_game(games, (games.pdf[:, 0] * (games.beaten <= 1 - STRONG)).sum(axis=1))


def _theirs_at_least(games: BetSizeGames, share: float) -> np.ndarray:
    return _of_game(games, (games.pdf[:, 1] * (_beaten_by_them(games) >= share)).sum(axis=1))


def _showdowns_won(games: BetSizeGames) -> np.ndarray:
    return _of_game(games, np.where(games.stakes.shows > 0, games.joint, 0.0).sum(axis=(1, 2)))


def _their_top_cards(games: BetSizeGames) -> np.ndarray:
    mediocre = round(TOP_CARDS * games.stakes.deck)
    return _of_game(games, 1.0 - games.cdf[:, 1, mediocre - 1])


FEATURES = {
    "beats": Feature("your hand beats {} of their hands", lambda games: games.beaten),
    "beats-all-hands": Feature(
        "your hand beats {} of all their hands, your card not taken out",
        lambda games: games.cdf[:, 1] - games.pdf[:, 1],
    ),
    "their-cdf": Feature("they hold your card or a worse one {} of the time", lambda games: games.cdf[:, 1]),
    "own-cdf": Feature("you hold your card or a worse one {} of the time", lambda games: games.cdf[:, 0]),
    "showdowns": Feature("you would win {} of all showdowns", _showdowns_won),
    "strong": Feature(f"{{}} of your hands beat {STRONG:.0%} of theirs", lambda games: _yours_at_least(games, STRONG)),
    "very-strong": Feature(
        f"{{}} of your hands beat {VERY_STRONG:.0%} of theirs", lambda games: _yours_at_least(games, VERY_STRONG)
    ),
    "weak": Feature(f"{{}} of your hands beat no more than {1 - STRONG:.0%} of theirs", _yours_weak),
    "their-strong": Feature(
        f"{{}} of their hands beat {STRONG:.0%} of yours", lambda games: _theirs_at_least(games, STRONG)
    ),
    "their-very-strong": Feature(
        f"{{}} of their hands beat {VERY_STRONG:.0%} of yours", lambda games: _theirs_at_least(games, VERY_STRONG)
    ),
    "their-top": Feature(f"{{}} of their hands are of the best {1 - TOP_CARDS:.0%} of the deck", _their_top_cards),
}


def feature_named(name: str) -> Feature:
    if name not in FEATURES:
        raise unknown_name("feature", name, FEATURES)
    return FEATURES[name]
