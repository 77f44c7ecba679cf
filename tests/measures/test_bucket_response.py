"""The best response of remembered buckets, held to the exact one of the same game without abstraction."""

import numpy as np
import pytest

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.core.compile import compile_tree
from nashgap.errors import ConfigError, MismatchError, UnsupportedGameError
from nashgap.measures.best_response import exploitability
from nashgap.measures.bucket_response import bucket_gap
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.solvers.poker_mccfr import PokerMCCFR
from nashgap.strategies.table import uniform


def lossless_game(name, betting="full"):
    rules = PokerGame(name).rules
    tree = build_betting_tree(rules, parse_betting_abstraction(betting))
    return AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules))


def untrained(game):
    return [np.zeros(size, np.float32) for size in np.diff(game.entry_start)]


@pytest.mark.parametrize("name", ["kuhn2", "leduc2"])
def test_the_gap_of_uniform_play_is_the_exact_one(name):
    game = lossless_game(name)
    found = bucket_gap(game, untrained(game), num_deals=200_000, seed=1)
    tree = compile_tree(PokerGame(name), "poker")
    exact = exploitability(tree, uniform(tree))
    for seat in range(2):
        assert found.gains[seat].mean == pytest.approx(exact.gains[seat], abs=1.5 * found.gains[seat].ci95 + 1e-9)
        assert found.values[seat].mean == pytest.approx(exact.values[seat], abs=1.5 * found.values[seat].ci95 + 1e-9)
    assert found.nash_conv.ci95 < 0.01 * exact.nash_conv
    assert found.nash_conv.unit == "antes_per_hand"


@pytest.mark.slow
def test_intervals_cover_the_exact_values():
    """About 95%; seat 1 is the one that gains more on some deals than on others."""
    game, tree = lossless_game("kuhn2"), compile_tree(PokerGame("kuhn2"), "poker")
    exact, num_seeds, covered = exploitability(tree, uniform(tree)), 200, np.zeros(2)
    for seed in range(num_seeds):
        found = bucket_gap(game, untrained(game), num_deals=2_000, seed=seed)
        covered += [
            abs(found.values[1].mean - exact.values[1]) <= found.values[1].ci95,
            abs(found.gains[1].mean - exact.gains[1]) <= found.gains[1].ci95,
        ]
    assert ((covered >= 0.9 * num_seeds) & (covered <= 0.99 * num_seeds)).all(), covered


def test_training_closes_the_gap():
    """And the regret of training, which bounds the exact gap, bounds this one."""
    game = lossless_game("leduc2")
    gaps = []
    for iterations in (300, 30_000):
        solver = PokerMCCFR(game, seed=2)
        solver.run(iterations)
        tables = solver.average_strategy().tables
        gaps.append(bucket_gap(game, tables, num_deals=100_000).nash_conv)
    assert 0 < gaps[1].mean < 0.3 * gaps[0].mean


def test_what_it_cannot_measure_is_refused():
    game = lossless_game("kuhn2")
    with pytest.raises(ConfigError, match="num_deals = 3; at least 20"):
        bucket_gap(game, untrained(game), num_deals=3)
    with pytest.raises(MismatchError, match="not those of the abstract game"):
        bucket_gap(game, [np.zeros(2, np.float32)])
    three = lossless_game("kuhn3")
    with pytest.raises(UnsupportedGameError, match="two players, kuhn3 has 3"):
        bucket_gap(three, untrained(three))
