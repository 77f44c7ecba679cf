"""The report of best responses over all hands of a betting tree."""

from __future__ import annotations

from nashgap.jobs.full_response import FullGap
from nashgap.reports.report import Figure, FigureTable, Report, Section, Table
from nashgap.runs.config import package_version

__all__ = ["full_gap_report"]


def full_gap_report(result: FullGap) -> Report:
    """What each seat wins and could win, exactly or at least."""
    job, unit = result.job, result.unit
    sections: list[Section] = [_bounds(result)] if result.fresh else []
    sections += [_seats(result), _figures(result)]
    return Report(
        title=f"{result.strategy} in {result.game}, by best response in {result.place}",
        summary=result.summary,
        sections=tuple(sections),
        command=result.provenance.command,
        facts={
            "game": result.game,
            "unit": unit,
            "betting tree": job.tree,
            f"{job.kind_of_board}s": ", ".join(job.given) if job.given else f"{job.num_batches:,}, {job.which}",
            **({"questions": f"{result.queries:,}"} if result.queries else {}),
            **({"seed": job.seed} if result.fresh else {}),
            "method": "best response over all hands (Johanson et al. 2011)",
            "version": package_version(),
        },
    )


def _bounds(result: FullGap) -> Table:
    names = ("seat 1", "seat 2", "mean of both")
    note = (
        "Lower bounds: the answers before the flop are those that are best on other flops than the one that they are"
        f" counted on. What the same flops say, {result.exploitability:.6g}, is the optimistic side."
    )
    return Table("", ("", "gain on fresh flops"), tuple(zip(names, result.fresh, strict=True)), note)


def _seats(result: FullGap) -> Table:
    numbers = zip(result.values, result.best_values, result.gains, strict=True)
    rows = tuple((str(seat), *row) for seat, row in enumerate(numbers, 1))
    title = "On the same flops" if result.fresh else ""
    note = f"In {result.unit}. Bets outside the tree do not exist here."
    return Table(title, ("seat", "value", "best response", "gain"), rows, note, is_detail=bool(result.fresh))


def _figures(result: FullGap) -> FigureTable:
    figures = (
        Figure("nash_conv", result.nash_conv, result.unit, note="sum of what both seats could gain"),
        Figure("exploitability", result.exploitability, result.unit, note="mean gain a seat; lbr bounds it from below"),
    )
    return FigureTable("", figures, is_detail=True)
