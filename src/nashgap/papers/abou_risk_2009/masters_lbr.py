"""How much Local Best Response wins from the agents of chapter 4, seat by seat; the thesis could not measure it.

LBR plays one seat of the 3-player game against two copies of an agent. Poki only plays and cannot be asked.
"""

from __future__ import annotations

from nashgap.jobs.lbr import LbrJob
from nashgap.jobs.lbr_bound import LbrBound
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.master_tournament import chapter_4_bots, chapter_4_experts, held_strategies
from nashgap.papers.abou_risk_2009.played import POKI
from nashgap.poker.rules import load_rules
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.strategies.bot import Bot

__all__ = ["chapter_4_lbr"]

DEALS, QUICK_DEALS = 50_000, 1_000
SEATS = ("small blind", "big blind", "button")


def chapter_4_lbr(request: Request) -> Report:
    """A row for each agent that answers for all hands."""
    bases, experts = chapter_4_experts(request)
    bots = {name: bot for name, bot in chapter_4_bots(bases, experts).items() if name != POKI}
    held = held_strategies(bases, experts)
    bounds = {name: _bound(bot, request) for name, bot in bots.items()}
    del held
    least = min(bounds, key=lambda name: bounds[name].estimate.mean)
    return Report(
        title="Local Best Response against masters and their bases (thesis, chapter 4)",
        summary=(
            f"LBR wins least from {least}: {bounds[least].estimate}; from IR16 {bounds['IR16'].estimate}, from Multi2"
            f" {bounds['Multi2'].estimate}."
        ),
        sections=(
            Table(
                "What LBR wins",
                ("agent", "all seats", *SEATS),
                tuple((name, bound.estimate, *bound.by_seat) for name, bound in bounds.items()),
                "sb_per_hand with 95% intervals: a lower bound on what the best response of one seat wins against two"
                " copies of the agent.",
            ),
            Text(
                "How to read it",
                (
                    "An agent from which LBR wins less is not always the better one in a tournament: LBR knows the"
                    " agent, and the others there do not.",
                    *(agent.told(name) for name, agent in bases.items()),
                ),
            ),
        ),
        command=command_of("thesis-masters-lbr", request),
        facts={
            "game": "lhe3",
            "unit": "sb_per_hand",
            "deals": QUICK_DEALS if request.is_quick else DEALS,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _bound(bot: Bot, request: Request) -> LbrBound:
    deals = QUICK_DEALS if request.is_quick else DEALS
    job = LbrJob(rules=load_rules("lhe3"), strategies=(bot, bot), deals=deals, seed=request.seed)
    found: LbrBound = request.perform(job)
    return found
