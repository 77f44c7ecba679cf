"""The ten ways to put solved games into rows."""

from __future__ import annotations

import numpy as np
import pytest

from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, sample_games
from nashgap.explanations.representations import (
    REPRESENTATIONS,
    CardCdf,
    SingleBet,
    named_representation,
    played_bets,
    sample_bets,
)

# Nothing may hold only for ten cards and 31 bets.
SMALL = Stakes(deck=4, stack=1.0, step=0.25)


def random_bets(games: BetSizeGames, seed: int = 1) -> np.ndarray:
    shape = len(games), games.stakes.deck, games.stakes.num_bets
    return np.random.default_rng(seed).dirichlet(np.full(shape[2], 0.3), size=shape[:2])


def test_numbers_and_names_are_those_of_the_papers_list() -> None:
    assert [each.number for each in REPRESENTATIONS.values()] == list(range(1, 11))
    assert list(REPRESENTATIONS) == [
        "cdf",
        "pdf",
        "cdf+card",
        "pdf+card",
        "cdf+card-cdf",
        "pdf+card-cdf",
        "cdf+card:bet",
        "pdf+card:bet",
        "cdf+card-cdf:bet",
        "pdf+card-cdf:bet",
    ]


def test_unknown_representation_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"unknown representation 'pdf\+cards' \(did you mean 'pdf\+card'\?\); known"):
        named_representation("pdf+cards")


@pytest.mark.parametrize("stakes", [Stakes(), SMALL], ids=["ten cards", "four cards"])
@pytest.mark.parametrize("name", REPRESENTATIONS)
def test_rows_have_the_shapes_they_announce(name: str, stakes: Stakes) -> None:
    representation, games = named_representation(name), sample_games(stakes, 0, 0, 3)
    rows = representation.num_rows(games)
    outputs = representation.outputs(games, random_bets(games), 0)
    assert representation.inputs(games).shape == (rows, 2 * stakes.deck + representation.is_per_card)
    assert representation.inputs(games).dtype == np.float32
    assert outputs.shape == (rows, representation.num_outputs(stakes))
    assert representation.bets(stakes, outputs).shape == (3, stakes.deck, stakes.num_bets)


@pytest.mark.parametrize("name", [name for name, each in REPRESENTATIONS.items() if not each.is_single_bet])
def test_probabilities_come_back_as_they_went_in(name: str) -> None:
    games = sample_games(SMALL, 0, 0, 5)
    bets = random_bets(games)
    representation = named_representation(name)
    np.testing.assert_array_equal(representation.bets(SMALL, representation.outputs(games, bets, 0)), bets)


def test_the_papers_example_of_cdf_inputs() -> None:
    """Section 3: the uniform deal is 0.1, 0.2, ..., 1 for both players."""
    joint = np.full((10, 10), 1 / 90) * (1 - np.eye(10))
    rows = named_representation("cdf").inputs(BetSizeGames(Stakes(), joint[None]))
    np.testing.assert_allclose(rows[0], np.tile(np.arange(1, 11) / 10, 2), atol=1e-6)


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (CardCdf.OWN, [0.1, 0.5, 1.0]),
        (CardCdf.OPPONENT, [0.55, 0.85, 1.0]),
        (CardCdf.BELOW, [0.0, 0.55, 0.85]),
        (CardCdf.BEATEN, [0.0, 0.75, 1.0]),
    ],
)
def test_readings_of_the_cards_cdf(reading: CardCdf, expected: list[float]) -> None:
    joint = np.array([[0.0, 0.05, 0.05], [0.3, 0.0, 0.1], [0.25, 0.25, 0.0]])
    games = BetSizeGames(Stakes(deck=3), joint[None])
    rows = named_representation("pdf+card-cdf", reading).inputs(games)
    np.testing.assert_allclose(rows[:, -1], expected, atol=1e-6)
    np.testing.assert_allclose(rows[1, :-1], [0.1, 0.4, 0.5, 0.55, 0.3, 0.15], atol=1e-6)


def test_drawn_bets_do_not_depend_on_the_batch() -> None:
    games = sample_games(SMALL, 3, 0, 200)
    bets = random_bets(games)
    drawn = sample_bets(games, bets, 7)
    order = np.random.default_rng(0).permutation(200)[:50]
    np.testing.assert_array_equal(sample_bets(games[order], bets[order], 7), drawn[order])
    # Dealt anew in another batch, whose rounding may differ.
    np.testing.assert_array_equal(sample_bets(sample_games(SMALL, 3, 60, 40), bets[60:100], 7), drawn[60:100])
    assert (sample_bets(games, bets, 8) != drawn).any()


def test_drawn_bets_follow_the_strategy() -> None:
    games = sample_games(SMALL, 3, 0, 4000)
    bets = np.broadcast_to([0.5, 0.0, 0.3, 0.2, 0.0], (4000, 4, 5))
    shares = np.bincount(sample_bets(games, bets, 0).ravel(), minlength=5) / 16_000
    # Five standard deviations of the largest share.
    np.testing.assert_allclose(shares, [0.5, 0.0, 0.3, 0.2, 0.0], atol=0.02)
    assert shares[1] == shares[4] == 0.0


def test_a_single_bet_becomes_probabilities() -> None:
    amounts = np.array([0.0, 0.12, 0.13, 0.55, 1.0, 1.2])
    nearest = played_bets(SMALL, amounts)
    np.testing.assert_array_equal(np.argmax(nearest, axis=1), [0, 0, 1, 2, 4, 4])
    np.testing.assert_array_equal(nearest.max(axis=1), 1.0)
    shared = played_bets(SMALL, amounts, SingleBet.NEIGHBOURS)
    np.testing.assert_allclose(shared @ SMALL.amounts, [0.0, 0.12, 0.13, 0.55, 1.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(shared.sum(axis=1), 1.0, atol=1e-12)
    assert (np.count_nonzero(shared, axis=1) <= 2).all()


@pytest.mark.parametrize(
    ("name", "feature", "threshold", "words"),
    [
        ("cdf", 15, 0.9154, "they hold 6 or worse at most 92% of the time"),
        ("pdf", 0, 0.0034, "you hold 1 at most 0.34% of the time"),
        ("pdf+card", 20, 4.5, "your card is at most 4"),
        ("cdf+card-cdf:bet", 20, 0.9035, "they hold a worse card at most 90% of the time"),
        ("cdf+card-cdf:bet", 20, 0.99999, "they hold a worse card less than 100% of the time"),
    ],
)
def test_conditions_in_words(name: str, feature: int, threshold: float, words: str) -> None:
    assert named_representation(name).condition(Stakes(), feature, threshold) == words


def test_bets_of_other_games_are_refused() -> None:
    games = sample_games(SMALL, 0, 0, 3)
    with pytest.raises(MismatchError, match=r"bets of shape \(2, 4, 5\) for games of .* \(3, 4, 5\)"):
        named_representation("cdf").outputs(games, random_bets(games)[:2], 0)
