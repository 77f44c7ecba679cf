"""Table 3.3: three copies of an agent against each other in 3-player limit hold'em, in duplicate.

The thesis plays 200,000 deals in all 6 seatings.
"""

from __future__ import annotations

from nashgap.arena.match_result import MatchResult
from nashgap.jobs.match import MatchJob
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.abou_risk_2009.trained import IR16_END, IR16_HALF, MULTI2, trained_agent
from nashgap.poker.rules import load_rules
from nashgap.reports.report import Report, Table, Text
from nashgap.runs import package_version
from nashgap.strategies.bot import Bot
from nashgap.strategies.spec import parse_bot

__all__ = ["TABLE_3_3", "play_copies", "self_play_facts", "table_3_3"]

DEALS = 200_000
QUICK_DEALS, QUICK_POKI_DEALS = 20_000, 1_000

# Standard deviation of a hand in small bets, in the order of the print.
TABLE_3_3 = {
    "always-call": 1.39,
    "poki": 3.36,
    IR16_HALF: 4.65,
    IR16_END: 4.66,
    MULTI2: 4.98,
    "probe": 21.75,
    "always-raise": 33.32,
}
CHUMPS = ("always-call", "probe", "always-raise")
TRAINED = (IR16_HALF, IR16_END, MULTI2)


def table_3_3(request: Request) -> Report:
    """Standard deviations of a hand, printed and ours."""
    trained = {name: trained_agent(name, request) for name in TRAINED}
    bots = {name: trained[name].bot() if name in trained else parse_bot(name) for name in TABLE_3_3}
    results = {name: play_copies(bot, request) for name, bot in bots.items()}
    deviations = {agent: float(result.stdev.mean()) for agent, result in results.items()}
    rows: list[tuple[str | float, ...]] = []
    for agent, printed in TABLE_3_3.items():
        result, ours = results[agent], deviations[agent]
        zero = "exactly 0" if not result.winrates.any() else f"{abs(result.winrates).max():.4f}"
        rows.append((agent, printed, round(ours, 3), round(ours - printed, 3), result.deals, zero))
    columns = ("agent", "printed", "ours", "difference", "deals", "largest winrate")
    chumps, learned = (max(abs(deviations[a] - TABLE_3_3[a]) for a in group) for group in (CHUMPS, TRAINED))
    return Report(
        title="Standard deviations in self-play (thesis, Table 3.3)",
        summary=(
            f"The chumps deviate as printed, to within {chumps:.3f} sb a hand; the agents trained by CFR to within"
            f" {learned:.2f}."
        ),
        sections=(
            Table("Table 3.3", columns, tuple(rows), "Standard deviation of a hand and winrates in small bets."),
            Text(
                "What the numbers are",
                (
                    "The printed deviation is that of a single hand, not of a deal in all its seatings: three copies of"
                    " an agent that does not look at its cards cancel out over the seatings, and always-call puts in"
                    " one small bet, of which it loses it or wins two.",
                    "Three copies of an agent without chance in it win exactly 0 in duplicate; the others draw random"
                    " numbers of their own in every seating.",
                    "Always-raise caps every round for 24 small bets, so that its deviation is 24 times that of"
                    f" always-call: {24 * deviations['always-call']:.2f}.",
                    "Poki is rebuilt from its descriptions; its tables were never published.",
                    *(agent.told(name) for name, agent in trained.items()),
                ),
            ),
        ),
        command=command_of("thesis-table-3.3", request),
        facts=self_play_facts(request, poki_deals=results["poki"].deals),
    )


def play_copies(bot: Bot, request: Request) -> MatchResult:
    """Three copies of the bot in all seatings."""
    quick_deals = QUICK_POKI_DEALS if bot.text == "poki" else QUICK_DEALS
    deals = quick_deals if request.is_quick else DEALS
    job = MatchJob(rules=load_rules("lhe3"), agents=(bot,) * 3, deals=deals, seed=request.seed)
    played: MatchResult = request.perform(job)
    return played


def self_play_facts(request: Request, *, poki_deals: int | None = None) -> dict[str, object]:
    return {
        "game": "lhe3",
        "unit": "sb_per_hand",
        "deals": QUICK_DEALS if request.is_quick else DEALS,
        **({} if poki_deals is None else {"poki's deals": poki_deals}),
        "seatings of each deal": 6,
        "seed": request.seed,
        "version": package_version(),
    }
