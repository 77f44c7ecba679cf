"""From rules to a `GameTree`.

`DealtGame`s are walked once over their public states with all deals side by side; any other game history by history.
Both walks are depth-first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nashgap.core.builder import Link, TreeBuilder
from nashgap.core.game import CHANCE, TERMINAL, DealtGame, Game, PublicNode, State, infoset_key
from nashgap.core.tree import GameTree
from nashgap.errors import GameSizeError

__all__ = ["HUGE", "MAX_DEALT_NODES", "MAX_NODES", "SizeEstimate", "compile_tree", "estimate_num_nodes"]

MAX_DEALT_NODES = 30_000_000
MAX_NODES = 5_000_000  # of one lane each, which take most of a kilobyte while they are compiled
HUGE = 1e300  # stands for every number of histories beyond it
NUM_PROBES = 100
LONGEST_PATH = 5_000  # moves; the sampling kernels go down by recursion
LEAST_COUNTED = 200_000  # public nodes, counted in a moment, so that a refusal tells the size and not only the limit


def compile_tree(
    game: Game,
    spec: str,
    *,
    definition: Mapping[str, Any] | None = None,
    max_nodes: int | None = None,
    on_estimate: Callable[[float], None] | None = None,
) -> GameTree:
    """The game as flat arrays; refused with an estimate of its size if it has more than `max_nodes` histories.

    spec: what the game is called in messages. definition: how a strategy file can build it again. max_nodes: if not
    given, `MAX_DEALT_NODES` for a `DealtGame` and `MAX_NODES` for any other, which takes more memory for each.
    on_estimate: is told the number of histories before the slow part begins.
    """
    if max_nodes is None:
        max_nodes = MAX_DEALT_NODES if isinstance(game, DealtGame) else MAX_NODES
    estimate = estimate_num_nodes(game, enough=max_nodes)
    if estimate.num_nodes > max_nodes:
        raise GameSizeError(f"{spec} has {estimate} histories; games of up to {max_nodes:,} can be compiled")
    if on_estimate is not None:
        on_estimate(estimate.num_nodes)
    builder = TreeBuilder(spec, game.unit, game.num_players, max_nodes)
    if isinstance(game, DealtGame):
        _walk_deals(game, builder)
    else:
        _walk_histories(game.root(), builder)
    return builder.finish(definition or {})


@dataclass(frozen=True)
class SizeEstimate:
    """How many histories a game has, at most `HUGE`; or, where counting stopped early, that it has more than that."""

    num_nodes: float
    is_lower_bound: bool = False

    def __str__(self) -> str:
        return f"{'more than' if self.is_lower_bound else 'about'} {self.num_nodes:.2g}"


def estimate_num_nodes(game: Game, *, enough: float = math.inf) -> SizeEstimate:
    """How many histories the game has, before memory is spent on it; always the same answer.

    A `DealtGame` is counted, unless it says itself that it is too large: the public nodes of the first deal times the
    deals. Any other game is estimated by
    Knuth's random walks, which is right on average. Both stop early when the game is far beyond `enough`.
    """
    if isinstance(game, DealtGame):
        least = game.least_public_nodes(enough / game.num_deals)
        if least * game.num_deals > enough:
            return SizeEstimate(min(1 + least * float(game.num_deals), HUGE), is_lower_bound=True)
        most = max(LEAST_COUNTED, enough / game.num_deals)
        count, is_all = _count_public(game.public_root(), None, most)
        if not is_all and count * game.num_deals <= enough:
            count, is_all = _count_public(game.public_root(), game.deals().hands[:1], most)
        return SizeEstimate(1 + count * float(game.num_deals), is_lower_bound=not is_all)
    rng = np.random.default_rng(0)
    root = game.root()
    total = 0.0
    for probe in range(1, NUM_PROBES + 1):
        total = min(total + _probe(root, rng), HUGE)
        if total == HUGE:
            return SizeEstimate(HUGE, is_lower_bound=True)
        if total / NUM_PROBES > 10 * enough:
            return SizeEstimate(total / probe)
    return SizeEstimate(total / NUM_PROBES)


def _count_public(root: PublicNode, hands: np.ndarray | None, most: float) -> tuple[int, bool]:
    """Public nodes that one deal `[1, P]` can reach, or some more than `most`, and whether these are all.

    Without a deal only those before any chance: that is known before the deals are made.
    """
    stack: list[Callable[[], PublicNode]] = [lambda: root]  # a state is made when its turn comes
    moves: Sequence[int]
    count, is_all = 1, True
    while stack:
        state = stack.pop()()
        if state.player == CHANCE:
            is_all &= hands is not None
            moves = [] if hands is None else np.flatnonzero(state.outcome_probabilities(hands)[0]).tolist()
        else:
            moves = [] if state.player == TERMINAL else range(len(state.actions))
        count += len(moves)
        if count > most:
            return count, False
        stack.extend(partial(state.child, move) for move in reversed(moves))
    return count, is_all


def _probe(root: State, rng: np.random.Generator) -> float:
    state, weight, count = root, 1.0, 1.0
    for _ in range(LONGEST_PATH):
        if state.player == TERMINAL or count >= HUGE:
            return count
        moves = np.flatnonzero(state.chance_probabilities) if state.player == CHANCE else np.arange(len(state.actions))
        if not len(moves):
            return count  # a broken game, which the walk itself refuses with the reason
        weight *= len(moves)
        count += weight
        state = state.child(int(moves[rng.integers(len(moves))]))
    return HUGE


@dataclass(frozen=True)
class _Lanes:
    """The deals that are possible at a public node: hands `[L, P]`, and per player the hands that occur."""

    hands: np.ndarray
    held: tuple[np.ndarray, ...]  # per player: the distinct hands
    place: tuple[np.ndarray, ...]  # per player: `[L]` which of them each lane has

    @classmethod
    def of(cls, hands: np.ndarray) -> _Lanes:
        pairs = [np.unique(hands[:, p], return_inverse=True) for p in range(hands.shape[1])]
        return cls(hands, tuple(held for held, _ in pairs), tuple(place.reshape(-1) for _, place in pairs))


def _walk_deals(game: DealtGame, builder: TreeBuilder) -> None:
    deals = game.deals()
    names = game.hand_names
    lanes_of: dict[bytes, _Lanes] = {}

    def lanes(hands: np.ndarray) -> _Lanes:
        key = hands.tobytes()
        if key not in lanes_of:
            lanes_of[key] = _Lanes.of(hands)
        return lanes_of[key]

    # Per player the local sequence of each hand; all start with the empty one.
    start = tuple(np.zeros(len(player_names), np.int64) for player_names in names)
    stack: list[tuple[PublicNode, _Lanes, np.ndarray, tuple[np.ndarray, ...], Link]] = [
        (game.public_root(), lanes(deals.hands), deals.probability, start, builder.add_deal(deals.probability))
    ]
    while stack:
        state, here, chance_reach, sequences, link = stack.pop()
        link.to(builder.num_blocks)
        if state.player == TERMINAL:
            returns = np.ascontiguousarray(state.returns(here.hands), np.float64)
            builder.add_terminal(returns)
            at = np.stack([sequences[p][here.hands[:, p]] for p in range(builder.num_players)], axis=1)
            builder.add_leaf(at, chance_reach[:, None] * returns)
        elif state.player == CHANCE:
            probability = state.outcome_probabilities(here.hands)
            links = builder.add_chance(probability)
            for outcome in reversed(range(probability.shape[1])):
                possible = np.flatnonzero(probability[:, outcome])
                if len(possible):
                    reach = chance_reach[possible] * probability[possible, outcome]
                    stack.append((state.child(outcome), lanes(here.hands[possible]), reach, sequences, links[outcome]))
        else:
            player, actions = state.player, state.actions
            builder.require_player(player)
            held = here.held[player]
            label = state.label
            keys = [infoset_key(names[player][hand], label) for hand in held]
            parents = sequences[player][held].tolist()
            hands = [names[player][hand] for hand in held]
            infoset, slot = builder.add_group(player, keys, hands, len(actions), parents)
            links = builder.add_decision(player, infoset + here.place[player], actions)
            for action in reversed(range(len(actions))):
                own = sequences[player].copy()
                own[held] = slot + action * len(held) + np.arange(len(held)) + 1
                after = (*sequences[:player], own, *sequences[player + 1 :])
                stack.append((state.child(action), here, chance_reach, after, links[action]))


def _walk_histories(root: State, builder: TreeBuilder) -> None:
    numbers: list[dict[str, tuple[int, int]]] = [{} for _ in range(builder.num_players)]  # key -> infoset, slot
    endings: dict[tuple[int, ...], np.ndarray] = {}  # by everybody's sequences: histories that share them merge
    stack: list[tuple[State, float, tuple[int, ...], Link, int]] = [
        (root, 1.0, (0,) * builder.num_players, Link([0], 0), 0)
    ]
    while stack:
        state, chance_reach, sequences, link, depth = stack.pop()
        if depth > LONGEST_PATH:
            raise GameSizeError(f"{builder.game} has histories of more than {LONGEST_PATH:,} moves, the most allowed")
        link.to(builder.num_blocks)
        if state.player == TERMINAL:
            returns = np.array([state.returns], np.float64)
            builder.add_terminal(returns)
            endings[sequences] = endings.get(sequences, 0.0) + chance_reach * returns[0]
        elif state.player == CHANCE:
            probability = np.array([state.chance_probabilities], np.float64)
            links = builder.add_chance(probability)
            for outcome in np.flatnonzero(probability[0])[::-1].tolist():
                reach = chance_reach * float(probability[0, outcome])
                stack.append((state.child(outcome), reach, sequences, links[outcome], depth + 1))
        else:
            player, actions, key = state.player, state.actions, state.infoset
            builder.require_player(player)
            if key in numbers[player]:
                builder.check_infoset(player, numbers[player][key][0], actions, sequences[player])
            else:
                numbers[player][key] = builder.add_group(player, [key], [key], len(actions), [sequences[player]])
            infoset, slot = numbers[player][key]
            links = builder.add_decision(player, np.array([infoset], np.int32), actions)
            for action in reversed(range(len(actions))):
                after = (*sequences[:player], slot + action + 1, *sequences[player + 1 :])
                stack.append((state.child(action), chance_reach, after, links[action], depth + 1))
    if builder.has_perfect_recall:
        builder.add_single_leaves(np.array(list(endings)), np.array(list(endings.values())))
