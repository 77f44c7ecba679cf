"""Figures 3.2 to 3.6: seven agents, every three of them against each other, and what section 3.5.3 says about it.

What an agent does in information sets that training never reached moves the results against chumps by half a small bet;
the thesis does not say what its agents do there. So everything is played twice: uniformly there, and calling.
"""

from __future__ import annotations

from collections.abc import Mapping

from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.cross_tables import CHAPTER_3
from nashgap.papers.abou_risk_2009.played import (
    POKI,
    Played,
    note_duration,
    play,
    played_sections,
    shown,
    statements_by_fallback,
    tournament_facts,
    true_by_fallback,
)
from nashgap.papers.abou_risk_2009.trained import IR16_END, IR16_HALF, MULTI2, trained_agent
from nashgap.papers.statements import Statement
from nashgap.papers.training import TrainedAgent
from nashgap.reports.report import Report, Section, Table, Text
from nashgap.strategies.play_options import FALLBACKS
from nashgap.strategies.spec import parse_bot

__all__ = ["check_statements", "figures_3_2_to_3_6"]

CALL, PROBE, RAISE = "AC", "Probe", "AR"
SPECS = {CALL: "always-call", PROBE: "probe", RAISE: "always-raise", POKI: "poki"}
CFR_AGENTS = (MULTI2, IR16_HALF, IR16_END)

FOLDING = -0.5  # what always folding wins, sb_per_hand

# One player against both IR16, and how far from the print ours may be; None: on the same side of 0.
AGAINST_IR16: dict[str, float | None] = {CALL: 0.05, RAISE: 0.06, PROBE: 0.10, MULTI2: None}


def figures_3_2_to_3_6(request: Request) -> Report:
    """The tournament of section 3.5.3 with agents trained here."""
    agents = {name: trained_agent(name, request) for name in CFR_AGENTS}
    note_duration(request, len(FALLBACKS))
    held = [agent.load() for agent in agents.values()]
    played = {fallback: _play(agents, fallback, request) for fallback in FALLBACKS}
    del held
    printed = Played.of(CHAPTER_3.table())
    statements = {fallback: check_statements(each) for fallback, each in played.items()}
    sections: list[Section] = [
        statements_by_fallback("What section 3.5.3 says", statements),
        _pair_section(printed, played),
    ]
    for fallback, each in played.items():
        sections += played_sections(CHAPTER_3, each, f"fallback={fallback}")
    sections.append(Text("Training", tuple(agent.told(name) for name, agent in agents.items())))
    return Report(
        title="The 3-player tournament (thesis, Figures 3.2 to 3.6)",
        summary=f"Statements of section 3.5.3 that are true here: {true_by_fallback(statements)}.",
        sections=tuple(sections),
        command=command_of("thesis-figures-3.2-3.6", request),
        facts=tournament_facts(request),
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
            "; ".join(f"{name} {shown(*cell)}" for name, cell in there.items()),
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
    bots = {name: parse_bot(text) for name, text in SPECS.items()}
    bots |= {name: agent.bot(fallback=fallback) for name, agent in agents.items()}
    return play(f"figures-3.2-3.6-{fallback}", bots, request)


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
            cells += [shown(winrate, ci95), "yes" if is_near else "no"]
        rows.append((player, expected, "same sign" if allowed is None else allowed, *cells))
    columns = [column for fallback in played for column in (f"fallback={fallback}", f"near ({fallback})")]
    return Table(
        "One player against both IR16",
        ("player", "printed", "allowed", *columns),
        tuple(rows),
        "What the player wins, sb_per_hand, with 95% intervals.",
    )
