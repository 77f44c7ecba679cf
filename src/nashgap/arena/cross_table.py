"""Cross-tables: what each player wins against each set of opponents, as records and as CSV files.

A file has one row for each player of each matchup, `player,opponent1,opponent2,winrate`: `opponent2` is absent for
matchups of two, more columns `opponentN` make larger ones. The order of the opponents means nothing. Optional columns:
`ci95` (half-width of the winrate's 95% interval) and `team` (of the row's player; members of a team do not meet).
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from nashgap.core.array_file import write_atomically
from nashgap.core.regular_file import read_text
from nashgap.core.result import frame
from nashgap.errors import ConfigError, FileFormatError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CrossTable", "Matchup", "parse_cross_table", "read_cross_table", "write_cross_table"]

# A sum of winrates this small is zero whatever their decimals: they were computed in floating point.
ZERO_SUM_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Matchup:
    """Players who met, `[N]` each; `ci95` are the half-widths of the winrates' 95% intervals, where known."""

    players: tuple[str, ...]
    winrates: tuple[float, ...]
    ci95: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        name = ", ".join(self.players)
        if len(self.players) < 2 or len(set(self.players)) != len(self.players):
            raise ConfigError(f"a matchup is of at least 2 players who differ, not of {name or 'nobody'}")
        if len(self.winrates) != len(self.players) or (self.ci95 is not None and len(self.ci95) != len(self.players)):
            raise ConfigError(f"matchup of {name}: each player must have one winrate, and one ci95 or none at all")
        if not all(map(math.isfinite, self.winrates)):
            raise ConfigError(f"matchup of {name}: winrates must be finite, not {self.winrates}")
        if not all(math.isfinite(half) and half >= 0 for half in self.ci95 or ()):
            raise ConfigError(f"matchup of {name}: ci95 must be finite and not negative, not {self.ci95}")

    @property
    def residual(self) -> float:
        """What the winrates sum to; 0 but for rounding, because what one wins the others lose."""
        return math.fsum(self.winrates)

    def winrate(self, player: str) -> float:
        return self.winrates[self.players.index(player)]

    def interval(self, player: str) -> float | None:
        """The half-width of the player's 95% interval, where known."""
        return None if self.ci95 is None else self.ci95[self.players.index(player)]

    def opponents(self, player: str) -> tuple[str, ...]:
        return tuple(name for name in self.players if name != player)


