"""A strategy for a spot: what both players do with every hand of their ranges, on every board that may come."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nashgap.cards.card import format_cards
from nashgap.cards.ranges import Range
from nashgap.core.array_file import ArrayFile, content_digest, open_arrays, save_arrays
from nashgap.core.game import CHANCE
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError, FileFormatError, MismatchError
from nashgap.poker.hands import hand_names
from nashgap.poker.moves import move_text
from nashgap.poker.rules import PokerRules
from nashgap.poker.spot import POSITIONS, STREETS, Spot
from nashgap.poker.state import PublicState
from nashgap.strategies.range_strategy import STORAGES, RangeStrategy, count_range_game
from nashgap.strategies.spot_lock import SpotLock, actions_of, locks_of, parse_lock
from nashgap.strategies.spot_view import SpotView
from nashgap.strategies.strategy_view import Onward

__all__ = ["SPOT_KIND", "SpotStrategy", "empty_strategy", "load_spot_strategy", "read_spot"]

SPOT_KIND = "spot-strategy"
LARGEST_WEIGHT = 1e36  # in a file; what a hand has at all actions is added up as float32


@dataclass(frozen=True, eq=False)
class SpotStrategy:
    """Both players' behaviour in one spot.

    ranges: the strategies, in the spot's tree.
    locks:  that were given when it was solved.
    facts:  where it comes from; saved with it.
    """

    spot: Spot
    ranges: RangeStrategy
    locks: tuple[SpotLock, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<SpotStrategy on {self.spot.board_text}: {self.ranges.num_action_nodes:,} decisions>"

    @property
    def name(self) -> str:
        """As messages call it."""
        return str(self.facts.get("name") or f"{self.spot.street} {self.spot.board_text}")

    @property
    def rules(self) -> PokerRules:
        return self.spot.rules

    @property
    def is_sampled(self) -> bool:
        return False

    @cached_property
    def digest(self) -> str:
        """16 hex digits that differ where the spot or a probability does; of a loaded file, those of the file."""
        content = hashlib.sha256(self.spot.fingerprint.encode())
        for table in self.ranges.tables.values():
            content.update(table.data)
        return content.hexdigest()[:16]

    def values(self) -> tuple[float, float]:
        """Chips that each gets, out of position first."""
        return self.spot.chips_won(self.ranges.values())

    def policies(self, states: Sequence[PublicState]) -> list[Policy]:
        """One for each decision of the spot; hands in the order of the game."""
        return [self._policy(state) for state in states]

    def _policy(self, state: PublicState) -> Policy:
        if state.rules != self.rules or state.board[: len(self.spot.board)] != self.spot.board:
            raise MismatchError(f"{self.name} is for the {self.spot.street} {self.spot.board_text} alone")
        actions = actions_of(state)
        moves = self.spot.betting.actions(state)
        texts = tuple(move_text(self.rules, move) for move in moves)
        return Policy(hand_names(self.rules), texts, self.ranges.probabilities(actions, state.board), moves)

    def at(self, after: str = "", hand: str = "") -> SpotView:
        """One decision: `x b100 c 7h`; see `nashgap.poker.spot`. Empty: the first. hand: one that is told apart."""
        spot, state = self.spot, self.spot.state_after(after)
        actions = actions_of(state)
        found = self.ranges.view(actions, state.board)
        numbers = np.flatnonzero(spot.weights[state.seat] * (found.met > 0) > 0)
        if len(numbers) == 0:
            raise ConfigError(f"line {after!r}: {POSITIONS[1 - state.seat]} never comes there, so that nothing is met")
        moves, names = spot.betting.actions(state), hand_names(self.rules)
        spent = state.spent[state.seat]
        return SpotView(
            strategy=self.name,
            game=f"{spot.street} spot",
            after=spot.line_text(state),
            board=format_cards(state.board),
            seat=state.seat,
            street=STREETS[len(state.board)],
            pot=spot.chips(state.pot),
            to_call=spot.chips(state.to_call),
            story=(),
            actions=tuple(spot.action_text(state, move) for move in moves),
            words=tuple(spot.action_words(state, move) for move in moves),
            hands=tuple(names[number] for number in numbers),
            probabilities=found.strategy[numbers].astype(np.float64),
            reach=found.reach[state.seat][numbers].astype(np.float64),
            onward=tuple(self._onward(state, move) for move in moves),
            numbers=numbers,
            chosen=hand,
            values=(found.values[numbers].astype(np.float64) + spent) / spot.scale,
            equity=found.equity[numbers].astype(np.float64),
            met=found.met[numbers].astype(np.float64),
        )

    def _onward(self, state: PublicState, action: int) -> Onward:
        text, behind = self.spot.action_text(state, action), state.act(action)
        line = " ".join(filter(None, (self.spot.line_text(state), text)))
        num_seen = len(behind.board)
        while behind.seat == CHANCE:  # which card it is does not matter to who acts
            behind = behind.deal([next(card for card in self.rules.deck if card not in behind.board)])
        if behind.is_over:
            return Onward(text, ())
        return Onward(text, (line,), behind.seat, len(behind.board) - num_seen)

    def spot_after(self, line: str) -> Spot:
        """The spot that begins with the street on which this line ends, with the ranges that both bring there.

        line: ends with a card of the board. Who bet last before it is forgotten: its first street has no donk bets.
        """
        spot, state = self.spot, self.spot.state_after(line)
        if state.round == 0 or state.history[-1]:
            raise ConfigError(f"line {line!r}: it must end with the card of a new street")
        actions = actions_of(state)
        reach = self.ranges.view(actions, state.board).reach
        if not all(each.max() > 0 for each in reach):
            raise ConfigError(f"line {line!r}: nobody comes there")
        put_in = spot.chips(state.spent[0] - spot.rules.blinds[0])
        if put_in != int(put_in):
            raise ConfigError(f"line {line!r}: half chips are bet; solve it with twice the pot and the stacks")
        first, second = (Range((each / each.max()).astype(np.float64)) for each in reach)
        return replace(
            spot,
            board=state.board,
            ranges=(first, second),
            pot=spot.pot + 2 * int(put_in),
            stacks=(spot.stacks[0] - int(put_in), spot.stacks[1] - int(put_in)),
            betting=spot.betting.from_round(state.round),
        )

    def save(self, path: Path | str) -> None:
        """Write a strategy file."""
        metadata = {
            "kind": SPOT_KIND,
            "game": f"{self.spot.street} spot",
            "spot": self.spot.to_config(),
            "fingerprint": self.spot.fingerprint,
            "locks": [str(lock) for lock in self.locks],
            "facts": dict(self.facts),
        }
        save_arrays(Path(path), self.ranges.tables, metadata)


def read_spot(path: Path | str) -> Spot:
    """The spot that a strategy file is for."""
    metadata = _open(path).metadata
    try:  # the checksums are right, but another program may have written the file
        spot = Spot.from_config(metadata["spot"], {})
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise FileFormatError(f"{path} does not say which spot it is for: {error}") from error
    if metadata["fingerprint"] != spot.fingerprint:
        raise MismatchError(f"{path} is a strategy for another version of its spot")
    return spot


def load_spot_strategy(path: Path | str) -> SpotStrategy:
    """The strategy in a file."""
    file, spot = _open(path), read_spot(path)
    locks = tuple(map(parse_lock, file.metadata["locks"]))
    storage = "int16" if "strategy_exponent_0" in file.names else "float32"
    size = count_range_game(spot.tree, spot.board, spot.weights, locks=locks_of(spot, locks), storage=storage)
    stored = [file.array(name) for name in file.names]
    if 2 * sum(table.nbytes for table in stored) != size.num_bytes:  # regrets are as large
        raise FileFormatError(f"{path}: its tables are not of its spot's size")
    ranges = empty_strategy(spot, locks, storage=storage)
    for name, table in ranges.tables.items():
        if name not in file.names or file.array(name).shape != table.shape or file.array(name).dtype != table.dtype:
            raise FileFormatError(f"{path}: its table {name!r} is not of its spot's size")
        table[:] = file.array(name)
        if not ((table >= 0) & np.isfinite(table)).all() or (table.dtype == np.uint8 and (table == 255).any()):
            raise FileFormatError(f"{path}: its table {name!r} has weights that are below 0 or no numbers")
    for player in (0, 1):
        if ranges.weights(player).max(initial=0.0) > LARGEST_WEIGHT:
            raise FileFormatError(f"{path}: its table 'strategy_{player}' has weights above {LARGEST_WEIGHT:g}")
    strategy = SpotStrategy(spot, ranges, locks, file.metadata["facts"])
    strategy.__dict__["digest"] = content_digest(Path(path))[:16]  # known without reading the tables
    return strategy


def _open(path: Path | str) -> ArrayFile:
    file = open_arrays(Path(path))
    if file.metadata.get("kind") != SPOT_KIND:
        raise FileFormatError(f"{path} is a file of kind {file.metadata.get('kind', 'unknown')!r}, not {SPOT_KIND!r}")
    if missing := {"spot", "fingerprint", "locks", "facts"} - file.metadata.keys():
        raise FileFormatError(f"{path} does not tell its {', '.join(sorted(missing))}")
    locks, facts = file.metadata["locks"], file.metadata["facts"]
    if not (isinstance(locks, list) and all(isinstance(lock, str) for lock in locks) and isinstance(facts, dict)):
        raise FileFormatError(f"{path} does not tell its locks and facts as a strategy of a spot does")
    return file


def empty_strategy(
    spot: Spot, locks: Sequence[SpotLock] = (), *, storage: str = STORAGES[0], threads: int = 1
) -> RangeStrategy:
    """Uniform but for the locks."""
    how: dict[str, Any] = {"rake": spot.scaled_rake, "storage": storage, "threads": threads}
    return RangeStrategy(spot.tree, spot.board, spot.weights, locks=locks_of(spot, locks), **how)
