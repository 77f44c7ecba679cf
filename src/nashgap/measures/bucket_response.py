"""Best response within a heads-up abstract game in which buckets are remembered: exact but for the sampled deals.

With perfect recall of buckets all that matters of the cards is how often two rows of buckets meet and who wins then. So
it is in a larger game behind a prefix after which two are left. A sample of deals fills that table; the best response
to a strategy follows in one pass of the betting tree. It is chosen on one table and evaluated on another, of fresh
deals, so that what it gains is a lower bound without bias; with millions of deals it is close. Hundreds of buckets and
thousands of nodes take seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.cards.evaluator import hand_ranks
from nashgap.core.estimate import Estimate, half_width_95
from nashgap.errors import ConfigError, MismatchError, UnsupportedGameError
from nashgap.measures.seat_gap import SeatGap
from nashgap.measures.subject import abstract_strategy, one_bot
from nashgap.poker.rules import PokerRules
from nashgap.strategies.bot import Bot

__all__ = ["BucketGap", "bucket_gap", "measure_bucket_br"]

METHOD = "bucket-br"
NUM_BLOCKS = 20  # of fresh deals; the interval is from the differences between them
CHUNK = 200_000  # deals that are drawn at once


@dataclass(frozen=True, repr=False)
class BucketGap(SeatGap):
    """What the seats could at least gain, on fresh deals."""


def bucket_gap(
    game: AbstractGame, tables: Sequence[np.ndarray], *, num_deals: int = 4_000_000, seed: int = 0
) -> BucketGap:
    """The best response of each seat to the strategy.

    tables: by round, as `PokerMCCFR.average_table`; information sets that training never reached play uniformly.
    num_deals: to choose the responses on, and as many again to evaluate them on.
    """
    players = game.players
    if len(players) != 2:
        name = game.rules.name or "the game"
        raise UnsupportedGameError(f"bucket-br is for two players, {name} has {len(players)}; use abstract-br")
    if num_deals < NUM_BLOCKS:
        raise ConfigError(f"num_deals = {num_deals}; at least {NUM_BLOCKS} are needed")
    if [len(table) for table in tables] != np.diff(game.entry_start).tolist():
        raise MismatchError("the tables are not those of the abstract game")
    profile = _Profile(game, tables)
    known, block_deals = _Deals.sample(game, num_deals, seed), num_deals // NUM_BLOCKS
    responses = [_Response(profile, own, known) for own in range(2)]
    starts = range(num_deals, num_deals + NUM_BLOCKS * block_deals, block_deals)
    blocks = [
        [response.evaluate(fresh) for response in responses]
        for fresh in (_Deals.sample(game, block_deals, seed, start) for start in starts)
    ]
    chips = np.empty((NUM_BLOCKS, game.rules.num_seats, 2))  # (played, answered)
    chips[:] = -np.array(game.tree.ending_spent[0])[:, None]  # what who has folded loses, the same in all endings
    chips[:, list(players)] = blocks
    gains = chips[:, :, 1] - chips[:, :, 0]

    def estimate(samples: np.ndarray) -> Estimate:
        samples = samples / game.rules.unit_chips
        ci95 = half_width_95(float(samples.var(ddof=1)), len(samples))
        return Estimate(float(samples.mean()), ci95, block_deals * NUM_BLOCKS, game.rules.unit, METHOD, seed)

    return BucketGap(
        values=tuple(map(estimate, chips[:, :, 0].T)),
        responses=tuple(map(estimate, chips[:, :, 1].T)),
        gains=tuple(map(estimate, gains.T)),
        nash_conv=estimate(gains.sum(axis=1)),
        game=game.rules.name,
    )


@dataclass(frozen=True)
class _Deals:
    """What sampled deals say about the buckets of the two players. R rounds, B buckets of a round.

    parents: by round and player, `[B]` the bucket of the round before; of the first round, zeros.
    met:     by round, `[B of the first, B of the second]` share of the deals.
    won:     the same, where the first wins less where the second does.
    """

    parents: tuple[tuple[np.ndarray, ...], ...]
    met: tuple[np.ndarray, ...]
    won: tuple[np.ndarray, ...]

    @classmethod
    def sample(cls, game: AbstractGame, num_deals: int, seed: int, first_deal: int = 0) -> _Deals:
        sizes = [game.cards[seat][2].num_buckets for seat in game.players]
        shapes = list(zip(*sizes, strict=True))
        parents = tuple(tuple(np.full(size, -1, np.int32) for size in shape) for shape in shapes)
        met, won = ([np.zeros(first * second) for first, second in shapes] for _ in range(2))
        for begin in range(0, num_deals, CHUNK):
            buckets, sign = _drawn(game, min(CHUNK, num_deals - begin), seed, first_deal + begin)
            for number, (_, num_second) in enumerate(shapes):
                pair = buckets[0][:, number].astype(np.int64) * num_second + buckets[1][:, number]
                met[number] += np.bincount(pair, minlength=met[number].size)
                won[number] += np.bincount(pair, weights=sign, minlength=won[number].size)
                for player in range(2):
                    before = buckets[player][:, number - 1] if number else np.zeros(len(sign), np.int32)
                    _note_parents(parents[number][player], buckets[player][:, number], before)
        return cls(
            tuple(tuple(np.maximum(each, 0) for each in by_player) for by_player in parents),
            tuple((counts / num_deals).reshape(shape) for counts, shape in zip(met, shapes, strict=True)),
            tuple((counts / num_deals).reshape(shape) for counts, shape in zip(won, shapes, strict=True)),
        )


def _drawn(game: AbstractGame, num_deals: int, seed: int, first_deal: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Deals: `[deals, R]` buckets of each player, and `[deals]` 1, 0 or -1 for the first winning, tied, losing."""
    holes, board = game.deals(num_deals, seed, first_deal)
    buckets = [game.cards[seat][2].hand_buckets(holes[seat], board) for seat in game.players]
    cut = game.tree.truncation
    shown = board if cut is None else board[:, : cut.num_board_cards(game.rules)]
    first, second = (hand_ranks(np.hstack([holes[seat], shown])).astype(np.int32) for seat in game.players)
    return buckets, np.sign(first - second)


