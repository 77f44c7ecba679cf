"""Monte Carlo CFR (Lanctot et al. 2009) over betting tree x card buckets, for poker too large for a compiled game tree.

An iteration deals once and makes one pass for each player. External sampling takes one action of every other player and
all own ones; chance sampling all actions of everybody. Regret is in chips.

The average strategy is weighted by own reach alone. Two players take it on the way, at the sampled player's nodes; with
more players, or with exploration, each player's is taken on a walk of its own, in which own actions are sampled by the
strategy and the others' uniformly. Otherwise an infoset's weight would depend on a third player's reach.

`exploration` = e makes the other players' actions come from (1 - e) * strategy + e * uniform. The value that is passed
up is corrected by strategy / sampled probability; the regret below is not weighted by it. So each infoset learns to
answer opponents who tremble on the way to it and do not afterwards, and answers to bets that are never made are trained
too. With e = 0 it is plain external sampling.

Without perfect recall, and with more than two players, CFR promises no equilibrium.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nashgap import _native
from nashgap.abstraction.buckets import CardAbstraction
from nashgap.errors import ConfigError, MismatchError
from nashgap.poker.betting_tree import BettingTree
from nashgap.solvers.state import portions, restore_state

__all__ = ["POKER_SAMPLINGS", "POKER_SCHEDULES", "EntryCounts", "PokerMCCFR", "count_entries"]

POKER_SAMPLINGS = ("chance", "external")
POKER_SCHEDULES = ("cfr", "lcfr")
"""Every iteration alike, or iteration t with weight t in regret and average."""


@dataclass(frozen=True)
class EntryCounts:
    """How large a solve is, known without its memory.

    num_entries:  by round; an entry is one action of one bucket at one node.
    num_infosets: buckets of all nodes.
    num_bytes:    of regret and strategy sums: float64 in the first two rounds, float32 below.
    """

    num_entries: tuple[int, ...]
    num_infosets: int
    num_bytes: int


def count_entries(tree: BettingTree, abstractions: Sequence[CardAbstraction]) -> EntryCounts:
    """The size of a solve; `abstractions`: one a seat."""
    return EntryCounts(*_native.count_poker_entries(tree.native, _natives(tree, abstractions)))


class PokerMCCFR:
    """One solve; iteration t draws from streams named by (seed, t), so it can be cut and resumed anywhere.

    With one thread the numbers are the same bit for bit; threads share the entries and now and then lose an update.
    Entries lie `[node, bucket, action]`, nodes in the tree's order.
    """

    def __init__(
        self,
        tree: BettingTree,
        abstractions: Sequence[CardAbstraction],
        *,
        seed: int = 0,
        sampling: str = "external",
        schedule: str = "cfr",
        exploration: float = 0.0,
        regret_floor: float = -math.inf,
        threads: int = 1,
    ) -> None:
        if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
            raise ConfigError(f"seed = {seed!r}; it must be a whole number from 0 to 2^64 - 1")
        if sampling not in POKER_SAMPLINGS:
            raise ConfigError(f"sampling = {sampling!r}; it must be one of {', '.join(POKER_SAMPLINGS)}")
        if schedule not in POKER_SCHEDULES:
            raise ConfigError(f"schedule = {schedule!r}; it must be one of {', '.join(POKER_SCHEDULES)}")
        if not 0.0 <= exploration < 1.0 or (exploration and sampling != "external"):
            raise ConfigError(
                f"exploration = {exploration}; it must be from 0 to below 1, and 0 but in external sampling"
            )
        if not regret_floor <= 0.0:
            raise ConfigError(f"regret_floor = {regret_floor}; it must be 0 or less")
        if not isinstance(threads, int) or not 1 <= threads <= 1024:
            raise ConfigError(f"threads = {threads!r}; it must be a whole number from 1 to 1024")
        natives = _natives(tree, abstractions)
        self.tree, self.abstractions, self.threads = tree, tuple(abstractions), threads
        self.counts = count_entries(tree, abstractions)
        self.iteration = 0
        kind, is_linear = POKER_SAMPLINGS.index(sampling), schedule == "lcfr"
        self._native = _native.PokerMccfr(
            tree.rules.native, tree.native, natives, kind, exploration, is_linear, regret_floor, int(seed)
        )

    def run(self, num_iterations: int) -> None:
        for count in portions(num_iterations):
            # Counted first: Ctrl-C is raised as soon as the kernel returns, and its work is done by then.
            first, self.iteration = self.iteration + 1, self.iteration + count
            self._native.run(first, count, self.threads)

    @property
    def num_visits(self) -> int:
        """Visits of decisions and endings by this object."""
        return self._native.num_visits

    def visited_share(self) -> float:
        """The share of the infosets in which the average strategy has any weight; reads every entry."""
        return self._native.count_visited() / self.counts.num_infosets

    def average_strategy(self, round: int) -> np.ndarray:
        """`[entries of the round]` float32, what converges; uniform in infosets that no walk has met."""
        if not 0 <= round < len(self.counts.num_entries):
            raise ConfigError(f"round = {round}; the game has rounds 0 to {len(self.counts.num_entries) - 1}")
        probabilities = np.empty(self.counts.num_entries[round], np.float32)
        self._native.average_strategy(round, probabilities)
        return probabilities

    def state(self) -> dict[str, np.ndarray]:
        """All that `load_state` needs to go on exactly from here: views, which move when the solver does."""
        return {"iteration": np.array([self.iteration]), **self._arrays()}

    def load_state(self, state: Mapping[str, np.ndarray]) -> None:
        self.iteration = restore_state(self._arrays(), state)

    def _arrays(self) -> dict[str, np.ndarray]:
        names = ("wide_regret_sum", "wide_strategy_sum", "narrow_regret_sum", "narrow_strategy_sum")
        return {name: getattr(self._native, name) for name in names}


def _natives(tree: BettingTree, abstractions: Sequence[CardAbstraction]) -> list[_native.CardAbstraction]:
    num_seats = tree.rules.num_seats
    if len(abstractions) != num_seats:
        raise ConfigError(f"{len(abstractions)} card abstractions for {num_seats} seats; each seat needs one")
    for abstraction in abstractions:
        if abstraction.rules != tree.rules:
            raise MismatchError("a card abstraction is of another game than the betting tree")
    return [abstraction.native for abstraction in abstractions]
