"""Card abstractions: which private hands a smaller game tells apart, round by round.

As text, for example `percentile(ehs2, 16/16/16/16, recall=none)`:

`percentile` or `uniform`   equal shares of the deals, or equal steps of strength; equal strengths share a bucket
`ehs2`                      the metric of `nashgap.abstraction.strength`
`16/16/16/16`               buckets of each round's own; `lossless` first tells all 169 preflop hands apart
`recall=`                   `none`: the current round only; `all`: the buckets of all earlier rounds are remembered; or
                            rounds joined by `+`, such as `preflop+flop`
`cuts=nested`               each round is cut anew within the remembered buckets (`global`, the default, does not)
`deals=`, `seed=`           of the sample that nested cuts of the turn and river are made from; the flop's are exact

`lossless` alone gives every hand and board of a small deck its own bucket.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nashgap import _native
from nashgap.abstraction.strength import METRICS, NUM_HANDS, STREETS, StrengthTables, load_strength_tables
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.rules import PokerRules

__all__ = ["CardAbstraction", "CardAbstractionSpec", "RoundQuality", "build_abstraction", "parse_card_abstraction"]

KINDS = ("percentile", "uniform", "lossless")
NUM_PREFLOP_CLASSES = 169
MAX_BUCKETS = 65_534
NUM_NESTED_DEALS = 20_000_000


@dataclass(frozen=True)
class CardAbstractionSpec:
    """What to build; see the module for its text.

    num_buckets: by round, of the round's own; 169 first if `is_preflop_lossless`.
    remembered:  rounds (0-based) whose own bucket every later round remembers.
    """

    kind: str
    metric: str = "ehs2"
    num_buckets: tuple[int, ...] = ()
    is_preflop_lossless: bool = False
    remembered: tuple[int, ...] = ()
    is_nested: bool = False
    num_deals: int = NUM_NESTED_DEALS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"unknown card abstraction {self.kind!r}; known: {', '.join(KINDS)}")
        if self.kind == "lossless":
            if self.num_buckets or self.is_preflop_lossless or self.remembered or self.is_nested:
                raise ConfigError("the card abstraction 'lossless' has no parameters")
            return
        if self.metric not in METRICS:
            raise ConfigError(f"unknown strength metric {self.metric!r}; known: {', '.join(METRICS)}")
        if not 1 <= len(self.num_buckets) <= 4 or not all(1 <= count <= MAX_BUCKETS for count in self.num_buckets):
            counts = "/".join(map(str, self.num_buckets))
            raise ConfigError(f"buckets {counts!r} are not 1 to 4 rounds of 1 to {MAX_BUCKETS} each")
        if self.is_preflop_lossless and self.num_buckets[0] != NUM_PREFLOP_CLASSES:
            raise ConfigError(f"a lossless preflop has {NUM_PREFLOP_CLASSES} buckets, not {self.num_buckets[0]}")
        if any(not 0 <= number < len(self.num_buckets) - 1 for number in self.remembered):
            raise ConfigError(f"rounds {list(self.remembered)} cannot be remembered in {len(self.num_buckets)} rounds")
        if tuple(sorted(set(self.remembered))) != self.remembered:
            raise ConfigError(f"remembered rounds {list(self.remembered)} are not in ascending order")
        if self.is_nested and (self.kind == "uniform" or not self.remembered):
            raise ConfigError("nested cuts are percentiles within remembered rounds")
        if self.num_deals < 1 or not 0 <= self.seed < 2**64:
            raise ConfigError(f"deals={self.num_deals}, seed={self.seed}: at least one deal, a seed of 64 bits")

    def to_text(self) -> str:
        """The shortest text that means this; `parse_card_abstraction` reads it."""
        if self.kind == "lossless":
            return self.kind
        counts = [str(count) for count in self.num_buckets]
        if self.is_preflop_lossless:
            counts[0] = "lossless"
        parts = [self.metric, "/".join(counts), f"recall={self._recall_text()}"]
        if self.is_nested:
            parts.append("cuts=nested")
            parts += [f"deals={self.num_deals}"] if self.num_deals != NUM_NESTED_DEALS else []
            parts += [f"seed={self.seed}"] if self.seed else []
        return f"{self.kind}({', '.join(parts)})"

    def remembered_by(self, round_number: int) -> list[int]:
        """The earlier rounds whose buckets a round remembers."""
        return [earlier for earlier in self.remembered if earlier < round_number]

    def _recall_text(self) -> str:
        if not self.remembered:
            return "none"
        if self.remembered == tuple(range(len(self.num_buckets) - 1)):
            return "all"
        return "+".join(STREETS[number] for number in self.remembered)


def parse_card_abstraction(text: str) -> CardAbstractionSpec:
    """The abstraction that a text names."""
    if text.strip() == "lossless":
        return CardAbstractionSpec("lossless")
    form = "a card abstraction looks like 'percentile(ehs2, 16/16/16/16, recall=none)' or 'lossless'"
    match = re.fullmatch(r"\s*(\w+)\s*\(([^()]*)\)\s*", text)
    parts = [part.strip() for part in match[2].split(",")] if match else []
    if match is None or len(parts) < 2:
        raise ConfigError(f"cannot read {text!r}; {form}")
    counts, is_preflop_lossless = _parse_counts(parts[1])
    options: dict[str, str] = {}
    for part in parts[2:]:
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or key in options or key not in ("recall", "cuts", "deals", "seed"):
            raise ConfigError(f"cannot read {part!r} in {text!r}; options, once each: recall, cuts, deals, seed")
        options[key] = value
    cuts = options.get("cuts", "global")
    if cuts not in ("global", "nested"):
        raise ConfigError(f"cuts are 'global' or 'nested', not {cuts!r}")
    if cuts == "global" and options.keys() & {"deals", "seed"}:
        raise ConfigError(f"deals and seed belong to nested cuts; {text!r} has none")
    return CardAbstractionSpec(
        match[1],
        parts[0],
        counts,
        is_preflop_lossless,
        _parse_recall(options.get("recall", "none"), len(counts)),
        cuts == "nested",
        _parse_number(options.get("deals", str(NUM_NESTED_DEALS)), "deals"),
        _parse_number(options.get("seed", "0"), "seed"),
    )


@dataclass(frozen=True)
class RoundQuality:
    """How much one round's buckets tell.

    sizes:            `[buckets]` share of the deals in each.
    variance:         of the strength over all deals.
    within_variance:  what is left of it within buckets: 0 if all is told.
    """

    sizes: np.ndarray
    variance: float
    within_variance: float


class CardAbstraction:
    """A built abstraction of a game's cards. R rounds; `native` is what solvers look hands up in."""

    def __init__(
        self,
        spec: CardAbstractionSpec,
        rules: PokerRules,
        native: _native.StrengthBuckets | _native.LosslessSmall,
        tables: StrengthTables | None,
        build_seconds: float,
    ) -> None:
        self.spec = spec
        self.rules = rules
        self.native = native
        self.build_seconds = build_seconds
        self.num_buckets = tuple(native.num_buckets(number) for number in range(native.num_rounds))
        self._tables = tables

    def hand_buckets(self, hole_cards: np.ndarray, boards: np.ndarray) -> np.ndarray:
        """Buckets of many hands up to the round that the boards reach. `[N, H]`, `[N, B]` uint8 -> `[N, R]` int32."""
        last_round = self._round_of(boards.shape[-1])
        self._require_deck(hole_cards)
        self._require_deck(boards)
        buckets = np.empty((len(hole_cards), last_round + 1), dtype=np.int32)
        holes, table = (np.ascontiguousarray(cards, dtype=np.uint8) for cards in (hole_cards, boards))
        try:
            self.native.hand_buckets(holes, table, last_round, buckets)
        except ValueError as problem:
            raise ConfigError(f"hands {list(hole_cards.shape)} on boards {list(boards.shape)}: {problem}") from problem
        return buckets

    def all_buckets(self, board: Sequence[int], round_number: int) -> np.ndarray:
        """The bucket of every private hand in a round, -1 where cards collide.

        `[1326]` by hand index for two hole cards (-1 too for cards that are not in the deck), `[deck]` for one.
        """
        cards = np.array(board, dtype=np.int64)
        self._require_deck(cards)
        size = NUM_HANDS if self.rules.num_hole_cards == 2 else len(self.rules.deck)
        buckets = np.empty(size, dtype=np.int32)
        try:
            self.native.all_buckets(cards.astype(np.uint8), round_number, buckets)
        except ValueError as problem:
            raise ConfigError(f"board {list(board)} in round {round_number}: {problem}") from problem
        return buckets

    def quality(self, *, num_deals: int = 1_000_000, seed: int = 0) -> tuple[RoundQuality, ...]:
        """By round; from so many sampled deals, or exact if lossless, where all buckets are equally likely."""
        if not isinstance(self.native, _native.StrengthBuckets) or self._tables is None:
            return tuple(RoundQuality(np.full(count, 1 / count), 0.0, 0.0) for count in self.num_buckets)
        if num_deals < 1:
            raise ConfigError(f"quality needs at least one deal, not {num_deals}")
        levels = np.empty((num_deals, len(self.num_buckets)), dtype=np.uint16)
        buckets = np.empty((num_deals, len(self.num_buckets)), dtype=np.int32)
        self.native.sample(seed, levels, buckets)
        rounds = []
        for number, num_buckets in enumerate(self.num_buckets):
            values, bucket = self._tables.values(number, levels[:, number]), buckets[:, number]
            counts = np.bincount(bucket, minlength=num_buckets)
            means = np.bincount(bucket, values, num_buckets) / np.maximum(counts, 1)
            within = float(np.mean((values - means[bucket]) ** 2))
            rounds.append(RoundQuality(counts / num_deals, float(np.var(values)), within))
        return tuple(rounds)

    def _round_of(self, num_board_cards: int) -> int:
        reached = [self.rules.board_cards_by(number) for number in range(self.rules.num_rounds)]
        if num_board_cards not in reached:
            raise ConfigError(f"no round has {num_board_cards} board cards; the rounds have {reached}")
        return len(reached) - 1 - reached[::-1].index(num_board_cards)

    def _require_deck(self, cards: np.ndarray) -> None:
        if cards.size and not np.isin(cards, self.rules.deck).all():
            raise ConfigError(f"cards {np.setdiff1d(cards, self.rules.deck).tolist()} are not in the deck")


