"""Distributions written down by hand: one game, or one clear line."""

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.bet_size_lp import BetSizeSolver
from nashgap.explanations.distributions import games_of, parse_hands


def test_cards_are_drawn_until_they_differ():
    """Ganzfried & Yusuf (2017), Algorithm 4, by hand: products of different cards, scaled."""
    games = games_of((0.5, 0.5, 0.0), (0.2, 0.0, 0.8), Stakes(deck=3))
    np.testing.assert_allclose(games.joint[0] * 0.9, [[0, 0, 0.4], [0.1, 0, 0.4], [0, 0, 0]], atol=1e-15)
    assert len(games) == 1


def test_the_game_of_figure_2_is_worth_three_eighths():
    """Ganzfried & Yusuf (2017), section 1: a 10 or a 1 against a 5."""
    hands1, hands2 = np.zeros(10), np.zeros(10)
    hands1[[0, 9]], hands2[4] = 0.5, 1.0
    games = games_of(hands1.tolist(), hands2.tolist(), Stakes())
    assert BetSizeSolver(Stakes()).solve(games.joint[0]).value == pytest.approx(3 / 8, abs=1e-9)


def test_sums_within_the_tolerance_are_scaled():
    games = games_of((0.3333333, 0.3333333, 0.3333333), (0.0, 0.0, 1.0), Stakes(deck=3))
    assert games.joint.sum() == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("hands1", "hands2", "message"),
    [
        ((0.5, 0.4), (0.5, 0.5), "hands1 must sum to 1 within 1e-06, not to 0.9"),
        ((0.5, 0.5), (0.5, 0.6), "hands2 must sum to 1 within 1e-06, not to 1.1"),
        ((1e308, 1e308), (0.5, 0.5), "hands1 must sum to 1 within 1e-06, not to inf"),
        ((1.5, -0.5), (0.5, 0.5), "hands1: card 2 must have a probability, finite and not negative, not -0.5"),
        ((float("nan"), 1.0), (0.5, 0.5), "hands1: card 1 must have a probability, finite and not negative, not nan"),
        ((1.0, 0.0), (1.0, 0.0), "hands1 and hands2 are both always card 1; two players cannot hold the same card"),
        ((0.5, 0.5, 0.0), (0.5, 0.5), "hands1 has 3 probabilities; a deck of 2 cards needs 2"),
        ((0.5, 0.5), (1.0,), "hands2 has 1 probabilities; a deck of 2 cards needs 2"),
    ],
)
def test_bad_distributions_are_refused_in_one_line(hands1, hands2, message):
    with pytest.raises(ConfigError) as refusal:
        games_of(hands1, hands2, Stakes(deck=2))
    assert str(refusal.value) == message


def test_text_becomes_numbers():
    assert parse_hands("--hands1", "0.5, .25,0.25") == (0.5, 0.25, 0.25)
    with pytest.raises(ConfigError, match=r"^--hands2: card 2 must be a number, not 'x'$"):
        parse_hands("--hands2", "0.5,x")
    with pytest.raises(ConfigError, match=r"^--hands2: card 1 must be a number, not ''$"):
        parse_hands("--hands2", "")
