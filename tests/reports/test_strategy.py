"""A strategy as a report: in colour, without colours, on a page, and its first decisions."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from rich.console import Console
from seeded_strategy import Seeded

from nashgap.cards.hand_rows import HandRow, HandRows
from nashgap.cards.matrix import HandMatrix, MatrixCell
from nashgap.cards.ranges import HAND_CLASSES
from nashgap.core.result import Provenance
from nashgap.games.compiled import load_tree
from nashgap.poker.rules import load_rules
from nashgap.reports import terminal
from nashgap.reports.hand_drawings import print_matrix, print_rows
from nashgap.reports.report import Report, Table, write_report
from nashgap.reports.strategy import first_decisions, strategy_report
from nashgap.reports.terminal import report_document
from nashgap.strategies.chumps import always_call, triple
from nashgap.strategies.table import uniform
from nashgap.strategies.view import view_strategy

RIVER = "2c6dThJsQd"


def console(width: int = 80, **options: Any) -> Console:
    """A terminal with all colours, unless told otherwise."""
    given = {"force_terminal": True, "color_system": "truecolor", "highlight": False, "markup": False} | options
    return Console(file=io.StringIO(), width=width, record=True, **given)


def printed(screen: Console) -> str:
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def plain(text: str) -> list[str]:
    return [line.rstrip() for line in re.sub("\x1b\\[[0-9;]*m", "", text).splitlines()]


def matrix(**cells: MatrixCell) -> HandMatrix:
    filled = {name: MatrixCell({"fold": 1.0}) for name in HAND_CLASSES} | cells
    return HandMatrix("Grid", tuple(filled.values()), ("fold", "call", "raise"))


def test_the_grid_is_divided_among_the_actions_letter_by_letter() -> None:
    screen = console()
    print_matrix(screen, matrix(AKs=MatrixCell({"fold": 0.4, "call": 0.2, "raise": 0.4})))
    line = next(line for line in printed(screen).splitlines() if "AA" in line)
    grounds = re.findall(r"48;2;(\d+;\d+;\d+)m([^\x1b]*)\x1b", line)[1:4]
    assert [text for _, text in grounds] == [" A", "K", "s "]
    assert len({colour for colour, _ in grounds}) == 3
    lines = plain(printed(screen))
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == list(HAND_CLASSES[:13])
    assert "fold 99.8%" in lines[-1] and "raise 0.1%" in lines[-1]


def test_classes_that_are_held_less_are_greyer_and_others_have_no_colour() -> None:
    screen = console()
    folded = {"fold": 1.0}
    print_matrix(screen, matrix(AA=MatrixCell(folded, weight=0.3), AKs=MatrixCell(folded, weight=0.0)))
    line = next(line for line in printed(screen).splitlines() if "AA" in line)
    grey, full = re.findall(r"48;2;(\d+;\d+;\d+)m([^\x1b]*)\x1b", line)[:2]
    assert (grey[1].strip(), full[1].strip()) == ("AA", "AQs")  # AKs is not painted
    assert grey[0] != full[0]
    assert "greyer: less of it is in its range" in plain(printed(screen))[-1]


@pytest.mark.parametrize("options", [{"no_color": True}, {"force_terminal": False, "color_system": None}])
def test_without_colours_letters_say_the_same(options: dict[str, Any]) -> None:
    screen = console(**options)
    print_matrix(screen, matrix(AKs=MatrixCell({"fold": 0.4, "raise": 0.6})))
    print_rows(screen, HandRows("r", (HandRow("Js", {"bet": 0.25, "check": 0.75}),), ("check", "bet")))
    text = printed(screen)
    assert "48;2" not in text and "▇" not in text
    lines = plain(text)
    assert any(line.split()[:4] == ["A", "F", "R60", "F"] for line in lines)
    assert any(line.split() == ["Js", "75.0%", "25.0%"] for line in lines)


@pytest.mark.parametrize("width", [80, 70, 45])
def test_the_grid_fits_narrow_screens(width: int) -> None:
    screen = console(width)
    print_matrix(screen, matrix())
    lines = plain(printed(screen))
    assert max(map(len, lines)) <= width
    letters = "".join(lines)
    assert all(name in letters for name in HAND_CLASSES)


def test_rows_have_a_bar_where_there_is_room() -> None:
    rows = HandRows("r", (HandRow("Js", {"check": 0.75, "bet": 0.25}),), ("check", "bet"), note="n")
    wide, narrow = console(), console(32)
    print_rows(wide, rows)
    print_rows(narrow, rows)
    bars = [line for line in plain(printed(wide)) if "▇" in line]
    assert bars[0].split()[:3] == ["Js", "75.0%", "25.0%"] and bars[0].count("▇") == 24
    assert "▇" not in printed(narrow) and "75.0%" in printed(narrow)


def test_rows_that_are_too_wide_name_their_largest_shares() -> None:
    actions = tuple(f"a rather long name {number}" for number in range(5))
    screen = console()
    print_rows(screen, HandRows("r", (HandRow("Js", {actions[1]: 0.9, actions[3]: 0.1}, 1.0),), actions))
    text = " ".join(plain(printed(screen)))
    assert "most often" in text and "a rather long name 1 90.0%" in " ".join(text.split())


def test_a_report_of_one_state(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules("hunl")
    view = view_strategy(triple(0.1, 0.5, 0.4), rules, "r300c/cc/cc/", RIVER)
    report = strategy_report(replace(view, chosen="KsAs", provenance=Provenance("nashgap show bot")))
    kinds = [type(section).__name__ for section in report.sections]
    assert kinds == ["HandRows", "HandMatrix", "Table", "HandRows"]
    assert report.title == "triple(0.1,0.5,0.4) in hunl"
    assert report.summary == (
        "Player 1 on the river after r300c/cc/cc/, board 2c6dThJsQd: pot 600, nothing to call."
        " Preflop: player 2 raises to 300, player 1 calls. Flop: player 1 checks, player 2 checks."
        " Turn: player 1 checks, player 2 checks."
    )
    actions = report.sections[2]
    assert isinstance(actions, Table)
    assert actions.rows == (
        ("check", "60.0%", "r300c/cc/cc/c", "player 2 acts"),
        ("bet 600", "40.0%", "r300c/cc/cc/r900", "player 2 acts"),
    )
    assert actions.note == "All hands that can be held count alike. Any raise may be typed, r400 to r20000."
    write_report(report, tmp_path / "page.html")
    page = unescape((tmp_path / "page.html").read_text())
    assert "With AsKs, straight" in page and "<svg" in page and 'class="bar"' in page
    screen = console()
    monkeypatch.setattr(terminal, "screen", lambda: screen)
    terminal.print_report(report, None)
    lines = plain(printed(screen))
    assert max(map(len, lines)) <= 80
    assert "With AsKs, straight" in lines and "repeat: nashgap show bot" in lines
    found = report_document(report)["sections"]
    assert [section["kind"] for section in found] == ["hand-rows", "hand-matrix", "table", "hand-rows"]
    assert found[0]["rows"][0] == {
        "name": "AsKs",
        "weight": None,
        "shares": pytest.approx({"check": 0.6, "bet 600": 0.4}),
    }


def test_a_report_of_a_small_game_is_a_table() -> None:
    report = strategy_report(replace(uniform(load_tree("leduc")).at("crc/Kh:r"), chosen="Ks"))
    first, rows, actions = report.sections
    assert isinstance(first, HandRows) and isinstance(rows, HandRows) and isinstance(actions, Table)
    assert [row.name for row in first.rows] == ["Ks", "all hands"]
    assert [row.name for row in rows.rows] == ["Js", "Jh", "Qs", "Qh", "Ks"]
    assert [row[2] for row in actions.rows] == ["-", "-", "crc/Kh:rr"]
    call = strategy_report(uniform(load_tree("leduc")).at("cr")).sections[1]
    assert isinstance(call, Table)
    assert call.rows[1][2] == "crc/Js: crc/Jh: crc/Qs: crc/Qh: crc/Ks: crc/Kh:"


def test_a_range_of_its_own_has_both_columns() -> None:
    view = replace(view_strategy(Seeded(), load_rules("hunl"), "r300r900"), chosen="AsKs")
    table = strategy_report(view).sections[2]
    assert isinstance(table, Table)
    assert table.columns == ("action", "of its range", "of all hands", "--after", "then")
    assert sum(float(str(row[1]).rstrip("%")) for row in table.rows) == pytest.approx(100.0)
    assert "which is" in table.note
    first = strategy_report(view).sections[0]
    assert isinstance(first, HandRows)
    assert re.fullmatch(r"It plays AsKs this far [\d.]+% of the time\.", first.note)


@pytest.mark.parametrize(
    ("game", "kind", "titles"),
    [
        (
            "hunl",
            HandMatrix,
            ["2 preflop, first to act", "1 preflop after r300", "2 preflop after r300r900", "1 preflop after c"],
        ),
        (
            "lhe3",
            HandMatrix,
            ["3 preflop, first to act", "1 preflop after r", "2 preflop after rr", "1 preflop after c"],
        ),
        ("kuhn3", HandRows, ["1, first to act", "2 after r", "2 after c"]),
    ],
)
def test_the_first_decisions_of_a_poker_game(game: str, kind: type, titles: list[str]) -> None:
    sections = first_decisions(triple(0.2, 0.3, 0.5), load_rules(game))
    assert [section.title for section in sections] == [f"Player {title}" for title in titles]
    assert {type(section) for section in sections} == {kind}


def test_the_first_decisions_of_small_games_and_of_who_never_raises() -> None:
    kuhn = first_decisions(uniform(load_tree("kuhn")))
    assert [section.title for section in kuhn] == ["Player 1, first to act", "Player 2 after b", "Player 2 after k"]
    dice = first_decisions(uniform(load_tree("liars_dice(dice_sides=2)")))
    assert len(dice) == 3
    callers = first_decisions(always_call(), load_rules("hunl"))
    assert [section.title for section in callers] == ["Player 2 preflop, first to act", "Player 1 preflop after c"]
    limit = first_decisions(always_call(), load_rules("lhe3"))
    assert len(limit) == 4
    assert len({section.title for section in limit}) == 4
    assert Report("t", "s", tuple(limit), "c").sections
