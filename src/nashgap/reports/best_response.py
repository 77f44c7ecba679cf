"""The reports of what best responses gain: exactly in small games, at least so much within abstract ones."""

from __future__ import annotations

from nashgap.measures.abstract_response import AbstractGap
from nashgap.measures.best_response import Exploitability
from nashgap.measures.seat_gap import SeatGap
from nashgap.reports.layout import format_number
from nashgap.reports.report import Figure, FigureTable, Report, Table
from nashgap.runs.config import package_version

__all__ = ["exploitability_report", "gap_report"]


def exploitability_report(result: Exploitability) -> Report:
    """What each player wins, and could win."""
    unit = result.unit
    numbers = zip(result.values, result.best_values, result.gains, strict=True)
    rows = tuple((str(player), *row) for player, row in enumerate(numbers, 1))
    figures = (
        Figure("nash_conv", result.nash_conv, unit, note="sum of what all players could gain"),
        Figure("exploitability", result.exploitability, unit, note="mean gain a player"),
    )
    nash_conv, mean = format_number(result.nash_conv), format_number(result.exploitability)
    return Report(
        title=f"{result.strategy or 'A strategy'} in {result.game}, by exact best response",
        summary=f"nash_conv {nash_conv}, exploitability {mean} {unit}; both are 0 in equilibrium and only there.",
        sections=(
            Table("", ("player", "value", "best response", "gain"), rows, f"In {unit}."),
            FigureTable("", figures, is_detail=True),
        ),
        command=result.provenance.command,
        facts={"game": result.game, "unit": unit, "method": result.method, "version": package_version()},
    )


def gap_report(result: SeatGap) -> Report:
    """What each seat wins, and could at least win."""
    numbers = zip(result.values, result.responses, result.gains, strict=True)
    rows = tuple((str(seat), *row) for seat, row in enumerate(numbers, 1))
    gap = result.nash_conv
    facts: dict[str, object] = {"game": result.game, "unit": gap.unit, "method": result.method, "deals": gap.samples}
    work = ""
    if isinstance(result, AbstractGap):
        work = f" and {result.iterations:,} iterations a seat by {result.sampling} sampling"
        facts |= {"iterations of CFR for a seat": result.iterations, "sampling": result.sampling}
    place = result.place
    return Report(
        title=f"{place[0].upper()}{place[1:]}" if not result.strategy else place,
        summary=f"nash_conv is at least {gap}, by {result.method}, over {gap.samples:,} deals{work}.",
        sections=(
            Table(
                "",
                ("seat", "value", "response", "gain"),
                rows,
                "Within the abstract game: it bounds nothing outside, where opponents tell more cards and bets apart.",
            ),
        ),
        command=result.provenance.command,
        facts={**facts, "seed": gap.seed, "version": package_version()},
    )
