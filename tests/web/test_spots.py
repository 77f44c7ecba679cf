"""Spots over HTTP: the runs are those of `nashgap solve-spot`, locks too; and what is refused, limited and kept."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from serving import Server
from waiting import wait_until

import nashgap as ng
from nashgap.jobs.perform import job_of
from nashgap.jobs.spot import SpotJob
from nashgap.runs.folder import find_run
from nashgap.strategies.spot_lock import parse_lock
from nashgap.web.api import CardRoom
from nashgap.web.guard import LARGER_BODIES, MAX_BODY
from nashgap.web.run_pages import RunPages
from nashgap.web.spot_locks import Painted, Relocked, painted_lock
from nashgap.web.spot_sizes import MAX_BYTES, expected_iterations, iterations_until
from nashgap.web.spots import EXAMPLES, LEAST_UNTIL, MAX_LOCKS, Spots, described_range
from nashgap.web.worker import SPOT_FILE
from nashgap.web.workshop import Workshop

RIVER = {
    "board": "As Kd 7h 4c 2s", "oop": "AA, QJo, T9s:0.5", "ip": "KK, AJs", "pot": 200, "stacks": [900, 900],
    "bets": "50%,100%", "raises": "a", "until": 0.1,
}  # fmt: skip
LONG = {**RIVER, "board": "As Kd 7h 4c", "oop": "88+, AT+, T9s", "ip": "77+, A9s+", "bets": "75%", "until": LEAST_UNTIL}
# Seconds of work, however quick the machine: its first points are there long before its last.
FLOP = {**RIVER, "board": "Td 9d 6h", "oop": "TT+, AQs+, AKo, KQs", "ip": "JJ-66, AJs-ATs, KQs, QJs, JTs, T9s"}
FLOP |= {"pot": 60, "stacks": [270, 270], "bets": "50% / 66% / 66%", "raises": "a", "until": 0.5}


def status(visitor: Any, run: str) -> dict[str, Any]:
    return visitor.json("GET", f"/api/spots/{run}")


def solved(visitor: Any, asked: dict[str, Any], path: str = "/api/spots") -> str:
    run = visitor.json("POST", path, asked)["run"]
    assert wait_until(lambda: (told := status(visitor, run)["status"]) != "running" and told) == "finished"
    return run


def spot_of(asked: dict[str, Any]) -> Any:
    stack = tuple(asked["stacks"])
    told = {name: asked[name] for name in ("pot", "bets", "raises")}
    return ng.make_spot(asked["board"], asked["oop"], asked["ip"], stack=stack, **told)


def numbers(document: dict[str, Any]) -> str:
    """All but what is of the machine, and the price, which is found of two runs."""
    others = ("seconds", "summary", "locks", "lock_costs")
    return json.dumps({key: value for key, value in document.items() if key not in others})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture(scope="module")
def serve_once(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One server for what changes nothing."""
    server = Server(tmp_path_factory.mktemp("spots") / "runs")
    yield server
    server.end()


def test_a_spot_of_the_page_is_the_run_of_the_command_to_the_last_bit(serve, folder):
    visitor = serve().visitor()
    run = solved(visitor, RIVER)
    document = visitor.json("GET", f"/api/measures/{run}/result")
    expected = ng.solve_spot(spot_of(RIVER), until=0.1)
    assert numbers(document) == numbers(json.loads(json.dumps(expected.as_dict())))
    again = ng.solve_spot(spot_of(RIVER), until=0.1, run=folder)
    assert again.provenance.run == folder / run and again.provenance.finished_at is not None, "nothing was done again"
    kept = ng.load(str(folder / run / "solution.safetensors"))
    assert kept.digest and kept.values() == expected.strategy.values()
    tables = expected.strategy.ranges.tables
    assert all((kept.ranges.tables[name] == table).all() for name, table in tables.items())


def test_what_was_solved_is_shown_and_walked_through(serve):
    visitor = serve().visitor()
    run = solved(visitor, RIVER)
    told = status(visitor, run)
    page = visitor.get(f"/spots/{run}").text
    expected = ng.solve_spot(spot_of(RIVER), until=0.1)
    assert expected.summary in page and f"{expected.values[0]:.2f}" in page and "% of the pot" in page
    assert f"{expected.root.range_equity:.1%}" in page and "/look?strategy=" in page
    seen = visitor.request("GET", "/api/look", params={"strategy": told["strategy"], "after": "x"}).json()
    assert seen["value"] == expected.at("x").value
    assert run in visitor.get("/spots/new").text


