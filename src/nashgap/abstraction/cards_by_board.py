"""A card abstraction that is known before its tables are: by its cuts it looks up the boards that are asked for.

Who plays hand by hand need not wait until the strength of every hand on every board is found: seconds, the first time.
What looks at all boards (solvers, measures, matches within the engine) asks for `native`, which opens the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from threading import Thread

from nashgap import _native
from nashgap.abstraction.buckets import CardAbstraction, CardAbstractionSpec, RoundQuality, build_abstraction
from nashgap.abstraction.levels_by_board import levels_by_board
from nashgap.abstraction.rounds import rounds_by_board
from nashgap.abstraction.strength import has_kept_tables, metric_stem
from nashgap.errors import ConfigError, MismatchError, NashGapError
from nashgap.poker.rules import PokerRules

__all__ = ["CardsByBoard"]

FEW_BOARDS = 64
"""So many are looked up one by one, in about a second, before tables that are there are opened beside it."""
HIGHEST_LEVEL = 65_535


class CardsByBoard(CardAbstraction):
    """The abstraction of a text, whose cuts and fingerprint were told; both are held to the tables once these are open.

    by_board: buckets that are right on boards for which `look_up` was asked.
    """

    def __init__(
        self, spec: CardAbstractionSpec, rules: PokerRules, cuts: Sequence[Sequence[int]], fingerprint: str
    ) -> None:
        self.num_buckets = spec.bucket_counts(rules)
        _require_cuts(spec, self.num_buckets, cuts)
        self.spec, self.rules, self.build_seconds = spec, rules, 0.0
        self._opening: Thread | None = None
        self._levels = levels_by_board(metric_stem(spec.metric))
        self.by_board = _native.HoldemBuckets(rounds_by_board(self._levels, cuts), [[] for _ in cuts])
        self.__dict__ |= {"cuts": tuple(list(each) for each in cuts), "fingerprint": fingerprint}

    @property
    def native(self) -> _native.HoldemBuckets | _native.LosslessSmall:
        return self._whole.native

    @property
    def is_open(self) -> bool:
        """Whether the tables are, so that all boards can be looked up at once."""
        return "_whole" in self.__dict__

    def open_after_many(self) -> None:
        """After many boards have the tables opened, if there are any, while boards are looked up one by one."""
        if self._levels.num_boards < FEW_BOARDS or self._opening is not None or not has_kept_tables(self.spec.metric):
            return
        self._opening = Thread(target=self._open, name=f"opening {self.spec.metric}", daemon=True)
        self._opening.start()

    def _open(self) -> None:
        with suppress(NashGapError):  # told to who asks for `native`
            _ = self._whole

    def look_up(self, board: Sequence[int]) -> None:
        """Have this board in `by_board`."""
        self._levels.fill(board)

    def quality(self, *, num_deals: int = 1_000_000, seed: int = 0) -> tuple[RoundQuality, ...]:
        return self._whole.quality(num_deals=num_deals, seed=seed)

    @cached_property
    def _whole(self) -> CardAbstraction:
        whole = build_abstraction(self.spec, self.rules)
        if whole.fingerprint != self.fingerprint or whole.cuts != self.cuts:
            raise MismatchError(f"the buckets of {self.spec.to_text()!r} are not those that were told")
        return whole


def _require_cuts(spec: CardAbstractionSpec, num_buckets: Sequence[int], cuts: Sequence[Sequence[int]]) -> None:
    if not spec.has_cuts:
        raise ConfigError(f"{spec.to_text()} cannot be looked up by cuts, but has some")
    wanted = [0, *(number - 1 for number in num_buckets[1:])]
    if [len(each) for each in cuts] != wanted:
        raise ConfigError(f"{spec.to_text()} has {[len(each) for each in cuts]} cuts by round; it needs {wanted}")
    if any(not 0 <= cut <= HIGHEST_LEVEL for each in cuts for cut in each):
        raise ConfigError(f"{spec.to_text()} has a cut that is no level from 0 to {HIGHEST_LEVEL}")
