"""What a server refuses: foreign pages, foreign visitors, foreign names, files, programs, and what is too large."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import httpx
import pytest

from nashgap.cli.main import main
from nashgap.web.api import MAX_TABLES_PER_VISITOR
from nashgap.web.guard import MAX_BODY

NEW_TABLE = {"game": "hunl", "opponents": ["always-call"]}


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1", "http://127.0.0.1:1"])
def test_a_change_that_another_page_asks_for_is_refused(serve, origin):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call")
    before = visitor.view(table)
    for path, body in (("/api/tables", NEW_TABLE), (f"/api/tables/{table}/act", {"hand": 1, "step": 0, "answer": "f"})):
        refused = visitor.post(path, json=body, headers={"origin": origin})
        assert refused.status_code == 403, refused.text
    assert visitor.view(table) == before and len(visitor.json("GET", "/api/tables")) == 1


def test_another_visitor_gets_nothing_of_a_table(serve):
    server = serve()
    owner, stranger = server.visitor(), server.visitor()
    table = owner.sit_down("hunl", "always-call")
    stranger.sit_down("hunl", "always-call")
    own_cards = owner.view(table)["hand"]["seats"]
    for path in ("", "/events", "/hands.log", "/hands.phhs"):
        assert stranger.get(f"/api/tables/{table}{path}").status_code == 403
    for path, body in (
        ("act", {"hand": 1, "step": 0, "answer": "c"}),
        ("next", {"hand": 1}),
        ("remark", {"hand": 1, "text": "x"}),
        ("close", {}),
    ):
        assert stranger.post(f"/api/tables/{table}/{path}", json=body).status_code == 403
    page = stranger.get(f"/tables/{table}")
    assert page.status_code == 200
    assert not any(f'"{card}"' in page.text for seat in own_cards for card in seat["cards"] or [])
    assert owner.view(table)["hand"]["seats"] == own_cards


def test_the_visitors_cookie_is_for_this_server_alone(serve):
    visitor = serve().visitor()
    made = visitor.post("/api/tables", json=NEW_TABLE)
    words = made.headers["set-cookie"].lower()
    assert "httponly" in words and "samesite=strict" in words
    assert visitor.cookies["nashgap_visitor"] not in made.text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../api.py",
        "/static/..%2fapi.py",
        "/static/%2e%2e/%2e%2e/errors.py",
        "/static/....//api.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/tables/../../../etc/passwd",
        "/api/tables/..%2f..%2fconfig.toml",
        "/config.toml",
        "/runs",
    ],
)
def test_no_file_is_read_but_the_pages_own(serve, path):
    """Sent as it stands: a library would tidy the path up."""
    place = urlsplit(serve().address)
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.split(b" ")[1] in (b"400", b"404"), answer[:200]
    assert b"import" not in answer and b"root:" not in answer


def test_large_bodies_are_refused_whatever_they_say_about_their_length(serve):
    server = serve()
    visitor = server.visitor()
    large = b'{"game": "' + b"x" * MAX_BODY + b'"}'
    told = visitor.post("/api/tables", content=large, headers={"content-type": "application/json"})
    assert told.status_code == 413
    parts = (large[start : start + 1000] for start in range(0, len(large), 1000))
    streamed = visitor.post("/api/tables", content=parts, headers={"content-type": "application/json"})
    assert streamed.status_code == 413
    assert visitor.get("/api/tables").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8770", "127.0.0.1.evil.example", ""])
def test_a_local_server_answers_to_its_own_names_only(serve, host):
    visitor = serve().visitor()
    assert visitor.get("/", headers={"host": host}).status_code == 400
    assert visitor.get("/", headers={"host": "localhost"}).status_code == 200


@pytest.mark.parametrize(
    "opponent",
    ["exec:touch made", "python:os:system", "acpc:touch made", "master:poki+x.safetensors", "human", "x.safetensors",
     "/etc/passwd", "triple(0.1,0.4,0.5)", "by-hand:poki", ""],
)  # fmt: skip
def test_only_those_who_are_offered_can_be_named(serve, opponent):
    visitor = serve().visitor()
    refused = visitor.post("/api/tables", json={"game": "hunl", "opponents": [opponent]})
    assert refused.status_code == 400 and "not offered" in refused.json()["error"]


def test_who_was_named_at_the_start_is_offered(serve):
    visitor = serve("triple(0.1,0.4,0.5)").visitor()
    table = visitor.sit_down("hunl", "triple(0.1,0.4,0.5)")
    assert visitor.view(table)["hand"]["seats"][0]["name"] == "triple(0.1,0.4,0.5)"


def test_tables_of_a_visitor_are_limited(serve):
    visitor = serve().visitor()
    for _ in range(MAX_TABLES_PER_VISITOR):
        last = visitor.sit_down("lhe2", "always-call")
    refused = visitor.post("/api/tables", json=NEW_TABLE)
    assert refused.status_code == 400 and "close one of them" in refused.json()["error"]
    assert visitor.post(f"/api/tables/{last}/close").status_code == 204
    assert visitor.post("/api/tables", json=NEW_TABLE).status_code == 201


def test_other_addresses_need_a_token(serve):
    server = serve("--host", "0.0.0.0")
    token = server.link.partition("?token=")[2]
    assert len(token) > 20
    host, _, port = server.address.removeprefix("http://").rpartition(":")
    assert host and host != "0.0.0.0", "others can open what is told"
    address = f"http://127.0.0.1:{port}"
    for path in ("/", "/api/tables", "/static/table.js", "/openapi.json", "/?token=wrong"):
        assert httpx.get(address + path).status_code == 401
    with httpx.Client(base_url=address, headers={"origin": address}) as guest:
        assert guest.post("/api/tables", json=NEW_TABLE).status_code == 401
        first = guest.get(f"/?token={token}")
        words = first.headers["set-cookie"].lower()
        assert first.status_code == 200 and "httponly" in words and "samesite=strict" in words
        made = guest.post("/api/tables", json={"game": "hunl", "opponents": ["person"]})
        assert made.status_code == 201
        link = guest.get(f"/api/tables/{made.json()['table']}").json()["invitation"]
    assert httpx.get(address + link).status_code == 200, "who has the link may come in"
    others = 'theme={"dark": true}; a b; k[0]=1; '  # of some other server of this machine
    cookies = {"cookie": f"{others}nashgap_token={token}"}
    assert httpx.get(f"{address}/api/tables", headers=cookies).status_code == 200
    assert httpx.get(f"{address}/api/tables", headers={"authorization": f"Bearer {token}"}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b"null", b'{"hand": "1", "step": 0, "answer": "c"}', b'{"hand": 1, "step": -1, "answer": "c"}',
     b'{"hand": 1, "step": 0, "answer": "c", "more": 1}', b'{"hand": 1e99, "step": 0, "answer": "c"}', b"\xff\xfe"],
)  # fmt: skip
def test_bodies_of_another_shape_are_refused(serve, body):
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call")
    refused = visitor.post(f"/api/tables/{table}/act", content=body, headers={"content-type": "application/json"})
    assert refused.status_code in (400, 422), refused.text
    assert refused.json()["error"]


def test_every_answer_forbids_what_pages_do_not_need(serve):
    visitor = serve().visitor()
    for path in ("/", "/api/tables", "/static/table.js", "/nowhere"):
        headers = visitor.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert visitor.get("/").headers["cache-control"] == "no-store"


def test_pages_name_no_other_server(serve):
    """Nothing is loaded from the network when it runs."""
    visitor = serve().visitor()
    table = visitor.sit_down("hunl", "always-call")
    for path in (
        "/",
        f"/tables/{table}",
        "/static/table.js",
        "/static/play.js",
        "/static/http.js",
        "/static/style.css",
    ):
        text = visitor.get(path).text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--port", "70000"), "port 70000; 0 to 65535 are allowed"),
        (("no-such-agent",), "unknown agent 'no-such-agent'"),
        (("missing.safetensors",), "there is no such strategy file"),
        (("--token", "short", "--host", "0.0.0.0"), "token 'short'; at least 8"),
        (("--host", "no.such.host.invalid"), "host 'no.such.host.invalid'"),
    ],
)
def test_bad_words_are_answered_with_one_line(words, complaint, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


def test_a_port_that_is_taken_is_named(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "--port 0 takes a free one" in capsys.readouterr().err
