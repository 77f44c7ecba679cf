"""Tables by HTTP: the same hands as the engine's, kept through a kill, and nobody's cards told before their time."""

from __future__ import annotations

import asyncio
import json
import random
import re
import sqlite3
import threading
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from choosing import answer_for
from serving import chips_of

from nashgap.api.runs import resume
from nashgap.arena.acpc.log import MatchLog, check_log
from nashgap.arena.phh import read_log_hands, read_phh_hands
from nashgap.arena.session import Session, SessionSetup
from nashgap.arena.table import Deal, deal_cards
from nashgap.cards.card import format_card
from nashgap.errors import ConfigError, FileFormatError
from nashgap.poker.replay import chips_before_round
from nashgap.poker.rules import load_rules
from nashgap.runs import find_run
from nashgap.strategies.spec import parse_bot
from nashgap.web import app
from nashgap.web.api import CardRoom, visitor_of
from nashgap.web.streams import Streams
from nashgap.web.tables import Table


def scripted(hand):
    """The answer to a view of the server's."""
    choices = hand["choices"]
    sizes = None if choices["raise"] is None else (choices["raise"]["least"], choices["raise"]["most"])
    return answer_for(hand["number"], hand["step"], choices["can_fold"], sizes, choices["has_sizes"])


class SilentScreen:
    """Keeps the hands of a session and shows nothing."""

    def __init__(self):
        self.hands = []
        self.number = 0

    def say(self, line="", style=""):
        pass

    def answer(self, line):
        raise AssertionError(line)

    def start_hand(self, hand_number, names):
        self.number = hand_number

    def end_hand(self, hand):
        self.hands.append(hand)

    def ask(self, view, choices):
        """The same answers as `scripted`, from the engine's view."""
        state, legal = view.state, view.legal
        before = chips_before_round(state)[view.seat]
        sizes = (legal.min_raise_to - before, legal.max_raise_to - before) if legal.can_raise else None
        has_sizes = view.rules.has_sizes and legal.min_raise_to < legal.max_raise_to
        step = sum(len(actions) for actions in state.history)
        return answer_for(self.number, step, legal.can_fold, sizes, has_sizes)


def config_of(server, table):
    return tomllib.loads((find_run(server.runs, table).folder / "config.toml").read_text())


def in_process(server, table, opponents, num_hands):
    """The hands that the engine plays in the terminal's session with the table's seed and the same answers."""
    identity = config_of(server, table)["identity"]
    rules, screen = load_rules(identity["rules"]["name"]), SilentScreen()
    bots = tuple(parse_bot(text, kind="agent") for text in opponents)
    session = Session(SessionSetup(rules, bots, hands=num_hands, seed=identity["seed"]), screen.ask, screen)
    session.play(MatchLog(None))
    return screen.hands


@pytest.mark.parametrize(
    ("game", "opponents", "num_hands"),
    [
        ("hunl", ["poki"], 120),
        ("lhe2", ["random"], 120),
        ("lhe3", ["poki", "probe"], 120),
        ("lhe3", ["resident-lhe3", "poki"], 40),
    ],
)
def test_hands_by_http_are_those_of_the_engine(serve, game, opponents, num_hands):
    check_against_engine(serve(), game, opponents, num_hands)


@pytest.mark.parametrize("game", ["hunl", "lhe2", "lhe3"])
def test_a_resident_is_offered_first(game, tmp_path):
    """Behind what the server was started with; at other tables it does not play."""
    room, probing = CardRoom(root=tmp_path), CardRoom(["triple(0.1,0.4,0.5)"], tmp_path)
    assert room.opponents(game)[0] == f"resident-{game}"
    assert [text for text in room.opponents(game) if text.startswith("resident")] == [f"resident-{game}"]
    assert room.coaches_for(game)[0] == f"resident-{game}"
    assert probing.opponents(game)[:2] == ["triple(0.1,0.4,0.5)", f"resident-{game}"]


@pytest.mark.slow
def test_a_thousand_hands_by_http_are_those_of_the_engine(serve):
    check_against_engine(serve(), "hunl", ["poki"], 1000)


