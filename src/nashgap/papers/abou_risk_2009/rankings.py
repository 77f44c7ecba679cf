"""Figures 3.2 to 3.6, 4.5 to 4.9 and 5.1 to 5.9: the rankings, recomputed from the printed cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from nashgap.arena.cross_table import CrossTable
from nashgap.arena.ranking import Ranking, Runoff, bankroll, runoff, total_wins
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.cross_tables import (
    CHAPTER_3,
    CHAPTER_4,
    COMPETITION_2008,
    COMPETITION_2009,
    PrintedTournament,
)
from nashgap.reports.report import CrossTableSection, Figure, FigureTable, Report, Section, Table, Text
from nashgap.reports.standings import runoff_section, table_remarks
from nashgap.runs import package_version

__all__ = [
    "Comparison",
    "Recomputed",
    "figures_3_2_to_3_6_rankings",
    "figures_4_5_to_4_9_rankings",
    "figures_5_1_to_5_9_rankings",
    "recompute",
]

# Half of the last printed digit in each cell, and so in their mean, and as much in the printed mean.
ROUNDING = 0.001
SLACK = 1e-9


@dataclass(frozen=True)
class Comparison:
    """A player's overall winrate in one figure, printed and as the mean of the printed cells."""

    figure: str
    player: str
    printed: float
    ours: float

    @property
    def is_within_rounding(self) -> bool:
        return abs(self.ours - self.printed) <= ROUNDING + SLACK

    @property
    def is_same_to_the_digit(self) -> bool:
        return round(self.ours, 3) == self.printed


