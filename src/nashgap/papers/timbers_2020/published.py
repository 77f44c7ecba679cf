"""The numbers that the paper prints."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ABR_AGAINST_A2C",
    "BOARD_GAMES_ABOVE",
    "CFR_PLUS_EXPLOITABILITY",
    "CFR_PLUS_SHARES",
    "COST_FACTOR",
    "EVERY_GAME_ABOVE",
    "EXACT_SECONDS",
    "KUHN",
    "KUHN_SECONDS",
    "LEDUC",
    "LIARS_DICE",
    "SAMPLED_GAMES",
    "TABLE_2",
    "TABLE_3",
    "TABLE_4",
    "UNIFORM_NASH_CONV",
    "ChumpRow",
    "UniformRow",
]

LEDUC, LIARS_DICE, KUHN = "leduc", "liars_dice", "kuhn"

# Table 2: by row and column, mean of so many games; of whom, see `head_to_head`.
SAMPLED_GAMES = 1024
TABLE_2 = {
    LEDUC: {("cfr+", "cfr+"): -0.094, ("cfr+", "a2c"): 0.72, ("a2c", "cfr+"): -0.72, ("a2c", "a2c"): 0.05},
    LIARS_DICE: {("cfr+", "cfr+"): -0.03, ("cfr+", "a2c"): 0.655, ("a2c", "cfr+"): -0.655, ("a2c", "a2c"): -0.06},
}
# In the text: of CFR+ after 1000 iterations in Leduc; its share of what A2C could lose; and ABR's share of that.
CFR_PLUS_EXPLOITABILITY = 1e-5
CFR_PLUS_SHARES = {LEDUC: 0.30, LIARS_DICE: 0.87}
ABR_AGAINST_A2C = {LEDUC: 0.85, LIARS_DICE: 0.97}


@dataclass(frozen=True)
class ChumpRow:
    """Of Table 3, in big blinds a game; shares of NashConv are printed, too, and follow."""

    abr: float
    lbr: float
    nash_conv: float


TABLE_3 = {
    "always-fold": ChumpRow(1.50, 1.496, 1.50),
    "always-call": ChumpRow(1.61, 2.31, 2.33),
    "random": ChumpRow(8.71, 5.69, 8.80),
}


@dataclass(frozen=True)
class UniformRow:
    """Of Table 4: what responders with a network win from uniform play, both seats added up."""

    abr: float
    nash_conv: float


TABLE_4 = {
    LIARS_DICE: UniformRow(1.52, 1.561490),
    LEDUC: UniformRow(4.07, 4.747222),
    KUHN: UniformRow(0.95, 0.916667),
}
UNIFORM_NASH_CONV = {game: row.nash_conv for game, row in TABLE_4.items()}

# Figure 3, in the text: ABR's share or win rate in every game, and in all but Hex and Go.
EVERY_GAME_ABOVE, BOARD_GAMES_ABOVE = 0.5, 0.7

# Section 4.2: an exact best response in Leduc; ABR against uniform in Kuhn; and how much more that is.
EXACT_SECONDS, KUHN_SECONDS, COST_FACTOR = 30e-6, 150.0, 5e6
