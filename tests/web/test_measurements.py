"""Measurements over HTTP: begun, watched, stopped, gone on with; and what is refused, limited and never read."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from math import inf
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from serving import Server
from waiting import wait_until

import nashgap as ng
from nashgap.core.job import Progress
from nashgap.errors import ConfigError, FileFormatError
from nashgap.poker.rules import load_rules
from nashgap.runs.folder import Run, find_run
from nashgap.strategies.spec import parse_bot
from nashgap.web import workshop
from nashgap.web.api import CardRoom, NotFoundError, visitor_of
from nashgap.web.hand_replay import example_hand, replayed_hands
from nashgap.web.measurements import MAX_DEALS, MAX_EPISODES, METHODS, Measurements, Wanted
from nashgap.web.run_pages import RunPages, value_of
from nashgap.web.strategy_files import MAX_FILES
from nashgap.web.tournaments import Tournaments
from nashgap.web.worker import Told
from nashgap.web.workshop import MAX_RUNNING, Workshop

SMALL = {"method": "lbr", "strategies": ["always-call"], "game": "lhe2", "deals": 40, "seed": 5}
LONG = {"method": "lbr", "strategies": ["always-call"], "game": "lhe2", "deals": 100_000, "seed": 5}


def begun(visitor: Any, asked: dict[str, Any]) -> str:
    return visitor.json("POST", "/api/measures", asked)["run"]


def status(visitor: Any, run: str) -> dict[str, Any]:
    return visitor.json("GET", f"/api/measures/{run}")


def wait_for_end(visitor: Any, run: str) -> str:
    return wait_until(lambda: (told := status(visitor, run)["status"]) != "running" and told)


def some_progress(visitor: Any, run: str) -> dict[str, Any]:
    return wait_until(lambda: (told := status(visitor, run))["done"] and told)


def numbers(document: dict[str, Any]) -> str:
    """All but what is of the machine, as it stands."""
    return json.dumps({key: value for key, value in document.items() if key not in ("seconds", "summary")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.mark.slow
def test_a_measurement_from_the_page_is_that_of_the_library_to_the_last_bit(serve):
    visitor = serve().visitor()
    run = begun(visitor, SMALL)
    assert wait_for_end(visitor, run) == "finished"
    found = visitor.json("GET", f"/api/measures/{run}/result")
    expected = ng.measure("always-call", game="lhe2", by="lbr", deals=40, seed=5)
    assert numbers(found) == numbers(json.loads(json.dumps(expected.as_dict())))
    assert found["summary"] == expected.summary
    page = visitor.get(f"/measures/{run}").text
    titles = [section.title for section in expected.report().sections if section.title]
    assert {"The most expensive situations", "By betting line", "By the hand that the bot held"} <= {*titles}
    assert [title for title in titles if f"<h2>{title}</h2>" not in page] == [], "the page has all of the report"


def test_its_run_is_that_of_the_command(serve, folder):
    visitor = serve().visitor()
    run = begun(visitor, SMALL)
    wait_for_end(visitor, run)
    again = ng.measure("always-call", game="lhe2", by="lbr", deals=40, seed=5, run=folder)
    assert again.provenance.run is not None and again.provenance.run.name == run
    assert again.provenance.finished_at is not None, "nothing was done again"


def test_two_versions_are_compared_as_the_command_does(serve):
    visitor = serve().visitor()
    asked = {"method": "compare-match", "strategies": ["always-call", "probe"], "game": "lhe2", "deals": 500, "seed": 2}
    run = begun(visitor, asked)
    assert wait_for_end(visitor, run) == "finished"
    found = visitor.json("GET", f"/api/measures/{run}/result")
    expected = ng.compare("always-call", "probe", game="lhe2", by="match", deals=500, seed=2)
    assert found["difference"] == expected.difference.as_dict()
    assert "the second wins" in visitor.get(f"/measures/{run}").text


def test_approximate_and_exact_best_responses_in_a_small_game(serve):
    visitor = serve().visitor()
    asked = {"method": "abr", "strategies": ["uniform"], "game": "kuhn", "episodes": 2000, "seed": 1}
    run = begun(visitor, asked)
    assert wait_for_end(visitor, run) == "finished"
    found = visitor.json("GET", f"/api/measures/{run}/result")
    assert found["mean"] == ng.measure("uniform", game="kuhn", by="abr", episodes=2000, seed=1).mean
    exact = visitor.json("POST", "/api/measures", {"method": "br", "strategies": ["uniform"], "game": "kuhn"})
    assert exact["run"] is None and exact["result"]["nash_conv"] == ng.measure("uniform", game="kuhn").nash_conv


@pytest.mark.slow
def test_the_page_is_told_how_far_it_is_with_rate_and_time_left(serve):
    visitor = serve().visitor()
    run = begun(visitor, LONG)
    told: dict[str, Any] = {}
    with visitor.stream("GET", f"/api/measures/{run}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        for line in events.iter_lines():
            if line.startswith("data: "):
                told = json.loads(line.removeprefix("data: "))
                if told["left"]:
                    break
    assert told["status"] == "running" and 0 < told["done"] < told["total"] and told["unit"] == "batches"
    assert "batches a second" in told["rate"] and told["left"].startswith("about")
    so_far = visitor.get(f"/measures/{run}/so-far").text
    assert "LBR wins" in so_far and "Of the deals played by now" in so_far
    visitor.json("POST", f"/api/measures/{run}/stop", {})


@pytest.mark.slow
def test_what_is_stopped_is_kept_and_goes_on(serve, folder):
    visitor = serve().visitor()
    run = begun(visitor, LONG)
    some_progress(visitor, run)
    stopped = visitor.json("POST", f"/api/measures/{run}/stop", {})
    assert stopped["status"] == "interrupted" and stopped["can_resume"]
    with find_run(folder, run).open_ledger() as ledger:
        before = len(ledger.batches())
    assert before > 0
    assert visitor.json("POST", f"/api/measures/{run}/resume", {})["run"] == run
    wait_until(lambda: (status(visitor, run)["done"] or 0) > before)
    assert visitor.json("POST", f"/api/measures/{run}/stop", {})["status"] == "interrupted"


@pytest.mark.slow
def test_a_killed_server_leaves_a_run_that_goes_on_to_the_same_numbers(serve, folder):
    server = serve()
    visitor = server.visitor()
    asked = {**SMALL, "deals": 120}
    run = begun(visitor, asked)
    some_progress(visitor, run)
    server.kill()
    wait_until(lambda: not find_run(folder, run).is_being_worked_on)  # the worker ends with the server
    server.start()
    visitor = server.visitor()
    told = status(visitor, run)
    assert told["status"] == "interrupted" and told["can_resume"]
    visitor.json("POST", f"/api/measures/{run}/resume", {})
    assert wait_for_end(visitor, run) == "finished"
    found = visitor.json("GET", f"/api/measures/{run}/result")
    expected = ng.measure("always-call", game="lhe2", by="lbr", deals=120, seed=5)
    assert numbers(found) == numbers(json.loads(json.dumps(expected.as_dict())))


@pytest.mark.slow
def test_one_at_a_time_a_visitor_and_two_on_the_server(serve):
    server = serve()
    first, second, third = (server.visitor() for _ in range(3))
    runs = [begun(first, LONG), begun(second, {**LONG, "seed": 6})]
    refused = first.post("/api/measures", json={**LONG, "seed": 7})
    assert refused.status_code == 400 and "of yours is under way" in refused.json()["error"]
    refused = third.post("/api/measures", json={**LONG, "seed": 8})
    assert refused.status_code == 400 and f"{MAX_RUNNING} measurements" in refused.json()["error"]
    for stranger in (third, second):
        assert stranger.post(f"/api/measures/{runs[0]}/stop", json={}).status_code == 403
    assert status(third, runs[0])["status"] == "running" and not status(third, runs[0])["can_stop"]
    for visitor, run in zip((first, second), runs, strict=True):
        visitor.json("POST", f"/api/measures/{run}/stop", {})
    assert begun(third, {**SMALL, "seed": 9})


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"deals": MAX_DEALS + 1}, 422, "deals"),
        ({"deals": 0}, 422, "deals"),
        ({"deals": 1}, 400, "deals = 1"),
        ({"deals": "40"}, 422, "deals"),
        ({"seed": -1}, 422, "seed"),
        ({"seed": 2**53}, 422, "seed"),
        ({"bets": "everything"}, 400, "bets"),
        ({"rounds": "9"}, 400, "rounds"),
        ({"game": "chess"}, 400, "game 'chess'"),
        ({"game": "/etc/passwd"}, 400, "is not measured here"),
        ({"method": "lbr; rm"}, 400, "method"),
        ({"episodes": 10}, 400, "episodes is no option of lbr"),
        ({"episodes": MAX_EPISODES + 1}, 422, "episodes"),
        ({"strategies": []}, 422, "strategies"),
        ({"strategies": ["always-call", "probe"]}, 400, "2 strategies"),
        ({"strategies": ["exec:rm -rf /"]}, 400, "is not offered"),
        ({"strategies": ["python:os:system"]}, 400, "is not offered"),
        ({"strategies": ["acpc:./bot"]}, 400, "is not offered"),
        ({"strategies": ["/etc/passwd"]}, 400, "is not offered"),
        ({"strategies": ["../secret.safetensors"]}, 400, "is not offered"),
        ({"strategies": ["runs/../../secret.safetensors"]}, 400, "is not offered"),
        ({"strategies": ["by-hand:poki"]}, 400, "is not offered"),
        ({"workers": 8}, 422, "workers"),
    ],
)
def test_what_is_not_offered_is_refused(serve_once, change, code, words):
    visitor = serve_once.visitor()
    refused = visitor.post("/api/measures", json={**SMALL, **change})
    assert refused.status_code == code and words in refused.json()["error"], refused.text
    assert visitor.json("GET", "/api/measures") == []


@pytest.fixture(scope="module")
def serve_once(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One server for all refusals: none of them changes anything."""
    server = Server(tmp_path_factory.mktemp("refusals") / "runs")
    yield server
    server.end()