def check_against_engine(server, game, opponents, num_hands):
    visitor = server.visitor()
    table = visitor.sit_down(game, *opponents)
    played = visitor.play(table, num_hands, scripted)
    expected = in_process(server, table, opponents, num_hands)
    for told, hand in zip(played, expected, strict=True):
        won = [chips_of(seat["won"]) for seat in told["seats"]]
        assert won == pytest.approx(list(hand.payoffs), abs=1e-6)
        assert told["board"] == [format_card(card) for card in hand.state.board]
    assert len(visitor.view(table)["hand"]["told"]) > 0


def test_an_agent_with_memory_plays_on_after_a_kill_as_if_nothing_had_happened(serve):
    server = serve()
    visitor = server.visitor()
    opponents = ["poki-sim"]
    table = visitor.sit_down("lhe2", *opponents)
    played = visitor.play(table, 12, scripted)
    view = visitor.next_hand(table, played[-1])
    if not view["hand"]["is_over"]:
        visitor.act(table, view["hand"], scripted(view["hand"]))
    before = visitor.view(table)
    server.kill()
    server.start()
    visitor.base_url, visitor.headers["origin"] = server.address, server.address
    after = visitor.view(table)
    assert after["hand"] == before["hand"] and after["score"] == before["score"]
    assert after["version"] > before["version"], "a page that is still open takes it for newer"
    played += visitor.play(table, 8, scripted)
    expected = in_process(server, table, opponents, 20)
    won = [[chips_of(seat["won"]) for seat in told["seats"]] for told in played]
    assert won == [pytest.approx(list(hand.payoffs), abs=1e-6) for hand in expected]


@pytest.mark.slow
def test_a_server_that_is_killed_at_any_moment_loses_nothing_that_it_answered(serve):
    """Killed again and again while a player acts without a pause; the hands are those of an engine left in peace."""
    server = serve()
    visitor = server.visitor()
    opponents, most_kills = ["poki", "random"], 5
    table = visitor.sit_down("lhe3", *opponents)
    delays = random.Random(7)
    ended, last, num_kills = {}, (0, 0), 0
    killer = threading.Timer(delays.uniform(0.1, 0.8), server.process.kill)
    killer.start()
    while num_kills < most_kills or len(ended) < 40:
        try:
            hand = visitor.view(table)["hand"]
            assert (hand["number"], hand["step"]) >= last
            if hand["is_over"]:
                ended[hand["number"]] = [chips_of(seat["won"]) for seat in hand["seats"]]
                hand = visitor.next_hand(table, hand)["hand"]
            else:
                hand = visitor.act(table, hand, scripted(hand))["hand"]
            last = hand["number"], hand["step"]
        except httpx.TransportError:
            server.process.wait(20)
            server.start()
            visitor.base_url, visitor.headers["origin"] = server.address, server.address
            num_kills += 1
            if num_kills < most_kills:
                killer = threading.Timer(delays.uniform(0.1, 0.8), server.process.kill)
                killer.start()
    expected = in_process(server, table, opponents, len(ended))
    assert [ended[number] for number in sorted(ended)] == [
        pytest.approx(list(hand.payoffs), abs=1e-6) for hand in expected
    ]


def test_a_table_is_continued_in_the_browser_only(serve):
    server = serve()
    table = server.visitor().sit_down("hunl", "always-call")
    with pytest.raises(ConfigError, match="it goes on in the browser: nashgap serve"):
        resume(table, root=server.runs)


def all_heard(visitor):
    return b"\n".join(visitor.heard).decode()


def cards_in(text):
    return set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text))


