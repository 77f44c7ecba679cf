"""Rankings of a cross-table: bankroll, instant run-off, total wins, and how sure each rank is.

Bankroll: the mean winrate over all the player's matchups. Instant run-off, the "Equilibrium" ranking of the Annual
Computer Poker Competition: the last of the bankroll ranking is eliminated, and the rest are ranked anew as if it had
not entered, again and again (Abou Risk 2009, section 3.5.2). It stops before an elimination that would leave somebody
without a matchup, which is before the last matchup goes: at as many players as a matchup has, or, where members of a
team do not meet, when fewer teams than that would remain. Those who are left are ranked by the last table (ibid.,
section 5.2).

Equal winrates: the names decide, in the order of their characters, and the tie is reported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nashgap.arena.cross_table import CrossTable
from nashgap.errors import ConfigError

__all__ = ["RankConfidence", "Ranking", "Round", "Runoff", "bankroll", "rank_confidence", "runoff", "total_wins"]

# Winrates that agree to so many decimals are equal: sums of the same numbers differ by their order.
DECIMALS = 12


@dataclass(frozen=True)
class Ranking:
    """Players, best first, with their mean winrates; `ties` are the groups whose order only their names decided."""

    players: tuple[str, ...]
    winrates: tuple[float, ...]
    ties: tuple[tuple[str, ...], ...]
    unit: str

    def winrate(self, player: str) -> float:
        return self.winrates[self.players.index(player)]


@dataclass(frozen=True)
class Round:
    """One step of a run-off: who was still in, how they ranked, and who had to leave; nobody leaves the last one."""

    table: CrossTable
    ranking: Ranking
    eliminated: str | None


@dataclass(frozen=True)
class Runoff:
    """All rounds, the first with everybody in."""

    rounds: tuple[Round, ...]

    @property
    def elimination_order(self) -> tuple[str, ...]:
        """First eliminated first."""
        return tuple(each.eliminated for each in self.rounds if each.eliminated is not None)

    @property
    def players(self) -> tuple[str, ...]:
        """Best first: those who stayed to the end, then the eliminated, last one first."""
        return self.rounds[-1].ranking.players + self.elimination_order[::-1]

    @property
    def decisive_ties(self) -> tuple[tuple[str, ...], ...]:
        """Ties that may have changed the order: for the last place of a round, and any in the last round."""
        for_last = (tie for each in self.rounds[:-1] for tie in each.ranking.ties if each.eliminated in tie)
        return (*for_last, *self.rounds[-1].ranking.ties)


def bankroll(table: CrossTable) -> Ranking:
    """By mean winrate over all the player's matchups, each matchup with the same weight."""
    means = {
        player: math.fsum(matchup.winrate(player) for matchup in matchups) / len(matchups)
        for player in table.players
        for matchups in (table.matchups_of(player),)
    }
    ordered = tuple(sorted(means, key=lambda player: (-_comparable(means[player]), player)))
    levels: dict[float, list[str]] = {}
    for player in ordered:
        levels.setdefault(_comparable(means[player]), []).append(player)
    ties = tuple(tuple(group) for group in levels.values() if len(group) > 1)
    return Ranking(ordered, tuple(means[player] for player in ordered), ties, table.unit)


def _comparable(winrate: float) -> float:
    return round(winrate, DECIMALS)


def runoff(table: CrossTable) -> Runoff:
    """By recursive elimination of the last of the bankroll."""
    rounds: list[Round] = []
    while True:
        ranking = bankroll(table)
        last, remaining = ranking.players[-1], set(ranking.players[:-1])
        met = {player for matchup in table.matchups if last not in matchup.players for player in matchup.players}
        if met != remaining:
            return Runoff((*rounds, Round(table, ranking, None)))
        rounds.append(Round(table, ranking, last))
        table = table.only(remaining)


def total_wins(table: CrossTable) -> dict[str, int]:
    """For each player the number of matchups with a positive winrate."""
    return {
        player: sum(matchup.winrate(player) > 0 for matchup in table.matchups_of(player)) for player in table.players
    }


@dataclass(frozen=True)
class RankConfidence:
    """How often each player came in at each rank when the deals were drawn again.

    bankroll, runoff: `[P, P]` share of resamples; row = player, column = rank, best first. Rows and columns sum to 1.
    winrate_ci95:     `[P]` half-width of the 95% interval of the overall winrate.
    lead_ci95:        `[P, P]` the same of the difference between two players' overall winrates.
    """

    players: tuple[str, ...]
    bankroll: NDArray[np.float64]
    runoff: NDArray[np.float64]
    winrate_ci95: NDArray[np.float64]
    lead_ci95: NDArray[np.float64]
    num_resamples: int
    seed: int

    def __repr__(self) -> str:
        return f"<RankConfidence of {len(self.players)} players: {self.num_resamples:,} resamples, seed {self.seed}>"


