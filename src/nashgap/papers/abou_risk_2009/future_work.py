"""Sections 4.6, 6.1.2 and 6.1.3: what the thesis leaves as future work, and expects to be better.

Experts who believe what their base really plays, experts of more buckets, strength against two hands, more buckets in
the base. Each takes the place of the agent that it should improve on, against the same two opponents on the same cards.
Beyond it, experts of a no-limit base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

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
from nashgap.papers.statements import VERDICTS, is_positive
from nashgap.papers.training import TrainedAgent
from nashgap.poker.rules import load_rules
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.solvers.recipe import load_recipe
from nashgap.strategies.bot import Bot

__all__ = ["AGENTS", "section_6_1"]

IR16, NO_LIMIT = "IR16", "nlhe3-fcpa"
OPPONENTS = {MULTI2: (MULTI2, IR16), IR16: (MULTI2, IR16), NO_LIMIT: (NO_LIMIT, NO_LIMIT)}  # by the base
DEALS, QUICK_DEALS = 400_000, 20_000


@dataclass(frozen=True)
class _Expected:
    """What is expected of an agent. recipe: of experts, or of another base."""

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
    "nlhe3": (_Expected("beyond the thesis: experts improve a no-limit base", "nlhe3-experts", NO_LIMIT),),
}
AGENTS = tuple(EXPECTED)


def section_6_1(request: Request) -> Report:
    """Each expectation, true or false, with its interval."""
    if unknown := [name for name in request.agents if name not in EXPECTED]:
        raise unknown_name("agent", unknown[0], AGENTS)
    expected = [each for name in request.agents or AGENTS for each in EXPECTED[name]]
    players = dict.fromkeys(name for each in expected for name in (each.base, *OPPONENTS[each.base]))
    bases = {name: _base(name, request) for name in players}
    bots: dict[str, Bot] = {name: agent.bot() for name, agent in bases.items()}
    held = [agent.load() for agent in bases.values()]
    deals = QUICK_DEALS if request.is_quick else DEALS
    found: dict[_Expected, Estimate] = {}
    for game, together in groupby(expected, _game):
        changes = {each: _change(each, bots, request) for each in together}
        job = ChangesJob(load_rules(game), tuple(changes.values()), request.seed, deals)
        found.update(zip(changes, request.perform_own(job), strict=True))
    del held
    rows = tuple(
        (
            each.text,
            VERDICTS[is_positive(change.mean, change.ci95)],
            f"{change.mean:+.4f} ± {change.ci95:.4f} {change.unit}",
            _needed(change),
        )
        for each, change in found.items()
    )
    return Report(
        title="What the thesis expects of future work (sections 4.6 and 6.1)",
        summary="; ".join(f"{text}: {verdict}, {change}" for text, verdict, change, _ in rows) + ".",
        sections=(
            Table(
                "Expected",
                ("the thesis expects", "here", "change", "deals to tell it from 0"),
                rows,
                f"What the new agent wins more than the old one in its place, against Multi2 and IR16 (no-limit: two of"
                f" the old one), on {deals:,} deals in all 6 seatings; 95% intervals from the differences of blocks of"
                " deals.",
            ),
            Text("Training", tuple(agent.told(name) for name, agent in bases.items())),
        ),
        command=command_of("thesis-future-work", request),
        facts={
            "games": ", ".join(dict.fromkeys(map(_game, expected))),
            "deals": deals,
            "seatings of each deal": 6,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _game(each: _Expected) -> str:
    return load_recipe(each.recipe).rules.name


def _base(name: str, request: Request) -> TrainedAgent:
    if name == NO_LIMIT:
        return trained_recipe(name, request)
    return trained_agent(IR16_END if name == IR16 else name, request)


def _change(each: _Expected, bots: Mapping[str, Bot], request: Request) -> Change:
    opponents = tuple(bots[name] for name in OPPONENTS[each.base])
    return Change(each.text, _bot(each, bots, request), bots[each.base], opponents)


def _bot(each: _Expected, bots: Mapping[str, Bot], request: Request) -> Bot:
    if each.is_base:
        return trained_recipe(each.recipe, request).bot()
    base = bots[each.base]
    takes_base = load_recipe(each.recipe).needs_base
    return master_of(base, trained_experts(each.recipe, request, base if takes_base else None))


def _needed(change: Estimate) -> str:
    needed = deals_to_decide(change)
    return "enough" if needed is None else f"about {needed:,}"