@dataclass(frozen=True)
class CrossTable:
    """Matchups of the same number of players, each set of players at most once, each player in at least one.

    teams: the team of each player who has one; matchups of team-mates are not in the table.
    unit:  of the winrates, such as `sb_per_hand`; empty where it is not known.
    """

    players: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    teams: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""

    def __post_init__(self) -> None:
        if not self.matchups:
            raise ConfigError("a cross-table must have at least one matchup")
        if len(set(self.players)) != len(self.players):
            raise ConfigError(f"the players of a cross-table must differ: {', '.join(self.players)}")
        seen: set[frozenset[str]] = set()
        for matchup in self.matchups:
            self._check(matchup)
            if (members := frozenset(matchup.players)) in seen:
                raise ConfigError(f"the matchup of {', '.join(matchup.players)} is in the table twice")
            seen.add(members)
        met = frozenset().union(*seen)
        if idle := [player for player in self.players if player not in met]:
            raise ConfigError(f"{', '.join(idle)}: in no matchup")
        if unknown := sorted(set(self.teams) - met):
            raise ConfigError(f"no player is called {unknown[0]!r}; players: {', '.join(self.players)}")

    def _check(self, matchup: Matchup) -> None:
        name = ", ".join(matchup.players)
        if len(matchup.players) != self.num_seats:
            raise ConfigError(f"matchup of {name}: the table's matchups are of {self.num_seats}")
        if unknown := [player for player in matchup.players if player not in self.players]:
            raise ConfigError(f"matchup of {name}: {unknown[0]!r} is not among the players {', '.join(self.players)}")
        if _are_mates(matchup, self.teams):
            raise ConfigError(f"matchup of {name}: members of a team do not meet")

    def __repr__(self) -> str:
        unit = f", {self.unit}" if self.unit else ""
        sizes = f"{len(self.matchups):,} matchups of {self.num_seats}"
        return f"<CrossTable of {len(self.players)} players: {sizes}{unit}>"

    def to_frame(self) -> pd.DataFrame:
        """A row for each player of each matchup, with its opponents and the half-width of its 95% interval."""
        columns = ("player", *(f"opponent{number}" for number in range(1, self.num_seats)), "winrate", "ci95")
        rows = [
            (player, *matchup.opponents(player), matchup.winrate(player), matchup.interval(player))
            for player in self.players
            for matchup in self.matchups_of(player)
        ]
        return frame(columns, rows)

    @property
    def num_seats(self) -> int:
        """Players in a matchup."""
        return len(self.matchups[0].players)

    @property
    def largest_residual(self) -> float:
        """The sum of the winrates of the matchup whose sum is farthest from 0."""
        return max((matchup.residual for matchup in self.matchups), key=abs)

    @property
    def rounding(self) -> float:
        """How far from 0 rounding to the decimals that the winrates show can take a matchup's sum."""
        exponents = (Decimal(repr(rate)).as_tuple().exponent for matchup in self.matchups for rate in matchup.winrates)
        finest = min(exponent for exponent in exponents if isinstance(exponent, int))
        return max(self.num_seats * 0.5 * 10.0**finest, ZERO_SUM_TOLERANCE)

    def unbalanced(self) -> tuple[Matchup, ...]:
        """The matchups whose winrates do not sum to zero, though rounding is allowed for."""
        bound = self.rounding + ZERO_SUM_TOLERANCE
        return tuple(matchup for matchup in self.matchups if abs(matchup.residual) > bound)

    def matchups_of(self, player: str) -> tuple[Matchup, ...]:
        return tuple(matchup for matchup in self.matchups if player in matchup.players)

    def find(self, players: Iterable[str]) -> Matchup | None:
        """The matchup of these players, in whatever order."""
        members = set(players)
        return next((matchup for matchup in self.matchups if members == set(matchup.players)), None)

    def only(self, players: Iterable[str]) -> CrossTable:
        """The table as if nobody else had entered."""
        kept = set(players)
        return CrossTable(
            tuple(player for player in self.players if player in kept),
            tuple(matchup for matchup in self.matchups if kept.issuperset(matchup.players)),
            {player: team for player, team in self.teams.items() if player in kept},
            self.unit,
        )

    def with_teams(self, teams: Mapping[str, str]) -> CrossTable:
        """The table with these teams, without the matchups in which members of one of them meet."""
        kept = tuple(matchup for matchup in self.matchups if not _are_mates(matchup, teams))
        if not kept:
            raise ConfigError("no matchup is left without those of team-mates")
        return CrossTable(self.players, kept, dict(teams), self.unit)


def _are_mates(matchup: Matchup, teams: Mapping[str, str]) -> bool:
    return any(
        first in teams and teams[first] == teams.get(second) for first, second in combinations(matchup.players, 2)
    )


def read_cross_table(path: Path, unit: str = "") -> CrossTable:
    """The table in a CSV file; an error names the file and the line."""
    try:
        text = read_text(path, encoding="utf-8-sig")
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{path}: not a CSV file: it is not text in UTF-8") from error
    return parse_cross_table(text, str(path), unit)


def parse_cross_table(text: str, source: str, unit: str = "") -> CrossTable:
    """The table that the text of a CSV file holds; `source` is what errors call it."""
    lines = _split(text, source)
    if not lines:
        raise FileFormatError(f"{source}: empty; it must begin with the line player,opponent1,opponent2,winrate")
    columns = _checked_columns(lines[0], source)
    rows = [_checked_row(line, columns, source) for line in lines[1:]]
    if not rows:
        raise FileFormatError(f"{source}: no rows below the names of the columns")
    matchups = _gather(rows, source)
    table = CrossTable(tuple(dict.fromkeys(row.player for row in rows)), matchups, unit=unit)
    try:
        return table.with_teams(_teams(rows, source))
    except ConfigError as error:
        raise FileFormatError(f"{source}: {error}") from error


def write_cross_table(table: CrossTable, path: Path) -> None:
    """Write the table as CSV, whole or not at all; reading it gives the same winrates, bit for bit.

    Intervals are written where every matchup has them; the unit is not, `read_cross_table` must be told.
    """
    has_ci95 = all(matchup.ci95 is not None for matchup in table.matchups)
    opponents = [f"opponent{number}" for number in range(1, table.num_seats)]
    extra = [*(["ci95"] if has_ci95 else []), *(["team"] if table.teams else [])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["player", *opponents, "winrate", *extra])
    for player in table.players:
        for matchup in table.matchups_of(player):
            row = [player, *matchup.opponents(player), repr(matchup.winrate(player))]
            row += [repr(matchup.interval(player))] if has_ci95 else []
            writer.writerow(row + ([table.teams.get(player, "")] if table.teams else []))
    write_atomically(path, [text.getvalue().encode()])


