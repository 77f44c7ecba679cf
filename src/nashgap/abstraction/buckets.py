"""Card abstractions: which private hands a smaller game tells apart, round by round.

As text, for example `percentile(ehs2, 16/16/16/16, recall=none)`, or `lossless` alone, which gives every hand and board
of a small deck its own bucket. The kinds of hold'em, with the buckets of each round's own:

`percentile(METRIC, N/N/N/N)`  equal shares of the deals by a metric of `nashgap.abstraction.strength`; equal strengths
                               share a bucket
`uniform(METRIC, N/N/N/N)`     equal steps of the metric from 0 to 1
`grid(N/BxSxV/BxSxV/BxS)`      for very many buckets: B classes of boards by texture, each cut into S shares by E[HS],
                               and each of those into V by the variance of the hand's final strength (draws apart from
                               made hands); preflop plain shares by E[HS]
`kmeans(N/N/N/N)`              flop and turn: k-means on histograms of final strength with the earth mover's distance;
                               `bins=` of the histogram, `seed=`. Preflop and river: shares by E[HS]

In place of its number any round may have `lossless` (all hands and boards, but for the names of suits and the order in
which the board was dealt), the river also `ranks` (canonical boards, on each the hands that rank equal: all is told but
the cards that a hand blocks).

`recall=`            `none`: the current round only; `all`: the buckets of all earlier rounds are remembered; or rounds
                     joined by `+`, such as `preflop+flop`
`cuts=nested`        percentiles are cut anew within the remembered buckets (`global`, the default, are not)
`deals=`, `seed=`    of the sample that nested cuts of the turn and river are made from; the flop's are exact
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.levels_by_board import has_levels_by_board
from nashgap.abstraction.rounds import build_rounds, level_cuts, own_sizes, require_counts
from nashgap.abstraction.strength import (
    FORMER_NAMES,
    NUM_HANDS,
    StrengthTables,
    load_strength_tables,
    metric_power,
)
from nashgap.core.job import require_seed
from nashgap.errors import ConfigError, UnsupportedGameError
from nashgap.poker.rules import PokerRules
from nashgap.poker.streets import STREETS

__all__ = ["CardAbstraction", "CardAbstractionSpec", "RoundQuality", "build_abstraction", "parse_card_abstraction"]

KINDS = ("percentile", "uniform", "grid", "kmeans", "lossless")
METRIC_KINDS = ("percentile", "uniform")
NUM_NESTED_DEALS = 20_000_000
NUM_BINS = 30
NUM_FINGERPRINT_DEALS = 4096
MAX_BUCKETS = 2**31 - 1


@dataclass(frozen=True)
class CardAbstractionSpec:
    """What to build; see the module for its text.

    metric:      of `percentile` and `uniform`; `ehs` otherwise.
    counts:      by round, the text of its own buckets: `16`, `60x50x40`, `lossless`, `ranks`.
    remembered:  rounds (0-based) whose own bucket every later round remembers.
    num_deals:   that nested cuts are made from.
    num_bins:    of the histograms of `kmeans`.
    """

    kind: str
    metric: str = "ehs"
    counts: tuple[str, ...] = ()
    remembered: tuple[int, ...] = ()
    is_nested: bool = False
    num_deals: int = NUM_NESTED_DEALS
    num_bins: int = NUM_BINS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"unknown card abstraction {self.kind!r}; known: {', '.join(KINDS)}")
        if self.kind == "lossless":
            if self.counts or self.remembered or self.is_nested:
                raise ConfigError("the card abstraction 'lossless' has no parameters")
            return
        metric_power(self.metric)
        if self.kind not in METRIC_KINDS and self.metric != "ehs":
            raise ConfigError(f"{self.kind} has no metric to choose; {self.metric!r} was given")
        require_counts(self.kind, self.counts)
        if any(not 0 <= number < len(self.counts) - 1 for number in self.remembered):
            raise ConfigError(f"rounds {list(self.remembered)} cannot be remembered in {len(self.counts)} rounds")
        if tuple(sorted(set(self.remembered))) != self.remembered:
            raise ConfigError(f"remembered rounds {list(self.remembered)} are not in ascending order")
        if self.is_nested and (self.kind != "percentile" or not self.remembered):
            raise ConfigError("nested cuts are percentiles within remembered rounds")
        require_seed(self.seed)
        if self.num_deals < 1 or not 2 <= self.num_bins <= 100:
            raise ConfigError(
                f"deals={self.num_deals}, bins={self.num_bins}: at least one deal, 2 to 100 bins are needed"
            )

    @property
    def num_own_buckets(self) -> tuple[int, ...]:
        """By round, what it has without those it remembers; of a kind for hold'em."""
        return own_sizes(self.counts)

    @property
    def has_cuts(self) -> bool:
        """Whether levels of strength on the board alone tell the buckets from the flop on, and preflop needs none."""
        return (
            self.kind in METRIC_KINDS
            and has_levels_by_board(self.metric)
            and self.counts[0] == "lossless"
            and all(count.isdigit() for count in self.counts[1:])
            and not self.remembered
        )

    def to_text(self) -> str:
        """The shortest text that means this; `parse_card_abstraction` reads it."""
        if self.kind == "lossless":
            return self.kind
        parts = [self.metric] if self.kind in METRIC_KINDS else []
        parts.append("/".join(self.counts))
        if self.kind in METRIC_KINDS or self.remembered:
            parts.append(f"recall={self._recall_text()}")
        if self.is_nested:
            parts.append("cuts=nested")
            parts += [f"deals={self.num_deals}"] if self.num_deals != NUM_NESTED_DEALS else []
        if self.kind == "kmeans":
            parts += [f"bins={self.num_bins}"] if self.num_bins != NUM_BINS else []
        if self.seed:
            parts.append(f"seed={self.seed}")
        return f"{self.kind}({', '.join(parts)})"

    def remembered_by(self, round_number: int) -> list[int]:
        """The earlier rounds whose buckets a round remembers."""
        return [earlier for earlier in self.remembered if earlier < round_number]

    def bucket_counts(self, rules: PokerRules) -> tuple[int, ...]:
        """How many buckets each round of a game has, all remembered ones counted; builds no table."""
        if self.kind == "lossless":
            return _small_deck_counts(rules)
        _require_hold_em(rules)
        if len(self.counts) != rules.num_rounds:
            raise ConfigError(f"{self.to_text()} has {len(self.counts)} rounds, the game {rules.num_rounds}")
        own = self.num_own_buckets
        totals = [
            math.prod([count, *(own[earlier] for earlier in self.remembered_by(number))])
            for number, count in enumerate(own)
        ]
        for number, total in enumerate(totals):
            if total > MAX_BUCKETS:
                raise ConfigError(f"{self.to_text()} has {total} buckets in round {number}; at most {MAX_BUCKETS}")
        return tuple(totals)

    def _recall_text(self) -> str:
        if not self.remembered:
            return "none"
        if self.remembered == tuple(range(len(self.counts) - 1)):
            return "all"
        return "+".join(STREETS[number] for number in self.remembered)


