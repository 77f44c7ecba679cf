"""A network that learns what the opponent holds from games that were really played.

Approximate Best Response needs the opponent's policy at every history to have exact beliefs; Timbers et al. (2020) name
learned ones as the way to games in which those do not fit. Here both can be had, so that one is held to the other: by
total variation, and by what a responder wins that decides by either.

For compiled games in which hands are dealt once and the rest is public: a history of an information set is then what
the opponent holds. Which hands are possible there is known by the rules; how likely they are is learned by
cross-entropy. Which network and which descent the paper does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nashgap.core.game import CHANCE, TERMINAL
from nashgap.core.tree import GameTree
from nashgap.errors import UnsupportedGameError
from nashgap.measures.best_response import best_response, expected_values
from nashgap.search.perceptron import Perceptron, import_torch
from nashgap.search.responder_game import TreeResponderGame
from nashgap.strategies.table import TableStrategy, uniform

__all__ = [
    "BeliefComparison",
    "BeliefLearning",
    "BeliefNetwork",
    "HiddenHands",
    "compare_beliefs",
    "learned_belief",
    "require_learnable",
    "responder_by",
    "sample_met",
]

NEEDED_BY = "a learned belief"
IMPOSSIBLE = -1e9  # of logits; not minus infinity, which times a share of 0 is no number


@dataclass(frozen=True, eq=False)
class HiddenHands:
    """The responder's histories of a compiled game, and what its opponent holds in each. N nodes of the tree.

    A *belief* is `[N]`: how likely each history is in its information set; 0 where the responder does not act.
    """

    game: TreeResponderGame

    @cached_property
    def nodes(self) -> np.ndarray:
        """`[H]` those in which the responder acts."""
        tree = self.game.tree
        return np.flatnonzero(np.repeat(tree.block_player == self.game.player, np.diff(tree.block_start)))

    @cached_property
    def infoset(self) -> np.ndarray:
        """`[H]` their information sets."""
        infosets: np.ndarray = self.game.tree.node_row[self.nodes]
        return infosets

    @cached_property
    def hand(self) -> np.ndarray:
        """`[H]` what the opponent holds, as a number from 0."""
        tree, opponent = self.game.tree, 1 - self.game.player
        numbers = {name: number for number, name in enumerate(sorted(set(tree.infoset_hand)))}
        infoset_hand = np.array([numbers[name] for name in tree.infoset_hand])
        hand = np.full(tree.num_nodes, -1)
        blocks = range(len(tree.block_player))
        for block in reversed(blocks):  # told by what the opponent sees there, or later
            here = _nodes(tree, block)
            if tree.block_player[block] == opponent:
                hand[here] = infoset_hand[tree.node_row[here]]
            for behind in _behind(tree, block):
                hand[here] = np.where(hand[here] < 0, hand[behind], hand[here])
        for block in blocks:  # or by what it saw before
            here = _nodes(tree, block)
            for behind in _behind(tree, block):
                hand[behind] = np.where(hand[behind] < 0, hand[here], hand[behind])
        found: np.ndarray = hand[self.nodes]
        is_told_apart = len(np.unique(self.infoset.astype(np.int64) * len(numbers) + found)) == len(found)
        if (found < 0).any() or not is_told_apart or not self._is_public:
            raise UnsupportedGameError(
                f"{tree.game}: what the opponent holds does not tell a history; learned beliefs are for games in which"
                " hands are dealt once and the rest is public"
            )
        return found

    @property
    def _is_public(self) -> bool:
        """Whether the histories of an information set differ only in what was dealt: lanes of one block."""
        tree = self.game.tree
        block = np.repeat(np.arange(len(tree.block_player)), np.diff(tree.block_start))[self.nodes]
        return bool((block == tree.infoset_block[self.infoset]).all())

    def normalised(self, weights: np.ndarray) -> np.ndarray:
        """A belief from `[H]` weights of histories; all alike in an information set that has none."""
        totals = np.bincount(self.infoset, weights, self.game.num_infosets)[self.infoset]
        number = np.bincount(self.infoset, minlength=self.game.num_infosets)[self.infoset]
        belief = np.zeros(self.game.tree.num_nodes)
        belief[self.nodes] = np.where(totals > 0, weights, 1.0) / np.where(totals > 0, totals, number)
        return belief

    def exact(self) -> np.ndarray:
        """The belief by Bayes' rule, with which the search works."""
        weights = np.zeros(self.game.tree.num_nodes)
        for infoset in self.game.own_infosets:
            nodes, believed = self.game.native.belief(int(infoset))
            weights[nodes] = believed
        return self.normalised(weights[self.nodes])

    def counted(self, met: np.ndarray) -> np.ndarray:
        """The belief by how often each history was met, each information set for itself."""
        return self.normalised(np.bincount(met, minlength=self.game.tree.num_nodes)[self.nodes].astype(np.float64))

    def distance(self, belief: np.ndarray, other: np.ndarray, met: np.ndarray) -> float:
        """Total variation, the mean over the information sets in which the histories `met` are."""
        apart = np.bincount(self.infoset, np.abs(belief - other)[self.nodes] / 2, self.game.num_infosets)
        return float(apart[self.game.tree.node_row[met]].mean())


