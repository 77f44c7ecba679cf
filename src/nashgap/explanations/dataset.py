"""Solved games to learn from, and the file that keeps them.

Strategies are kept as their entries that are not 0: an equilibrium bets in some 14 of 310 places. docs/formats.md has
the names of the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from nashgap.core.array_file import ArrayFile, open_arrays, save_arrays
from nashgap.errors import ConfigError, FileFormatError
from nashgap.explanations.bet_size_games import BetSizeGames, Stakes, joint_of, sample_hands
from nashgap.explanations.bet_size_lp import CHOICES, BetSizeSolver

__all__ = ["FILE_KIND", "SolvedGames", "SparseTables", "join_games", "load_games", "save_games", "solve_games"]

FILE_KIND = "solved bet-size games"
TOLERANCE = 1e-6  # of probabilities and of what they add up to


@dataclass(frozen=True, eq=False)
class SparseTables:
    """Tables of one shape, row by row.

    start: `[T + 1]` table t has the entries start[t]:start[t+1].
    place: `[N]` where an entry stands in its table, flat and ascending.
    value: `[N]`.
    shape: of each table.
    """

    start: np.ndarray
    place: np.ndarray
    value: np.ndarray
    shape: tuple[int, ...]

    @classmethod
    def of(cls, tables: np.ndarray) -> SparseTables:
        """The entries of `[T, ...]` that are not 0."""
        flat = tables.reshape(len(tables), -1)
        table, place = np.nonzero(flat)
        start = np.concatenate([[0], np.cumsum(np.bincount(table, minlength=len(flat)))]).astype(np.int64)
        return cls(start, place.astype(np.int32), flat[table, place], tables.shape[1:])

    @classmethod
    def join(cls, parts: Sequence[SparseTables]) -> SparseTables:
        sizes = np.concatenate([np.diff(part.start) for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]),
            np.concatenate([part.place for part in parts]),
            np.concatenate([part.value for part in parts]),
            parts[0].shape,
        )

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, index: slice | np.ndarray) -> SparseTables:
        tables = np.arange(len(self))[index]
        sizes = np.diff(self.start)[tables]
        start = np.concatenate([[0], np.cumsum(sizes)])
        entries = np.repeat(self.start[tables] - start[:-1], sizes) + np.arange(start[-1])
        return SparseTables(start, self.place[entries], self.value[entries], self.shape)

    def dense(self) -> np.ndarray:
        """`[T, ...]`."""
        tables = np.zeros((len(self), int(np.prod(self.shape))))
        tables[np.repeat(np.arange(len(self)), np.diff(self.start)), self.place] = self.value
        return tables.reshape(len(self), *self.shape)

    def is_sound(self) -> bool:
        """Whether all places are in a table, each once, and all entries are probabilities."""
        sizes = np.diff(self.start)
        return bool(
            len(self.start) > 0
            and self.start[0] == 0
            and (sizes >= 0).all()
            and self.start[-1] == len(self.place) == len(self.value)
            and (self.place >= 0).all()
            and (self.place < np.prod(self.shape)).all()
            and self._is_ascending()
            and ((self.value > -TOLERANCE) & (self.value < 1.0 + TOLERANCE)).all()
        )

    def _is_ascending(self) -> bool:
        """Whether no table has two entries at one place, of which `dense` would take the last."""
        begins = np.zeros(len(self.place) + 1, dtype=bool)
        begins[self.start] = True
        return bool(((np.diff(self.place) > 0) | begins[1:-1]).all())


@dataclass(frozen=True, eq=False)
class SolvedGames:
    """Random games with their equilibria.

    hands:  `[G, 2, C]` the distributions that the deals are made of (Algorithm 4); not those of the dealt cards.
    value:  `[G]` dollars a hand to player 1.
    chosen: for each of CHOICES player 1's bets.
    called: player 2's calls.
    """

    stakes: Stakes
    seed: int
    hands: np.ndarray
    value: np.ndarray
    chosen: Mapping[str, SparseTables]
    called: SparseTables

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        sizes = f"{self.stakes.deck} cards, {self.stakes.num_bets} bets"
        return f"<SolvedGames: {len(self):,} games of {sizes}, seed {self.seed}>"

    def __getitem__(self, index: slice | np.ndarray) -> SolvedGames:
        chosen = {choice: tables[index] for choice, tables in self.chosen.items()}
        return SolvedGames(self.stakes, self.seed, self.hands[index], self.value[index], chosen, self.called[index])

    @cached_property
    def games(self) -> BetSizeGames:
        return BetSizeGames(self.stakes, joint_of(self.hands))

    def bets(self, choice: str = "solver") -> np.ndarray:
        """`[G, C, B]` player 1's equilibrium."""
        if choice not in self.chosen:
            raise ConfigError(f"no choice of equilibrium {choice!r}; there are {', '.join(self.chosen)}")
        return self.chosen[choice].dense()

    @property
    def calls(self) -> np.ndarray:
        """`[G, C, B]` player 2's equilibrium; bets that player 1's never makes included."""
        return self.called.dense()

    def split(self, num_train: int, num_test: int) -> tuple[SolvedGames, SolvedGames]:
        """The first games to learn from, and those that follow to test on."""
        if min(num_train, num_test) < 1 or num_train + num_test > len(self):
            raise ConfigError(
                f"{num_train:,} games to learn from and {num_test:,} to test on need as many solved games; the file has"
                f" {len(self):,}"
            )
        return self[:num_train], self[num_train : num_train + num_test]


