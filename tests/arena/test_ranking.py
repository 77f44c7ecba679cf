"""Rankings: hand-made tables with derived answers, properties of any table, the bootstrap held to the plain code."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.ranking import bankroll, rank_confidence, runoff, total_wins
from nashgap.errors import ConfigError


def heads_up(wins: dict[str, float]) -> CrossTable:
    """`{"ab": 1}`: a wins 1 from b."""
    players = tuple(dict.fromkeys(name for pair in wins for name in pair))
    return CrossTable(players, tuple(Matchup(tuple(pair), (won, -won)) for pair, won in wins.items()))


# d is a chump whom only a beats up. Means of a, b, c, d: (-1 - 1 + 9) / 3, (1 - 2 + 1) / 3, (1 + 2 + 1) / 3, -11 / 3.
CHUMP = heads_up({"ab": -1.0, "ac": -1.0, "ad": 9.0, "bc": -2.0, "bd": 1.0, "cd": 1.0})


def test_bankroll_rewards_whoever_beats_the_chump() -> None:
    ranking = bankroll(CHUMP)
    assert ranking.players == ("a", "c", "b", "d")
    assert ranking.winrates == pytest.approx((7 / 3, 4 / 3, 0, -11 / 3))
    assert ranking.ties == ()


def test_runoff_forgets_the_chump() -> None:
    """Without d the means are a -1, b (1 - 2) / 2, c (1 + 2) / 2: a goes next, and c beats b by 2."""
    result = runoff(CHUMP)
    assert result.elimination_order == ("d", "a")
    assert result.players == ("c", "b", "a", "d")
    assert [each.ranking.players for each in result.rounds] == [("a", "c", "b", "d"), ("c", "b", "a"), ("c", "b")]
    assert result.rounds[1].ranking.winrates == (1.5, -0.5, -1.0)
    assert [len(each.table.matchups) for each in result.rounds] == [6, 3, 1]
    assert result.rounds[-1].eliminated is None


def test_total_wins_count_matchups_with_a_positive_winrate() -> None:
    assert total_wins(CHUMP) == {"a": 1, "b": 2, "c": 3, "d": 0}
    assert total_wins(heads_up({"ab": 0.0})) == {"a": 0, "b": 0}


def test_runoff_stops_when_too_few_teams_would_meet() -> None:
    """Matchups of three; a and A are a team. After e, the last one, every matchup left needs both b and c."""
    members = [("a", "b", "c"), ("A", "b", "c"), *(("a", *pair) for pair in (("b", "e"), ("c", "e"))), ("b", "c", "e")]
    table = CrossTable(
        ("a", "A", "b", "c", "e"),
        tuple(Matchup(names, (0.1, 0.2, -0.3) if "e" not in names else (2.0, 1.0, -3.0)) for names in members),
        {"a": "red", "A": "red"},
    )
    result = runoff(table)
    assert result.elimination_order == ("e",)
    assert result.players == ("b", "A", "a", "c", "e")


def test_runoff_stops_before_somebody_is_left_without_a_matchup() -> None:
    """Means: a 1, c 0.75, d -0.5, b -1. Without b, the last, nobody would be there whom a has met."""
    result = runoff(heads_up({"ab": 1.0, "bc": -1.0, "cd": 0.5}))
    assert result.elimination_order == ()
    assert result.players == ("a", "c", "d", "b")


def test_ties_are_broken_by_name_and_reported() -> None:
    """Rock, paper and scissors are all even; x loses to all. 0.1 + 0.2 and 0.3 count as equal."""
    cycle = {"rp": -0.3, "ps": -0.3, "sr": -0.3}
    table = heads_up({**cycle, "rx": 0.3, "px": 0.1 + 0.2, "sx": 0.3})
    assert bankroll(table).players == ("p", "r", "s", "x")
    assert bankroll(table).ties == (("p", "r", "s"),)
    result = runoff(table)
    assert result.decisive_ties == (("p", "r", "s"),)
    assert result.elimination_order == ("x", "s")
    assert result.players == ("p", "r", "s", "x")


# Coarse winrates make ties; the seats are 2 or 3.
@st.composite
def tables(draw: st.DrawFn) -> CrossTable:
    seats = draw(st.integers(2, 3))
    players = "abcdef"[: draw(st.integers(seats, 6))]
    sets = list(combinations(players, seats))
    sets = draw(st.lists(st.sampled_from(sets), min_size=1, max_size=len(sets), unique=True))
    rates = st.integers(-3, 3).map(lambda tenths: tenths / 10)
    matchups = tuple(Matchup(names, tuple(draw(rates) for _ in names)) for names in sets)
    return CrossTable(tuple(name for name in players if any(name in names for names in sets)), matchups)


@given(tables())
def test_rankings_are_permutations_that_do_not_depend_on_any_order(table: CrossTable) -> None:
    shuffled = CrossTable(
        table.players[::-1],
        tuple(Matchup(each.players[::-1], each.winrates[::-1]) for each in table.matchups[::-1]),
    )
    for rank in (bankroll, runoff):
        assert sorted(rank(table).players) == sorted(table.players)
        assert rank(table).players == rank(shuffled).players
    assert total_wins(table) == total_wins(shuffled)


@given(tables(), st.sampled_from([0.001, 2.0, 1000.0]))
def test_rankings_do_not_depend_on_the_unit(table: CrossTable, factor: float) -> None:
    scaled = tuple(Matchup(each.players, tuple(factor * rate for rate in each.winrates)) for each in table.matchups)
    other = CrossTable(table.players, scaled)
    assert bankroll(other).players == bankroll(table).players
    assert runoff(other).players == runoff(table).players


@given(tables())
def test_elimination_order_is_the_end_of_the_runoff(table: CrossTable) -> None:
    result = runoff(table)
    out = result.elimination_order
    assert result.players[len(result.players) - len(out) :] == out[::-1]
    assert all(each.eliminated == each.ranking.players[-1] for each in result.rounds[:-1])


# The bootstrap


def blocks_of(table: CrossTable, deals: list[int]) -> np.ndarray:
    """`[M, B, N]` sums of blocks in which everybody wins exactly the winrate."""
    rates = np.array([matchup.winrates for matchup in table.matchups])
    return rates[:, None, :] * np.array(deals)[None, :, None]


@settings(max_examples=60)
@given(tables())
def test_bootstrap_without_noise_ranks_as_the_plain_code(table: CrossTable) -> None:
    """Blocks of different size that all say the same leave nothing to chance."""
    deals = [5, 3, 2]
    found = rank_confidence(
        [each.players for each in table.matchups], blocks_of(table, deals), deals, seed=1, num_resamples=3
    )
    for shares, ranked in ((found.bankroll, bankroll(table).players), (found.runoff, runoff(table).players)):
        assert [found.players[row] for row in shares.argmax(axis=0)] == list(ranked)
        assert set(shares.ravel()) == {0.0, 1.0} if len(ranked) > 1 else {1.0}


@given(tables(), st.integers(0, 2**32))
def test_shares_of_ranks_sum_to_one(table: CrossTable, seed: int) -> None:
    deals = [10] * 4
    noise = np.random.default_rng(seed).normal(size=(len(table.matchups), 4, table.num_seats))
    found = rank_confidence([each.players for each in table.matchups], noise, deals, seed=seed, num_resamples=20)
    for shares in (found.bankroll, found.runoff):
        np.testing.assert_allclose(shares.sum(axis=0), 1.0)
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_bootstrap_gives_the_share_that_theory_does() -> None:
    """One matchup; 100 blocks have mean m and deviation s: the resampled mean is positive with about Phi(10 m / s)."""
    won = np.random.default_rng(3).normal(size=100)
    won = (won - won.mean()) / won.std() + 0.1  # exactly one standard error above 0: Phi(1) = 0.841
    sums = np.stack([won, -won], axis=1)[None]
    found = rank_confidence([("a", "b")], sums, np.ones(100), seed=4, num_resamples=20_000)
    assert found.players == ("a", "b")
    assert found.bankroll[0, 0] == pytest.approx(0.841, abs=0.015)
    np.testing.assert_array_equal(found.bankroll, found.runoff)


def test_blocks_are_drawn_for_all_matchups_at_once() -> None:
    """a wins from c exactly what b wins from c plus 1, block by block: a is ahead however large their common luck."""
    luck = np.random.default_rng(5).normal(scale=100.0, size=30)
    luck -= luck.mean()
    sums = np.array([np.stack([luck + 1, -luck - 1], axis=1), np.stack([luck, -luck], axis=1)])
    found = rank_confidence([("a", "c"), ("b", "c")], sums, np.ones(30), seed=6)
    assert found.players == ("a", "c", "b")
    assert found.bankroll[0, 2] == 0.0
    assert found.bankroll[2, 0] == 0.0
    assert 0.1 < found.bankroll[1, 0] < 0.9


def test_same_seed_same_shares() -> None:
    sums = np.random.default_rng(7).normal(size=(1, 9, 2))
    first, again, other = (rank_confidence([("a", "b")], sums, np.ones(9), seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.bankroll, again.bankroll)
    assert (first.bankroll != other.bankroll).any()


@pytest.mark.parametrize(
    ("matchups", "sums", "deals", "resamples", "message"),
    [
        ([], np.zeros((0, 2, 2)), [1, 1], 9, "matchups and deals ask for"),
        ([("a", "b")], np.zeros((1, 3, 2)), [1, 1], 9, r"shape \(1, 3, 2\); matchups and deals ask for \(1, 2, 2\)"),
        ([("a", "a")], np.zeros((1, 2, 2)), [1, 1], 9, "different players"),
        ([("a", "b")], np.zeros((1, 1, 2)), [1], 9, "at least 2 blocks"),
        ([("a", "b")], np.zeros((1, 2, 2)), [1, 0], 9, "at least one deal"),
        ([("a", "b")], np.full((1, 2, 2), np.nan), [1, 1], 9, "finite"),
        ([("a", "b")], np.zeros((1, 2, 2)), [1, 1], 0, "num_resamples = 0"),
    ],
)
def test_samples_that_do_not_fit_are_refused(
    matchups: list[tuple[str, ...]], sums: np.ndarray, deals: list[int], resamples: int, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        rank_confidence(matchups, sums, deals, seed=0, num_resamples=resamples)
