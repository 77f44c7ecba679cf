"""What the thesis prints, digit by digit. Units are antes per hand."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TABLE_3_1", "TABLE_3_2", "PrintedTable"]


@dataclass(frozen=True)
class PrintedTable:
    """A table of section 3.3.3: one entry per position, first to act first.

    cfr:          three CFR strategies against each other.
    best:         a best response against the two CFR strategies.
    improvement:  the row printed as the difference.
    epsilon:      as the text below the table says; None where it says none.
    """

    cfr: tuple[float, float, float]
    best: tuple[float, float, float]
    improvement: tuple[float, float, float]
    epsilon: float | None

    @property
    def mean_improvement(self) -> float:
        """What step 9 of the method calls epsilon."""
        return sum(self.improvement) / 3

    @property
    def rows_agree(self) -> bool:
        """Whether the third row is the second minus the first, to the printed digits."""
        rows = zip(self.cfr, self.best, self.improvement, strict=True)
        return all(abs(best - cfr - gain) < 1e-9 for cfr, best, gain in rows)

    def scaled(self, factor: float) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
        """The three rows in another unit."""
        cfr, best, gain = (tuple(factor * x for x in row) for row in (self.cfr, self.best, self.improvement))
        return cfr, best, gain


# Table 3.1, 3-player Kuhn; epsilon from the text after Table 3.2.
TABLE_3_1 = PrintedTable(
    cfr=(-0.0544877, -0.0418710, 0.0963587),
    best=(-0.0543373, -0.0414071, 0.1008150),
    improvement=(0.0001504, 0.0004639, 0.0044563),
    epsilon=0.0017257667,
)

# Table 3.2, 3-player Leduc; the text gives no epsilon.
TABLE_3_2 = PrintedTable(
    cfr=(-0.243451, -0.1960510, 0.439502),
    best=(-0.124749, -0.0656892, 0.550788),
    improvement=(0.118702, 0.1303618, 0.111286),
    epsilon=None,
)
