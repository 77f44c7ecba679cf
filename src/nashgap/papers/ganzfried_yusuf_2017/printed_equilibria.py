"""Ganzfried & Yusuf, Computing human-understandable strategies (2017): the three equilibria printed in section 1.

How far is each printed strategy of player 1 from an equilibrium, and does the rounding of its digits explain that? The
values come from two formulations that share nothing but the joint distribution: the sequence form on the compiled tree,
and a direct program over the bet probabilities, which also answers what the printed digits leave open.

Player 1's loss is the value of the game minus what the strategy earns against its nemesis; 0 in equilibrium only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from nashgap.core.tree import GameTree
from nashgap.games.bet_size import BetSize, uniform_joint
from nashgap.games.compiled import tree_of
from nashgap.jobs.reproduction import Request, command_of
from nashgap.measures.best_response import exploitability
from nashgap.reports.report import Figure, FigureTable, Report, Table, Text
from nashgap.runs import package_version
from nashgap.solvers.sequence_lp import solve_sequence_lp
from nashgap.strategies.table import TableStrategy, uniform

__all__ = ["PRINTED", "Measured", "PrintedEquilibrium", "equilibria", "measure_printed", "value_within"]

DECK = 10
UNIT = "dollars_per_hand"
# Losses below are rounding of the arithmetic.
ZERO = 1e-9

# Those of PRINTED that are shown bet by bet; the uniform deal is the first of two readings.
SHOWN = (0, 2, 3)

Bets = Mapping[float, float]


@dataclass(frozen=True)
class PrintedEquilibrium:
    """A printed strategy of player 1 for one distribution of the hands.

    figure:     that draws the distribution.
    bets:       for each card the printed probability of each bet, in dollars.
    resolution: one unit of the last printed digit.
    joint:      `[card of player 1, card of player 2]` probabilities.
    """

    name: str
    figure: int
    bets: Mapping[int, Bets]
    resolution: float
    joint: np.ndarray

    @property
    def game(self) -> BetSize:
        return BetSize(joint=tuple(map(tuple, self.joint.tolist())))

    def table(self) -> np.ndarray:
        """`[card, bet in steps]` probabilities as printed; cards that are never dealt check."""
        table = np.zeros((DECK, self.game.num_steps + 1))
        table[:, 0] = 1.0
        for card, bets in self.bets.items():
            table[card - 1] = 0.0
            for bet, probability in bets.items():
                table[card - 1, round(bet / self.game.step)] = probability
        return table


def _medium_against_extremes(card: int) -> np.ndarray:
    """Player 1 always holds the card, player 2 a 10 or a 1."""
    joint = np.zeros((DECK, DECK))
    joint[card - 1, [0, DECK - 1]] = 0.5
    return joint


MEDIUM = 5
FIGURE_1 = {
    1: {0.1: 0.091, 0.6: 0.266, 1.8: 0.643},
    2: {0.0: 0.660, 0.3: 0.231, 0.6: 0.109},
    **{card: {0.0: 1.0} for card in (3, 4, 5, 6)},
    7: {0.1: 1.0},
    8: {0.3: 1.0},
    9: {0.6: 1.0},
    10: {1.8: 1.0},
}
FIGURE_2 = {1: {0.0: 0.25, 3.0: 0.75}, 10: {3.0: 1.0}}
PRINTED = (
    PrintedEquilibrium("uniform, no repeats", 1, FIGURE_1, 0.001, np.array(uniform_joint(DECK))),
    PrintedEquilibrium("uniform, repeats", 1, FIGURE_1, 0.001, np.array(uniform_joint(DECK, True))),
    PrintedEquilibrium("10 or 1 v medium", 2, FIGURE_2, 0.01, _medium_against_extremes(MEDIUM).T),
    PrintedEquilibrium("medium v 10 or 1", 3, {MEDIUM: {0.0: 1.0}}, 0.01, _medium_against_extremes(MEDIUM)),
)


@dataclass(frozen=True)
class Measured:
    """What a printed strategy is worth, in dollars per hand to player 1.

    value:        of the game, by the sequence form.
    direct_value: of the game, by the direct program.
    worst:        of the printed strategy against an exact best response.
    rounded:      the most that a strategy with the printed digits guarantees.
    equilibrium:  player 1's bets `[card, bet in steps]` by the sequence form; 0 for cards that are never dealt.
    unrounded:    the same of the best strategy with the printed bets and digits.
    """

    value: float
    direct_value: float
    worst: float
    rounded: float
    equilibrium: np.ndarray
    unrounded: np.ndarray

    @property
    def loss(self) -> float:
        return max(0.0, self.value - self.worst)

    @property
    def unexplained_loss(self) -> float:
        """What no choice of the digits that were not printed can mend."""
        loss = max(0.0, self.value - self.rounded)
        return loss if loss > ZERO else 0.0


def equilibria(request: Request) -> Report:
    """The printed strategies, measured, and equilibria of our own."""
    measured = tuple(measure_printed(printed) for printed in PRINTED)
    without, with_replacement, *_ = measured
    mediums = _medium_values()
    return Report(
        title="The printed equilibria of the bet-size game (Ganzfried & Yusuf 2017, section 1)",
        summary=(
            f"{sum(measured[place].unexplained_loss == 0 for place in SHOWN)} of the {len(SHOWN)} printed strategies"
            " are equilibria to the printed digits, the uniform one dealt without replacement: it loses"
            f" {without.loss:.2g} dollars a hand as printed, and {without.unexplained_loss:.2g} with the best digits"
            f" behind those. With replacement it would lose at least {with_replacement.unexplained_loss:.2g}."
        ),
        sections=(
            Table(
                "How far each printed strategy is from an equilibrium",
                ("deal", "figure", "value", "worst case", "loss", "unexplained"),
                tuple(
                    (printed.name, printed.figure, one.value, one.worst, _short(one.loss), _short(one.unexplained_loss))
                    for printed, one in zip(PRINTED, measured, strict=True)
                ),
                note=(
                    f"{UNIT} to player 1. No repeats: dealt without replacement. Worst case: against an exact best"
                    " response. Unexplained: what the best strategy that rounds to the printed digits still loses."
                ),
            ),
            Table(
                "The value by two formulations",
                ("deal", "sequence form", "direct", "difference"),
                tuple(
                    (
                        printed.name,
                        *(f"{round(v, 12) + 0.0:.12f}" for v in (one.value, one.direct_value)),
                        f"{abs(one.value - one.direct_value):.1e}",
                    )
                    for printed, one in zip(PRINTED, measured, strict=True)
                ),
            ),
            FigureTable("Values with a medium card", _medium_figures(measured, mediums)),
            *(_bet_section(PRINTED[place], measured[place]) for place in SHOWN),
            Text("What is true of the printed strategies", _verdicts(measured, mediums)),
        ),
        command=command_of("human-equilibria", request),
        facts={
            "game": "bet_size",
            "deck": DECK,
            "medium card": MEDIUM,
            "method": "linear programs",
            "unit": UNIT,
            "version": package_version(),
        },
    )


def measure_printed(printed: PrintedEquilibrium) -> Measured:
    """Both values of the game, and what the printed strategy guarantees."""
    tree = tree_of(printed.game)
    solution = solve_sequence_lp(tree)
    table, half = printed.table(), printed.resolution / 2
    nemesis = exploitability(tree, _strategy(tree, table)).best_values[1]
    lower, upper = np.maximum(table - half, 0.0), np.minimum(table + half, 1.0)
    free = np.zeros_like(table), np.ones_like(table)
    # A bet that is not printed may still be made now and then, below the digits; the strategy shown does without.
    rounded, _ = value_within(printed.game, printed.joint, lower, upper)
    _, unrounded = value_within(printed.game, printed.joint, lower, np.where(table > 0, upper, 0.0))
    return Measured(
        value=solution.value,
        direct_value=value_within(printed.game, printed.joint, *free)[0],
        worst=0.0 - nemesis,
        rounded=rounded,
        equilibrium=_bets_of(solution.strategy),
        unrounded=unrounded,
    )


def _strategy(tree: GameTree, table: np.ndarray) -> TableStrategy:
    """Player 1 by the table; player 2 does not matter and is uniform."""
    probabilities = uniform(tree).probabilities.copy()
    for infoset in np.flatnonzero(tree.infoset_player == 0):
        probabilities[tree.slots(int(infoset))] = table[int(tree.infoset_name[infoset]) - 1]
    return TableStrategy(tree, probabilities)


def _bets_of(strategy: TableStrategy) -> np.ndarray:
    """Player 1's probabilities, `[card, bet in steps]`; 0 for cards that are never dealt."""
    tree = strategy.tree
    infosets = [int(infoset) for infoset in np.flatnonzero(tree.infoset_player == 0)]
    table = np.zeros((DECK, int(tree.infoset_size[infosets[0]])))
    for infoset in infosets:
        table[int(tree.infoset_name[infoset]) - 1] = strategy.probabilities[tree.slots(infoset)]
    return table