@pytest.mark.parametrize(
    "path",
    [
        "/measures/../../../etc/passwd",
        "/measures/..%2f..%2fsecret-0123456789ab",
        "/measures/%2e%2e%2fsecret-0123456789ab",
        "/api/measures/..%2fsecret-0123456789ab/result",
        "/api/measures/secret-0123456789ab%00/result",
        "/api/measures/no-such-run-0123456789ab/result",
        "/api/measures/no-such-run-0123456789ab/events",
        "/api/measures/no-such-run-0123456789ab/hands",
        "/measures/no-such-run-0123456789ab/so-far",
        "/tournaments/..%2fsecret-0123456789ab",
        "/api/tournaments/no-such-run-0123456789ab",
    ],
)
def test_nothing_outside_the_folder_of_runs_is_read(serve_once, path):
    """Sent as it stands: a library would tidy the path up."""
    secret = serve_once.runs.parent / "secret-0123456789ab"
    secret.mkdir(exist_ok=True)
    (secret / "config.toml").write_text("words = 'the secret'")
    place = urlsplit(serve_once.address)
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split(b" ")[1] in (b"400", b"404"), answer[:200]
    assert b"the secret" not in answer and b"root:" not in answer


def measurements_of(folder: Path) -> Measurements:
    pages = RunPages(folder)
    return Measurements(CardRoom(root=folder), pages, Workshop(pages))


