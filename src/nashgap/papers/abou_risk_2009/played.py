"""A tournament of the thesis, printed or played here: cells, both rankings, and the tables that a report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.ranking import RankConfidence, Ranking, Runoff, bankroll, runoff
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.arena.tournament_result import TournamentResult
from nashgap.core.estimate import format_interval
from nashgap.jobs.reproduction import Request
from nashgap.jobs.tournament import TournamentJob
from nashgap.papers.abou_risk_2009.cross_tables import PrintedTournament
from nashgap.papers.statements import Statement, num_true
from nashgap.poker.rules import load_rules
from nashgap.reports.report import CrossTableSection, Section, Table
from nashgap.reports.standings import runoff_section
from nashgap.runs import package_version
from nashgap.strategies.bot import Bot

__all__ = [
    "POKI",
    "Played",
    "note_duration",
    "play",
    "played_sections",
    "shown",
    "statements_by_fallback",
    "tournament_facts",
    "true_by_fallback",
]

POKI = "Poki"
# Poki is hundreds of times slower than the others, so that its matchups have fewer deals than the thesis's 200,000.
DEALS, POKI_DEALS, QUICK_DEALS = 200_000, 40_000, 1_000
POKI_HANDS_PER_SECOND = 8_000  # about; for the forecast
NUM_SEATINGS = 6
POKI_MATCHUPS = 15


@dataclass(frozen=True)
class Played:
    """A tournament's cells, the most precise there are, and their rankings.

    confidence: of the ranks, from the deals that all matchups share; None where the cells are printed ones.
    """

    table: CrossTable
    bankroll: Ranking
    runoff: Runoff
    confidence: RankConfidence | None = None

    @classmethod
    def of(cls, table: CrossTable, confidence: RankConfidence | None = None) -> Played:
        return cls(table, bankroll(table), runoff(table), confidence)

    def cell(self, player: str, *opponents: str) -> tuple[float, float | None]:
        """Winrate and half-width of its 95% interval."""
        matchup = self.table.find((player, *opponents))
        assert matchup is not None, "every three of the seven meet"
        return matchup.winrate(player), matchup.interval(player)

    def overall(self, player: str) -> tuple[float, float | None]:
        """The same of all its matchups together; the half-width is that of as many deals as matchups with Poki have."""
        sure = self.confidence
        ci95 = None if sure is None else float(sure.winrate_ci95[sure.players.index(player)])
        return self.bankroll.winrate(player), ci95

    def lead(self, player: str, other: str) -> tuple[float, float | None]:
        """How far a player is ahead of another by all their matchups, and the half-width in the same way."""
        sure = self.confidence
        lead = self.bankroll.winrate(player) - self.bankroll.winrate(other)
        if sure is None:
            return lead, None
        return lead, float(sure.lead_ci95[sure.players.index(player), sure.players.index(other)])


def play(name: str, bots: Mapping[str, Bot], request: Request) -> Played:
    """All matchups of the bots; those without Poki come from longer matches."""
    if request.is_quick:
        result = _tournament(f"{name}-quick", bots, QUICK_DEALS, request)
        return Played.of(result.cross_table, result.confidence)
    everybody = _tournament(name, bots, POKI_DEALS, request)
    without = {player: bot for player, bot in bots.items() if player != POKI}
    longer = _tournament(f"{name}-without-poki", without, DEALS, request)
    cells = {frozenset(matchup.players): matchup for matchup in longer.cross_table.matchups}
    table = everybody.cross_table
    matchups = tuple(cells.get(frozenset(matchup.players), matchup) for matchup in table.matchups)
    return Played.of(CrossTable(table.players, matchups, unit=table.unit), everybody.confidence)


def note_duration(request: Request, times: int = 1) -> None:
    """Say how long so many tournaments with Poki take."""
    deals = QUICK_DEALS if request.is_quick else POKI_DEALS
    hands = times * POKI_MATCHUPS * NUM_SEATINGS * deals
    minutes = hands / POKI_HANDS_PER_SECOND / request.num_processes / 60
    request.note(f"{hands:,} hands with Poki and many more without it, about {max(1, round(minutes))} minutes")


def played_sections(printed: PrintedTournament, played: Played, how: str = "") -> tuple[Section, ...]:
    """Rankings, cross-table, cells beside the printed ones and run-off. how: what tells this one from others."""
    columns = zip(
        played.bankroll.players,
        (shown(*played.overall(player)) for player in played.bankroll.players),
        printed.bankroll,
        played.runoff.players,
        printed.runoff,
        strict=True,
    )
    first, *later = (figure.name for figure in printed.figures)
    told = f", {how}" if how else ""
    rounds = runoff_section(played.runoff)
    return (
        Table(
            f"Rankings{told}",
            ("rank", "bankroll", "winrate", "printed", "run-off", "printed"),
            tuple((rank, *row) for rank, row in enumerate(columns, start=1)),
            "Winrates in sb_per_hand; 95% intervals by drawing again the deals that all matchups share. Matchups"
            " without Poki have more deals than that, so that the intervals are wider than they need be.",
        ),
        CrossTableSection(f"Cross-table{told}", played.table, f"For Figure {first}; best first."),
        _cell_section(f"Cells of Figure {first}{told}", Played.of(printed.table()), played),
        Table(f"{rounds.title}{told}", rounds.columns, rounds.rows, rounds.note),
        *(
            CrossTableSection(
                f"Cross-table of {len(each.table.players)} left{told}", each.table, f"For Figure {figure}."
            )
            for figure, each in zip(later, played.runoff.rounds[1:], strict=False)
        ),
    )


def true_by_fallback(statements: Mapping[str, Sequence[Statement]]) -> str:
    """How many are true, by what is played where training never came."""
    return "; ".join(
        f"with fallback={fallback} {num_true(found)} of {len(found)}" for fallback, found in statements.items()
    )


def statements_by_fallback(title: str, statements: Mapping[str, Sequence[Statement]]) -> Table:
    """The same statements, held against tournaments that differ in what is played where training never came."""
    rows = tuple(
        (together[0].text, *(cell for each in together for cell in (each.verdict, each.because)))
        for together in zip(*statements.values(), strict=True)
    )
    columns = [column for fallback in statements for column in (f"fallback={fallback}", f"because ({fallback})")]
    return Table(title, ("the thesis says", *columns), rows, "Winrates in sb_per_hand, with 95% intervals.")


def tournament_facts(request: Request) -> dict[str, object]:
    """Of `play`, for the report."""
    return {
        "game": "lhe3",
        "unit": "sb_per_hand",
        "deals": QUICK_DEALS if request.is_quick else DEALS,
        "deals of matchups with Poki": QUICK_DEALS if request.is_quick else POKI_DEALS,
        "seatings of each deal": NUM_SEATINGS,
        "seed": request.seed,
        "version": package_version(),
    }


def shown(winrate: float, ci95: float | None) -> str:
    return f"{winrate:+.3f}" if ci95 is None else format_interval(winrate, ci95)


def _tournament(name: str, bots: Mapping[str, Bot], deals: int, request: Request) -> TournamentResult:
    entrants = tuple(Entrant(player, bot) for player, bot in bots.items())
    config = TournamentConfig(name, "lhe3", deals, entrants, request.seed)
    played: TournamentResult = request.perform(TournamentJob(load_rules("lhe3"), config))
    return played


def _cell_section(title: str, printed: Played, played: Played) -> Table:
    """Every cell, published and ours."""
    rows = []
    for matchup in _ordered(printed.table.matchups):
        for player in matchup.players:
            opponents = matchup.opponents(player)
            expected, (winrate, ci95) = matchup.winrate(player), played.cell(player, *opponents)
            rows.append((player, ", ".join(opponents), expected, shown(winrate, ci95), round(winrate - expected, 3)))
    columns = ("player", "against", "printed", "ours", "difference")
    return Table(title, columns, tuple(rows), "sb_per_hand; ours with 95% intervals.")


def _ordered(matchups: Sequence[Matchup]) -> list[Matchup]:
    """Those without Poki first."""
    return sorted(matchups, key=lambda matchup: POKI in matchup.players)
