"""Coverage, agreement and price of rules; leaves of a tree as sentences with the same."""

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.known_rules import EIGHT_RULES, TWO_RULES
from nashgap.explanations.learners import TreeLearner
from nashgap.explanations.rule_prices import agreement, part_price, rule_prices, rule_row
from nashgap.explanations.rules import Mix, Rule
from nashgap.explanations.scores import exploitability
from nashgap.explanations.tree_rules import leaf_rules, leaf_sentences, round_tree

STAKES = Stakes(deck=5, stack=2.0, step=0.5)
GAMES = solve_games(STAKES, 2, 0, 80)


def test_following_the_equilibrium_costs_nothing():
    part = part_price(GAMES, np.ones((80, 5)), GAMES.bets())
    assert part.coverage.mean == pytest.approx(1.0)
    assert part.error is not None
    assert part.error.mean == pytest.approx(0.0, abs=1e-12)
    assert part.price.mean == pytest.approx(0.0, abs=1e-9)


def test_the_price_of_a_rule_for_all_hands_is_that_of_the_strategy():
    checks = np.zeros((80, 5, STAKES.num_bets))
    checks[:, :, 0] = 1.0
    part = part_price(GAMES, np.ones((80, 5)), rule_row(Rule((), Mix(0.0)), STAKES))
    assert part.price.mean == pytest.approx(exploitability(GAMES, checks).mean())


def test_agreement_is_the_equilibriums_probability_weighted_by_the_deal():
    share = (GAMES.games.beaten > 0.5).astype(float)
    own, bets = GAMES.games.pdf[:, 0], GAMES.bets("weakest-bluff")
    small = (own * share * bets[:, :, :2].sum(axis=2)).sum() / (own * share).sum()
    found = agreement(GAMES, share, 0.0, 0.5, "weakest-bluff")
    assert found is not None
    assert found.mean == pytest.approx(small)
    whole = agreement(GAMES, share, 0.0, 2.0, "solver")
    assert whole is not None
    assert whole.mean == pytest.approx(1.0)
    assert agreement(GAMES, 0 * share, 0.0, 2.0, "solver") is None


def test_what_a_rule_saves_is_what_the_list_costs_without_it():
    prices = rule_prices(GAMES, TWO_RULES)
    without = exploitability(GAMES, type(TWO_RULES)(TWO_RULES.rules[:1]).bets(GAMES.games))
    with_both = exploitability(GAMES, TWO_RULES.bets(GAMES.games))
    assert prices[1].saves.mean == pytest.approx((without - with_both).mean())
    covered = sum(each.part.coverage.mean for each in rule_prices(GAMES, EIGHT_RULES))
    assert covered == pytest.approx(EIGHT_RULES.coverage(GAMES.games).sum(axis=0).mean())


@pytest.mark.parametrize("representation", ["cdf+card-cdf:bet", "pdf+card", "cdf+card"])
def test_the_leaves_of_a_tree_cover_every_hand_once(representation):
    fitted = TreeLearner(representation, 3).fit(GAMES)
    leaves = leaf_rules(fitted, GAMES)
    assert len(leaves) == fitted.tree.num_leaves
    assert sum(leaf.part.coverage.mean for leaf in leaves) == pytest.approx(1.0)
    assert all(leaf.sentence.startswith("If ") and leaf.sentence.endswith(".") for leaf in leaves)


def test_a_leaf_is_told_by_all_its_tests():
    fitted = TreeLearner("cdf+card-cdf:bet", 1).fit(GAMES)
    first, second = leaf_sentences(fitted, STAKES).values()
    threshold = f"{100 * fitted.tree.threshold[0]:.4g}%"
    assert first.startswith(f"If they hold a worse card at most {threshold} of the time, ")
    assert second == f"If they hold a worse card more than {threshold} of the time, go all-in."


def test_a_rounded_tree_has_round_numbers():
    rounded = round_tree(TreeLearner("cdf+card-cdf:bet", 3).fit(GAMES), GAMES.stakes, 0.1, 0.5).tree
    thresholds = rounded.threshold[rounded.feature >= 0]
    np.testing.assert_allclose(thresholds * 10, np.round(thresholds * 10), atol=1e-9)
    np.testing.assert_allclose(rounded.value * 2, np.round(rounded.value * 2), atol=1e-9)
    with pytest.raises(ConfigError, match="cannot be rounded to 0"):
        round_tree(TreeLearner("cdf+card:bet", 2).fit(GAMES), GAMES.stakes, 0.0)


def test_a_tree_for_all_cards_at_once_has_no_rules():
    with pytest.raises(ConfigError, match="a tree on cdf decides all cards at once"):
        leaf_sentences(TreeLearner("cdf", 2).fit(GAMES), STAKES)
