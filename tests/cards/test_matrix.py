"""The hand matrix: 169 cells whose widths are the shares, a legend that adds to 100%, nothing that breaks the page."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from nashgap.cards.matrix import (
    HandMatrix,
    MatrixCell,
    MatrixOptions,
    draw_matrix,
    matrix_text,
    range_matrix,
    strategy_matrix,
)
from nashgap.cards.ranges import CLASS_OF_HAND, HAND_CLASSES, parse_range
from nashgap.errors import ConfigError

SVG = "{http://www.w3.org/2000/svg}"
ACTIONS = ("raise", "call", "fold")
NASTY = '</title><script>alert(1)</script>&"\x00'


def button(**changes):
    """Raise 99+ and AK, mix aces, fold the rest; 'changes' replaces cells by class name."""
    cells = {name: MatrixCell({"fold": 1.0}) for name in HAND_CLASSES}
    for name in ("AA", "KK", "QQ", "JJ", "TT", "99", "AKs", "AKo"):
        cells[name] = MatrixCell({"raise": 1.0})
    cells["AQs"] = MatrixCell({"raise": 0.7, "call": 0.2, "fold": 0.1})
    cells["98s"] = MatrixCell({"raise": 0.35, "call": 0.65})
    cells["A2o"] = MatrixCell({"call": 0.25})
    return HandMatrix("Button", tuple((cells | changes).values()), ACTIONS)


def drawn(matrix, options=None):
    return ElementTree.fromstring(draw_matrix(matrix, options))


def cells_of(svg):
    """Name of the class -> its group."""
    groups = [group for group in svg.iter(f"{SVG}g") if group.get("class") == "cell"]
    return {group.find(f"{SVG}text").text: group for group in groups}


def widths(cell):
    """Colour -> width of each part of a cell; `rest` is what lies below."""
    return {rect.get("fill", "rest"): float(rect.get("width")) for rect in cell.iter(f"{SVG}rect")}


def legend_of(svg):
    texts = [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "legend"]
    return {text.rsplit(" ", 1)[0]: float(text.rsplit(" ", 1)[1].rstrip("%")) for text in texts}


def test_the_picture_has_every_class_in_its_place():
    cells = cells_of(drawn(button()))
    assert tuple(cells) == HAND_CLASSES
    x, y = ({name: float(cell.find(f"{SVG}rect").get(axis)) for name, cell in cells.items()} for axis in "xy")
    assert y["AKs"] == y["AA"] < y["AKo"] == y["KK"]
    assert x["AKo"] == x["AA"] < x["AKs"] == x["KK"]


def test_parts_are_as_wide_as_their_shares():
    cells = cells_of(drawn(button()))
    raising, calling, folding = "#ee8a4b", "#8ed6b0", "#6f9fe0"
    parts = widths(cells["AQs"])
    whole = parts["rest"]
    assert parts == {"rest": 54, raising: pytest.approx(0.7 * whole), calling: pytest.approx(0.2 * whole), folding: 5.4}
    assert widths(cells["AA"]) == {"rest": whole, raising: whole}
    assert widths(cells["A2o"]) == {"rest": whole, calling: pytest.approx(0.25 * whole)}


def test_parts_lie_side_by_side():
    rects = list(cells_of(drawn(button()))["AQs"].iter(f"{SVG}rect"))[1:]
    for left, right in pairwise(rects):
        assert float(left.get("x")) + float(left.get("width")) == pytest.approx(float(right.get("x")), abs=1e-6)


def test_everything_a_colour_says_is_written_too():
    cells = cells_of(drawn(button()))

    def words(name):
        return [text.text for text in cells[name].iter(f"{SVG}text")][1], cells[name].find(f"{SVG}title").text

    assert words("AA") == ("R", "AA: raise 100%")
    assert words("AQs") == ("R70 C20", "AQs: raise 70%, call 20%, fold 10%")
    assert words("98s") == ("R35 C65", "98s: raise 35%, call 65%")
    assert words("A2o") == ("C25", "A2o: call 25%, other 75%")


def test_a_label_leaves_out_what_is_hardly_done():
    cell = MatrixCell({"raise": 0.997, "call": 0.003})
    assert [text.text for text in cells_of(drawn(button(AA=cell)))["AA"].iter(f"{SVG}text")] == ["AA", "R"]


def luminance(colour):
    """WCAG's relative luminance of #rrggbb."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])


def test_writing_is_legible_on_every_tone():
    """WCAG asks for a contrast of 4.5 between writing and ground; the rest of a cell is darker in a dark page."""
    picture = draw_matrix(strategy_matrix("sizes", [f"{number}" for number in range(8)], np.full((169, 8), 1 / 8)))
    ink = re.search(r"\.ink { fill: (#\w+)", picture)[1]
    grounds = {*re.findall(r"rect fill=\"(#\w+)", picture), *re.findall(r"\.rest { fill: (#\w+)", picture)}
    assert len(grounds) == 10
    for ground in grounds:
        assert (luminance(ground) + 0.05) / (luminance(ink) + 0.05) > 4.5, ground


