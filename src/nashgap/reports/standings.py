"""The standings of a tournament as a report: rankings, cross-table, run-off round by round, how sure the ranks are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nashgap.arena.cross_table import CrossTable
from nashgap.arena.ranking import RankConfidence, Ranking, Runoff, bankroll, runoff, total_wins
from nashgap.arena.standings import Standings
from nashgap.core.estimate import format_interval
from nashgap.reports.report import Cell, CrossTableSection, Report, Section, Table, Text
from nashgap.runs.config import package_version

__all__ = ["ranking_report", "runoff_section", "standings_report", "standings_sections", "table_remarks"]

CROSS_TABLE_NOTE = "Best first; empty where there is no such matchup."
# Longer lists of matchups are cut; the cross-table has them all.
MOST_LISTED = 6


def ranking_report(standings: Standings) -> Report:
    """What a cross-table says about its players."""
    title = f"Rankings of {Path(standings.source).name}" if standings.source else "Rankings"
    return standings_report(standings.cross_table, title=title, command=standings.provenance.command)


def standings_report(
    table: CrossTable, *, title: str, command: str, confidence: RankConfidence | None = None
) -> Report:
    """What the table says about its players; `confidence` where the deals behind it are known."""
    by_bankroll, by_runoff = bankroll(table), runoff(table)
    best = f"{by_bankroll.players[0]} ({by_bankroll.winrates[0]:+.4g} {table.unit}".rstrip() + ")"
    return Report(
        title=title,
        summary=f"First by bankroll: {best}. First by run-off: {by_runoff.players[0]}.",
        sections=standings_sections(table, by_bankroll, by_runoff, confidence),
        command=command,
        facts={
            "players": ", ".join(by_bankroll.players),
            "matchups": f"{len(table.matchups)}, each of {table.num_seats} players",
            "teams": "; ".join(f"{player}: {team}" for player, team in table.teams.items()) or "none",
            "unit": table.unit or "not said",
            "largest residual": table.largest_residual,
            "version": package_version(),
        },
    )


def standings_sections(
    table: CrossTable, by_bankroll: Ranking, by_runoff: Runoff, confidence: RankConfidence | None = None
) -> tuple[Section, ...]:
    """Rankings, cross-table, run-off and remarks."""
    sections: list[Section] = [_ranking_section(table, by_bankroll, by_runoff, confidence)]
    if confidence is not None:
        sections += [
            _confidence_section(
                "Share of resamples in which each bankroll rank is reached", confidence.bankroll, confidence
            ),
            _confidence_section(
                "Share of resamples in which each run-off rank is reached", confidence.runoff, confidence
            ),
        ]
    sections += [
        CrossTableSection("Cross-table", table, CROSS_TABLE_NOTE),
        runoff_section(by_runoff),
        Text("Remarks", table_remarks(table, by_bankroll, by_runoff)),
    ]
    return tuple(sections)


def _ranking_section(
    table: CrossTable, by_bankroll: Ranking, by_runoff: Runoff, confidence: RankConfidence | None
) -> Table:
    wins = total_wins(table)
    half_widths = {} if confidence is None else dict(zip(confidence.players, confidence.winrate_ci95, strict=True))

    def row(rank: int, player: str, winrate: float) -> tuple[Cell, ...]:
        shown = format_interval(winrate, float(half_widths[player])) if player in half_widths else winrate
        return rank, player, shown, f"{wins[player]} of {len(table.matchups_of(player))}", by_runoff.players[rank - 1]

    ranked = enumerate(zip(by_bankroll.players, by_bankroll.winrates, strict=True), start=1)
    rows = tuple(row(rank, player, winrate) for rank, (player, winrate) in ranked)
    note = "Winrate and total wins are those of the player by bankroll." + (f" In {table.unit}." if table.unit else "")
    return Table("Rankings", ("rank", "bankroll", "winrate", "total wins", "run-off"), rows, note)


def runoff_section(by_runoff: Runoff) -> Table:
    """Who was eliminated in each round, and how the rest ranked in the end."""
    rows: list[tuple[Cell, ...]] = []
    for number, each in enumerate(by_runoff.rounds, start=1):
        left = each.eliminated or f"none; ranked {', '.join(each.ranking.players)}"
        rows.append(
            (number, len(each.table.players), len(each.table.matchups), left, round(each.ranking.winrates[-1], 4))
        )
    note = "Each round eliminates the lowest overall winrate, until somebody would be left without a matchup."
    return Table("Run-off", ("round", "players", "matchups", "eliminated", "lowest winrate"), tuple(rows), note)


def _confidence_section(title: str, shares: NDArray[np.float64], confidence: RankConfidence) -> Table:
    """Players in the order of their mean rank."""
    ranks = np.arange(1, len(confidence.players) + 1)
    order = np.argsort(shares @ ranks, kind="stable")
    rows = tuple(
        (confidence.players[player], *(round(float(share), 3) for share in shares[player])) for player in order
    )
    note = f"{confidence.num_resamples:,} resamples of blocks of deals, seed {confidence.seed}."
    return Table(title, ("player", *map(str, ranks)), rows, note)


def table_remarks(table: CrossTable, by_bankroll: Ranking, by_runoff: Runoff) -> tuple[str, ...]:
    """Whether the winrates sum to zero, and which ties there are."""
    remarks = [
        f"The winrates of a matchup sum to zero to within {abs(table.largest_residual):.3g}; rounding explains"
        f" {table.rounding:.3g}."
    ]
    if unbalanced := table.unbalanced():
        shown = "; ".join(f"{', '.join(each.players)}: {each.residual:+.3g}" for each in unbalanced[:MOST_LISTED])
        more = f"; and {len(unbalanced) - MOST_LISTED} more" if len(unbalanced) > MOST_LISTED else ""
        remarks.append(f"Beyond that: {shown}{more}.")
    remarks += [f"Tied by bankroll, so ordered by name: {', '.join(tie)}." for tie in by_bankroll.ties]
    for number, each in enumerate(by_runoff.rounds[1:], start=2):
        for tie in each.ranking.ties:
            effect = "their names decide a rank" if tie in by_runoff.decisive_ties else "no rank depends on it"
            remarks.append(f"Tied in round {number} of the run-off: {', '.join(tie)}; {effect}.")
    return tuple(remarks)
