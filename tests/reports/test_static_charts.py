"""Charts without a script: every point is where it belongs, and nothing that cannot be drawn breaks them."""

from __future__ import annotations

import itertools
import math
import re
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from nashgap.core.estimate import Estimate
from nashgap.reports.report import Bars, Curve, Drawing, Plot
from nashgap.reports.static_charts import COLOURS, GAIN, LOSS, draw_bars, draw_chart, draw_drawing, draw_plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text):
    """All elements of a picture, and its texts."""
    picture = ElementTree.fromstring(text)
    return list(picture.iter()), [element.text for element in picture.iter(f"{SVG}text")]


def points_of(text, kind="polyline"):
    """By line, its points."""
    return [
        [tuple(map(float, point.split(","))) for point in element.get("points").split()]
        for element in ElementTree.fromstring(text).iter(f"{SVG}{kind}")
    ]


def estimate(mean, ci95=1.0):
    return Estimate(mean, ci95, 10, "mbb_per_hand", "lbr", 0)


def test_points_lie_evenly_where_values_do() -> None:
    plot = Plot("P", "x", "y", (Curve("a", [0, 1, 2], [0.0, 5.0, 10.0]),))
    (line,) = points_of(draw_plot(plot))
    assert line[1][0] - line[0][0] == pytest.approx(line[2][0] - line[1][0], abs=0.11)
    assert line[0][1] - line[1][1] == pytest.approx(line[1][1] - line[2][1], abs=0.11)
    assert line[0][1] > line[2][1]  # larger is higher


def test_a_logarithmic_axis_has_powers_of_ten_as_far_apart_as_each_other() -> None:
    plot = Plot("P", "x", "y", (Curve("a", [1, 10, 100, 1000], [1.0, 1e-2, 1e-4, 1e-6]),), log_x=True, log_y=True)
    text = draw_plot(plot)
    (line,) = points_of(text)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(line)]
    assert all(step == pytest.approx(steps[0], abs=0.11) for step in steps)
    _, texts = drawn(text)
    assert {"1", "10", "100", "1,000", "0.01", "10⁻⁴"} <= set(texts)


def test_a_curve_fills_its_axes_from_left_to_right() -> None:
    """One that ends just after a tick does not leave room to the next one."""
    text = draw_plot(Plot("P", "minutes", "y", (Curve("a", [0.02, 0.5, 1.003], [1.0, 2.0, 3.0]),)))
    (line,) = points_of(text)
    assert line[-1][0] == pytest.approx(720 - 12)
    assert "1.0" in drawn(text)[1] and "1.2" not in drawn(text)[1]


def test_what_cannot_be_drawn_is_left_out() -> None:
    curve = Curve("a", [0, 1, 2, 3], [1.0, math.nan, -1.0, 100.0], [math.inf, 1.0, 1.0, 1.0])
    (line,) = points_of(draw_plot(Plot("P", "x", "y", (curve,), log_y=True)))
    assert len(line) == 2
    assert "nan" not in draw_plot(Plot("P", "x", "y", (curve,))) and "inf" not in draw_plot(
        Plot("P", "x", "y", (curve,))
    )
    nothing = draw_plot(Plot("P", "x", "y", (Curve("a", [], []),), log_x=True, log_y=True))
    assert points_of(nothing) == [[]]


def test_a_single_value_stands_inside_its_axes() -> None:
    for value in (0.0, 3.0, -3.0, 1e-9):
        ((place,),) = points_of(draw_plot(Plot("P", "x", "y", (Curve("a", [value], [value]),))))
        assert 0 < place[0] < 720 and 0 < place[1] < 340
    ((place,),) = points_of(draw_plot(Plot("P", "x", "y", (Curve("a", [5.0], [0.15]),), log_x=True, log_y=True)))
    assert 0 < place[0] < 720 and 0 < place[1] < 340


