"""A game from two distributions of hands that somebody wrote down."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, joint_of
from nashgap.games.checks import exact_sum

__all__ = ["games_of", "parse_hands"]

SUM_TOLERANCE = 1e-6


def parse_hands(name: str, text: str) -> tuple[float, ...]:
    """The numbers of `0.1,0.2,0.7`; `name` is for people: `--hands1`."""
    values = []
    for place, word in enumerate(text.split(","), start=1):
        try:
            values.append(float(word))
        except ValueError:
            raise ConfigError(f"{name}: card {place} must be a number, not {word.strip()!r}") from None
    return tuple(values)


def games_of(hands1: Sequence[float], hands2: Sequence[float], stakes: Stakes) -> BetSizeGames:
    """One game: both players' cards are drawn from these, `[C]` each, until they differ (Algorithm 4)."""
    hands = np.array([_checked("hands1", hands1, stakes.deck), _checked("hands2", hands2, stakes.deck)])
    products = np.outer(hands[0], hands[1])
    if products.sum() - np.trace(products) <= 0.0:
        card = int(np.argmax(hands[0])) + 1
        raise ConfigError(f"hands1 and hands2 are both always card {card}; two players cannot hold the same card")
    return BetSizeGames(stakes, joint_of(hands[None]))


def _checked(name: str, hands: Sequence[float], deck: int) -> np.ndarray:
    """Probabilities that add up to exactly 1."""
    if len(hands) != deck:
        raise ConfigError(f"{name} has {len(hands)} probabilities; a deck of {deck} cards needs {deck}")
    for card, chance in enumerate(hands, start=1):
        if not (math.isfinite(chance) and chance >= 0.0):
            raise ConfigError(f"{name}: card {card} must have a probability, finite and not negative, not {chance:g}")
    total = exact_sum(hands)
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise ConfigError(f"{name} must sum to 1 within {SUM_TOLERANCE:g}, not to {total:.9g}")
    return np.array(hands, dtype=np.float64) / total
