"""The strategy viewer in the system's Chromium, by mouse and by keys; skipped loudly where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from browsing import CONTRAST, DESK, PHONE, needs_chromium, wait_for

import nashgap as ng

pytestmark = needs_chromium

SPOT = {"pot": 200, "stack": 900, "iterations": 50}
LISTEN = """() => {
  window.heard = [];
  document.addEventListener("drawn", ({ detail }) => {
    window.heard.push(["drawn", detail.view.after, detail.place.strategy, detail.chosen]);
  });
  document.querySelector("#first-grid .range-grid").addEventListener("cell", ({ detail }) => {
    window.heard.push([detail.kind, detail.name, detail.number]);
  });
}"""


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of runs with two solved rivers, of one spot, in it."""
    folder = tmp_path / "runs" / "mine"
    folder.mkdir(parents=True)
    for name, bets in (("river", "100%"), ("other", "50%, 150%")):
        ng.solve_spot("As Kd 7h 4c 2s", "AA,QJo,KQs", "KK,87s", bets=bets, **SPOT).save(folder / f"{name}.safetensors")
    return folder


def address(server: Any, **place: str) -> str:
    return f"{server.address}/look?{urlencode(place)}"


def query(page: Any) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def cell(page: Any, grid: str, name: str) -> Any:
    return page.locator(f"#{grid}-grid .cell[aria-label^='{name}:']")


def test_the_tree_is_walked_by_mouse_and_by_keys(serve, open_page):
    page = open_page(address(serve(), strategy="probe", game="hunl"), PHONE)
    page.wait_for_selector("#look[data-after='']")
    assert page.locator("#first .cell").count() == 169
    page.locator("#actions button[data-key=c]").click()
    page.wait_for_selector("#look[data-after=c]")
    page.keyboard.press("c")  # to the flop, which is asked for
    for card in ("Th", "9h", "4c"):
        page.locator(f".deck [data-card='{card}']").click()
    page.wait_for_selector("#look[data-after='cc/']")
    page.locator("#first .cell").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#chosen").inner_text() == "AKs: 4 hands"
    assert query(page)["after"] == "cc/" and query(page)["board"] == "Th9h4c"
    page.reload()
    page.wait_for_selector("#look[data-after='cc/']")
    page.keyboard.press("Backspace")
    page.wait_for_selector("#look[data-after=c]")
    page.keyboard.press("x")  # a check by its other letter
    wait_for(page, lambda: page.locator("#need").inner_text() == "Choose 3 more cards.")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_board_is_changed_by_clicks_and_the_place_stays(serve, open_page):
    page = open_page(address(serve(), strategy="probe", game="hunl", after="cc/cc/", board="Th9h4c2d"))
    page.wait_for_selector("#look[data-after='cc/cc/']")
    page.get_by_role("button", name="flop: 9 of hearts; take it away").click()
    assert page.locator("#need").inner_text() == "Choose 1 more card."
    page.keyboard.press("Escape")
    assert page.locator(".slots button").count() == 4, "the board is as it was"
    page.locator(".deck [data-card='9h']").click()  # the same by the deck
    page.locator(".deck [data-card='As']").click()
    page.wait_for_selector("#look[data-board='ThAs4c2d']")
    assert query(page)["after"] == "cc/cc/", "the flop has another card, the turn its own"