def test_a_band_is_as_wide_as_the_interval() -> None:
    text = draw_plot(Plot("P", "x", "y", (Curve("a", [0, 10], [5.0, 5.0], [5.0, 2.5]),)))
    ((upper_left, upper_right, lower_right, lower_left),) = points_of(text, "polygon")
    assert lower_left[1] - upper_left[1] == pytest.approx(2 * (lower_right[1] - upper_right[1]), abs=0.2)
    below = draw_plot(Plot("P", "x", "y", (Curve("a", [1, 10], [5.0, 5.0], [5.0, 2.5]),), log_y=True))
    assert "nan" not in below


def test_reference_lines_and_legends_are_named() -> None:
    curves = tuple(Curve(f"curve {number}", [0, 1], [0.0, 1.0]) for number in range(8))
    text = draw_plot(Plot("P", "x", "y", curves, lines=(("goal", 0.5),)))
    elements, texts = drawn(text)
    assert [name for name in texts if name.startswith("curve")] == [curve.name for curve in curves]
    assert "goal" in texts
    lines = [element for element in elements if element.tag == f"{SVG}polyline"]
    # Colours repeat, and are told apart by dashes then.
    assert lines[0].get("stroke") == lines[len(COLOURS)].get("stroke")
    assert lines[0].get("stroke-dasharray") != lines[len(COLOURS)].get("stroke-dasharray")
    _, alone = drawn(draw_plot(Plot("P", "x", "y", curves[:1])))
    assert "curve 0" not in alone


def test_bars_are_as_long_as_their_values() -> None:
    text = draw_bars(Bars("B", "LBR wins", (("one", estimate(10.0)), ("two", estimate(-5.0)), ("none", estimate(0.0)))))
    one, two, none = (element for element in drawn(text)[0] if element.tag == f"{SVG}rect")
    assert float(one.get("width")) == pytest.approx(2 * float(two.get("width")), abs=0.2)
    assert (one.get("fill"), two.get("fill")) == (GAIN, LOSS)
    assert float(none.get("width")) == 0.0
    assert one.find(f"{SVG}title").text == "one: 10.0 ± 1.0"
    assert "LBR wins, mbb_per_hand" in drawn(text)[1]


def test_long_names_are_cut_and_everything_is_escaped() -> None:
    nasty = '<script>alert("x")</script>&' + "long " * 20
    chart = Bars(nasty, nasty, ((nasty, estimate(1.0)),))
    for text in (draw_chart(chart), draw_chart(Plot(nasty, nasty, nasty, (Curve(nasty, [1], [1]),) * 2))):
        assert "<script" not in text
        ElementTree.fromstring(text)
    names = [text for text in drawn(draw_bars(chart))[1] if text.startswith("<script")]
    assert min(map(len, names)) == 48


def test_every_label_of_an_axis_has_room() -> None:
    curve = Curve("a", [0, 123_456_789], [0.001, 0.002])
    text = draw_plot(Plot("P", "x", "y", (curve,)))
    labels = [
        (float(element.get("x")), len(element.text))
        for element in drawn(text)[0]
        if element.tag == f"{SVG}text" and element.get("text-anchor") == "middle" and "," in element.text
    ]
    for (left, _), (right, letters) in itertools.pairwise(labels):
        assert right - left > 6 * letters


def test_a_drawing_of_boxes_is_drawn_and_others_are_named() -> None:
    box = {"type": "rect", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "fillcolor": "#eef1f5"}
    edge = {"type": "line", "x0": 1, "x1": 2, "y0": 0.5, "y1": 0.5}
    words = {"text": "<b>card &lt; 3</b><br>4 rows", "x": 0.5, "y": 0.5, "showarrow": False}
    layout = {"shapes": [box, edge], "annotations": [words], "xaxis": {"range": [0, 2]}, "yaxis": {"range": [0, 1]}}
    text = draw_drawing(Drawing("Tree", go.Figure(layout=layout)))
    (picture,) = re.findall("<svg.*</svg>", text, re.DOTALL)
    elements, texts = drawn(picture)
    assert texts == ["card < 3", "4 rows"]
    assert [element.tag.removeprefix(SVG) for element in elements[1:3]] == ["rect", "line"]
    assert "save_report" in draw_drawing(Drawing("Other", go.Figure(go.Scatter(x=[1], y=[1]))))
