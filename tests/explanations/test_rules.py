"""Rules decide hands in order, their bluffs are in proportion, and they read as sentences."""

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, sample_games
from nashgap.explanations.known_rules import ALL_IN_RULE, EIGHT_RULES, EIGHTY_TWENTY_RULE, TWO_RULES
from nashgap.explanations.rule_features import FEATURES
from nashgap.explanations.rule_words import range_words, rule_sentence
from nashgap.explanations.rules import ALL_IN, CHECK, Bluff, Condition, Mix, Rule, RuleList, bet_index
from nashgap.games.bet_size import uniform_joint

STAKES = Stakes()
GAMES = sample_games(STAKES, 4, 0, 40)
UNIFORM = BetSizeGames(STAKES, np.array([uniform_joint(10)]))


def rule(action, **conditions):
    return Rule(tuple(Condition(name.replace("_", "-"), *bounds) for name, bounds in conditions.items()), action)


@pytest.mark.parametrize("name", FEATURES)
def test_every_feature_is_a_share_for_each_hand(name):
    values = FEATURES[name].values(GAMES)
    assert values.shape == (40, 10)
    assert values.min() >= -1e-12
    assert values.max() <= 1 + 1e-12


def test_features_of_the_uniform_deal():
    """Card c + 1 beats c of the 9 cards the opponent may hold."""
    values = {name: feature.values(UNIFORM)[0] for name, feature in FEATURES.items()}
    np.testing.assert_allclose(values["beats"], np.arange(10) / 9)
    np.testing.assert_allclose(values["beats-all-hands"], np.arange(10) / 10, atol=1e-12)
    np.testing.assert_allclose(values["own-cdf"], np.arange(1, 11) / 10)
    assert {round(values[name][0], 9) for name in ("showdowns",)} == {0.5}
    assert values["very-strong"][0] == pytest.approx(0.1)  # only 10 beats all; 9 beats 8 of 9
    assert values["strong"][0] == pytest.approx(0.2)
    assert values["their-top"][0] == pytest.approx(0.4)


def test_the_first_rule_that_applies_decides():
    best, good, others = rule(Mix(1.0), beats=(0.8, 1.0)), rule(Mix(2.0), beats=(0.5, 1.0)), rule(Mix(CHECK))
    rules = RuleList((best, good, others))
    bets = rules.bets(UNIFORM)[0]
    assert np.argmax(bets, axis=1).tolist() == [0, 0, 0, 0, 0, 20, 20, 20, 10, 10]
    np.testing.assert_array_equal(bets.sum(axis=1), 1.0)
    assert rules.rule_for(UNIFORM, 0, 9) is rules.rules[0]
    assert rules.rule_for(UNIFORM, 0, 6) is rules.rules[1]
    assert rules.rule_for(UNIFORM, 0, 0) is rules.rules[2]
    np.testing.assert_allclose(rules.coverage(UNIFORM)[:, 0], [0.2, 0.3, 0.5])


def test_hands_without_a_rule_are_checked():
    rules = RuleList((rule(Mix(ALL_IN), beats=(1.0, 1.0)),))
    assert np.argmax(rules.bets(UNIFORM)[0], axis=1).tolist() == [0] * 9 + [30]
    assert rules.rule_for(UNIFORM, 0, 3) is None
    np.testing.assert_array_equal(RuleList(()).bets(GAMES)[:, :, 0], 1.0)


def test_a_mix_shares_its_bets():
    bets = RuleList((rule(Mix(3.0, 0.25, 0.5)),)).bets(UNIFORM)[0, 4]
    assert bets[30] == 0.25
    assert bets[5] == 0.75


def test_a_bluff_is_in_proportion_to_the_bets_it_hides_behind():
    rules = RuleList((rule(Mix(1.0), beats=(0.7, 1.0)), Rule((), Bluff(1.0, 0.5))))
    games = GAMES
    own, at_pot = games.pdf[:, 0], rules.bets(games)[:, :, 10]
    is_strong = games.beaten >= 0.7
    value, bluffs = (own * at_pot * is_strong).sum(axis=1), (own * at_pot * ~is_strong).sum(axis=1)
    has_room = (own * ~is_strong).sum(axis=1) > 0.5 * value
    assert has_room.sum() > 30
    np.testing.assert_allclose(bluffs[has_room], 0.5 * value[has_room])