def measured(folder: Path, **options: Any) -> Any:
    return ng.measure("always-call", game="lhe2", by="lbr", deals=40, lines="dealt", run=folder, **options)


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path, folder):
    found = measured(tmp_path / "elsewhere")
    folder.mkdir()
    (folder / found.provenance.run.name).symlink_to(found.provenance.run, target_is_directory=True)
    solved = ng.solve("kuhn", iterations=10)
    solved.save(tmp_path / "outside.safetensors")
    (folder / "inside.safetensors").symlink_to(tmp_path / "outside.safetensors")
    pages = RunPages(folder)
    assert pages.lines() == []
    with pytest.raises(NotFoundError):
        pages.page(found.provenance.run.name)
    offers = Measurements(CardRoom(root=folder), pages, Workshop(pages)).offers("br")
    assert not any("safetensors" in offer.value for offer in offers)


def test_a_strategy_file_among_the_runs_is_offered_and_measured(folder):
    folder.mkdir()
    solved = ng.solve("kuhn", iterations=200)
    solved.save(folder / "mine.safetensors")
    measurements = measurements_of(folder)
    assert "runs/mine.safetensors" in [offer.value for offer in measurements.offers("br")]
    found = measurements.start("somebody", Wanted("br", ["runs/mine.safetensors"]))["result"]
    assert found["nash_conv"] == ng.measure(solved.strategy).nash_conv
    assert found["strategy"] == "mine.safetensors", "where it lies is nobody's business"


