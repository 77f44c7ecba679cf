"""Whole hands in the system's Chromium: by mouse and by keys, desk and phone; skipped loudly where there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from browsing import CONTRAST, DESK, PHONE, needs_chromium, wait_for
from test_attacks import opened_stream

import nashgap as ng
from nashgap.web.streams import MAX_STREAMS_PER_VISITOR

pytestmark = needs_chromium

EXAMPLE = Path(__file__).parents[2] / "examples" / "exec_bot.py"


def sit_down(page: Any, game: str, *opponents: str) -> None:
    page.select_option("#game", game)
    for place, opponent in enumerate(opponents):
        page.locator(".opponents:not([hidden]) select").nth(place).select_option(opponent)
    page.get_by_role("button", name="Deal").click()
    page.wait_for_selector("[data-state]")


def state_of(page: Any) -> str:
    return page.locator("#table").get_attribute("data-state")


def told(page: Any) -> list[str]:
    return page.locator(".told li").all_inner_texts()


def press(page: Any, key: str) -> None:
    """Press the key, and wait until something was told."""
    before = told(page)
    page.keyboard.press(key)
    wait_for(page, lambda: told(page) != before)


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_a_hand_of_heads_up_no_limit_by_buttons_slider_and_number(serve, open_page, size, scheme):
    page = open_page(serve().address, size, scheme)
    sit_down(page, "hunl", "always-call")
    assert page.locator(".own svg.card:not(.back)").count() == 2
    assert page.locator(".others svg.card.back").count() == 2
    assert page.locator(".others svg.card:not(.back)").count() == 0
    raise_button = page.locator("button.raise")
    page.get_by_role("button", name="½ pot", exact=True).click()
    assert "Raise to 200" in raise_button.inner_text()
    slider = page.locator("input[type=range]")
    slider.focus()
    slider.press("End")
    assert "Raise to 20,000" in raise_button.inner_text()
    slider.press("Home")
    assert "Raise to 200" in raise_button.inner_text()
    page.locator("input[type=number]").fill("700")
    assert "Raise to 700" in raise_button.inner_text()
    raise_button.click()
    page.wait_for_selector(".board svg.card:not(.place) >> nth=2")
    assert told(page)[:2] == ["you raise to 700", "always-call calls 600"]
    assert page.locator(".pot").inner_text() == "flop pot 1,400"
    while state_of(page) == "choosing":
        before = told(page)
        page.locator("button.call").click()
        wait_for(page, lambda before=before: told(page) != before)
    page.wait_for_selector("#table[data-state=over]")
    assert page.locator(".others svg.card:not(.back)").count() == 2, "shown at the showdown"
    assert "win" in told(page)[-1]
    assert page.locator("[data-text=chips]").inner_text() in ("+700", "-700", "0")
    page.get_by_role("button", name="Next hand").click()
    page.wait_for_selector("#table[data-state=choosing]")
    assert page.locator("h2 [data-text=number]").inner_text() == "2"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0], "nothing stands out at the side"


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_hand_of_three_player_limit_by_keys_alone(serve, open_page, size):
    page = open_page(serve().address, size)
    sit_down(page, "lhe3", "always-call", "probe")
    assert page.locator(".seat").count() == 3
    assert page.locator(".sizing").is_hidden(), "limit has one size"
    press(page, "r")
    assert told(page)[0] == "you raise to 20"
    while state_of(page) == "choosing":
        press(page, "c")
    assert state_of(page) == "over" and "win" in told(page)[-1]
    page.keyboard.press("n")
    wait_for(page, lambda: page.locator("h2 [data-text=number]").inner_text() == "2")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_two_people_and_an_agent_by_link(serve, open_page):
    server = serve()
    first = open_page(server.address)
    sit_down(first, "lhe3", "always-call", "person")
    link = first.locator("input.invitation").input_value()
    second = open_page(link)
    second.get_by_label("Your name").fill("Bob")
    second.get_by_role("button", name="Take the seat").click()
    second.wait_for_selector(".own svg.card")
    first.wait_for_selector(".own svg.card")  # told by the stream of events, nothing was pressed
    assert first.locator(".others .name").all_inner_texts() == ["always-call", "Bob"]
    while state_of(first) != "over":
        for page in (first, second):
            if state_of(page) == "choosing":
                press(page, "c")
    first.wait_for_selector("#table[data-state=over]")
    second.wait_for_selector("#table[data-state=over]")
    assert first.locator(".board svg.card:not(.place)").count() == 5


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "dark"), (PHONE, "light")])
def test_the_coach_is_asked_and_the_hand_is_opened(serve, open_page, tmp_path, size, scheme):
    file = tmp_path / "bot.safetensors"
    ng.solve("hunl-fcpa-small", iterations=200).save(file)
    page = open_page(serve(str(file)).address, size, scheme)
    page.get_by_label("Open cards after each hand").check()
    page.get_by_label("A coach may be asked").check()
    sit_down(page, "hunl", str(file))
    page.wait_for_selector(".coaching:not([hidden])")
    assert page.locator(".review").is_hidden(), "nothing to look back at"
    page.keyboard.press("h")
    page.wait_for_selector(".advice .share-list li")
    assert "%" in page.locator(".advice").inner_text()
    for _ in range(400):  # a key that comes before the last answer is not heard
        if state_of(page) == "over":
            break
        page.keyboard.press("c")
        page.wait_for_timeout(50)
    page.wait_for_selector("#table[data-state=over]")
    page.keyboard.press("o")
    page.wait_for_selector(".opened .range-grid >> nth=0")
    assert page.locator(".opened-head svg.card").count() == 2
    grid = page.locator(".opened .range-grid").first
    assert grid.locator(".cell").count() == 169 and grid.locator(".cell.held").count() == 1
    grid.locator(".cell[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert "%" in page.locator(".cell-words").first.inner_text()
    page.keyboard.press("v")
    page.wait_for_selector(".reviewed .decision >> nth=0")
    text = page.locator(".reviewed").inner_text()
    assert "of the time" in text and "No value: before the flop" in text
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.keyboard.press("n")
    wait_for(page, lambda: page.locator("h2 [data-text=number]").inner_text() == "2")


@pytest.mark.parametrize(("size", "number", "names"), [(DESK, 0, ["resident-hunl"]), (PHONE, 2, ["resident-lhe3"] * 2)])
def test_one_click_sits_down_with_who_comes_with_the_package(serve, open_page, size, number, names):
    page = open_page(serve().address, size)
    page.locator(".at-once button").nth(number).click()
    page.wait_for_selector("#table[data-state=choosing]")
    seated = page.locator(".others .name").all_inner_texts()
    assert [name.partition(" #")[0] for name in seated] == names
    assert page.get_by_role("button", name="What would it do?").is_visible(), "a coach"
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # At one moment: a table draws its seats anew when it is told something.
    tops = page.eval_on_selector_all(".others .seat", "seats => seats.map((seat) => seat.getBoundingClientRect().top)")
    assert len(tops) == len(names) and len(set(tops)) == 1, "side by side"


@pytest.mark.parametrize("size", [DESK, PHONE, (360, 740)])
def test_six_seats_stand_side_by_side_and_in_rows(serve, open_page, size):
    page = open_page(serve().address, size)
    sit_down(page, "lhe6", "always-call", "poki", "probe", "half-call-half-raise", "random")
    page.wait_for_selector(".own svg.card")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # At one moment: a table draws its seats anew when it is told something.
    parts = page.eval_on_selector_all(
        ".others .seat > *", "parts => parts.map((part) => part.getBoundingClientRect().toJSON())"
    )
    boxes = [(place // 3, part) for place, part in enumerate(parts)]  # cards, plate, bet of each
    assert len(boxes) == 15
    for seat, one in boxes:
        for other_seat, other in boxes:
            if seat < other_seat:
                beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
                assert beside or one["y"] + one["height"] <= other["y"] + 1, "nobody is covered"


@pytest.mark.parametrize("typed", ["", "1", "99999999", "-5", "300.5"])
def test_a_size_that_is_not_allowed_is_not_offered_and_answered_with_those_that_are(serve, open_page, typed):
    page = open_page(serve().address)
    sit_down(page, "hunl", "always-call")
    page.locator("input[type=number]").fill(typed)
    assert page.locator("button.raise span").inner_text() == "Raise to …"
    page.locator("input[type=number]").press("Enter")
    assert page.locator(".actions .error").inner_text() == "200 to 20,000 chips are allowed, and whole ones."
    page.locator("input[type=number]").fill("1e3")
    assert page.locator("button.raise span").inner_text() == "Raise to 1,000"
    page.locator("input[type=number]").press("Enter")
    wait_for(page, lambda: told(page)[:1] == ["you raise to 1,000"])
    assert page.locator(".actions .error").is_hidden()


def test_who_waits_for_another_person_finds_the_link_at_the_top(serve, open_page):
    page = open_page(serve().address)
    sit_down(page, "lhe3", "always-call", "person")
    assert page.locator("input.invitation").bounding_box()["y"] < page.locator(".score").bounding_box()["y"] + 100


@pytest.mark.parametrize("button", [".at-once button >> nth=0", "#new-table button[type=submit]"])
def test_two_clicks_make_one_table_and_who_comes_back_sits_down_again(serve, open_page, button):
    page = open_page(serve().address)
    for num_tables in (1, 2):
        page.locator(button).dblclick()
        page.wait_for_selector("#table[data-state]")
        page.go_back()
        assert len(page.request.get(f"{page.url}api/tables").json()) == num_tables


def test_own_tables_are_told_apart_by_who_else_sits_there(serve, open_page):
    page = open_page(serve().address)
    for opponents in (["probe"], ["always-call", "poki"]):
        page.goto("/".join(page.url.split("/")[:3]))
        sit_down(page, f"lhe{len(opponents) + 1}", *opponents)
    page.get_by_role("link", name="NashGap").click()
    page.wait_for_selector("#own li")
    shown = page.locator("#own li").all_inner_texts()
    assert shown == ["lhe2 with probe, 0 hands played", "lhe3 with always-call and poki, 0 hands played"]


def test_who_has_no_seat_is_told_so_and_shown_no_table(serve, chromium):
    server = serve()
    table = server.visitor().sit_down("hunl", "always-call")
    page = chromium.new_page()
    page.goto(f"{server.address}/tables/{table}")
    page.wait_for_selector("h1:has-text('That did not work')")
    told = page.locator("main").inner_text().split("\n")
    assert list(filter(None, told)) == ["That did not work", "you have no seat at this table", "To the tables"]
    page.goto(f"{server.address}/join/{'A' * 22}")
    assert "this invitation is not known, or no longer" in page.locator("main").inner_text()
    page.close()


def test_a_table_that_is_closed_has_its_hands_and_nothing_to_do(serve, open_page):
    page = open_page(serve().address)
    page.on("dialog", lambda dialog: dialog.accept())
    sit_down(page, "hunl", "always-call")
    assert page.get_by_role("link", name="Hands as ACPC log").is_hidden(), "there are none"
    while state_of(page) != "over":
        press(page, "c")
    page.keyboard.press("n")
    page.wait_for_selector("#table[data-state=choosing]")
    page.get_by_role("button", name="Close this table").click()
    page.wait_for_selector(".notice:has-text('This table is closed. Its hands stay.')")
    assert page.locator(".actions button:visible, .leave:visible").count() == 0
    assert page.get_by_role("link", name="Hands as ACPC log").is_visible()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_nothing_moves_on_the_felt_when_a_hand_ends(serve, open_page, size):
    page = open_page(serve().address, size)
    sit_down(page, "hunl", "always-fold")
    before = [page.locator(each).bounding_box()["y"] for each in (".board", ".own .cards", ".own .plate")]
    press(page, "r")
    page.wait_for_selector("#table[data-state=over]")
    after = [page.locator(each).bounding_box()["y"] for each in (".board", ".own .cards", ".own .plate")]
    assert after == pytest.approx(before, abs=1), "in pixels"


def test_a_key_that_is_held_decides_once(serve, open_page):
    page = open_page(serve().address)
    sit_down(page, "lhe2", "always-call")
    press(page, "c")
    hand = told(page)
    for _ in range(10):
        page.keyboard.down("c")  # the first is pressed, those that follow are repeated
        page.wait_for_timeout(50)
    wait_for(page, lambda: told(page) != hand)
    assert sum(line.startswith("you") for line in told(page)[len(hand) :]) == 1
    page.keyboard.up("c")


def test_a_remark_stays_with_the_hand_for_which_it_was_begun(serve, open_page):
    server = serve()
    first = open_page(server.address)
    sit_down(first, "lhe2", "person")
    second = open_page(first.locator("input.invitation").input_value())
    second.get_by_role("button", name="Take the seat").click()
    second.wait_for_selector(".own svg.card")
    pages = (first, second)
    while state_of(first) != "over":
        for page in pages:
            if state_of(page) == "choosing":
                press(page, "c")
    first.wait_for_selector("#table[data-state=over]")
    second.wait_for_selector("#table[data-state=over]")
    first.keyboard.press("n")
    first.wait_for_selector("button.next", state="hidden")
    first.get_by_label("A remark on hand 1").fill("too thin")
    second.keyboard.press("n")
    wait_for(first, lambda: first.locator("h2 [data-text=number]").inner_text() == "2")
    assert first.locator("#remark").input_value() == "too thin"
    first.get_by_role("button", name="Keep").click()
    wait_for(first, lambda: first.locator("label[for=remark]").inner_text() == "A remark on hand 2")
    assert first.locator("#remark").input_value() == ""
    first.locator("#remark").fill("and thick")
    first.keyboard.press("Enter")
    wait_for(first, lambda: first.locator("label[for=remark]").inner_text() == "A remark on hand 2, kept")
    path = first.url.replace("/tables/", "/api/tables/")
    assert "# hand 0: too thin" in first.context.request.get(f"{path}/hands.log").text()


def test_a_page_whose_stream_was_refused_asks_again(serve, chromium):
    """There were too many; browsers give up then."""
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down("hunl", "always-call")
    streams = [opened_stream(server, visitor, table)[0] for _ in range(MAX_STREAMS_PER_VISITOR)]
    context = chromium.new_context()
    secret = visitor.cookies["nashgap_visitor"]
    context.add_cookies([{"name": "nashgap_visitor", "value": secret, "url": server.address}])
    page = context.new_page()
    page.goto(f"{server.address}/tables/{table}")
    page.wait_for_selector("#table.is-cut-off")
    for stream in streams:
        stream.close()
    page.wait_for_selector("#table:not(.is-cut-off)")
    visitor.act(table, visitor.view(table)["hand"], "c")
    wait_for(page, lambda: "you call 50" in told(page))
    context.close()


def test_an_agent_that_fails_is_asked_again_by_the_page(serve, open_page, tmp_path):
    program, ready = tmp_path / "program.py", tmp_path / "ready"
    started = f"import pathlib, sys\n\nif not pathlib.Path({str(ready)!r}).exists():\n    sys.exit('holds AsKs')\n"
    program.write_text(started + EXAMPLE.read_text())
    failing = f"exec:{sys.executable} {program}"
    page = open_page(serve(failing).address)
    sit_down(page, "hunl", failing)
    page.keyboard.press("c")
    page.wait_for_selector("button.next:not([hidden])")
    assert page.locator("button.next").inner_text().startswith("Ask again")
    notice = page.locator(".notice").inner_text()
    assert notice.endswith("program.py cannot answer now. Why is said where the server was started.")
    assert "AsKs" not in page.content()
    ready.touch()
    page.keyboard.press("n")
    page.wait_for_selector("#table[data-state=choosing], #table[data-state=over]")
    assert page.locator(".notice").inner_text() == "" or state_of(page) == "over"


def test_a_page_that_is_loaded_again_has_the_whole_hand(serve, open_page):
    page = open_page(serve().address)
    sit_down(page, "hunl", "always-call")
    press(page, "c")
    cards, before = page.locator(".own svg.card").evaluate_all("each => each.map(c => c.ariaLabel)"), told(page)
    page.reload()
    page.wait_for_selector("#table[data-state=choosing]")
    assert told(page) == before
    assert page.locator(".own svg.card").evaluate_all("each => each.map(c => c.ariaLabel)") == cards


def test_what_is_said_and_where_the_focus_is_can_be_followed_without_eyes(serve, open_page):
    page = open_page(serve().address)
    sit_down(page, "hunl", "always-call")
    assert page.locator("[role=log][aria-live=polite]").count() == 1
    names = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a, svg[role=img], [role=img]")]
        .filter((each) => each.checkVisibility())
        .filter((each) => !(each.ariaLabel || each.innerText || each.labels?.length || each.getAttribute("aria-label")))
        .map((each) => each.outerHTML)"""
    )
    assert names == [], "everything that can be used or seen has a name"
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_have_contrast(serve, open_page, scheme):
    """At least 4.5 to 1 on whatever they stand on (WCAG 2, AA)."""
    page = open_page(serve().address, DESK, scheme)
    sit_down(page, "hunl", "always-call")
    faint = page.evaluate(CONTRAST)
    assert faint == []