def parse_card_abstraction(text: str) -> CardAbstractionSpec:
    """The abstraction that a text names."""
    if text.strip() == "lossless":
        return CardAbstractionSpec("lossless")
    form = "a card abstraction looks like 'percentile(ehs2, 16/16/16/16, recall=none)' or 'lossless'"
    match = re.fullmatch(r"\s*(\w+)\s*\(([^()]*)\)\s*", text)
    parts = [part.strip() for part in match[2].split(",")] if match else []
    if match is not None and match[1] not in KINDS:
        raise ConfigError(f"unknown card abstraction {match[1]!r}; known: {', '.join(KINDS)}")
    if match is not None and match[1] not in METRIC_KINDS:
        parts.insert(0, "ehs")
    if match is None or len(parts) < 2:
        raise ConfigError(f"cannot read {text!r}; {form}")
    metric, counts = FORMER_NAMES.get(parts[0], parts[0]), tuple(part.strip() for part in parts[1].split("/"))
    options: dict[str, str] = {}
    for part in parts[2:]:
        key, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or key in options or key not in ("recall", "cuts", "deals", "bins", "seed"):
            raise ConfigError(f"cannot read {part!r} in {text!r}; options, once each: recall, cuts, deals, bins, seed")
        options[key] = value
    cuts = options.get("cuts", "global")
    if cuts not in ("global", "nested"):
        raise ConfigError(f"cuts are 'global' or 'nested', not {cuts!r}")
    is_random = cuts == "nested" or match[1] == "kmeans"
    if ("deals" in options and cuts != "nested") or ("seed" in options and not is_random):
        raise ConfigError(f"deals belong to nested cuts, a seed to these and to kmeans; {text!r} has none")
    if "bins" in options and match[1] != "kmeans":
        raise ConfigError(f"bins belong to kmeans, not to {match[1]}")
    return CardAbstractionSpec(
        match[1],
        metric,
        counts,
        _parse_recall(options.get("recall", "none"), len(counts)),
        cuts == "nested",
        _parse_number(options.get("deals", str(NUM_NESTED_DEALS)), "deals"),
        _parse_number(options.get("bins", str(NUM_BINS)), "bins"),
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
        native: _native.HoldemBuckets | _native.LosslessSmall,
        tables: StrengthTables | None,
        build_seconds: float,
    ) -> None:
        self.spec = spec
        self.rules = rules
        self._native = native
        self.build_seconds = build_seconds
        self.num_buckets = tuple(native.num_buckets(number) for number in range(native.num_rounds))
        self._tables = tables

    def __repr__(self) -> str:
        buckets = "/".join(map(str, self.num_buckets))
        return f"<CardAbstraction {self.spec.to_text()} of {self.rules.name or 'poker'}: {buckets} buckets>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process builds it anew, from the tables in the cache."""
        return build_abstraction, (self.spec, self.rules)

    @property
    def native(self) -> _native.HoldemBuckets | _native.LosslessSmall:
        return self._native

    @cached_property
    def cuts(self) -> tuple[list[int], ...] | None:
        """By round, the lowest level of strength of each bucket but the first, by which boards can be looked up one by
        one; None where they do not suffice. Preflop, where all hands are told apart, there are none."""
        if self._tables is None or not self.spec.has_cuts:
            return None
        later = enumerate(self.spec.counts[1:], start=1)
        return [], *(level_cuts(self.spec.kind, street, count, self._tables) for street, count in later)

    @cached_property
    def fingerprint(self) -> str:
        """32 hex digits of the cards' shape, the numbers of buckets and the buckets of some thousand fixed deals."""
        rules, num_hole = self.rules, self.rules.num_hole_cards
        shape = [rules.num_ranks, rules.num_suits, num_hole, *rules.num_board_cards]
        # Raw words and their order, since numpy promises the same words for ever but not the same shuffles.
        words = np.random.Philox(key=0).random_raw(NUM_FINGERPRINT_DEALS * len(rules.deck))
        order = np.argsort(words.reshape(NUM_FINGERPRINT_DEALS, -1), axis=1, kind="stable")
        cards = np.array(rules.deck, dtype=np.uint8)[order[:, : num_hole + sum(rules.num_board_cards)]]
        buckets = self.hand_buckets(cards[:, :num_hole], cards[:, num_hole:])
        told = hashlib.sha256(repr((shape, self.num_buckets)).encode())
        told.update(buckets.astype("<i4").tobytes())
        return told.hexdigest()[:32]

    def hand_buckets(self, hole_cards: np.ndarray, boards: np.ndarray) -> np.ndarray:
        """Buckets of many hands up to the round that the boards reach. `[N, H]`, `[N, B]` uint8 -> `[N, R]` int32."""
        last_round = self._round_of(boards.shape[-1])
        self._require_deck(hole_cards)
        self._require_deck(boards)
        native, buckets = self.native, np.empty((len(hole_cards), last_round + 1), dtype=np.int32)
        holes, table = (np.ascontiguousarray(cards, dtype=np.uint8) for cards in (hole_cards, boards))
        try:
            native.hand_buckets(holes, table, last_round, buckets)
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
        native, buckets = self.native, np.empty(size, dtype=np.int32)
        try:
            native.all_buckets(cards.astype(np.uint8), round_number, buckets)
        except ValueError as problem:
            raise ConfigError(f"board {list(board)} in round {round_number}: {problem}") from problem
        return buckets

    def quality(self, *, num_deals: int = 1_000_000, seed: int = 0) -> tuple[RoundQuality, ...]:
        """By round; from so many sampled deals, or exact for a small deck, where all buckets are equally likely."""
        if not isinstance(self.native, _native.HoldemBuckets) or self._tables is None:
            return tuple(RoundQuality(np.full(count, 1 / count), 0.0, 0.0) for count in self.num_buckets)
        if num_deals < 1:
            raise ConfigError(f"quality needs at least one deal, not {num_deals}")
        levels = np.empty((num_deals, len(self.num_buckets)), dtype=np.uint16)
        buckets = np.empty((num_deals, len(self.num_buckets)), dtype=np.int32)
        self.native.sample(list(self._tables.levels[: len(self.num_buckets)]), seed, levels, buckets)
        rounds = []
        for number, num_buckets in enumerate(self.num_buckets):
            values, bucket = self._tables.values(number, levels[:, number]), buckets[:, number]
            counts = np.bincount(bucket, minlength=num_buckets)
            means = np.bincount(bucket, values, num_buckets) / np.maximum(counts, 1)
            # Where few deals fall into a bucket, their own mean lies too near them.
            num_free = max(num_deals - int(np.count_nonzero(counts)), 1)
            within = float(np.sum((values - means[bucket]) ** 2)) / num_free
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
    """Build the abstraction for a game. folder: of the tables, if not the user's cache."""
    start = time.perf_counter()
    counts = spec.bucket_counts(rules)
    if spec.kind == "lossless":
        lossless = _native.LosslessSmall(rules.native)
        return CardAbstraction(spec, rules, lossless, None, time.perf_counter() - start)
    tables = load_strength_tables(spec.metric, folder=folder, num_threads=num_threads)
    remembered = [spec.remembered_by(number) for number in range(rules.num_rounds)]
    rounds = build_rounds(
        spec.kind,
        spec.counts,
        tables,
        remembered=remembered if spec.is_nested else None,
        num_deals=spec.num_deals,
        num_bins=spec.num_bins,
        seed=spec.seed,
        folder=folder,
        num_threads=num_threads,
    )
    abstraction = CardAbstraction(
        spec, rules, _native.HoldemBuckets(rounds, remembered), tables, time.perf_counter() - start
    )
    assert abstraction.num_buckets == counts, "a built abstraction has as many buckets as its text says"
    return abstraction