@pytest.mark.parametrize(("game", "opponents"), [("hunl", ["poki"]), ("lhe3", ["poki", "random"])])
def test_no_byte_tells_a_card_before_its_time(serve, game, opponents):
    """Reads all that is sent during many hands, streams and exports included, and knows all cards from the seed."""
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down(game, *opponents)
    seed, rules = config_of(server, table)["identity"]["seed"], load_rules(game)
    streamed = listen(server, visitor, table)
    num_showdowns = num_hidden = 0
    visitor.heard.clear()
    for number in range(60):
        deal = deal_cards(rules, seed, number)
        hand = visitor.view(table)["hand"]
        own = next(seat for seat, told in enumerate(hand["seats"]) if told["is_you"])
        while True:
            allowed = {format_card(card) for card in deal.hole_cards[own]} | set(hand["board"])
            shown = hand["is_over"] and sum(not seat["has_folded"] for seat in hand["seats"]) > 1
            for seat, cards in enumerate(deal.hole_cards):
                if shown and not hand["seats"][seat]["has_folded"]:
                    allowed |= {format_card(card) for card in cards}
            assert cards_in(all_heard(visitor)) <= allowed
            assert set(hand["board"]) == {format_card(card) for card in deal.board[: len(hand["board"])]}
            if hand["is_over"]:
                break
            hand = visitor.act(table, hand, scripted(hand))["hand"]
        num_showdowns += shown
        num_hidden += not shown
        visitor.heard.clear()
        log = visitor.get(f"/api/tables/{table}/hands.log").text.splitlines()
        line = [row for row in log if row.startswith("STATE:")][-1]
        pairs = {line.split(":")[3][place : place + 2] for place in range(len(line))}
        assert not pairs & ({format_card(card) for cards in deal.hole_cards for card in cards} - allowed)
        visitor.heard.clear()
        visitor.next_hand(table, hand)
        visitor.heard.clear()
    assert num_showdowns > 5 and num_hidden > 5, "both must have been seen"
    assert_stream_is_clean(streamed, rules, seed)
    assert str(seed) not in "".join(streamed)


def listen(server, visitor, table):
    """The lines of the table's events as they come, until the server ends."""
    lines = []
    ready = threading.Event()

    def read():
        cookies = dict(visitor.cookies)
        try:
            with httpx.stream("GET", f"{server.address}/api/tables/{table}/events", cookies=cookies, timeout=60) as got:
                for line in got.iter_lines():
                    lines.append(line)
                    ready.set()
        except httpx.HTTPError:
            pass

    threading.Thread(target=read, daemon=True).start()
    assert ready.wait(20)
    return lines


def assert_stream_is_clean(lines, rules, seed):
    views = [json.loads(line.removeprefix("data: ")) for line in list(lines) if line.startswith("data: ")]
    assert len(views) > 100
    assert all(re.fullmatch(r"(id: \d+|: still here|data: .+)?", line) for line in list(lines)), "and nothing else"
    for view in views:
        hand = view["hand"]
        deal = deal_cards(rules, seed, hand["number"] - 1)
        is_showdown = hand["is_over"] and sum(not seat["has_folded"] for seat in hand["seats"]) > 1
        allowed = set(hand["board"])
        for seat, cards in enumerate(deal.hole_cards):
            if hand["seats"][seat]["is_you"] or (is_showdown and not hand["seats"][seat]["has_folded"]):
                allowed |= {format_card(card) for card in cards}
        assert cards_in(json.dumps(view)) <= allowed


def test_exported_hands_replay_to_the_same_results(serve, tmp_path):
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down("lhe3", "poki", "probe")
    played = visitor.play(table, 30, scripted)
    rules = load_rules("lhe3")
    log = tmp_path / "hands.log"
    log.write_bytes(visitor.get(f"/api/tables/{table}/hands.log").content)
    checked = check_log(log, rules)
    assert (checked.num_hands, checked.num_mismatches, checked.has_score) == (30, 0, True)
    phh = tmp_path / "hands.phhs"
    phh.write_bytes(visitor.get(f"/api/tables/{table}/hands.phhs").content)
    for told, hand in zip(played, read_phh_hands(phh, rules), strict=True):
        won = [chips_of(seat["won"]) for seat in told["seats"]]
        assert won == pytest.approx(list(hand.payoffs), abs=1e-6)
        assert won == pytest.approx(list(hand.state.payoffs(hand.hole_cards)), abs=1e-6)


