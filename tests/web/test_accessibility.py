"""axe-core finds no serious fault on any page of the server: desk and phone, light and dark, and in each state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from browsing import DESK, PHONE, SECONDS, needs_chromium
from furnished import Known, furnish, sit

from nashgap.web.worker import SPOT_FILE

axe = pytest.importorskip("axe_playwright_python.base", reason="axe-core is not here: `make test-extras` installs it")

pytestmark = [pytest.mark.extras, needs_chromium]

SERIOUS = ("serious", "critical")


class Place(NamedTuple):
    """A page as somebody sees it. reach: what is done there first; it returns when all is shown."""

    name: str
    path: str
    reach: Callable[[Any], object] = lambda page: page.wait_for_load_state("networkidle")


def places(known: Known, run: str, tournament: str, spot: str) -> list[Place]:
    """In order: the hand of the table goes on from one to the next."""
    table = f"/tables/{known.playing}"
    return [
        Place("lobby", "/"),
        Place("lobby, three seats", "/", lambda page: page.locator("#game").select_option("lhe3")),
        Place("waiting table", f"/tables/{known.waiting}", shown("#table[data-state=waiting]")),
        Place("to act", table, shown("#table[data-state=choosing]")),
        Place("advised", table, advised),
        Place("over", table, play_on),
        Place("opened and reviewed", table, look_back),
        Place("join", f"/join/{known.invitation}"),
        Place("strategy", "/look?strategy=half-call-half-raise&game=hunl", shown(".cell")),
        Place("strategy, card choice", "/look?strategy=half-call-half-raise&game=hunl&after=c", choose_cards),
        Place(
            "two strategies",
            "/look?strategy=half-call-half-raise&game=hunl&beside=random",
            shown("#difference-grid .cell"),
        ),
        Place("decision to paint", f"/look?strategy={spot}/{SPOT_FILE}", shown("#paint .add")),
        Place("new spot", "/spots/new", shown("#size:has-text('decisions')")),
        Place("spot", f"/spots/{spot}"),
        Place("measures", "/measures"),
        Place("new measurement", "/measures/new"),
        Place("run", f"/measures/{run}"),
        Place("tournaments", "/tournaments"),
        Place("tournament", f"/tournaments/{tournament}"),
        Place("rules", "/rules"),
        Place("rivers", "/rules/rivers"),
        Place("quiz", "/rules/quiz"),
        Place("nothing there", "/nowhere"),
    ]


def shown(selector: str) -> Callable[[Any], object]:
    return lambda page: page.wait_for_selector(selector)


def advised(page: Any) -> None:
    page.get_by_role("button", name="What would it do?").click()
    page.wait_for_selector(".advice > *")


def play_on(page: Any) -> None:
    """Check and call to the end of the hand, if it is not over."""
    page.wait_for_selector("#table[data-state=choosing], #table[data-state=over]")
    while page.locator("#table").get_attribute("data-state") == "choosing":
        before = page.locator(".told li").count()
        page.keyboard.press("c")
        page.wait_for_selector(f".told li >> nth={before}")
    page.wait_for_selector("#table[data-state=over]")


def look_back(page: Any) -> None:
    page.wait_for_selector("#table[data-state=over]")
    page.get_by_role("button", name="Open the hand").click()
    page.wait_for_selector(".opened *")
    page.get_by_role("button", name="Ask the coach").click()
    page.wait_for_selector("div.reviewed *")


def choose_cards(page: Any) -> None:
    page.wait_for_selector(".cell")
    page.keyboard.press("c")
    page.wait_for_selector(".deck [data-card]")


def faults(page: Any) -> list[str]:
    page.evaluate(axe.AXE_SCRIPT)
    found = page.evaluate("axe.run()")["violations"]
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:120]} {node['failureSummary'][:200]}"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_no_page_has_a_serious_fault(serve, bot, chromium, tmp_path, size, scheme):
    names = furnish(tmp_path / "runs")
    server = serve(bot)
    visitor, known = sit(server, bot)
    width, height = size
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.set_default_timeout(SECONDS)
    secret = {"name": "nashgap_visitor", "value": visitor.cookies["nashgap_visitor"], "url": server.address}
    context.add_cookies([secret])
    found = []
    for place in places(known, *names):
        page = context.new_page()
        page.goto(server.address + place.path)
        place.reach(page)
        found += [f"{place.name}: {fault}" for fault in faults(page)]
        page.close()
    context.close()
    assert not found, "\n".join(found)
