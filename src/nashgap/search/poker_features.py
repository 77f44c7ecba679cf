"""What a network sees of a decision of an abstract game: the betting so far, and how strong hands of a bucket are."""

from __future__ import annotations

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.cards.evaluator import hand_ranks
from nashgap.poker.betting_tree import BettingTree

__all__ = ["betting_features", "bucket_features"]

NUM_DEALS = 200_000
MOST_NAMED_BUCKETS = 64


def betting_features(tree: BettingTree) -> np.ndarray:
    """`[nodes, F]` float32: the round, what is in the pot and to be called, raises of the round, and every action."""
    num_nodes, num_rounds = tree.num_nodes, tree.rules.num_rounds
    most_actions = int(np.diff(tree.first_edge).max())
    rounds = np.searchsorted(tree.round_start, np.arange(num_nodes), side="right") - 1
    spent = _spent(tree) / max(1.0, float(tree.ending_spent.max()))
    past: list[tuple[int, ...]] = [()] * num_nodes  # as round * A + action
    raises = np.zeros(num_nodes)
    for node in range(num_nodes):  # before those below it
        for action, child in enumerate(_children(tree, node)):
            if child >= 0:
                past[child] = (*past[node], rounds[node] * most_actions + action)
                is_raise = spent[child].max() > spent[node].max()
                raises[child] = raises[node] + is_raise if rounds[child] == rounds[node] else 0.0
    longest = max(map(len, past))
    actions = np.zeros((num_nodes, longest, num_rounds * most_actions), np.float32)
    for node, each in enumerate(past):
        actions[node, np.arange(len(each)), list(each)] = 1.0
    own = spent[np.arange(num_nodes), tree.seat]
    numbers = np.column_stack([spent.sum(axis=1), spent.max(axis=1) - own, raises / max(1.0, raises.max())])
    flat = actions.reshape(num_nodes, -1)
    told = [np.eye(num_rounds)[rounds], numbers, flat[:, flat.any(axis=0)]]
    return np.hstack(told).astype(np.float32)


def bucket_features(game: AbstractGame, seat: int) -> list[np.ndarray]:
    """By round `[buckets, F]` float32: how often hands of the bucket win at last, squared too; if few, which it is."""
    rules = game.rules
    holes, boards = game.deals(NUM_DEALS)
    ranks = [hand_ranks(np.hstack([holes[each], boards])) for each in (seat, 1 - seat)]
    won = (ranks[0] > ranks[1]) + 0.5 * (ranks[0] == ranks[1])
    abstraction = game.cards[seat][2]
    buckets = abstraction.hand_buckets(holes[seat], boards)
    named = max(abstraction.num_buckets) <= MOST_NAMED_BUCKETS
    features = []
    for number in range(rules.num_rounds):
        size = abstraction.num_buckets[number]
        counts = np.bincount(buckets[:, number], minlength=size)
        mean = (np.bincount(buckets[:, number], won, size) + 0.5) / (counts + 1)  # a half where no deal came
        names = np.eye(size, max(abstraction.num_buckets)) if named else np.empty((size, 0))
        features.append(np.column_stack([mean, mean**2, names]).astype(np.float32))
    return features


def _children(tree: BettingTree, node: int) -> list[int]:
    children: list[int] = tree.child[tree.first_edge[node] : tree.first_edge[node + 1]].tolist()
    return children


def _spent(tree: BettingTree) -> np.ndarray:
    """`[nodes, seats]` chips put in. Who may fold leaves what there is; who may check changes nothing."""
    spent = np.zeros((tree.num_nodes, tree.rules.num_seats))
    for node in reversed(range(tree.num_nodes)):
        child = _children(tree, node)[0]
        spent[node] = tree.ending_spent[-1 - child] if child < 0 else spent[child]
    return spent
