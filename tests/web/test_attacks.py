"""What somebody tries who wants to see more than their own cards, or to keep a server from serving others."""

from __future__ import annotations

import re
import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from test_tables import all_heard, cards_in, config_of, scripted
from waiting import wait_until

from nashgap.arena.table import deal_cards
from nashgap.cards.card import format_card
from nashgap.errors import AgentError, ConfigError, IllegalActionError
from nashgap.poker.rules import load_rules
from nashgap.web.api import MAX_TABLES, MAX_TABLES_PER_VISITOR, CardRoom, visitor_of
from nashgap.web.server import REQUEST_SECONDS
from nashgap.web.streams import MAX_STREAMS_PER_VISITOR
from nashgap.web.tables import CLOSE_SECONDS

EXAMPLE = Path(__file__).parents[2] / "examples" / "exec_bot.py"
METHODS = ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE")


def opened_stream(server, visitor, table):
    """A connection that asks for the table's events and goes on listening; and the first line of the answer."""
    place = urlsplit(server.address)
    line = socket.create_connection((place.hostname, place.port), timeout=20)
    cookie = f"nashgap_visitor={visitor.cookies['nashgap_visitor']}"
    asked = f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\n\r\n"
    line.sendall(asked.encode())
    return line, line.recv(4096).split(b"\r\n")[0]


def ask_everything(visitor, table, hand):
    """All that is about the table, wrongly asked too; each answer is kept in `heard`."""
    path = f"/api/tables/{table}"
    for method in METHODS:
        visitor.request(method, path)
        visitor.request(method, f"{path}/events")
    for where in ("", "/coaches", "/hands.log", "/hands.phhs", f"/hands/{hand}/open", f"/hands/{hand + 1}/open"):
        visitor.get(path + where)
    visitor.get(f"/tables/{table}", headers={"accept": "text/html", "last-event-id": "0"})
    bodies = {"act": {"hand": hand, "step": 99, "answer": "c"}, "next": {"hand": hand}, "close/x": {}}
    bodies |= {"coach": {"hand": hand, "step": 0, "coach": "probe"}, f"hands/{hand}/review": {"coach": "probe"}}
    for where, body in bodies.items():
        if where != "next":  # which would go on, where the hand is over
            visitor.post(f"{path}/{where}", json=body)
        visitor.post(f"{path}/{where}", json=[body])


@pytest.mark.parametrize("anonymous", [False, True])
def test_no_answer_to_anybody_tells_a_card_that_they_may_not_know(serve, anonymous):
    """Two people and an agent, and a stranger; whatever they ask at each decision, refusals and headers included."""
    server = serve()
    people = [server.visitor(), server.visitor()]
    stranger = server.visitor()
    stranger.sit_down("lhe3", "probe", "probe", open=True, coach=True)
    table = people[0].sit_down("lhe3", "probe", "person", open=True, coach=True, anonymous=anonymous)
    people[1].json("POST", f"/api{people[0].view(table)['invitation']}", {})
    seed, rules = config_of(server, table)["identity"]["seed"], load_rules("lhe3")
    num_hidden = 0
    for number in range(1, 5):
        deal = deal_cards(rules, seed, number - 1)
        while True:
            for each in (*people, stranger):
                each.heard.clear()
            views = [person.view(table)["hand"] for person in people]
            for person in (*people, stranger):
                ask_everything(person, table, number)
            assert all(hand["number"] == number for hand in views)
            if views[0]["is_over"]:
                break
            for person, hand in zip(people, views, strict=True):
                own = next(seat for seat, told in enumerate(hand["seats"]) if told["is_you"])
                hidden = {
                    format_card(card) for seat, cards in enumerate(deal.hole_cards) if seat != own for card in cards
                }
                hidden |= {format_card(card) for card in deal.board[len(hand["board"]) :]}
                now = [part for part in person.heard if b"attachment" not in part]  # what has the hands before, too
                assert not cards_in(b"\n".join(now).decode()) & hidden
                num_hidden += 1
            assert not cards_in(all_heard(stranger)), "nothing at all"
            acting = next(place for place, hand in enumerate(views) if hand["choices"] is not None)
            lines = [person.get(f"/api/tables/{table}/hands.log").text.count("STATE:") for person in people]
            assert lines == [number - 1] * 2, "a log has nothing of a hand that goes on"
            people[acting].act(table, views[acting], scripted(views[acting]))
        for person, hand in zip(people, views, strict=True):
            person.next_hand(table, hand)
    assert num_hidden > 10
    assert str(seed) not in all_heard(people[0]) + all_heard(people[1]) + all_heard(stranger)


