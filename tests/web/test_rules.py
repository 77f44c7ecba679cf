"""The pages of rules and the quiz: shown at once, answered by keys, and silent about what is right until then."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest
from browsing import DESK, PHONE, needs_chromium

from nashgap.core.estimate import Estimate
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.river_rules import RiverRules, sentences
from nashgap.explanations.river_spots import sample_spot
from nashgap.web.api import NotFoundError
from nashgap.web.rules import QuizRoom, page_data

ASKED = {"number", "card", "own", "their", "beats", "ante", "stack", "step", "score", "answer"}


def test_an_answer_is_counted_once_and_tells_what_the_equilibrium_does():
    room = QuizRoom()
    view = room.begin("visitor")
    assert set(view) == ASKED and view["answer"] is None and view["number"] == 1
    told = room.answer("visitor", 1, "all-in")
    sitting = room._sitting("visitor")
    cost = sitting.question.answer(30).cost / 0.5
    assert told["answer"]["bet"] == 3.0 and told["answer"]["cost_antes"] == pytest.approx(cost)
    assert sum(each["chance"] for each in told["answer"]["equilibrium"]) == pytest.approx(1.0)
    assert told["score"]["answers"] == 1 and told["score"]["total_antes"] == pytest.approx(cost)
    with pytest.raises(IllegalActionError, match="question 1 is not open"):
        room.answer("visitor", 1, "check")
    following = room.next_question("visitor", 1)
    assert following["number"] == 2 and following["answer"] is None and following["score"]["answers"] == 1
    with pytest.raises(IllegalActionError, match="question 2 is not answered"):
        room.next_question("visitor", 2)
    with pytest.raises(ConfigError, match="not possible"):
        room.answer("visitor", 2, "7")


def test_a_quiz_goes_on_where_it_stands_and_begins_again_when_told():
    room = QuizRoom()
    first = room.begin("visitor")
    assert room.begin("visitor") == first
    room.answer("visitor", 1, "check")
    assert room.begin("visitor")["answer"] is not None
    assert room.begin("visitor", is_again=True)["score"]["answers"] == 0


def test_the_number_of_quizzes_is_bounded():
    room = QuizRoom(max_sittings=2)
    for visitor in ("first", "second", "third"):
        room.begin(visitor)
    with pytest.raises(NotFoundError):
        room.view("first")
    assert room.view("third")["number"] == 1


def test_nothing_about_the_right_answer_is_sent_before_the_answer(serve):
    """Every byte that was sent by then is looked at: only what the question shows is there."""
    visitor = serve().visitor()
    for path in ("/rules/quiz", "/static/quiz.js"):
        assert visitor.get(path).status_code == 200
    view = visitor.json("POST", "/api/rules/quiz", {})
    for number in range(1, 4):
        body = json.loads(visitor.heard[-1].partition(b"\n\n")[2])
        assert set(body) == ASKED and body["answer"] is None
        for word in (b'equilibrium":[', b"cost", b"calls", b'rule"', b"seed", b"value"):
            assert word not in visitor.heard[-1]
        told = visitor.json("POST", "/api/rules/quiz/answer", {"number": view["number"], "bet": "0.5"})
        assert told["answer"]["equilibrium"] and told["score"]["answers"] == number
        view = visitor.json("POST", "/api/rules/quiz/next", {"number": told["number"]})


def test_a_quiz_belongs_to_its_visitor_and_bad_answers_are_refused(serve):
    server = serve()
    first, second = server.visitor(), server.visitor()
    first.json("POST", "/api/rules/quiz", {})
    assert second.get("/api/rules/quiz").status_code == 404
    bad: list[tuple[Any, int]] = [
        ({"number": 1, "bet": "-1"}, 400),
        ({"number": 1, "bet": "nan"}, 400),
        ({"number": 2, "bet": "1"}, 409),
        ({"number": 1, "bet": "1" * 21}, 422),
        ({"number": 1, "bet": 1}, 422),
        ({"number": 1, "bet": "1", "more": 1}, 422),
    ]
    for body, status in bad:
        assert first.post("/api/rules/quiz/answer", json=body).status_code == status, body
    assert first.json("GET", "/api/rules/quiz")["score"]["answers"] == 0


def test_the_rules_page_has_every_rule_price_and_leaf(serve):
    page = serve().visitor().get("/rules").text.replace("&#39;", "'")
    found = page_data("bet-size-rules")
    for rule in found["rules"]:
        assert rule["sentence"] in page
    for each in found["compared"]:
        assert each["name"] in page and f"{each['price']['mean']:.4f}" in page
    assert page.count('class="leaf"') == json.dumps(found["tree"]).count('"sentence"') == 16
    size = sum(len(each.read_bytes()) for each in resources.files("nashgap.web").joinpath("data").iterdir())
    assert size < 300_000


def test_the_rivers_page_has_every_rule_and_price_and_they_are_what_the_code_finds(serve):
    """The file of the page is made beforehand: the rules' price is found again, in the same unseen spots."""
    found = page_data("rivers")
    page = serve().visitor().get("/rules/rivers").text
    for sentence in found["rules"]:
        assert sentence in page
    for each in found["compared"]:
        assert each["name"] in page
        for told in (each["price"], each["lost"]):
            assert f"{told['mean']:.2f} ± {told['ci95']:.2f}%" in page
    rules = RiverRules(**found["numbers"])
    assert list(sentences(rules)) == found["rules"]
    unseen = [sample_spot(found["seed"], found["train"] + number) for number in range(found["test"])]
    prices = [spot.exploitability(rules.play(spot)) for spot in unseen]
    price = Estimate.from_samples(prices, unit=found["unit"], method="exact", seed=found["seed"])
    (told,) = [each["price"] for each in found["compared"] if each["name"] == "the rules"]
    assert (price.mean, price.ci95) == pytest.approx((told["mean"], told["ci95"]), abs=1e-3)


