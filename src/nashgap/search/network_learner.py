"""Learning by a network with two heads: what an information set is worth, and how a search would share out its visits.

Timbers et al. (2020), equations 7 to 9, where (p, v) is the network's answer at an information set:

    loss = (z - v)^2 - pi . log p + c |parameters|^2

Print has a plus before the second term, which would teach p what the search does not do. z is what the game paid, or a
mixture of that and of the search's own value; it is told over the most that can be won, so that games are alike. Plain
layers and Adam; the paper does not say which network and which descent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nashgap.search.options import NetworkLearning
from nashgap.search.perceptron import Perceptron, import_torch
from nashgap.search.replay_buffer import Decisions, ReplayBuffer
from nashgap.search.responder_game import Episodes, NumberedGame, Values

__all__ = ["NetworkLearner", "log_shares", "two_headed_loss"]

IMPOSSIBLE = -1e9  # not minus infinity, which times a share of 0 is no number


def two_headed_loss(torch: Any, value: Any, log_share: Any, decisions: Decisions) -> Any:
    """Of values `[N]` and logarithms of shares `[N, A]`, given columns `target` and `share`; without the L2 term."""
    error = torch.from_numpy(decisions["target"]) - value
    cross_entropy = -(torch.from_numpy(decisions["share"]) * log_share).sum(dim=1)
    return (error.square() + cross_entropy).mean()


def log_shares(preference: Any, is_legal: Any) -> Any:
    """`[N, A]` logarithms of shares: of illegal actions hugely negative ones."""
    return preference.masked_fill(~is_legal, IMPOSSIBLE).log_softmax(dim=1)


class NetworkLearner:
    """One responder's network, and the decisions that it learns from."""

    def __init__(self, game: NumberedGame, learning: NetworkLearning, seed: int) -> None:
        self._torch = torch = import_torch("learning by a network")
        self._learning, self._seed, self._scale = learning, seed, game.scale
        self._slots, self._num_slots = game.slots, game.num_slots
        self._own = game.own_infosets
        self._features = torch.from_numpy(game.features)
        self._is_legal = torch.from_numpy(self._slots >= 0)
        own = torch.from_numpy(self._own)
        self._own_features, self._own_is_legal = self._features[own], self._is_legal[own]
        num_actions = self._slots.shape[1]
        sizes = [game.features.shape[1], *[learning.hidden] * learning.layers, 1 + num_actions]
        self._network = Perceptron(sizes, learning_rate=learning.learning_rate, l2=learning.l2, seed=seed)
        columns: Decisions = {
            "infoset": np.empty(0, np.int64),
            "target": np.empty(0, np.float32),
            "share": np.empty((0, num_actions), np.float32),
        }
        self._buffer = ReplayBuffer(columns, most=learning.most, most_samples=learning.most_samples)
        self._num_due = 0.0  # draws that new decisions have brought and no step has made
        self._values: Values | None = None

    def learn(self, episodes: Episodes) -> None:
        """Keep all decisions, and make as many steps as they are worth."""
        learning = self._learning
        target = learning.trust * episodes.value + (1.0 - learning.trust) * episodes.payoff_of_decision
        self._buffer.add({"infoset": episodes.infoset, "target": target / self._scale, "share": episodes.share})
        self._num_due += len(episodes.infoset) * learning.samples
        with self._network.one_thread():
            while self._num_due >= learning.batch and len(self._buffer) >= learning.least:
                generator = np.random.default_rng([self._seed, 1, self._network.num_steps])
                drawn = self._buffer.sample(learning.batch, generator)
                self._num_due -= len(drawn["target"])
                self._network.descend(self._loss(drawn))
                self._values = None

    def _loss(self, decisions: Decisions) -> Any:
        infosets = self._torch.from_numpy(decisions["infoset"])
        value, log_share = self._answer(self._features[infosets], self._is_legal[infosets])
        return two_headed_loss(self._torch, value, log_share, decisions)

    def _answer(self, features: Any, is_legal: Any) -> tuple[Any, Any]:
        """`[N]` values over the scale, and `[N, A]` logarithms of shares."""
        output = self._network(features)
        return output[:, 0], log_shares(output[:, 1:], is_legal)

    def values(self) -> Values:
        """Of all the responder's information sets; nothing is known before the first step."""
        if self._values is None:
            self._values = self._ask()
        return self._values

    def _ask(self) -> Values:
        own, slots = self._own, self._slots[self._own]
        value = np.zeros(len(self._slots), np.float32)
        prior = np.zeros(self._num_slots, np.float32)
        is_known = np.zeros(len(self._slots), np.uint8)
        with self._network.one_thread(), self._torch.no_grad():
            answer, log_share = self._answer(self._own_features, self._own_is_legal)
            share = log_share.exp().numpy()
        value[own] = answer.numpy() * np.float32(self._scale)
        prior[slots[slots >= 0]] = share[slots >= 0]
        is_known[own] = self._network.num_steps > 0
        return Values(value, prior, is_known)

    def state(self) -> dict[str, np.ndarray]:
        return self._network.state() | self._buffer.state() | {"num_due": np.array(self._num_due)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._network.restore(state)
        self._buffer.restore(state)
        self._num_due = float(state["num_due"])
        self._values = None
