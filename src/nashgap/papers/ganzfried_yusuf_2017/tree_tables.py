"""Tables and plots of the trees of Figures 9 and 10."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nashgap.explanations.bet_size_lp import CHOICES
from nashgap.explanations.representations import REPRESENTATIONS, CardInput
from nashgap.papers.ganzfried_yusuf_2017.tree_claims import (
    Read,
    best_cut,
    error_of,
    exploitability_of,
    listed_depths,
    numbered,
    rising_depths,
    value_lost_of,
)
from nashgap.papers.ganzfried_yusuf_2017.trees_job import CutTree, TreeCurves
from nashgap.reports.report import Curve, Plot, Section, Table

__all__ = [
    "DEPTH_TITLE",
    "ERROR_TITLE",
    "SOLVER",
    "choice_tables",
    "depth_plot",
    "error_table",
    "price_sections",
    "reading_table",
    "shown_cuts",
    "single_bet_table",
]

SHOWN_DEPTHS = (3, 4, 6, 8, 10, 12, 15, 20)
SOLVER = CHOICES[0]
DEPTH_TITLE, ERROR_TITLE = "depth of the tree", "error (Algorithm 2)"

Row = tuple[str | float, ...]


def depth_plot(title: str, curves: TreeCurves, choice: str, read: Read, y_title: str) -> Plot:
    lines = {name: curves[choice, name] for name in REPRESENTATIONS}
    return Plot(
        title,
        DEPTH_TITLE,
        y_title,
        tuple(
            Curve(numbered(name), [cut.depth for cut in cuts], [read(cut.scores).mean for cut in cuts])
            for name, cuts in lines.items()
        ),
    )


def shown_cuts(curves: TreeCurves, choice: str, name: str) -> list[CutTree]:
    """Those at the depths that tables have columns for."""
    return [cut for cut in curves[choice, name] if cut.depth in SHOWN_DEPTHS]


def error_table(curves: TreeCurves) -> Table:
    rows = [
        (*row, listed_depths(rising_depths(curves[SOLVER, name])) or "never")
        for name, row in zip(REPRESENTATIONS, _score_rows(curves, error_of), strict=True)
    ]
    return Table(
        "Errors by depth",
        (*_score_columns(curves), "rises at"),
        tuple(rows),
        "Means over the test games, the lowest with its 95% interval. Rises at: depths whose error is above that of the"
        " depth before, on the same test games.",
    )


def choice_tables(curves: TreeCurves) -> tuple[Table, Table]:
    """What the choice among the equilibria of a game does to the error, and to the price."""
    note = "A tree learns the equilibria of one choice, and its error is the distance to those. In brackets the depth."
    price_note = (
        "Dollars a hand, by what the tree has learned; a best response does not ask which equilibrium was meant."
    )
    return (
        _lowest_table("Lowest errors, by the choice among the equilibria of a game", curves, error_of, note),
        _lowest_table("Lowest exploitability, by the choice", curves, exploitability_of, price_note),
    )


def _lowest_table(title: str, curves: TreeCurves, read: Read, note: str) -> Table:
    rows = [(numbered(name), *(_lowest(curves[choice, name], read) for choice in CHOICES)) for name in REPRESENTATIONS]
    return Table(title, ("representation", *CHOICES), tuple(rows), note)


def reading_table(by_reading: Mapping[str, TreeCurves]) -> Table:
    """The representations with a card's cdf in each of its readings."""
    first = next(iter(by_reading.values()))
    names = [name for choice, name in first if REPRESENTATIONS[name].card is CardInput.CDF and choice == SOLVER]
    rows = [
        (numbered(name), reading, *(_lowest(curves[SOLVER, name], read) for read in (error_of, exploitability_of)))
        for name in names
        for reading, curves in by_reading.items()
    ]
    return Table(
        "The readings of the card's cdf",
        ("representation", "reading", "lowest error", "lowest exploitability"),
        tuple(rows),
        "Own, opponent: how likely the player holds the card or a worse one. Below: how likely player 2 holds a worse"
        " one; the reading of all curves above. Beaten: the same, given player 1's card. In brackets the depth.",
    )


def _lowest(cuts: Sequence[CutTree], read: Read) -> str:
    best = best_cut(cuts, read)
    return f"{read(best.scores).mean:.4f} ({best.depth})"


def price_sections(curves: TreeCurves) -> tuple[Section, ...]:
    """What playing by the trees costs."""
    sections: list[Section] = []
    for title, read, note in (
        ("Exploitability", exploitability_of, "what the predicted strategy loses to a best response"),
        ("Value lost", value_lost_of, "what the predicted strategy loses to player 2's equilibrium"),
    ):
        sections.append(depth_plot(f"{title} against depth", curves, SOLVER, read, "dollars a hand"))
        rows = tuple(_score_rows(curves, read))
        sections.append(Table(f"{title} by depth", _score_columns(curves), rows, f"Dollars a hand: {note}."))
    return tuple(sections)


def single_bet_table(curves: TreeCurves) -> Table:
    rows: list[Row] = []
    for name in REPRESENTATIONS:
        for cut in shown_cuts(curves, SOLVER, name):
            if cut.mixed is not None:
                scores = (read(each).mean for read in (error_of, exploitability_of) for each in (cut.scores, cut.mixed))
                rows.append((numbered(name), cut.depth, *(f"{each:.4f}" for each in scores)))
    heads = ("error, nearest", "error, shared", "exploitability, nearest", "exploitability, shared")
    return Table(
        "A predicted bet between two multiples of the step",
        ("representation", "depth", *heads),
        tuple(rows),
        "Nearest: the nearest multiple is played, as in all curves above. Shared: both neighbours are, so that the mean"
        " bet is the predicted one.",
    )


def _score_columns(curves: TreeCurves) -> tuple[str, ...]:
    depths = (f"depth {cut.depth}" for cut in shown_cuts(curves, SOLVER, next(iter(REPRESENTATIONS))))
    return ("representation", *depths, "lowest", "at depth")


def _score_rows(curves: TreeCurves, read: Read) -> list[Row]:
    rows: list[Row] = []
    for name in REPRESENTATIONS:
        best = best_cut(curves[SOLVER, name], read)
        least = read(best.scores)
        shown = (f"{read(cut.scores).mean:.4f}" for cut in shown_cuts(curves, SOLVER, name))
        rows.append((numbered(name), *shown, f"{least.mean:.4f} ± {least.ci95:.4f}", best.depth))
    return rows
