"""Figures 1 to 3: the three example games, their printed equilibria, and ours by every choice among the equilibria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nashgap.explanations.bet_size_games import BetSizeGames, Stakes
from nashgap.explanations.bet_size_lp import CHOICES, BetSizeSolver
from nashgap.explanations.distances import output_distance
from nashgap.jobs.reproduction import Request, command_of
from nashgap.papers.ganzfried_yusuf_2017.printed_equilibria import PRINTED, PrintedEquilibrium
from nashgap.reports.report import Drawing, Report, Section, Table, Text
from nashgap.runs import package_version

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["Example", "draw_example", "figures_1_to_3", "solve_examples"]

# The uniform deal is dealt without replacement: see `nashgap reproduce human-equilibria`.
SHOWN = (0, 2, 3)
PRINT = "printed"
ZERO = 1e-9
PLAYER_COLOURS = ("#0072b2", "#d55e00")
BET_COLOUR = "#009e73"
LARGEST_MARKER = 17


@dataclass(frozen=True, eq=False)
class Example:
    """One of the games.

    bets: player 1's strategy `[C, B]` as printed and by each choice among the equilibria.
    """

    printed: PrintedEquilibrium
    games: BetSizeGames
    value: float
    bets: Mapping[str, np.ndarray]

    @property
    def cards(self) -> list[int]:
        """Places of the cards that player 1 may hold."""
        return [int(card) for card in np.flatnonzero(self.games.pdf[0, 0] > 0)]

    def loss(self, name: str) -> float:
        """What a strategy loses to a best response, dollars a hand."""
        loss = self.value - float(self.games.worst_case(self.bets[name][None])[0])
        return loss if loss > ZERO else 0.0

    def distance(self, name: str) -> float:
        """To the printed strategy, over the cards that player 1 may hold (Algorithm 2)."""
        return float(output_distance(self.bets[name][self.cards], self.bets[PRINT][self.cards]))


def solve_examples() -> tuple[Example, ...]:
    """The games of Figures 1, 2 and 3."""
    return tuple(_solve(PRINTED[place]) for place in SHOWN)


def _solve(printed: PrintedEquilibrium) -> Example:
    game = printed.game
    stakes = Stakes(game.num_cards, game.stack, game.step, game.ante)
    found = BetSizeSolver(stakes).solve(printed.joint)
    return Example(
        printed, BetSizeGames(stakes, printed.joint[None]), found.value, {PRINT: printed.table(), **found.bets}
    )


def figures_1_to_3(request: Request) -> Report:
    """The games as bars, and every bet of each strategy."""
    examples = solve_examples()
    apart = [max(example.distance(choice) for choice in CHOICES) for example in examples]
    return Report(
        title="The three example games (Ganzfried & Yusuf 2017, Figures 1 to 3)",
        summary=(
            "Their values are "
            + ", ".join(f"{example.value + 0.0:.4f}" for example in examples)
            + " dollars a hand to player 1. Our choices among the equilibria are up to "
            + ", ".join(f"{each:.3f}" for each in apart)
            + " from the printed ones by Algorithm 2."
        ),
        sections=(
            *(section for example in examples for section in _sections(example)),
            Text(
                "How to read the pictures",
                (
                    "Above, how likely each card is for each player. Below, a circle for each bet that player 1 makes"
                    " with a card: the larger, the more often. Cards that are never dealt have none.",
                    "The choices are those among all equilibria of player 1: the one that the linear program happens to"
                    " find, and those that do not depend on the program.",
                ),
            ),
        ),
        command=command_of("human-figures-1-3", request),
        facts={"game": "bet_size", "unit": "dollars_per_hand", "version": package_version()},
    )


def _sections(example: Example) -> tuple[Section, ...]:
    name = f"Figure {example.printed.figure}: {example.printed.name}"
    amounts = example.games.stakes.amounts
    rows: list[tuple[str | float, ...]] = []
    for card in example.cards:
        made = np.flatnonzero(np.any([bets[card] > ZERO for bets in example.bets.values()], axis=0))
        for bet in map(int, made):
            chances = (round(float(bets[card, bet]), 4) for bets in example.bets.values())
            rows.append((card + 1, f"{amounts[bet]:.1f}", *chances))
    prices = tuple(
        (strategy, float(f"{example.loss(strategy):.3g}"), round(example.distance(strategy), 4))
        for strategy in example.bets
    )
    return (
        Drawing(name, draw_example(example)),
        Table(f"Figure {example.printed.figure}: player 1's bets", ("card", "bet", *example.bets), tuple(rows)),
        Table(
            f"Figure {example.printed.figure}: what the strategies lose, and how far they are from the printed one",
            ("strategy", "loss", "distance"),
            prices,
            "Loss: to a best response, dollars a hand; the printed digits are rounded. Distance: Algorithm 2.",
        ),
    )


def draw_example(example: Example) -> go.Figure:
    """Both distributions as bars, and below them a panel of bets for each strategy."""
    from plotly.subplots import make_subplots  # slow to import

    panels = list(example.bets)
    figure = make_subplots(
        rows=2, cols=len(panels), row_heights=[0.3, 0.7], vertical_spacing=0.17, horizontal_spacing=0.02,
        specs=[[{"colspan": len(panels)}, *[None] * (len(panels) - 1)], [{}] * len(panels)], shared_yaxes="rows",
        subplot_titles=["how likely each card is", *panels],
    )  # fmt: skip
    _add_bars(figure, example)
    for column, name in enumerate(panels, start=1):
        _add_bets(figure, example, name, column)
    figure.update_xaxes(dtick=1, range=[0.4, example.games.stakes.deck + 0.6])
    figure.update_yaxes(rangemode="tozero", row=1)
    figure.update_yaxes(range=[-0.25, example.games.stakes.stack + 0.25], dtick=0.5, row=2)
    figure.update_yaxes(title_text="bet, dollars", row=2, col=1)
    figure.update_xaxes(title_text="card of player 1", row=2)
    figure.update_annotations(font_size=13)
    figure.update_layout(height=620, barmode="group", legend={"y": 1.06, "x": 1, "xanchor": "right"})
    return figure


def _add_bars(figure: go.Figure, example: Example) -> None:
    import plotly.graph_objects as go

    cards = list(range(1, example.games.stakes.deck + 1))
    for player, colour in enumerate(PLAYER_COLOURS):
        chances = example.games.pdf[0, player].round(6).tolist()
        bars = go.Bar(x=cards, y=chances, name=f"player {player + 1}", marker_color=colour)
        figure.add_trace(bars, row=1, col=1)


def _add_bets(figure: go.Figure, example: Example, name: str, column: int) -> None:
    import plotly.graph_objects as go

    bets = example.bets[name]
    card, bet = (places.tolist() for places in np.nonzero(bets[example.cards] > ZERO))
    held = [example.cards[place] for place in card]
    chances = bets[held, bet]
    amounts = example.games.stakes.amounts[bet].round(6).tolist()
    markers = go.Scatter(
        x=[each + 1 for each in held], y=amounts, mode="markers", showlegend=False,
        marker={"size": (LARGEST_MARKER * np.sqrt(chances)).clip(4).tolist(), "color": BET_COLOUR},
        hovertext=[f"{chance:.3f}" for chance in chances],
        hovertemplate="card %{x}: bet %{y}, %{hovertext}<extra></extra>",
    )  # fmt: skip
    figure.add_trace(markers, row=2, col=column)
