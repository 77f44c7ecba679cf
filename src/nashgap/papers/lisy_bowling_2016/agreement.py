"""When a printed number and ours agree."""

from __future__ import annotations

import math

from nashgap.core.estimate import Estimate, format_interval
from nashgap.papers.lisy_bowling_2016.published import Printed

__all__ = ["RULE", "agrees", "distance", "ours_text", "printed_text"]

RULE = (
    "A cell agrees if the difference is within the 95% interval of a difference, the root of the sum of both"
    " half-widths squared; of cells that are the same in truth one in twenty does not."
)


def distance(printed: Printed, ours: Estimate) -> float:
    """The difference in half-widths of its 95% interval; infinite where there is a difference and no interval."""
    apart = abs(printed.mean - ours.mean)
    width = math.hypot(printed.ci95, ours.ci95)
    return apart / width if width > 0 else (0.0 if apart == 0 else math.inf)


def agrees(printed: Printed, ours: Estimate) -> bool:
    return distance(printed, ours) <= 1


def printed_text(printed: Printed | None) -> str:
    if printed is None:
        return "not printed"
    return f"{printed.mean:g} ± {printed.ci95:g}" if printed.ci95 else f"{printed.mean:g}"


def ours_text(estimate: Estimate) -> str:
    return format_interval(estimate.mean, estimate.ci95)
