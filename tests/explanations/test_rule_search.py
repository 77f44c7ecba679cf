"""The search measures what the games measure, finds what is there to be found, and does so again."""

import numpy as np
import pytest

from nashgap.errors import ConfigError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import solve_games
from nashgap.explanations.known_rules import EIGHT_RULES, TWO_RULES
from nashgap.explanations.rule_moves import FINE, ROUND, fixed_bluff, round_rules
from nashgap.explanations.rule_search import Judge, search_rules
from nashgap.explanations.rules import Bluff, Condition, Mix, Rule, RuleList
from nashgap.explanations.scores import exploitability

GAMES = solve_games(Stakes(deck=6, stack=2.0, step=0.25), 1, 0, 80)
LEARNED, UNSEEN = GAMES.split(50, 30)


@pytest.fixture(scope="module")
def found():
    return search_rules(LEARNED, 2, shakes=1)


@pytest.mark.parametrize("rules", [RuleList(()), TWO_RULES, EIGHT_RULES], ids=["none", "two", "eight"])
def test_the_judge_agrees_with_exact_exploitability(rules):
    exact = float(exploitability(GAMES, rules.bets(GAMES.games)).mean())
    assert Judge(GAMES).loss(rules.rules) == pytest.approx(exact, abs=1e-6)  # in single precision


def test_few_rules_cost_less_than_half_of_the_papers_two(found):
    """In unseen games; on the paper's stakes eight rules cost a fifth."""
    price, two = (exploitability(UNSEEN, rules.bets(UNSEEN.games)).mean() for rules in (found, TWO_RULES))
    assert len(found) == 2
    assert price < 0.5 * two


def test_the_search_is_deterministic(found):
    assert search_rules(LEARNED, 2, shakes=1) == found


def test_more_room_is_not_worse(found):
    judge = Judge(LEARNED)
    one, three = (search_rules(LEARNED, count, shakes=0) for count in (1, 3))
    assert len(one) <= 1
    assert max(judge.cost(three.rules), judge.cost(found.rules)) < judge.cost(one.rules)


def test_a_start_is_never_made_worse(found):
    again = search_rules(LEARNED, 2, start=found, shakes=0)
    assert Judge(LEARNED).cost(again.rules) <= Judge(LEARNED).cost(found.rules)


def test_bluffs_of_a_fixed_share_cost_more(found):
    fixed = search_rules(LEARNED, 2, bluff=fixed_bluff, shakes=1)
    assert not any(isinstance(rule.action, Bluff) for rule in fixed.rules)
    assert Judge(LEARNED).loss(fixed.rules) > Judge(LEARNED).loss(found.rules)


def test_round_rules_have_round_numbers():
    rough = RuleList((Rule((Condition("beats", 0.22, 0.78),), Mix(1.3, 0.48)), Rule((), Bluff(1.3, 0.58))))
    assert round_rules(rough).rules == (
        Rule((Condition("beats", 0.2, 0.8),), Mix(1.5, 0.5)),
        Rule((), Bluff(1.5, 0.6)),
    )
    assert round_rules(rough, FINE).rules[0].conditions == (Condition("beats", 0.22, 0.78),)
    searched = search_rules(LEARNED, 2, grid=ROUND, shakes=0)
    assert round_rules(searched) == searched


def test_no_rules_are_refused():
    with pytest.raises(ConfigError, match="max_rules = 0; it must be a whole number, at least 1"):
        search_rules(LEARNED, 0)


def test_the_judge_needs_no_bet_to_be_made():
    checks = (Rule((), Mix(0.0)),)
    assert Judge(GAMES).loss(checks) == pytest.approx(Judge(GAMES).loss(()))
    assert np.isfinite(Judge(GAMES).cost(checks))
