"""A strategy of an abstract game, played at the real table: for all hands at once, after any betting.

A table for each round has the probability of each entry of the abstract game, see `nashgap.abstraction.abstract_game`:
float32, or uint8 where those of an information set add up to 255. An information set whose entries are all 0 was never
reached in training. What is done there, and where the real betting leaves the tree, are `PlayOptions`; what they make
of the tables is what is played and what is measured.

Strategies of several abstract games can be grafted into one, a segment each: once the betting has come to the prefix of
a segment's tree, that segment plays the rest of the hand (Abou Risk 2009, section 4.5.1). An expert is a strategy whose
only segment begins behind a prefix; it says nothing about what comes before.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nashgap import _native
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError, FileFormatError, IllegalActionError, MismatchError
from nashgap.poker.hands import hand_names
from nashgap.poker.rules import PokerRules
from nashgap.poker.state import PublicState, action_text
from nashgap.strategies.play_options import OFF_TREE, PlayOptions
from nashgap.strategies.translation import TreePlace, translation_code

if TYPE_CHECKING:
    from nashgap.strategies.strategy_view import StrategyView

__all__ = ["AbstractStrategy", "Segment", "TableCheck", "graft", "quantised"]

MOST_BY_BOARD = 16  # states of one question; who asks about more at once asks about many
TOLERANCE = 1e-5  # of the sum of an information set's float32 probabilities


@dataclass(frozen=True)
class TableCheck:
    """What all tables of a strategy say.

    largest_error: how far the probabilities of an information set are from adding up to 1.
    num_unreached: information sets that training never reached.
    """

    largest_error: float
    num_unreached: int


@dataclass(frozen=True, eq=False)
class Segment:
    """An abstract game, played behind the prefix of its tree, and `[R]` tables of its rounds."""

    game: AbstractGame
    tables: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", tuple(self.tables))
        expected = np.diff(self.game.entry_start).tolist()
        if len(self.tables) != len(expected):
            raise MismatchError(f"{len(self.tables)} tables; the game has {len(expected)} rounds")
        for number, (table, size) in enumerate(zip(self.tables, expected, strict=True)):
            if table.dtype not in (np.float32, np.uint8):
                raise MismatchError(f"the table of round {number + 1} is {table.dtype}; it must be float32 or uint8")
            if table.size != size:
                raise MismatchError(
                    f"the table of round {number + 1} has {table.size:,} entries; the game has {size:,} there"
                )

    @property
    def prefix_text(self) -> str:
        return self.game.tree.prefix_text

    def check(self) -> TableCheck:
        """Read all tables; FileFormatError where they hold what is no probability."""
        error, num_unreached = 0.0, 0
        behind = f" behind {self.prefix_text}" if self.game.tree.prefix else ""
        for number, table in enumerate(self.tables):
            largest, unreached, wrong = _native.check_table(self.game.native, number, table)
            if wrong or largest > TOLERANCE:
                raise FileFormatError(
                    f"the table of round {number + 1}{behind} holds no strategy: {wrong} entries are no probabilities,"
                    f" and those of an information set add up to 1 but for {largest:.3g}"
                )
            error, num_unreached = max(error, largest), num_unreached + unreached
        return TableCheck(error, num_unreached)


@dataclass(frozen=True, eq=False)
class AbstractStrategy:
    """All seats' behaviour in an abstract game, at the real table. Frozen; R rounds.

    tables: `[R]` of the rounds' entries, float32 or uint8; memory maps are read where they lie.
    facts:  where it comes from (recipe, iterations, seed, ...); saved with it.
    name:   as messages call it.
    grafts: what is played behind their prefixes in the place of it; see `graft`.
    """

    game: AbstractGame
    tables: tuple[np.ndarray, ...]
    options: PlayOptions = field(default_factory=PlayOptions)
    facts: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    grafts: tuple[Segment, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", tuple(self.tables))
        prefixes = [segment.game.tree.prefix for segment in self.segments]
        if twice := {prefix for prefix in prefixes if prefixes.count(prefix) > 1}:
            texts = [segment.prefix_text for segment in self.segments if segment.game.tree.prefix in twice]
            raise MismatchError(f"several segments behind {texts[0]!r}; each prefix has one")
        for segment in self.grafts:
            if segment.game.rules != self.rules:
                raise MismatchError(f"the segment behind {segment.prefix_text!r} is of another game than the first")

    def __repr__(self) -> str:
        recipe = f", by recipe {self.facts['recipe']}" if "recipe" in self.facts else ""
        grafts = f", with {', '.join(segment.prefix_text for segment in self.grafts)}" if self.grafts else ""
        return f"<AbstractStrategy in {self.game!r}{grafts}{recipe}>"

    def __getstate__(self) -> dict[str, Any]:
        """Without what the engine holds, which another process makes for itself."""
        return {key: value for key, value in self.__dict__.items() if key not in ("native", "_by_board", "_first")}

    @property
    def rules(self) -> PokerRules:
        return self.game.rules

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Its own, and those that are grafted onto it."""
        return Segment(self.game, self.tables), *self.grafts

    @property
    def is_complete(self) -> bool:
        """Whether it plays from the start of a hand; an expert does not."""
        return any(not segment.game.tree.prefix for segment in self.segments)

    def require_complete(self, text: str) -> None:
        """Refuse an expert, which nobody can play alone. text: as it was named."""
        if not self.is_complete:
            raise ConfigError(f"{text!r} is an expert and needs a base to play: master:BASE+{text}")

    def require_expert(self, text: str) -> None:
        """Refuse what plays from the start of a hand, where experts are put together. text: as it was named."""
        if self.is_complete:
            raise ConfigError(
                f"expert {text!r} plays from the start of a hand; an expert begins behind some betting, as those of"
                " nashgap solve hue5-expert do"
            )

    def require_one_game(self, text: str, what: str) -> None:
        """Refuse several segments where one abstract game is looked at. what: by which method."""
        if self.grafts:
            prefixes = ", ".join(segment.prefix_text or "the whole game" for segment in self.segments)
            raise ConfigError(
                f"{text} has segments of several abstract games ({prefixes}); {what} looks at one: give the files that"
                " it was grafted from"
            )

    @cached_property
    def native(self) -> _native.AbstractStrategy:
        """What the engine plays by; opens the tables of the cards."""
        return self._built([segment.game.native for segment in self.segments])

    @cached_property
    def _by_board(self) -> _native.AbstractStrategy | None:
        games = [game for segment in self.segments if (game := segment.game.by_board) is not None]
        return self._built(games) if len(games) == len(self.segments) else None

    def on_boards(self, boards: Sequence[Sequence[int]]) -> _native.AbstractStrategy:
        """What the engine plays by on these boards; of few it needs no tables of the cards, where the file has cuts."""
        by_board = self._by_board
        if by_board is None or len(boards) > MOST_BY_BOARD:
            return self.native
        known = [segment.game.look_up(board) for board in boards for segment in self.segments]
        return by_board if all(known) else self.native

    def _built(self, games: Sequence[_native.AbstractGame]) -> _native.AbstractStrategy:
        options = self.options
        return _native.AbstractStrategy(
            [(game, segment.tables) for game, segment in zip(games, self.segments, strict=True)],
            options.fallback == "call",
            options.off_tree == OFF_TREE[1],
            translation_code(options.translation),
            options.threshold,
            options.purify,
        )

    @property
    def is_sampled(self) -> bool:
        """Whether it is known by samples only."""
        return self.options.translation == "sampled"

    @property
    def hands(self) -> tuple[str, ...]:
        """The names of the hands in the order of policies; see `nashgap.poker.hands`."""
        return hand_names(self.rules)

    @cached_property
    def digest(self) -> str:
        """16 hex digits that differ where game, tables or options do; of a file with its own options, the file's."""
        content = hashlib.sha256(json.dumps([self.content_digest, self.options.as_dict()]).encode())
        return content.hexdigest()[:16]

    @cached_property
    def content_digest(self) -> str:
        """Of games and tables; of a loaded file, known without reading them."""
        content = hashlib.sha256()
        for segment in self.segments:
            content.update(segment.game.fingerprint.encode())
            for table in segment.tables:
                content.update(np.ascontiguousarray(table).data)
        return content.hexdigest()[:32]

    def with_options(self, *, name: str = "", **changes: Any) -> AbstractStrategy:
        """The same tables, played otherwise; see `PlayOptions`. name: as messages call it from now on."""
        options = self.options.changed(changes)
        if options == self.options and name in ("", self.name):
            return self
        changed = dataclasses.replace(self, options=options, name=name or self.name)
        known = ("content_digest", "digest") if options == self.options else ("content_digest",)
        changed.__dict__.update({key: self.__dict__[key] for key in known if key in self.__dict__})
        # Who has the one has the other: so a file is not loaded again for as long as somebody plays it by any name.
        changed.__dict__["_first"] = self
        return changed

    def save(self, path: Path | str, *, is_quantised: bool = False) -> None:
        """Write a strategy file, in which the strategy's options are the default ones.

        is_quantised: float32 tables are written as uint8.
        """
        from nashgap.strategies.abstract_file import save_abstract_strategy

        save_abstract_strategy(self, path, is_quantised=is_quantised)

    def at(self, after: str = "", board: str = "") -> StrategyView:
        """What is done after this betting on this board, `r300c/` on `2c6dTh`; see `nashgap.strategies.view`."""
        from nashgap.strategies.view import view_strategy

        return view_strategy(self, after=after, board=board)

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """For states in which a seat is to act: what it does with every hand, and the real actions that it may take.

        Rows of hands that share a card with the board, or have one that is not in the deck, are 0.
        """
        if self.is_sampled:
            raise ConfigError("a strategy with translation=sampled has no policies but samples; soft has their mean")
        return self._policies(states, None)

    def sample_policies(self, states: Sequence[PublicState], seed: int) -> list[Policy]:
        """The policy on one path through the tree, drawn for each state."""
        return self._policies(states, seed)

    def places(self, state: PublicState) -> list[TreePlace]:
        """Where the betting so far may stand in the tree of its segment; one node for betting that is in it."""
        self._require_game([state])
        return [TreePlace(*place) for place in self.on_boards([]).places(state.native)[1]]

    def segment_at(self, state: PublicState) -> Segment | None:
        """The segment that decides there; None before an expert's prefix."""
        number, _ = self.on_boards([]).places(state.native)
        return None if number < 0 else self.segments[number]

    def _policies(self, states: Sequence[PublicState], seed: int | None) -> list[Policy]:
        self._require_game(states)
        engine = self.on_boards([state.board for state in states])
        answers = engine.policies([state.native for state in states], seed)
        rules, hands = self.rules, self.hands
        return [
            Policy(hands, tuple(action_text(rules, move) for move in moves), probabilities, moves)
            for moves, probabilities in answers
        ]

    def _require_game(self, states: Sequence[PublicState]) -> None:
        for state in states:
            if state.rules is not self.rules and state.rules != self.rules:
                own, other = self.rules.name or "a game", state.rules.name or "another"
                raise MismatchError(f"the strategy is for {own}, the state is of {other}")
            if state.seat < 0:
                raise IllegalActionError(f"nobody is to act after {state.betting!r}")
            if not self.is_complete and self.segment_at(state) is None:
                prefixes = ", ".join(segment.prefix_text for segment in self.segments)
                raise MismatchError(
                    f"{self.name or 'the strategy'} is an expert for what follows {prefixes}; it says nothing after"
                    f" {state.betting!r}"
                )

    def check(self) -> TableCheck:
        """Read all tables; FileFormatError where they hold what is no probability."""
        checks = [segment.check() for segment in self.segments]
        return TableCheck(max(check.largest_error for check in checks), sum(check.num_unreached for check in checks))


def graft(base: AbstractStrategy, *experts: AbstractStrategy) -> AbstractStrategy:
    """The base with the segments of experts in it; behind the same prefix the last one plays.

    All is played with the base's options.
    """
    segments = {segment.game.tree.prefix: segment for segment in base.segments}
    for expert in experts:
        if expert.rules != base.rules:
            own, other = base.rules.name or "a game", expert.rules.name or "another"
            raise MismatchError(f"{expert.name or 'an expert'} is for {other}, the base for {own}")
        expert.require_expert(expert.name or "given")
        segments |= {segment.game.tree.prefix: segment for segment in expert.segments}
    first, *others = segments.values()
    return dataclasses.replace(base, game=first.game, tables=first.tables, grafts=tuple(others))


def quantised(game: AbstractGame, round_number: int, table: np.ndarray) -> np.ndarray:
    """A float32 table as uint8; no probability is off by more than 1/255, and rows of zeros stay so."""
    probabilities = np.ascontiguousarray(table, np.float32)
    small = np.empty(probabilities.shape, np.uint8)
    _native.quantise_table(game.native, round_number, probabilities, small)
    return small
