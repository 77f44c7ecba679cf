"""The report of a measurement by Approximate Best Response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nashgap.jobs.abr_bound import AbrBound
from nashgap.reports.report import Curve, Figure, FigureTable, Plot, Report, Section, Table
from nashgap.runs.config import package_version

__all__ = ["abr_report", "learning_plot"]


def abr_report(bound: AbrBound) -> Report:
    """What the responder of each seat wins, beside what a best response wins, and how it was learned."""
    job = bound.job
    sections: list[Section] = [_seats(bound), _figures(bound)]
    if len(bound.points) > 1:
        sections.append(learning_plot(bound.points, bound.unit, bound.exact_nash_conv))
    return Report(
        title=f"{bound.strategy} in {bound.game}, by Approximate Best Response",
        summary=bound.summary,
        sections=tuple(sections),
        command=bound.provenance.command,
        facts={
            "game": bound.game,
            "unit": bound.unit,
            "preset": job.preset,
            "beliefs": job.beliefs_text,
            "simulations": job.search.simulations,
            "search": f"{job.search.rule}, exploration {job.search.exploration:g}",
            "evaluated": f"{bound.estimate.samples:,} games of each seat, {'' if job.searches else 'no '}search",
            "episodes": bound.episodes,
            "seed": job.seed,
            "method": "IS-MCTS with a learned value (Timbers et al. 2020)",
            "version": package_version(),
        },
    )


def _seats(bound: AbrBound) -> Table:
    names = ("as player 1", "as player 2", "both")
    estimates = (*bound.per_player, bound.estimate)
    note = "Lower bounds: the responders were frozen before these games. A best response wins more."
    if bound.win_rates is not None:
        rates = (f"{rate.mean:.1%} ± {rate.ci95:.1%}" for rate in bound.win_rates)
        seats = tuple(zip(names, estimates, rates, strict=True))
        return Table("", ("", "responder wins", "win rate"), seats, f"{note} A draw is half a win.")
    if bound.exact is None:
        return Table("", ("", "responder wins"), tuple(zip(names, estimates, strict=True)), note)
    exact = (*bound.exact.best_values, sum(bound.exact.best_values))
    rows = tuple(
        (name, estimate, best, f"{estimate.mean / best:.1%}" if best > 0 else "-")
        for name, estimate, best in zip(names, estimates, exact, strict=True)
    )
    return Table("", ("", "responder wins", "best response", "share"), rows, note)


def _figures(bound: AbrBound) -> FigureTable:
    figures = (
        Figure("episodes", bound.episodes, "games", note="learned from, both seats"),
        Figure("simulations", round(bound.simulations_per_second), "a second", note="while training"),
        Figure(
            "exploitability",
            bound.exploitability.mean,
            bound.unit,
            ci95=bound.exploitability.ci95,
            note="mean of both seats, at least",
        ),
    )
    return FigureTable("", figures, is_detail=True)


def _of_late(points: Sequence[Mapping[str, float]]) -> list[float]:
    """What games between a point of the curve and the one before it paid, both seats added up."""
    late = []
    before: Mapping[str, float] = {f"{name}_{seat}": 0.0 for name in ("episodes", "reward") for seat in (1, 2)}
    for point in points:
        paid = 0.0
        for seat in (1, 2):
            episodes, reward = f"episodes_{seat}", f"reward_{seat}"
            number = point[episodes] - before[episodes]
            total = point[reward] * point[episodes] - before[reward] * before[episodes]
            paid += total / number if number else point[reward]
        late.append(paid)
        before = point
    return late


def learning_plot(points: Sequence[Mapping[str, float]], unit: str, best: float | None) -> Plot:
    """As the paper draws it: what was won a game while learning; and what the responders of that moment would win.

    best: what a best response wins; None where that is not known.
    """
    episodes = [point["episodes"] for point in points]
    sums = {
        "while learning, of late": _of_late(points),
        "while learning, mean so far": [point["reward_1"] + point["reward_2"] for point in points],
        **(
            {"responders as they were": [point["value_1"] + point["value_2"] for point in points]}
            if "value_1" in points[0]
            else {}
        ),
    }
    lines = () if best is None else (("best response", best),)
    curves = tuple(Curve(name, episodes, values) for name, values in sums.items())
    return Plot("Learning", "episodes", f"both seats ({unit})", curves, log_x=True, lines=lines, is_detail=True)
