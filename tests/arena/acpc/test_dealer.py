"""The dealer over TCP: matches that go as they should, and clients that do not."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from waiting import wait_until

from nashgap import _native
from nashgap.agents.named import load_agent
from nashgap.arena.acpc import dealer as dealer_module
from nashgap.arena.acpc.config import DealerConfig
from nashgap.arena.acpc.dealer import MAX_IDLE_LINES, Dealer
from nashgap.arena.acpc.log import check_log
from nashgap.arena.table import Deal, deal_cards
from nashgap.cards.card import parse_cards
from nashgap.errors import ConfigError, OutputError
from nashgap.poker.notation import log_line
from nashgap.poker.rules import load_rules

DATA = Path(__file__).parent / "data"
SEED = 7


def in_process_log(game, specs, num_hands, names):
    """The hands of the in-process match with the same seed, first seating."""
    rules = load_rules(game)
    size = rules.num_seats
    payoffs = np.zeros((1, 1, num_hands, size), dtype=np.int64)
    _, betting = _native.play_matches(
        rules.native,
        [load_agent(spec, rules).native for spec in specs],
        SEED,
        0,
        num_hands,
        np.arange(size, dtype=np.int8).reshape(1, 1, size),
        np.zeros((1, size), dtype=np.int64),
        np.zeros(size),
        np.zeros((size, _native.NUM_COUNTS), dtype=np.int64),
        payoffs,
    )
    lines = []
    for number, text in enumerate(betting):
        deal = deal_cards(rules, SEED, number)
        at_seat = [names[(seat + number) % size] for seat in range(size)]
        chips = payoffs[0, 0, number] / _native.CHIP_SHARES
        lines.append(log_line(rules, number, text, deal.hole_cards, deal.board, chips, at_seat))
    return lines


@pytest.mark.parametrize(
    ("game", "specs"),
    [
        ("lhe2", ("probe", "random")),
        ("lhe3", ("random", "probe", "triple(0.2,0.5,0.3)")),
        ("hunl", ("random", "triple(0.1,0.6,0.3)")),
        ("nlhe3", ("random", "half-call-half-raise", "always-call")),
        ("kuhn3", ("random", "random", "probe")),
        ("leduc2", ("random", "probe")),
        ("lhe3", ("poki-sim(trials=3)", "poki", "random")),  # the first learns from hand to hand
    ],
)
def test_the_log_is_that_of_the_in_process_match(game, specs, play_match, agent_client, tmp_path):
    names = ("ann", "bob", "cid")[: len(specs)]
    played = play_match(game, [agent_client(spec, game) for spec in specs], num_hands=60, names=names)
    assert played.hands == in_process_log(game, specs, 60, names)
    assert played.log[0] == f"# name/game/hands/seed match {game} 60 {SEED}"
    assert played.log[1:4] == ["#--t_response 600000", "#--t_hand 600000", "#--t_per_hand 7000"]
    found = check_log(tmp_path / "match.log", load_rules(game))
    assert (found.num_hands, found.num_mismatches, found.has_score) == (60, 0, True)
    chips = [player.chips for player in played.result.players]
    assert sum(chips) == pytest.approx(0, abs=1e-9)
    assert [score.chips for score in played.outcomes] == pytest.approx(chips)
    assert [score.winrate for score in played.outcomes] == pytest.approx(
        [player.winrate for player in played.result.players]
    )
    assert all(player.fault is None and player.num_ignored == 0 for player in played.result.players)


def recorded_messages(name):
    """(TO or FROM, player, line) of the competition's dealer."""
    for line in (DATA / name).read_text().splitlines():
        direction, player, _, _, text = line.split(" ", 4)
        yield direction, int(player) - 1, text


