"""Figures 4.5 to 4.9: two bases, each alone and with two sets of experts, and Poki; and what section 4.6 says.

An expert that was seeded with pure ranges has seen no other hands, and bases do come to it with such hands. What is
done then the thesis does not say; so everything is played twice, as in chapter 3: uniformly there, and calling.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.cross_tables import CHAPTER_4
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
from nashgap.papers.abou_risk_2009.trained import IR16_END, MULTI2, master_of, trained_agent, trained_experts
from nashgap.papers.statements import Statement, all_true, is_positive
from nashgap.papers.training import TrainedAgent
from nashgap.reports.report import Report, Section, Table, Text
from nashgap.strategies.abstract import AbstractStrategy
from nashgap.strategies.bot import Bot
from nashgap.strategies.play_options import FALLBACKS
from nashgap.strategies.spec import parse_bot

__all__ = ["chapter_4_bots", "chapter_4_experts", "check_statements", "figures_4_5_to_4_9", "held_strategies"]

UNIFORM_M2, EXPERT_M2, UNIFORM_IR16, EXPERT_IR16, IR16 = "Uni_M2", "Exp_M2", "Uni_IR16", "Exp_IR16", "IR16"
SETS = {"Uni": "hue5-uniform", "Exp": "hue5-expert"}


def figures_4_5_to_4_9(request: Request) -> Report:
    """The tournament of section 4.6 with agents and experts trained here."""
    bases, experts = chapter_4_experts(request)
    note_duration(request, len(FALLBACKS))
    held = held_strategies(bases, experts)
    played = {
        fallback: play(f"figures-4.5-4.9-{fallback}", chapter_4_bots(bases, experts, fallback), request)
        for fallback in FALLBACKS
    }
    del held
    statements = {fallback: check_statements(each) for fallback, each in played.items()}
    ranking = next(iter(played.values())).bankroll.players
    sections: list[Section] = [statements_by_fallback("What section 4.6 says", statements)]
    for fallback, each in played.items():
        sections += played_sections(CHAPTER_4, each, f"fallback={fallback}")
    return Report(
        title="Masters and their experts (thesis, Figures 4.5 to 4.9)",
        summary=(
            f"Statements of section 4.6 that are true here: {true_by_fallback(statements)}. By bankroll:"
            f" {', '.join(ranking)}."
        ),
        sections=(
            *sections,
            _expert_section(experts),
            Text("Training", tuple(agent.told(name) for name, agent in bases.items())),
        ),
        command=command_of("thesis-figures-4.5-4.9", request),
        facts=tournament_facts(request),
    )


def check_statements(played: Played) -> tuple[Statement, ...]:
    """Section 4.6, sentence by sentence; what the intervals leave open is not decided."""

    def ahead(text: str, better: str, worse: str) -> Statement:
        lead, ci95 = played.lead(better, worse)
        told = "; ".join(f"{name} {shown(*played.overall(name))}" for name in (better, worse))
        return Statement(text, is_positive(lead, ci95), f"ahead by {shown(lead, ci95)}: {told}")

    def inall_true(text: str, names: Sequence[str], sign: int) -> Statement:
        cells = [
            (f"{name} against {', '.join(matchup.opponents(name))}", *played.cell(name, *matchup.opponents(name)))
            for name in names
            for matchup in played.table.matchups_of(name)
        ]
        others = [(where, winrate, ci95) for where, winrate, ci95 in cells if sign * winrate <= 0]
        told = "; ".join(f"{where} {shown(winrate, ci95)}" for where, winrate, ci95 in others)
        verdict = all_true(is_positive(sign * winrate, ci95) for _, winrate, ci95 in others)
        return Statement(text, verdict, told or f"{' and '.join(names)} in all of theirs")

    def most(text: str, ranking: Sequence[str], sign: int) -> Statement:
        """Against the first two of the ranking, but for itself, each player's winrate times the sign is the highest."""
        verdicts, told = [], []
        for player in ranking:
            pair = [other for other in ranking if other != player][:2]
            here, here_ci95 = played.cell(player, *pair)
            best = max(played.table.matchups_of(player), key=lambda matchup: sign * matchup.winrate(player))
            there, there_ci95 = played.cell(player, *best.opponents(player))
            if set(best.opponents(player)) == set(pair):
                continue
            ci95 = None if here_ci95 is None or there_ci95 is None else math.hypot(here_ci95, there_ci95)
            verdicts.append(is_positive(sign * (here - there), ci95))
            told.append(
                f"{player} against {', '.join(pair)} {shown(here, here_ci95)}, against"
                f" {', '.join(best.opponents(player))} {shown(there, there_ci95)}"
            )
        return Statement(text, all_true(verdicts), "; ".join(told) or "each of them")

    ranking = played.bankroll.players
    first, last = ranking[:2], ranking[-2:]
    return (
        ahead("uniform experts help Multi2", UNIFORM_M2, MULTI2),
        ahead("expert knowledge helps Multi2", EXPERT_M2, MULTI2),
        ahead("on Multi2 expert knowledge is better than uniform seeding", EXPERT_M2, UNIFORM_M2),
        ahead("on IR16 expert knowledge is better than uniform seeding", EXPERT_IR16, UNIFORM_IR16),
        ahead("IR16 is ahead of its master with expert knowledge", IR16, EXPERT_IR16),
        ahead("IR16 is ahead of its uniform master", IR16, UNIFORM_IR16),
        Statement(
            "both rankings are the same",
            played.bankroll.players == played.runoff.players,
            f"bankroll {', '.join(played.bankroll.players)}; run-off {', '.join(played.runoff.players)}",
        ),
        Statement(
            "the ranking is IR16, its masters, Multi2's masters, Multi2, Poki",
            played.bankroll.players == CHAPTER_4.bankroll,
            ", ".join(played.bankroll.players),
        ),
        inall_true("the first two win in every matchup", first, 1),
        inall_true("the last two lose in every matchup", last, -1),
        most("every agent loses the most against the first two", ranking, -1),
        most("every agent wins the most against the last two", ranking[::-1], 1),
    )


