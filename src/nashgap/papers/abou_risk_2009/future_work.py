"""Sections 4.6, 6.1.2 and 6.1.3: what the thesis leaves as future work, and expects to be better.

Experts who believe what their base really plays, experts of more buckets, strength against two hands, more buckets in
the base. Each takes the place of the agent that it should improve on, against the same two opponents on the same cards.
"""

from __future__ import annotations

from dataclasses import dataclass

from nashgap.catalogue import unknown_name
from nashgap.core.estimate import Estimate
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.changes import Change, ChangesJob, deals_to_decide
from nashgap.papers.abou_risk_2009.trained import (
    IR16_END,
    MULTI2,
    master_of,
    trained_agent,
    trained_experts,
    trained_recipe,
)
from nashgap.poker.rules import load_rules
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.strategies.spec import Bot

__all__ = ["AGENTS", "section_6_1"]

IR16 = "IR16"
DEALS, QUICK_DEALS = 400_000, 20_000


@dataclass(frozen=True)
class _Expected:
    """What the thesis expects of an agent. recipe: of experts, or of another base."""

    text: str
    recipe: str
    base: str
    is_base: bool = False


EXPECTED = {
    "hue5-base": (
        _Expected("experts seeded with Multi2's own play improve Multi2", "hue5-base", MULTI2),
        _Expected("experts seeded with IR16's own play improve IR16", "hue5-base", IR16),
    ),
    "hue8-base": (_Expected("so do experts of 8 buckets, on IR16", "hue8-base", IR16),),
    "hue10-base": (_Expected("so do experts of 10 buckets, on IR16", "hue10-base", IR16),),
    "hue5-mixed": (_Expected("mixed seeds with bluffs and slow-plays improve IR16", "hue5-mixed", IR16),),
    "ir16-3p": (_Expected("strength against two hands improves IR16", "ir16-3p", IR16, is_base=True),),
    "ir64": (_Expected("more buckets improve IR16", "ir64", IR16, is_base=True),),
}
AGENTS = tuple(EXPECTED)


def section_6_1(request: Request) -> Report:
    """Each expectation, true or false, with its interval."""
    if unknown := [name for name in request.agents if name not in EXPECTED]:
        raise unknown_name("agent", unknown[0], AGENTS)
    bases = {MULTI2: trained_agent(MULTI2, request), IR16: trained_agent(IR16_END, request)}
    bots: dict[str, Bot] = {name: agent.bot() for name, agent in bases.items()}
    expected = [each for name in request.agents or AGENTS for each in EXPECTED[name]]
    opponents = (bots[MULTI2], bots[IR16])
    held = [agent.load() for agent in bases.values()]
    changes = tuple(Change(each.text, _bot(each, bots, request), bots[each.base], opponents) for each in expected)
    deals = QUICK_DEALS if request.is_quick else DEALS
    job = ChangesJob(load_rules("lhe3"), changes, request.seed, deals)
    found: list[Estimate] = request.perform_own(job)
    del held
    rows = tuple(
        (each.text, _verdict(change), f"{change.mean:+.4f} ± {change.ci95:.4f}", _needed(change))
        for each, change in zip(expected, found, strict=True)
    )
    return Report(
        title="What the thesis expects of future work (sections 4.6 and 6.1)",
        summary="; ".join(f"{text}: {verdict}, {change} sb_per_hand" for text, verdict, change, _ in rows) + ".",
        sections=(
            Table(
                "Expected",
                ("the thesis expects", "here", "change, sb_per_hand", "deals to tell it from 0"),
                rows,
                f"What the new agent wins more than the old one in its place, against Multi2 and IR16, on {deals:,}"
                " deals in all 6 seatings; 95% intervals from the differences of blocks of deals.",
            ),
            Text("Training", tuple(agent.told(name) for name, agent in bases.items())),
        ),
        command=command_of("thesis-future-work", request),
        facts={
            "game": "lhe3",
            "unit": "sb_per_hand",
            "deals": deals,
            "seatings of each deal": 6,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _bot(each: _Expected, bots: dict[str, Bot], request: Request) -> Bot:
    if each.is_base:
        return trained_recipe(each.recipe, request).bot()
    base = bots[each.base]
    takes_base = each.recipe.endswith("-base")
    return master_of(base, trained_experts(each.recipe, request, base if takes_base else None))


def _verdict(change: Estimate) -> str:
    if abs(change.mean) <= change.ci95:
        return "not decided"
    return "true" if change.mean > 0 else "false"


def _needed(change: Estimate) -> str:
    needed = deals_to_decide(change)
    return "enough" if needed is None else f"about {needed:,}"
