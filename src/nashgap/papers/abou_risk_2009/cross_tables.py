"""The printed cross-tables of Figures 3.2, 4.5, 5.1 and 5.2 to 5.6, in sb_per_hand, and what the thesis makes of them.

The cells lie in `figures/*.csv`, with the names that the figures use. The later figures of each series show the same
cells after eliminations: every legible one is equal to that of the first figure, so only their last columns are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from nashgap.arena.cross_table import CrossTable, parse_cross_table

__all__ = [
    "CHAPTER_3",
    "CHAPTER_4",
    "COMPETITION_2008",
    "COMPETITION_2009",
    "PrintedFigure",
    "PrintedTournament",
    "Repair",
]

UNIT = "sb_per_hand"


@dataclass(frozen=True)
class Repair:
    """A cell that the text of the thesis shows damaged: what stands there, what it was taken for, and why."""

    player: str
    opponents: tuple[str, str]
    found: str
    value: float
    reason: str


@dataclass(frozen=True)
class PrintedFigure:
    """The last column of a cross-table: the overall winrates of those who are still in."""

    name: str
    winrates: Mapping[str, float]


@dataclass(frozen=True)
class PrintedTournament:
    """A tournament as printed.

    file:     in `figures/`; its cells.
    figures:  one for each round of the run-off, everybody in the first.
    bankroll: printed ranking, best first; so is `runoff`, which is empty where there was none.
    wins:     what the text says about numbers of matchups won.
    """

    file: str
    figures: tuple[PrintedFigure, ...]
    bankroll: tuple[str, ...]
    runoff: tuple[str, ...]
    repairs: tuple[Repair, ...] = ()
    wins: Mapping[str, int] | None = None

    def table(self) -> CrossTable:
        """The cells, the repaired ones among them."""
        text = files(__package__).joinpath("figures", self.file).read_text(encoding="utf-8")
        return parse_cross_table(text, self.file, UNIT)


_UPSIDE_DOWN = "upside down"

CHAPTER_3 = PrintedTournament(
    "figure-3.2.csv",
    (
        PrintedFigure(
            "3.2",
            {
                "AC": -0.607, "Probe": -0.462, "AR": -0.461, "Poki": 0.327, "IR16_43M": 0.333, "IR16_20M": 0.341,
                "Multi2": 0.530,
            },
        ),
        PrintedFigure(
            "3.3",
            {"AR": -0.535, "Probe": -0.528, "Poki": 0.111, "IR16_43M": 0.230, "IR16_20M": 0.245, "Multi2": 0.477},
        ),
        PrintedFigure("3.4", {"Probe": -0.946, "Poki": 0.058, "Multi2": 0.289, "IR16_20M": 0.300, "IR16_43M": 0.300}),
        PrintedFigure("3.5", {"Poki": -0.079, "Multi2": -0.055, "IR16_20M": 0.066, "IR16_43M": 0.068}),
        PrintedFigure("3.6", {"Multi2": -0.098, "IR16_20M": 0.048, "IR16_43M": 0.050}),
    ),
    bankroll=("Multi2", "IR16_20M", "IR16_43M", "Poki", "AR", "Probe", "AC"),
    runoff=("IR16_43M", "IR16_20M", "Multi2", "Poki", "Probe", "AR", "AC"),
    repairs=(Repair("AR", ("AC", "Probe"), "900.0", 0.006, f"{_UPSIDE_DOWN}; zero sum: 0.007"),),
    # Section 3.5.3: the IR16 agents lose in one matchup only.
    wins={"IR16_20M": 14, "IR16_43M": 14},
)  # fmt: skip

CHAPTER_4 = PrintedTournament(
    "figure-4.5.csv",
    (
        PrintedFigure(
            "4.5",
            {
                "Poki": -0.072, "Multi2": -0.047, "Uni_M2": -0.021, "Exp_M2": 0.008, "Uni_IR16": 0.026,
                "Exp_IR16": 0.049, "IR16": 0.057,
            },
        ),
        PrintedFigure(
            "4.6",
            {
                "Multi2": -0.062, "Uni_M2": -0.035, "Exp_M2": -0.008, "Uni_IR16": 0.019, "Exp_IR16": 0.039,
                "IR16": 0.048,
            },
        ),
        PrintedFigure(
            "4.7", {"Uni_M2": -0.049, "Exp_M2": -0.020, "Uni_IR16": 0.005, "Exp_IR16": 0.028, "IR16": 0.037}
        ),
        PrintedFigure("4.8", {"Exp_M2": -0.031, "Uni_IR16": -0.010, "Exp_IR16": 0.016, "IR16": 0.025}),
        PrintedFigure("4.9", {"Uni_IR16": -0.029, "Exp_IR16": 0.009, "IR16": 0.020}),
    ),
    bankroll=("IR16", "Exp_IR16", "Uni_IR16", "Exp_M2", "Uni_M2", "Multi2", "Poki"),
    # Section 4.6: the same in both competitions.
    runoff=("IR16", "Exp_IR16", "Uni_IR16", "Exp_M2", "Uni_M2", "Multi2", "Poki"),
    repairs=(
        Repair("Poki", ("IR16", "Uni_IR16"), "", -0.089, "zero sum, to within 0.001; fits Poki's overall winrate"),
        Repair("Multi2", ("IR16", "Exp_IR16"), "", -0.090, f"060.0- in Figure 4.6, {_UPSIDE_DOWN}; zero sum: -0.090"),
        Repair("Uni_M2", ("Poki", "IR16"), "-0.00", -0.009, "cut short; zero sum: -0.009"),
        Repair("Exp_M2", ("Poki", "Multi2"), "090.0", 0.060, f"{_UPSIDE_DOWN}; zero sum: 0.060"),
        Repair("Uni_IR16", ("Uni_M2", "IR16"), "600.0", 0.009, f"{_UPSIDE_DOWN}; 0.009 in Figure 4.6"),
        Repair("Exp_IR16", ("IR16", "Uni_IR16"), "600.0", 0.009, f"{_UPSIDE_DOWN}; 0.009 in Figures 4.8 and 4.9"),
        Repair("Exp_IR16", ("Uni_M2", "IR16"), "0:030", 0.030, "colon for point; 0.030 in Figure 4.6"),
    ),
    # Section 4.6: the two best win in every matchup, the two worst in none.
    wins={"IR16": 15, "Exp_IR16": 15, "Multi2": 0, "Poki": 0},
)  # fmt: skip

_RING_2008 = {
    "Poki": 0.323, "AKI-RealBot": 0.287, "DCU": 0.126, "CMURing-Prototype": 0.082, "mcBotUltra": -0.068, "GUS": -0.750,
}  # fmt: skip

COMPETITION_2008 = PrintedTournament(
    "figure-5.1.csv", (PrintedFigure("5.1", _RING_2008),), bankroll=tuple(_RING_2008), runoff=()
)

COMPETITION_2009 = PrintedTournament(
    "figures-5.2-5.6.csv",
    (
        PrintedFigure(
            "5.7",
            {
                "H-Eqm": 0.319, "H-BR": 0.299, "dpp": 0.171, "akuma": 0.151, "CMU": -0.037, "dcu": -0.063,
                "Blue": -0.548,
            },
        ),
        PrintedFigure(
            "5.8", {"H-Eqm": 0.246, "H-BR": 0.220, "akuma": 0.055, "dpp": -0.006, "CMU": -0.137, "dcu": -0.181}
        ),
        PrintedFigure("5.9", {"H-Eqm": 0.251, "H-BR": 0.225, "akuma": 0.024, "dpp": -0.116, "CMU": -0.190}),
    ),
    bankroll=("H-Eqm", "H-BR", "dpp", "akuma", "CMU", "dcu", "Blue"),
    runoff=("H-Eqm", "H-BR", "akuma", "dpp", "CMU", "dcu", "Blue"),
    repairs=(Repair("H-BR", ("akuma", "dcu"), "0.19", 0.190, "third decimal missing; zero sum: 0.189"),),
)  # fmt: skip
