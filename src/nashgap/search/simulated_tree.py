"""The tree of a search in a game that is never enumerated: counts of information sets, and which action is next.

The score of an action, by UCT (Kocsis & Szepesvari 2006) and by PUCT (Silver et al. 2018), with n visits of all actions
and n_a of the action, whose mean over the most that can be won is q_a and whose prior is p_a:

    uct:   q_a + c sqrt(log n) / sqrt(n_a)        an action that was never tried comes first
    puct:  q_a + c sqrt(n) p_a / (1 + n_a)

Both are worth + bonus * urge, where only the bonus changes with the other actions' visits. By PUCT an action that was
never tried is worth what was learned of the information set itself: were it worth nothing, a search that expects to win
would never try most of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

__all__ = ["Node", "Rule"]

TINY = 1e-12  # of priors that may all be 0
UNVISITED = 1e6  # score of an action that UCT has not tried, which comes before all others


class Node:
    """An information set in the tree; it is waiting, without a prior, until it is known what was learned of it.

    Most are come to once, so that counts are kept only of those in which an action was chosen. The search looks for the
    action of the largest `worth + bonus * urge`, where only the bonus depends on the other actions; both are kept up to
    date for the one action that is counted.
    """

    __slots__ = ("actions", "expected", "prior", "tie", "total", "urge", "visited", "visits", "worth")

    prior: np.ndarray
    expected: float
    visits: list[float]
    total: list[float]

    def __init__(self, actions: list[int], tie: np.ndarray) -> None:
        self.actions, self.tie = actions, tie
        self.visited = -1.0  # all visits; below 0: nothing was learned of it yet

    @property
    def is_waiting(self) -> bool:
        return self.visited < 0.0

    def learn(self, prior: np.ndarray, expected: float | None = None) -> None:
        """expected: what is won from here on; None where that is not known."""
        self.prior, self.expected = prior, expected or 0.0
        if self.is_waiting:
            self.visited = 0.0

    def open(self, rule: Rule) -> None:
        """From now on actions are chosen here."""
        self.visits = [0.0] * len(self.actions)
        self.total = [0.0] * len(self.actions)
        self.worth = self.tie + rule.worth(0.0, 0.0, self.expected)
        self.urge = self.prior * rule.urge(0.0) if rule.has_priors else np.full(len(self.actions), rule.urge(0.0))

    def count(self, action: int, visits: float, won: float, rule: Rule) -> None:
        """So many visits more, that won so much."""
        self.visited += visits
        self.visits[action] = visits = self.visits[action] + visits
        self.total[action] = total = self.total[action] + won
        self.worth[action] = rule.worth(visits, total, self.expected) + self.tie[action]
        self.urge[action] = rule.urge(visits) * self.prior[action] if rule.has_priors else rule.urge(visits)

    @property
    def most_visited(self) -> int:
        """Of several the one that was worth more."""
        return int(np.lexsort((self.total, self.visits))[-1])

    @property
    def visited_share(self) -> np.ndarray:
        """`[A]` of all visits."""
        return np.array(self.visits) / self.visited

    def greedy_share(self, greed: float, rule: Rule) -> np.ndarray:
        """`[A]` prior * exp(greed * mean), so that they add up to 1; greed: over the most that can be won.

        A step of mirror descent from the prior, to which means of few visits add what they say and no more: shares of
        visits repeat the prior where means say nothing. What was not tried is worth as much as what was, by priors
        (as values are completed by Danihelka et al. 2022).
        """
        visits, prior = np.array(self.visits), self.prior
        mean = np.array(self.total) / np.maximum(visits, 1.0)
        tried = visits > 0
        weight = np.where(tried, prior + TINY, 0.0)
        mean[~tried] = (weight @ mean) / weight.sum()
        share: np.ndarray = prior * np.exp(greed * (mean - mean.max()) / rule.scale)
        share /= share.sum()
        return share


@dataclass(frozen=True)
class Rule:
    """UCT or PUCT, part by part.

    scale: the most that can be won or lost.
    """

    has_priors: bool
    exploration: float
    scale: float

    def worth(self, visits: float, total: float, expected: float) -> float:
        """expected: in the information set, before anything is tried there."""
        if visits:
            return total / (max(visits, 1.0) * self.scale)
        return expected / self.scale if self.has_priors else UNVISITED

    def urge(self, visits: float) -> float:
        return 1.0 / (1.0 + visits) if self.has_priors else 1.0 / math.sqrt(max(visits, 1.0))

    def bonus(self, visited: float) -> float:
        """visited: all visits of the information set."""
        return self.exploration * math.sqrt(visited if self.has_priors else math.log(max(visited, 1.0)))

    def choose(self, node: Node) -> int:
        """The number of an action; what the node counts begins with the first."""
        if node.visited == 0.0:
            node.open(self)
        return int((node.worth + self.bonus(node.visited) * node.urge).argmax())