@pytest.mark.parametrize("game", ["hunl", "lhe3"])
def test_messages_come_in_the_order_of_the_competition_s_dealer(game, play_match, raw_client, monkeypatch, tmp_path):
    """Clients that say what was said to the competition's dealer, cards dealt as it dealt them, hear what it told."""
    rules = load_rules(game)
    recorded = list(recorded_messages(f"{game}.messages.txt"))
    logged = {  # all cards of the recorded hands
        "hunl": ["8s2h|Kd5c/7hAdTd/4s/Kc", "JsKs|Qs8d/Qd7s9d/Ac/Td"],
        "lhe3": ["8s2h|Kd5c|7hAd/Td4sKc/Kh/8h"],
    }[game]

    def dealt(_rules, _seed, number):
        hole_cards, *board = logged[number].split("/")
        return Deal(tuple(map(parse_cards, hole_cards.split("|"))), parse_cards("".join(board)))

    monkeypatch.setattr(dealer_module, "deal_cards", dealt)
    answers = {line.rpartition(":")[0]: line for direction, _, line in recorded if direction == "FROM"}
    last_answer = max(place for place, (direction, _, _) in enumerate(recorded) if direction == "FROM")
    heard_before = {line for _, _, line in recorded[:last_answer]}

    def client(port):
        raw = raw_client(port)
        heard = []
        for line in raw.lines():
            heard.append(line)
            if line in answers:
                raw.send(answers[line] + "\r\n")
            elif line not in heard_before:  # the recording is over
                raw.send(f"{line}:c\r\n")
        raw.close()
        return heard

    transcript = tmp_path / "messages.txt"
    played = play_match(
        game,
        [client] * rules.num_seats,
        num_hands=len(logged),
        seconds_per_action=0.3,
        transcript_path=transcript,
    )
    ours = [
        (direction, int(player) - 1, text)
        for direction, player, _, _, text in (line.split(" ", 4) for line in transcript.read_text().splitlines())
    ]
    assert ours[: len(recorded)] == recorded
    for player, heard in enumerate(played.outcomes):
        told = [line for direction, number, line in recorded if direction == "TO" and number == player]
        assert heard[: len(told)] == told


