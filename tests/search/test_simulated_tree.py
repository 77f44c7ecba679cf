"""Scores that are kept up to date are those of the formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nashgap.search.simulated_tree import Node, Rule

SCALE, EXPLORATION = 2.0, 1.5


def score(has_priors: bool, node: Node, action: int) -> float:
    """As they are written; UCT's of actions that were tried."""
    visits, visited = node.visits[action], sum(node.visits)
    mean = (node.total[action] / visits if visits else node.expected) / SCALE
    if has_priors:
        return float(mean + EXPLORATION * math.sqrt(visited) * node.prior[action] / (1 + visits))
    return mean + EXPLORATION * math.sqrt(math.log(visited) / visits)


@pytest.mark.parametrize("has_priors", [False, True])
def test_the_action_of_the_largest_score_is_chosen(has_priors: bool) -> None:
    """2,000 visits of seven actions, the formulas looked up for each."""
    generator = np.random.default_rng(1)
    rule = Rule(has_priors, EXPLORATION, SCALE)
    worth = generator.uniform(-1, 1, 7)
    node = Node(list(range(7)), np.zeros(7))
    node.learn(generator.dirichlet(np.ones(7)), 0.3)
    for visit in range(2000):
        action = rule.choose(node)
        if has_priors or visit >= 7:
            scores = [score(has_priors, node, each) for each in range(7)]
            assert scores[action] == pytest.approx(max(scores), abs=1e-12)
        else:
            assert node.visits[action] == 0  # each is tried once, before all else
        node.count(action, 1.0, float(generator.normal(worth[action], 0.5)), rule)
    assert sum(node.visits) == node.visited == 2000
    assert node.most_visited == worth.argmax()


def test_a_simulation_under_way_counts_as_lost_until_it_is_valued() -> None:
    rule = Rule(True, EXPLORATION, SCALE)
    node = Node([4, 5], np.array([1e-9, 0.0]))
    node.learn(np.array([0.5, 0.5]))
    first = rule.choose(node)
    node.count(first, 1.0, -SCALE, rule)
    assert (first, rule.choose(node)) == (0, 1)
    node.count(first, 0.0, 1.0 + SCALE, rule)
    assert node.visits == [1.0, 0.0]
    assert node.total == [1.0, 0.0]


def test_by_puct_what_was_never_tried_is_worth_what_was_learned_of_the_place() -> None:
    """Else 60 visits of 40 actions, all of which win as was expected, would go to the few that were tried first."""
    rule = Rule(True, EXPLORATION, SCALE)
    node = Node(list(range(40)), np.arange(40) * 1e-12)
    node.learn(np.full(40, 1 / 40), 1.6)
    for _ in range(60):
        node.count(rule.choose(node), 1.0, 1.6, rule)
    assert min(node.visits) == 1


def test_ties_are_broken_as_the_node_says() -> None:
    for has_priors in (False, True):
        node = Node([0, 1, 2], np.array([1e-9, 3e-9, 2e-9]))
        node.learn(np.full(3, 1 / 3))
        assert Rule(has_priors, EXPLORATION, SCALE).choose(node) == 1


def test_a_node_waits_until_something_is_learned_of_it() -> None:
    node = Node([0, 1], np.zeros(2))
    assert node.is_waiting
    node.learn(np.full(2, 0.5))
    assert not node.is_waiting


def test_a_greedy_share_is_the_prior_but_for_what_was_won() -> None:
    """Visits that follow the prior say nothing by themselves; what was never tried is worth as much as what was."""
    rule = Rule(True, EXPLORATION, SCALE)
    prior = np.array([0.5, 0.3, 0.1, 0.1])
    node = Node(list(range(4)), np.zeros(4))
    node.learn(prior, 0.4)
    assert rule.choose(node) == 0
    for action, visits in ((0, 20), (1, 12), (2, 3)):
        for _ in range(visits):
            node.count(action, 1.0, 0.7, rule)
    np.testing.assert_allclose(node.greedy_share(4.0, rule), prior, rtol=1e-12)
    node.count(2, 1.0, 2.0, rule)
    won = (3 * 0.7 + 2.0) / 4
    untried = (0.8 * 0.7 + 0.1 * won) / 0.9
    expected = prior * np.exp(4.0 * np.array([0.7, 0.7, won, untried]) / SCALE)
    np.testing.assert_allclose(node.greedy_share(4.0, rule), expected / expected.sum(), rtol=1e-9)
    np.testing.assert_allclose(node.visited_share, np.array([20, 12, 4, 0]) / 36)