def test_nobody_acts_for_another_nor_twice_whatever_comes_at_once(serve):
    server = serve()
    people, stranger = [server.visitor(), server.visitor()], server.visitor()
    table = people[0].sit_down("lhe3", "probe", "person")
    people[1].json("POST", f"/api{people[0].view(table)['invitation']}", {})

    def act(asked):
        who, body = asked
        return who, who.post(f"/api/tables/{table}/act", json=body).status_code

    for _ in range(40):
        views = [person.view(table)["hand"] for person in people]
        if views[0]["is_over"]:
            break
        acting = next(place for place, hand in enumerate(views) if hand["choices"] is not None)
        who, others = people[acting], (people[1 - acting], stranger)
        body = {"hand": views[0]["number"], "step": views[0]["step"], "answer": "c"}
        for other, status in zip(others, (409, 403), strict=True):
            assert other.post(f"/api/tables/{table}/act", json=body).status_code == status
        assert who.view(table)["hand"]["step"] == body["step"]
        at_once = [(who, body), (others[0], body), (stranger, body), (who, {**body, "answer": "r"})] * 4
        with ThreadPoolExecutor(len(at_once)) as pool:
            done = [each for each, status in pool.map(act, at_once) if status == 200]
        assert done == [who]
    assert views[0]["is_over"]
    for _ in range(2):
        refused = people[1].post(f"/api/tables/{table}/next", json={"hand": 2})
        assert refused.status_code == 409
        people[0].post(f"/api/tables/{table}/next", json={"hand": 1})
    assert people[0].view(table)["hand"]["number"] == 1, "one alone deals nothing, however often"


def test_streams_of_a_visitor_are_limited_and_free_again_when_they_are_closed(serve):
    server = serve()
    visitor, other = server.visitor(), server.visitor()
    table, own = visitor.sit_down("hunl", "always-call"), other.sit_down("hunl", "always-call")
    streams = [opened_stream(server, visitor, table) for _ in range(MAX_STREAMS_PER_VISITOR)]
    assert {first for _, first in streams} == {b"HTTP/1.1 200 OK"}
    refused = visitor.get(f"/api/tables/{table}/events")
    assert refused.status_code == 429 and "close other windows" in refused.json()["error"]
    assert opened_stream(server, other, own)[1] == b"HTTP/1.1 200 OK", "others are not kept from theirs"
    for line, _ in streams:
        line.close()
    wait_until(lambda: opened_stream(server, visitor, table)[1] == b"HTTP/1.1 200 OK", "a stream")


@pytest.mark.slow
def test_who_sends_a_request_byte_by_byte_is_cut_off_and_who_listens_is_not(serve):
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down("hunl", "always-call")
    stream, _ = opened_stream(server, visitor, table)
    place = urlsplit(server.address)
    names = f"Host: {place.netloc}\r\nOrigin: {server.address}\r\n"
    slow = [socket.create_connection((place.hostname, place.port), timeout=20) for _ in range(3)]
    slow[1].sendall(b"GET / HTTP/1.1\r\nX: ")
    slow[2].sendall(f"POST /api/tables HTTP/1.1\r\n{names}Content-Length: 99\r\n\r\n".encode())
    ended = set()
    for _ in range(2 * int(REQUEST_SECONDS)):
        time.sleep(1)
        for line in slow[1:]:
            with suppress(OSError):
                line.sendall(b"x")
        for number, line in enumerate(slow):
            line.setblocking(False)
            with suppress(BlockingIOError):
                try:
                    is_ended = not line.recv(4096)
                except ConnectionError:
                    is_ended = True
                ended |= {number} if is_ended else set()
        if len(ended) == len(slow):
            break
    assert ended == {0, 1, 2}
    visitor.act(table, visitor.view(table)["hand"], "c")
    stream.settimeout(20)
    heard = b""
    while b"you call 50" not in heard:
        more = stream.recv(65536)
        assert more, "cut off"
        heard += more