@dataclass(frozen=True)
class _Line:
    number: int
    cells: Sequence[str]


@dataclass(frozen=True)
class _Row:
    number: int
    player: str
    opponents: tuple[str, ...]
    winrate: float
    ci95: float | None
    team: str


def _split(text: str, source: str) -> list[_Line]:
    """The lines that are not blank, numbered from 1."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    lines: list[_Line] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append(_Line(reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        raise FileFormatError(f"{source}, line {reader.line_num}: not CSV: {error}") from error
    return lines


def _checked_columns(head: _Line, source: str) -> list[str]:
    columns, where = list(head.cells), f"{source}, line {head.number}"
    opponents = [name for name in columns if re.fullmatch(r"opponent\d+", name)]
    known = ["player", *(f"opponent{number}" for number in range(1, max(len(opponents), 1) + 1)), "winrate"]
    if unknown := [name for name in columns if name not in (*known, "ci95", "team")]:
        raise FileFormatError(f"{where}: unknown column {unknown[0]!r}; known: {', '.join(known)}, ci95, team")
    if missing := [name for name in known if name not in columns]:
        raise FileFormatError(f"{where}: no column {missing[0]!r}; needed: {', '.join(known)}")
    if len(set(columns)) != len(columns):
        raise FileFormatError(f"{where}: two columns of the same name")
    return columns


def _checked_row(line: _Line, columns: Sequence[str], source: str) -> _Row:
    where = f"{source}, line {line.number}"
    if len(line.cells) != len(columns):
        raise FileFormatError(f"{where}: {len(line.cells)} cells for {len(columns)} columns")
    cells = dict(zip(columns, line.cells, strict=True))
    player = cells["player"]
    # A table of two may carry an empty third name.
    opponents = tuple(cells[name] for name in sorted(columns) if name.startswith("opponent") and cells[name])
    if not player or not opponents:
        raise FileFormatError(f"{where}: {'player' if not player else 'opponent1'} is empty")
    if len({player, *opponents}) != len(opponents) + 1:
        raise FileFormatError(f"{where}: {player} against {', '.join(opponents)}: the players of a matchup must differ")
    ci95 = _checked_number(cells["ci95"], "ci95", where) if "ci95" in cells else None
    if ci95 is not None and ci95 < 0:
        raise FileFormatError(f"{where}: ci95 must not be negative, but is {ci95:g}")
    winrate = _checked_number(cells["winrate"], "winrate", where)
    return _Row(line.number, player, opponents, winrate, ci95, cells.get("team", ""))


def _checked_number(text: str, column: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise FileFormatError(f"{where}: {column} must be a number, not {text!r}") from None
    if not math.isfinite(value):
        raise FileFormatError(f"{where}: {column} must be finite, not {text!r}")
    return value


def _gather(rows: Sequence[_Row], source: str) -> tuple[Matchup, ...]:
    """Matchups in the order of their first rows; every player of one must have exactly one row for it."""
    num_opponents = len(rows[0].opponents)
    found: dict[frozenset[str], dict[str, _Row]] = {}
    for row in rows:
        against = f"{row.player} against {', '.join(row.opponents)}"
        if len(row.opponents) != num_opponents:
            first = f"{num_opponents} on line {rows[0].number}"
            raise FileFormatError(f"{source}, line {row.number}: {len(row.opponents)} opponents, but {first}")
        members = found.setdefault(frozenset((row.player, *row.opponents)), {})
        if row.player in members:
            earlier = members[row.player].number
            raise FileFormatError(f"{source}, line {row.number}: {against} is on line {earlier} already")
        members[row.player] = row
    for players, members in found.items():
        if missing := sorted(players - members.keys()):
            others = ", ".join(sorted(players - {missing[0]}))
            first_line = next(iter(members.values())).number
            raise FileFormatError(
                f"{source}, line {first_line}: its matchup has no row for {missing[0]} against {others}"
            )
    return tuple(
        Matchup(
            tuple(members),
            tuple(row.winrate for row in members.values()),
            tuple(row.ci95 for row in members.values() if row.ci95 is not None) or None,
        )
        for members in found.values()
    )


def _teams(rows: Sequence[_Row], source: str) -> dict[str, str]:
    teams: dict[str, str] = {}
    for row in rows:
        if (team := teams.setdefault(row.player, row.team)) != row.team:
            was = repr(team) if team else "none"
            raise FileFormatError(
                f"{source}, line {row.number}: team {row.team!r} of {row.player}, before it was {was}"
            )
    return {player: team for player, team in teams.items() if team}
