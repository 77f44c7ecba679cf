"""Random river spots with one bet left, solved: what rules for real rivers are learned from and priced in.

A spot is a board of five random cards, two random ranges, a pot of 1,000 chips and equal stacks of a third of it to
twice as much; the only bet is all-in. So each player has two questions, whether to bet and whether to call.
No raise was left out, as there is none after an all-in bet; smaller bets were.

A range is what a player may hold after three streets: a share of the hand classes, then weights that are a broken line
over the strength of a hand on this board, with random heights. That makes capped, polar and condensed ranges alike.

H hands in the order of `nashgap.cards.card` (1326), decisions in that of `DECISIONS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap.cards.card import NUM_CARDS, NUM_HANDS
from nashgap.cards.evaluator import hand_ranks_on_board
from nashgap.cards.ranges import CLASS_OF_HAND, Range
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.spot import Spot
from nashgap.poker.state import CALL
from nashgap.solvers.range_cfr import RangeCFR
from nashgap.solvers.schedules import Schedule
from nashgap.strategies.range_strategy import RangeLock, RangeStrategy

__all__ = ["DECIDERS", "DECISIONS", "RiverProfile", "RiverSpot", "apart", "sample_spot", "solve_spot"]

POT = 1000
STACKS = (330, 500, 750, 1000, 1500, 2000)
DECISIONS = ("first to act", "after a check", "facing a bet", "facing a bet after checking")
"""Of seat 0, 1, 1 and 0. The second column of each is the bet or the call."""
DECIDERS = (0, 1, 1, 0)
LEAST_COMBOS = 40.0
SCHEDULE = Schedule(positive=1.5, negative=0.25, gamma=3)  # that of solved spots
PERCENT_LEFT = 0.1  # of the pot, that may be exploitable
ITERATIONS_AT_ONCE, MOST_ITERATIONS = 50, 2000

_HIGH, _LOW = np.tril_indices(NUM_CARDS, -1)


@dataclass(frozen=True, eq=False)
class RiverProfile:
    """What both do. chances: `[4, H]` of betting or calling, at each of `DECISIONS`."""

    chances: np.ndarray


@dataclass(frozen=True, eq=False)
class RiverSpot:
    """One spot, with what a person can see of it."""

    spot: Spot

    @cached_property
    def stack_to_pot(self) -> float:
        return self.spot.stacks[0] / self.spot.pot

    @cached_property
    def ranks(self) -> np.ndarray:
        """`[H]` strength on the board, higher is better; 0 for hands that share a card with it."""
        return np.asarray(hand_ranks_on_board(self.spot.board), np.int64)

    @cached_property
    def equity(self) -> np.ndarray:
        """`[2, H]` share of the pot that each hand of each seat wins against the other's range, cards removed."""
        return np.stack([self._shares(1 - seat)[0] for seat in (0, 1)])

    @cached_property
    def met(self) -> np.ndarray:
        """`[2, H]` weight of the other's hands that can meet each hand."""
        return np.stack([self._shares(1 - seat)[1] for seat in (0, 1)])

    @cached_property
    def dealt(self) -> np.ndarray:
        """`[2, H]` how likely each hand of each seat is dealt; each row adds up to 1."""
        weights = self.spot.weights * self.met
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    @cached_property
    def percentile(self) -> np.ndarray:
        """`[2, H]` the share of the own range that is worse, half of what is equal included."""
        found = np.empty((2, NUM_HANDS))
        for seat in (0, 1):
            levels, place = np.unique(self.ranks, return_inverse=True)
            mass = np.bincount(place, self.dealt[seat], len(levels))
            found[seat] = (np.cumsum(mass) - mass / 2)[place]
        return found

    @cached_property
    def better(self) -> np.ndarray:
        """`[2, H]` the share of the own range that is better."""
        found = np.empty((2, NUM_HANDS))
        for seat in (0, 1):
            levels, place = np.unique(self.ranks, return_inverse=True)
            mass = np.bincount(place, self.dealt[seat], len(levels))
            found[seat] = (np.cumsum(mass[::-1])[::-1] - mass)[place]
        return found

    @cached_property
    def strategy(self) -> RangeStrategy:
        """One that is uniform so far."""
        return RangeStrategy(self.spot.tree, self.spot.board, self.spot.weights)

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The betting before each of `DECISIONS`, as the tree has it."""
        bet = self.spot.betting.actions(self.spot.root())[1]
        return (), (CALL,), (bet,), (CALL, bet)

    def locked(self, profile: RiverProfile) -> RangeStrategy:
        """The strategy in which both keep to the profile; best responses to it are exact."""
        chances = np.clip(profile.chances, 0.0, 1.0)
        rows = np.stack([1.0 - chances, chances], axis=2)
        locks = [RangeLock(place, row) for place, row in zip(self.places, rows, strict=True)]
        return RangeStrategy(self.spot.tree, self.spot.board, self.spot.weights, locks=locks)

    def exploitability(self, profile: RiverProfile) -> float:
        """What a best response gains against the profile, the mean of both seats, percent of the pot."""
        gains = sum(self.locked(profile).response_values(keeps_locks=False))
        return 100.0 * max(gains, 0.0) / 2 / POT

    def lost_to(self, profile: RiverProfile, equilibrium: RiverProfile) -> float:
        """What the profile wins less than the equilibrium against the equilibrium, mean of both seats, percent."""
        value = self.locked(equilibrium).values()
        lost = 0.0
        for seat in (0, 1):
            own = np.array([decider == seat for decider in DECIDERS])[:, None]
            mixed = RiverProfile(np.where(own, profile.chances, equilibrium.chances))
            lost += value[seat] - self.locked(mixed).values()[seat]
        return 100.0 * lost / 2 / POT

    def _shares(self, other: int) -> tuple[np.ndarray, np.ndarray]:
        """Equity against a seat's range, and its weight that can be met."""
        weights = self.spot.weights[other]
        order = np.argsort(self.ranks, kind="stable")
        levels, place = np.unique(self.ranks, return_inverse=True)
        won = np.zeros(NUM_HANDS)
        met = apart(weights, np.arange(NUM_HANDS))
        below = np.zeros(NUM_HANDS)
        start = 0
        for level in range(len(levels)):
            end = start + int(np.count_nonzero(place == level))
            hands = order[start:end]
            equal = np.zeros(NUM_HANDS)
            equal[hands] = weights[hands]
            won[hands] = apart(below, hands) + apart(equal, hands) / 2
            below[hands] = weights[hands]
            start = end
        return np.divide(won, met, out=np.full(NUM_HANDS, 0.5), where=met > 1e-9), np.where(met > 1e-9, met, 0.0)