@pytest.mark.slow
def test_who_does_not_read_the_answers_is_cut_off_and_who_reads_slowly_is_not(serve):
    place = urlsplit(serve().address)
    number = 60  # answers, more than the system holds for a connection
    with ExitStack() as opened:
        silent, slow = lines = [opened.enter_context(socket.socket()) for _ in range(2)]
        for line in lines:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect((place.hostname, place.port))
            line.sendall(f"GET /openapi.json HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode() * number)
        steady = ThreadPoolExecutor(1).submit(num_answers, slow, pause=0.008)
        time.sleep(REQUEST_SECONDS + 5)
        assert num_answers(silent) < number
        assert steady.result(60) == number


def num_answers(line: socket.socket, pause: float = 0.0) -> int:
    """That can be read until the connection ends. pause: seconds after each piece."""
    line.settimeout(20)
    heard = bytearray()
    with suppress(ConnectionResetError):
        while more := line.recv(1 << 14):
            heard += more
            time.sleep(pause)
    return heard.count(b"HTTP/1.1 200")


def test_a_server_with_open_streams_ends_at_once_and_tables_are_there_again(serve):
    server = serve()
    visitor = server.visitor()
    table = visitor.sit_down("hunl", "poki")
    streams = [opened_stream(server, visitor, table)[0] for _ in range(5)]
    before = visitor.view(table)["hand"]
    start = time.monotonic()
    assert server.end() == "", "nothing is said of streams that were cut"
    assert time.monotonic() - start < 10, "on a busy machine; a third of a second on a quiet one"
    for stream in streams:
        rest = b"".join(iter(lambda stream=stream: stream.recv(65536), b""))
        assert rest.endswith(b"0\r\n\r\n"), "each has come to its end"
    server.start()
    visitor.base_url, visitor.headers["origin"] = server.address, server.address
    assert visitor.view(table)["hand"] == before


def test_a_remark_commands_no_browser_and_no_terminal(serve):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call", name="<b>\u202eAnn\x1b[2J")
    visitor.play(table, 1, lambda hand: "c")
    text = "<img src=x onerror=alert(1)>\nSTATE:9:\x1b]0;title\x07\x00"
    visitor.json("POST", f"/api/tables/{table}/remark", {"hand": 1, "text": text})
    assert visitor.view(table)["hand"]["remark"] == "<img src=x onerror=alert(1)> STATE:9:]0;title"
    log = visitor.get(f"/api/tables/{table}/hands.log")
    assert all(line.isprintable() for line in log.text.splitlines()) and log.text.count("\nSTATE:") == 1
    assert log.headers["content-type"].startswith("text/plain") and "attachment" in log.headers["content-disposition"]
    assert "onerror" not in visitor.get(f"/tables/{table}").text, "a page has nothing of a visitor's"


@pytest.mark.parametrize("host", ["127.0.0.1:1@evil.example", "127.0.0.1:x", "localhost.", "[::1].evil.example"])
def test_a_host_is_a_name_and_a_port(serve, host):
    assert serve().visitor().get("/", headers={"host": host}).status_code == 400


def test_an_error_page_writes_out_what_was_asked_for(serve):
    told = serve().visitor().get("/tables/<script>alert(1)</script>", headers={"accept": "text/html"})
    assert told.status_code == 404 and "<script>alert" not in told.text


def test_a_method_that_a_path_has_not_is_refused_with_those_that_it_has(serve):
    visitor = serve().visitor()
    for method in METHODS:
        refused = visitor.request(method, "/api/measures", headers={"origin": visitor.headers["origin"]})
        assert refused.status_code == 405 and refused.headers["allow"] in ("GET", "POST", "GET, POST"), method


def test_no_place_at_an_anonymous_table_belongs_to_a_person_more_than_another(card_room):
    """Its maker always is one, and so is who comes first: as Player 1 they would give away who is an agent."""
    (room,) = card_room()
    places = Counter()
    for _ in range(100):
        table = room.make_table(ANN, "lhe3", ["always-call", "person"], name="Ann", is_anonymous=True)
        link = room.view(table.identifier, ANN)["invitation"].rpartition("/")[2]
        assert room.join(link, BOB) is table
        places[table.player_of(ANN), table.player_of(BOB)] += 1
        assert table.players[table.player_of(ANN)].name == "Ann"
        room.finish(table.identifier, ANN)
    assert len(places) == 6, "by chance one in ten million misses one"
    table = room.make_table(ANN, "lhe3", ["always-call", "person"])
    room.join(room.invitation(table), BOB)
    assert (table.player_of(ANN), table.player_of(BOB)) == (0, 2), "elsewhere in the order that was asked for"


def test_who_comes_to_an_anonymous_table_takes_any_free_seat(card_room):
    (room,) = card_room()
    is_in_order = []
    for _ in range(30):
        table = room.make_table(ANN, "lhe6", ["person"] * 5, is_anonymous=True)
        link = room.invitation(table)
        free = [number for number, player in enumerate(table.players) if player.is_missing]
        is_in_order.append(room.join(link, BOB).player_of(BOB) == free[0])
        room.finish(table.identifier, ANN)
    assert not all(is_in_order)


@pytest.mark.parametrize("duplicate", ["", "person"])
def test_an_anonymous_table_for_two_goes_on_wherever_its_maker_sits(card_room, duplicate):
    (room,) = card_room()
    for _ in range(6):
        table = room.make_table(ANN, "lhe2", ["always-call"], is_anonymous=True, duplicate=duplicate)
        if duplicate:
            twin = room.join(room.invitation(table), BOB)
            assert twin.player_of(BOB) == table.player_of(ANN)
        view = room.view(table.identifier, ANN)
        assert {seat["name"] for seat in view["hand"]["seats"]} <= {"you", "Player 1", "Player 2"}
        room.finish(table.identifier, ANN)
        if duplicate:
            room.finish(twin.identifier, BOB)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not tell what is open")
def test_tables_that_are_closed_keep_nothing_open(serve):
    """Or making and closing them would end in a server that can open no file."""
    server = serve()
    visitor = server.visitor()
    opened = Path(f"/proc/{server.process.pid}/fd")
    tables = [visitor.sit_down("hunl", "always-call")]
    before = len(list(opened.iterdir()))
    for _ in range(2 * MAX_TABLES_PER_VISITOR):
        tables.append(visitor.sit_down("hunl", "always-call"))
        assert visitor.post(f"/api/tables/{tables[-1]}/close").status_code == 204
    assert len(list(opened.iterdir())) <= before + 2
    assert visitor.post(f"/api/tables/{tables[-1]}/close").status_code == 204, "once more, as from another window"
    for path, body in (("remark", {"hand": 1, "text": "x"}), ("act", {"hand": 1, "step": 0, "answer": "c"})):
        refused = visitor.post(f"/api/tables/{tables[-1]}/{path}", json=body)
        assert refused.status_code == 400 and refused.json()["error"] == "this table is closed"
    assert visitor.get(f"/api/tables/{tables[-1]}").status_code == 200, "what was played is still shown"


def test_of_closed_tables_a_few_stay_in_memory_and_the_others_are_read_again(card_room, monkeypatch):
    monkeypatch.setattr("nashgap.web.api.MAX_CLOSED", 3)
    (room,) = card_room()
    tables = [room.make_table(ANN, "lhe2", ["always-call"], duplicate="person") for _ in range(5)]
    twin = room.join(room.invitation(tables[0]), BOB)
    views = []
    for table in tables:
        room.finish(table.identifier, ANN)
        views.append(room.view(table.identifier, ANN)["hand"])
    assert len(room._tables) == 3 + 1
    for _ in range(2):
        assert [room.view(table.identifier, ANN)["hand"] for table in tables] == views
    assert len(room._tables) == 3 + 1 and room.tables_of(BOB) == [twin]
    assert room.table(tables[0].identifier).twin is twin and twin.twin is room.table(tables[0].identifier)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="children are counted by /proc")
def test_a_closed_table_leaves_no_program_behind(serve):
    program = f"exec:{sys.executable} {EXAMPLE}"
    server = serve(program)
    visitor = server.visitor()
    for _ in range(3):
        table = visitor.sit_down("hunl", program, open=True)
        played = visitor.play(table, 1, lambda hand: "c")
        visitor.request("POST", f"/api/tables/{table}/close", json={})
        assert visitor.json("GET", f"/api/tables/{table}/hands/{played[0]['number']}/open")["agents"]
        assert num_programs(server) == 0


def num_programs(server) -> int:
    """How many children of the server play."""
    children = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    pids = [pid for each in children for pid in each.read_text().split()]
    return sum(b"exec_bot" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)


def test_an_anonymous_table_tells_nobody_who_waits_or_fails(serve, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit(3)")
    failing = f"exec:{sys.executable} {broken}"
    server = serve(failing)
    visitor, guest = server.visitor(), server.visitor()
    table = visitor.sit_down("lhe3", "always-call", "person", anonymous=True)
    guest.json("POST", f"/api/join/{visitor.view(table)['invitation'].rpartition('/')[2]}", {})
    while not (view := visitor.view(table))["hand"]["is_over"]:
        actor = visitor if view["hand"]["choices"] else guest
        actor.act(table, actor.view(table)["hand"], "c")
    assert view["hand"]["waits_for"] == ["the others"]
    alone = visitor.sit_down("hunl", failing, anonymous=True)
    hand = visitor.view(alone)["hand"]
    if hand["choices"]:
        visitor.act(alone, hand, "c")
    assert visitor.view(alone)["problem"] == "an agent cannot answer now"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="limits are read from /proc")
def test_there_are_files_for_all_tables(serve):
    limits = Path(f"/proc/{serve().process.pid}/limits").read_text()
    soft, hard = re.search(r"Max open files +(\w+) +(\w+)", limits).groups()
    assert soft == "unlimited" or int(soft) >= min(4 * MAX_TABLES, int(hard))


def slow_program(tmp_path, seconds):
    """An agent that takes so long for each answer."""
    file = tmp_path / "slow.py"
    loop = "for line in sys.stdin:"
    assert loop in EXAMPLE.read_text()
    file.write_text(EXAMPLE.read_text().replace(loop, f"import time\n\n{loop}\n    time.sleep({seconds})"))
    return f"exec:{sys.executable} {file}"


def test_a_server_whose_agents_think_ends_without_waiting_for_one_after_the_other(serve, tmp_path):
    slow = slow_program(tmp_path, 60)
    server = serve(slow)
    visitor = server.visitor()
    tables = [visitor.sit_down("hunl", slow) for _ in range(7)]
    body = {"hand": 1, "step": 0, "answer": "c"}
    with ThreadPoolExecutor(len(tables)) as pool:
        asked = [pool.submit(visitor.request, "POST", f"/api/tables/{table}/act", json=body) for table in tables]
        time.sleep(1.0)
        start = time.monotonic()
        said = server.end()
        took = time.monotonic() - start
        answers = [each.result(60) for each in asked]
    assert took < 4 * CLOSE_SECONDS, "a second and CLOSE_SECONDS, on a quiet machine"
    assert "Traceback" not in said
    assert {(answer.status_code, answer.text) for answer in answers} == {(503, '{"error":"the server was ended"}')}


def require_one_thread(server, visitor, path, body, seconds):
    """Who asks many times for what takes seconds is answered once, refused else, and keeps nobody waiting."""
    with ThreadPoolExecutor(45) as pool:
        asked = [pool.submit(visitor.request, "POST", path, json=body) for _ in range(45)]
        time.sleep(0.3)
        began = time.monotonic()
        assert server.visitor().get("/rules/quiz").status_code == 200
        waited = time.monotonic() - began
        answers = [each.result(60).status_code for each in asked]
    assert waited < seconds / 2
    assert sorted(set(answers)) == [200, 409] and answers.count(200) == 1


def test_who_comes_while_an_agent_thinks_holds_no_thread(serve, tmp_path):
    seconds = 6
    slow = slow_program(tmp_path, seconds)
    server = serve(slow)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", slow)
    hand = visitor.view(table)["hand"]
    body = {"hand": hand["number"], "step": hand["step"], "answer": "c"}
    require_one_thread(server, visitor, f"/api/tables/{table}/act", body, seconds)


AGENTS = """
import time
from pathlib import Path

class Telltale:
    def act(self, view):
        raise KeyError(f"no strategy for {view.hole_cards}")

class Stumbling:
    num_tries = 0
    def start_hand(self, seat, rng):
        Stumbling.num_tries += 1
        if Stumbling.num_tries in (1, 3):
            raise ValueError("not now")
    def act(self, view):
        return 0

class Slow:
    def start_match(self, rules):
        place = Path(__file__).parent
        (place / "starts").open("a").write("x")
        while not (place / "go").exists():
            time.sleep(0.01)
    def act(self, view):
        return 0

class Broken:
    def start_match(self, rules):
        raise ValueError("no")
    def act(self, view):
        return 0
"""
ANN, BOB = visitor_of("ann"), visitor_of("bob")


@pytest.fixture
def card_room(tmp_path, monkeypatch):
    """Opens a room, again and again the same one, against the classes of `AGENTS`; all are closed."""
    name = f"agents_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(AGENTS)
    monkeypatch.syspath_prepend(tmp_path)
    with ExitStack() as opened:

        def begin(*classes):
            given = [f"python:{name}:{each}" for each in classes]
            return opened.enter_context(closing(CardRoom(given, tmp_path / "runs"))), *given

        yield begin


@pytest.mark.parametrize("anonymous", [False, True])
def test_an_agent_that_fails_tells_no_card_in_its_words(card_room, anonymous):
    """Programs say what they stumble over, which often is what they hold."""
    room, telltale = card_room("Telltale")
    with pytest.warns(UserWarning, match="no strategy for") as warned:  # for who started the server
        table = room.make_table(ANN, "hunl", [telltale], is_anonymous=anonymous)
        if table.hand.player == table.player_of(ANN):  # at an anonymous table either may be first
            room.act(table.identifier, ANN, 1, 0, "c")
    hidden = table.hand.deal.hole_cards[table.hand.seat_of(1 - table.player_of(ANN))]
    assert any(str(hidden) in str(each.message) for each in warned)
    view = room.view(table.identifier, ANN)
    assert view["problem"] == f"{'an agent' if anonymous else telltale} cannot answer now"
    assert str(hidden)[1:-1] not in str(view) and "no strategy" not in str(view)


def test_an_agent_that_cannot_begin_a_hand_is_asked_again_and_not_named_at_an_anonymous_table(card_room):
    room, stumbling = card_room("Stumbling")
    with pytest.warns(UserWarning, match="not now"):
        table = room.make_table(ANN, "hunl", [stumbling], is_anonymous=True)
    view = room.view(table.identifier, ANN)
    assert (view["hand"], view["problem"]) == (None, "an agent cannot answer now")
    room.ask_next(table.identifier, ANN, 0)
    while not table.hand.state.is_over:
        table.act(table.player_of(ANN), 1, len(table.hand.actions), "c")
    with pytest.warns(UserWarning, match="not now"):
        view = room.ask_next(table.identifier, ANN, 1)
    assert (view["hand"]["number"], view["problem"]) == (1, "an agent cannot answer now")
    view = room.ask_next(table.identifier, ANN, 1)
    assert (view["hand"]["number"], view["problem"]) == (2, "")


def test_an_agent_that_takes_long_to_start_keeps_nobody_else_from_a_table(card_room, tmp_path):
    room, slow = card_room("Slow")
    with ThreadPoolExecutor(2) as pool:
        try:
            waiting = pool.submit(room.make_table, ANN, "hunl", [slow])
            wait_until((tmp_path / "starts").exists)
            other = pool.submit(room.make_table, BOB, "hunl", ["always-call"]).result(20)
            assert pool.submit(room.tables_of, BOB).result(20) == [other]
            assert not waiting.done()
        finally:
            (tmp_path / "go").touch()
        made = waiting.result(20)
    assert room.tables_of(ANN) == [made]


def test_a_table_whose_agent_cannot_start_is_none(card_room, tmp_path):
    room, broken = card_room("Broken")
    for _ in range(MAX_TABLES_PER_VISITOR + 1):
        with pytest.raises(AgentError, match="start_match"):
            room.make_table(ANN, "hunl", [broken])
    assert room.tables_of(ANN) == [] and list((tmp_path / "runs").iterdir()) == []
    assert room.make_table(ANN, "hunl", ["always-call"])


def test_only_who_sits_there_has_the_agents_of_a_table_start_again(card_room, tmp_path):
    (tmp_path / "go").touch()
    room, slow = card_room("Slow")
    table, closed = (room.make_table(ANN, "hunl", [slow]).identifier for _ in range(2))
    room.finish(closed, ANN)
    room.close()
    (tmp_path / "starts").unlink()
    room, _ = card_room("Slow")
    room.make_table(BOB, "hunl", ["always-call"])
    assert len(room.tables_of(BOB)) == 1 and room.view(closed, ANN)["is_finished"]
    assert not (tmp_path / "starts").exists()
    assert [each.identifier for each in room.tables_of(ANN)] == [table]
    assert (tmp_path / "starts").exists()


def test_who_comes_to_a_table_that_another_opens_waits_for_a_while_only(card_room, tmp_path, monkeypatch):
    (tmp_path / "go").touch()
    room, slow = card_room("Slow")
    table = room.make_table(ANN, "hunl", [slow]).identifier
    room.close()
    (tmp_path / "go").unlink()
    (tmp_path / "starts").unlink()
    monkeypatch.setattr("nashgap.web.api.OPENING_SECONDS", 0.1)
    room, _ = card_room("Slow")
    with ThreadPoolExecutor(2) as pool:
        try:
            opening = pool.submit(room.view, table, ANN)
            wait_until((tmp_path / "starts").exists)
            with pytest.raises(IllegalActionError, match="takes long to start"):
                pool.submit(room.view, table, ANN).result(20)
        finally:
            (tmp_path / "go").touch()
        assert opening.result(20)["hand"]
    assert room.view(table, ANN)["hand"] and (tmp_path / "starts").read_text() == "x", "it was opened once"


def test_two_tables_with_the_same_deals_find_each_other_whoever_comes_first_after_a_restart(card_room):
    (room,) = card_room()
    first = room.make_table(ANN, "hunl", ["always-call"], duplicate="person")
    tables = [first, room.join(room.invitation(first), BOB)]
    assert tables[0].twin is tables[1] and tables[1].twin is tables[0] and len({*tables}) == 2
    for order in (tables, tables[::-1]):
        room.close()
        (room,) = card_room()
        with ThreadPoolExecutor(2) as pool:
            opened = list(pool.map(room.table, [table.identifier for table in order]))
        assert opened[0].twin is opened[1] and opened[1].twin is opened[0]


def test_who_asks_for_many_tables_at_once_gets_no_more_than_one_after_the_other(card_room):
    (room,) = card_room()
    guests = [room.make_table(BOB, "lhe2", ["person"]) for _ in range(MAX_TABLES_PER_VISITOR)]
    links = [room.invitation(table) for table in guests]

    def come(number):
        with suppress(ConfigError):
            return room.join(links[number // 2], ANN) if number % 2 else room.make_table(ANN, "lhe2", ["always-call"])

    with ThreadPoolExecutor(20) as pool:
        made = [table for table in pool.map(come, range(2 * MAX_TABLES_PER_VISITOR)) if table is not None]
    assert len(made) == len(room.tables_of(ANN)) == MAX_TABLES_PER_VISITOR


def test_hands_of_a_visitor_are_written_once_at_a_time(card_room, monkeypatch):
    (room,) = card_room()
    table = room.make_table(ANN, "lhe2", ["person"])
    room.join(room.invitation(table), BOB)
    table.act(table.hand.player, 1, 0, "f")
    refused = []

    def write(hands, path):
        if not refused:
            refused.append("still writing")
            with pytest.raises(IllegalActionError, match="being written already"):
                room.phh_bytes(table.identifier, ANN)
            with pytest.raises(IllegalActionError, match="being written already"):
                room.log_text(table.identifier, ANN)
            assert room.log_text(table.identifier, BOB)
            assert room.phh_bytes(table.identifier, BOB) == b"", "others are not kept from theirs"
        path.write_bytes(b"")

    monkeypatch.setattr("nashgap.web.api.write_phh", write)
    for _ in range(2):
        assert room.phh_bytes(table.identifier, ANN) == b""


def test_a_coach_that_is_slow_holds_one_thread_of_a_visitor(serve, tmp_path):
    seconds = 6
    slow = slow_program(tmp_path, seconds)
    server = serve(slow)
    visitor = server.visitor()
    table = visitor.sit_down("hunl", "always-call", coach=True)
    body = {"coach": slow, "hand": 1, "step": 0}
    require_one_thread(server, visitor, f"/api/tables/{table}/coach", body, seconds)
