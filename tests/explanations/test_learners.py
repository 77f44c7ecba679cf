"""Learners: what they saw they play again, and more games make them better."""

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.fit import fit
from nashgap.explanations.learners import NeighbourLearner, TreeLearner, always_check, learning_curve
from nashgap.explanations.scores import score

STAKES = Stakes(deck=4, stack=1.0, step=0.25)


@pytest.fixture(scope="module")
def games():
    return solve_games(STAKES, 3, 0, 600).split(500, 100)


def test_the_nearest_neighbour_of_a_known_game_is_itself(games):
    train, _ = games
    learned = NeighbourLearner().fit(train, "weakest-bluff")
    assert np.array_equal(learned.bets(train.games), train.bets("weakest-bluff"))


def test_a_deep_tree_gives_back_what_it_was_fitted_to(games):
    train, _ = games
    for representation in ("pdf", "pdf+card"):
        learned = TreeLearner(representation, depth=40).fit(train)
        assert learned.bets(train.games) == pytest.approx(train.bets(), abs=1e-9)


def test_a_tree_that_is_cut_plays_another_strategy(games):
    train, test = games
    learned = TreeLearner("cdf+card", depth=6).fit(train)
    shallow = learned.bets(test.games, depth=1)
    assert len(np.unique(shallow.reshape(-1, STAKES.num_bets), axis=0)) == 2
    assert not np.array_equal(shallow, learned.bets(test.games))


@pytest.mark.parametrize("learner", [NeighbourLearner(3), TreeLearner("pdf", depth=8)])
def test_more_games_make_less_distance(games, learner):
    train, test = games
    (_, few), (_, many) = learning_curve(learner, train, test, (10, 500))
    assert many.output_distance.mean < few.output_distance.mean


def test_never_betting_loses_what_the_equilibrium_wins_more(games):
    _, test = games
    scores = score(test, always_check(test.games))
    shown = (test.games.joint * STAKES.shows).sum(axis=(1, 2)) * STAKES.ante
    assert scores.exploitability.mean == pytest.approx((test.value - shown).mean(), abs=1e-12)


def test_a_learner_is_scored_by_games_and_depth_and_told_on_a_page(games):
    train, test = games
    result = fit(TreeLearner("pdf+card-cdf", depth=5), train, test, "solver")
    assert [depth for depth, _, _ in result.depths] == [1, 2, 3, 4, 5]
    assert result.depths[-1][2] == result.scores
    sizes = [size for size, _ in result.curve]
    assert sizes == sorted(sizes)
    assert sizes[-1] == 500
    titles = [section.title for section in result.report().sections]
    assert titles[-1] == "The tree down to depth 4"


def test_a_learning_curve_has_no_more_games_than_there_are(games):
    train, test = games
    with pytest.raises(ConfigError, match="501 games to learn from; there are 500"):
        learning_curve(NeighbourLearner(), train, test, (501,))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NeighbourLearner(0), "neighbours = 0; it must be a whole number"),
        (lambda: NeighbourLearner(metric="far"), "metric 'far'; known: emd, l1, l2"),
        (lambda: TreeLearner(depth=0), "depth = 0; it must be a whole number"),
        (lambda: TreeLearner("cards"), "representation"),
    ],
)
def test_a_learner_that_cannot_be_is_refused(make, message):
    with pytest.raises(ConfigError, match=message):
        make()
