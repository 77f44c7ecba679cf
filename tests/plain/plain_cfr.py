"""Values, best response and CFR over the histories of a game: slow, recursive, and apart from the compiled tree.

A strategy is a dict from (player, infoset) to a list of probabilities.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nashgap.core.game import CHANCE, TERMINAL


@dataclass
class Node:
    """One history: `key` is (player, infoset), `chance` the probabilities of its outcomes."""

    player: int
    key: tuple[int, str] | None
    chance: tuple[float, ...]
    returns: tuple[float, ...]
    children: list[Node]

    @classmethod
    def of(cls, state):
        """The tree below a state, without outcomes of probability 0."""
        player = state.player
        chance = state.chance_probabilities if player == CHANCE else ()
        moves = [move for move in range(len(state.actions)) if player != CHANCE or chance[move] > 0]
        return cls(
            player,
            (player, state.infoset) if player >= 0 else None,
            tuple(p for p in chance if p > 0),
            state.returns if player == TERMINAL else (),
            [cls.of(state.child(move)) for move in moves],
        )

    def count(self):
        """Histories at and below this one."""
        return 1 + sum(child.count() for child in self.children)

    def sizes(self, found=None):
        """Number of actions of each infoset, in depth-first order."""
        found = {} if found is None else found
        if self.key is not None:
            found[self.key] = len(self.children)
        for child in self.children:
            child.sizes(found)
        return found


@lru_cache(maxsize=64)
def tree_of_histories(game):
    return Node.of(game.root())


def expected_values(node, strategy):
    if node.player == TERMINAL:
        return np.array(node.returns)
    weights = node.chance if node.player == CHANCE else strategy[node.key]
    return sum(w * expected_values(child, strategy) for w, child in zip(weights, node.children, strict=True) if w > 0)


def best_response_value(root, strategy, player):
    """By infosets: the histories of one are weighed by chance and by the others, and share the best action."""
    members = defaultdict(list)

    def collect(node, reach):
        if node.player == player:
            members[node.key].append((node, reach))
        weights = [1.0] * len(node.children)
        if node.player != player and node.player != TERMINAL:
            weights = node.chance if node.player == CHANCE else strategy[node.key]
        for w, child in zip(weights, node.children, strict=True):
            collect(child, reach * w)

    choices = {}

    def choice(key):
        if key not in choices:
            size = len(members[key][0][0].children)
            worth = [sum(reach * value(node.children[a]) for node, reach in members[key]) for a in range(size)]
            choices[key] = int(np.argmax(worth))
        return choices[key]

    def value(node):
        if node.player == TERMINAL:
            return node.returns[player]
        if node.player == player:
            return value(node.children[choice(node.key)])
        weights = node.chance if node.player == CHANCE else strategy[node.key]
        return sum(w * value(child) for w, child in zip(weights, node.children, strict=True))

    collect(root, 1.0)
    return value(root)


def nash_conv(root, strategy, num_players):
    values = expected_values(root, strategy)
    return sum(best_response_value(root, strategy, p) - values[p] for p in range(num_players))


def regret_matching(regret):
    positive = [max(r, 0.0) for r in regret]
    total = sum(positive)
    return [p / total for p in positive] if total > 0 else [1.0 / len(regret)] * len(regret)


def kept(t, exponent):
    if math.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return t**exponent / (t**exponent + 1)


class PlainCFR:
    """CFR as the papers write it, with dicts; `schedule` has positive, negative, gamma and is_predictive."""

    def __init__(self, game, schedule, is_alternating, regret=None):
        self.root, self.num_players = tree_of_histories(game), game.num_players
        self.schedule, self.is_alternating = schedule, is_alternating
        sizes = self.root.sizes()
        self.regret = {key: [0.0] * size for key, size in sizes.items()} if regret is None else dict(regret)
        self.strategy_sum = {key: [0.0] * size for key, size in sizes.items()}
        self.strategy = {key: regret_matching(row) for key, row in self.regret.items()}
        self.t = 0

    def run(self, num_iterations):
        for _ in range(num_iterations):
            self.t += 1
            fresh = {}
            for player in range(self.num_players):
                fresh |= (news := self._updated(player))
                if self.is_alternating:
                    self.strategy |= news
            self.strategy |= fresh

    def average(self):
        return {key: regret_matching(sums) for key, sums in self.strategy_sum.items()}

    def _updated(self, player):
        """The player's next strategy; its regrets and sums move on."""
        members, own_reach = self._infosets(player)
        value = _Value(self.strategy, player)
        action_value = {key: value.of_actions(nodes) for key, nodes in members.items()}
        for key in members:
            sigma, discount = self.strategy[key], ((self.t - 1) / self.t) ** self.schedule.gamma
            self.strategy_sum[key] = [
                s * discount + own_reach[key] * p for s, p in zip(self.strategy_sum[key], sigma, strict=True)
            ]
            expected = np.dot(sigma, action_value[key])
            sums = [r + q - expected for r, q in zip(self.regret[key], action_value[key], strict=True)]
            above, below = kept(self.t, self.schedule.positive), kept(self.t, self.schedule.negative)
            self.regret[key] = [s * (above if s > 0 else below) for s in sums]
        if not self.schedule.is_predictive:
            return {key: regret_matching(self.regret[key]) for key in members}
        # Farina, Kroer & Sandholm (2021): the forecast is the regret that the others' reach would bring once more, with
        # the new strategies in place further down; so the deepest infosets come first.
        coming = dict(self.strategy)
        value = _Value(coming, player)
        for key, nodes in reversed(members.items()):
            forecast = value.of_actions(nodes)
            expected = np.dot(self.strategy[key], forecast)
            coming[key] = regret_matching([r + q - expected for r, q in zip(self.regret[key], forecast, strict=True)])
        return {key: coming[key] for key in members}

    def _infosets(self, player):
        """For each infoset (an earlier one before a later one) its histories with the others' reach; and own reach."""
        members, own_reach = defaultdict(list), {}

        def walk(node, own, others):
            if node.key is not None and node.player == player:
                members[node.key].append((node, others))
                assert math.isclose(own_reach.setdefault(node.key, own), own), "no perfect recall"
            weights = node.chance if node.player == CHANCE else self.strategy.get(node.key, [])
            for w, child in zip(weights, node.children, strict=True):
                if node.player == player:
                    walk(child, own * w, others)
                else:
                    walk(child, own, others * w)

        walk(self.root, 1.0, 1.0)
        return members, own_reach


class _Value:
    """A player's value of each history under a strategy, remembered: what lies below must not change any more."""

    def __init__(self, strategy, player):
        self.strategy, self.player, self.known = strategy, player, {}

    def __call__(self, node):
        if node.player == TERMINAL:
            return node.returns[self.player]
        if id(node) not in self.known:
            weights = node.chance if node.player == CHANCE else self.strategy[node.key]
            self.known[id(node)] = sum(w * self(child) for w, child in zip(weights, node.children, strict=True))
        return self.known[id(node)]

    def of_actions(self, nodes):
        """Counterfactual values: each action's value over the histories of an infoset, weighed by the others' reach."""
        columns = ([reach * self(child) for child in node.children] for node, reach in nodes)
        return [sum(column) for column in zip(*columns, strict=True)]
