"""Errors of predicted bets against plain loops over cards and bets; and which distance foretells them."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from nashgap.errors import ConfigError, MismatchError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.distance_study import correlate_distances
from nashgap.explanations.distances import DISTANCES, input_distance, output_distance
from nashgap.explanations.scores import exploitability, score, value_lost

STAKES = Stakes(deck=4, stack=1.0, step=0.25)


@pytest.fixture(scope="module")
def solved():
    return solve_games(STAKES, 3, 0, 60)


def random_bets(count, seed=0):
    return np.random.default_rng(seed).dirichlet(np.full(STAKES.num_bets, 0.3), (count, STAKES.deck))


def plain_earned(joint, bets, calls):
    """Dollars a hand to player 1; `calls` None: player 2 answers as is worst for player 1."""
    total = 0.0
    for bet, amount in enumerate(STAKES.amounts):
        for answer in range(STAKES.deck):
            shown = folded = 0.0
            for card in range(STAKES.deck):
                chance = joint[card, answer] * bets[card, bet]
                shown += chance * np.sign(card - answer) * (STAKES.ante + amount)
                folded += chance * STAKES.ante
            if bet == 0:
                total += shown
            elif calls is None:
                total += min(shown, folded)
            else:
                total += calls[answer, bet] * shown + (1 - calls[answer, bet]) * folded
    return total


def test_costs_are_those_of_plain_loops(solved):
    bets = random_bets(len(solved))
    joint, calls = solved.games.joint, solved.calls
    worst = [plain_earned(joint[g], bets[g], None) for g in range(len(solved))]
    earned = [plain_earned(joint[g], bets[g], calls[g]) for g in range(len(solved))]
    np.testing.assert_allclose(exploitability(solved, bets), solved.value - worst, atol=1e-9)
    np.testing.assert_allclose(value_lost(solved, bets), solved.value - earned, atol=1e-9)
    assert (value_lost(solved, bets) <= exploitability(solved, bets) + 1e-9).all()


def test_scores_are_means_over_games_with_intervals(solved):
    bets = random_bets(len(solved), seed=1)
    found = score(solved, bets, "weakest-bluff")
    distances = output_distance(bets, solved.bets("weakest-bluff"))
    assert found.output_distance.mean == pytest.approx(distances.mean())
    assert found.exploitability.mean == pytest.approx(exploitability(solved, bets).mean())
    assert found.value_lost.mean == pytest.approx(value_lost(solved, bets).mean())
    half_width = 2.001 * distances.std(ddof=1) / np.sqrt(60)  # Student's t, 59 degrees of freedom
    assert found.output_distance.ci95 == pytest.approx(half_width, rel=1e-3)
    assert found.exploitability.unit == found.value_lost.unit == "dollars_per_hand"
    assert found.as_dict()["output_distance"]["unit"] == "of_scale"


def test_every_kept_equilibrium_costs_nothing(solved):
    for choice in solved.chosen:
        found = score(solved, solved.bets(choice), choice)
        assert found.output_distance.mean == 0.0
        assert found.exploitability.mean < 1e-8
        assert found.value_lost.mean < 1e-8


def test_one_strategy_can_be_played_in_all_games(solved):
    bets = random_bets(1)
    everywhere = np.repeat(bets, len(solved), axis=0)
    np.testing.assert_array_equal(exploitability(solved, bets), exploitability(solved, everywhere))
    np.testing.assert_array_equal(value_lost(solved, bets), value_lost(solved, everywhere))


def test_what_is_no_strategy_is_refused(solved):
    with pytest.raises(MismatchError, match=r"bets of shape \(59, 4, 5\); 60 games need \(60, 4, 5\)"):
        score(solved, random_bets(59))
    bets = random_bets(60)
    bets[7, 2] *= 0.9
    with pytest.raises(MismatchError, match=r"in game 7 with card 3 .* the sum 0.9"):
        score(solved, bets)
    bets = random_bets(60)
    bets[7, 2, :2] += [-2.0, 2.0]
    with pytest.raises(MismatchError, match="from 0 to 1"):
        score(solved, bets)


def test_correlations_are_spearmans_over_pairs(solved):
    found = {(each.between, each.metric): each for each in correlate_distances(solved, seed=4)}
    assert list(found) == [(between, metric) for between in ("inputs", "outputs") for metric in DISTANCES]
    order = np.random.Generator(np.random.Philox(4)).permutation(60)
    copied, played = solved[order[:30]], solved[order[30:]]
    distances = input_distance(copied.games.cdf, played.games.cdf)
    for name, cost in (("exploitability", exploitability), ("value_lost", value_lost)):
        estimate = getattr(found["inputs", "emd"], name)
        expected = spearmanr(distances, cost(played, copied.bets())).statistic
        assert estimate.mean == pytest.approx(expected, abs=1e-9)
        assert estimate.samples == 30
        assert 0.0 < estimate.ci95 < 0.4
    with pytest.raises(ConfigError, match="12 games are too few"):
        correlate_distances(solved[:12], seed=0)
