"""A spot in the system's Chromium: set up by clicks and paint, solved, walked through, locked, solved again."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import CONTRAST, DESK, PHONE, needs_chromium

import nashgap as ng

pytestmark = needs_chromium

BOARD = ("As", "Kd", "7h", "4c", "2s")
NAMES = """() => [...document.querySelectorAll(
    "button, input, select, textarea, a, [role=img], [role=grid], [role=gridcell]")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.ariaLabel || each.innerText || each.labels?.length))
  .map((each) => each.outerHTML)"""


def cell(page: Any, place: str, name: str) -> Any:
    return page.locator(f"{place} .cell[aria-label^='{name}']").first


def painted(page: Any, place: str, *names: str) -> None:
    """One stroke over these cells."""
    cell(page, place, names[0]).scroll_into_view_if_needed()
    boxes = [cell(page, place, name).bounding_box() for name in names]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(*middles[0])
    page.mouse.down()
    for middle in middles[1:]:
        page.mouse.move(*middle, steps=6)
    page.mouse.up()


def emptied(page: Any, name: str) -> None:
    page.locator(f"[data-range={name}]").get_by_role("button", name="No hands").click()
    page.wait_for_selector(f"[data-range={name}] .held:has-text('0 hands, 0% of all')")


def set_up_river(page: Any) -> None:
    """The river that can be worked out by hand, by clicks and paint."""
    page.wait_for_selector("#size:has-text('decisions')")
    page.get_by_role("textbox", name="Board").fill("")
    for card in BOARD:
        page.locator(f"#deck [data-card='{card}']").click()
    emptied(page, "oop")
    painted(page, "[data-range=oop]", "AA")
    painted(page, "[data-range=oop]", "QJo")
    page.wait_for_function("() => document.getElementById('range-oop').value === 'AA, QJo'")
    emptied(page, "ip")
    page.get_by_role("textbox", name="Last to act, in position").fill("KK")
    page.wait_for_selector("[data-range=ip] .held:has-text('6 hands')")
    page.get_by_label("Bets on the river").fill("100%")
    page.get_by_label("Raises on the river").fill("a")
    page.get_by_label("Solve until").fill("0.05")


def test_who_comes_back_finds_the_spot_as_it_was_set_up(serve, open_page):
    page = open_page(f"{serve().address}/spots/new")
    set_up_river(page)
    page.get_by_label("Pot", exact=True).fill("333")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.wait_for_url("**/spots/spot-askd7h4c2s-*")
    page.wait_for_selector("#status.finished")
    for again in (page.go_back, page.reload):
        again()
        page.wait_for_selector("#size:has-text('decisions')")
        assert page.locator("#board").input_value() == " ".join(BOARD)
        assert page.get_by_label("Pot", exact=True).input_value() == "333"
        assert page.locator("#range-oop").input_value() == "AA, QJo"
        assert page.get_by_label("Bets on the river").input_value() == "100%"


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_a_river_is_set_up_solved_walked_through_and_locked_by_painting(serve, open_page, size, scheme):
    server = serve()
    page = open_page(f"{server.address}/look", size, scheme)
    page.get_by_role("link", name="Set up a spot of your own").click()
    set_up_river(page)
    assert page.locator("#board").input_value() == " ".join(BOARD)
    page.get_by_role("button", name="Solve", exact=True).click()
    page.wait_for_url("**/spots/spot-askd7h4c2s-*")
    page.wait_for_selector("#status.finished")
    page.wait_for_selector("#found .chart svg:visible")
    expected = ng.solve_spot("As Kd 7h 4c 2s", "AA,QJo", "KK", pot=200, stack=900, bets="100%", raises="a", until=0.05)
    assert page.locator("p.summary").inner_text() == expected.summary
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate(CONTRAST) == []

    page.get_by_role("link", name="Walk through it").click()
    page.wait_for_selector("#paint .add")
    page.locator("#actions button", has_text="bet 200").click()
    page.wait_for_selector("#look[data-after='b200']")
    page.wait_for_selector("#paint .add:has-text('as it is')")
    page.get_by_role("button", name="Paint", exact=True).click()
    page.get_by_label("Action", exact=True).select_option(label="call")
    painted(page, "#first-grid", "KK")
    assert cell(page, "#first-grid", "KK").get_attribute("aria-label") == "KK, painted: call 100%"
    assert page.evaluate(CONTRAST) == [] and page.evaluate(NAMES) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.get_by_role("button", name="Lock this decision as painted").click()
    assert "after b200: as it is, but for KK" in page.locator("#paint .locked").inner_text()
    page.get_by_role("button", name="Solve again with these locks").click()
    page.wait_for_url("**/spots/spot-askd7h4c2s-*")
    page.wait_for_selector("#status.finished")
    page.wait_for_selector("h2:has-text('What the locks change')")
    locked = ng.solve_spot(expected.spot, locks=["b200 = c"], until=0.05)
    assert f"{-locked.costs[1]:+.2f}" in page.locator("#found").inner_text(), "who always calls loses so much"
    page.get_by_role("link", name="beside the same without locks").click()
    page.wait_for_selector("#look[data-beside]")


@pytest.mark.slow
def test_the_curve_of_a_turn_is_seen_to_grow_and_stopped(serve, open_page):
    page = open_page(f"{serve().address}/spots/new")
    page.wait_for_selector("#size:has-text('20 decisions')")
    page.get_by_role("button", name="Turn").click()
    page.wait_for_selector("#size:has-text('4,052 decisions')")
    page.get_by_label("Solve until").fill("0.01")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.wait_for_url("**/spots/spot-qsjh2h8c-*")
    page.wait_for_selector("#found .chart svg:visible")
    rows = page.locator("#found table tbody tr")
    before = rows.count()
    page.wait_for_function("number => document.querySelectorAll('#found table tbody tr').length > number", arg=before)
    assert "of the pot can be exploited" in page.locator("#watch").inner_text()
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("#status.interrupted")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector("#status.running")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("#status.interrupted")


def test_ranges_are_painted_by_keys_in_all_weights(serve, open_page):
    page = open_page(f"{serve().address}/spots/new")
    page.wait_for_selector("#size:has-text('decisions')")
    emptied(page, "oop")
    cell(page, "[data-range=oop]", "AA").focus()
    for keys in (
        ("4", "Space"),
        ("ArrowRight", "3", "Space"),
        ("ArrowDown", "2", "Space"),
        ("ArrowLeft", "1", "Space"),
    ):
        for key in keys:
            page.keyboard.press(key)
    page.wait_for_function("() => document.getElementById('range-oop').value.includes('0.25')")
    text = page.locator("#range-oop").input_value()
    assert ng.parse_range(text) == ng.parse_range("AA, AKs:0.75, KK:0.5, AKo:0.25")
    page.keyboard.press("Space")  # painted already: it is taken away
    page.wait_for_function("() => !document.getElementById('range-oop').value.includes('0.25')")


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "dark"), (PHONE, "light")])
def test_the_form_has_contrast_and_names_and_says_what_is_missing(serve, open_page, size, scheme):
    page = open_page(f"{serve().address}/spots/new", size, scheme)
    page.wait_for_selector("#size:has-text('decisions')")
    page.locator("details summary").click()
    assert page.evaluate(CONTRAST) == [] and page.evaluate(NAMES) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator("h1").count() == 1
    page.locator("#deck [data-card='4d']").click()
    page.wait_for_selector("#size:has-text('4,052 decisions')")
    for street in ("turn", "river"):
        assert page.get_by_label(f"Bets on the {street}").is_visible()
    assert not page.get_by_label("Bets on the flop").is_visible()
    page.get_by_role("textbox", name="Board").fill("Qs")
    page.wait_for_selector("#size:has-text('2 more cards are needed')")
