"""The charts of a report, drawn by plotly; only imported for a report that has some, because plotly loads slowly."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import plotly.graph_objects as go

from nashgap.core.estimate import format_interval
from nashgap.reports.report import Bars, Curve, Drawing, Plot
from nashgap.reports.static_charts import COLOURS, GAIN, LOSS

__all__ = ["bars_figure", "bars_height", "plot_figure", "render_chart"]

_DASHES = ("solid", "dash", "dot")  # of the first curves, and of those after them that share their colours
_INK, _GRID = "#808894", "rgba(128,136,148,0.22)"
_AXIS = {"gridcolor": _GRID, "linecolor": _INK, "zerolinecolor": _GRID, "showline": True, "ticks": "outside"}


def render_chart(section: Plot | Bars | Drawing, element: str) -> str:
    """HTML of the chart in a `div` with the id `element`; the page must load the chart script before it."""
    match section:
        case Plot():
            figure = plot_figure(section)
        case Bars():
            figure = bars_figure(section)
        case Drawing():
            figure = go.Figure(section.figure)
    is_plain = isinstance(section, Bars)  # nothing to zoom into, and no room for buttons
    height = f"{bars_height(section)}px" if isinstance(section, Bars) else "430px"
    figure.update_layout(template=_theme())
    config = {"responsive": True, "displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}
    config |= {"displayModeBar": False} if is_plain else {}
    html: str = figure.to_html(config, include_plotlyjs=False, full_html=False, div_id=element, default_height=height)
    return html


def plot_figure(plot: Plot) -> go.Figure:
    """The plot as a plotly figure, without title."""
    figure = go.Figure()
    for number, curve in enumerate(plot.curves):
        colour = COLOURS[number % len(COLOURS)]
        if curve.ci95 is not None:
            figure.add_trace(_band(curve, curve.ci95, colour, is_log=plot.log_y))
        mode = "lines" if len(curve.x) > 60 else "lines+markers"
        dash = _DASHES[number // len(COLOURS) % len(_DASHES)]
        line, marker = {"color": colour, "width": 2, "dash": dash}, {"size": 5}
        figure.add_trace(
            go.Scatter(
                x=list(curve.x), y=list(curve.y), name=escape(curve.name), mode=mode, line=line, marker=marker,
                legendgroup=str(number),
            )
        )  # fmt: skip
    for name, y in plot.lines:
        figure.add_hline(y, line={"color": _INK, "dash": "dash", "width": 1.5})
        # Annotations of a logarithmic axis are placed by exponent, unlike lines.
        height = math.log10(y) if plot.log_y and y > 0 else y
        figure.add_annotation(
            text=escape(name), x=1, xref="paper", xanchor="right", y=height, yanchor="bottom", showarrow=False
        )
    figure.update_xaxes(_axis(plot.x_title, [x for curve in plot.curves for x in curve.x], plot.log_x))
    y_values = [y for curve in plot.curves for y in curve.y] + [y for _, y in plot.lines]
    figure.update_yaxes(_axis(plot.y_title, y_values, plot.log_y))
    figure.update_layout(showlegend=len(plot.curves) > 1)
    return figure


def bars_figure(bars: Bars) -> go.Figure:
    """The bars as a plotly figure, the first on top, gains and losses in different colours."""
    names = [escape(name) for name, _ in bars.bars]
    values = [estimate.mean for _, estimate in bars.bars]
    intervals = [estimate.ci95 for _, estimate in bars.bars]
    figure = go.Figure(
        go.Bar(
            x=values, y=names, orientation="h", width=0.62, showlegend=False,
            marker={"color": [GAIN if value >= 0 else LOSS for value in values], "opacity": 0.6},
            error_x={"type": "data", "array": intervals, "color": _INK, "thickness": 1.5, "width": 4},
            hovertext=[format_interval(*pair) for pair in zip(values, intervals, strict=True)],
            hovertemplate="%{y}: %{hovertext}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_xaxes(_axis(f"{bars.x_title}, {bars.unit}", values, False), zeroline=True, zerolinecolor=_INK)
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=names[::-1], automargin=True, ticks="")
    figure.update_layout(margin={"l": 10, "t": 8, "b": 50})
    return figure


def bars_height(bars: Bars) -> int:
    """Pixels that let every bar have its name beside it."""
    return 75 + 27 * len(bars.bars)


def _band(curve: Curve, ci95: Any, colour: str, *, is_log: bool) -> go.Scatter:
    """The interval around a curve as one closed outline."""
    upper = [y + half for y, half in zip(curve.y, ci95, strict=True)]
    lower = [y - half for y, half in zip(curve.y, ci95, strict=True)]
    if is_log:
        # Nothing at or below 0 can be drawn; the outline must stay closed all the same.
        floor = min((y for y in curve.y if y > 0), default=1.0) / 10
        lower = [max(y, floor) for y in lower]
    return go.Scatter(
        x=[*curve.x, *reversed(curve.x)], y=[*upper, *reversed(lower)], fill="toself", fillcolor=colour, opacity=0.18,
        line={"width": 0}, mode="lines", hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def _axis(title: str, values: list[float], is_log: bool) -> dict[str, Any]:
    axis: dict[str, Any] = {"title": {"text": escape(title)}}
    if is_log:
        axis |= {"type": "log", "exponentformat": "power"}
        positive = [value for value in values if value > 0]
        # Over several decades plotly's digits between the powers are clutter.
        if positive and max(positive) >= 100 * min(positive):
            axis["dtick"] = 1
    return axis


def _theme() -> go.layout.Template:
    """Transparent, with ink that can be read on a light and on a dark page."""
    layout = go.Layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": _INK, "size": 13, "family": "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif"},
        colorway=COLOURS,
        margin={"l": 82, "r": 20, "t": 36, "b": 55},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": _GRID, "activecolor": _INK},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis=_AXIS,
        yaxis=_AXIS,
    )
    return go.layout.Template(layout=layout)
