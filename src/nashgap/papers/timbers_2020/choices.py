"""What section 3.2 says of its own choices: batches of one game are too few, and UCT does better than PUCT.

Each variant learns against uniform play in Leduc from as many games, several times with other seeds, and all variants
of a repeat have the same seed. Two numbers of each: the exact value of what was learned, without a search; and what
training games paid in the second half, in which responders search as they do in the paper's figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nashgap.core.estimate import Estimate
from nashgap.core.job import BatchJob, budget, require_seed
from nashgap.errors import ConfigError
from nashgap.games.compiled import load_tree
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.best_response import exploitability
from nashgap.papers.statements import Statement, all_true, is_positive, num_true, statement_table
from nashgap.papers.timbers_2020.published import LEDUC
from nashgap.papers.timbers_2020.responders import networks_missing
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.search.actors import HereActor
from nashgap.search.options import PRESETS, Preset
from nashgap.search.responder_game import TreeResponderGame
from nashgap.search.training import ResponderTraining
from nashgap.strategies.table import TableStrategy, uniform

__all__ = ["VARIANTS", "AblationJob", "Found", "ablations", "check_choices"]

BATCHES = (1, 2, 8, 32)
# By what learns: the same by UCT and by PUCT, whichever the preset takes.
RULES = {
    "the table of Table 1": ("batch 32", "batch 32, puct"),
    "a table for minutes": ("table, uct", "table, puct"),
    "a network": ("network, uct", "network, puct"),
}
EPISODES, QUICK_EPISODES = 16_384, 1_024
REPEATS, QUICK_REPEATS = 5, 3


def _ruled(preset: Preset, rule: str) -> Preset:
    return replace(preset, search=replace(preset.search, rule=rule))


def _variants() -> dict[str, Preset]:
    usual = dict(zip(RULES.values(), (PRESETS[name] for name in ("paper-table", "table", "desk")), strict=True))
    found = {f"batch {games}": _ruled(replace(PRESETS["paper-table"], games=games), "uct") for games in BATCHES}
    for (uct, puct), preset in usual.items():
        found |= {uct: _ruled(preset, "uct"), puct: _ruled(preset, "puct")}
    return found


VARIANTS = _variants()
NETWORK_VARIANTS = RULES["a network"]


@dataclass(frozen=True, kw_only=True)
class AblationJob(BatchJob):
    """Variants that learn against uniform play; a batch is one of them with one seed.

    episodes: that each learns from, of both seats together.
    repeats:  with seeds of their own; all variants of a repeat come before the next.
    """

    kind: ClassVar[str] = "abr-ablations"

    game: str
    variants: tuple[str, ...]
    seed: int
    episodes: int
    repeats: int = budget()

    def __post_init__(self) -> None:
        require_seed(self.seed)
        if unknown := [name for name in self.variants if name not in VARIANTS]:
            raise ConfigError(f"unknown variant {unknown[0]!r}; known: {', '.join(VARIANTS)}")
        least = 4 * max(VARIANTS[name].games for name in self.variants)  # a batch of each seat in each half
        if self.episodes < least:
            raise ConfigError(f"episodes = {self.episodes}; these variants need at least {least}")
        if self.repeats < 2:
            raise ConfigError(f"repeats = {self.repeats}; an interval needs at least 2")

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.game}"

    @property
    def num_batches(self) -> int:
        return self.repeats * len(self.variants)

    def describe_batch(self, index: int) -> str:
        repeat, place = divmod(index, len(self.variants))
        return f"{self.variants[place]}, seed {self.seed + repeat}"

    @cached_property
    def opponent(self) -> TableStrategy:
        return uniform(load_tree(self.game))

    def run_batch(self, index: int) -> dict[str, Any]:
        """Of both seats together, over what best responses win: `frozen`, exactly, and `searching`, as games paid."""
        repeat, place = divmod(index, len(self.variants))
        preset = VARIANTS[self.variants[place]]
        seats = _Seats((TreeResponderGame(self.opponent, 0), TreeResponderGame(self.opponent, 1)))
        training = ResponderTraining(seats, preset, HereActor(seats), self.seed + repeat)
        num_batches = self.episodes // preset.games
        training.run(num_batches // 2)
        num_before, paid_before = training.num_games.copy(), training.payoff_sum.copy()
        training.run(num_batches - num_batches // 2)
        late = (training.payoff_sum - paid_before) / (training.num_games - num_before)
        frozen = sum(game.exact_value(training.values(player)) for player, game in enumerate(seats.games))
        best = sum(exploitability(self.opponent.tree, self.opponent).best_values)
        return {"frozen": frozen / best, "searching": float(late.sum()) / best}

    def combine(self, batches: Sequence[Mapping[str, Any]]) -> Found:
        rows = {
            key: np.array([batch[key] for batch in batches]).reshape(-1, len(self.variants)).T
            for key in ("frozen", "searching")
        }
        return Found(
            {name: rows["frozen"][place] for place, name in enumerate(self.variants)},
            {name: rows["searching"][place] for place, name in enumerate(self.variants)},
            self.seed,
        )


@dataclass(frozen=True)
class _Seats:
    """What the actor plays."""

    games: tuple[TreeResponderGame, TreeResponderGame]


@dataclass(frozen=True, eq=False)
class Found:
    """Shares of the best response by variant, `[repeats]` each; see `AblationJob.run_batch`."""

    frozen: Mapping[str, np.ndarray]
    searching: Mapping[str, np.ndarray]
    seed: int

    def estimate(self, name: str, *, is_searching: bool = False) -> Estimate:
        return self._estimate((self.searching if is_searching else self.frozen)[name])

    def difference(self, name: str, other: str, *, is_searching: bool = False) -> Estimate:
        """The first minus the second, seed by seed."""
        rows = self.searching if is_searching else self.frozen
        return self._estimate(rows[name] - rows[other])

    def _estimate(self, shares: np.ndarray) -> Estimate:
        return Estimate.from_samples(100 * shares, unit="%", method="abr", seed=self.seed)


def ablations(request: Request) -> Report:
    """Batches of 1, 2 and more; UCT and PUCT, by tables and by a network."""
    missing = networks_missing()
    variants = tuple(name for name in VARIANTS if not (missing and name in NETWORK_VARIANTS))
    job = AblationJob(
        game=LEDUC,
        variants=variants,
        seed=request.seed,
        episodes=QUICK_EPISODES if request.is_quick else EPISODES,
        repeats=QUICK_REPEATS if request.is_quick else REPEATS,
    )
    request.note(f"{len(variants)} variants, {job.repeats} times each, {job.episodes:,} games to learn from")
    found: Found = request.perform_own(job)
    statements = check_choices(found)
    return Report(
        title="ABR's own choices: batches, and the rule of the search (Timbers et al. 2020, section 3.2)",
        summary=f"{num_true(statements)} of {len(statements)} statements hold in Leduc against uniform play.",
        sections=(
            _table(found, variants),
            statement_table("What the paper says", statements),
            Text("What is measured", tuple(filter(None, (*_NOTES, missing)))),
        ),
        command=command_of("abr-ablations", request),
        facts={
            "game": job.game,
            "opponent": "uniform",
            "games to learn from": job.episodes,
            "repeats": job.repeats,
            "seed": request.seed,
            "version": package_version(),
        },
    )


_NOTES = (
    "Intervals are over repeats, and differences are taken seed by seed.",
    "A batch is what is learned from at once. In ours a value is the mean of all that was won after an information set,"
    " whatever the batch: a small batch only means that searches see newer values.",
)


def check_choices(found: Found) -> tuple[Statement, ...]:
    """Of batches and of rules, both numbers of each; a statement is true if all that it speaks of is."""
    one, *others = (f"batch {games}" for games in BATCHES)
    kinds = (True, False)
    larger = [found.difference(name, one, is_searching=kind) for name in others for kind in kinds]
    statements = [
        Statement(
            "with batches of 1 the tabular algorithm does worse than with 2 and more",
            all_true(is_positive(each.mean, each.ci95) for each in larger),
            "; ".join(
                f"{name}: {_shown(found.difference(name, one))} frozen,"
                f" {_shown(found.difference(name, one, is_searching=True))} searching"
                for name in others
            ),
        )
    ]
    for text, (uct, puct) in RULES.items():
        if uct in found.frozen:
            better = [found.difference(uct, puct, is_searching=kind) for kind in kinds]
            statements.append(
                Statement(
                    f"UCT does better than PUCT: {text}",
                    all_true(is_positive(each.mean, each.ci95) for each in better),
                    f"{_shown(better[1])} frozen, {_shown(better[0])} searching",
                )
            )
    return tuple(statements)


def _shown(difference: Estimate) -> str:
    return f"{difference.mean:+.1f} ± {difference.ci95:.1f} points"


def _table(found: Found, variants: Sequence[str]) -> Table:
    rows = tuple(
        (name, VARIANTS[name].games, found.estimate(name), found.estimate(name, is_searching=True)) for name in variants
    )
    note = "Share of what best responses win, both seats together."
    return Table("Variants", ("variant", "batch", "frozen, exactly", "searching, second half"), rows, note)