def test_what_is_never_done_is_none_of_the_range(folder):
    found = ng.solve_spot(spot_of(RIVER), iterations=5, locks=["= x"], run=folder)
    sections = RunPages(folder).page(found.provenance.run.name).sections
    (first,) = [each for each in sections if each.title == "The first decision"]
    assert {row[0]: row[1] for row in first.rows} == dict.fromkeys(found.root.words, "0%") | {"check": "100%"}


@pytest.mark.slow
def test_a_spot_of_the_command_tells_its_rake(serve, folder):
    found = ng.solve_spot(spot_of(RIVER), iterations=5, run=folder)
    raked = ng.solve_spot(replace(spot_of(RIVER), rake=(0.05, 30.0)), iterations=5, run=folder)
    visitor = serve().visitor()
    pages = [visitor.get(f"/spots/{each.provenance.run.name}").text for each in (found, raked)]
    assert "<dt>rake</dt>" not in pages[0]
    assert "<dt>rake</dt><dd>5% up to 30 chips</dd>" in pages[1], "as its report says"


def test_the_curve_falls_until_it_is_as_good_as_was_asked_for(serve):
    visitor = serve().visitor()
    run = visitor.json("POST", "/api/spots", FLOP)["run"]
    seen: list[list[list[float]]] = []

    def is_over() -> bool:
        told = status(visitor, run)
        seen.append(told["points"])
        return told["status"] != "running"

    wait_until(is_over)
    points = seen[-1]
    gaps = [gap for _, _, gap in points]
    assert gaps[-1] <= FLOP["until"] < gaps[-2] and len(points) >= 5
    assert all(later < 1.1 * earlier for earlier, later in pairwise(gaps))
    assert [step for step, _, _ in points] == sorted({step for step, _, _ in points})
    assert all(points[: len(each)] == each for each in seen), "it only grows"
    assert len({len(each) for each in seen}) > 2, "it was seen to grow"
    assert "Convergence" in visitor.get(f"/spots/{run}/so-far").text


@pytest.mark.parametrize("locks", [["x = b100 KK; x"], ["= x", "x = x"], ["ip = f"]])
def test_a_spot_with_locks_is_that_of_the_library_with_their_price(serve, locks):
    visitor = serve().visitor()
    run = solved(visitor, {**RIVER, "locks": locks})
    document = visitor.json("GET", f"/api/measures/{run}/result")
    expected = ng.solve_spot(spot_of(RIVER), locks=locks, until=0.1)
    assert numbers(document) == numbers(json.loads(json.dumps(expected.as_dict())))
    page = visitor.get(f"/spots/{run}").text
    assert "What the locks change" in page
    assert all(f"{-cost:+.2f}" in page for cost in expected.costs)


def test_a_painted_decision_is_locked_as_it_is_but_for_the_paint(serve, folder):
    visitor = serve().visitor()
    run = solved(visitor, RIVER)
    base = ng.solve_spot(spot_of(RIVER), until=0.1).strategy
    paint = {"place": "x", "classes": {"AJs": [0.25, 0.75, 0.0]}}
    assert len(base.at("x").actions) == 3
    again = solved(visitor, {"painted": [paint]}, f"/api/spots/{run}/again")
    assert again != run
    (lock,) = find_run(folder, again).config.identity["locks"]
    text = f"{lock['place']} = {lock['plays']}"
    expected = ng.solve_spot(spot_of(RIVER), locks=[text], until=0.1)
    document = visitor.json("GET", f"/api/measures/{again}/result")
    assert numbers(document) == numbers(json.loads(json.dumps(expected.as_dict())))
    locked, before = expected.at("x"), base.at("x")
    assert locked.hand("AdJd") == pytest.approx({"x": 0.25, "b100": 0.75, "b200": 0.0}, abs=1e-6)
    assert locked.hand("KsKh") == pytest.approx(before.hand("KsKh"), abs=1e-3), "as it was, to 0.1%"
    assert status(visitor, again)["without_locks"] == f"{run}/solution.safetensors"


