"""What training by a recipe takes, before anything is built: sizes of the abstract game, memory, disk and time."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nashgap.abstraction.strength import NUM_HANDS, river_metric
from nashgap.core.result import Result
from nashgap.errors import GameSizeError, NashGapError, OutputError
from nashgap.jobs.iterating import Budget
from nashgap.poker.betting_tree import build_betting_tree, count_betting_tree
from nashgap.runs.checkpoints import num_kept
from nashgap.runs.progress import human_bytes
from nashgap.solvers.poker_mccfr import solver_bytes
from nashgap.solvers.recipe import Recipe

__all__ = ["TrainForecast", "available_memory", "forecast_recipe", "is_gap_measured", "require_memory", "require_room"]

# Of native/poker/betting_tree.h, native/abstraction/abstract_game.h and native/solvers/poker_mccfr.h.
BYTES_OF_NODE = 8 + 4 * 1 + 24
BYTES_OF_EDGE = 4
BYTES_OF_ENDING = 44 + 8
MOST_GAP_ENTRIES = 20_000_000  # of a game whose gap is measured unasked: to learn a response takes as much as to solve
NUM_EARLIER_BOARDS, NUM_RIVER_BOARDS = 1 + 1_755 + 16_432, 134_459  # canonical ones


@dataclass(frozen=True, repr=False)
class TrainForecast(Result):
    """Sizes of a training; R rounds, bytes in whole numbers.

    nodes_by_round:        `[R]` decisions of the betting tree.
    buckets:               `[R]` of each seat; the largest number where they differ by seat or by who is in the hand.
    entries_by_round:      `[R]` actions of all infosets.
    entry_bytes:           regret and average strategy, nearly all of the memory.
    tree_bytes:            the betting tree and where its entries lie.
    table_bytes:           card tables, mapped from files: memory that the system may take back.
    gap_bytes:             for the responses by which the gap is measured; 0 where it is not.
    node_bytes:            of other processes, where nodes share the training; 0 without.
    file_bytes:            the strategy, four bytes an entry; `quantised_bytes` with one byte an entry.
    checkpoint_bytes:      one saved state; `disk_bytes`: all that lie on the disk while one is written.
    iterations_per_second: as stored in the recipe for one thread, times the threads; None if nobody has measured it,
                           and with several nodes.
    """

    reporter: ClassVar[str] = "nashgap.reports.training:train_forecast_report"

    recipe: str
    title: str
    game: str
    seed: int
    threads: int
    nodes_by_round: tuple[int, ...]
    buckets: tuple[int, ...]
    information_sets: int
    entries_by_round: tuple[int, ...]
    entry_bytes: int
    tree_bytes: int
    table_bytes: int
    gap_bytes: int
    node_bytes: int
    file_bytes: int
    quantised_bytes: int
    checkpoint_bytes: int
    disk_bytes: int
    iterations_per_second: float | None
    iterations: int | None
    expected_seconds: float | None

    @property
    def summary(self) -> str:
        memory, disk = map(human_bytes, (self.bytes, self.disk_bytes))
        return f"{self.recipe}: {self.information_sets:,} information sets, {memory} of memory, {disk} of disk"

    @property
    def entries(self) -> int:
        return sum(self.entries_by_round)

    @property
    def bytes(self) -> int:
        """All memory that the solve holds."""
        return self.entry_bytes + self.tree_bytes + self.table_bytes + self.gap_bytes + self.node_bytes

    def as_dict(self) -> dict[str, Any]:
        rate_source = None if self.iterations_per_second is None else "stored in the recipe, one thread, times threads"
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "provenance"}
        told["seconds"] = told.pop("expected_seconds")
        return {"dry_run": True, **told, "entries": self.entries, "bytes": self.bytes, "rate_source": rate_source}


def is_gap_measured(num_entries: int, limits: Budget) -> bool:
    """Whether training tells the gap of its abstract game on the way: asked for, or in a small game."""
    return limits.until is not None or num_entries <= MOST_GAP_ENTRIES


def forecast_recipe(
    recipe: Recipe, limits: Budget, *, seed: int = 0, threads: int = 1, nodes: int | None = None
) -> TrainForecast:
    """At once, or in the time of building the betting tree where seats or numbers of players have other buckets."""
    size = count_betting_tree(recipe.rules, recipe.betting, recipe.prefix, recipe.truncation)
    counts = [[spec.bucket_counts(recipe.rules) for spec in of_seat.values()] for of_seat in recipe.cards]
    buckets = np.max([count for of_seat in counts for count in of_seat], axis=0).tolist()
    if all(list(count) == buckets for of_seat in counts for count in of_seat):
        infosets = [n * count for n, count in zip(size.nodes_by_round, buckets, strict=True)]
        entries = [n * count for n, count in zip(size.edges_by_round, buckets, strict=True)]
    else:
        infosets, entries = _count_by_node(recipe)
    entry_bytes = solver_bytes([0, *np.cumsum(entries).tolist()])
    tree_bytes = BYTES_OF_NODE * size.num_nodes + BYTES_OF_EDGE * size.num_edges + BYTES_OF_ENDING * size.num_endings
    others = (nodes or 1) - 1  # processes
    rate = None if recipe.iterations_per_second is None or others else recipe.iterations_per_second * threads
    iterations, seconds = _expected(rate, limits.iterations, limits.minutes)
    return TrainForecast(
        recipe=recipe.name,
        title=recipe.title,
        game=recipe.rules.name,
        seed=seed,
        threads=threads,
        nodes_by_round=size.nodes_by_round,
        buckets=tuple(buckets),
        information_sets=sum(infosets),
        entries_by_round=tuple(entries),
        entry_bytes=entry_bytes,
        tree_bytes=tree_bytes,
        table_bytes=_table_bytes(recipe),
        gap_bytes=entry_bytes + 4 * sum(entries) if is_gap_measured(sum(entries), limits) else 0,
        node_bytes=others * tree_bytes + entry_bytes * others // (others + 1),
        file_bytes=4 * sum(entries),
        quantised_bytes=sum(entries),
        checkpoint_bytes=entry_bytes,
        disk_bytes=entry_bytes * (num_kept(entry_bytes) + 1),
        iterations_per_second=rate,
        iterations=iterations,
        expected_seconds=seconds,
    )


if sys.platform == "win32":

    def _windows_memory() -> tuple[int, int]:
        import ctypes

        class Status(ctypes.Structure):
            """MEMORYSTATUSEX of the Windows API."""

            _fields_ = (
                ("size", ctypes.c_uint32),
                ("load", ctypes.c_uint32),
                ("total", ctypes.c_uint64),
                ("free", ctypes.c_uint64),
                ("others", ctypes.c_uint64 * 5),
            )

        status = Status(size=ctypes.sizeof(Status))
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            raise NashGapError("Windows does not tell how much memory it has")
        return status.total, status.free


def available_memory() -> tuple[int, int]:
    """Bytes of the machine, and how many of them are free now."""
    if sys.platform == "win32":
        return _windows_memory()
    page, total = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_PHYS_PAGES")
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        free = page * total
    return page * total, free


def require_memory(name: str, needed: float, advice: str = "") -> None:
    """GameSizeError where the machine cannot hold so many bytes; a warning where its memory is in use now.

    advice: what would take less, told with either.
    """
    hint = f"; {advice}" if advice else ""
    total, free = available_memory()
    told = f"{name} needs {needed / 2**30:,.1f} GiB of memory"
    if needed > total:
        raise GameSizeError(f"{told}; this machine has {total / 2**30:.1f} GiB{hint}")
    if needed > free:
        warnings.warn(f"{told}; {free / 2**30:.1f} GiB are free now{hint}", stacklevel=2)


def require_room(what: str, num_bytes: int, folder: Path) -> None:
    """OutputError where the disk of the folder, which need not be there yet, cannot hold so much."""
    while not folder.exists():
        folder = folder.absolute().parent
    free = shutil.disk_usage(folder).free
    if free < num_bytes:
        raise OutputError(f"{folder}: {what} takes {num_bytes:,} bytes; the disk has {free:,} left")


def _count_by_node(recipe: Recipe) -> tuple[list[int], list[int]]:
    """Infosets and entries by round, where nodes of a round have different numbers of buckets."""
    tree = build_betting_tree(recipe.rules, recipe.betting, recipe.prefix, recipe.truncation)
    table = np.zeros((recipe.rules.num_seats, recipe.rules.num_seats + 1, recipe.rules.num_rounds), np.int64)
    for seat, of_seat in enumerate(recipe.cards):
        for number, spec in of_seat.items():
            table[seat, number] = spec.bucket_counts(recipe.rules)
    rounds = np.repeat(np.arange(recipe.rules.num_rounds), np.diff(tree.round_start))
    buckets = table[tree.seat, tree.native.num_active, rounds]
    actions = np.diff(tree.first_edge)
    return _sums(buckets, tree.round_start), _sums(buckets * actions, tree.round_start)


def _table_bytes(recipe: Recipe) -> int:
    """Two bytes for each hand on each board: a river for each way to rank, the earlier streets for each metric."""
    specs = [spec for spec in recipe.card_specs if spec.kind != "lossless"]
    metrics = {spec.metric.partition("^")[0] for spec in specs}
    if any(spec.kind == "grid" for spec in specs):
        metrics.add("ehs2")
    num_clusterings = sum(spec.kind == "kmeans" for spec in specs)
    rivers = set(map(river_metric, metrics))
    rows = len(rivers) * NUM_RIVER_BOARDS + (len(metrics) + num_clusterings) * NUM_EARLIER_BOARDS
    return 2 * NUM_HANDS * rows


def _sums(values: np.ndarray, starts: Sequence[int] | np.ndarray) -> list[int]:
    return [int(values[begin:end].sum()) for begin, end in pairwise(starts)]


def _expected(rate: float | None, iterations: int | None, minutes: float | None) -> tuple[int | None, float | None]:
    """Iterations and seconds of the whole budget, as far as they are known."""
    if iterations is None and minutes is None:
        return None, None
    if rate is None:
        return iterations, None if minutes is None or iterations is not None else 60 * minutes
    seconds = min(
        float("inf") if iterations is None else iterations / rate, float("inf") if minutes is None else 60 * minutes
    )
    return round(seconds * rate), seconds
