"""What is told beside a hand, and when: open cards, the coach, winnings without luck, and deals that come again."""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from contextlib import ExitStack
from itertools import pairwise, permutations
from threading import Lock

import numpy as np
import pytest
from serving import chips_of
from test_tables import all_heard, cards_in, config_of, listen, scripted
from waiting import wait_until

import nashgap as ng
from nashgap.agents.named import load_agent
from nashgap.arena.table import deal_cards
from nashgap.cards.card import format_card, parse_cards
from nashgap.errors import IllegalActionError
from nashgap.poker.rules import load_rules
from nashgap.poker.state import CALL, FOLD
from nashgap.poker.typed_state import state_after
from nashgap.runs import find_run
from nashgap.web.choice_values import values_of
from nashgap.web.coach import Coaches
from nashgap.web.duplicate import LATER, half_block, hands_of_deal, plan_hand, told_after
from nashgap.web.luck import LEAST_HANDS
from nashgap.web.one_at_a_time import MOST_AT_ONCE


def texts(cards):
    return [format_card(card) for card in cards]


def own_seat(hand):
    return next(seat for seat, told in enumerate(hand["seats"]) if told["is_you"])


def ask_coach(visitor, table, hand, coach):
    body = {"coach": coach, "hand": hand["number"], "step": hand["step"]}
    return visitor.post(f"/api/tables/{table}/coach", json=body)


def review(visitor, table, number, coach):
    return visitor.post(f"/api/tables/{table}/hands/{number}/review", json={"coach": coach})


def open_hand(visitor, table, number):
    return visitor.get(f"/api/tables/{table}/hands/{number}/open")


def calling(hand):
    return "c"


def test_no_byte_tells_a_card_or_a_strategy_before_the_hand_is_over(serve, bot):
    """All that can be asked is asked at every decision, and all that is answered is read."""
    server = serve(bot)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", bot, open=True, coach=True)
    seed, rules = config_of(server, table)["identity"]["seed"], load_rules("hunl")
    streamed = listen(server, visitor, table)
    num_hidden = 0
    for number in range(1, 31):
        deal = deal_cards(rules, seed, number - 1)
        visitor.heard.clear()
        hand = visitor.view(table)["hand"]
        own = own_seat(hand)
        agents = set(texts(deal.hole_cards[1 - own]))
        while not hand["is_over"]:
            for wrong in (number, number + 1):
                assert open_hand(visitor, table, wrong).status_code == 409
                assert review(visitor, table, wrong, bot).status_code == 409
            told = ask_coach(visitor, table, hand, bot)
            assert told.status_code == 200 and "grid" not in told.json()
            allowed = set(texts(deal.hole_cards[own])) | set(hand["board"])
            assert cards_in(all_heard(visitor)) <= allowed
            hand = visitor.act(table, hand, scripted(hand))["hand"]
            if not hand["is_over"]:
                assert not cards_in(all_heard(visitor)) & agents
        is_shown = sum(not seat["has_folded"] for seat in hand["seats"]) > 1
        num_hidden += not is_shown
        if not is_shown:
            assert not cards_in(all_heard(visitor)) & agents, "a hand without a showdown tells nothing by itself"
        opened = open_hand(visitor, table, number).json()
        assert [set(agent["cards"]) for agent in opened["agents"]] == [agents]
        unseen = set(texts(deal.board)) - set(hand["board"])
        assert not cards_in(json.dumps(opened)) & unseen, "cards that never came stay unknown"
        visitor.next_hand(table, hand)
    assert num_hidden > 3
    assert str(seed) not in "".join(streamed) + all_heard(visitor)
    for line in streamed:
        if line.startswith("data: "):
            told = json.loads(line.removeprefix("data: "))["hand"]
            agents = set(texts(deal_cards(rules, seed, told["number"] - 1).hole_cards[1 - own_seat(told)]))
            if not told["is_over"] or sum(not seat["has_folded"] for seat in told["seats"]) < 2:
                assert not cards_in(line) & agents