def test_strategies_of_spots_are_offered_where_they_can_be_measured(folder):
    folder.mkdir()
    spot = ng.solve_spot("As Kd 7h 4c 2s", "AA,QJo", "KK,87s", pot=200, stack=900, bets="100%", iterations=100)
    spot.save(folder / "spot.safetensors")
    measurements = measurements_of(folder)
    offering = [name for name in METHODS if any("spot" in offer.value for offer in measurements.offers(name))]
    assert offering == ["br"]
    found = measurements.start("somebody", Wanted("br", ["runs/spot.safetensors"]))["result"]
    assert found["exploitability"] == ng.measure(spot.strategy).exploitability


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("leduc2", {}, "over all boards"),
        ("leduc2", {"lines": "dealt", "deals": 250}, "with 97.5% confidence"),
        ("kuhn2", {"lines": "dealt", "deals": 4}, "a best response never loses"),
    ],
)
def test_how_sure_a_bound_is_stands_beside_it(folder, game, options, words):
    found = ng.measure("random", game=game, by="lbr", seed=5, run=folder, **options)
    assert words in found.meaning, "as the report says"
    sections = RunPages(folder).page(found.provenance.run.name).sections
    assert words in sections[0].figures[1].note


def test_the_page_of_a_bound_says_with_which_bets_and_in_which_rounds_lbr_chose(folder):
    told = {"game": "lhe2", "by": "lbr", "deals": 10, "seed": 5, "run": folder}
    everywhere = ng.measure("always-call", **told)
    late = ng.measure("always-call", rounds="3-4", **told)
    compared = ng.compare("always-call", "random", rounds="4", bets="fc", **told)
    found = [RunPages(folder).page(each.provenance.run.name).facts for each in (everywhere, late, compared)]
    assert [(facts["bets"], facts["rounds"]) for facts in found] == [("fcpa", "all"), ("fcpa", "3-4"), ("fc", "4")]


def test_a_study_of_rivers_has_the_rules_and_prices_of_its_report(folder):
    found = ng.explain.rivers(20, run=folder)
    page = RunPages(folder).page(found.provenance.run.name)
    assert list(page.sections) == list(found.report().sections)
    assert page.line.kind_words == "rules for rivers"


@pytest.mark.parametrize("has_gap", [True, False])
def test_a_training_is_about_its_gap_with_the_interval(folder, monkeypatch, has_gap):
    found = ng.solve("hunl-fcpa-small", iterations=200, run=folder)
    document = found.as_dict() | ({} if has_gap else {"gap": None})
    monkeypatch.setattr(Run, "load_result", lambda _: document | {"summary": ""})
    page = RunPages(folder).page(found.provenance.run.name)
    figures = {figure.name: figure for figure in page.sections[0].figures}
    assert figures["average regret"].unit == "mbb_per_hand", "every number has its unit"
    assert figures["unvisited"].value == f"{found.self_play.unvisited_share:.2%}", "as its report says"
    if not has_gap:
        assert page.line.value is None
        return
    gap, shown = found.gap, figures["gap in its abstract game"]
    assert (shown.value, shown.ci95, shown.unit) == (gap.mean, gap.ci95, gap.unit)
    assert (page.line.value.mean, page.line.value.ci95, page.line.value.unit) == (gap.mean, gap.ci95, gap.unit)