def test_betting_that_is_typed_asks_for_its_cards(serve, open_page):
    page = open_page(address(serve(), strategy="probe", game="hunl"))
    page.wait_for_selector("#look[data-after='']")
    page.keyboard.press("/")
    page.keyboard.type("r300c")
    page.keyboard.press("Enter")
    wait_for(page, lambda: page.locator("#need").inner_text() == "Choose 3 more cards.")
    for card in ("Th", "9h", "4c"):
        page.locator(f".deck [data-card='{card}']").click()
    page.wait_for_selector("#look[data-after='r300c/']")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_two_strategies_stand_side_by_side_and_walk_together(serve, open_page, runs, size, scheme):
    page = open_page(address(serve(), strategy="mine/river.safetensors"), size, scheme)
    page.wait_for_selector("#look[data-after='']")
    page.select_option("#beside", "mine/other.safetensors")
    page.wait_for_selector("#second .cell >> nth=168")
    page.keyboard.press("x")
    page.wait_for_selector("#look[data-after=x]")
    for name in ("first", "second", "difference"):
        assert page.locator(f"#{name} .cell").count() == 169
    sides = [page.locator(f"#{name}").bounding_box() for name in ("first", "second")]
    is_beside = sides[1]["x"] >= sides[0]["x"] + sides[0]["width"]
    assert is_beside == (size == DESK), "stacked on a phone"
    page.locator("#actions button", has_text="bet 200").click()
    page.wait_for_selector("#look[data-after='x b200']")
    assert "its nearest is bet 300" in page.locator("#translated").inner_text()
    assert query(page)["beside"] == "mine/other.safetensors"
    page.locator("#measures button", has_text="call").click()
    told = cell(page, "difference", "KQs").get_attribute("aria-label")
    assert "% more by mine/" in told, told
    page.keyboard.press("d")
    assert page.locator("#difference-name").inner_text() != "Difference: call"
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(CONTRAST) == []
    page.reload()
    page.wait_for_selector("#second .cell >> nth=168")
    page.keyboard.press("s")
    wait_for(page, lambda: query(page)["strategy"] == "mine/other.safetensors")
    page.wait_for_selector("#look[data-after='x b300']")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "dark"), (PHONE, "light")])
def test_the_grid_shows_values_equities_and_ranges_by_keys(serve, open_page, runs, size, scheme):
    page = open_page(address(serve(), strategy="mine/river.safetensors", after="x"), size, scheme)
    page.wait_for_selector("#look[data-after=x]")
    own = ng.load(str(runs / "river.safetensors")).at("x")
    cell(page, "first", "KK").click()
    heads = page.locator("#combos thead th").all_inner_texts()
    assert heads == ["hand", "actions", "comes here", "EV, chips", "equity", *own.words]
    page.keyboard.press("e")
    value = own.hand_values[[hand in ("KhKc", "KsKh", "KsKc") for hand in own.hands]]
    assert cell(page, "first", "KK").get_attribute("aria-label") == f"KK: EV {value.mean():.2f} chips"
    page.keyboard.press("q")
    assert "equity" in cell(page, "first", "KK").get_attribute("aria-label")
    page.keyboard.press("r")
    assert "100% of it comes here" in cell(page, "first", "KK").get_attribute("aria-label")
    page.keyboard.press("p")
    assert "Out of position" in page.locator("#first-name").inner_text()
    assert "of it comes here" in cell(page, "first", "AA").get_attribute("aria-label")
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_where_no_values_are_known_the_page_says_so(serve, open_page):
    page = open_page(address(serve(), strategy="probe", game="hunl"))
    page.wait_for_selector("#look[data-after='']")
    page.get_by_role("button", name="EV").click()
    assert "solved spots alone" in page.locator("#mode-note").inner_text()
    page.keyboard.press("?")
    assert page.locator("#keys dl").is_visible()


def test_other_modules_hear_what_is_drawn_and_pointers_on_cells(serve, open_page, runs):
    page = open_page(address(serve(), strategy="mine/river.safetensors"))
    page.wait_for_selector("#look[data-after='']")
    page.evaluate(LISTEN)
    page.locator("#actions button[data-key=x]").click()
    page.wait_for_selector("#look[data-after=x]")
    start, end = (page.locator("#first .cell").nth(number) for number in (0, 1))
    start.hover()
    page.mouse.down()
    end.hover()
    page.mouse.up()
    heard = page.evaluate("window.heard")
    assert heard[0] == ["drawn", "x", "mine/river.safetensors", "AA"]
    assert [each for each in heard if each[0] != "drawn"][-4:] == [
        ["enter", "AA", 0], ["down", "AA", 0], ["enter", "AKs", 1], ["up", "AKs", 1],
    ]  # fmt: skip