def test_hands_are_opened_only_where_the_table_was_made_so_and_only_to_who_sits_there(serve, bot):
    server = serve(bot)
    visitor, stranger = server.visitor(), server.visitor()
    stranger.sit_down("hunl", "always-call", open=True, coach=True)
    closed = visitor.sit_down("hunl", bot)
    visitor.play(closed, 1, calling)
    for refused in (open_hand(visitor, closed, 1), review(visitor, closed, 1, bot)):
        assert refused.status_code == 400 and "was made without" in refused.json()["error"]
    assert visitor.json("GET", f"/api/tables/{closed}/coaches") == []
    table = visitor.sit_down("hunl", bot, open=True, coach=True)
    hand = visitor.play(table, 1, calling)[0]
    assert open_hand(visitor, table, 1).status_code == 200
    assert open_hand(stranger, table, 1).status_code == 403
    assert review(stranger, table, 1, bot).status_code == 403
    assert ask_coach(stranger, table, hand, bot).status_code == 403
    assert stranger.get(f"/api/tables/{table}/coaches").status_code == 403
    for path in ("/hands/0/open", "/hands/-1/open", "/hands/x/open", "/hands/99999999999/open"):
        assert visitor.get(f"/api/tables/{table}{path}").status_code == 404
    for coach in ("/etc/passwd", "exec:touch made", "always-call", "poki", ""):
        refused = review(visitor, table, 1, coach)
        assert refused.status_code == 400 and "not offered" in refused.json()["error"]


def test_cards_of_people_are_not_opened(serve):
    server = serve()
    first, second = server.visitor(), server.visitor()
    table = first.sit_down("lhe3", "probe", "person", open=True, anonymous=True)
    second.json("POST", f"/api{first.view(table)['invitation']}", {"name": "Bob"})
    for _ in range(12):
        views = [first.view(table)["hand"], second.view(table)["hand"]]
        acting = [hand["choices"] is not None for hand in views]
        if True not in acting:
            break
        hand = views[acting.index(True)]
        (first, second)[acting.index(True)].act(table, hand, "f" if hand["choices"]["can_fold"] else "c")
    hand = second.view(table)["hand"]
    seed, rules = config_of(server, table)["identity"]["seed"], load_rules("lhe3")
    deal, own = deal_cards(rules, seed, 0), own_seat(first.view(table)["hand"])
    opened = open_hand(second, table, 1)
    assert [agent["name"].startswith("Player ") for agent in opened.json()["agents"]] == [True]
    assert hand["is_over"] and not cards_in(opened.text) & set(texts(deal.hole_cards[own]))
    assert "probe" not in opened.text and "Bob" not in opened.text


def test_opened_strategies_are_what_show_says(serve, bot):
    server = serve(bot)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", bot, open=True)
    visitor.play(table, 1, calling)
    (agent,) = open_hand(visitor, table, 1).json()["agents"]
    first = agent["decisions"][0]
    assert first["street"] == "preflop"
    view = ng.show(bot, after="c")
    held = view.hand("".join(agent["cards"]))
    assert [action["of_hand"] for action in first["actions"]] == pytest.approx(list(held.values()), abs=1e-4)
    shares = {cell["name"]: cell["shares"] for cell in first["grid"]}
    for name, expected in view.classes.items():
        assert shares[name] == pytest.approx(list(expected.values()), abs=1e-4)
    assert first["did"] in view.words


def test_agents_that_ignore_their_cards_or_tell_nothing_say_so(serve):
    visitor = serve().visitor()
    table = visitor.sit_down("lhe3", "probe", "poki", open=True)
    visitor.play(table, 2, calling)
    for number in (1, 2):
        chump, poki = open_hand(visitor, table, number).json()["agents"]
        assert "ignores its cards" in chump["note"] and chump["decisions"][0]["ignores_cards"]
        assert poki["decisions"] == [] and "only its cards" in poki["note"]
        assert len(poki["cards"]) == 2


