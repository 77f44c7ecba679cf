"""Shapes of strategies as bars: each plan has a colour, from the worst hand to the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nashgap.explanations.river_plans import SITUATIONS
from nashgap.explanations.shapes import Model
from nashgap.papers.ganzfried_yusuf_2017.shapes_job import Solved

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["model_bars", "shape_bars"]

# Folding is grey, calling blue, raising pink; bets are orange where they fold to a raise, green where they do not.
COLOURS = {
    "check": "#dfe3e8",
    "check-fold": "#c3cad3",
    "check-call": "#56b4e9",
    "check-raise": "#cc79a7",
    "bet": "#009e73",
    "bet-fold": "#e69f00",
    "bet-call": "#009e73",
    "bet-raise": "#0072b2",
    "fold": "#c3cad3",
    "call": "#56b4e9",
    "raise": "#cc79a7",
}


def shape_bars(solved: Solved, number: int) -> go.Figure:
    """The most frequent shapes of player 1, one bar each."""
    rows = [
        (f"{rank}. {count / solved.num_games:.1%}", shape[0], solved.widths[shape][0])
        for rank, (shape, count) in enumerate(list(solved.counts.items())[:number], start=1)
    ]
    return _interval_bars(rows)


def model_bars(solved: Solved, models: Sequence[Model]) -> go.Figure:
    """The three situations of each model, one bar each; widths are those of the games of its very shape."""
    rows = []
    for rank, model in enumerate(models, start=1):
        for situation, plans, widths in zip(SITUATIONS, model.shape, solved.widths[model.shape], strict=True):
            rows.append((f"{rank}: {situation}", plans, widths))
    return _interval_bars(rows)


def _interval_bars(rows: Sequence[tuple[str, Sequence[str], Sequence[float]]]) -> go.Figure:
    """Each row's plans as coloured pieces from the worst hand to the best."""
    import plotly.graph_objects as go

    figure = go.Figure()
    told: set[str] = set()
    for place in range(max(len(plans) for _, plans, _ in rows)):
        for name, plans, widths in rows:
            if place < len(plans):
                plan = plans[place]
                figure.add_trace(
                    go.Bar(
                        x=[100 * widths[place]], y=[name], orientation="h", name=plan, legendgroup=plan,
                        showlegend=plan not in told, marker={"color": COLOURS[plan], "line": {"width": 1}}, width=0.7,
                        text=[plan], textposition="inside", insidetextanchor="middle", textangle=0,
                        hovertemplate=f"{plan}: %{{x:.0f}}% of hands<extra></extra>",
                    )
                )  # fmt: skip
                told.add(plan)
    names = [name for name, _, _ in rows]
    # A name that does not fit its piece is told by the colour and the legend.
    figure.update_layout(barmode="stack", margin={"l": 10}, uniformtext={"minsize": 10, "mode": "hide"})
    figure.update_xaxes(title="hands from the worst to the best, %", range=[0, 100])
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=names[::-1], automargin=True, ticks="")
    return figure
