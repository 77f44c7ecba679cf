"""Many games of one bet that differ only in how the cards are dealt, and what strategies are worth in them.

The game is `nashgap.games.bet_size`; here its deals are arrays, so that thousands are measured at once. A strategy of
player 1 is `bets`, `[G, C, B]`: in game g with card c the probability of bet b; one of player 2 is `calls`, of the same
shape: the probability of calling bet b with card c, where column 0 (a check needs no answer) is not looked at.

Random deals are those of Ganzfried & Yusuf, Computing human-understandable strategies (2017), Algorithms 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nashgap.games.bet_size import BetSize

__all__ = ["BetSizeGames", "Stakes", "cdf_of", "joint_of", "sample_games", "sample_hands"]


@dataclass(frozen=True)
class Stakes:
    """What all games of a set share: see `BetSize`. Amounts are in dollars."""

    deck: int = 10
    stack: float = 3.0
    step: float = 0.1
    ante: float = 0.5

    def __post_init__(self) -> None:
        BetSize(self.deck, self.stack, self.step, self.ante)  # refuses what the game does not allow

    @property
    def pot(self) -> float:
        """Both antes."""
        return 2 * self.ante

    @cached_property
    def num_bets(self) -> int:
        """The check included."""
        return round(self.stack / self.step) + 1

    @cached_property
    def amounts(self) -> np.ndarray:
        """`[B]` dollars; the first is the check."""
        return np.asarray(self.stack * np.arange(self.num_bets) / (self.num_bets - 1))

    @cached_property
    def shows(self) -> np.ndarray:
        """`[C, C]` 1 where player 1's card is the better one, -1 where player 2's is."""
        cards = np.arange(self.deck)
        return np.asarray(np.sign(cards[:, None] - cards[None, :]), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class BetSizeGames:
    """G games with C cards and B bets.

    joint: `[G, C, C]` the chance that player 1 holds the card of the row and player 2 that of the column.
    """

    stakes: Stakes
    joint: np.ndarray

    def __len__(self) -> int:
        return len(self.joint)

    def __repr__(self) -> str:
        return f"<BetSizeGames: {len(self):,} games of {self.stakes.deck} cards, {self.stakes.num_bets} bets>"

    def __getitem__(self, index: slice | np.ndarray) -> BetSizeGames:
        return BetSizeGames(self.stakes, self.joint[index])

    @cached_property
    def pdf(self) -> np.ndarray:
        """`[G, 2, C]` how likely each card of each player is."""
        return np.stack([self.joint.sum(axis=2), self.joint.sum(axis=1)], axis=1)

    @cached_property
    def cdf(self) -> np.ndarray:
        """`[G, 2, C]` how likely a card at most as good is; exactly 1 in the end."""
        return cdf_of(self.pdf)

    @cached_property
    def beaten(self) -> np.ndarray:
        """`[G, C]` the share of the hands player 2 may hold that a card of player 1 beats.

        Given that card; for one that is never dealt, of all hands of player 2.
        """
        own = self.pdf[:, 0]
        worse = np.where(self.stakes.shows > 0, self.joint, 0.0).sum(axis=2)
        anyway = self.cdf[:, 1] - self.pdf[:, 1]
        return np.asarray(np.clip(np.divide(worse, own, out=anyway, where=own > 0), 0.0, 1.0))

    def worst_case(self, bets: np.ndarray) -> np.ndarray:
        """`[G]` dollars a hand that `bets` win at least: against a best response."""
        called, folded = self._answers(bets)
        return np.asarray(np.minimum(called, folded).sum(axis=(1, 2)))

    def earned(self, bets: np.ndarray, calls: np.ndarray) -> np.ndarray:
        """`[G]` dollars a hand that `bets` win against `calls`."""
        called, folded = self._answers(bets)
        return np.asarray((folded + calls * (called - folded)).sum(axis=(1, 2)))

    def bet_values(self, calls: np.ndarray) -> np.ndarray:
        """`[G, C, B]` what each bet of player 1 with each card wins against `calls`, times the chance of the card."""
        stakes = self.stakes
        answers = calls.copy()
        answers[:, :, 0] = 1.0  # a check is shown down
        shown = np.matmul(self.joint * stakes.shows, answers) * (stakes.ante + stakes.amounts)
        return np.asarray(shown + np.matmul(self.joint, 1.0 - answers) * stakes.ante)

    def _answers(self, bets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`[G, C, B]` what player 1 wins where player 2, with a card, calls or folds to a bet; a check is no choice."""
        stakes, by_answer = self.stakes, self.joint.transpose(0, 2, 1)
        called = np.matmul(by_answer * stakes.shows.T, bets) * (stakes.ante + stakes.amounts)
        folded = np.matmul(by_answer, bets) * stakes.ante
        folded[:, :, 0] = called[:, :, 0]
        return called, folded


def cdf_of(pdf: np.ndarray) -> np.ndarray:
    """Cumulative over the last axis; exactly 1 in the end."""
    cdf = np.minimum(np.cumsum(pdf, axis=-1), 1.0)
    cdf[..., -1] = 1.0
    return np.asarray(cdf)


def sample_hands(stakes: Stakes, seed: int, first: int, count: int) -> np.ndarray:
    """`[count, 2, C]` random distributions, uniform on the simplex (Algorithm 3).

    Those of game `first + k` depend on the seed and its number only.
    """
    hands = np.empty((count, 2, stakes.deck))
    for place in range(count):
        generator = np.random.Generator(np.random.Philox(key=np.array([seed, first + place], dtype=np.uint64)))
        hands[place] = -np.log1p(-generator.random((2, stakes.deck)))
    return np.asarray(hands / hands.sum(axis=2, keepdims=True))


def joint_of(hands: np.ndarray) -> np.ndarray:
    """`[G, C, C]` both players' cards, drawn from `hands` `[G, 2, C]` until they differ (Algorithm 4)."""
    joint = hands[:, 0, :, None] * hands[:, 1, None, :]
    cards = np.arange(hands.shape[2])
    joint[:, cards, cards] = 0.0
    return np.asarray(joint / joint.sum(axis=(1, 2), keepdims=True))


def sample_games(stakes: Stakes, seed: int, first: int, count: int) -> BetSizeGames:
    """Games `first` to `first + count - 1` of the seed."""
    return BetSizeGames(stakes, joint_of(sample_hands(stakes, seed, first, count)))