@dataclass(frozen=True)
class BeliefLearning:
    """hidden: units of a hidden layer; layers: how many; batch: histories in a step; passes: over all that was met."""

    hidden: int = 128
    layers: int = 2
    learning_rate: float = 1e-3
    batch: int = 512
    passes: int = 4


DEFAULT_LEARNING = BeliefLearning()


class BeliefNetwork:
    """How likely the opponent holds each hand, for an information set of the responder's."""

    def __init__(self, hands: HiddenHands, learning: BeliefLearning, seed: int) -> None:
        self._torch = torch = import_torch(NEEDED_BY)
        self.hands, self._learning, self._seed = hands, learning, seed
        game = hands.game
        self._features = torch.from_numpy(game.features)
        is_possible = np.zeros((game.num_infosets, int(hands.hand.max()) + 1), bool)
        is_possible[hands.infoset, hands.hand] = True
        self._is_possible = torch.from_numpy(is_possible)
        sizes = [game.features.shape[1], *[learning.hidden] * learning.layers, is_possible.shape[1]]
        self._network = Perceptron(sizes, learning_rate=learning.learning_rate, l2=0.0, seed=seed)

    def learn(self, met: np.ndarray) -> None:
        """From histories that games have come to."""
        place = np.searchsorted(self.hands.nodes, met)
        infosets, held = self.hands.infoset[place].astype(np.int64), self.hands.hand[place].astype(np.int64)
        with self._network.one_thread():
            for _ in range(self._learning.passes):
                order = np.random.default_rng([self._seed, 1, self._network.num_steps]).permutation(len(met))
                for first in range(0, len(order), self._learning.batch):
                    drawn = order[first : first + self._learning.batch]
                    log_belief = self._answer(infosets[drawn])
                    loss = -log_belief.gather(1, self._torch.from_numpy(held[drawn])[:, None]).mean()
                    self._network.descend(loss)

    def belief(self) -> np.ndarray:
        """As it is by now, see `HiddenHands`."""
        own = self.hands.game.own_infosets
        chances = np.zeros(self._is_possible.shape)
        with self._network.one_thread(), self._torch.no_grad():
            chances[own] = self._answer(own).exp().numpy()
        return self.hands.normalised(chances[self.hands.infoset, self.hands.hand])

    def _answer(self, infosets: np.ndarray) -> Any:
        """`[len(infosets), hands]` logarithms of chances."""
        where = self._torch.from_numpy(infosets)
        output = self._network(self._features[where])
        return output.masked_fill(~self._is_possible[where], IMPOSSIBLE).log_softmax(dim=1)

    def state(self) -> dict[str, np.ndarray]:
        return self._network.state()

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self._network.restore(state)


def sample_met(game: TreeResponderGame, play: TableStrategy, number: int, generator: np.random.Generator) -> np.ndarray:
    """The nodes at which the responder acts in so many games, both players playing by `play`."""
    tree = game.tree
    action_sum = np.where(game.slots >= 0, play.probabilities[game.slots], 0.0).cumsum(axis=1)
    chance_sum = np.append(0.0, tree.chance_prob.cumsum())
    block, lane, met = np.zeros(number, np.int64), np.zeros(number, np.int64), []
    while len(block):
        node = tree.block_start[block] + lane
        row, acting, draw = tree.node_row[node], tree.block_player[block], generator.random(len(block))
        met.append(node[acting == game.player])
        is_chance, is_decision = acting == CHANCE, acting >= 0
        first, last = tree.chance_start[row[is_chance]], tree.chance_start[row[is_chance] + 1]
        drawn = chance_sum[first] + draw[is_chance] * (chance_sum[last] - chance_sum[first])
        edge = np.clip(np.searchsorted(chance_sum, drawn, side="right") - 1, first, last - 1)
        chosen = action_sum[row[is_decision]]
        action = (chosen <= draw[is_decision, None] * chosen[:, -1:]).sum(axis=1)
        block[is_decision] = tree.edge_block[tree.block_edge[block[is_decision]] + action]
        block[is_chance], lane[is_chance] = tree.chance_block[edge], tree.chance_lane[edge]
        block, lane = block[acting != TERMINAL], lane[acting != TERMINAL]
    return np.concatenate(met)