def test_the_coach_says_how_often_and_what_it_cost_with_units(serve, bot):
    server = serve(bot)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", bot, coach=True)
    hand = visitor.view(table)["hand"]
    told = ask_coach(visitor, table, hand, bot).json()
    cards = "".join(hand["seats"][own_seat(hand)]["cards"])
    assert [each["of_hand"] for each in told["actions"]] == pytest.approx(
        list(ng.show(bot).hand(cards).values()), abs=1e-4
    )
    for _ in range(40):  # until one goes to the river before all chips are in
        (hand,) = visitor.play(table, 1, calling)
        if len(hand["board"]) == 5 and hand["pot"] < 10_000:
            break
        visitor.next_hand(table, hand)
    found = review(visitor, table, hand["number"], bot).json()
    by_street = {decision["street"]: decision for decision in found["decisions"]}
    assert "before the flop" in by_street["preflop"]["value"]["note"] and by_street["preflop"]["value"]["by"] is None
    assert "on the flop" in by_street["flop"]["value"]["note"]
    for street in ("turn", "river"):
        value = by_street[street]["value"]
        assert (value["by"], value["unit"]) == ("range solver", "chips")
        chips = {each["words"]: each["chips"] for each in value["values"]}
        assert value["lost"] == pytest.approx(max(chips.values()) - chips[value["chosen"]], abs=0.011)
    assert by_street["river"]["value"]["left_to_exploit"] <= 0.5
    shares = {each["words"]: each["of_hand"] for each in by_street["preflop"]["actions"]}
    assert by_street["preflop"]["share"] == shares[by_street["preflop"]["did"]]


def test_folding_the_nuts_on_the_river_costs_at_least_the_pot(bot):
    rules = load_rules("hunl")
    state = state_after(rules, "cc/cc/cc/r350", "AsKsQs2d3c")
    value = values_of(load_agent(bot, rules).strategy, Lock(), state, FOLD, tuple(parse_cards("JsTs")))
    assert value["lost"] >= state.pot and value["best"] != "fold"