def _small_deck_counts(rules: PokerRules) -> tuple[int, ...]:
    if not _native.LosslessSmall.fits(rules.native):
        raise UnsupportedGameError(f"{rules.name or 'the game'} has too many hands and boards to keep them all apart")
    num_left = len(rules.deck) - rules.num_hole_cards
    counts, count = [], math.comb(len(rules.deck), rules.num_hole_cards)
    for num_cards in rules.num_board_cards:
        count *= math.comb(num_left, num_cards)
        num_left -= num_cards
        counts.append(count)
    return tuple(counts)


def _require_hold_em(rules: PokerRules) -> None:
    if not rules.has_holdem_hands:
        raise UnsupportedGameError(f"{rules.name or 'the game'} is not hold'em with 52 cards; use 'lossless'")


def _parse_number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]+", text):
        raise ConfigError(f"{what} must be a whole number, not {text!r}")
    return int(text)


def _parse_recall(text: str, num_rounds: int) -> tuple[int, ...]:
    if text == "none":
        return ()
    if text == "all":
        return tuple(range(num_rounds - 1))
    names = [name.strip() for name in text.split("+")]
    if unknown := [name for name in names if name not in STREETS]:
        raise ConfigError(f"unknown recall {unknown[0]!r}; known: none, all, {', '.join(STREETS)}")
    return tuple(STREETS.index(name) for name in names)