def test_the_legend_counts_hands_and_adds_to_one_hundred():
    """56.2 of 1326 hands raise: 36 pairs, 16 ace-kings, 70% of the four AQs and 35% of the four 98s."""
    legend = legend_of(drawn(button()))
    assert legend["R raise"] == pytest.approx(100 * 56.2 / 1326, abs=0.1)
    assert legend["C call"] == pytest.approx(100 * 6.4 / 1326, abs=0.1)
    assert legend["other"] == pytest.approx(100 * 9 / 1326, abs=0.1)
    assert sum(legend.values()) == pytest.approx(100.0, abs=1e-9)


def test_the_legend_adds_to_one_hundred_whatever_the_shares():
    random = np.random.default_rng(3)
    for num_actions in (2, 3, 7, 8):
        shares = random.dirichlet(np.ones(num_actions), size=169)
        matrix = strategy_matrix("any", [f"size {number}" for number in range(num_actions)], shares)
        assert sum(legend_of(drawn(matrix)).values()) == pytest.approx(100.0, abs=1e-9)
        assert sum(matrix.overall().values()) == pytest.approx(1.0)


def test_the_picture_says_what_it_is_to_those_who_cannot_see_it():
    svg = drawn(button())
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == svg.find(f"{SVG}title").text == "Button"
    assert "All hands: raise 4.2%, call 0.5%, fold 94.6%, other 0.7%." in svg.find(f"{SVG}desc").text


def test_names_from_outside_stay_text():
    matrix = HandMatrix(NASTY, (MatrixCell({NASTY: 1.0}, NASTY),) * 169)
    svg = drawn(matrix)
    assert svg.find(f"{SVG}title").text == NASTY.replace("\x00", "\ufffd")
    assert not list(svg.iter(f"{SVG}script"))


def test_the_picture_needs_nothing_from_outside():
    picture = draw_matrix(button())
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert "@import" not in picture
    assert "url(" not in picture


def test_a_range_is_one_colour_whose_depth_is_the_weight():
    cells = cells_of(drawn(range_matrix("Defend", parse_range("99+, AKs:0.5"))))

    def depth(name):
        return [rect.get("fill-opacity") for rect in cells[name].iter(f"{SVG}rect")][1:]

    assert (depth("AA"), depth("AKs"), depth("72o")) == (["1.000"], ["0.500"], [])
    assert widths(cells["AKs"]) == {"rest": 54, "#56b4e9": 54}
    assert [text.text for text in cells["AKs"].iter(f"{SVG}text")] == ["AKs", "50%"]
    legend = legend_of(drawn(range_matrix("Defend", parse_range("99+, AKs:0.5"))))
    assert legend == {"in range": 2.9, "not in range": 97.1}


def test_a_cell_shows_its_own_text_instead():
    cell = cells_of(drawn(button(AA=MatrixCell({"raise": 1.0}, "+2.31"))))["AA"]
    assert [text.text for text in cell.iter(f"{SVG}text")] == ["AA", "+2.31"]


def test_actions_have_distinct_colours_and_codes():
    names = ["raise 2", "raise 3", "all-in", "bet", "call", "fold", "raise", "x"]
    svg = drawn(strategy_matrix("sizes", names, np.full((169, 8), 1 / 8)))
    assert len(widths(cells_of(svg)["AA"])) == 9
    codes = ["Ra raise 2", "Rb raise 3", "A all-in", "B bet", "C call", "F fold", "Rc raise", "X x"]
    assert list(legend_of(svg)) == codes


def test_colours_can_be_chosen():
    parts = widths(cells_of(drawn(button(), MatrixOptions(colours={"raise": "#123456"}, cell_width=102)))["AQs"])
    assert parts["#123456"] == pytest.approx(70.0)
    for bad in ("green", '#12345"'):
        with pytest.raises(ConfigError, match=r"colour .* of 'raise'; allowed: #rrggbb"):
            MatrixOptions(colours={"raise": bad})
    with pytest.raises(ConfigError, match="matrix cells of 10x42 pixels; allowed: 30x30 or larger"):
        MatrixOptions(cell_width=10)


def test_a_strategy_by_hand_is_averaged_over_the_live_hands_of_a_class():
    probabilities = np.tile([0.0, 1.0], (1326, 1))
    aces = np.flatnonzero(HAND_CLASSES.index("AA") == CLASS_OF_HAND)
    probabilities[aces] = [[1, 0], [1, 0], [0.5, 0.5], [0, 0], [0, 0], [0, 0]]
    probabilities[HAND_CLASSES.index("22") == CLASS_OF_HAND] = 0.0
    cells = strategy_matrix("by hand", ["raise", "fold"], probabilities).cells
    assert cells[0].shares == pytest.approx({"raise": 5 / 6, "fold": 1 / 6})
    assert cells[-1].shares == {"raise": 0.0, "fold": 0.0}
    assert cells[1].shares == {"raise": 0.0, "fold": 1.0}


