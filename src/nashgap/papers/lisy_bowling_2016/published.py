"""The numbers that the paper prints."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BEST_RESPONSE_FULL_CARDS",
    "BEST_RESPONSE_TO_CALLING",
    "FOLDING",
    "NARROWING",
    "SAMPLED_FULL_CARDS",
    "TABLE_2",
    "TABLE_3",
    "TABLE_3_COLUMNS",
    "WIDE_FULL_CARDS",
    "Printed",
]


@dataclass(frozen=True)
class Printed:
    """A printed mean and the half-width of its 95% interval; 0 where none is printed."""

    mean: float
    ci95: float = 0.0


# Table 2, BB/h: by bets and rounds, against Call, half Call half Raise, and Random.
TABLE_2 = {
    ("fc", "1-4"): (Printed(0.0), Printed(7.1, 0.5), Printed(15.7, 0.4)),
    ("fc", "3-4"): (Printed(0.0), Printed(16.2, 0.3), Printed(2.2, 0.7)),
    ("fcpa", "1-4"): (Printed(34.0, 0.5), Printed(23.1, 0.5), Printed(39.1, 0.6)),
    ("fcpa", "3-4"): (Printed(49.0, 0.4), Printed(24.4, 0.6), Printed(80.7, 0.7)),
}
BEST_RESPONSE_TO_CALLING = 50.0  # BB/h, "approximately": a quarter of the stack of 200

# Table 3, mBB/h: by bets and rounds.
TABLE_3_COLUMNS = ("Hyp. 2013", "Hyp. 2014", "Slumbot 2016", "Act1 2016", "Full Cards")
TABLE_3: dict[tuple[str, str], tuple[Printed | None, ...]] = {
    ("fc", "1-4"): (Printed(1048, 68), Printed(721, 56), Printed(522, 50), Printed(407, 47), Printed(-424, 37)),
    ("fc", "3-4"): (Printed(1006, 76), Printed(608, 61), Printed(496, 55), Printed(390, 55), Printed(-819, 52)),
    ("fcpa", "3-4"): (
        Printed(4040, 147),
        Printed(3852, 141),
        Printed(4020, 115),
        Printed(2597, 140),
        Printed(-536, 87),
    ),
    ("on-tree", "3-4"): (Printed(4743, 163), Printed(4789, 156), None, None, Printed(-536, 87)),
    ("56", "1-4"): (Printed(619, 117), Printed(574, 125), Printed(763, 84), Printed(2429, 134), Printed(1607, 76)),
    ("56", "3-4"): (Printed(5062, 152), Printed(4675, 152), Printed(3763, 104), Printed(3302, 122), Printed(2403, 87)),
}
# In the text, of Full Cards in rounds 3-4: bets min,2,4,8,a; and 56 bets against sampled soft translation, 10 samples.
WIDE_FULL_CARDS = Printed(1849)
SAMPLED_FULL_CARDS = Printed(1981, 224)

# In the text: what the best response wins from Full Cards within its own betting.
BEST_RESPONSE_FULL_CARDS = Printed(90)

FOLDING = 750.0  # mBB/h that folding every hand loses
NARROWING = 0.20  # of the interval, by duplicate deals and imaginary observations together