def test_lines_end_with_carriage_return_and_line_feed(play_match, raw_client, agent_client):
    def client(port):
        raw = raw_client(port, b"VERSION:2.0.0\n")  # the other end may leave it out
        data = b""
        while chunk := raw.socket.recv(1000):
            data += chunk
            line = data.split(b"\r\n")[-2]
            raw.send(line + b":c\n")
        return data

    played = play_match("kuhn2", [client, agent_client("always-call", "kuhn2")], num_hands=3)
    data = played.outcomes[0]
    assert data.endswith(b"\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert played.result.players[0].fault is None


def answering(raw_client, answer, greeting=b"VERSION:2.0.0\r\n"):
    """A client that sends `answer(line, number of states heard)` after each state, whether it is to act or not."""

    def client(port):
        raw = raw_client(port, greeting)
        heard = 0
        for line in raw.lines():
            heard += 1
            reply = answer(line, heard)
            if reply is None or not raw.send(reply):
                break
        raw.close()
        return heard

    return client


def assert_match_is_whole(played, num_hands, tmp_path, game, honest=1):
    assert len(played.hands) == num_hands
    assert check_log(tmp_path / "match.log", load_rules(game)).num_mismatches == 0
    assert sum(player.chips for player in played.result.players) == pytest.approx(0, abs=1e-9)
    assert played.outcomes[honest].num_hands == num_hands
    assert played.result.players[honest].fault is None


MEGABYTE = b"x" * 1_000_000

MISBEHAVIOUR = {
    "silence": (lambda line, heard: b"" if heard > 3 else line + ":c\r\n", "took more than 0.2 seconds for an action"),
    "hang-up": (lambda line, heard: None if heard > 3 else line + ":c\r\n", "hung up"),
    "half a line, then hang-up": (
        lambda line, heard: None if heard > 4 else line[:9] if heard == 4 else line + ":c\r\n",
        "hung up in the middle of a line",
    ),
    "half a line, then silence": (lambda line, heard: line[:9] if heard == 4 else b"", "took more than 0.2 seconds"),
    "a megabyte without an end": (lambda line, heard: MEGABYTE, "sent 65536 bytes without a line end"),
    "binary": (lambda line, heard: bytes(range(256)) * 400, "took more than|without a line end|without an answer"),
    "endless comments": (lambda line, heard: b"# hello\r\n" * 1001, f"sent {MAX_IDLE_LINES} lines without an answer"),
    "endless garbage": (lambda line, heard: b"\r\n" * 1001, f"sent {MAX_IDLE_LINES} lines without an answer"),
    "answers to another state": (lambda line, heard: "MATCHSTATE:0:9::|:c\r\n", "took more than 0.2 seconds"),
}


@pytest.mark.parametrize("what", MISBEHAVIOUR)
def test_who_misbehaves_is_out_and_the_match_goes_on(what, play_match, raw_client, agent_client, tmp_path):
    answer, fault = MISBEHAVIOUR[what]
    clients = [answering(raw_client, answer), agent_client("always-raise", "lhe2")]
    played = play_match("lhe2", clients, num_hands=20, seconds_per_action=0.2)
    assert_match_is_whole(played, 20, tmp_path, "lhe2")
    first, second = played.result.players
    assert first.fault is not None
    assert re.search(fault, first.fault)
    assert "p1 is out at hand" in played.remarks
    assert second.chips > 0  # against somebody who folds


def test_the_seat_of_who_is_out_checks_where_that_is_free_and_folds_otherwise(play_match, raw_client, agent_client):
    played = play_match(
        "lhe2", [answering(raw_client, lambda line, heard: None), agent_client("always-call", "lhe2")], num_hands=4
    )
    # The first player is big blind in hands 0 and 2, small blind in hands 1 and 3.
    betting = [hand.split(":")[2] for hand in played.hands]
    assert betting == ["cc/cc/cc/cc", "f", "cc/cc/cc/cc", "f"]


ILLEGAL = {
    "r1": "r200",  # too small: the least raise
    "r99999": "r20000",  # too large: all in
    "r99999999999999999999999999": "r20000",
    "r": "c",
    "x": "c",
    "": "c",
    "raise": "c",
    "r-5": "r200",
    "\xe9": "c",
}


@pytest.mark.parametrize("said", ILLEGAL)
def test_an_illegal_action_is_mended_and_noted(said, play_match, raw_client, agent_client):
    """The second player, the small blind of hand 0, answers to nothing but its first state in a strange way."""

    def answer(line, heard):
        return f"{line}:{said}\r\n" if heard == 1 else f"{line}:c\r\n"

    played = play_match("hunl", [agent_client("always-call", "hunl"), answering(raw_client, answer)], num_hands=1)
    assert played.hands[0].split(":")[2].startswith(ILLEGAL[said] + "c")
    assert played.result.players[1].num_mended == 1
    assert f"is not legal; changed to {ILLEGAL[said]}" in played.remarks
    assert played.result.players[1].fault is None


def test_a_player_is_taken_as_the_competition_s_dealer_takes_it(play_match, raw_client, agent_client):
    """Another version, upper and lower case, a size after a space: nothing is changed or ignored."""

    def answer(line, heard):
        head, cards = line.rsplit(":", 1)
        return f"{head}:{cards.swapcase()}:B 300\r\n" if heard == 1 else f"{line}:K\r\n"

    odd = answering(raw_client, answer, b"VERSION:3.1.4\r\n")
    played = play_match("hunl", [agent_client("always-call", "hunl"), odd], num_hands=1)
    assert played.hands[0].split(":")[2] == "r300c/cc/cc/cc"
    assert played.result.players[1].num_mended == 0


def test_a_fold_that_is_not_allowed_is_a_check(play_match, raw_client, agent_client):
    clients = [answering(raw_client, lambda line, heard: f"{line}:f\r\n"), agent_client("always-call", "lhe2")]
    played = play_match("lhe2", clients, num_hands=1)
    assert played.hands[0].split(":")[2] == "cc/cc/cc/cc"
    assert played.result.players[0].num_mended == 4


def test_a_raise_too_many_is_a_call(play_match, raw_client, agent_client):
    clients = [answering(raw_client, lambda line, heard: f"{line}:r\r\n"), agent_client("always-raise", "lhe2")]
    played = play_match("lhe2", clients, num_hands=1)
    assert played.hands[0].split(":")[2] == "rrrc/rrrrc/rrrrc/rrrrc"


def test_acting_out_of_turn_and_to_stale_states_changes_nothing(play_match, raw_client, agent_client, tmp_path):
    """A client that answers every state twice, its opponent's turns and finished hands included."""
    clients = [answering(raw_client, lambda line, heard: f"{line}:c\r\n" * 2), agent_client("random", "lhe2")]
    honest = [agent_client("always-call", "lhe2"), agent_client("random", "lhe2")]
    noisy = play_match("lhe2", clients, num_hands=30)
    assert_match_is_whole(noisy, 30, tmp_path, "lhe2")
    assert noisy.hands == play_match("lhe2", honest, num_hands=30).hands
    assert noisy.result.players[0].num_ignored > 30
    assert noisy.result.players[0].num_mended == 0
    assert sum("p1 at hand" in line for line in noisy.log) == 20  # the rest is only counted
    assert "p1: more of this is only counted" in noisy.remarks


def test_comments_and_messages_for_a_screen_are_passed_over(play_match, raw_client, agent_client):
    clients = [
        answering(raw_client, lambda line, heard: f"# thinking\r\n;GUI:x\n{line}:c\r\n", b"# hi\r\nVERSION:2.0.0\r\n"),
        agent_client("always-call", "kuhn2"),
    ]
    result = play_match("kuhn2", clients, num_hands=5).result
    assert result.players[0].fault is None
    assert result.players[0].num_mended == 0


def test_who_does_not_read_does_not_stop_the_others(play_match, raw_client, agent_client, tmp_path):
    """Three players; one answers nothing and reads nothing while the others play on."""

    def client(port):
        raw = raw_client(port)
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        time.sleep(1)

    clients = [client, agent_client("probe", "lhe3"), agent_client("probe", "lhe3")]
    start = time.monotonic()
    played = play_match("lhe3", clients, num_hands=50, seconds_per_action=0.3)
    assert_match_is_whole(played, 50, tmp_path, "lhe3")
    assert played.outcomes[2].num_hands == 50
    assert time.monotonic() - start < 10


def test_time_limits_of_a_hand_and_of_the_match_add_up(play_match, raw_client, agent_client, tmp_path):
    def slow(line, heard):
        time.sleep(0.06)
        return f"{line}:c\r\n"

    clients = [answering(raw_client, slow), agent_client("always-call", "lhe2")]
    played = play_match("lhe2", clients, num_hands=5, seconds_per_hand=0.15)
    assert "took more than 0.15 seconds for a hand" in played.result.players[0].fault
    assert "hand 0" in played.result.players[0].fault
    assert_match_is_whole(played, 5, tmp_path, "lhe2")
    played = play_match("lhe2", clients, num_hands=5, seconds_per_match=0.6)
    assert "took more than 0.6 seconds for the match" in played.result.players[0].fault
    assert played.result.players[0].wait_seconds == pytest.approx(0.6, abs=0.2)


@pytest.mark.parametrize("greeting", [b"VERSION:2.0\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\xff\x00\n", MEGABYTE])
def test_a_caller_with_another_greeting_is_sent_away_and_the_next_may_come(
    greeting, play_match, raw_client, agent_client, tmp_path
):
    right = agent_client("always-call", "kuhn2")

    def client(port):
        try:
            raw = raw_client(port, greeting)
            raw.socket.recv(10)  # the dealer hangs up
            raw.close()
        except OSError:
            pass
        return right(port)

    played = play_match("kuhn2", [client, agent_client("probe", "kuhn2")], num_hands=5)
    assert_match_is_whole(played, 5, tmp_path, "kuhn2")
    assert played.result.players[0].fault is None
    assert "p1 at hand 0: a caller was sent away: it" in played.remarks


def test_who_does_not_come_is_out_from_the_first_hand(play_match, agent_client, tmp_path):
    clients = [lambda port: None, agent_client("always-raise", "lhe2")]
    played = play_match("lhe2", clients, num_hands=5, startup_seconds=0.5)
    assert_match_is_whole(played, 5, tmp_path, "lhe2")
    assert "did not come to port" in played.result.players[0].fault


def test_a_match_without_players_is_an_error():
    with pytest.raises(ConfigError, match=r"no player came to ports \d+, \d+ within 0.1 seconds"):
        Dealer(DealerConfig(load_rules("kuhn2"), 5, startup_seconds=0.1)).run()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_hands": 0}, "hands = 0; 1 to"),
        ({"seed": -1}, "seed = -1"),
        ({"names": ("a",)}, "1 names; the game has 2 players"),
        ({"names": ("a", "a")}, "names a, a; they must differ"),
        ({"names": ("a:b", "c")}, "name 'a:b'; a name is ASCII"),
        ({"names": ("a", "")}, "name ''; a name is ASCII"),
        ({"ports": (1, 2, 3)}, "3 ports; the game has 2 players"),
        ({"ports": (0, 70000)}, "port 70000; 1 to 65535 are allowed"),
        ({"ports": (20001, 20001)}, "ports 20001, 20001; each player needs its own"),
        ({"seconds_per_action": 0.0}, "action limit of 0.0 seconds; it must be more than 0"),
        ({"seconds_per_match": float("nan")}, "match limit of nan seconds"),
    ],
)
def test_a_config_that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        DealerConfig(**{"rules": load_rules("lhe2"), "num_hands": 10} | settings)


