"""Tables and the curve of a solved spot, made of plain numbers: also of those that lie in a run's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nashgap.poker.spot import POSITIONS, Spot
from nashgap.reports.report import Curve, Plot, Table

__all__ = ["locks_table", "sides_table", "spot_convergence_plot"]


def sides_table(spot: Spot, values: Sequence[float], equities: Sequence[float]) -> Table:
    """What both get, out of position first."""
    rows = tuple(
        (who, f"{value:.2f}", f"{value / spot.pot:.1%}", f"{equity:.1%}", f"{weights.sum():g}")
        for who, value, equity, weights in zip(POSITIONS, values, equities, spot.weights, strict=True)
    )
    return Table("", ("", "value, chips", "of the pot", "equity", "hands"), rows)


def locks_table(locked: str, free: Sequence[float], values: Sequence[float], accuracy: float) -> Table:
    """What locks change: values without and with them. accuracy: chips that are left to exploit in both, together."""
    rows = tuple(
        (who, f"{without:.2f}", f"{value:.2f}", f"{value - without:+.2f}")
        for who, without, value in zip(POSITIONS, free, values, strict=True)
    )
    note = (
        f"Locked: {locked}. In chips, each within about"
        f" {accuracy:.2g}: both are solved so far. Exploitability counts decisions that are not locked."
    )
    return Table("What the locks change", ("", "without", "with", "change"), rows, note)


def spot_convergence_plot(points: Sequence[Mapping[str, float]], until: float | None = None) -> Plot:
    """How the gap has fallen. until: percent of the pot that was asked for."""
    iterations = [point["iteration"] for point in points]
    left = [point["exploitability_percent"] for point in points]
    lines = () if until is None else ((f"asked for: {until:g}%", until),)
    axes = ("iterations", "exploitability (% of the pot)")
    curve = Curve("exploitability", iterations, left)
    return Plot("Convergence", *axes, (curve,), log_x=True, log_y=True, lines=lines, is_detail=True)
