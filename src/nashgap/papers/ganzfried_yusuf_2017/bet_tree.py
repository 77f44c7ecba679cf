"""Figure 8: the tree of depth 4 that says one bet for a card, from which the paper takes its two rules.

It is given both players' cdf, x[0] to x[19], and "the cdf value of the card", x[20]. Of the picture the text tells five
numbers: the root tests x[20] <= 0.9035; on the far right x[15] <= 0.9154 decides between 2.9314 dollars (the all-in
rule) and 2.3597; the branch of the 80-20 rule ends in 0.1898. Whose cdf x[20] is the text leaves open; it is tried in
every reading here, and the one that comes nearest is told.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from nashgap.explanations.dataset import SolvedGames
from nashgap.explanations.representations import CardCdf, Representation, named_representation
from nashgap.explanations.trees import CRITERION, FittedTree, fit_tree
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.ganzfried_yusuf_2017.games import NUM_TRAIN, solved_games
from nashgap.reports.report import Drawing, Figure, FigureTable, Report, Section, Table, Text
from nashgap.reports.tree_drawing import draw_tree
from nashgap.runs import package_version

__all__ = ["READINGS", "Reading", "figure_8", "fit_reading"]

DEPTH = 4
QUICK_GAMES = 2_000
REPRESENTATION = "cdf+card-cdf:bet"
CARD_FEATURE = 20  # the paper's x[20]
UNDEALT = "below, undealt"
_BELOW = (str(CardCdf.BELOW), UNDEALT)  # the readings that are near the print
# Games of the trees that show what another sample changes.
SIZES, QUICK_SIZES = (2_000, 8_000), (500,)

# The numbers that the text tells of the picture.
ROOT, PRINTED_FEATURE, PLAYER_2_TEST = 0.9035, 15, 0.9154
SMALL_BET, LARGE_BET, OTHER_BET = 0.1898, 2.9314, 2.3597

# Name and words of each reading of "the cdf value of the card".
READINGS = {
    str(CardCdf.OWN): "how likely player 1 holds this card or a worse one",
    str(CardCdf.OPPONENT): "how likely player 2 holds this card or a worse one",
    str(CardCdf.BELOW): "how likely player 2 holds a worse card",
    UNDEALT: "how likely a worse card is in the distribution that player 2's card is drawn from, before equal cards are"
    " ruled out",
    str(CardCdf.BEATEN): "how likely player 2 holds a worse card, given player 1's",
}


@dataclass(frozen=True, eq=False)
class Reading:
    """The tree of one reading of the card's cdf, and the numbers that stand where the text tells some."""

    name: str
    representation: Representation
    tree: FittedTree

    @property
    def root(self) -> float:
        return float(self.tree.threshold[0])

    @property
    def last_test(self) -> int:
        """The node above the leaf on the far right."""
        node = 0
        while self.tree.feature[self.tree.right[node]] >= 0:
            node = int(self.tree.right[node])
        return node

    @property
    def last(self) -> tuple[float, float]:
        """The bets of both leaves below the last test."""
        below = self.tree.left[self.last_test], self.tree.right[self.last_test]
        return float(self.tree.value[below[0], 0]), float(self.tree.value[below[1], 0])

    @property
    def middle(self) -> float:
        """The bet with hands in the middle: of the leaf with most rows."""
        rows = np.where(self.tree.feature < 0, self.tree.num_samples, 0)
        return float(self.tree.value[np.argmax(rows), 0])

    @property
    def distance(self) -> float:
        """How far the root and the three leaves are from the printed ones: the root's share, and bets of the stack."""
        bets = abs(self.middle - SMALL_BET) + abs(max(self.last) - LARGE_BET) + abs(min(self.last) - OTHER_BET)
        is_card = self.tree.feature[0] == CARD_FEATURE
        return bets / 3.0 + (abs(self.root - ROOT) if is_card else 1.0)


def fit_reading(solved: SolvedGames, name: str, seed: int) -> Reading:
    """The tree for the card's cdf as that reading has it."""
    games = solved.games
    card_cdf = CardCdf.BELOW if name == UNDEALT else CardCdf(name)
    representation = named_representation(REPRESENTATION, card_cdf)
    inputs = representation.inputs(games)
    if name == UNDEALT:
        drawn_from = solved.hands[:, 1]
        inputs[:, -1] = (np.cumsum(drawn_from, axis=1) - drawn_from).ravel()
    outputs = representation.outputs(games, solved.bets(), seed)
    return Reading(name, representation, fit_tree(inputs, outputs, DEPTH))


def figure_8(request: Request) -> Report:
    """The tree in each reading, published numbers beside ours."""
    num_games = QUICK_GAMES if request.is_quick else NUM_TRAIN
    solved = solved_games(request, num_games)
    readings = [fit_reading(solved, name, request.seed) for name in READINGS]
    nearest = min(readings, key=lambda reading: reading.distance)
    return Report(
        title="The decision tree of depth 4 (Ganzfried & Yusuf 2017, Figure 8)",
        summary=(
            f"Nearest to the printed tree comes the reading {nearest.name!r}: {READINGS[nearest.name]}. Its root is"
            f" {nearest.root:.4f} (printed {ROOT}), the bets of the two rules are {nearest.middle:.4f} and"
            f" {max(nearest.last):.4f} (printed {SMALL_BET} and {LARGE_BET}); the last test on the right is"
            f" {_test(nearest.tree, nearest.last_test)} (printed x[15] <= {PLAYER_2_TEST})."
        ),
        sections=(
            _figures(nearest),
            _reading_table(readings),
            Table("What x[20] is in each reading", ("reading", "x[20]"), tuple(READINGS.items())),
            _sample_table(solved, QUICK_SIZES if request.is_quick else SIZES, _BELOW, request.seed),
            *(section for reading in _sorted(readings) for section in _tree_sections(reading, solved)),
            _notes(),
        ),
        command=command_of("human-figure-8", request),
        facts={
            "games": num_games,
            "rows": num_games * solved.stakes.deck,
            "representation": REPRESENTATION,
            "criterion": CRITERION,
            "seed": request.seed,
            "version": package_version(),
        },
    )


