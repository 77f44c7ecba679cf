"""What each round of a hold'em abstraction tells apart by itself; `nashgap.abstraction.buckets` has the texts.

Everything is counted over deals, not over canonical boards: a canonical board counts as often as it is dealt.
"""

from __future__ import annotations

import bisect
import math
import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from nashgap import _native
from nashgap.abstraction.kmeans import MAX_CENTRES, load_kmeans_table
from nashgap.abstraction.levels_by_board import LevelsByBoard
from nashgap.abstraction.strength import StrengthTables, load_strength_tables, preflop_classes
from nashgap.abstraction.table_cache import kept_table
from nashgap.core.user_folders import cache_folder
from nashgap.errors import ConfigError
from nashgap.poker.streets import STREETS

__all__ = ["build_rounds", "level_cuts", "own_sizes", "require_counts", "rounds_by_board"]

LOSSLESS_SIZES = (169, 1_286_792, 13_960_050, 123_156_254)
"""By street: hands and boards but for the names of suits and the order of the board."""
NUM_RIVER_RANKS = 10_219_450
"""Over the 134,459 canonical river boards, how many different ranks hands have."""
MAX_CUT_BUCKETS = 65_534
RIVER = 3


def require_counts(kind: str, counts: Sequence[str]) -> None:
    """Raise ConfigError unless the texts are numbers of buckets that rounds of the kind can have."""
    if not 1 <= len(counts) <= len(STREETS):
        raise ConfigError(f"buckets {'/'.join(counts)!r} are not of 1 to {len(STREETS)} rounds")
    for street, count in enumerate(counts):
        if count == "lossless" or (count == "ranks" and street == RIVER):
            continue
        num_factors = 1 if kind != "grid" or street == 0 else 2 if street == RIVER else 3
        most = MAX_CENTRES if kind == "kmeans" and street in (1, 2) else MAX_CUT_BUCKETS
        found = re.fullmatch("x".join(["([1-9][0-9]{0,8})"] * num_factors), count)
        if not found or any(int(number) > most for number in found.groups()):
            form = f"{num_factors} numbers joined by 'x', each 1 to {most}" if num_factors > 1 else f"1 to {most}"
            others = "lossless or ranks" if street == RIVER else "lossless"
            raise ConfigError(f"{kind} has no {count!r} buckets on the {STREETS[street]}; {form}, or {others}")


def own_sizes(counts: Sequence[str]) -> tuple[int, ...]:
    """How many buckets each round has of its own."""
    return tuple(_own_size(street, count) for street, count in enumerate(counts))


def _own_size(street: int, count: str) -> int:
    if count == "lossless":
        return LOSSLESS_SIZES[street]
    return NUM_RIVER_RANKS if count == "ranks" else math.prod(_numbers(count))


def build_rounds(
    kind: str,
    counts: Sequence[str],
    tables: StrengthTables,
    *,
    remembered: Sequence[list[int]] | None,
    num_deals: int,
    num_bins: int,
    seed: int,
    folder: Path | None,
    num_threads: int | None,
) -> list[_native.RoundBuckets]:
    """The rounds' own buckets, preflop first. remembered: by round, if percentiles are cut within them."""
    threads = num_threads or os.cpu_count() or 1
    rounds: list[_native.RoundBuckets] = []
    squares: StrengthTables | None = None
    for street, count in enumerate(counts):
        levels = tables.levels[street]
        if count == "ranks":
            rounds.append(_native.RankBuckets(threads))
        elif count == "lossless":
            rounds.append(_lossless(street))
        elif kind == "grid" and street > 0:
            # Once for all rounds: each time half a gigabyte is checked against its digest.
            squares = squares or load_strength_tables("ehs2", folder=folder, num_threads=threads)
            num_boards, num_strengths, num_spreads = (*_numbers(count), 1)[:3]
            grid = _native.GridBuckets(
                street, levels, squares.levels[street], num_boards, num_strengths, num_spreads, threads
            )
            rounds.append(grid)
        elif kind == "kmeans" and street in (1, 2):
            table = load_kmeans_table(
                street,
                int(count),
                num_bins=num_bins,
                seed=seed,
                river=tables.levels[RIVER],
                folder=folder,
                num_threads=threads,
            )
            rounds.append(_native.BucketTable(street, table, int(count)))
        else:
            num_cuts = int(count) - 1
            if remembered and remembered[street]:
                name = "-".join([tables.metric, *counts[: street + 1], "recall", *map(str, remembered[street])])
                path = (folder or cache_folder()) / "nested-1" / f"{name}-deals{num_deals}-seed{seed}.bin"
                num_parents = math.prod(_own_size(earlier, counts[earlier]) for earlier in remembered[street])
                cuts = _kept(
                    path,
                    num_parents * num_cuts,
                    partial(
                        _native.nested_share_cuts,
                        _native.HoldemBuckets(rounds, remembered[:street]),
                        remembered[street],
                        levels,
                        num_cuts,
                        num_deals,
                        seed,
                        threads,
                    ),
                )
            else:
                cuts = level_cuts(kind, street, count, tables)
            rounds.append(_native.LevelCuts(street, levels, num_cuts, cuts))
    return rounds


def level_cuts(kind: str, street: int, count: str, tables: StrengthTables) -> list[int]:
    """The lowest level of each bucket but the first, where nothing is remembered. count: a number, as text."""
    if kind == "uniform":
        return _uniform_cuts(int(count), tables.level_units[street], tables.powers[street])
    return _native.share_cuts(street, tables.levels[street], int(count) - 1)


def rounds_by_board(levels: LevelsByBoard, cuts: Sequence[Sequence[int]]) -> list[_native.RoundBuckets]:
    """Rounds whose buckets are right on the boards that `levels` were filled for; preflop all hands are told apart."""
    later = (
        _native.LevelCuts(street, levels.levels[street], len(of_street), list(of_street))
        for street, of_street in enumerate(cuts)
        if street > 0
    )
    return [_lossless(0), *later]


def _kept(path: Path, size: int, build: Callable[[], list[int]]) -> list[int]:
    """The cuts of a file of the cache, built if it has none."""
    cuts: list[int] = kept_table(path, np.uint16, (size,), lambda: np.array(build(), np.uint16)).tolist()
    return cuts


def _lossless(street: int) -> _native.RoundBuckets:
    if street > 0:
        return _native.LosslessRound(street)
    return _native.BucketTable(0, preflop_classes().astype(np.uint16), LOSSLESS_SIZES[0])


def _uniform_cuts(num_buckets: int, unit: int, power: int) -> list[int]:
    """The lowest level of each bucket but the first, where strength is (level / unit) ** power; in whole numbers."""
    return [
        bisect.bisect_left(range(unit + 1), cut * unit**power, key=lambda level: num_buckets * level**power)
        for cut in range(1, num_buckets)
    ]


def _numbers(count: str) -> list[int]:
    return [int(number) for number in count.split("x")]