def responder_by(hands: HiddenHands, belief: np.ndarray) -> TableStrategy:
    """Both players' play when the responder takes, everywhere, what is best by this belief and its own later play.

    What a search with this belief comes to that looks at every game to its end; with the exact one a best response.
    """
    game, tree = hands.game, hands.game.tree
    probabilities = game.strategy.probabilities.copy()
    value = np.zeros(tree.num_nodes)
    for block in reversed(range(len(tree.block_player))):
        here, acting = _nodes(tree, block), tree.block_player[block]
        row = tree.node_row[here]
        if acting == TERMINAL:
            value[here] = tree.returns[row, game.player]
        elif acting == CHANCE:
            edges = slice(tree.chance_start[row[0]], tree.chance_start[row[-1] + 1])
            behind = tree.block_start[tree.chance_block[edges]] + tree.chance_lane[edges]
            starts = tree.chance_start[row] - edges.start
            value[here] = np.add.reduceat(tree.chance_prob[edges] * value[behind], starts)
        else:
            action_value = np.stack([value[behind] for behind in _behind(tree, block)], axis=1)
            slots = game.slots[row, : action_value.shape[1]]
            if acting == game.player:
                infosets, place = np.unique(row, return_inverse=True)
                believed = np.zeros((len(infosets), action_value.shape[1]))
                np.add.at(believed, place, belief[here][:, None] * action_value)
                probabilities[slots] = np.eye(action_value.shape[1])[believed.argmax(axis=1)][place]
            value[here] = (probabilities[slots] * action_value).sum(axis=1)
    return TableStrategy(tree, probabilities)


@dataclass(frozen=True)
class BeliefComparison:
    """Of beliefs by a network, by counting and by chance alone, as if the opponent's play told nothing.

    num_games: that were learned from.
    distance:  total variation from the exact belief, the mean over what fresh games come to; by belief.
    won:       by a responder that decides by it; by belief, and `exact`: by a best response.
    """

    num_games: int
    distance: Mapping[str, float]
    won: Mapping[str, float]


def compare_beliefs(
    strategy: TableStrategy,
    player: int,
    num_games: int,
    *,
    seed: int = 0,
    learning: BeliefLearning = DEFAULT_LEARNING,
) -> BeliefComparison:
    """What is learned of this strategy from games in which the responder, this player, acts at random."""
    tree = strategy.tree
    hands = HiddenHands(TreeResponderGame(strategy, player))
    met, fresh = (_met_at_random(hands.game, num_games, [seed, part]) for part in (0, 1))
    network = BeliefNetwork(hands, learning, seed)
    network.learn(met)
    by_chance = HiddenHands(TreeResponderGame(uniform(tree), player)).exact()
    beliefs = {"network": network.belief(), "counted": hands.counted(met), "chance": by_chance}
    exact = hands.exact()
    won = {name: responder_by(hands, belief) for name, belief in beliefs.items()}
    won["exact"] = strategy.with_players({player: best_response(tree, strategy)})
    return BeliefComparison(
        num_games,
        {name: hands.distance(belief, exact, fresh) for name, belief in beliefs.items()},
        {name: expected_values(tree, each)[player] for name, each in won.items()},
    )


def learned_belief(
    strategy: TableStrategy,
    player: int,
    num_games: int,
    *,
    seed: int = 0,
    learning: BeliefLearning = DEFAULT_LEARNING,
) -> np.ndarray:
    """The belief that is learned of this strategy from games in which the responder, this player, acts at random.

    How likely the opponent holds what does not depend on how the responder has played, only which information sets are
    met; at random, all of them can be.
    """
    hands = HiddenHands(TreeResponderGame(strategy, player))
    network = BeliefNetwork(hands, learning, seed)
    network.learn(_met_at_random(hands.game, num_games, [seed, 0]))
    return network.belief()


def require_learnable(game: TreeResponderGame) -> None:
    """Refuse a game in which no belief can be learned, and say what to install where torch is not there."""
    import_torch(NEEDED_BY)
    _ = HiddenHands(game).hand


def _met_at_random(game: TreeResponderGame, number: int, seed: list[int]) -> np.ndarray:
    play = game.strategy.with_players({game.player: uniform(game.tree)})
    return sample_met(game, play, number, np.random.default_rng(seed))


def _nodes(tree: GameTree, block: int) -> np.ndarray:
    return np.arange(tree.block_start[block], tree.block_start[block + 1])


def _behind(tree: GameTree, block: int) -> list[np.ndarray]:
    """The nodes behind each action of a block, lane by lane."""
    if tree.block_player[block] < 0:
        return []
    return [_nodes(tree, behind) for behind in tree.edge_block[tree.block_edge[block] : tree.block_edge[block + 1]]]
