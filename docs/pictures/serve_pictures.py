"""Takes the pictures of `nashgap serve`; needs chromium and `nashgap[test]`, and takes some minutes.

python docs/pictures/serve_pictures.py            # all of them
python docs/pictures/serve_pictures.py table quiz # these
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import nashgap as ng
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.strategies.spec import parse_bot

HERE = Path(__file__).parent
DESK, PHONE = (1120, 760), (390, 844)
BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
PLAYERS = ("resident-lhe2", "poki", "always-call", "probe", "always-raise")
RIVER = {"pot": 200, "stack": 900, "bets": "50%,100%,a", "raises": "100%,a", "until": 0.1}


@contextmanager
def server(runs: Path) -> Iterator[str]:
    """The address of a server on the folder of runs."""
    command = [sys.executable, "-m", "nashgap", "serve", "--port", "0", "--runs", str(runs)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        found = re.search(r"http://\S+", started.stderr.readline())
        assert found, "the server says where it is"
        try:
            yield found[0].rstrip("/")
        finally:
            started.terminate()


def lobby(page: Any) -> None:
    page.wait_for_selector(".at-once button")


def table(page: Any) -> None:
    page.locator(".at-once button").first.click()
    page.wait_for_selector("#table[data-state]")
    for _ in range(12):  # to a decision on the flop or later, of any hand
        page.wait_for_selector("#table[data-state=choosing], #table[data-state=over]")
        if page.locator("#table[data-state=choosing] .board svg.card:not(.place)").count():
            break
        page.keyboard.press("n" if page.locator("#table[data-state=over]").count() else "c")
        page.wait_for_timeout(400)
    page.keyboard.press("h")
    page.wait_for_timeout(1500)


def look(page: Any) -> None:
    page.wait_for_selector("#first-grid [role=gridcell]")
    page.wait_for_timeout(600)


def paint(page: Any) -> None:
    look(page)
    page.get_by_role("button", name="Paint", exact=True).click()
    for name in ("AA", "KK", "QQ", "JJ", "TT", "99"):
        page.locator("#first-grid [role=gridcell]").filter(has_text=name).first.click()
    page.wait_for_timeout(400)


def spot(page: Any) -> None:
    page.get_by_role("button", name="Turn").click()
    page.wait_for_timeout(2500)


def solved(page: Any) -> None:
    page.wait_for_selector("svg")
    page.wait_for_timeout(600)


def quiz(page: Any) -> None:
    page.wait_for_selector("svg")
    page.wait_for_timeout(600)


def still(page: Any) -> None:
    page.wait_for_timeout(600)


def draw(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        runs = Path(folder) / "runs"
        leaks = ng.measure("resident-hunl", by="lbr", deals=60, rounds="3-4", run=runs).provenance.run.name
        agents = tuple(Entrant(name, parse_bot(name, kind="agent")) for name in PLAYERS)
        played = ng.tournament(TournamentConfig("small", "lhe2", 400, agents), run=runs).provenance.run.name
        river = ng.solve_spot("Qs Jh 2h 8c 4d", "66+,A8s+,KQ", "22+,AT+", **RIVER, run=runs)
        river.save(runs / river.provenance.run.name / "solution.safetensors")
        chosen = f"{river.provenance.run.name}/solution.safetensors"
        pictures: dict[str, tuple[str, tuple[int, int], str, Callable[[Any], None], int]] = {
            # path, size, scheme, what is done, how high at most
            "lobby": ("/", DESK, "light", lobby, 760),
            "table": ("/", DESK, "light", table, 780),
            "table-phone": ("/", PHONE, "dark", table, 844),
            "look": ("/look?strategy=resident-hunl&after=r300c/&board=2c6dTh", DESK, "light", look, 900),
            "beside": ("/look?strategy=resident-hunl&beside=always-call", DESK, "dark", look, 720),
            "spot": ("/spots/new", DESK, "light", spot, 1180),
            "solved": (f"/spots/{river.provenance.run.name}", DESK, "dark", solved, 900),
            "paint": (f"/look?strategy={chosen}", DESK, "light", paint, 900),
            "measure": (f"/measures/{leaks}", DESK, "light", still, 900),
            "tournament": (f"/tournaments/{played}", DESK, "light", still, 1131),
            "rules": ("/rules", DESK, "light", still, 800),
            "quiz": ("/rules/quiz", PHONE, "dark", quiz, 844),
        }
        if unknown := sorted(set(names) - set(pictures)):
            sys.exit(f"no picture {unknown[0]!r}; known: {', '.join(pictures)}")
        browser = started.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=BROWSER
        )
        with server(runs) as address:
            for name in names or pictures:
                path, (width, height), scheme, act, most = pictures[name]
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto(address + path)
                act(page)
                page.evaluate("window.scrollTo(0, 0)")
                whole = min(most, page.evaluate("document.documentElement.scrollHeight"))
                page.set_viewport_size({"width": width, "height": whole})
                page.wait_for_timeout(300)
                page.screenshot(path=HERE / f"serve-{name}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    draw(sys.argv[1:])