def _note_parents(parents: np.ndarray, buckets: np.ndarray, before: np.ndarray) -> None:
    """Refuse buckets that forget: each must have one bucket of the round before."""
    parents[buckets] = np.where(parents[buckets] < 0, before, parents[buckets])
    if (parents[buckets] != before).any():
        raise UnsupportedGameError("the cards forget buckets of earlier rounds; their best response is not known")


class _Profile:
    """The strategy by node, `[buckets, actions]`, and the tree as plain numbers."""

    def __init__(self, game: AbstractGame, tables: Sequence[np.ndarray]) -> None:
        self.tree, self.players = game.tree, game.players
        tree = self.tree
        self.seat, self.first_edge, self.child = tree.seat.tolist(), tree.first_edge.tolist(), tree.child.tolist()
        self.round = np.repeat(np.arange(game.rules.num_rounds), np.diff(tree.round_start)).tolist()
        self.rows = [self._row(game, tables[number], node) for node, number in enumerate(self.round)]

    def edges(self, node: int) -> range:
        return range(self.first_edge[node], self.first_edge[node + 1])

    def _row(self, game: AbstractGame, table: np.ndarray, node: int) -> np.ndarray:
        row = table[game.entries(node) - game.entry_start[self.round[node]]].astype(np.float64)
        total = row.sum(axis=1, keepdims=True)
        shares: np.ndarray = np.where(total > 0, row / np.maximum(total, 1e-30), 1 / row.shape[1])
        return shares


