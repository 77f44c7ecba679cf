"""The file of a strategy of an abstract game: its tables, and how the game that they belong to is built again.

Each abstract game is described by the texts that it is made of, and by a fingerprint, to which the game that is built
of them is held. Tables are mapped, not read; see docs/formats.md.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import CardAbstraction, build_abstraction, parse_card_abstraction
from nashgap.abstraction.cards_by_board import CardsByBoard
from nashgap.core.array_file import ArrayFile, LateArray, content_digest, open_arrays, save_arrays
from nashgap.errors import FileFormatError, MismatchError, NashGapError
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import Truncation, build_betting_tree
from nashgap.poker.prefix import parse_prefix
from nashgap.poker.rules import PokerRules, parse_rules
from nashgap.strategies.abstract import AbstractStrategy, Segment, quantised
from nashgap.strategies.play_options import PlayOptions

__all__ = ["ABSTRACT_KIND", "load_abstract_strategy", "read_abstract", "save_abstract_strategy"]

ABSTRACT_KIND = "abstract-strategy"
NEEDED = ("game", "game_definition", "options", "facts", "segments")
LARGEST = 1.0 + 1e-6  # probability in a table
_LARGEST_BITS = np.float32(LARGEST).view(np.uint32)
_T = TypeVar("_T")
_loaded: WeakValueDictionary[tuple[str, int, int, int], AbstractStrategy] = WeakValueDictionary()
_games: WeakValueDictionary[str, AbstractGame] = WeakValueDictionary()
"""By fingerprint: strategies of one abstract game share its tree."""
_abstractions: WeakValueDictionary[tuple[str, str], CardAbstraction] = WeakValueDictionary()
"""By rules and text: hands are looked up once a deal for all segments that tell the same apart."""


def save_abstract_strategy(strategy: AbstractStrategy, path: Path | str, *, is_quantised: bool) -> None:
    """Write the file; see `AbstractStrategy.save`."""
    arrays: dict[str, LateArray] = {}
    told = []
    for number, segment in enumerate(strategy.segments):
        before = f"segment_{number + 1}_" if number else ""
        told.append(_described(segment, before))
        arrays |= _arrays(segment, before, is_quantised)
    metadata = {
        "kind": ABSTRACT_KIND,
        "game": strategy.rules.name,
        "game_definition": strategy.rules.to_text(),
        "unit": strategy.rules.unit,
        "options": strategy.options.as_dict(),
        "segments": told,
        "facts": dict(strategy.facts),
    }
    save_arrays(Path(path), arrays, metadata)


def _described(segment: Segment, before: str) -> dict[str, Any]:
    """As the metadata has it. before: the names of its arrays."""
    game = segment.game
    told: dict[str, Any] = {
        "prefix": segment.prefix_text,
        "betting": str(game.tree.abstraction),
        "cards": [{str(n): _described_cards(seen) for n, seen in sorted(seat.items())} for seat in game.cards],
        "fingerprint": game.fingerprint,
        "tables": [f"{before}round_{number + 1}" for number in range(game.rules.num_rounds)],
    }
    if game.ranges is not None:
        told["ranges"] = f"{before}ranges"
    if game.tree.truncation is not None:
        told["truncation"] = dataclasses.asdict(game.tree.truncation)
    return told


def _described_cards(cards: CardAbstraction) -> dict[str, Any]:
    told = {"text": cards.spec.to_text(), "fingerprint": cards.fingerprint}
    return told if cards.cuts is None else told | {"cuts": cards.cuts}


def _arrays(segment: Segment, before: str, is_quantised: bool) -> dict[str, LateArray]:
    """Made when they are written, so that small copies need never be in memory together."""

    def late(number: int, table: np.ndarray) -> LateArray:
        if not is_quantised or table.dtype == np.uint8:
            return LateArray(table.dtype, table.shape, lambda: table)
        return LateArray(np.dtype(np.uint8), table.shape, lambda: quantised(segment.game, number, table))

    arrays = {f"{before}round_{number + 1}": late(number, table) for number, table in enumerate(segment.tables)}
    ranges = segment.game.ranges
    if ranges is not None:
        arrays[f"{before}ranges"] = LateArray(ranges.dtype, ranges.shape, lambda: ranges)
    return arrays


def read_abstract(path: Path | str) -> ArrayFile:
    """The open file, known to be a strategy of an abstract game."""
    file = open_arrays(Path(path))
    if file.metadata.get("kind") != ABSTRACT_KIND:
        kind = file.metadata.get("kind", "unknown")
        raise FileFormatError(f"{path} is a file of kind {kind!r}, not {ABSTRACT_KIND!r}")
    # The checksums are right, but another program may have written the file.
    if missing := [key for key in NEEDED if key not in file.metadata]:
        raise FileFormatError(f"{path} does not tell its {', '.join(missing)}")
    return file


def load_abstract_strategy(path: Path | str, rules: PokerRules | None = None) -> AbstractStrategy:
    """The strategy in a file: its abstract game is built again and compared, its tables are mapped and checked.

    rules: the game that it must be for, if given. The same file is loaded once for as long as somebody has it.
    """
    file = read_abstract(path)
    made_for = _readable(file, lambda: parse_rules(file.metadata["game_definition"], file.metadata["game"]))
    if rules is not None and rules != made_for:
        raise MismatchError(
            f"{path} is a strategy for {made_for.name or 'a game'}, not for {rules.name or 'this game'}"
            + (", whose rules differ" if made_for.name == rules.name else "")
        )
    status = os.stat(path)
    key = (os.path.realpath(path), status.st_ino, status.st_mtime_ns, status.st_size)
    strategy = _loaded.get(key)
    if strategy is None:
        strategy = _loaded[key] = _load(file, made_for)
    return strategy


def _load(file: ArrayFile, rules: PokerRules) -> AbstractStrategy:
    told = file.metadata["segments"]
    if not isinstance(told, list) or not told:
        raise FileFormatError(f"{file.path} has no list of segments")
    options = _readable(file, lambda: PlayOptions(**file.metadata["options"]))
    facts = _readable(file, lambda: dict(file.metadata["facts"]))
    games = [_game_of(file, rules, segment) for segment in told]
    tables = _readable(file, lambda: [[str(name) for name in segment["tables"]] for segment in told])
    try:
        first, *others = (
            Segment(game, tuple(_probabilities(file, name) for name in names))
            for game, names in zip(games, tables, strict=True)
        )
        strategy = AbstractStrategy(first.game, first.tables, options, facts, grafts=tuple(others))
    except MismatchError as error:
        raise FileFormatError(f"{file.path}: {error}") from None
    content = content_digest(file.path)
    strategy.__dict__.update({"content_digest": content, "digest": content[:16]})
    return strategy


def _probabilities(file: ArrayFile, name: str) -> np.ndarray:
    """A table of the file, each of its entries known to be a probability; what an information set's add up to is not.

    Rows are scaled where they are read, so that no more is needed to play; `Segment.check` looks at all.
    """
    table = file.array(name)
    # Seen as whole numbers, what is negative, infinite or no number is larger than any probability: one quick pass.
    if table.dtype == np.float32 and table.size and table.reshape(-1).view(np.uint32).max() > _LARGEST_BITS:
        wrong = int(np.count_nonzero(~((table >= 0.0) & (table <= LARGEST))))
        if wrong:  # 0 where all that was found is -0.0
            raise FileFormatError(f"{file.path}: {wrong:,} entries of its table {name!r} are no probabilities")
    return table


def _game_of(file: ArrayFile, rules: PokerRules, segment: Mapping[str, Any]) -> AbstractGame:
    fingerprint = _readable(file, lambda: str(segment["fingerprint"]))
    known = _games.get(fingerprint)
    if known is not None and known.rules == rules:
        return known
    betting = _readable(file, lambda: parse_betting_abstraction(segment["betting"]))

    def cards_of(told: Mapping[str, Any]) -> CardAbstraction:
        key = (rules.to_text(), told["text"])
        built = _abstractions.get(key)
        if built is None:
            spec, cuts = parse_card_abstraction(told["text"]), told.get("cuts")
            # With cuts nothing is built before it is needed; then the fingerprint is held to it.
            known = None if cuts is None else CardsByBoard(spec, rules, cuts, told["fingerprint"])
            built = _abstractions[key] = known or build_abstraction(spec, rules)
        if built.fingerprint != told["fingerprint"]:
            raise MismatchError(
                f"{file.path}: the buckets of {told['text']!r} are not those that the strategy was made with"
            )
        return built

    cards = _readable(file, lambda: [{int(n): cards_of(told) for n, told in seat.items()} for seat in segment["cards"]])
    text = _readable(file, lambda: str(segment["prefix"]))
    prefix = _readable(file, lambda: parse_prefix(rules, text) if text else ())
    name = segment.get("ranges")
    ranges = None if name is None else _readable(file, lambda: np.array(file.array(str(name))))
    cut = segment.get("truncation")
    truncation = None if cut is None else _readable(file, lambda: Truncation(**cut))
    game = _readable(file, lambda: AbstractGame(build_betting_tree(rules, betting, prefix, truncation), cards, ranges))
    if game.fingerprint != fingerprint:
        raise MismatchError(f"{file.path} is a strategy of another abstract game than the one that it describes")
    _games[fingerprint] = game
    return game


def _readable(file: ArrayFile, read: Callable[[], _T]) -> _T:
    """What `read` finds in the metadata; FileFormatError where it is of another form."""
    try:
        return read()
    except NashGapError as error:
        raise type(error)(f"{file.path}: {str(error).removeprefix(f'{file.path}: ')}") from error
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise FileFormatError(f"{file.path} has a description that cannot be read: {error!r}") from error