def apart(weights: np.ndarray, hands: np.ndarray) -> np.ndarray:
    """For each of the hands, the weight of those that share no card with it."""
    by_card = np.bincount(_HIGH, weights, NUM_CARDS) + np.bincount(_LOW, weights, NUM_CARDS)
    return np.asarray(weights.sum() - by_card[_HIGH[hands]] - by_card[_LOW[hands]] + weights[hands])


def sample_spot(seed: int, number: int) -> RiverSpot:
    """The spot of that number, which depends on nothing else."""
    generator = np.random.default_rng([seed, number])
    board = tuple(int(card) for card in generator.choice(NUM_CARDS, 5, replace=False))
    stack = int(generator.choice(STACKS))
    ranges = (_random_range(generator, board), _random_range(generator, board))
    return RiverSpot(Spot(board, ranges, POT, (stack, stack), parse_betting_abstraction("a")))


def _random_range(generator: np.random.Generator, board: tuple[int, ...]) -> Range:
    ranks = np.asarray(hand_ranks_on_board(board), np.float64)
    is_free = ~(np.isin(_HIGH, board) | np.isin(_LOW, board))
    _, place = np.unique(ranks[is_free], return_inverse=True)
    counts = np.bincount(place)
    strength = np.zeros(NUM_HANDS)
    strength[is_free] = ((np.cumsum(counts) - counts / 2) / counts.sum())[place]
    while True:
        is_held = (generator.random(169) < generator.uniform(0.2, 0.8))[CLASS_OF_HAND] & is_free
        heights = generator.random(5) ** 2
        weights = np.where(is_held, np.interp(strength, np.linspace(0.0, 1.0, 5), heights), 0.0)
        weights = np.where(weights >= 0.01, np.round(weights, 3), 0.0)
        if weights.sum() >= LEAST_COMBOS:
            return Range(weights)


def solve_spot(spot: RiverSpot) -> tuple[RiverProfile, float]:
    """An equilibrium, and what of the pot it leaves to a best response, in percent."""
    strategy = spot.strategy
    solver = RangeCFR(strategy, SCHEDULE)
    left = np.inf
    while left > PERCENT_LEFT and solver.iteration < MOST_ITERATIONS:
        solver.run(ITERATIONS_AT_ONCE)
        left = 100.0 * strategy.nash_conv() / 2 / POT
    chances = np.stack([strategy.probabilities(place, spot.spot.board)[:, 1] for place in spot.places])
    return RiverProfile(chances.astype(np.float64)), float(left)