def test_a_curve_that_is_not_understood_leaves_the_plain_numbers(folder):
    found = ng.solve("kuhn", iterations=50, run=folder)
    run = found.provenance.run
    with find_run(folder, run.name).open_ledger() as ledger:
        ledger.record_points([(49.0, {"odd": 1.0})], progress=Progress(50, 50, "iterations"), elapsed=0.0)
    (figures,) = RunPages(folder).page(run.name).sections
    assert found.as_dict()["nash_conv"] in {figure.value for figure in figures.figures if figure.name == "nash conv"}


def test_the_newest_files_among_the_runs_are_offered_whatever_their_names(folder):
    (folder / "zz").mkdir(parents=True)
    solved = ng.solve("kuhn", iterations=10)
    solved.save(folder / "a.safetensors")
    for number in range(MAX_FILES):
        (folder / f"a{number}.safetensors").write_bytes((folder / "a.safetensors").read_bytes())
    os.utime(folder / "a.safetensors", (1.0, 1.0))
    solved.save(folder / "zz" / "strategy.safetensors")
    (folder / "zz" / "data.safetensors").write_bytes(b"no strategy")
    offers = [offer.value for offer in measurements_of(folder).offers("br") if "safetensors" in offer.value]
    assert "runs/zz/strategy.safetensors" in offers and "runs/a.safetensors" not in offers
    assert len(offers) == MAX_FILES and offers == sorted(offers)


def test_damaged_runs_are_named_and_break_nothing(serve, folder):
    runs = [measured(folder, seed=seed).provenance.run for seed in range(5)]
    (runs[0] / "config.toml").write_text("kind = ")
    (runs[1] / "ledger.sqlite").write_bytes(b"not a ledger")
    (runs[2] / "result.json").write_text('{"mean": 1e9}')
    (runs[3] / "result.json").unlink()
    visitor = serve().visitor()
    lines = {line["name"]: line for line in visitor.json("GET", "/api/measures")}
    assert {name: line["status"] for name, line in lines.items()} == {
        runs[0].name: "damaged",
        runs[1].name: "damaged",
        runs[2].name: "damaged",
        runs[3].name: "finished",
        runs[4].name: "finished",
    }
    listed = visitor.get("/measures")
    assert listed.status_code == 200 and all(run.name in listed.text for run in runs)
    assert str(folder) not in listed.text
    for run in runs:
        assert visitor.get(f"/measures/{run.name}").status_code == 200
        assert visitor.get(f"/api/measures/{run.name}/hands").status_code in (200, 400, 404)
        assert visitor.get(f"/measures/{run.name}/so-far").status_code == 200
    assert "damaged" in visitor.get(f"/measures/{runs[2].name}").text
    assert "1e9" not in visitor.get(f"/measures/{runs[2].name}").text and lines[runs[2].name]["value"] is None


def test_what_is_damaged_is_told_without_its_folder_wherever_the_server_was_started(folder, monkeypatch):
    """The folder of runs is `runs` where nothing else is said: a relative path, and the end of whole ones."""
    name = ng.measure("always-call", game="lhe2", by="lbr", deals=20, run=folder).provenance.run.name
    (folder / name / "config.toml").write_text("= nothing", encoding="utf-8")
    monkeypatch.chdir(folder.parent)
    pages = RunPages(Path(folder.name))
    found = pages.page(name).line.found
    assert found.startswith(f"{name}/config.toml: "), found
    assert str(folder.parent) not in found
    assert pages.told("see my-runs/a.txt and /elsewhere/runs/b.txt") == "see my-runs/a.txt and /elsewhere/runs/b.txt"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("exec:/home/ann/bots/bot.py: it ended", "exec:bot.py: it ended"),
        ("strategy 'elsewhere/of/bot.safetensors' is not offered", "strategy 'bot.safetensors' is not offered"),
        ("lbr-1/bot.safetensors: damaged", "lbr-1/bot.safetensors: damaged"),
    ],
)
def test_a_refusal_tells_files_without_their_folders(folder, text, told):
    """Those of runs keep the names that pages know."""
    assert RunPages(folder).refusal(text) == told


