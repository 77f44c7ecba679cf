"""Figures 3.2 to 3.6: seven agents, every three of them against each other, and what section 3.5.3 says about it.

Poki is hundreds of times slower than the others, so that its matchups have fewer deals than the thesis's 200,000.

What an agent does in information sets that training never reached moves the results against chumps by half a small bet;
the thesis does not say what its agents do there. So everything is played twice: uniformly there, and calling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nashgap.arena.cross_table import CrossTable, Matchup
from nashgap.arena.ranking import RankConfidence, Ranking, Runoff, bankroll, runoff
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.arena.tournament_result import TournamentResult
from nashgap.core.estimate import format_interval
from nashgap.jobs.reproduction import Request, command_of
from nashgap.jobs.tournament import TournamentJob
from nashgap.papers.abou_risk_2009.cross_tables import CHAPTER_3
from nashgap.papers.abou_risk_2009.trained import IR16_END, IR16_HALF, MULTI2, trained_agent
from nashgap.papers.statements import Statement
from nashgap.papers.training import TrainedAgent
from nashgap.poker.rules import load_rules
from nashgap.reports.report import CrossTableSection, Report, Section, Table, Text
from nashgap.reports.standings import runoff_section
from nashgap.runs import package_version
from nashgap.strategies.play_options import FALLBACKS
from nashgap.strategies.spec import Bot, parse_bot

__all__ = ["Played", "check_statements", "figures_3_2_to_3_6"]

CALL, PROBE, RAISE, POKI = "AC", "Probe", "AR", "Poki"
SPECS = {CALL: "always-call", PROBE: "probe", RAISE: "always-raise", POKI: "poki"}
CFR_AGENTS = (MULTI2, IR16_HALF, IR16_END)

DEALS, POKI_DEALS, QUICK_DEALS = 200_000, 40_000, 1_000
POKI_HANDS_PER_SECOND = 8_000  # about; for the forecast
NUM_SEATINGS = 6
POKI_MATCHUPS = 15

FOLDING = -0.5  # what always folding wins, sb_per_hand

# One player against both IR16, and how far from the print ours may be; None: on the same side of 0.
AGAINST_IR16: dict[str, float | None] = {CALL: 0.05, RAISE: 0.06, PROBE: 0.10, MULTI2: None}


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


def figures_3_2_to_3_6(request: Request) -> Report:
    """The tournament of section 3.5.3 with agents trained here."""
    agents = {name: trained_agent(name, request) for name in CFR_AGENTS}
    _note_duration(request)
    held = [agent.load() for agent in agents.values()]
    played = {fallback: _play(agents, fallback, request) for fallback in FALLBACKS}
    del held
    printed = Played.of(CHAPTER_3.table())
    statements = {fallback: check_statements(each) for fallback, each in played.items()}
    told = "; ".join(
        f"with fallback={fallback} {sum(each.is_true for each in found)} of {len(found)}"
        for fallback, found in statements.items()
    )
    sections: list[Section] = [_statement_section(statements), _pair_section(printed, played)]
    for fallback, each in played.items():
        sections += _sections(printed, each, fallback)
    sections.append(Text("Training", tuple(agent.told(name) for name, agent in agents.items())))
    return Report(
        title="The 3-player tournament (thesis, Figures 3.2 to 3.6)",
        summary=f"Statements of section 3.5.3 that are true here: {told}.",
        sections=tuple(sections),
        command=command_of("thesis-figures-3.2-3.6", request),
        facts={
            "game": "lhe3",
            "unit": printed.table.unit,
            "deals": QUICK_DEALS if request.is_quick else DEALS,
            "deals of matchups with Poki": QUICK_DEALS if request.is_quick else POKI_DEALS,
            "seatings of each deal": NUM_SEATINGS,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def check_statements(played: Played) -> tuple[Statement, ...]:
    """Section 3.5.3, sentence by sentence."""
    first_three = {"bankroll": played.bankroll.players[:3], "run-off": played.runoff.players[:3]}
    lost = {
        name: [matchup for matchup in played.table.matchups_of(name) if matchup.winrate(name) < 0]
        for name in (IR16_HALF, IR16_END, CALL)
    }
    there = {name: played.cell(name, RAISE, PROBE) for name in (*CFR_AGENTS, POKI)}
    calling = played.bankroll.winrate(CALL)
    won = [(matchup.winrate(name), name, matchup) for matchup in played.table.matchups for name in matchup.players]
    most, winner, where = max(won, key=lambda each: each[0])
    return (
        *(
            Statement(
                f"the CFR agents take the first three places by {ranking}",
                set(players) == set(CFR_AGENTS),
                ", ".join(players),
            )
            for ranking, players in first_three.items()
        ),
        *(
            Statement(
                f"{name} loses only to Always-Raise with Probe",
                [set(matchup.players) for matchup in lost[name]] == [{name, RAISE, PROBE}],
                "; ".join(f"{', '.join(each.opponents(name))} {each.winrate(name):+.3f}" for each in lost[name])
                or "loses nowhere",
            )
            for name in (IR16_HALF, IR16_END)
        ),
        Statement(
            "Multi2 alone wins there",
            [name for name, (winrate, _) in there.items() if winrate > 0] == [MULTI2],
            "; ".join(f"{name} {_shown(*cell)}" for name, cell in there.items()),
        ),
        Statement(
            "Always-Call does worse than folding every hand",
            calling < FOLDING,
            f"{calling:+.3f} against {FOLDING:+.3f}",
        ),
        Statement(
            "Always-Call wins in no matchup",
            len(lost[CALL]) == len(played.table.matchups_of(CALL)),
            f"loses in {len(lost[CALL])} of {len(played.table.matchups_of(CALL))}",
        ),
        Statement(
            "Poki wins most in any matchup, against Always-Call and Always-Raise",
            winner == POKI and set(where.players) == {POKI, CALL, RAISE},
            f"{winner} against {', '.join(where.opponents(winner))} {most:+.3f}",
        ),
    )


def _play(agents: Mapping[str, TrainedAgent], fallback: str, request: Request) -> Played:
    """All matchups; those without Poki come from longer matches."""
    bots = {name: parse_bot(text) for name, text in SPECS.items()}
    bots |= {name: agent.bot(fallback=fallback) for name, agent in agents.items()}
    if request.is_quick:
        result = _tournament(f"figures-3.2-3.6-quick-{fallback}", bots, QUICK_DEALS, request)
        return Played.of(result.cross_table, result.confidence)
    everybody = _tournament(f"figures-3.2-3.6-{fallback}", bots, POKI_DEALS, request)
    without = {name: bot for name, bot in bots.items() if name != POKI}
    longer = _tournament(f"figures-3.2-3.6-without-poki-{fallback}", without, DEALS, request)
    cells = {frozenset(matchup.players): matchup for matchup in longer.cross_table.matchups}
    table = everybody.cross_table
    matchups = tuple(cells.get(frozenset(matchup.players), matchup) for matchup in table.matchups)
    return Played.of(CrossTable(table.players, matchups, unit=table.unit), everybody.confidence)


def _tournament(name: str, bots: Mapping[str, Bot], deals: int, request: Request) -> TournamentResult:
    entrants = tuple(Entrant(player, bot) for player, bot in bots.items())
    config = TournamentConfig(name, "lhe3", deals, entrants, request.seed)
    played: TournamentResult = request.perform(TournamentJob(load_rules("lhe3"), config))
    return played


def _note_duration(request: Request) -> None:
    deals = QUICK_DEALS if request.is_quick else POKI_DEALS
    hands = len(FALLBACKS) * POKI_MATCHUPS * NUM_SEATINGS * deals
    minutes = hands / POKI_HANDS_PER_SECOND / request.workers / 60
    request.note(f"{hands:,} hands with Poki and many more without it, about {max(1, round(minutes))} minutes")


def _statement_section(statements: Mapping[str, Sequence[Statement]]) -> Table:
    rows = tuple(
        (
            together[0].text,
            *(cell for each in together for cell in ("true" if each.is_true else "false", each.because)),
        )
        for together in zip(*statements.values(), strict=True)
    )
    columns = [column for fallback in statements for column in (f"fallback={fallback}", f"because ({fallback})")]
    return Table("What section 3.5.3 says", ("statement", *columns), rows, "Winrates in sb_per_hand.")


def _pair_section(printed: Played, played: Mapping[str, Played]) -> Table:
    """Two IR16 against one other, as near as one may ask."""
    rows: list[tuple[str | float, ...]] = []
    for player, allowed in AGAINST_IR16.items():
        pair = (IR16_HALF, IR16_END)
        expected, _ = printed.cell(player, *pair)
        cells: list[str] = []
        for each in played.values():
            winrate, ci95 = each.cell(player, *pair)
            is_near = winrate * expected > 0 if allowed is None else abs(winrate - expected) <= allowed
            cells += [_shown(winrate, ci95), "yes" if is_near else "no"]
        rows.append((player, expected, "same sign" if allowed is None else allowed, *cells))
    columns = [column for fallback in played for column in (f"fallback={fallback}", f"near ({fallback})")]
    return Table(
        "One player against both IR16",
        ("player", "printed", "allowed", *columns),
        tuple(rows),
        "What the player wins, sb_per_hand, with 95% intervals.",
    )


def _sections(printed: Played, played: Played, fallback: str) -> tuple[Section, ...]:
    """Rankings, cross-table, cells beside the printed ones and run-off."""
    columns = zip(
        played.bankroll.players,
        (_winrate(played, player) for player in played.bankroll.players),
        CHAPTER_3.bankroll,
        played.runoff.players,
        CHAPTER_3.runoff,
        strict=True,
    )
    return (
        Table(
            f"Rankings, fallback={fallback}",
            ("rank", "bankroll", "winrate", "printed", "run-off", "printed"),
            tuple((rank, *row) for rank, row in enumerate(columns, start=1)),
            "Winrates in sb_per_hand; 95% intervals by drawing again the deals that all matchups share.",
        ),
        CrossTableSection(f"Cross-table, fallback={fallback}", played.table, "For Figure 3.2; best first."),
        _cell_section(printed, played, fallback),
        _runoff_section(played, fallback),
        *(
            CrossTableSection(
                f"Cross-table of {len(each.table.players)} left, fallback={fallback}",
                each.table,
                f"For Figure 3.{2 + number}.",
            )
            for number, each in enumerate(played.runoff.rounds)
            if number
        ),
    )


def _cell_section(printed: Played, played: Played, fallback: str) -> Table:
    """Every cell, published and ours."""
    rows = []
    for matchup in _ordered(printed.table.matchups):
        for player in matchup.players:
            opponents = matchup.opponents(player)
            expected, (winrate, ci95) = matchup.winrate(player), played.cell(player, *opponents)
            rows.append((player, ", ".join(opponents), expected, _shown(winrate, ci95), round(winrate - expected, 3)))
    return Table(
        f"Cells of Figure 3.2, fallback={fallback}",
        ("player", "against", "printed", "ours", "difference"),
        tuple(rows),
        "sb_per_hand; ours with 95% intervals.",
    )


def _runoff_section(played: Played, fallback: str) -> Table:
    section = runoff_section(played.runoff)
    return Table(f"{section.title}, fallback={fallback}", section.columns, section.rows, section.note)


def _ordered(matchups: Sequence[Matchup]) -> list[Matchup]:
    """Those without Poki first."""
    return sorted(matchups, key=lambda matchup: POKI in matchup.players)


def _winrate(played: Played, player: str) -> str:
    winrate, sure = played.bankroll.winrate(player), played.confidence
    return _shown(winrate, None if sure is None else float(sure.winrate_ci95[sure.players.index(player)]))


def _shown(winrate: float, ci95: float | None) -> str:
    return f"{winrate:+.3f}" if ci95 is None else format_interval(winrate, ci95)
