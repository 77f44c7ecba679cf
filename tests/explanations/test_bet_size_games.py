"""Prices in many games at once, against plain sums and all answers; deals against the paper's pseudocode."""

import math

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, joint_of, sample_games, sample_hands

STAKES = Stakes(deck=5, stack=1.5, step=0.5)


def random_tables(games: BetSizeGames, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    tables = generator.dirichlet(np.ones(games.stakes.num_bets), size=(len(games), games.stakes.deck))
    return np.asarray(tables)


def plain_payoff(stakes: Stakes, joint: np.ndarray, bets: np.ndarray, calls: np.ndarray) -> float:
    """What player 1 wins, card by card and bet by bet."""
    total = 0.0
    for first in range(stakes.deck):
        for second in range(stakes.deck):
            sign = (first > second) - (first < second)
            for bet, amount in enumerate(stakes.amounts):
                shown = sign * (stakes.ante + amount)
                call = 1.0 if bet == 0 else calls[second, bet]
                won = call * shown + (1 - call) * stakes.ante
                total += joint[first, second] * bets[first, bet] * won
    return total


def test_earned_adds_up_card_by_card_and_bet_by_bet():
    games = sample_games(STAKES, 3, 0, 4)
    bets = random_tables(games, 1)
    calls = np.random.default_rng(2).random(bets.shape)
    wanted = [plain_payoff(STAKES, games.joint[g], bets[g], calls[g]) for g in range(4)]
    assert games.earned(bets, calls) == pytest.approx(wanted, abs=1e-14)


def test_no_answer_wins_more_than_the_best_one():
    games = sample_games(Stakes(deck=3, stack=1.0, step=0.5), 0, 0, 5)
    bets = random_tables(games, 5)
    # Every deterministic answer: 2 x 3 decisions.
    least = np.full(5, np.inf)
    for code in range(2**6):
        calls = np.zeros((5, 3, 3))
        calls[:, :, 1:] = np.array([code >> bit & 1 for bit in range(6)], dtype=float).reshape(3, 2)
        least = np.minimum(least, games.earned(bets, calls))
    assert games.worst_case(bets) == pytest.approx(least, abs=1e-14)


def test_bet_values_weighted_by_the_bets_are_what_is_earned():
    games = sample_games(STAKES, 4, 0, 6)
    bets, calls = random_tables(games, 1), np.random.default_rng(2).random((6, 5, 4))
    assert (bets * games.bet_values(calls)).sum(axis=(1, 2)) == pytest.approx(games.earned(bets, calls), abs=1e-14)


def test_deals_are_those_of_algorithm_4():
    hands = sample_hands(STAKES, 8, 0, 2)
    for g in range(2):
        total, plain = 0.0, np.zeros((5, 5))
        for i in range(5):
            for j in range(5):
                if i != j:
                    plain[i, j] = hands[g, 0, i] * hands[g, 1, j]
                    total += plain[i, j]
        assert joint_of(hands)[g] == pytest.approx(plain / total, abs=1e-15)


def test_hands_are_uniform_on_the_simplex():
    """Then each share is Beta(1, deck - 1), with mean 1 / deck and the variance below; Algorithm 3."""
    hands = sample_hands(STAKES, 1, 0, 4000)
    assert hands.sum(axis=2) == pytest.approx(np.ones((4000, 2)), abs=1e-12)
    variance = (1 / 5) * (4 / 5) / 6
    error = 4 * math.sqrt(variance / 8000)
    assert hands.mean(axis=(0, 1)) == pytest.approx(np.full(5, 0.2), abs=error)
    assert hands.var(axis=(0, 1)) == pytest.approx(np.full(5, variance), rel=0.15)


def test_a_game_depends_on_the_seed_and_its_number_only():
    whole = sample_games(STAKES, 5, 0, 10)
    assert np.array_equal(whole.joint[6:9], sample_games(STAKES, 5, 6, 3).joint)
    assert not np.array_equal(whole.joint, sample_games(STAKES, 6, 0, 10).joint)


def test_distributions_are_those_of_the_dealt_cards():
    joint = np.zeros((1, 3, 3))
    joint[0, 0, 1], joint[0, 2, 1], joint[0, 1, 0] = 0.25, 0.5, 0.25
    games = BetSizeGames(Stakes(deck=3), joint)
    assert games.pdf[0].tolist() == [[0.25, 0.25, 0.5], [0.25, 0.75, 0.0]]
    assert games.cdf[0].tolist() == [[0.25, 0.5, 1.0], [0.25, 1.0, 1.0]]


def test_a_card_beats_the_worse_hands_that_may_be_held_beside_it():
    joint = np.zeros((1, 3, 3))
    joint[0, 1, 0], joint[0, 1, 2], joint[0, 2, 0] = 0.2, 0.3, 0.5
    beaten = BetSizeGames(Stakes(deck=3), joint).beaten[0]
    assert beaten.tolist() == pytest.approx([0.0, 0.4, 1.0])  # the first is never dealt


def test_stakes_that_the_game_does_not_allow_are_refused():
    with pytest.raises(ConfigError, match=r"stack must be a multiple of step 0.7"):
        Stakes(step=0.7)
    with pytest.raises(ConfigError, match="deck must be a whole number from 2"):
        Stakes(deck=1)