def test_tables_that_people_play_at_are_not_shown(serve):
    """Their runs have the seed, which is all cards."""
    visitor = serve().visitor()
    table = visitor.sit_down("lhe2", "always-call")
    assert visitor.json("GET", "/api/measures") == []
    run = f"table-lhe2-{table}"
    for path in (
        f"/measures/{run}",
        f"/api/measures/{run}",
        f"/api/measures/{run}/result",
        f"/api/measures/{run}/hands",
    ):
        assert visitor.get(path).status_code == 404
    assert visitor.post(f"/api/measures/{run}/resume", json={}).status_code == 404


def test_a_table_where_nothing_was_played_meanwhile_is_not_read_again(folder, monkeypatch):
    """It may have thousands of hands, and is in no list."""
    room, pages = CardRoom(root=folder), RunPages(folder)
    table = room.make_table(visitor_of("ann"), "lhe2", ["always-call"])
    assert pages.lines() == []
    monkeypatch.setattr("nashgap.web.run_pages.summarise", lambda _: pytest.fail("read again"))
    assert pages.lines() == [] and not table.is_finished
    room.close()


def interrupting(_: Any) -> None:
    raise KeyboardInterrupt


def half_done(folder: Path, **options: Any) -> str:
    """The name of a run that was stopped after a batch."""
    with pytest.raises(KeyboardInterrupt):
        ng.measure(by="lbr", run=folder, progress=interrupting, **options)
    (run,) = folder.glob("lbr-*")
    return run.name


def test_a_run_with_a_program_that_was_not_given_is_not_gone_on_with(tmp_path, folder):
    program = Path(__file__).parent.parent.parent / "examples" / "exec_bot.py"
    bot = f"exec:{sys.executable} {program}"
    name = half_done(folder, strategy=bot, game="leduc2", deals=100, lines="dealt")
    pages = RunPages(folder)
    strangers = Measurements(CardRoom(root=folder), pages, Workshop(pages))
    assert strangers.status(name, "")["can_resume"] is False
    with pytest.raises(ConfigError, match="programs that this server was not given"):
        strangers.resume("somebody", name)
    assert pages.page(name).line.status == "interrupted", "it is shown all the same"


def test_a_run_with_a_file_from_elsewhere_is_not_gone_on_with(tmp_path, folder):
    file = tmp_path / "elsewhere.safetensors"
    ng.solve("leduc", iterations=10).save(file)
    name = half_done(folder, strategy=str(file), game="leduc")
    pages = RunPages(folder)
    strangers = Measurements(CardRoom(root=folder), pages, Workshop(pages))
    assert strangers.status(name, "")["can_resume"] is False
    with pytest.raises(ConfigError, match=r"needs elsewhere\.safetensors, which this server was not given"):
        strangers.resume("somebody", name)
    assert str(tmp_path) not in str(pages.page(name))


def test_what_a_page_could_not_have_begun_is_not_gone_on_with(folder):
    name = half_done(folder, strategy="random", game="leduc2", deals=MAX_DEALS + 500, lines="dealt")
    measurements = measurements_of(folder)
    with pytest.raises(ConfigError, match="none that a page begins"):
        measurements.resume("somebody", name)
    with pytest.raises(KeyboardInterrupt):
        ng.measure("uniform", game="kuhn", by="abr", episodes=100, games=10**9, run=folder, progress=interrupting)
    (abr,) = folder.glob("abr-*")
    with pytest.raises(ConfigError, match="none that a page begins"):
        measurements.resume("somebody", abr.name)


@pytest.mark.slow
def test_a_process_that_no_longer_answers_is_ended_when_it_is_stopped(folder, monkeypatch):
    """As one whose class of Python keeps the interpreter to itself."""
    monkeypatch.setattr(workshop, "_STOP_SECONDS", 1.0)
    pages = RunPages(folder)
    shop = Workshop(pages)
    measurements = Measurements(CardRoom(root=folder), pages, shop)
    run = measurements.start("somebody", Wanted(**LONG))["run"]
    wait_until(lambda: measurements.status(run, "")["done"])
    (task,) = shop._tasks
    os.kill(task.child.pid, signal.SIGSTOP)
    measurements.stop("somebody", run)
    told = wait_until(lambda: (told := measurements.status(run, "somebody"))["status"] != "running" and told)
    assert told["status"] == "interrupted" and told["can_resume"]
    assert measurements.start("somebody", Wanted(**SMALL))["run"], "its place is free again"
    shop.close()