@pytest.mark.parametrize("anonymous", [False, True])
def test_a_second_person_joins_by_link_and_sees_only_the_own_cards(serve, anonymous):
    server = serve()
    first, second = server.visitor(), server.visitor()
    table = first.sit_down("lhe3", "probe", "person", name="Ann", anonymous=anonymous)
    waiting = first.view(table)
    assert waiting["hand"] is None and waiting["missing"] == 1
    assert second.get(f"/api/tables/{table}").status_code == 403
    link = waiting["invitation"]
    assert second.get(link).status_code == 200
    assert second.json("POST", f"/api{link}", {"name": "Bob"}) == {"table": table}
    seed, rules = config_of(server, table)["identity"]["seed"], load_rules("lhe3")
    for number in range(6):
        deal = deal_cards(rules, seed, number)
        while True:
            views = [first.view(table)["hand"], second.view(table)["hand"]]
            for hand in views:
                own = next(seat for seat, told in enumerate(hand["seats"]) if told["is_you"])
                assert hand["seats"][own]["cards"] == [format_card(card) for card in deal.hole_cards[own]]
                if not hand["is_over"]:
                    assert [seat["cards"] is not None for seat in hand["seats"]].count(True) == 1
                names = {seat["name"] for seat in hand["seats"]} - {"you"}
                if anonymous:
                    assert all(name.startswith("Player ") for name in names)
                else:
                    assert names in ({"Ann", "probe"}, {"Bob", "probe"})
            if views[0]["is_over"]:
                break
            acting = [hand["choices"] is not None for hand in views]
            assert acting.count(True) == 1
            who = (first, second)[acting.index(True)]
            who.act(table, views[acting.index(True)], "c")
        assert first.next_hand(table, views[0])["hand"]["number"] == number + 1, "the other is not ready"
        assert second.next_hand(table, views[1])["hand"]["number"] == number + 2
    if anonymous:
        everything = all_heard(first) + all_heard(second) + first.get(f"/api/tables/{table}/hands.log").text
        assert "probe" not in everything and "Bob" not in everything and "Ann" not in everything


@pytest.fixture
def room(tmp_path):
    with closing(CardRoom(root=tmp_path / "runs")) as opened:
        yield opened


def call_through(table, num_hands):
    """Everybody who is asked calls."""
    while len(table.finished) < num_hands or not table.hand.state.is_over:
        hand = table.hand
        if hand.state.is_over:
            table.ask_next(0, hand.number)
        else:
            table.act(hand.player, hand.number, len(hand.actions), "c")


def with_other_hidden_cards(hand, player, rng):
    """The same hand with other cards wherever the player has seen none: of others, and of the board to come."""
    state, own = hand.state, hand.seat_of(player)
    is_shown = state.is_over and state.has_folded.count(False) > 1
    seen = [seat == own or (is_shown and not state.has_folded[seat]) for seat in range(len(hand.player_at))]
    board = hand.deal.board[: len(state.board)]
    kept = {*board, *(card for seat, cards in enumerate(hand.deal.hole_cards) if seen[seat] for card in cards)}
    others = rng.sample([card for card in range(52) if card not in kept], 52 - len(kept))
    dealt = tuple(
        cards if seen[seat] else tuple(others.pop() for _ in cards) for seat, cards in enumerate(hand.deal.hole_cards)
    )
    return replace(hand, deal=Deal(dealt, (*board, *(others.pop() for _ in hand.deal.board[len(board) :]))))


@pytest.mark.parametrize(("game", "opponents"), [("hunl", ["poki"]), ("lhe3", ["poki", "person"])])
@pytest.mark.parametrize("options", [{}, {"is_anonymous": True, "is_open": True, "has_coach": True}])
def test_what_is_told_does_not_depend_on_cards_that_were_not_seen(room, game, opponents, options):
    """However they might be written: with other cards in their places every byte is the same."""
    table = room.make_table(visitor_of("ann"), game, opponents, **options)
    if table.is_waiting:
        room.join(room.invitation(table), visitor_of("bob"))
    people = [visitor for visitor in map(visitor_of, ("ann", "bob")) if table.player_of(visitor) is not None]
    rng, num_compared = random.Random(1), 0

    def told(visitor):
        view = json.dumps(room.view(table.identifier, visitor))
        return view, room.log_text(table.identifier, visitor), room.phh_bytes(table.identifier, visitor)

    call_through(table, 1)
    for number in range(2, 14):
        for person in people:
            table.ask_next(table.player_of(person), number - 1)
        while True:
            hand = table.hand
            for visitor in people:
                expected = told(visitor)
                table.hand = with_other_hidden_cards(hand, table.player_of(visitor), rng)
                if hand.state.is_over:
                    table.finished[-1] = table.hand
                assert told(visitor) == expected
                num_compared += table.hand.deal != hand.deal
                table.hand = hand
                if hand.state.is_over:
                    table.finished[-1] = hand
            if hand.state.is_over:
                break
            sizes = hand.state.legal.can_raise
            can_fold, steps = hand.state.legal.can_fold, len(hand.actions)
            answer = answer_for(number, steps, can_fold, (1, 1) if sizes else None, False)
            table.act(hand.player, number, steps, "min" if answer == "r" else answer)
    assert num_compared > 30


