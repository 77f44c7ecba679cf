"""The charts of a report as plain SVG: no script, a few kilobytes, for the cells of a notebook.

They take the ink of the page around them (`currentColor`), so that they can be read on light and dark ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from nashgap.core.estimate import format_interval
from nashgap.reports.report import Bars, Curve, Drawing, Plot

if TYPE_CHECKING:
    pass

__all__ = ["COLOURS", "GAIN", "LOSS", "draw_bars", "draw_chart", "draw_drawing", "draw_plot"]

# Colour-blind safe (Okabe and Ito 2008, without black and yellow), and readable on white and on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
GAIN, LOSS = COLOURS[0], COLOURS[1]
DASHES = ("", "7 4", "2 3")  # of the first curves, and of those after them that share their colours

WIDTH, HEIGHT = 720, 340
LETTER = 6.6  # pixels that a letter of the labels takes, about
LABEL_SIZE, SMALL_SIZE = 12, 11
MOST_MARKED = 60  # points of a curve that are marked
MARGIN = 12
LEGEND_LINE = 20
BAR_HEIGHT, BAR_GAP = 17, 10
COLUMN_WIDTH = 205  # of a drawn tree
MOST_NAME_LETTERS, MOST_NARROW_LETTERS = 48, 22
_Frame = tuple[float, float, float, int]
"""Left, top and bottom of the axes, and the width of the chart."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def draw_chart(section: Plot | Bars | Drawing, width: int = WIDTH) -> str:
    """One `<svg>` element of so many pixels, or a sentence where the chart cannot be drawn without a script."""
    match section:
        case Plot():
            return draw_plot(section, width)
        case Bars():
            return draw_bars(section, width)
        case Drawing():
            return draw_drawing(section)


def draw_plot(plot: Plot, width: int = WIDTH) -> str:
    """The curves with their bands, the reference lines, and a legend where there are several curves."""
    points = [_points(curve, plot) for curve in plot.curves]
    x_values = [x for curve in points for x, _, _ in curve]
    y_values = [y for curve in points for _, y, half in curve for y in (y - half, y + half)]
    lines = [(name, y) for name, y in plot.lines if y > 0 or not plot.log_y]
    y_values += [y for _, y in lines]
    x_ticks, y_ticks = _Scale.over(x_values, plot.log_x, is_tight=True), _Scale.over(y_values, plot.log_y)
    legend = _legend(plot.curves, width) if len(plot.curves) > 1 else []
    left = 30 + LETTER * max(len(text) for _, text in y_ticks.ticks)
    top, bottom = MARGIN + LEGEND_LINE * len(legend), HEIGHT - 46

    def x_place(x: float) -> float:
        return left + x_ticks.share(x) * (width - MARGIN - left)

    def y_place(y: float) -> float:
        return bottom - y_ticks.share(y) * (bottom - top)

    frame = (left, top, bottom, width)
    parts = [
        *_placed_legend(legend, left),
        *_x_axis(x_ticks, x_place, plot.x_title, frame),
        *_y_axis(y_ticks, y_place, plot.y_title, frame),
        *(part for name, y in lines for part in _reference(name, y_place(y), left, width)),
    ]
    for number, curve in enumerate(points):
        parts += _curve(number, curve, x_place, y_place, y_ticks.least)
    return _svg(plot.title, width, HEIGHT, parts)