def build_abstraction(
    spec: CardAbstractionSpec, rules: PokerRules, *, folder: Path | None = None, num_threads: int | None = None
) -> CardAbstraction:
    """Build the abstraction for a game. folder: of the strength tables, if not the user's cache."""
    start = time.perf_counter()
    if spec.kind == "lossless":
        if not _native.LosslessSmall.fits(rules.native):
            raise UnsupportedGameError(
                f"{rules.name or 'the game'} has too many hands and boards to keep them all apart"
            )
        lossless = _native.LosslessSmall(rules.native)
        return CardAbstraction(spec, rules, lossless, None, time.perf_counter() - start)
    is_hold_em = len(rules.deck) == 52 and rules.num_hole_cards == 2
    if not is_hold_em or rules.num_board_cards != (0, 3, 1, 1)[: rules.num_rounds]:
        raise UnsupportedGameError(f"{rules.name or 'the game'} is not hold'em with 52 cards; use 'lossless'")
    if len(spec.num_buckets) != rules.num_rounds:
        raise ConfigError(f"{spec.to_text()} has {len(spec.num_buckets)} rounds, the game {rules.num_rounds}")
    own, rounds = spec.num_buckets, range(rules.num_rounds)
    for number in rounds:
        total = own[number] * int(np.prod([own[earlier] for earlier in spec.remembered_by(number)], dtype=object))
        if total >= 2**31:
            raise ConfigError(f"{spec.to_text()} has {total} buckets in round {number}; at most {2**31 - 1}")
    tables = load_strength_tables(spec.metric, folder=folder, num_threads=num_threads)
    native = _native.StrengthBuckets(
        tables.levels[: rules.num_rounds],
        tables.level_units[: rules.num_rounds],
        spec.num_buckets,
        [spec.remembered_by(number) for number in rounds],
        spec.kind == "uniform",
        spec.is_nested,
        spec.is_preflop_lossless,
        spec.num_deals,
        spec.seed,
        num_threads or os.cpu_count() or 1,
    )
    return CardAbstraction(spec, rules, native, tables, time.perf_counter() - start)


def _parse_number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]+", text):
        raise ConfigError(f"{what} must be a whole number, not {text!r}")
    return int(text)


def _parse_counts(text: str) -> tuple[tuple[int, ...], bool]:
    first, *others = (part.strip() for part in text.split("/"))
    is_lossless = first == "lossless"
    counts = [str(NUM_PREFLOP_CLASSES) if is_lossless else first, *others]
    return tuple(_parse_number(count, "buckets of a round") for count in counts), is_lossless


def _parse_recall(text: str, num_rounds: int) -> tuple[int, ...]:
    if text == "none":
        return ()
    if text == "all":
        return tuple(range(num_rounds - 1))
    names = [name.strip() for name in text.split("+")]
    if unknown := [name for name in names if name not in STREETS]:
        raise ConfigError(f"unknown recall {unknown[0]!r}; known: none, all, {', '.join(STREETS)}")
    return tuple(STREETS.index(name) for name in names)