def value_within(game: BetSize, joint: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> tuple[float, np.ndarray]:
    """The most that player 1 can guarantee with probabilities `[card, bet]` between the bounds, and such ones.

    With x the probabilities and v[j, b] the worth of bet b against card j of player 2, who folds or calls:

        max sum of v   s.t.   v[j, b] <= sum over i of joint[i, j] x[i, b] payoff,   for the fold and for the call.

    A check cannot be folded to.
    """
    num_cards, num_bets = lower.shape
    size = num_cards * num_bets
    better = np.sign(np.arange(num_cards)[:, None] - np.arange(num_cards)[None, :])
    amount = np.linspace(0.0, game.stack, num_bets)
    called = _answer_rows(joint[:, :, None] * better[:, :, None] * (game.ante + amount))
    folded = _answer_rows(np.repeat(joint[:, :, None] * game.ante, num_bets, axis=2))[np.tile(amount > 0, num_cards)]
    solution = linprog(
        np.concatenate([np.zeros(size), -np.ones(size)]),
        A_ub=np.vstack([called, folded]),
        b_ub=np.zeros(len(called) + len(folded)),
        A_eq=np.hstack([np.kron(np.eye(num_cards), np.ones(num_bets)), np.zeros((num_cards, size))]),
        b_eq=np.ones(num_cards),
        bounds=[*zip(lower.ravel(), upper.ravel(), strict=True), *[(None, None)] * size],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert solution.fun is not None, f"probabilities between the bounds exist: {solution.message}"
    return 0.0 - float(solution.fun), np.asarray(solution.x)[:size].reshape(lower.shape)


def _answer_rows(payoff: np.ndarray) -> np.ndarray:
    """Rows v[j, b] - sum over i of payoff[i, j, b] x[i, b], one for each (j, b), over the columns (x, v)."""
    num_cards, _, num_bets = payoff.shape
    size = num_cards * num_bets
    earned = np.einsum("ijb,bc->jbic", payoff, np.eye(num_bets)).reshape(size, size)
    return np.hstack([-earned, np.eye(size)])


def _medium_values() -> list[float]:
    """The value of the game of Figure 2 for each medium card."""
    joints = (_medium_against_extremes(card).T.tolist() for card in range(2, DECK))
    return [solve_sequence_lp(tree_of(BetSize(joint=tuple(map(tuple, joint))))).value for joint in joints]


def _medium_figures(measured: tuple[Measured, ...], mediums: list[float]) -> tuple[Figure, ...]:
    return (
        Figure("10 or 1 v medium", measured[2].value, UNIT, note=f"as a fraction {_fraction(measured[2].value)}"),
        Figure("any medium card: least", min(mediums), UNIT, note="2 to 9"),
        Figure("any medium card: most", max(mediums), UNIT, note="2 to 9"),
        Figure("medium v 10 or 1", round(measured[3].value, 12) + 0.0, UNIT),
    )


def _bet_section(printed: PrintedEquilibrium, measured: Measured) -> Table:
    """Each bet that is made in one of the strategies, with its probabilities."""
    columns = printed.table(), measured.unrounded, measured.equilibrium
    rows = []
    for card in printed.bets:
        made = np.flatnonzero(np.any([column[card - 1] > ZERO for column in columns], axis=0))
        for steps in map(int, made):
            chances = (round(float(column[card - 1, steps]), 8) for column in columns)
            rows.append((card, printed.game.amount(steps), *chances))
    return Table(
        f"Figure {printed.figure}: the strategies of player 1",
        ("card", "bet", "printed", "unrounded", "ours"),
        tuple(rows),
        note="Unrounded: the best strategy that rounds to the printed bets and digits. Ours: the sequence form's.",
    )


def _verdicts(measured: tuple[Measured, ...], mediums: list[float]) -> tuple[str, ...]:
    without, with_replacement, *others = measured
    is_any_medium = max(mediums) - min(mediums) < ZERO
    return (
        f"Figure 1, without replacement: {_digits(without)}{_lowest_card(without)}",
        f"Figure 1, with replacement: {_digits(with_replacement)} The words of the section leave open which is meant;"
        f" the digits {_fit(without, with_replacement)}.",
        *(
            f"Figure {PRINTED[place].figure}: the printed strategy"
            f" {'is an equilibrium' if one.loss < ZERO else f'loses {one.loss:.3g}'}."
            for place, one in zip(SHOWN[1:], others, strict=True)
        ),
        "Figure 2 does not name the medium card; cards 2 to 9 give"
        f" {'the same value' if is_any_medium else 'different values'}. Figure 3 names {MEDIUM}.",
        f"The equilibrium of the sequence form for Figure 1 {_difference(without)} Which one the program finds depends"
        " on the version of HiGHS.",
    )


def _digits(one: Measured) -> str:
    """What the printed strategy loses, and how much of that is rounding."""
    if one.loss < ZERO:
        return "the printed strategy is an equilibrium."
    if one.unexplained_loss == 0:
        return f"the printed strategy loses {one.loss:.3g}; some strategy with the same digits loses nothing."
    return (
        f"the printed strategy loses {one.loss:.3g}, and no strategy with the same digits loses less than"
        f" {one.unexplained_loss:.3g}."
    )


def _lowest_card(one: Measured) -> str:
    """The fractions that card 1's printed digits stand for, where they stand for an equilibrium."""
    if one.unexplained_loss:
        return ""
    chances = [_fraction(float(chance)) for chance in one.unrounded[0] if chance > ZERO]
    return f" With it card 1 bets with {', '.join(chances)}."


def _fit(without: Measured, with_replacement: Measured) -> str:
    match (without.unexplained_loss == 0, with_replacement.unexplained_loss == 0):
        case (True, False):
            return "are those of a deal without replacement"
        case (False, True):
            return "are those of a deal with replacement"
        case (True, True):
            return "fit both"
    return "fit neither"


def _difference(one: Measured) -> str:
    widest = float(np.abs(one.equilibrium - one.unrounded).max())
    if widest < ZERO:
        return "is the printed one, unrounded."
    return f"differs from the printed one, unrounded, by up to {widest:.3f} in a probability."


def _fraction(value: float) -> str:
    return str(Fraction(value).limit_denominator(1000))


def _short(value: float) -> float:
    """Three significant digits; arithmetic's own rounding is 0."""
    return float(f"{value:.3g}") if value > ZERO else 0.0