class _Response:
    """One player's best response to the profile, chosen when it is made.

    own:     the first or the second player, 0 or 1; `seat` is where he sits.
    choices: by node of the seat, `[buckets]` the action.
    """

    def __init__(self, profile: _Profile, own: int, known: _Deals) -> None:
        self.profile, self.own, self.parents = profile, own, known.parents
        self.seat, self.other_seat = profile.players[own], profile.players[1 - own]
        self.ending_edges: list[np.ndarray] = []
        self.ending_reach: list[np.ndarray] = []
        self._find_endings(known.met[profile.round[profile.tree.root]].shape[1 - own])
        self.choices: dict[int, np.ndarray] = {}
        self._walk(known, self._choose)

    def evaluate(self, deals: _Deals) -> tuple[float, float]:
        """Chips that the seat wins by the profile, and by the response."""
        return self._walk(deals, self._played), self._walk(deals, self._chosen)

    def _find_endings(self, num_buckets: int) -> None:
        """By round: edges to endings, `[edges]`, and how often the other seat goes there, `[its buckets, edges]`."""
        profile = self.profile
        reach = {profile.tree.root: np.ones(num_buckets)}
        found: list[list[tuple[int, np.ndarray]]] = [[] for _ in self.parents]
        for node, number in enumerate(profile.round):
            here = reach.pop(node)  # nodes stand before those below them
            for action, edge in enumerate(profile.edges(node)):
                after = here if profile.seat[node] == self.seat else here * profile.rows[node][:, action]
                child = profile.child[edge]
                if child < 0:
                    found[number].append((edge, after))
                else:
                    begins = profile.round[child] > number
                    reach[child] = self._later(after, 1 - self.own, number, profile.round[child]) if begins else after
        for of_round in found:
            self.ending_edges.append(np.array([edge for edge, _ in of_round], np.int64))
            self.ending_reach.append(np.array([each for _, each in of_round]).T)

    def _walk(self, deals: _Deals, decide: Callable[[int, np.ndarray], np.ndarray]) -> float:
        """What the seat wins, in chips, if it decides so."""
        profile, values = self.profile, self._ending_values(deals)
        by_node: dict[int, np.ndarray] = {}
        for node in reversed(range(len(profile.rows))):
            number = profile.round[node]
            behind = []
            for edge in profile.edges(node):
                child = profile.child[edge]
                value = values[edge] if child < 0 else by_node.pop(child)
                if child >= 0 and profile.round[child] > number:
                    value = self._earlier(value, number, profile.round[child], deals)
                behind.append(value)
            stacked = np.stack(behind, axis=1)
            by_node[node] = decide(node, stacked) if profile.seat[node] == self.seat else stacked.sum(axis=1)
        return float(by_node[profile.tree.root].sum())

    def _later(self, reach: np.ndarray, player: int, number: int, later: int) -> np.ndarray:
        """By the buckets of a later round."""
        for each in range(number + 1, later + 1):
            reach = reach[self.parents[each][player]]
        return reach

    def _earlier(self, value: np.ndarray, number: int, later: int, deals: _Deals) -> np.ndarray:
        """Added up by the buckets of an earlier round."""
        for each in range(later, number, -1):
            value = np.bincount(self.parents[each][self.own], value, deals.met[each - 1].shape[self.own])
        return value

    def _ending_values(self, deals: _Deals) -> dict[int, np.ndarray]:
        """By edge: `[own buckets]` chips won there, times how often the deal and the other seat lead there."""
        tree, values = self.profile.tree, dict[int, np.ndarray]()
        for number, (edges, reach) in enumerate(zip(self.ending_edges, self.ending_reach, strict=True)):
            if not len(edges):
                continue
            met, won = (table[number] if self.own == 0 else table[number].T for table in (deals.met, deals.won))
            ending = -1 - tree.child[edges].astype(np.int64)
            spent, folded = tree.ending_spent[ending], tree.ending_folded[ending]
            own, other = spent[:, self.seat], spent[:, self.other_seat]
            called = np.minimum(own, other)
            dead = np.minimum(spent, called[:, None]).sum(axis=1) - 2 * called  # of who folded before
            left = np.where(own > other, spent.sum(axis=1) - own - other - dead, 0)  # more than the other called
            is_showdown = (folded >> self.seat | folded >> self.other_seat) & 1 == 0
            has_won = folded >> self.other_seat & 1 == 1
            at_fold = np.where(has_won, spent.sum(axis=1) - own, -own)
            at_showdown = (called + dead / 2) * (1 if self.own == 0 else -1)
            chips = np.empty((len(met), len(edges)))
            shared = reach[:, is_showdown]
            chips[:, is_showdown] = (won @ shared) * at_showdown[is_showdown]
            if dead.any():
                chips[:, is_showdown] += (met @ shared) * (dead / 2 + left)[is_showdown]
            chips[:, ~is_showdown] = (met @ reach[:, ~is_showdown]) * at_fold[~is_showdown]
            values.update(zip(edges.tolist(), chips.T, strict=True))
        return values

    def _choose(self, node: int, behind: np.ndarray) -> np.ndarray:
        self.choices[node] = behind.argmax(axis=1)
        return self._chosen(node, behind)

    def _chosen(self, node: int, behind: np.ndarray) -> np.ndarray:
        return np.take_along_axis(behind, self.choices[node][:, None], axis=1)[:, 0]

    def _played(self, node: int, behind: np.ndarray) -> np.ndarray:
        value: np.ndarray = (self.profile.rows[node] * behind).sum(axis=1)
        return value


def measure_bucket_br(
    bots: tuple[Bot, ...], game: str | PokerRules | None, *, deals: int = 4_000_000, seed: int = 0
) -> BucketGap:
    """The best response within a heads-up abstract game; see `nashgap.measures.bucket_response`."""
    strategy = abstract_strategy(one_bot(bots, "bucket-br"), game, "bucket-br")
    gap = bucket_gap(strategy.game, strategy.tables, num_deals=deals, seed=seed)
    return replace(gap, strategy=bots[0].text, game=strategy.rules.name)