def test_the_range_solver_draws_nothing_in_the_terminal_of_the_server(bot, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    rules = load_rules("hunl")
    state = state_after(rules, "cc/cc/cc/", "AsKsQs2d3c")
    assert values_of(load_agent(bot, rules).strategy, Lock(), state, CALL, tuple(parse_cards("JsTs")))["by"]
    assert capsys.readouterr().err == ""


def test_a_visitor_asks_one_coach_at_a_time():
    coaches = Coaches(lambda name, rules: pytest.fail("not opened"))
    with coaches._thinking.of("ann"):
        with coaches._thinking.of("bob"):
            pass
        with pytest.raises(IllegalActionError, match="still thinking"), coaches._thinking.of("ann"):
            pass
    with coaches._thinking.of("ann"):
        pass


def test_who_asks_a_coach_when_many_others_do_is_to_come_again_and_holds_no_thread():
    coaches = Coaches(lambda name, rules: pytest.fail("not opened"))
    with ExitStack() as thinking:
        for number in range(MOST_AT_ONCE):
            thinking.enter_context(coaches._thinking.of(f"visitor {number}"))
        with pytest.raises(IllegalActionError, match="try again"), coaches._thinking.of("ann"):
            pass
    with coaches._thinking.of("ann"):
        pass


def wait_for_luck(visitor, table, words):
    def told():
        luck = visitor.view(table)["score"]["luck"]
        return luck["rate"] and words in luck["note"] and luck

    return wait_until(told, words)


@pytest.mark.slow
def test_winnings_without_luck_are_those_of_the_log(serve, bot, tmp_path):
    server = serve(bot)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", bot, name="ann")
    visitor.play(table, 15, scripted)
    wait_for_luck(visitor, table, "hands")
    visitor.next_hand(table, visitor.view(table)["hand"])
    visitor.play(table, 10, scripted)
    told = wait_for_luck(visitor, table, "after 25 hands")
    log = tmp_path / "hands.log"
    log.write_bytes(visitor.get(f"/api/tables/{table}/hands.log").content)
    found = ng.acpc.aivat(log, "hunl", known={"bot.safetensors": bot})
    expected = found.corrected_estimate(found.players.index("ann"))
    assert (told["mean"], told["ci95"]) == pytest.approx((expected.mean, expected.ci95), rel=1e-6)


@pytest.mark.parametrize(
    ("game", "opponents", "options", "words"),
    [
        ("lhe2", ["poki"], {}, "does not tell"),
        ("lhe2", ["probe"], {"anonymous": True}, "anonymous"),
        ("lhe3", ["probe", "probe"], {}, "open cards"),
        ("lhe2", ["probe"], {}, f"after {LEAST_HANDS} hands"),
    ],
)
def test_where_luck_is_not_taken_off_it_says_why(serve, game, opponents, options, words):
    visitor = serve().visitor()
    table = visitor.sit_down(game, *opponents, **options)
    visitor.play(table, 3, calling)
    luck = visitor.view(table)["score"]["luck"]
    assert luck["rate"] is None and words in luck["note"]


def is_same_but_for_suits(one, two):
    """Whether some change of the suits makes the one row of cards the other."""
    return any([card - card % 4 + suits[card % 4] for card in one] == list(two) for suits in permutations(range(4)))


@pytest.mark.parametrize("game", ["lhe2", "lhe3"])
def test_duplicate_deals_come_again_in_every_seat_with_other_suits_and_much_later(game):
    rules = load_rules(game)
    seats, half = rules.num_seats, half_block(rules.num_seats)
    num_hands = 2 * 2 * half * seats  # two blocks
    hands = {number: plan_hand(rules, 7, number, LATER) for number in range(1, num_hands + 1)}
    assert set(Counter(hand.deal_number for hand in hands.values()).values()) == {seats}
    for number, hand in hands.items():
        numbers = hands_of_deal(seats, 7, number)
        twins = [hands[each] for each in numbers]
        assert number in numbers and {twin.deal_number for twin in twins} == {hand.deal_number}
        assert all(later - earlier > half for earlier, later in pairwise(numbers))
        for seat in range(seats):
            assert {twin.player_at[seat] for twin in twins} == set(range(seats)), "everybody has held these cards"
        flat = [[*np.concatenate(twin.deal.hole_cards), *twin.deal.board] for twin in twins]
        assert all(is_same_but_for_suits(flat[0], other) for other in flat[1:])
        assert len({tuple(each) for each in flat}) == seats, "suits are others each time"
        assert hand.player_at[-1] == (number - 1) % seats, "the button moves on as ever"
    assert hands[3] == plan_hand(rules, 7, 3, LATER) and hands[3].deal != plan_hand(rules, 8, 3, LATER).deal
    for number in hands:
        after = told_after(seats, number)
        told = {each for each in hands if told_after(seats, each) == after}
        assert {each for one in told for each in hands_of_deal(seats, 7, one)} == told, "whole deals"
        assert max(told) == after and len(told) == half * seats
    order = [hands[number].deal_number for number in range(2 * half + 1, 4 * half + 1)]
    assert order != sorted(order), "nobody can count to when a deal comes back"


def test_a_duplicate_table_tells_nothing_until_its_deals_were_played_in_all_seats_also_after_a_kill(serve, bot):
    server = serve(bot)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", bot, open=True, coach=True, duplicate="later")
    seed, rules = config_of(server, table)["identity"]["seed"], load_rules("hunl")
    refused = ask_coach(visitor, table, visitor.view(table)["hand"], bot)
    assert refused.status_code == 400 and "come again" in refused.json()["error"]
    won, cards = [], []

    def note(hand):
        planned = plan_hand(rules, seed, hand["number"], LATER)
        own = own_seat(hand)
        assert hand["seats"][own]["cards"] == texts(planned.deal.hole_cards[own])
        won.append(chips_of(hand["seats"][own]["won"]))
        cards.append(planned)

    size = 2 * half_block(2)
    for number in range(1, size + half_block(2) + 4):
        if number > 1:  # none is begun after the last: an agent may fold it at once, and then it counts
            visitor.next_hand(table, visitor.view(table)["hand"])
        if number == size + 3:
            view = visitor.view(table)
            server.kill()
            server.start()
            visitor.base_url, visitor.headers["origin"] = server.address, server.address
            assert visitor.view(table)["hand"] == view["hand"]
        (hand,) = visitor.play(table, 1, scripted)
        note(hand)
        told = visitor.view(table)
        if number < size + half_block(2):  # or what was told of the others would say which deal must still come
            assert told["score"]["duplicate"]["rate"] is None and told["last_told"] is None
        for each in hands_of_deal(2, seed, number):
            opened = open_hand(visitor, table, each)
            is_told = number >= size + half_block(2) and (each - 1) % size < half_block(2)
            assert opened.status_code == (200 if is_told else 409)
            if not is_told:
                assert review(visitor, table, each, bot).status_code == 409
            else:
                held = texts(cards[each - 1].deal.hole_cards[cards[each - 1].player_at.index(1)])
                assert opened.json()["agents"][0]["cards"] == held
    for each in range(1, number + 1):
        is_first_half = (each - 1) % size < half_block(2)
        assert open_hand(visitor, table, each).status_code == (200 if is_first_half else 409)
    pairs = [hands_of_deal(2, seed, number) for number in range(1, half_block(2) + 1)]
    means = [(won[a - 1] + won[b - 1]) / 2 for a, b in pairs]
    told = visitor.view(table)["score"]["duplicate"]
    assert told["deals"] == len(means) > 10
    assert float(told["rate"].split(" ± ")[0].replace(",", "")) == pytest.approx(np.mean(means) * 10, abs=0.51)


def test_another_person_plays_the_same_cards_from_the_other_seat(serve, bot):
    server = serve(bot)
    first, second, third = server.visitor(), server.visitor(), server.visitor()
    table = first.sit_down("hunl", bot, open=True, duplicate="person")
    link = first.view(table)["invitation"]
    assert first.view(table)["options"]["twin_is_missing"]
    first.play(table, 2, calling)
    assert open_hand(first, table, 1).status_code == 409
    assert first.post(f"/api{link}", json={}).status_code == 400, "who knows the cards cannot play them again"
    twin = second.json("POST", f"/api{link}", {"name": "Bob"})["table"]
    assert twin != table and third.post(f"/api{link}", json={}).status_code == 409
    assert second.json("POST", f"/api{link}", {}) == {"table": twin}
    assert second.get(f"/api/tables/{table}").status_code == first.get(f"/api/tables/{twin}").status_code == 403
    (hand,) = second.play(twin, 1, calling)
    identities = [tomllib.loads((find_run(server.runs, each).folder / "config.toml").read_text())["identity"]
                  for each in (table, twin)]  # fmt: skip
    assert identities[0]["seed"] == identities[1]["seed"]
    opened = open_hand(first, table, 1).json(), open_hand(second, twin, 1).json()
    assert open_hand(first, table, 2).status_code == 409, "the other has not played it"
    mine = hand["seats"][own_seat(hand)]["cards"]
    theirs = opened[0]["agents"][0]["cards"]
    assert sorted(card[0] for card in mine) == sorted(card[0] for card in theirs), "what the agent held there"
    boards = [[card[0] for card in each["board"]] for each in opened]
    length = min(map(len, boards))  # one of them may have ended early
    assert boards[0][:length] == boards[1][:length]
    assert opened[0]["board"] != opened[1]["board"] or mine != theirs, "with other suits"
    server.kill()
    server.start()
    for visitor in (first, second):
        visitor.base_url, visitor.headers["origin"] = server.address, server.address
    assert second.view(twin)["hand"] == hand and open_hand(first, table, 1).json() == opened[0]
    second.next_hand(twin, hand)
    second.play(twin, 1, calling)
    score = first.view(table)["score"]["duplicate"]
    assert score["deals"] == 2 and "the other table" in score["whose"]
    assert second.view(twin)["score"]["duplicate"]["rate"] == score["rate"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "lhe3", "opponents": ["probe", "probe"], "duplicate": "person"}, 400),
        ({"game": "hunl", "opponents": ["person"], "duplicate": "person"}, 400),
        ({"game": "hunl", "opponents": ["probe"], "duplicate": "twice"}, 422),
        ({"game": "hunl", "opponents": ["probe"], "open": "yes"}, 422),
    ],
)
def test_options_that_do_not_go_together_are_refused(serve, body, status):
    assert serve().visitor().post("/api/tables", json=body).status_code == status