def test_locks_of_a_run_are_kept_removed_or_painted_anew(serve, folder):
    visitor = serve().visitor()
    run = solved(visitor, {**RIVER, "locks": ["= x", "x = x"]})
    assert status(visitor, run)["places"] == ["", "x"]
    fewer = solved(visitor, {"kept": [1]}, f"/api/spots/{run}/again")
    assert status(visitor, fewer)["places"] == ["x"]
    asked = {"kept": [0, 1], "painted": [{"place": "x", "classes": {}}]}
    anew = solved(visitor, asked, f"/api/spots/{run}/again")
    plays = {each["place"]: each["plays"] for each in find_run(folder, anew).config.identity["locks"]}
    assert plays.keys() == {"", "x"} and plays[""] == "x"


@pytest.mark.slow
def test_a_killed_server_leaves_a_spot_that_goes_on_to_the_same_numbers(serve, folder):
    server = serve()
    visitor = server.visitor()
    run = visitor.json("POST", "/api/spots", LONG)["run"]
    wait_until(lambda: status(visitor, run)["done"])
    server.kill()
    wait_until(lambda: not find_run(folder, run).is_being_worked_on)
    server.start()
    visitor = server.visitor()
    told = status(visitor, run)
    assert told["status"] == "interrupted" and told["can_resume"]
    assert visitor.json("POST", f"/api/spots/{run}/resume", {})["run"] == run
    wait_until(lambda: status(visitor, run)["status"] == "finished")
    document = visitor.json("GET", f"/api/measures/{run}/result")
    expected = ng.solve_spot(spot_of(LONG), until=LEAST_UNTIL)
    assert numbers(document) == numbers(json.loads(json.dumps(expected.as_dict())))


@pytest.mark.slow
def test_a_spot_is_stopped_and_goes_on_and_counts_as_a_visitors_work(serve):
    server = serve()
    visitor, other = server.visitor(), server.visitor()
    run = visitor.json("POST", "/api/spots", LONG)["run"]
    refused = visitor.post("/api/spots", json=RIVER)
    assert refused.status_code == 400 and "of yours is under way" in refused.json()["error"]
    assert other.post(f"/api/measures/{run}/stop", json={}).status_code == 403
    stopped = visitor.json("POST", f"/api/measures/{run}/stop", {})
    assert stopped["status"] == "interrupted"
    assert other.json("POST", f"/api/spots/{run}/resume", {})["run"] == run
    wait_until(lambda: status(visitor, run)["status"] == "finished")
    assert status(visitor, run)["strategy"]


def test_a_run_of_the_command_gets_its_strategy_by_going_on(serve, folder):
    made = ng.solve_spot(spot_of(RIVER), until=0.1, run=folder)
    run = made.provenance.run.name
    visitor = serve().visitor()
    told = status(visitor, run)
    assert told["status"] == "finished" and told["strategy"] is None and told["can_resume"]
    assert visitor.post(f"/api/spots/{run}/again", json={"painted": [{"place": ""}]}).status_code == 400
    visitor.json("POST", f"/api/spots/{run}/resume", {})
    assert wait_until(lambda: status(visitor, run)["strategy"]) == f"{run}/solution.safetensors"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_are_as_large_as_a_page_allows(serve_once, example):
    wanted = example.spot
    asked = {
        "board": wanted.board, "oop": wanted.oop, "ip": wanted.ip, "pot": wanted.pot, "stacks": list(wanted.stacks),
        "bets": wanted.bets, "raises": wanted.raises, "until": wanted.until,
    }  # fmt: skip
    told = serve_once.visitor().json("POST", "/api/spots/size", asked)
    assert 0 < told["bytes"] <= MAX_BYTES and 0 < told["seconds"] < 300
    own = SpotJob(spot_of(asked), until=wanted.until).size
    assert told["decisions"] == own.num_action_nodes and told["bytes"] == own.num_bytes
    assert f"{own.num_action_nodes:,} decisions" in told["text"]


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"board": "As Kd"}, 400, "3 to 5 different cards"),
        ({"board": "As As 7h"}, 400, "As"),
        ({"board": "banana"}, 400, "no card 'Ba'"),
        ({"board": "A" * 41}, 422, "board"),
        ({"oop": "22+, banana"}, 400, "range item 'banana'"),
        ({"oop": "AKs:2"}, 400, "weight"),
        ({"oop": ""}, 400, "the ranges leave no deal"),
        ({"oop": "A" * 6001}, 422, "oop"),
        ({"ip": "AsKd"}, 400, "the ranges leave no deal"),
        ({"pot": 0}, 422, "pot"),
        ({"pot": 10**9}, 422, "pot"),
        ({"pot": "200"}, 422, "pot"),
        ({"stacks": [900]}, 422, "stacks"),
        ({"stacks": [900, -1]}, 422, "stacks"),
        ({"bets": "lots"}, 400, "lots"),
        ({"bets": "5000%"}, 400, "more than the stack"),
        ({"until": 0}, 422, "until"),
        ({"until": 0.001}, 400, "accuracy"),
        ({"until": "soon"}, 422, "until"),
        ({"locks": ["nonsense"]}, 400, "lock 'nonsense'"),
        ({"locks": ["x = b17"]}, 400, "not in the tree"),
        ({"locks": ["= x"] * (MAX_LOCKS + 1)}, 422, "locks"),
        ({"file": "/etc/passwd"}, 422, "file"),
        ({"board": "Td 9d 6h", "oop": "any", "ip": "any", "bets": "30%,50%,80%,a", "raises": "50%,a"}, 400, "memory"),
        ({"board": "Td 9d 6h", "bets": "min", "raises": "min", "pot": 2, "stacks": [9999, 9999]}, 400, "of"),
    ],
)
def test_what_is_nonsense_or_too_much_is_refused_by_one_line(serve_once, change, code, words):
    visitor = serve_once.visitor()
    for path in ("/api/spots", "/api/spots/size"):
        refused = visitor.post(path, json={**RIVER, **change})
        told = refused.json()["error"]
        assert refused.status_code == code and words in told and "\n" not in told, (path, refused.text)
    assert visitor.json("GET", "/api/measures") == []


