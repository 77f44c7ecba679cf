"""Learners for games that are never enumerated: a table by hashes of what is known, and a network of rows of features.

Both learn as those of numbered information sets do (`table_learner.py`, `network_learner.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nashgap.errors import ConfigError
from nashgap.search.network_learner import log_shares, two_headed_loss
from nashgap.search.options import NetworkLearning, TableLearning, TreeLearning
from nashgap.search.perceptron import Perceptron, import_torch
from nashgap.search.replay_buffer import Decisions, ReplayBuffer
from nashgap.search.simulated_search import SimulatedResponderGame
from nashgap.search.simulated_values import MOST_ACTIONS, MOST_OUTPUTS, NetworkValues, SimulatedEpisodes, TableValues

__all__ = ["SimulatedNetworkLearner", "SimulatedTableLearner", "make_simulated_learner"]


def make_simulated_learner(
    game: SimulatedResponderGame, learning: TreeLearning | TableLearning | NetworkLearning, seed: int
) -> SimulatedTableLearner | SimulatedNetworkLearner:
    """What learns as these options say."""
    if isinstance(learning, TreeLearning):
        raise ConfigError(f"{game.world.game.spec} is never enumerated; a tree of all of it cannot be kept")
    if isinstance(learning, TableLearning):
        return SimulatedTableLearner(learning)
    return SimulatedNetworkLearner(game, learning, seed)


class SimulatedTableLearner:
    """One responder's table: of each place that it came to, a mean of what was won after it and of its shares."""

    def __init__(self, learning: TableLearning) -> None:
        self._learning = learning
        self._count: dict[int, int] = {}
        self._known: dict[int, tuple[float, np.ndarray]] = {}

    def learn(self, episodes: SimulatedEpisodes) -> None:
        """Move the means of all places that were met."""
        trust = self._learning.trust
        targets = trust * episodes.value + (1.0 - trust) * episodes.payoff_of_decision
        shares = zip(episodes.share, (episodes.actions >= 0).sum(axis=1), strict=True)
        for key, target, (share, size) in zip(episodes.key.tolist(), targets.tolist(), shares, strict=True):
            count = self._count[key] = self._count.get(key, 0) + 1
            step = max(1.0 / count, self._learning.least_step)
            value, mean = self._known.get(key, (0.0, np.zeros(size)))
            if len(mean) == size:
                self._known[key] = (value + step * (target - value), mean + step * (share[:size] - mean))

    def values(self) -> TableValues:
        """As they are by now; a copy."""
        return TableValues(dict(self._known))

    def state(self) -> dict[str, np.ndarray]:
        shares = [share for _, share in self._known.values()]
        return {
            "key": np.array(list(self._known), np.int64),
            "count": np.array([self._count[key] for key in self._known], np.int64),
            "value": np.array([value for value, _ in self._known.values()], np.float64),
            "size": np.array([len(share) for share in shares], np.int64),
            "share": np.concatenate([np.zeros(0), *shares]),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        keys = state["key"].tolist()
        shares = np.split(np.array(state["share"]), np.cumsum(state["size"])[:-1]) if keys else []
        self._count = dict(zip(keys, state["count"].tolist(), strict=True))
        self._known = dict(zip(keys, zip(state["value"].tolist(), shares, strict=True), strict=True))


class SimulatedNetworkLearner:
    """One responder's network, and the decisions that it learns from, each with its features and its actions."""

    def __init__(self, game: SimulatedResponderGame, learning: NetworkLearning, seed: int) -> None:
        self._torch = import_torch("learning by a network")
        rules = game.world.game
        self._learning, self._seed, self._scale = learning, seed, game.scale
        self._width = min(MOST_ACTIONS, rules.num_actions)
        num_features = rules.num_features
        if not num_features:
            raise ConfigError(f"{rules.spec} gives no tensors, which a network needs; take a preset with a table")
        self._num_outputs = 1 + rules.num_actions
        sizes = [num_features, *[learning.hidden] * learning.layers, self._num_outputs]
        self._network = Perceptron(sizes, learning_rate=learning.learning_rate, l2=learning.l2, seed=seed)
        columns: Decisions = {
            "features": np.empty((0, num_features), np.float32),
            "actions": np.empty((0, self._width), np.int32),
            "target": np.empty(0, np.float32),
            "share": np.empty((0, self._width), np.float32),
        }
        self._buffer = ReplayBuffer(columns, most=learning.most, most_samples=learning.most_samples)
        self._num_due = 0.0  # draws that new decisions have brought and no step has made

    def learn(self, episodes: SimulatedEpisodes) -> None:
        """Keep all decisions, and make as many steps as they are worth."""
        learning = self._learning
        if not len(episodes.key):
            return
        target = learning.trust * episodes.value + (1.0 - learning.trust) * episodes.payoff_of_decision
        missing = ((0, 0), (0, self._width - episodes.actions.shape[1]))
        self._buffer.add(
            {
                "features": episodes.features,
                "actions": np.pad(episodes.actions, missing, constant_values=-1),
                "target": target / self._scale,
                "share": np.pad(episodes.share, missing),
            }
        )
        self._num_due += len(episodes.key) * learning.samples
        with self._network.one_thread():
            while self._num_due >= learning.batch and len(self._buffer) >= learning.least:
                generator = np.random.default_rng([self._seed, 1, self._network.num_steps])
                drawn = self._buffer.sample(learning.batch, generator)
                self._num_due -= len(drawn["target"])
                self._network.descend(self._loss(drawn))

    def _loss(self, decisions: Decisions) -> Any:
        torch = self._torch
        features = torch.from_numpy(decisions["features"])
        most = int((decisions["actions"] >= 0).sum(axis=1).max())
        actions = torch.from_numpy(decisions["actions"][:, :most].astype(np.int64))
        columns = torch.nn.functional.pad(1 + actions.clamp(min=0), (1, 0))  # the value is the first output
        if self._num_outputs <= MOST_OUTPUTS:
            output = self._network(features).gather(1, columns)
        else:
            output = self._network.some_outputs(features, columns)
        told = decisions | {"share": decisions["share"][:, :most]}
        return two_headed_loss(torch, output[:, 0], log_shares(output[:, 1:], actions >= 0), told)

    def values(self) -> NetworkValues:
        """The network as it is, from the beginning: in long games it is found out sooner by itself than at random."""
        return NetworkValues(self._network.parameters(), self._scale)

    def state(self) -> dict[str, np.ndarray]:
        return self._network.state() | self._buffer.state() | {"num_due": np.array(self._num_due)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._network.restore(state)
        self._buffer.restore(state)
        self._num_due = float(state["num_due"])
