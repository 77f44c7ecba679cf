"""The strategy viewer: its numbers are those of `ng.show`, and it opens nothing that it was not given."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browsing import PHONE, needs_chromium

import nashgap as ng

LINE, BOARD = "r300c/cc/cc/", "2c6dThJsQd"


def look(visitor, **query: str):
    return visitor.request("GET", "/api/look", params=query)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of runs with a solved river in it, and a file beside the folder."""
    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    solved = ng.solve_spot("As Kd 7h 4c 2s", "AA,QJo", "KK", pot=200, stack=900, bets="100%", iterations=50)
    solved.save(folder / "river.safetensors")
    solved.save(tmp_path / "secret.safetensors")
    return folder


@pytest.mark.parametrize(
    ("game", "after", "board"), [("hunl", "", ""), ("hunl", LINE, BOARD), ("lhe3", "rcc/c", "Th9h4c")]
)
def test_numbers_are_those_of_show(serve, game, after, board):
    told = look(serve().visitor(), strategy="probe", game=game, after=after, board=board).json()
    own = ng.show("probe", game=game, after=after, board=board)
    assert {each["action"]: each["of_all_hands"] for each in told["actions"]} == pytest.approx(own.frequencies)
    shown = {cell["name"]: sum(cell["shares"]) for cell in told["grid"] if cell["shares"]}
    assert shown == pytest.approx(dict.fromkeys(own.classes, 1.0))
    assert {hand[0]: hand[3] for hand in told["hands"]} == {hand: list(own.hand(hand).values()) for hand in own.hands}


def test_a_spot_of_the_runs_folder_has_values_and_equities(serve, runs):
    told = look(serve().visitor(), strategy="mine/river.safetensors", after="b200").json()
    own = ng.load(str(runs / "river.safetensors")).at("b200")
    assert told["value"] == own.value and told["equity"] == own.range_equity
    assert [hand[4] for hand in told["hands"]] == own.hand_values.tolist()


def test_what_was_not_given_is_refused(serve, runs):
    visitor = serve().visitor()
    for name in ("../secret.safetensors", str(runs / "river.safetensors"), "exec:true", "python:os:path", "nobody"):
        assert look(visitor, strategy=name, game="hunl").status_code == 404, name
    assert look(visitor, strategy="probe", game="/etc/passwd").status_code == 400
    assert look(visitor, strategy="probe", game="hunl", after=LINE, board="2c2c").status_code == 400
    assert look(visitor, strategy="probe", game="hunl", after="r1").status_code in (400, 409)
    assert look(visitor, strategy="probe", game="hunl", after="c" * 5000).status_code == 422


@needs_chromium
def test_the_tree_is_walked_by_mouse_and_by_keys(serve, open_page):
    page = open_page(f"{serve().address}/look?strategy=probe&game=hunl", PHONE)
    page.wait_for_selector("#look[data-after='']")
    assert page.locator(".cell").count() == 169
    page.locator("#actions button[data-key=c]").click()
    page.wait_for_selector("#look[data-after=c]")
    page.keyboard.press("c")  # to the flop, which is asked for
    for card in ("Th", "9h", "4c"):
        page.locator(f".deck [data-card='{card}']").click()
    page.wait_for_selector("#look[data-after='cc/']")
    page.locator(".cell").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#chosen").inner_text() == "AKs: 4 hands"
    query = parse_qs(urlsplit(page.url).query)
    assert query["after"] == ["cc/"] and query["board"] == ["Th9h4c"]
    page.reload()
    page.wait_for_selector("#look[data-after='cc/']")
    page.keyboard.press("Backspace")
    page.wait_for_selector("#look[data-after=c]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