def test_a_port_in_use_and_a_log_that_cannot_be_written_are_named(tmp_path):
    rules = load_rules("kuhn2")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"cannot listen at 127.0.0.1 port {port}: Address already in use"):
            Dealer(DealerConfig(rules, 5, ports=(0, port))).listen()
    with pytest.raises(OutputError, match="cannot be written"):
        Dealer(DealerConfig(rules, 5, log_path=tmp_path / "no" / "m.log")).run()


def test_a_killed_dealer_leaves_a_log_that_can_be_checked(tmp_path, raw_client):
    log = tmp_path / "m.log"
    words = ["acpc", "dealer", "--game", "kuhn2", "--hands", "1000000", "--log", str(log), "--quiet"]
    process = subprocess.Popen([sys.executable, "-m", "nashgap", *words], stderr=subprocess.PIPE, text=True)
    ports = process.stderr.readline().removeprefix("ports ").split()
    clients = [raw_client(int(port)) for port in ports]

    def call(client):
        for line in client.lines():
            client.send(f"{line}:c\r\n")

    threads = [threading.Thread(target=call, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    wait_until(lambda: log.exists() and log.stat().st_size >= 20_000)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    for thread in threads:
        thread.join(20)
    for client in clients:
        client.close()
    checked = check_log(log, load_rules("kuhn2"))
    assert (checked.num_mismatches, checked.has_score) == (0, False)
    assert checked.num_hands > 100