def draw_bars(bars: Bars, width: int = WIDTH) -> str:
    """Bars one below the other with their intervals, gains and losses in different colours."""
    most = MOST_NAME_LETTERS if width >= WIDTH else MOST_NARROW_LETTERS
    names = [name if len(name) <= most else f"{name[: most - 1]}…" for name, _ in bars.bars]
    left = MARGIN + 8 + LETTER * max(map(len, names))
    bottom = MARGIN + (BAR_HEIGHT + BAR_GAP) * len(names)
    intervals = [(estimate.mean, _finite(estimate.ci95)) for _, estimate in bars.bars]
    ends = [end for mean, half in intervals for end in (mean - half, mean + half)]
    scale = _Scale.over([0.0, *ends], is_log=False)

    def x_place(x: float) -> float:
        return left + scale.share(x) * (width - 3 * MARGIN - left)

    parts = _x_axis(scale, x_place, f"{bars.x_title}, {bars.unit}", (left, MARGIN, bottom, width))
    parts.append(_line(x_place(0), MARGIN, x_place(0), bottom, opacity=0.6))
    for number, (name, (mean, half)) in enumerate(zip(names, intervals, strict=True)):
        y = MARGIN + (BAR_HEIGHT + BAR_GAP) * number + BAR_GAP / 2
        middle, begin, end = y + BAR_HEIGHT / 2, *sorted((x_place(0), x_place(mean)))
        full_name, estimate = bars.bars[number]
        told = f"{full_name}: {format_interval(estimate.mean, estimate.ci95)}"
        parts += [
            _text(left - 8, middle + 4, name, anchor="end"),
            f'<rect x="{begin:.1f}" y="{y:.1f}" width="{end - begin:.1f}" height="{BAR_HEIGHT}" fill-opacity="0.6"'
            f' fill="{GAIN if mean >= 0 else LOSS}"><title>{escape(told)}</title></rect>',
            _line(x_place(mean - half), middle, x_place(mean + half), middle, opacity=0.7, width=1.5),
        ]
    return _svg(bars.title, width, round(bottom + 46), parts)


def draw_drawing(drawing: Drawing) -> str:
    """A figure of boxes, lines and words only, such as a tree; any other is only named."""
    layout = drawing.figure.layout
    if drawing.figure.data or not layout.shapes:
        return "<p>(a drawing that only the page has: save_report)</p>"
    (x_low, x_high), (y_low, y_high) = layout.xaxis.range, layout.yaxis.range
    width, height = round(COLUMN_WIDTH * (x_high - x_low)), int(layout.height or HEIGHT)

    def x_place(x: float) -> float:
        return float((x - x_low) / (x_high - x_low) * width)

    def y_place(y: float) -> float:
        return float((y_high - y) / (y_high - y_low) * height)

    parts = [_shape(shape, x_place, y_place) for shape in layout.shapes]
    parts += [part for words in layout.annotations for part in _words(words, x_place, y_place)]
    return f'<div class="scroll">{_svg(drawing.title, width, height, parts, is_fluid=False)}</div>'