def solve_games(stakes: Stakes, seed: int, first: int, count: int) -> SolvedGames:
    """Random games `first` to `first + count - 1` of the seed, solved."""
    hands = sample_hands(stakes, seed, first, count)
    solver = BetSizeSolver(stakes)
    found = [solver.solve(joint) for joint in joint_of(hands)]
    chosen = {choice: SparseTables.of(np.stack([each.bets[choice] for each in found])) for choice in CHOICES}
    called = SparseTables.of(np.stack([each.calls for each in found]))
    return SolvedGames(stakes, seed, hands, np.array([each.value for each in found]), chosen, called)


def join_games(parts: Sequence[SolvedGames]) -> SolvedGames:
    """Parts of the same stakes and seed as one."""
    first = parts[0]
    return SolvedGames(
        first.stakes,
        first.seed,
        np.concatenate([part.hands for part in parts]),
        np.concatenate([part.value for part in parts]),
        {choice: SparseTables.join([part.chosen[choice] for part in parts]) for choice in first.chosen},
        SparseTables.join([part.called for part in parts]),
    )


def save_games(path: Path, solved: SolvedGames) -> None:
    """Write the file whole or not at all."""
    games = solved.games
    arrays = {"hands": solved.hands, "value": solved.value, "pdf": games.pdf, "cdf": games.cdf}
    for name, tables in {**solved.chosen, "calls": solved.called}.items():
        arrays |= {f"{name}.start": tables.start, f"{name}.place": tables.place, f"{name}.value": tables.value}
    metadata = {
        "kind": FILE_KIND,
        "stakes": asdict(solved.stakes),
        "seed": solved.seed,
        "games": len(solved),
        "choices": list(solved.chosen),
        "unit": "dollars_per_hand",
    }
    save_arrays(path, arrays, metadata)


def load_games(path: Path) -> SolvedGames:
    """The games of a file of `save_games`: ConfigError if it is none, FileFormatError if it is damaged."""
    file = open_arrays(path)
    metadata = file.metadata
    if metadata.get("kind") != FILE_KIND:
        raise ConfigError(f"{path} has no solved games; make some with: nashgap explain dataset -o FILE")
    try:
        stakes = Stakes(**metadata["stakes"])
        shape = (stakes.deck, stakes.num_bets)
        chosen = {choice: _load_tables(file, choice, shape) for choice in metadata["choices"]}
        called = _load_tables(file, "calls", shape)
        hands, value = _load_array(file, "hands", np.float64, 3), _load_array(file, "value", np.float64, 1)
        solved = SolvedGames(stakes, metadata["seed"], hands, value, chosen, called)
        is_sound = all(map(SparseTables.is_sound, [*chosen.values(), called]))
        is_sound = is_sound and {len(hands), len(value), *map(len, [*chosen.values(), called])} == {metadata["games"]}
    except (KeyError, TypeError) as error:
        raise FileFormatError(f"{path} lacks a part of a file of solved games: {error}") from error
    if not is_sound or solved.hands.shape[1:] != (2, stakes.deck):
        raise FileFormatError(f"{path} has arrays that do not fit together, or entries that are no probabilities")
    for problem in _problems(solved):
        raise FileFormatError(f"{path}: {problem}")
    return solved


def _problems(solved: SolvedGames) -> Iterator[str]:
    """What is wrong with the numbers of a file whose arrays fit together."""
    if not ((solved.hands >= 0.0).all() and (np.abs(solved.hands.sum(axis=2) - 1.0) < TOLERANCE).all()):
        yield "its hands are no distributions: each must be 0 or more, and all of a player add up to 1"
    if not (np.abs(solved.value) <= solved.stakes.stack + solved.stakes.ante).all():
        yield "its values are not all finite, and no larger than what a player has"
    for choice, tables in solved.chosen.items():
        rows = np.repeat(np.arange(len(tables)), np.diff(tables.start)) * solved.stakes.deck
        totals = np.bincount(
            rows + tables.place // solved.stakes.num_bets, tables.value, len(tables) * solved.stakes.deck
        )
        if not (np.abs(totals - 1.0) < TOLERANCE).all():
            yield f"the bets of choice {choice!r} do not add up to 1 with every card"


def _load_tables(file: ArrayFile, name: str, shape: tuple[int, ...]) -> SparseTables:
    kinds: dict[str, type[np.generic]] = {"start": np.int64, "place": np.int32, "value": np.float64}
    start, place, value = (_load_array(file, f"{name}.{part}", kind, 1) for part, kind in kinds.items())
    return SparseTables(start, place, value, shape)


def _load_array(file: ArrayFile, name: str, kind: type[np.generic], num_axes: int) -> np.ndarray:
    array = file.array(name)
    if array.dtype != kind or array.ndim != num_axes:
        wanted = f"{np.dtype(kind)} with {num_axes} {'axis' if num_axes == 1 else 'axes'}"
        raise FileFormatError(f"{file.path}: its array {name!r} is {array.dtype} of shape {array.shape}, not {wanted}")
    return array
