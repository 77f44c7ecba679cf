"""The reports of a solved small game, and of what solving it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nashgap.jobs.solve import LP, Solution, SolveForecast
from nashgap.reports.layout import format_number
from nashgap.reports.report import Cell, Curve, Figure, FigureTable, Plot, Report, Section, Table, Text
from nashgap.runs.config import package_version
from nashgap.runs.progress import human_bytes, human_seconds

__all__ = ["UNKNOWN", "convergence_plot", "solution_report", "solve_forecast_report"]

UNKNOWN = "not known beforehand"


def solution_report(solution: Solution) -> Report:
    """What the strategy is worth, how far it is from equilibrium, and how it came there."""
    tree = solution.strategy.tree
    sections: list[Section] = [_by_player(solution), *_gap(solution)]
    if solution.notes:
        sections.append(Text("Notes", solution.notes))
    if len(solution.points) > 1:
        sections.append(convergence_plot(solution.points, solution.solver, tree.unit))
    sections.append(_work(solution))
    return Report(
        title=f"{tree.game} solved by {solution.solver}",
        summary=f"After {solution.iterations:,} {_work_unit(solution)}{_gap_text(solution)}.",
        sections=tuple(sections),
        command=solution.provenance.command,
        facts=_facts(solution),
    )


def solve_forecast_report(expected: SolveForecast) -> Report:
    """Sizes, memory and time."""
    rate, iterations, seconds = expected.iterations_per_second, expected.iterations, expected.expected_seconds
    figures = (
        Figure("histories", expected.nodes),
        Figure("information sets", expected.information_sets),
        Figure("slots", expected.slots),
        Figure("rate", UNKNOWN if rate is None else f"about {rate:,.0f} iterations a second"),
        Figure("iterations", UNKNOWN if iterations is None else iterations),
    )
    return Report(
        title=f"What it takes to solve {expected.game} by {expected.solver}",
        summary=f"About {human_bytes(expected.bytes)} of memory" + _time(seconds),
        sections=(FigureTable("", figures),),
        command=expected.provenance.command,
        facts={"game": expected.game, "solver": expected.solver, "version": package_version()},
    )


def _by_player(solution: Solution) -> Table:
    gains: tuple[Cell, ...] = solution.gains or ("-",) * len(solution.values)
    rows = tuple((str(player), *row) for player, row in enumerate(zip(solution.values, gains, strict=True), 1))
    return Table("", ("player", "value", "best response gains"), rows, f"In {solution.strategy.tree.unit}.")


def _gap(solution: Solution) -> list[FigureTable]:
    if solution.nash_conv is None or solution.exploitability is None:
        return []
    unit = solution.strategy.tree.unit
    return [
        FigureTable(
            "",
            (
                Figure("nash_conv", solution.nash_conv, unit, note="sum of what all players could gain"),
                Figure("exploitability", solution.exploitability, unit, note="mean gain a player"),
            ),
            is_detail=True,
        )
    ]


def _gap_text(solution: Solution) -> str:
    if solution.nash_conv is None or solution.exploitability is None:
        return ""
    nash_conv, exploitability = format_number(solution.nash_conv), format_number(solution.exploitability)
    return f": nash_conv {nash_conv}, exploitability {exploitability} {solution.strategy.tree.unit}"


def _work(solution: Solution) -> FigureTable:
    figures = (
        Figure(_work_unit(solution), solution.iterations),
        Figure("time", solution.seconds, "seconds", note="over all resumes"),
    )
    return FigureTable("Work", figures, is_detail=True)


def convergence_plot(points: Sequence[Mapping[str, float]], solver: str, unit: str) -> Plot:
    """The gap over the iterations, or what each player gets where the gap was not measured."""
    iterations = [point["iteration"] for point in points]

    def curve(name: str, key: str) -> Curve:
        return Curve(name, iterations, [point[key] for point in points])

    if "nash_conv" in points[0]:
        curves: tuple[Curve, ...] = (curve(solver, "nash_conv"),)
        axes = ("iterations", f"nash_conv ({unit})")
        return Plot("Convergence", *axes, curves, log_x=True, log_y=True, is_detail=True)
    players = [key.removeprefix("value_") for key in points[0] if key.startswith("value_")]
    curves = tuple(curve(f"player {player}", f"value_{player}") for player in players)
    return Plot("Values", "iterations", f"value ({unit})", curves, log_x=True, is_detail=True)


def _facts(solution: Solution) -> dict[str, object]:
    told, tree = solution.as_dict(), solution.strategy.tree
    facts = {key: told[key] for key in ("game", "unit", "solver", "seed", "iterations", "version")}
    for key, fact in solution.facts.items():
        is_table = isinstance(fact, Mapping)
        facts[key] = ", ".join(f"{name} = {value}" for name, value in fact.items()) if is_table else fact
    return {**facts, "histories": tree.num_nodes, "information sets": tree.num_infosets}


def _work_unit(solution: Solution) -> str:
    return "pivots" if solution.solver == LP else "iterations"


def _time(seconds: float | None) -> str:
    return f"; the time is {UNKNOWN}." if seconds is None else f" and {human_seconds(seconds)}."