def rank_confidence(
    matchups: Sequence[Sequence[str]], sums: ArrayLike, deals: ArrayLike, *, seed: int, num_resamples: int = 1000
) -> RankConfidence:
    """Bootstrap over blocks of deals that all matchups share, so a block is drawn for all of them or for none.

    M matchups of N players, B blocks. Players are numbered in the order in which the matchups name them.

    matchups: `[M, N]` names of those who met.
    sums:     `[M, B, N]` sum over the block's deals of what each of them won in the deal, its mean over seatings.
    deals:    `[B]` number of deals in the block.
    """
    players = tuple(dict.fromkeys(name for members in matchups for name in members))
    won, num_deals = np.asarray(sums, dtype=np.float64), np.asarray(deals, dtype=np.float64)
    _check_samples(matchups, won, num_deals, num_resamples)
    num_blocks = len(num_deals)
    drawn = np.random.default_rng(seed).multinomial(num_blocks, np.full(num_blocks, 1 / num_blocks), num_resamples)
    by_block = won.transpose(1, 0, 2).reshape(num_blocks, -1)
    winrates = (drawn @ by_block) / (drawn @ num_deals)[:, None]
    members = np.array([[players.index(name) for name in each] for each in matchups])
    resampled = _Resamples(winrates.reshape(num_resamples, *members.shape), members, players)
    everybody = np.ones((num_resamples, len(players)), dtype=bool)
    by_bankroll, by_runoff = resampled.bankroll(everybody), resampled.runoff()
    means = resampled.means(everybody)[0]
    half_widths = 1.96 * means.std(axis=0)
    leads = 1.96 * (means[:, :, None] - means[:, None, :]).std(axis=0)
    return RankConfidence(players, _shares(by_bankroll), _shares(by_runoff), half_widths, leads, num_resamples, seed)


def _check_samples(
    matchups: Sequence[Sequence[str]], won: NDArray[np.float64], deals: NDArray[np.float64], num_resamples: int
) -> None:
    expected = (len(matchups), deals.size, len(matchups[0]) if matchups else 0)
    if not matchups or deals.ndim != 1 or won.shape != expected:
        raise ConfigError(f"sums have the shape {won.shape}; matchups and deals ask for {expected}")
    if any(len(set(members)) != len(matchups[0]) for members in matchups):
        raise ConfigError("each matchup must name as many different players as the first")
    if deals.size < 2 or not (deals > 0).all() or not np.isfinite(won).all():
        raise ConfigError("a bootstrap needs at least 2 blocks, each with at least one deal and finite sums")
    if num_resamples < 1:
        raise ConfigError(f"num_resamples = {num_resamples}; it must be at least 1")


@dataclass(frozen=True)
class _Resamples:
    """Many tables of the same matchups, ranked at once.

    winrates: `[R, M, N]`; members: `[M, N]` player numbers.
    """

    winrates: NDArray[np.float64]
    members: NDArray[np.int64]
    players: tuple[str, ...]

    def bankroll(self, is_in: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Players from best to worst by the matchups of those who are in, `[R, P]`; those who are out come last."""
        means, _ = self.means(is_in)
        by_name = np.argsort(self.players, kind="stable")
        # Sorted by name first; a stable sort by winrate then leaves ties in that order.
        order = np.argsort(-means[:, by_name], axis=1, kind="stable")
        ranked: NDArray[np.int64] = by_name[order]
        return ranked

    def runoff(self) -> NDArray[np.int64]:
        """Players from best to worst by recursive elimination, `[R, P]`."""
        num_resamples, num_players = len(self.winrates), len(self.players)
        is_in = np.ones((num_resamples, num_players), dtype=bool)
        final = self.bankroll(is_in)
        is_running = np.ones(num_resamples, dtype=bool)
        for place in range(num_players - 1, 0, -1):
            last = final[np.arange(num_resamples), place]
            fewer = is_in.copy()
            fewer[np.arange(num_resamples), last] = False
            _, num_met = self.means(fewer)
            is_running &= ((num_met > 0) | ~fewer).all(axis=1)
            if not is_running.any():
                break
            is_in[is_running] = fewer[is_running]
            # Whoever is out keeps the place behind those who are in.
            final[is_running, :place] = self.bankroll(is_in)[is_running, :place]
        return final

    def means(self, is_in: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mean winrates, -inf for those who are out, and numbers of matchups, `[R, P]` each."""
        is_met: NDArray[np.bool_] = np.all(is_in[:, self.members], axis=2)
        belongs = (self.members.reshape(-1, 1) == np.arange(len(self.players))).astype(np.float64)
        totals = (self.winrates * is_met[:, :, None]).reshape(len(is_met), -1) @ belongs
        counts = np.repeat(is_met, self.members.shape[1], axis=1) @ belongs
        means = np.round(totals / np.maximum(counts, 1), DECIMALS)
        return np.where(is_in, means, -np.inf), counts.astype(np.int64)


def _shares(ranked: NDArray[np.int64]) -> NDArray[np.float64]:
    """`[R, P]` players by rank -> `[P, P]` share of each rank for each player."""
    num_players = ranked.shape[1]
    return np.stack([(ranked == player).mean(axis=0) for player in range(num_players)])