@dataclass(frozen=True)
class _Scale:
    """An axis from `low` to `high`, both on its scale; ticks are (value, text)."""

    low: float
    high: float
    is_log: bool
    ticks: tuple[tuple[float, str], ...]

    @classmethod
    def over(cls, values: Iterable[float], is_log: bool, *, is_tight: bool = False) -> _Scale:
        """That shows all values; is_tight: it ends with the largest, as a logarithmic one does, not with a tick."""
        known = [value for value in values if math.isfinite(value) and (value > 0 or not is_log)]
        low, high = min(known, default=1.0), max(known, default=1.0)
        if is_log:
            low, high = (low, high) if low < high else (low / 2, 2 * high)
            return cls(math.log10(low), math.log10(high), True, _log_ticks(low, high))
        low, high = (low, high) if low < high else (low - abs(low) / 2, high + (abs(high) / 2 or 1.0))
        step = _step(high - low)
        first = math.floor(low / step + 1e-9)
        last = math.floor(high / step + 1e-9) if is_tight else math.ceil(high / step - 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        ticks = tuple((number * step, f"{number * step + 0.0:,.{digits}f}") for number in range(first, last + 1))
        return cls(first * step, high if is_tight else last * step, False, ticks)

    @property
    def least(self) -> float:
        """The value at its low end."""
        return 10.0**self.low if self.is_log else self.low

    def share(self, value: float) -> float:
        """How far along the axis it lies, from 0 to 1."""
        place = math.log10(value) if self.is_log else value
        return (place - self.low) / (self.high - self.low)


def _step(span: float) -> float:
    """1, 2 or 5 times a power of ten, for about five steps over the span."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return min((factor * power for factor in (1, 2, 5, 10)), key=lambda step: abs(math.log(span / step / 5)))


def _log_ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """The powers of ten between, and their doubles and halves where the powers are few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    skipped = max(1, round((last - first) / 8))
    factors = (1,) if math.log10(high / low) >= 2 else (1, 2, 5)
    ticks = [(factor, power) for power in range(first, last + 1, skipped) for factor in factors]
    shown = [each for each in ticks if low * (1 - 1e-9) <= each[0] * 10.0 ** each[1] <= high * (1 + 1e-9)]
    return tuple((factor * 10.0**power, _power_text(factor, power)) for factor, power in shown or [(1, first)])


def _power_text(factor: int, power: int) -> str:
    if -3 <= power <= 4:
        return f"{factor * 10.0**power:,.{max(0, -power)}f}"
    return f"{f'{factor}·' if factor > 1 else ''}10{str(power).translate(_SUPERSCRIPTS)}"


def _points(curve: Curve, plot: Plot) -> list[tuple[float, float, float]]:
    """(x, y, half-width) that can be drawn; a half-width that is not known is 0."""
    widths = [0.0] * len(curve.y) if curve.ci95 is None else [_finite(half) for half in curve.ci95]
    return [
        (float(x), float(y), half)
        for x, y, half in zip(curve.x, curve.y, widths, strict=True)
        if math.isfinite(x) and math.isfinite(y) and (x > 0 or not plot.log_x) and (y > 0 or not plot.log_y)
    ]


def _finite(half: float) -> float:
    return float(half) if math.isfinite(half) else 0.0


def _curve(
    number: int,
    points: Sequence[tuple[float, float, float]],
    x_place: Callable[[float], float],
    y_place: Callable[[float], float],
    lowest: float,
) -> list[str]:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
    parts = []
    if any(half > 0 for _, _, half in points):
        upper = [(x, y + half) for x, y, half in points]
        lower = [(x, max(y - half, lowest)) for x, y, half in reversed(points)]
        band = _coordinates(upper + lower, x_place, y_place)
        parts.append(f'<polygon points="{band}" fill="{colour}" opacity="0.18"/>')
    line = _coordinates([(x, y) for x, y, _ in points], x_place, y_place)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')
    if len(points) <= MOST_MARKED:
        parts += [
            f'<circle cx="{x_place(x):.1f}" cy="{y_place(y):.1f}" r="2.6" fill="{colour}">'
            f"<title>{escape(f'{x:.6g}: {y:.6g}')}</title></circle>"
            for x, y, _ in points
        ]
    return parts


def _coordinates(
    points: Iterable[tuple[float, float]], x_place: Callable[[float], float], y_place: Callable[[float], float]
) -> str:
    return " ".join(f"{x_place(x):.1f},{y_place(y):.1f}" for x, y in points)


def _x_axis(scale: _Scale, place: Callable[[float], float], title: str, frame: _Frame) -> list[str]:
    """Ticks that would touch are left out."""
    left, top, bottom, width = frame
    parts, free = [], 0.0
    for value, text in scale.ticks:
        x, half = place(value), LETTER * len(text) / 2
        parts.append(_line(x, top, x, bottom, opacity=0.14))
        if x - half >= free:
            parts.append(_text(min(x, width - half), bottom + 17, text, anchor="middle", size=SMALL_SIZE))
            free = x + half + 8
    parts.append(_line(left, bottom, width - MARGIN, bottom, opacity=0.5))
    return [*parts, _text((left + width) / 2, bottom + 37, title, anchor="middle")]


def _y_axis(scale: _Scale, place: Callable[[float], float], title: str, frame: _Frame) -> list[str]:
    left, top, bottom, width = frame
    parts = []
    for value, text in scale.ticks:
        y = place(value)
        parts.append(_line(left, y, width - MARGIN, y, opacity=0.14))
        parts.append(_text(left - 6, y + 4, text, anchor="end", size=SMALL_SIZE))
    parts.append(_line(left, top, left, bottom, opacity=0.5))
    middle = (top + bottom) / 2
    upright = f'<g transform="rotate(-90 12 {middle:.1f})">{_text(12, middle + 4, title, anchor="middle")}</g>'
    return [*parts, upright]


def _reference(name: str, y: float, left: float, width: int) -> list[str]:
    dashed = _line(left, y, width - MARGIN, y, opacity=0.6, width=1.4, dash="6 4")
    return [dashed, _text(width - MARGIN - 2, y - 5, name, anchor="end", size=SMALL_SIZE)]


def _legend(curves: Sequence[Curve], most: int) -> list[list[tuple[int, str, float]]]:
    """Lines of (number of the curve, name, place)."""
    lines: list[list[tuple[int, str, float]]] = [[]]
    x = 0.0
    for number, curve in enumerate(curves):
        width = 40 + LETTER * len(curve.name)
        if lines[-1] and x + width > most - 80:
            lines.append([])
            x = 0.0
        lines[-1].append((number, curve.name, x))
        x += width
    return lines


def _placed_legend(legend: Sequence[Sequence[tuple[int, str, float]]], left: float) -> list[str]:
    parts = []
    for row, line in enumerate(legend):
        y = MARGIN + LEGEND_LINE * row + 3
        for number, name, x in line:
            dash = DASHES[number // len(COLOURS) % len(DASHES)]
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            begin, colour = left + x, COLOURS[number % len(COLOURS)]
            parts.append(
                f'<line x1="{begin:.1f}" y1="{y}" x2="{begin + 20:.1f}" y2="{y}" stroke="{colour}"'
                f' stroke-width="2.4"{dashed}/>'
            )
            parts.append(_text(begin + 26, y + 4, name))
    return parts


def _shape(shape: Any, x_place: Callable[[float], float], y_place: Callable[[float], float]) -> str:
    x0, x1, y0, y1 = x_place(shape.x0), x_place(shape.x1), y_place(shape.y0), y_place(shape.y1)
    ink = shape.line.color or "#808894"
    if shape.type == "line":
        return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{escape(ink)}"/>'
    place = f'x="{min(x0, x1):.1f}" y="{min(y0, y1):.1f}" width="{abs(x1 - x0):.1f}" height="{abs(y1 - y0):.1f}"'
    return f'<rect {place} fill="{escape(shape.fillcolor or "none")}" stroke="{escape(ink)}"/>'


def _words(words: Any, x_place: Callable[[float], float], y_place: Callable[[float], float]) -> list[str]:
    """An annotation; its lines are divided by `<br>`, and a part between `<b>` and `</b>` is bold."""
    lines = str(words.text).split("<br>")
    size = float(words.font.size or SMALL_SIZE)
    anchor = {"right": "end", "left": "start"}.get(words.xanchor or "", "middle")
    rise = {"bottom": -4.0 - size * len(lines), "top": 2.0}.get(words.yanchor or "", -size * 1.2 * len(lines) / 2)
    ink, parts, is_bold = words.font.color or "currentColor", [], False
    for number, line in enumerate(lines):
        is_bold = is_bold or "<b>" in line
        y = y_place(words.y) + rise + size * 1.2 * number + size
        plain = line.replace("<b>", "").replace("</b>", "")  # its words are escaped already
        weight = ' font-weight="600"' if is_bold else ""
        parts.append(
            f'<text x="{x_place(words.x):.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
            f' fill="{escape(ink)}"{weight}>{plain}</text>'
        )
        is_bold = is_bold and "</b>" not in line
    return parts


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = LABEL_SIZE) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor" fill-opacity="0.8">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, *, opacity: float, width: float = 1.0, dash: str = "") -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line {ends} stroke="currentColor" stroke-opacity="{opacity:g}" stroke-width="{width:g}"{dashed}/>'


def _svg(title: str, width: int, height: int, parts: Iterable[str], *, is_fluid: bool = True) -> str:
    """is_fluid: whether it shrinks where there is little room."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    kind = f'class="drawn{" fluid" if is_fluid else ""}" font-family="system-ui, sans-serif"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}" {kind}>\n'
        + "\n".join(parts)
        + "\n</svg>"
    )