@dataclass(frozen=True)
class Recomputed:
    """What follows from a tournament's printed cells."""

    printed: PrintedTournament
    table: CrossTable
    bankroll: Ranking
    runoff: Runoff

    @property
    def is_bankroll_confirmed(self) -> bool:
        return self.bankroll.players == self.printed.bankroll

    @property
    def is_runoff_confirmed(self) -> bool:
        return self.runoff.players == self.printed.runoff

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every printed overall winrate beside that of the same round of our run-off; NaN for who is out in ours."""
        rounds = zip(self.printed.figures, self.runoff.rounds, strict=False)
        return tuple(
            Comparison(figure.name, player, winrate, dict(_pairs(each.ranking)).get(player, float("nan")))
            for figure, each in rounds
            for player, winrate in figure.winrates.items()
        )


def recompute(printed: PrintedTournament) -> Recomputed:
    """Rank the printed cells."""
    table = printed.table()
    return Recomputed(printed, table, bankroll(table), runoff(table))


def figures_3_2_to_3_6_rankings(request: Request) -> Report:
    """The tournament of section 3.5.3: seven agents, three of them chumps."""
    ours = recompute(CHAPTER_3)
    return Report(
        title="Rankings of the 3-player tournament (thesis, Figures 3.2 to 3.6)",
        summary=_summary(ours),
        sections=_sections(ours, "Figure 3.2, printed cells"),
        command=command_of("thesis-figures-3.2-3.6-rankings", request),
        facts=_facts(ours),
    )


def figures_4_5_to_4_9_rankings(request: Request) -> Report:
    """The tournament of section 4.6: seven agents, four of them with heads-up experts."""
    ours = recompute(CHAPTER_4)
    return Report(
        title="Rankings of the tournament of heads-up experts (thesis, Figures 4.5 to 4.9)",
        summary=_summary(ours),
        sections=_sections(ours, "Figure 4.5, printed cells"),
        command=command_of("thesis-figures-4.5-4.9-rankings", request),
        facts=_facts(ours),
    )


def figures_5_1_to_5_9_rankings(request: Request) -> Report:
    """The ring competitions of 2008 and 2009; in 2009 members of a team did not meet."""
    ring, ours = recompute(COMPETITION_2008), recompute(COMPETITION_2009)
    is_same = "the published one" if ring.is_bankroll_confirmed else "not the published one"
    (printed,) = ring.printed.figures
    figures = tuple(Figure(name, winrate, published=printed.winrates[name]) for name, winrate in _pairs(ring.bankroll))
    return Report(
        title="Rankings of the Computer Poker Competitions of 2008 and 2009 (thesis, Figures 5.1 to 5.9)",
        summary=f"{_summary(ours)} That is 2009; the order of the six players of 2008 is {is_same}.",
        sections=(
            *_sections(ours, "Figures 5.2 to 5.6, printed cells"),
            FigureTable(f"Figure 5.1: 2008, one table of six ({ring.table.unit})", figures),
            Text(
                "Headings of Figures 5.3 and 5.6",
                (
                    "The heading of the fourth column of Figure 5.3 is lost; zero sums make it dcu, CMU. Figure 5.6 is"
                    " headed dpp, dcu twice; the second must be akuma, dcu, whose winrates then sum to zero.",
                ),
            ),
        ),
        command=command_of("thesis-figures-5.1-5.9-rankings", request),
        facts=_facts(ours),
    )


def _summary(ours: Recomputed) -> str:
    confirmed = {"bankroll": ours.is_bankroll_confirmed, "run-off": ours.is_runoff_confirmed}
    wrong = [name for name, is_confirmed in confirmed.items() if not is_confirmed]
    rankings = (
        f"The published {' and '.join(wrong)} ranking does not follow from the printed cells"
        if wrong
        else "The published bankroll and run-off rankings follow from the printed cells"
    )
    num_near = sum(each.is_within_rounding for each in ours.comparisons)
    repaired = f"{len(ours.printed.repairs)} damaged {'cell was' if len(ours.printed.repairs) == 1 else 'cells were'}"
    return (
        f"{rankings}; {num_near} of {len(ours.comparisons)} printed overall winrates agree"
        f" with them to within rounding. {repaired} repaired."
    )


def _sections(ours: Recomputed, title: str) -> tuple[Section, ...]:
    return (
        _ranking_section(ours),
        CrossTableSection(title, ours.table, "Best first; empty where there is no such matchup."),
        runoff_section(ours.runoff),
        _winrate_section(ours),
        _wins_section(ours),
        _repair_section(ours),
        Text("What is true of the printed numbers", _remarks(ours)),
    )


def _ranking_section(ours: Recomputed) -> Table:
    printed = ours.printed
    columns = zip(ours.bankroll.players, printed.bankroll, ours.runoff.players, printed.runoff, strict=True)
    return Table(
        "Rankings",
        ("rank", "bankroll", "published", "run-off", "published"),
        tuple((rank, *names) for rank, names in enumerate(columns, start=1)),
    )


def _winrate_section(ours: Recomputed) -> Table:
    rows = tuple(
        (
            each.figure,
            each.player,
            each.printed,
            round(each.ours, 4),
            "" if each.is_same_to_the_digit else "by rounding" if each.is_within_rounding else "beyond rounding",
        )
        for each in ours.comparisons
    )
    note = f"In {ours.table.unit}. By rounding: the printed cells, rounded themselves, allow for a difference of 0.001."
    return Table("Overall winrates", ("figure", "player", "printed", "from the cells", "differs"), rows, note)


def _wins_section(ours: Recomputed) -> FigureTable:
    printed = ours.printed.wins or {}
    wins = sorted(total_wins(ours.table).items(), key=lambda pair: (-pair[1], pair[0]))
    figures = tuple(
        Figure(player, count, published=printed.get(player), note=f"of {len(ours.table.matchups_of(player))}")
        for player, count in wins
    )
    return FigureTable("Total wins: matchups with a positive winrate", figures)


def _repair_section(ours: Recomputed) -> Table:
    rows = tuple(
        (each.player, ", ".join(each.opponents), each.found or "nothing", each.value, each.reason)
        for each in ours.printed.repairs
    )
    return Table("Repaired cells", ("player", "against", "found", "taken for", "because"), rows)


def _remarks(ours: Recomputed) -> tuple[str, ...]:
    table, comparisons = ours.table, ours.comparisons
    remarks = list(table_remarks(table, ours.bankroll, ours.runoff))
    by_rounding = [each for each in comparisons if each.is_within_rounding and not each.is_same_to_the_digit]
    if by_rounding:
        listed = "; ".join(_difference(each) for each in by_rounding)
        remarks.append(f"Overall winrates whose last digit is not that of the cells' mean: {listed}.")
    if beyond := [each for each in comparisons if not each.is_within_rounding]:
        listed = "; ".join(_difference(each) for each in beyond)
        remarks.append(f"Printed overall winrates that rounding does not explain: {listed}.")
    swapped = [figure for figure in dict.fromkeys(each.figure for each in comparisons) if _is_swapped(ours, figure)]
    order = f"differ in order in Figures {', '.join(swapped)}" if swapped else "are in the same order in every figure"
    remarks.append(f"Printed overall winrates and the means of the cells {order}.")
    return tuple(remarks)


def _is_swapped(ours: Recomputed, figure: str) -> bool:
    """Whether two players stand one way by the printed winrates and the other way by ours."""
    shown = [each for each in ours.comparisons if each.figure == figure]
    return any(
        (first.printed - second.printed) * (first.ours - second.ours) < -SLACK
        for first, second in combinations(shown, 2)
    )


def _difference(each: Comparison) -> str:
    return f"Figure {each.figure}, {each.player}, printed {each.printed:.3f}, cells {each.ours:.4f}"


def _pairs(ranking: Ranking) -> tuple[tuple[str, float], ...]:
    return tuple(zip(ranking.players, ranking.winrates, strict=True))


def _facts(ours: Recomputed) -> dict[str, object]:
    return {
        "unit": ours.table.unit,
        "method": "arithmetic on the printed cells; nothing is played",
        "teams": "; ".join(f"{player}: {team}" for player, team in ours.table.teams.items()) or "none",
        "largest residual": round(ours.table.largest_residual, 6),
        "version": package_version(),
    }