def test_a_view_is_never_older_than_its_version(room, monkeypatch):
    """Something is done while it is made: a page takes the later of two, and a stale one of the same age would stay."""
    table = room.make_table(visitor_of("ann"), "hunl", ["always-call"])
    names = Table.names.fget

    def meddle(self):
        if not self.hand.actions:
            self.act(0, 1, 0, "c")
        return names(self)

    monkeypatch.setattr(Table, "names", property(meddle))
    view = room.view(table.identifier, visitor_of("ann"))
    assert view["hand"]["step"] == len(table.hand.actions) or view["version"] < table.version


def test_players_whose_names_are_the_same_in_a_log_are_told_apart_there(room, tmp_path):
    table = room.make_table(visitor_of("ann"), "lhe2", ["always-call"], name="always call")
    call_through(table, 10)
    log = tmp_path / "hands.log"
    log.write_text(room.log_text(table.identifier, visitor_of("ann")))
    won = Counter()
    for hand in read_log_hands(log, table.rules):
        won.update(dict(zip(hand.players, hand.payoffs, strict=True)))
    assert won == {"always-call": sum(table.totals[0]), "always-call-2": sum(table.totals[1])}


def test_the_score_of_a_log_is_that_of_its_hands_also_while_one_ends(room, tmp_path):
    """A hand counts among those that are over a moment before its chips are in the score."""
    table = room.make_table(visitor_of("ann"), "lhe2", ["always-call"])
    call_through(table, 10)
    while table.totals[0][-1] == 0:  # which would not be missed
        call_through(table, len(table.finished) + 1)
    for chips in table.totals:
        chips.pop()
    log = tmp_path / "hands.log"
    log.write_text(room.log_text(table.identifier, visitor_of("ann")))
    score = log.read_text().splitlines()[-1].split(":")
    won = dict(zip(score[2].split("|"), map(float, score[1].split("|")), strict=True))
    expected = Counter()
    for hand in read_log_hands(log, table.rules):
        expected.update(dict(zip(hand.players, hand.payoffs, strict=True)))
    assert won == expected


def test_a_table_with_a_gap_between_its_hands_is_refused(room):
    """A disk that forgot a hand: what was asked about one would be answered with the next, whose cards are its own."""
    table = room.make_table(visitor_of("ann"), "lhe2", ["always-call"])
    call_through(table, 3)
    room.close()
    (ledger,) = room.root.glob("*/ledger.sqlite")
    with closing(sqlite3.connect(ledger)) as opened, opened:
        opened.execute("UPDATE batches SET payload = '{}' WHERE number = 2")
    with closing(CardRoom(root=room.root)) as again, pytest.raises(FileFormatError, match="damaged: hand 2 is gone"):
        again.table(table.identifier)


def test_nobody_else_is_called_you(room):
    table = room.make_table(visitor_of("ann"), "lhe3", ["person", "probe"], name="you")
    room.join(room.invitation(table), visitor_of("bob"), "Bob")
    for visitor in ("ann", "bob"):
        seats = room.view(table.identifier, visitor_of(visitor))["hand"]["seats"]
        assert [seat["name"] == "you" for seat in seats] == [seat["is_you"] for seat in seats]