def test_quiz_and_rules_say_what_an_ante_is(serve):
    """Answers are priced in antes, rules and bets in dollars."""
    visitor = serve().visitor()
    for path in ("/rules", "/rules/quiz"):
        assert f"an ante of {Stakes().ante:.2f} dollars" in visitor.get(path).text, path


@needs_chromium
def test_on_a_narrow_phone_nothing_is_cut(serve, open_page):
    page = open_page(serve().address + "/rules", (360, 780))
    assert (
        len(set(page.evaluate("[...document.querySelectorAll('.head a')].slice(1).map((each) => each.offsetTop)"))) == 1
    )
    for path in ("/rules", "/rules/rivers"):
        page.goto(page.url.partition("/rules")[0] + path)
        whole, shown = page.evaluate(
            "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.wide'))"
        )
        assert whole == shown, path


@needs_chromium
@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_the_quiz_is_answered_by_keys_and_by_buttons(serve, open_page, size, scheme):
    page = open_page(serve().address + "/rules", size, scheme)
    page.get_by_role("button", name="Close all").click()
    assert page.locator(".tree details[open]").count() == 0
    page.get_by_role("link", name="Take the quiz").click()
    page.wait_for_selector("[data-state=asking]")
    assert page.locator("figure svg rect").count() == 20 and page.locator(".bar.is-held").count() == 1
    assert not page.locator(".verdict").is_visible()
    page.keyboard.press("1")
    assert "Bet 1.00" in page.locator(".give").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-state=answered]")
    assert "equilibrium plays" in page.locator(".verdict").inner_text()
    assert "1 answer" in page.locator(".score").inner_text()
    page.keyboard.press("n")
    page.wait_for_selector("[data-state=asking]")
    page.locator(".presets button", has_text="All-in").click()
    page.locator(".give").click()
    page.wait_for_selector("[data-state=answered]")
    assert "2 answers" in page.locator(".score").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
