"""A measured number with its 95% confidence interval; no evaluator that samples returns a bare float."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from nashgap.errors import ConfigError

__all__ = ["Estimate", "format_interval", "half_width_95", "significant"]

ROUNDING = 1e-6  # of a mean: sums of squares of equal samples leave so much of a variance that is 0


@dataclass(frozen=True)
class Estimate:
    """The mean of independent samples.

    mean:    in `unit`.
    ci95:    half-width of the two-sided 95% interval, in `unit`.
    samples: how many independent samples it stands on (deals, not hands, in a duplicate match).
    unit:    `mbb_per_hand`, `antes_per_hand`, ...
    method:  how it was measured: `lbr`, `match`, ...
    seed:    of everything random in it.
    """

    mean: float
    ci95: float
    samples: int
    unit: str
    method: str
    seed: int

    @classmethod
    def from_samples(cls, samples: Sequence[float] | np.ndarray, *, unit: str, method: str, seed: int) -> Self:
        """Mean and Student-t interval of independent samples `[N]`, N at least 2."""
        values = np.asarray(samples, dtype=np.float64)
        if values.ndim != 1 or values.size < 2:
            raise ConfigError(f"an interval needs a row of at least 2 samples, not an array of shape {values.shape}")
        if not np.isfinite(values).all():
            raise ConfigError(f"{np.count_nonzero(~np.isfinite(values))} of {values.size} samples are not finite")
        ci95 = half_width_95(float(values.var(ddof=1)), values.size)
        return cls(float(values.mean()), ci95, int(values.size), unit, method, seed)

    @property
    def lower_bound_975(self) -> float:
        """The true mean is at least this with confidence 97.5% (one-sided)."""
        return self.mean - self.ci95

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, JSON-able."""
        return asdict(self)

    def __repr__(self) -> str:
        return f"<Estimate {self}: {self.samples:,} samples, {self.method}, seed {self.seed}>"

    def __str__(self) -> str:
        return f"{format_interval(self.mean, self.ci95)} {self.unit}"


def half_width_95(variance: float, samples: int) -> float:
    """Of the Student-t interval of a mean; `variance` of one sample, at least 2 samples."""
    from scipy.special import stdtrit  # here, because importing scipy costs more than most commands take to start

    return float(stdtrit(samples - 1, 0.975)) * math.sqrt(variance / samples)


def format_interval(mean: float, ci95: float) -> str:
    """`mean ± ci95`, both to the decimals that leave the half-width two significant digits: `4,291 ± 682`.

    A half-width below a millionth of the mean is what rounding left of 0, and is written so.
    """
    if 0 < ci95 < ROUNDING * abs(mean):
        ci95 = 0.0
    if not (math.isfinite(mean) and math.isfinite(ci95) and ci95 > 0):
        return f"{mean:,.6g} ± {ci95:,.2g}"
    decimals = 1 - math.floor(math.log10(ci95))
    if decimals > 8:
        return f"{mean:,.6g} ± {ci95:.1e}"
    return f"{mean:,.{max(decimals, 0)}f} ± {ci95:,.{max(decimals, 0)}f}"


def significant(value: float, digits: int = 4) -> str:
    """At least so many significant digits, and all those before the point: `47,983`, `0.7412`."""
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    return f"{value:,.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"