def weighted(weights):
    """Every hand raises or folds half of the time; classes are held as `weights` says, others fully."""
    held = np.ones(1326)
    for name, weight in weights.items():
        held[HAND_CLASSES.index(name) == CLASS_OF_HAND] = weight
    return strategy_matrix("held", ["fold", "raise"], np.full((1326, 2), 0.5), weights=held)


def test_cells_are_filled_by_how_much_of_the_class_is_held():
    """Nearly all hands are held fully: that is what a typical one is."""
    matrix = weighted({"AA": 0.5, "KK": 0.0})
    cells = cells_of(drawn(matrix))
    heights = {
        name: [float(rect.get("height")) for rect in cells[name].iter(f"{SVG}rect")] for name in ("QQ", "AA", "KK")
    }
    assert heights["QQ"] == [40, 40, 40]
    assert heights["AA"] == [40, pytest.approx(20, abs=0.2), pytest.approx(20, abs=0.2)]
    assert heights["KK"] == [40, 0, 0]
    aces = list(cells["AA"].iter(f"{SVG}rect"))
    assert float(aces[1].get("y")) == pytest.approx(float(aces[0].get("y")) + 20, abs=0.2)
    assert "in its range" in draw_matrix(matrix) and "in its range" not in draw_matrix(button())
    assert cells["KK"].find(f"{SVG}title").text == "KK: fold 50%, raise 50%; not in its range"
    lines = matrix_text(matrix).splitlines()
    assert lines[4].split()[2] == "." and lines[-1] == ". not in its range"


def test_weighted_hands_count_so_much_in_their_class_and_in_all():
    probabilities, weights = np.zeros((1326, 2)), np.ones(1326)
    aces = np.flatnonzero(HAND_CLASSES.index("AA") == CLASS_OF_HAND)
    probabilities[:, 1] = 1.0
    probabilities[aces[0]] = [1.0, 0.0]
    weights[aces] = [0.4, 0.1, 0.1, 0.1, 0.1, 0.0]
    matrix = strategy_matrix("held", ["raise", "fold"], probabilities, weights=weights)
    assert matrix.cells[0].shares == pytest.approx({"raise": 0.5, "fold": 0.5})
    assert matrix.overall() == pytest.approx({"raise": 0.4 / 1320.8, "fold": 1320.4 / 1320.8})


def test_the_terminal_shows_the_largest_action():
    lines = matrix_text(button()).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Button"
    assert lines[2].split() == list("AKQJT98765432")
    assert lines[3].split() == ["A", "R", "R", "R70", *["F"] * 10]
    assert lines[15].split() == ["2", "C25", *["F"] * 12]
    assert lines[-4:] == ["R raise 4.2%", "C call 0.5%", "F fold 94.6%", ". other 0.7%"]


def test_the_terminal_shows_the_weights_of_a_range():
    lines = matrix_text(range_matrix("Defend", parse_range("AA, AKs:0.5, AQs:0.001"))).splitlines()
    assert lines[3].split() == ["A", "100", "50", "<1", *["."] * 10]
    assert lines[-2:] == ["in range 0.6%", ". not in range 99.4%"]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: HandMatrix("m", (MatrixCell({}),) * 168), "matrix 'm' has 168 cells; allowed: 169"),
        (lambda: button(AKs=MatrixCell({"raise": 0.9, "call": 0.2})), "shares of AKs: raise 0.9, call 0.2; allowed"),
        (lambda: button(AKs=MatrixCell({"raise": -0.1})), "shares of AKs: raise -0.1; allowed: 0 to 1"),
        (lambda: button(AKs=MatrixCell({"raise": float("nan")})), "shares of AKs: raise nan; allowed: 0 to 1"),
        (lambda: button(AKs=MatrixCell({"limp": 1.0})), "unknown action 'limp'; allowed: raise, call, fold"),
        (lambda: HandMatrix("m", (MatrixCell({"other": 1}),) * 169), "actions 'other', 'other'; allowed: distinct"),
        (lambda: strategy_matrix("m", "abcdefghi", np.zeros((169, 9))), "has 9 actions; allowed: at most 8"),
        (lambda: strategy_matrix("m", ACTIONS, np.zeros((169, 2))), "shape (169, 2); allowed: (169, 3) or (1326, 3)"),
        (lambda: button(AKs=MatrixCell({"raise": 1.0}, weight=1.5)), "weight 1.5 of AKs; allowed: 0 to 1"),
        (
            lambda: strategy_matrix("m", ACTIONS, np.zeros((1326, 3)), weights=np.ones(169)),
            "weights of shape (169,); allowed: (1326,), one for each hand",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(build, message):
    with pytest.raises(ConfigError) as caught:
        build()
    assert message in str(caught.value)