@pytest.mark.parametrize(
    ("asked", "code", "words"),
    [
        ({}, 400, "0 locks; 1 to 20"),
        ({"kept": [3]}, 400, "lock 3"),
        ({"painted": [{"place": "x b7"}]}, 400, "not in the tree"),
        ({"painted": [{"place": "x x"}]}, 409, "the hand is over"),
        ({"painted": [{"place": "", "classes": {"ZZ": [1, 0, 0]}}]}, 400, "hands 'ZZ'"),
        ({"painted": [{"place": "", "classes": {"AA": [1]}}]}, 400, "AA: 1 shares"),
        ({"painted": [{"place": "", "classes": {"AA": [0.2, 0.2, 0.2]}}]}, 400, "AA: 3 shares"),
        ({"painted": [{"place": "", "classes": {"AA": [2, 0, 0]}}]}, 422, "less than or equal to 1"),
        ({"painted": [{"place": "x" * 401}]}, 422, "place"),
        ({"locks": ["= b3"]}, 400, "not in the tree"),
        ({"file": "x"}, 422, "file"),
    ],
)
def test_locks_that_make_no_sense_are_refused_by_one_line(river_run, asked, code, words):
    visitor, run = river_run
    refused = visitor.post(f"/api/spots/{run}/again", json=asked)
    told = refused.json()["error"]
    assert refused.status_code in (code, 400) and words in told and "\n" not in told, refused.text
    assert len(visitor.json("GET", "/api/measures")) == 1


