"""Games to memorise: their price by plain loops, and that no swap of one for another is better."""

from itertools import combinations

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.distances import input_distance
from nashgap.explanations.prototype_prices import price_prototypes
from nashgap.explanations.prototypes import best_prototypes, random_prototypes
from nashgap.explanations.scores import exploitability

STAKES = Stakes(deck=4, stack=1.0, step=0.25)
CANDIDATES, JUDGED, SEED = 14, 40, 2


@pytest.fixture(scope="module")
def solved():
    return solve_games(STAKES, 5, 0, 90)


@pytest.fixture(scope="module")
def drawn():
    order = np.random.Generator(np.random.Philox(SEED)).permutation(60)
    return order[:CANDIDATES], order[CANDIDATES : CANDIDATES + JUDGED]


@pytest.fixture(scope="module")
def best(solved):
    return best_prototypes(solved[:60], (1, 3), seed=SEED, num_candidates=CANDIDATES, num_judged=JUDGED)


@pytest.fixture(scope="module")
def plain_price(solved, drawn):
    """A function of chosen candidates: each judged game is played by the nearest of them."""
    cdf, bets = solved.games.cdf, solved.bets()
    distance, paid = {}, {}
    for game in drawn[1]:
        alone = solved[np.array([game])]
        for candidate in drawn[0]:
            distance[candidate, game] = input_distance(cdf[candidate], cdf[game])
            paid[candidate, game] = exploitability(alone, bets[[candidate]])[0]

    def price(chosen):
        nearest = {game: min(chosen, key=lambda each: distance[each, game]) for game in drawn[1]}
        return np.mean([paid[each, game] for game, each in nearest.items()])

    return price


def test_prices_are_those_of_copying_the_nearest_game(plain_price, drawn, best):
    for found in best:
        assert found.price == pytest.approx(plain_price(found.indices), abs=1e-9)
        assert set(found.indices) <= set(drawn[0])
        assert found.shares.sum() == pytest.approx(1.0)
        assert (np.diff(found.shares) <= 0).all()


def test_one_game_to_memorise_is_the_best_of_all_candidates(plain_price, drawn, best):
    prices = [plain_price([each]) for each in drawn[0]]
    assert best[0].indices.tolist() == [drawn[0][np.argmin(prices)]]


def test_no_swap_is_better(plain_price, drawn, best):
    chosen = best[1].indices.tolist()
    for kept in combinations(chosen, 2):
        for other in set(drawn[0].tolist()) - set(kept):
            assert plain_price([*kept, other]) >= best[1].price - 1e-9


def test_more_games_are_not_worse_where_they_were_chosen(best):
    assert best[1].price <= best[0].price + 1e-12


def test_bets_are_those_of_the_nearest_memorised_game(solved, best):
    asked = solved[60:].games
    predicted = best[1].predict(solved[:60], asked.pdf)
    distance = input_distance(asked.cdf[:, None], solved.games.cdf[best[1].indices])
    nearest = best[1].indices[np.argmin(distance, axis=1)]
    np.testing.assert_array_equal(predicted, solved.bets()[nearest])


def test_prices_in_unseen_games_stand_beside_each_other(solved):
    train, test = solved.split(60, 30)
    priced = price_prototypes(train, test, (2, 4), seed=SEED, num_candidates=CANDIDATES, num_judged=JUDGED, num_draws=3)
    rows = priced.memories
    assert [(row.games, row.how) for row in rows] == [
        (2, "best"), (2, "random"), (4, "best"), (4, "random"), (60, "all"), (0, "none"),
    ]  # fmt: skip
    by_kind = {(row.games, row.how): row for row in rows}
    best = by_kind[4, "best"]
    assert best.scores.exploitability.mean == pytest.approx(
        exploitability(test, best.chosen.predict(train, test.games.pdf)).mean()
    )
    assert best.scores.exploitability.samples == 30
    assert by_kind[4, "random"].scores.exploitability.samples == 3
    checks = by_kind[0, "none"].scores
    assert checks.exploitability.mean == pytest.approx(checks.value_lost.mean)  # nobody can answer a check
    assert best.as_dict()["indices"] == best.chosen.indices.tolist()


def test_the_same_seed_gives_the_same_games(solved, best):
    again = best_prototypes(solved[:60], (1, 3), seed=SEED, num_candidates=CANDIDATES, num_judged=JUDGED)
    assert [each.indices.tolist() for each in again] == [each.indices.tolist() for each in best]
    draws = random_prototypes(solved, 5, 4, seed=0)
    assert len({tuple(draw.indices) for draw in draws}) == 4
    assert all(len(set(draw.indices)) == 5 for draw in draws)


def test_too_few_games_are_refused(solved):
    with pytest.raises(ConfigError, match="80 candidates and 40 games to judge them by; there are 90 games"):
        best_prototypes(solved, (5,), seed=0, num_candidates=80, num_judged=40)
    with pytest.raises(ConfigError, match="from 1 to 10 games can be memorised, not 11"):
        best_prototypes(solved, (11,), seed=0, num_candidates=10, num_judged=40)
    with pytest.raises(ConfigError, match="from 1 to 90 games can be memorised, not 0"):
        random_prototypes(solved, 0, 1, seed=0)
