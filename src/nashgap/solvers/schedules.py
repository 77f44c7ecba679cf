"""How CFR weighs its past: each member of the family is a value handed to one algorithm (`solvers/cfr.py`).

CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014), LCFR and DCFR (Brown & Sandholm 2019), PCFR+ (Farina, Kroer &
Sandholm 2021), PDCFR+ (Xu et al. 2024).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nashgap.errors import ConfigError

__all__ = ["CFR", "CFR_PLUS", "DCFR", "DROP", "KEEP", "LCFR", "PCFR_PLUS", "PDCFR_PLUS", "SCHEDULES", "Schedule"]

KEEP = math.inf
DROP = -math.inf


@dataclass(frozen=True)
class Schedule:
    """Weights of past iterations.

    positive, negative: after iteration t such regret is scaled by t^x / (t^x + 1); KEEP = by 1, DROP = by 0.
    gamma: iteration t enters the average strategy with weight t^gamma.
    is_predictive: add the last regret once more, as a forecast of the next, before matching.
    """

    positive: float = KEEP
    negative: float = KEEP
    gamma: float = 0.0
    is_predictive: bool = False

    def __post_init__(self) -> None:
        if math.isnan(self.positive) or math.isnan(self.negative) or not 0.0 <= self.gamma < math.inf:
            raise ConfigError(f"{self}: positive and negative must be numbers, gamma must be 0 or more")

    def weights(self, first: int, count: int) -> np.ndarray:
        """For iterations first .. first+count-1: kept positive regret, negative regret, strategy sum. `[count, 3]`."""
        t = np.arange(first, first + count, dtype=np.float64)
        columns = (_kept(t, self.positive), _kept(t, self.negative), ((t - 1.0) / t) ** self.gamma)
        return np.ascontiguousarray(np.stack(columns, axis=1))


def _kept(t: np.ndarray, exponent: float) -> np.ndarray:
    if math.isinf(exponent):  # t^x / (t^x + 1) would be NaN or, at t = 1, a half
        return np.full_like(t, 1.0 if exponent > 0 else 0.0)
    power = t**exponent
    return power / (power + 1.0)


CFR = Schedule()
CFR_PLUS = Schedule(negative=DROP, gamma=1)
LCFR = Schedule(positive=1, negative=1, gamma=1)
DCFR = Schedule(positive=1.5, negative=0, gamma=2)
PCFR_PLUS = Schedule(negative=DROP, gamma=2, is_predictive=True)
PDCFR_PLUS = Schedule(positive=2.3, negative=DROP, gamma=5, is_predictive=True)

SCHEDULES = {
    "cfr": CFR,
    "cfr+": CFR_PLUS,
    "lcfr": LCFR,
    "dcfr": DCFR,
    "pcfr+": PCFR_PLUS,
    "pdcfr+": PDCFR_PLUS,
}