@pytest.fixture(scope="module")
def river_run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A visitor, and a solved river."""
    server = Server(tmp_path_factory.mktemp("river") / "runs")
    visitor = server.visitor()
    yield visitor, solved(visitor, RIVER)
    server.end()


def test_a_decision_is_painted_anew_however_its_lock_was_typed(folder):
    """`X b200` is `x b200` to the solver: a page that took it for another would have it locked twice."""
    locked = ng.solve_spot(spot_of(RIVER), locks=["X  B200 = c", "= x"], until=5.0, run=folder)
    run = locked.provenance.run
    locked.save(run / "solution.safetensors")
    pages = RunPages(folder)
    told = Spots(CardRoom(root=folder), pages, Workshop(pages)).status(run.name, "")
    assert told["places"] == ["x b200", ""]
    asked = Relocked(job_of(find_run(folder, run.name)), run / "solution.safetensors", (Painted("x b200", {}),))
    assert [lock.place for lock in asked.job().locks] == ["", "x b200"]


def test_damaged_spots_are_shown_with_what_is_damaged_and_go_on_where_they_can(serve, folder):
    def made(board: str) -> Path:
        found = ng.solve_spot(spot_of({**RIVER, "board": board}), until=5.0, run=folder)
        found.save(found.provenance.run / SPOT_FILE)
        return found.provenance.run

    result, ledger = made("As Kd 7h 4c 2s"), made("As Kd 7h 4c 2h")
    (result / "result.json").write_text("{}")
    (ledger / "ledger.sqlite").write_bytes(b"no ledger")
    visitor = serve().visitor()
    for run, words in ((result, "it is not what was written"), (ledger, "file is not a database")):
        assert status(visitor, run.name)["status"] == "damaged"
        for path in (f"/spots/{run.name}", f"/spots/{run.name}/so-far"):
            page = visitor.get(path, headers={"accept": "text/html"})
            assert page.status_code == 200, page.text
        page = visitor.get(f"/spots/{run.name}").text
        assert words in page and str(folder) not in page
    visitor.json("POST", f"/api/spots/{result.name}/resume", {})
    assert wait_until(lambda: (told := status(visitor, result.name)["status"]) != "running" and told) == "finished"


def test_only_runs_of_spots_are_spots(serve, folder):
    other = ng.measure("always-call", game="lhe2", by="lbr", deals=40, lines="dealt", run=folder)
    visitor = serve().visitor()
    for run in (other.provenance.run.name, "spot-none-0123456789ab"):
        assert visitor.get(f"/api/spots/{run}").status_code == 404
        assert visitor.get(f"/spots/{run}").status_code == 404
        assert visitor.get(f"/spots/{run}/so-far").status_code == 404
        assert visitor.post(f"/api/spots/{run}/again", json={"painted": [{"place": ""}]}).status_code == 404
        assert visitor.post(f"/api/spots/{run}/resume", json={}).status_code == 404


def test_painted_decisions_take_a_larger_body_and_nothing_else_does(river_run):
    visitor, run = river_run
    classes = {name: [0.25, 0.5, 0.25] for name in ("AA", "KK")}
    body = {"painted": [{"place": "", "classes": classes}], "locks": [" " * 1900 + "ip = f"] * 15}
    assert len(json.dumps(body)) > MAX_BODY
    assert visitor.post(f"/api/spots/{run}/again", json={**body, "kept": [7]}).status_code == 400
    too_large = {**body, "locks": ["ip = f" * 300] * 40}
    assert len(json.dumps(too_large)) > LARGER_BODIES[0][1]
    assert visitor.post(f"/api/spots/{run}/again", json=too_large).status_code == 413
    assert visitor.post("/api/spots", json=body).status_code == 413


def test_a_range_and_its_text_are_kept_in_step(serve_once):
    visitor = serve_once.visitor()
    told = visitor.json("POST", "/api/spots/range", {"text": "22+, AKs:0.5, AhKd"})
    own = ng.parse_range("22+, AKs:0.5, AhKd")
    assert told["text"] == "22+, AKs:0.5, AhKd" and told["hands"] == own.num_combos
    assert told["cells"][1] == 0.5 and told["cells"][13] == pytest.approx(1 / 12, abs=1e-6)
    painted = visitor.json(
        "POST", "/api/spots/range", {"text": told["text"], "painted": {"AKs": 1, "22": 0, "QJs": 0.25}}
    )
    expected = ng.parse_range("33+, AKs, AhKd, QJs:0.25")
    assert ng.parse_range(painted["text"]) == expected and painted["text"] == expected.text
    assert visitor.post("/api/spots/range", json={"text": "22+, A"}).status_code == 400
    assert visitor.post("/api/spots/range", json={"text": "", "painted": {"AKs": 1.5}}).status_code == 422
    assert visitor.post("/api/spots/range", json={"text": "", "painted": {"AAs": 1}}).status_code == 400


def test_single_hands_stay_where_their_class_is_not_painted():
    assert described_range("AhKh, 99", {"88": 1.0})["text"] == "99-88, AhKh"
    assert described_range("AhKh, 99", {"AKs": 0.0})["text"] == "99"


def test_a_decision_that_is_locked_as_it_is_reads_back_as_a_lock():
    strategy = ng.solve_spot(spot_of(RIVER), until=0.5).strategy
    lock = painted_lock(strategy, Painted("", {}))
    again = parse_lock(str(lock))
    assert again == lock
    (locked,) = again.range_locks(strategy.spot)
    view = strategy.at("")
    assert locked.strategy[view.numbers] == pytest.approx(view.probabilities, abs=1e-3)


def test_as_many_iterations_are_expected_as_the_curve_says():
    points = [{"iteration": 10.0, "exploitability_percent": 8.0}, {"iteration": 20.0, "exploitability_percent": 2.0}]
    assert expected_iterations(points, 0.5) == 40, "it falls as the square"
    assert expected_iterations(points[:1], 0.5) == iterations_until(0.5) == 100
    assert expected_iterations(points, 5.0) == 20
