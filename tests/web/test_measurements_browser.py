"""Measurements and tournaments in the system's Chromium: begun, watched, replayed, sorted, stepped through."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from browsing import CONTRAST, DESK, PHONE, needs_chromium

import nashgap as ng
from nashgap.arena.ranking import bankroll, runoff
from nashgap.arena.tournament import Entrant, TournamentConfig
from nashgap.arena.tournament_result import TournamentResult
from nashgap.strategies.spec import parse_bot

pytestmark = needs_chromium

PLAYERS = ("always-call", "probe", "always-raise", "random", "always-fold")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def played_tournament(folder: Path, game: str = "lhe2", deals: int = 200) -> TournamentResult:
    agents = tuple(Entrant(name, parse_bot(name, kind="agent")) for name in PLAYERS)
    return ng.tournament(TournamentConfig("small", game, deals, agents), run=folder)


def name_of(found: Any) -> str:
    return found.provenance.run.name


def texts(page: Any, selector: str) -> list[str]:
    return page.locator(f"{selector}:visible").all_inner_texts()


def test_the_form_asks_for_the_game_that_a_strategy_is_for(serve, open_page, folder):
    (folder / "mine").mkdir(parents=True)
    ng.solve("kuhn2", iterations=5).save(folder / "mine" / "kuhn.safetensors")
    page = open_page(f"{serve().address}/measures/new")
    strategy, game = (page.get_by_label(name, exact=True).first for name in ("Strategy", "Game"))
    assert (strategy.input_value(), game.input_value()) == ("runs/mine/kuhn.safetensors", "")
    strategy.select_option("always-call")
    assert game.input_value() == "hunl", "it plays any game"
    strategy.select_option("resident-lhe2")
    assert game.input_value() == ""
    page.get_by_label("Deals").first.fill("4")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/measures/lbr-lhe2-resident-lhe2-*")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_a_small_lbr_measurement_is_started_and_seen_to_finish(serve, open_page, size, scheme):
    server = serve()
    page = open_page(f"{server.address}/measures", size, scheme)
    page.get_by_role("link", name="New measurement").click()
    page.get_by_label("Strategy").first.select_option("always-call")
    page.get_by_label("Game").first.select_option("lhe2")
    page.get_by_label("Deals").first.fill("40")
    page.get_by_label("Seed").first.fill("11")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/measures/lbr-lhe2-always-call-*")
    page.wait_for_selector("#status.finished")
    page.wait_for_selector(".figures")
    run = page.url.rpartition("/")[2]
    shown = json.loads(server.visitor().get(f"/api/measures/{run}/result").text)
    expected = ng.measure("always-call", game="lhe2", by="lbr", deals=40, seed=11)
    assert (shown["mean"], shown["ci95"]) == (expected.estimate.mean, expected.estimate.ci95)
    assert shown["by_seat"] == [each.as_dict() for each in expected.by_seat]
    assert texts(page, ".figures strong")[0] in str(expected.estimate)
    assert page.locator("p.summary").inner_text() == expected.summary
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.get_by_role("link", name="All measurements").click()
    assert page.locator("table.listed tbody tr").count() == 1


def test_an_exact_best_response_is_answered_on_the_form(serve, open_page):
    page = open_page(f"{serve().address}/measures/new")
    page.get_by_label("Method").select_option("br")
    page.locator("#br-game").select_option("kuhn")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#answer:not([hidden])")
    assert texts(page, "#answer dd") == ["0.916667 antes_per_hand", "0.458333 antes_per_hand"], (
        "digits as in the summary"
    )


@pytest.mark.slow
def test_why_a_program_has_ended_is_told_on_the_page_of_its_run(serve, open_page, tmp_path):
    example = (Path(__file__).parents[2] / "examples" / "exec_bot.py").read_text()
    program = tmp_path / "mortal.py"
    program.write_text(example.replace("    answer =", "    if question['id'] > 8: sys.exit(3)\n    answer ="))
    page = open_page(f"{serve(f'exec:{sys.executable} {program}').address}/measures/new")
    page.locator("#lbr-strategy-0").select_option(index=0)
    page.locator("#lbr-game").select_option("lhe2")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#status.failed")
    page.wait_for_selector("#watch .error:not([hidden])")
    assert "mortal.py" in page.locator("#watch .error").inner_text()
    assert page.get_by_role("button", name="Go on").is_visible()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_replayer_steps_through_a_hand_by_buttons_and_keys(serve, open_page, folder, size):
    run = name_of(ng.measure("probe", game="lhe2", by="lbr", deals=40, lines="dealt", seed=1, run=folder))
    server = serve()
    hands = server.visitor().json("GET", f"/api/measures/{run}/hands")
    page = open_page(f"{server.address}/measures/{run}", size)
    place = page.locator("#replayer")
    page.wait_for_selector("#replayer .plate")
    steps = hands[0]["steps"]
    for number, step in enumerate(steps):
        assert place.locator(".said").inner_text().lower() == step["text"].lower()
        assert place.locator(".pot strong").inner_text() == f"pot {step['pot']:,}"
        assert place.locator(".board svg.card:not(.place)").count() == len(step["board"])
        bets = sorted(f"{seat['bet']:,}" for seat in step["seats"] if seat["bet"])
        assert sorted(filter(None, place.locator(".bet").all_inner_texts())) == bets
        if number + 1 < len(steps):
            page.get_by_role("button", name="One step on").click()
    assert page.get_by_role("button", name="One step on").is_disabled()
    place.focus()
    page.keyboard.press("Home")
    assert place.locator(".said").inner_text().lower() == steps[0]["text"].lower()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert place.locator(".said").inner_text().lower() == steps[1]["text"].lower()
    page.keyboard.press("ArrowDown")
    assert place.locator("select").evaluate("each => each.selectedIndex") == 1
    assert place.locator(".seats.lbr svg.card").count() == 2, "all hands are open"
    assert place.locator(".seats.others svg.card:not(.back)").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_cross_table_is_sorted_by_any_column_and_back(serve, open_page, folder):
    found = played_tournament(folder)
    page = open_page(f"{serve().address}/tournaments/{name_of(found)}")
    page.wait_for_selector("[data-text=round]:has-text('round 1')")
    table, names = found.cross_table, [*bankroll(found.cross_table).players]
    assert texts(page, ".winrates tbody th") == names
    against_probe = {
        name: matchup.winrate(name)
        for name in names
        for matchup in table.matchups_of(name)
        if name != "probe" and "probe" in matchup.players
    }
    page.locator(".winrates thead").get_by_role("button", name="probe", exact=True).click()
    expected = sorted(against_probe, key=lambda name: -round(against_probe[name], 3))
    assert texts(page, ".winrates tbody th") == [*expected, "probe"], "who has no such matchup comes last"
    page.locator(".winrates thead").get_by_role("button", name="probe", exact=True).click()
    assert texts(page, ".winrates tbody th") == [*reversed(expected), "probe"]
    assert page.locator(".winrates th[aria-sort=ascending]").count() == 1
    page.locator(".winrates thead").get_by_role("button", name="Player").click()
    assert texts(page, ".winrates tbody th") == sorted(names)
    cells = texts(page, ".winrates td.loss:not(.mean)")
    assert cells and all(text.startswith("-") and "±" in text for text in cells), "sign, colour and interval"


@pytest.mark.parametrize(("size", "game"), [(DESK, "lhe3"), (PHONE, "lhe2")])
def test_the_run_off_takes_one_away_after_the_other(serve, open_page, folder, size, game):
    found = played_tournament(folder, game, 100)
    page = open_page(f"{serve().address}/tournaments/{name_of(found)}", size)
    page.wait_for_selector("[data-text=round]:has-text('round 1')")
    rounds = runoff(found.cross_table).rounds
    assert len(rounds) >= 3
    for number, each in enumerate(rounds):
        assert texts(page, ".winrates tbody th") == list(each.ranking.players)
        opponents = {frozenset(m.opponents(p)) for m in each.table.matchups for p in m.players}
        heads = [frozenset(text.split()) for text in texts(page, ".winrates thead th[data-players]")]
        assert len(heads) == len(set(heads)) and set(heads) == opponents
        means = [float(text.split()[0]) for text in texts(page, ".winrates td.mean")]
        assert means == pytest.approx(list(each.ranking.winrates), abs=6e-4)
        if each.eliminated is not None:
            assert f"{each.eliminated} is last and leaves" in page.locator("[data-text=out]").inner_text()
        if number + 1 < len(rounds):
            page.get_by_role("button", name="Next round").click()
    assert page.get_by_role("button", name="Next round").is_disabled()
    page.get_by_role("button", name="Round before").click()
    assert texts(page, ".winrates tbody th") == list(rounds[-2].ranking.players)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_list_of_runs_is_sorted_by_value(serve, open_page, folder):
    for strategy in ("always-call", "probe"):
        ng.measure(strategy, game="lhe2", by="lbr", deals=40, lines="dealt", run=folder)
    played_tournament(folder)
    page = open_page(f"{serve().address}/measures")
    page.get_by_role("button", name="Value").click()
    rows = texts(page, ".listed tbody th a")
    assert rows == ["lbr-lhe2-probe", "lbr-lhe2-always-call", "tournament-small"], "what has no value comes last"
    page.get_by_role("button", name="Value").click()
    assert texts(page, ".listed tbody th a") == ["lbr-lhe2-always-call", "lbr-lhe2-probe", "tournament-small"]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_contrast_and_a_name(serve, open_page, folder, scheme):
    found = played_tournament(folder, "lhe2", 100)
    run = name_of(ng.measure("probe", game="lhe2", by="lbr", deals=40, lines="dealt", run=folder))
    address = serve().address
    for path in ("/measures", "/measures/new", f"/measures/{run}", "/tournaments", f"/tournaments/{name_of(found)}"):
        page = open_page(address + path, DESK, scheme)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(CONTRAST) == [], path
        names = page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, a, [role=img], [role=region]")]
            .filter((each) => each.checkVisibility())
            .filter((each) => !(each.ariaLabel || each.innerText || each.labels?.length))
            .map((each) => each.outerHTML)"""
        )
        assert names == [], path
        levels = page.locator("h1, h2, h3").evaluate_all("each => each.map(h => Number(h.tagName[1]))")
        assert levels[0] == 1 and levels.count(1) == 1