def test_who_asks_again_to_stop_is_not_waited_for_and_puts_nothing_off(folder, monkeypatch):
    monkeypatch.setattr(workshop, "_STOP_SECONDS", 3.0)
    shop, task = Workshop(RunPages(folder)), workshop._Task("1", "somebody", told=Told("a-run"))
    shop._tasks.append(task)
    first = Thread(target=shop.stop, args=("somebody", "a-run"))
    first.start()
    stops_at = wait_until(lambda: task.stops_at)
    shop.stop("somebody", "a-run")
    assert first.is_alive() and task.stops_at == stops_at
    task.over.set()
    first.join()


@pytest.mark.slow
def test_a_program_that_ends_on_the_way_is_told_to_who_looks_at_the_run(folder, tmp_path):
    example = (Path(__file__).parents[2] / "examples" / "exec_bot.py").read_text()
    program = tmp_path / "mortal.py"
    ending = "    if question['id'] > 8: sys.exit(3)\n"
    program.write_text(example.replace("    answer =", f"{ending}    answer ="))
    pages = RunPages(folder)
    room = CardRoom(root=folder)
    room.given = [parse_bot(f"exec:{sys.executable} {program}")]
    shop = Workshop(pages)
    measurements = Measurements(room, pages, shop)
    run = measurements.start("somebody", Wanted("lbr", [room.given[0].text], "lhe2", deals=20_000))["run"]
    told = wait_until(lambda: (told := measurements.status(run, "")) and told["status"] != "running" and told)
    assert told["status"] == "failed" and "mortal.py" in told["problem"] and "\n" not in told["problem"]
    assert str(tmp_path) not in told["problem"]
    assert measurements.status(run, "somebody")["can_resume"]
    shop.close()


def test_a_hand_is_replayed_with_chips_that_add_up():
    rules = load_rules("lhe2")
    example = {
        "deal": 19, "seat": 1, "lbr_cards": "3c2c", "bot_cards": "KcQc", "board": "3d6d8c5c3s",
        "line": "rc/rrrrc/rrrrc/rc", "won": 16.0,
    }  # fmt: skip
    hand = example_hand(rules, example, "sb_per_hand")
    assert [seat["name"] for seat in hand["seats"]] == ["LBR", "bot"] and hand["won"] == "+16.00 sb"
    texts = [step["text"] for step in hand["steps"]]
    assert texts[:4] == ["the cards are dealt", "bot raises to 20", "LBR calls 10", "flop: 3d 6d 8c"]
    assert texts[-1] == "LBR wins 320"
    for step in hand["steps"]:
        assert step["pot"] == sum(seat["in_pot"] for seat in step["seats"])
    assert [step["pot"] for step in hand["steps"]] == sorted(step["pot"] for step in hand["steps"])
    assert hand["steps"][-1]["pot"] == 320 and len(hand["steps"][-1]["board"]) == 5
    assert hand["steps"][0]["seats"][1]["is_turn"] and hand["steps"][0]["seats"][0]["bet"] == 10


def test_behind_an_all_in_no_board_is_made_up():
    example = {
        "deal": 1, "seat": 2, "lbr_cards": "TdTc", "bot_cards": "2c8d", "board": "", "line": "r20000c///", "won": 1.0
    }  # fmt: skip
    hand = example_hand(load_rules("hunl"), example, "mbb_per_hand")
    assert hand["steps"][-1]["board"] == [] and "mean over the boards to come" in hand["steps"][-1]["text"]
    assert hand["steps"][-1]["pot"] == 40000


