"""Finished tournaments of the folder of runs: cross-table, both rankings, and the run-off round by round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.ranking import bankroll, runoff, total_wins
from nashgap.core.estimate import format_interval, significant
from nashgap.errors import FileFormatError, NashGapError
from nashgap.reports.layout import WinrateCell, lay_out_cross_table
from nashgap.reports.standings import table_remarks
from nashgap.web.api import NotFoundError
from nashgap.web.run_pages import RunLine, RunPages

__all__ = ["Cell", "Rank", "Round", "Row", "TournamentView", "Tournaments"]

KIND = "tournament"
TONES = 5  # of green and of red


@dataclass(frozen=True)
class Cell:
    """A winrate. tone: from -5, deep red, to 5, deep green."""

    text: str
    interval: str
    tone: int


@dataclass(frozen=True)
class Row:
    """A player by its number, with a cell for each column, None where there is no such matchup."""

    player: int
    cells: tuple[Cell | None, ...]
    mean: Cell


@dataclass(frozen=True)
class Rank:
    """Who has a rank by bankroll and by run-off; sure: in how many resamples of the deals out of 100, where known."""

    rank: int
    bankroll: str
    winrate: str
    wins: str
    bankroll_sure: str
    runoff: str
    runoff_sure: str


@dataclass(frozen=True)
class Round:
    """A round of the run-off: who is in, best first, their mean winrates, and who must leave; None in the last."""

    players: tuple[int, ...]
    means: tuple[Cell, ...]
    eliminated: int | None


@dataclass(frozen=True)
class TournamentView:
    """A tournament as its page shows it. Players are numbered by their rank in the bankroll, from 0.

    columns: sets of opponents.
    """

    line: RunLine
    game: str
    unit: str
    deals: int
    seatings: int
    players: tuple[str, ...]
    columns: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    ranks: tuple[Rank, ...]
    rounds: tuple[Round, ...]
    remarks: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Tournaments:
    """Those among the runs."""

    def __init__(self, pages: RunPages) -> None:
        self._pages = pages

    def lines(self) -> list[RunLine]:
        return [line for line in self._pages.lines() if line.kind == KIND]

    def view(self, name: str) -> TournamentView:
        """NotFoundError for a run that is no tournament, or has not been finished."""
        line = self._pages.line(name)
        if line.kind != KIND:
            raise NotFoundError(f"run {name} is no tournament")
        document = self._pages.document(name)
        try:
            return _view(line, document)
        except NashGapError as error:
            raise FileFormatError(f"the result of run {name} is damaged: {error}") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise FileFormatError(f"the result of run {name} is damaged: {type(error).__name__}") from error


def _view(line: RunLine, document: Mapping[str, Any]) -> TournamentView:
    table = _cross_table(document)
    by_bankroll, by_runoff = bankroll(table), runoff(table)
    number = {player: place for place, player in enumerate(by_bankroll.players)}
    grid = lay_out_cross_table(table)
    rounds = []
    for each in by_runoff.rounds:
        rows = {row.player: row for row in lay_out_cross_table(each.table).rows}
        players = tuple(number[player] for player in each.ranking.players)
        means = tuple(_cell(rows[player].mean) for player in each.ranking.players)
        rounds.append(Round(players, means, None if each.eliminated is None else number[each.eliminated]))
    return TournamentView(
        line,
        str(document["game"]) or "a game of its own",
        table.unit,
        int(document["deals"]),
        int(document["seatings"]),
        by_bankroll.players,
        tuple(tuple(number[name] for name in names) for names in grid.columns),
        tuple(
            Row(
                number[row.player],
                tuple(None if cell is None else _cell(cell) for cell in row.cells),
                _cell(row.mean, _half_widths(document).get(row.player)),
            )
            for row in grid.rows
        ),
        tuple(_ranks(table, document)),
        tuple(rounds),
        table_remarks(table, by_bankroll, by_runoff),
    )


def _cross_table(document: Mapping[str, Any]) -> CrossTable:
    matchups = tuple(
        Matchup(tuple(each["players"]), tuple(each["winrates"]), tuple(each["ci95"])) for each in document["matchups"]
    )
    return CrossTable(tuple(document["agents"]), matchups, dict(document["teams"]), str(document["unit"]))


def _ranks(table: CrossTable, document: Mapping[str, Any]) -> list[Rank]:
    by_bankroll, by_runoff, wins = bankroll(table), runoff(table), total_wins(table)
    widths, sure = _half_widths(document), document.get("rank_confidence", {})

    def share(ranking: str, player: str, rank: int) -> str:
        shares = sure.get(ranking, {}).get(player)
        return "" if shares is None else f"{shares[rank]:.0%}"

    pairs = zip(by_bankroll.players, by_bankroll.winrates, by_runoff.players, strict=True)
    return [
        Rank(
            rank + 1,
            player,
            format_interval(winrate, widths[player]) if player in widths else significant(winrate),
            f"{wins[player]} of {len(table.matchups_of(player))}",
            share("bankroll", player, rank),
            by_run,
            share("runoff", by_run, rank),
        )
        for rank, (player, winrate, by_run) in enumerate(pairs)
    ]


def _half_widths(document: Mapping[str, Any]) -> dict[str, float]:
    """Of the overall winrates; results of earlier versions have none."""
    found: dict[str, float] = document.get("rank_confidence", {}).get("winrate_ci95", {})
    return found


def _cell(cell: WinrateCell, ci95: float | None = None) -> Cell:
    tone = round(abs(cell.depth) * TONES) or int(cell.depth != 0)
    decimals = len(cell.text.partition(".")[2])
    interval = cell.interval if ci95 is None else f"± {ci95:.{decimals}f}"
    return Cell(cell.text, interval, tone if cell.depth > 0 else -tone)
