"""The best few games to memorise: a new game is played by the equilibrium of the nearest one that is remembered.

Ganzfried & Yusuf (2017) propose it for people and leave open which games. Here they are chosen for their price, which
is the mean exploitability, in a new game, of the strategy that is copied into it: greedily, one game after the other,
then by swapping one for another as long as a swap helps. Candidates and the games they are judged by are different
games, for else each would be judged by itself. A local optimum of a sample: the best found, not the best there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nashgap.errors import ConfigError
from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.distances import input_distance
from nashgap.explanations.neighbours import Neighbours

__all__ = ["Prototypes", "best_prototypes", "random_prototypes"]

LEAST_GAIN = 1e-12  # dollars per hand; a smaller one may be rounding, and swaps for it need not end


@dataclass(frozen=True, eq=False)
class Prototypes:
    """M games to memorise, the most used first.

    indices: `[M]` where they stand among the games that they were chosen from.
    shares:  `[M]` how often each was the nearest to a game that they were judged by.
    price:   of copying them into those games, dollars per hand; lower than in unseen games, for they were chosen by it.
    metric:  by which a game is near.
    """

    indices: np.ndarray
    shares: np.ndarray
    price: float
    metric: str

    def __len__(self) -> int:
        return len(self.indices)

    def predict(self, train: SolvedGames, pdf: np.ndarray, choice: str = "solver") -> np.ndarray:
        """The bets `[Q, C, B]` in games with hands `pdf` `[Q, 2, C]`; `train` has the games that these stand in."""
        remembered = train[self.indices]
        return Neighbours(remembered.games.pdf, remembered.bets(choice), metric=self.metric).predict(pdf)


def best_prototypes(
    train: SolvedGames,
    counts: Sequence[int],
    *,
    seed: int,
    choice: str = "solver",
    metric: str = "emd",
    num_candidates: int = 800,
    num_judged: int = 1600,
) -> tuple[Prototypes, ...]:
    """For each number of games the best of a random part of `train`, judged by another random part of it."""
    candidates, judged = _drawn(train, seed, num_candidates, num_judged)
    for count in counts:
        if not 1 <= count <= num_candidates:
            raise ConfigError(f"from 1 to {num_candidates} games can be memorised, not {count}")
    search = _Search.over(train[candidates], train[judged], choice, metric)
    chosen: dict[int, list[int]] = {}
    fewer: list[int] = []
    for count in sorted(set(counts)):
        # From nothing, and from the best of fewer games: with more games the price should not be higher.
        starts = [search.greedy([], count), search.greedy(fewer, count)]
        chosen[count] = fewer = min(map(search.swapped, starts), key=search.price)
    return tuple(search.prototypes(chosen[count], candidates, metric) for count in counts)


def random_prototypes(
    train: SolvedGames, count: int, num_draws: int, *, seed: int, metric: str = "emd"
) -> tuple[Prototypes, ...]:
    """Games that nobody has chosen, to compare with; shares and price are not known."""
    generator = np.random.Generator(np.random.Philox(seed))
    if not 1 <= count <= len(train):
        raise ConfigError(f"from 1 to {len(train):,} games can be memorised, not {count}")
    unknown = np.full(count, np.nan)
    return tuple(
        Prototypes(generator.choice(len(train), count, replace=False), unknown, np.nan, metric)
        for _ in range(num_draws)
    )


def _drawn(train: SolvedGames, seed: int, num_candidates: int, num_judged: int) -> tuple[np.ndarray, np.ndarray]:
    if min(num_candidates, num_judged) < 1 or num_candidates + num_judged > len(train):
        raise ConfigError(
            f"{num_candidates:,} candidates and {num_judged:,} games to judge them by; there are {len(train):,} games"
        )
    order = np.random.Generator(np.random.Philox(seed)).permutation(len(train))
    return order[:num_candidates], order[num_candidates : num_candidates + num_judged]


@dataclass(frozen=True, eq=False)
class _Search:
    """K candidates and E games that they are judged by.

    distance: `[K, E]`.
    paid:     `[K, E]` exploitability of the candidate's equilibrium in the game.
    """

    distance: np.ndarray
    paid: np.ndarray

    @classmethod
    def over(cls, candidates: SolvedGames, judged: SolvedGames, choice: str, metric: str) -> _Search:
        known, games = candidates.games.pdf, judged.games
        distance = np.stack([input_distance(each, games.pdf, metric=metric, features="pdf") for each in known])
        worst = np.stack([games.worst_case(bets[None]) for bets in candidates.bets(choice)])
        return cls(distance, judged.value - worst)

    def greedy(self, chosen: list[int], count: int) -> list[int]:
        """So many games, `chosen` among them."""
        chosen = list(chosen)
        while len(chosen) < count:
            prices = self._prices_with_one_more(chosen)
            prices[chosen] = np.inf
            chosen.append(int(np.argmin(prices)))
        return chosen

    def swapped(self, chosen: list[int]) -> list[int]:
        """No swap of one for another is better."""
        price, is_improved = self.price(chosen), True
        while is_improved:
            is_improved = False
            for place in range(len(chosen)):
                others = chosen[:place] + chosen[place + 1 :]
                prices = self._prices_with_one_more(others)
                best = int(np.argmin(prices))
                if best not in others and prices[best] < price - LEAST_GAIN:
                    chosen = [*others[:place], best, *others[place:]]
                    price, is_improved = float(prices[best]), True
        return chosen

    def prototypes(self, chosen: list[int], candidates: np.ndarray, metric: str) -> Prototypes:
        used = np.bincount(np.argmin(self.distance[chosen], axis=0), minlength=len(chosen))
        order = np.argsort(-used, kind="stable")
        shares = used[order] / self.distance.shape[1]
        return Prototypes(candidates[np.array(chosen)[order]], shares, self.price(chosen), metric)

    def _prices_with_one_more(self, chosen: list[int]) -> np.ndarray:
        """`[K]` the price of the chosen games and each candidate."""
        distance, paid = self._nearest(chosen)
        return np.asarray(np.where(self.distance < distance, self.paid, paid).mean(axis=1))

    def price(self, chosen: list[int]) -> float:
        return float(self._nearest(chosen)[1].mean())

    def _nearest(self, chosen: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """`[E]` how far the nearest of the chosen is from each game, and what its equilibrium pays there."""
        num_judged = self.distance.shape[1]
        if not chosen:
            return np.full(num_judged, np.inf), np.zeros(num_judged)
        nearest = np.array(chosen)[np.argmin(self.distance[chosen], axis=0)]
        games = np.arange(num_judged)
        return self.distance[nearest, games], self.paid[nearest, games]