def _sorted(readings: list[Reading]) -> list[Reading]:
    return sorted(readings, key=lambda reading: reading.distance)


def _test(tree: FittedTree, node: int) -> str:
    return f"x[{tree.feature[node]}] <= {tree.threshold[node]:.4f}"


def _figures(reading: Reading) -> FigureTable:
    tree, last = reading.tree, reading.last_test
    return FigureTable(
        f"Published and ours, reading {reading.name!r}",
        (
            Figure("feature of the root", f"x[{tree.feature[0]}]", published="x[20]"),
            Figure("threshold of the root", round(reading.root, 4), published=ROOT),
            Figure("feature of the last test on the right", f"x[{tree.feature[last]}]", published="x[15]"),
            Figure("its threshold", round(float(tree.threshold[last]), 4), published=PLAYER_2_TEST),
            Figure("bet of its larger leaf", round(max(reading.last), 4), "dollars", published=LARGE_BET),
            Figure("bet of its smaller leaf", round(min(reading.last), 4), "dollars", published=OTHER_BET),
            Figure("bet of the largest leaf", round(reading.middle, 4), "dollars", published=SMALL_BET,
                   note="the 80-20 rule"),
        ),
    )  # fmt: skip


def _reading_table(readings: list[Reading]) -> Table:
    printed = ("printed", f"x[20] <= {ROOT}", f"x[15] <= {PLAYER_2_TEST}", LARGE_BET, OTHER_BET, SMALL_BET)
    rows = [
        (
            reading.name,
            _test(reading.tree, 0),
            _test(reading.tree, reading.last_test),
            round(max(reading.last), 4),
            round(min(reading.last), 4),
            round(reading.middle, 4),
        )
        for reading in readings
    ]
    return Table(
        "The readings of the card's cdf",
        ("reading", "root", "last test on the right", "larger leaf", "smaller leaf", "largest group"),
        (printed, *rows),
        "Dollars. Larger and smaller leaf: those below the last test. Largest group: the leaf with most rows.",
    )


def _sample_table(solved: SolvedGames, sizes: tuple[int, ...], names: tuple[str, ...], seed: int) -> Table:
    """The same numbers in trees of fewer games: what another sample of games changes."""
    rows = []
    for name in names:
        for size in sizes:
            firsts = range(0, len(solved) - size + 1, size)
            trees = [fit_reading(solved[first : first + size], name, seed) for first in firsts]
            tested = Counter(f"x[{each.tree.feature[each.last_test]}]" for each in trees)
            rows.append(
                (
                    name,
                    size,
                    len(trees),
                    _between([each.root for each in trees]),
                    _between([each.middle for each in trees]),
                    _between([max(each.last) for each in trees]),
                    ", ".join(f"{feature} {count}" for feature, count in tested.most_common(3)),
                    tested[f"x[{PRINTED_FEATURE}]"],
                )
            )
    return Table(
        "Trees of other games",
        ("reading", "games", "trees", "root", "largest group", "larger leaf", "last test most often", "on x[15]"),
        tuple(rows),
        "Each tree has games of its own; numbers are from the least to the largest of them. Printed are"
        f" {ROOT}, {SMALL_BET}, {LARGE_BET} and x[15].",
    )


def _between(values: list[float]) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


def _tree_sections(reading: Reading, solved: SolvedGames) -> tuple[Section, Section]:
    tree, stakes = reading.tree, solved.stakes

    def condition(feature: int, threshold: float) -> str:
        return reading.representation.condition(stakes, feature, threshold)

    def outcome(node: int) -> tuple[str, float]:
        bet = float(tree.value[node, 0])
        return f"bet {bet:.2f}", bet / stakes.stack

    rows = tuple(
        (
            "· " * int(tree.depth[node]) + (_test(tree, node) if tree.feature[node] >= 0 else "leaf"),
            condition(int(tree.feature[node]), float(tree.threshold[node])) if tree.feature[node] >= 0 else "",
            round(float(tree.error[node]), 4),
            int(tree.num_samples[node]),
            round(float(tree.value[node, 0]), 4),
        )
        for node in range(tree.num_nodes)
    )
    return (
        Drawing(f"The tree, reading {reading.name!r}", draw_tree(tree, condition, outcome)),
        Table(
            f"Node by node, reading {reading.name!r}",
            ("test", "in words", "error", "rows", "bet"),
            rows,
            "True first, then false. Error: mean squared deviation of the bets from the mean bet, in dollars squared.",
        ),
    )


def _notes() -> Text:
    return Text(
        "What is reproduced",
        (
            "Deep in a tree several tests are nearly as good as each other, and the sample of games decides which is"
            " found: the table of other games says how often it is x[15], which the paper took its all-in rule from.",
            "The words of the all-in rule (the opponent holds a weak or mediocre hand at most 90% of the time) give"
            f" {LARGE_BET} to the side where x[15] <= {PLAYER_2_TEST} is true; the text gives {OTHER_BET} to the"
            " leaf on the far right, where it is false.",
        ),
    )