def chapter_4_experts(request: Request) -> tuple[dict[str, TrainedAgent], dict[str, tuple[TrainedAgent, ...]]]:
    """The bases, and two sets of experts."""
    bases = {MULTI2: trained_agent(MULTI2, request), IR16: trained_agent(IR16_END, request)}
    return bases, {name: trained_experts(recipe, request) for name, recipe in SETS.items()}


def chapter_4_bots(
    bases: Mapping[str, TrainedAgent], experts: Mapping[str, tuple[TrainedAgent, ...]], fallback: str = FALLBACKS[0]
) -> dict[str, Bot]:
    """All seven, as the cross-table calls them. fallback: see `PlayOptions`."""
    bots: dict[str, Bot] = {POKI: parse_bot("poki")}
    for base, agent in bases.items():
        short = "M2" if base == MULTI2 else base
        bots[base] = agent.bot(fallback=fallback)
        bots |= {f"{name}_{short}": master_of(bots[base], each) for name, each in experts.items()}
    return bots


def held_strategies(
    bases: Mapping[str, TrainedAgent], experts: Mapping[str, tuple[TrainedAgent, ...]]
) -> list[AbstractStrategy]:
    """Who holds them keeps their abstract games from being built anew for every match."""
    return [agent.load() for agents in (tuple(bases.values()), *experts.values()) for agent in agents]


def _expert_section(experts: Mapping[str, tuple[TrainedAgent, ...]]) -> Table:
    rows = tuple(
        (
            name,
            expert.recipe,
            expert.facts["iterations"],
            round(expert.facts["seconds"] / 60, 2),
            round(expert.file.stat().st_size / 1e6, 1),
        )
        for name, each in experts.items()
        for expert in each
    )
    return Table("Experts", ("set", "expert", "iterations", "minutes", "MB"), rows)
