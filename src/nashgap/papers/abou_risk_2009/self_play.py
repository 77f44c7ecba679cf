"""Table 3.3 and Table 4.1: three copies of an agent against each other in 3-player limit hold'em, in duplicate.

The thesis deals 200,000 hands and plays them in all 6 seatings.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nashgap.agents.rule_based import OPENINGS, POSITIONS, preflop_plays
from nashgap.arena.match import MatchJob
from nashgap.arena.match_result import MatchResult, combine
from nashgap.cards.matrix import HandMatrix, strategy_matrix
from nashgap.papers.reproduction import Request, command_of, run_batches
from nashgap.poker.rules import load_rules
from nashgap.runs import Report, Table, Text, package_version

__all__ = ["TABLE_3_3", "TABLE_4_1", "button_matrix", "table_3_3", "table_4_1"]

DEALS = 200_000
QUICK_CHUMP_DEALS, QUICK_POKI_DEALS = 20_000, 1_000

# Standard deviation of a hand in small bets, in the order of the print.
TABLE_3_3 = {
    "always-call": 1.39,
    "poki": 3.36,
    "IR16_20M": 4.65,
    "IR16_43M": 4.66,
    "Multi2": 4.98,
    "probe": 21.75,
    "always-raise": 33.32,
}
PLAYED = ("always-call", "poki", "probe", "always-raise")

# Percent of hands by the betting before the flop up to its first fold.
TABLE_4_1 = {
    "f": 20.67,
    "cf": 16.43,
    "rf": 9.55,
    "crf": 3.35,
    "rcf": 1.52,
    "rrf": 0.54,
    "crcf": 0.00,
    "ccrf": 0.00,
    "crrf": 0.00,
}
TABLE_4_1_TOTAL = 52.05


def table_3_3(request: Request) -> Report:
    """Standard deviations of a hand, printed and ours; rows of agents that are not built yet say so."""
    results = {agent: _self_play(agent, request) for agent in PLAYED}
    rows: list[tuple[str | float, ...]] = []
    for agent, printed in TABLE_3_3.items():
        if agent not in results:
            rows.append((agent, printed, "not built yet", "", "", ""))
            continue
        result = results[agent]
        zero = "exactly 0" if not result.winrates.any() else f"{abs(result.winrates).max():.4f}"
        ours = float(result.stdev.mean())
        rows.append((agent, printed, round(ours, 3), round(ours - printed, 3), result.hands, zero))
    columns = ("agent", "printed", "ours", "difference", "deals", "largest winrate")
    largest = max(abs(float(results[agent].stdev.mean()) - TABLE_3_3[agent]) for agent in PLAYED if agent != "poki")
    return Report(
        title="Standard deviations in self-play (thesis, Table 3.3)",
        summary=f"The chumps deviate as printed, to within {largest:.3f} sb a hand.",
        sections=(
            Table("Table 3.3", columns, tuple(rows), "Standard deviation of a hand and winrates in small bets."),
            Text(
                "What the numbers are",
                (
                    "The printed deviation is that of a single hand, not of a deal in all its seatings: three copies of"
                    " an agent that does not look at its cards cancel out over the seatings, and always-call puts in"
                    " one small bet, of which it loses it or wins two.",
                    "Three copies of an agent without chance in it win exactly 0 in duplicate; probe and poki draw"
                    " random numbers of their own in every seating.",
                    "Always-raise caps every round for 24 small bets, so that its deviation is 24 times that of"
                    f" always-call: {24 * float(results['always-call'].stdev.mean()):.2f}.",
                    "Poki is rebuilt from its descriptions; its tables were never published.",
                ),
            ),
        ),
        command=command_of("thesis-table-3.3", request),
        facts=_facts(request, results["poki"]),
    )


def table_4_1(request: Request) -> Report:
    """How often poki's hands are heads-up before the flop, and after which betting; printed and ours."""
    result = _self_play("poki", request)
    with_fold = {text: 100 * share for text, share in result.sequences.items() if text.endswith("f")}
    rows: list[tuple[str | float, ...]] = [
        (text, printed, round(with_fold.get(text, 0.0), 2)) for text, printed in TABLE_4_1.items()
    ]
    others = sum((share for text, share in with_fold.items() if text not in TABLE_4_1), 0.0)
    total = sum(with_fold.values())
    rows += [("others", "not printed", round(others, 2)), ("Total", TABLE_4_1_TOTAL, round(total, 2))]
    behaviour = result.behaviour[0]
    return Report(
        title="Betting before the flop between three pokis (thesis, Table 4.1)",
        summary=f"Somebody folds before the flop in {total:.2f}% of the hands; printed: {TABLE_4_1_TOTAL}%.",
        sections=(
            Table(
                "Table 4.1", ("betting", "printed %", "ours %"), tuple(rows), "Percent of hands, up to the first fold."
            ),
            Text(
                "How poki plays",
                (
                    f"It puts chips in voluntarily in {100 * (behaviour.vpip or 0):.1f}% of its hands and raises before"
                    f" the flop in {100 * (behaviour.pfr or 0):.1f}%; a hand deviates by"
                    f" {float(result.stdev.mean()):.2f} sb (printed: {TABLE_3_3['poki']}).",
                    "Its hand groups were never published, and the colours of Figures 4.2 and 4.3, what it does first"
                    " on the button in the tight and in the loose setting, are lost; the groups here are chosen so"
                    " that these frequencies come near. What they make of the two figures follows.",
                ),
            ),
            button_matrix("Our tight poki, first to act on the button (for Figure 4.2)", is_tight=True),
            button_matrix("Our loose poki, first to act on the button (for Figure 4.3)", is_tight=False),
        ),
        command=command_of("thesis-table-4.1", request),
        facts=_facts(request, result),
    )


def button_matrix(title: str, *, is_tight: bool) -> HandMatrix:
    """What poki does with each hand when it is first to act on the button."""
    spot = POSITIONS.index("button") * len(OPENINGS) + OPENINGS.index("unopened")
    plays = preflop_plays(is_tight)[spot]
    actions = {"raise": 2, "call": 1, "fold": 0}
    return strategy_matrix(title, list(actions), np.equal.outer(plays, list(actions.values())))


def _self_play(agent: str, request: Request) -> MatchResult:
    quick_deals = QUICK_POKI_DEALS if agent == "poki" else QUICK_CHUMP_DEALS
    job = MatchJob(load_rules("lhe3"), (agent,) * 3, quick_deals if request.is_quick else DEALS, request.seed)
    # The run is that of a match, with a report of its own; the table's report lies beside the runs.
    return combine(job, run_batches(job, replace(request, on_run=None)))


def _facts(request: Request, result: MatchResult) -> dict[str, object]:
    return {
        "game": result.game,
        "unit": result.unit,
        "seatings of each deal": result.seatings,
        "poki's deals": result.hands,
        "seed": request.seed,
        "version": package_version(),
    }