def test_an_action_that_was_sent_twice_is_done_once(serve):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call")
    hand = visitor.view(table)["hand"]
    visitor.act(table, hand, "c")
    again = visitor.post(f"/api/tables/{table}/act", json={"hand": hand["number"], "step": hand["step"], "answer": "c"})
    assert again.status_code == 409 and "moved on" in again.json()["error"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("r 199", "199 is not allowed; allowed: [f]old  [c]all 50  [r]aise to 200..20000"),
        ("r 20001", "20001 is not allowed"),
        ("r -5", "is not understood"),
        ("all of it", "is not understood"),
    ],
)
def test_answers_that_are_not_legal_change_nothing(serve, answer, text):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call")
    before = visitor.view(table)
    hand = before["hand"]
    body = {"hand": hand["number"], "step": hand["step"], "answer": answer}
    refused = visitor.post(f"/api/tables/{table}/act", json=body)
    assert refused.status_code == 409 and text in refused.json()["error"]
    assert visitor.view(table) == before


def test_a_remark_is_kept_with_its_hand(serve):
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down("hunl", "always-call")
    visitor.play(table, 1, lambda hand: "c")
    visitor.json("POST", f"/api/tables/{table}/remark", {"hand": 1, "text": "  a thin   call "})
    server.kill()
    server.start()
    visitor.base_url, visitor.headers["origin"] = server.address, server.address
    assert visitor.view(table)["hand"]["remark"] == "a thin call"
    assert "# hand 0: a thin call\nSTATE:0:" in visitor.get(f"/api/tables/{table}/hands.log").text


def test_a_closed_table_takes_no_action_and_keeps_its_hands(serve):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call")
    visitor.play(table, 2, lambda hand: "c")
    assert visitor.post(f"/api/tables/{table}/close").status_code == 204
    assert visitor.json("GET", "/api/tables") == []
    assert visitor.post(f"/api/tables/{table}/next", json={"hand": 2}).status_code == 400
    assert visitor.get(f"/api/tables/{table}/hands.log").text.count("STATE:") == 2


def test_the_winrate_is_that_of_the_hands(serve):
    visitor = serve().visitor()
    table = visitor.sit_down("lhe2", "random")
    played = visitor.play(table, 20, scripted)
    won = [chips_of(hand["won"]) for hand in played]
    score = visitor.view(table)["score"]
    assert (score["hands"], chips_of(score["chips"]), score["unit"]) == (20, sum(won), "sb_per_hand")
    mean, ci95 = map(float, score["rate"].split(" ± "))
    assert mean == pytest.approx(sum(won) / 20 / 10, abs=0.06)
    spread = (sum((each - sum(won) / 20) ** 2 for each in won) / 19) ** 0.5 / 10
    assert ci95 == pytest.approx(2.093 * spread / 20**0.5, rel=0.05)


def test_a_bet_that_nobody_called_is_no_part_of_the_pot(serve):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-fold")
    for hand, pot in zip(visitor.play(table, 2, lambda hand: "r 700"), (200, 100), strict=True):
        assert (hand["pot"], hand["told"][-1]) == (pot, f"you win {pot}")


def test_where_hands_lie(serve):
    """In a run like all others: `nashgap runs list` has it."""
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down("hunl", "always-call")
    visitor.play(table, 1, lambda hand: "c")
    run = find_run(Path(server.runs), table)
    assert run.config.kind == "table" and run.name == f"table-hunl-{table}" and run.is_being_worked_on
    with run.open_ledger() as ledger:
        assert ledger.batches()[1]["actions"] and not ledger.damage()


def test_nobody_at_a_table_waits_for_what_the_first_interval_imports(tmp_path, monkeypatch):
    worked_out = threading.Event()
    monkeypatch.setattr(app, "half_width_95", lambda *_: worked_out.set())
    monkeypatch.setattr(app, "QUIET_SECONDS", 0.0)
    served = app.create_app(CardRoom([], tmp_path), Streams())

    async def start():
        async with served.router.lifespan_context(served):
            return await asyncio.to_thread(worked_out.wait, 10)

    with ThreadPoolExecutor(1) as apart:  # the browser of other tests leaves a loop running in this thread
        assert apart.submit(asyncio.run, start()).result()