def test_a_bluff_takes_the_worst_hands_and_the_last_of_them_in_part():
    """Uniform deal: two cards bet, so a ratio of 0.75 asks for one card and a half."""
    rules = RuleList((rule(Mix(1.0), beats=(0.85, 1.0)), Rule((), Bluff(1.0, 0.75))))
    np.testing.assert_allclose(rules.bets(UNIFORM)[0, :, 10], [1, 0.5, 0, 0, 0, 0, 0, 0, 1, 1])
    assert rules.rule_for(UNIFORM, 0, 1) is rules.rules[1]
    assert rules.rule_for(UNIFORM, 0, 2) is None


def test_a_bluff_without_a_bet_to_hide_behind_is_not_made():
    np.testing.assert_array_equal(RuleList((Rule((), Bluff(1.0, 0.5)),)).bets(GAMES)[:, :, 0], 1.0)


def test_cards_that_are_never_dealt_break_nothing():
    joint = np.zeros((10, 10))
    joint[[0, 9], 4] = 0.5
    bets = EIGHT_RULES.bets(BetSizeGames(STAKES, joint[None]))
    np.testing.assert_allclose(bets.sum(axis=2), 1.0)
    assert np.isfinite(bets).all()


def test_bets_are_the_nearest_that_the_stakes_allow():
    assert bet_index(STAKES, 0.72) == 7
    assert bet_index(STAKES, 50.0) == bet_index(STAKES, ALL_IN) == 30
    assert bet_index(STAKES, 0.01) == 1
    assert bet_index(Stakes(deck=5, stack=4.0, step=1.0, ante=1.0), 0.6) == 1  # pots of 2 dollars


def test_the_known_rules_play_other_decks_and_stakes():
    games = sample_games(Stakes(deck=6, stack=4.0, step=0.5, ante=1.0), 0, 0, 20)
    for rules in (EIGHT_RULES, TWO_RULES):
        np.testing.assert_allclose(rules.bets(games).sum(axis=2), 1.0)


def test_rules_are_sentences():
    assert rule_sentence(EIGHTY_TWENTY_RULE, STAKES) == "If your hand beats between 20% and 80% of their hands, check."
    assert rule_sentence(ALL_IN_RULE, STAKES) == (
        "If your hand beats at least 95% of their hands and at least 10% of their hands are of the best 40% of the"
        " deck, go all-in."
    )
    mixed = rule(Mix(1.0, 1 / 3), beats=(0.0, 0.1))
    assert (
        rule_sentence(mixed, STAKES) == "If your hand beats at most 10% of their hands, 1 time in 3 bet 1, else check."
    )
    assert rule_sentence(Rule((), Bluff(1.5, 0.6)), STAKES) == (
        "With your worst hands bet 1.5 as a bluff, 3 for every 5 hands that do so by the rules above."
    )
    assert rule_sentence(rule(Mix(2.0), beats=(1.0, 1.0)), STAKES) == "If your hand beats all of their hands, bet 2."


def test_ranges_are_told_exactly():
    assert range_words(0.2, 0.8) == "between 20% and 80%"
    assert range_words(0.0, 0.8) == "at most 80%"
    assert range_words(1.0, 1.0) == "all"
    assert range_words(0.0, 0.15, is_above=True) == "more than 0% and at most 15%"
    assert range_words(-np.inf, 0.15, is_above=True) == "at most 15%"
    assert range_words(-np.inf, 0.0, is_above=True) == "none"
    assert range_words(0.9, 1.0, is_above=True) == "more than 90%"


def test_rules_that_make_no_sense_are_refused():
    with pytest.raises(ConfigError, match=r"unknown feature 'beat' \(did you mean 'beats'\?\)"):
        Condition("beat")
    with pytest.raises(ConfigError, match=r"condition on beats: 0.8 to 0.2"):
        Condition("beats", 0.8, 0.2)
    with pytest.raises(ConfigError, match=r"chance must be above 0 and at most 1, not 1.5"):
        Mix(1.0, 1.5)
    with pytest.raises(ConfigError, match="a bet must not be below 0, not -1"):
        Mix(-1.0)
    with pytest.raises(ConfigError, match=r"a bluff needs a bet and a ratio above 0, not 0.0 and 0.5"):
        Bluff(CHECK, 0.5)