@pytest.mark.parametrize(
    "change",
    [
        {"line": "rrx"},
        {"line": "r1"},
        {"seat": 9},
        {"seat": inf},
        {"lbr_cards": "AsAs"},
        {"board": "zz"},
        {"won": None},
    ],
)
def test_a_damaged_hand_is_refused(change):
    example = {
        "deal": 1, "seat": 1, "lbr_cards": "3c2c", "bot_cards": "KcQc", "board": "3d6d8c5c3s", "line": "rc/cc/cc/cc",
        "won": 1.0,
    }  # fmt: skip
    situation = {"situation": "s", "example": example | change}
    with pytest.raises((FileFormatError, ng.NashGapError)):
        replayed_hands(load_rules("lhe2"), [situation], "sb_per_hand")


def test_the_value_of_a_run_is_told_with_its_unit():
    told = {"mean": 2.0, "ci95": 0.1, "unit": "sb_per_hand"}
    value = value_of("lbr", told)
    assert value is not None and (value.text, value.unit, value.what) == ("2.00 ± 0.10", "sb_per_hand", "LBR wins")
    exact = value_of("solve", {"nash_conv": 0.25, "unit": "antes_per_hand"})
    assert exact is not None and exact.ci95 is None and exact.text == "0.2500"
    spot = value_of("spot", {"exploitability": 0.2, "exploitability_percent": 0.1})
    assert (spot.mean, spot.unit) == (0.1, "% of the pot")
    assert value_of("dataset", {}) is None


@pytest.fixture
def namesakes(tmp_path: Path) -> list[str]:
    """Two versions of a strategy, in files of one name."""
    files = [tmp_path / folder / "bot.safetensors" for folder in ("old", "new")]
    for iterations, file in enumerate(files, start=5):
        file.parent.mkdir()
        ng.solve("kuhn2", iterations=iterations).save(file)
    return [str(file) for file in files]


def test_a_tournament_of_files_has_its_intervals_and_tells_no_folder(tmp_path, folder, namesakes):
    """The result has names of agents as texts and as keys."""
    toml = tmp_path / "small.toml"
    toml.write_text(f'game = "kuhn2"\ndeals = 60\nagents = {json.dumps([*namesakes, "always-call"])}\n')
    played = ng.tournament(toml, run=folder)
    pages, name = RunPages(folder), played.provenance.run.name
    view = Tournaments(pages).view(name)
    assert set(view.players) == {"old/bot.safetensors", "new/bot.safetensors", "always-call"}
    assert all("±" in rank.winrate and rank.bankroll_sure and rank.runoff_sure for rank in view.ranks)
    assert all(row.mean.interval for row in view.rows)
    assert str(tmp_path) not in json.dumps([pages.document(name), view.as_dict()])


@pytest.mark.parametrize("by", ["match", "lbr"])
def test_two_versions_in_files_of_one_name_are_told_apart(tmp_path, folder, namesakes, by, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a short path stands in the summary
    versions = [str(Path(file).relative_to(tmp_path)) for file in namesakes]
    name = ng.compare(*versions, game="kuhn2", by=by, deals=100, run=folder).provenance.run.name
    pages = RunPages(folder)
    assert pages.document(name)["versions"] == versions
    assert all(version in pages.line(name).found for version in versions)
    page = str(pages.page(name).sections)
    assert all(f"'{version}'" in page for version in versions)


@pytest.mark.parametrize("name", ["bot.safetensors", 'an "odd" bot\'s <b>file.safetensors'])
def test_no_list_of_runs_tells_where_a_file_lies(tmp_path, folder, namesakes, name):
    file = tmp_path / "a folder" / name
    file.parent.mkdir()
    Path(namesakes[0]).rename(file)
    found = ng.match(str(file), "always-call", game="kuhn2", deals=20, run=folder)
    pages = RunPages(folder)
    (line,) = pages.lines()
    assert line.value is not None and line.value.what == f"{name} wins" and line.found.startswith(f"{name} wins")
    assert pages.document(line.name)["agents"] == [name, "always-call"]
    for told in (line, pages.document(line.name), pages.page(line.name)):
        assert str(tmp_path) not in str(told)
    assert found.as_dict()["agents"] == [str(file), "always-call"]
