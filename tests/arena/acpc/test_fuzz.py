"""5,000 malformed or hostile inputs, seeded, over loopback: nobody crashes or hangs, and no hand is lost."""

import random
import socket
import threading

import pytest

from nashgap.agents.named import load_agent
from nashgap.arena.acpc.log import check_log
from nashgap.arena.acpc.player import AcpcPlayer, PlayerScore
from nashgap.errors import NashGapError
from nashgap.poker.protocol import is_version
from nashgap.poker.rules import load_rules

NUM_LINES_TO_DEALER = 2800
NUM_FATAL_TO_DEALER = 60
NUM_GREETINGS = 140
NUM_TO_PLAYER = 2000


def test_the_inputs_are_five_thousand():
    assert NUM_LINES_TO_DEALER + NUM_FATAL_TO_DEALER + NUM_GREETINGS + NUM_TO_PLAYER == 5000


def damaged(rng, line):
    """A line with something wrong with it, without its end."""
    data = bytearray(line.encode())
    match rng.randrange(9):
        case 0:
            return rng.randbytes(rng.randrange(200)).replace(b"\n", b"")
        case 1:
            return bytes(data[: rng.randrange(len(data))])
        case 2:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            return bytes(data).replace(b"\n", b"")
        case 3:
            return bytes(data).replace(b":", b":" + b"9" * rng.randrange(1, 5000), rng.randrange(1, 5))
        case 4:
            fields = line.split(":")
            rng.shuffle(fields)
            return ":".join(fields).encode()
        case 5:
            return bytes(data) * rng.randrange(2, 20)
        case 6:
            return bytes(data).replace(b"MATCHSTATE", rng.choice([b"matchstate", b"STATE", b"\x00", b"\xc3\xa4"]))
        case 7:
            place = rng.randrange(len(data))
            return (
                bytes(data[:place]) + rng.choice([b"|", b"/", b":", b"rrrr", b"\r", b" ", b"-1"]) + bytes(data[place:])
            )
        case _:
            return b"x" * rng.randrange(20_000)


def assert_no_hand_is_lost(played, game, num_hands, tmp_path):
    assert len(played.hands) == num_hands
    found = check_log(tmp_path / "match.log", load_rules(game))
    assert (found.num_hands, found.num_mismatches) == (num_hands, 0)
    assert sum(player.chips for player in played.result.players) == pytest.approx(0, abs=1e-9)
    for player, score in list(zip(played.result.players, played.outcomes, strict=True))[1:]:
        assert player.fault is None
        assert score.num_hands == num_hands
        assert score.chips == pytest.approx(player.chips)


def test_bad_lines_between_answers_lose_no_hand(play_match, agent_client, raw_client, tmp_path):
    rng = random.Random(1)
    game, num_hands = "lhe3", 120
    left = NUM_LINES_TO_DEALER

    def client(port):
        nonlocal left
        raw = raw_client(port)
        for line in raw.lines():
            count = min(left, rng.randrange(12))
            left -= count
            lines = [damaged(rng, f"{line}:{rng.choice('fcr')}") for _ in range(count)]
            # What does not begin like the answer cannot be taken for it.
            lines = [b"?" + bad if bad.startswith(line.encode()) else bad for bad in lines]
            raw.send(b"".join(bad + b"\r\n" for bad in lines) + f"{line}:{rng.choice('fcr')}\r\n".encode())
        raw.close()
        return left

    clients = [client, agent_client("probe", game), agent_client("random", game)]
    played = play_match(game, clients, num_hands=num_hands, seconds_per_action=20.0)
    assert played.outcomes[0] == 0, "all inputs were sent"
    assert played.result.players[0].fault is None
    assert played.result.players[0].num_ignored > NUM_LINES_TO_DEALER // 2
    assert_no_hand_is_lost(played, game, num_hands, tmp_path)


def test_hostile_clients_lose_no_hand_of_the_others(play_match, agent_client, raw_client, tmp_path):
    rng = random.Random(2)
    game = "lhe2"
    for number in range(NUM_FATAL_TO_DEALER):
        start = rng.randrange(1, 12)

        def client(port, start=start, number=number):
            raw = raw_client(port)
            for heard, line in enumerate(raw.lines()):
                if heard < start:
                    raw.send(f"{line}:c\r\n")
                    continue
                match number % 5:
                    case 0:
                        raw.send(line[: rng.randrange(len(line))])
                    case 1:
                        raw.send(rng.randbytes(300_000))
                    case 2:
                        raw.send(b"y" * 1_000_000)
                    case 3:
                        raw.send(b"#\n" * 3000)
                    case _:
                        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # reset
                break
            raw.close()

        clients = [client, agent_client("probe", game)]
        played = play_match(game, clients, num_hands=10, seconds_per_action=5.0)
        assert_no_hand_is_lost(played, game, 10, tmp_path)


def test_strange_greetings_do_not_keep_the_players_out(play_match, agent_client, raw_client, tmp_path):
    rng = random.Random(3)
    right = agent_client("always-call", "kuhn2")

    def client(port):
        for _ in range(NUM_GREETINGS):
            bad = damaged(rng, "VERSION:2.0.0")
            bad = b"?" + bad if is_version(bad.decode("latin-1")) else bad
            try:
                raw = raw_client(port, bad + b"\r\n")
                raw.socket.shutdown(socket.SHUT_WR)
                raw.socket.recv(10)
                raw.close()
            except OSError:
                pass
        return right(port)

    played = play_match("kuhn2", [client, agent_client("probe", "kuhn2")], num_hands=10)
    assert_no_hand_is_lost(played, "kuhn2", 10, tmp_path)
    assert played.outcomes[0].num_hands == 10


def test_a_player_survives_any_dealer():
    """Each connection sends a good beginning and one damaged line; the player ends with a result or one clear line."""
    rng = random.Random(4)
    rules = load_rules("lhe3")
    beginning = ["MATCHSTATE:1:0::|Qc2d|", "MATCHSTATE:1:0:c:|Qc2d|", "MATCHSTATE:1:0:cc:|Qc2d|"]
    beginning += ["MATCHSTATE:1:0:ccc/:|Qc2d|/2h3h4h", "MATCHSTATE:1:0:ccc/c:|Qc2d|/2h3h4h"]
    player = AcpcPlayer(load_agent("always-call", rules), rules, seed=1, silence_seconds=20.0)
    num_errors = 0
    with socket.create_server(("127.0.0.1", 0), backlog=8) as door:

        def serve():
            for _ in range(NUM_TO_PLAYER):
                connection, _ = door.accept()
                with connection:
                    length = rng.randrange(len(beginning))
                    lines = [line.encode() for line in beginning[:length]] + [damaged(rng, beginning[length])]
                    try:
                        connection.sendall(b"".join(line + b"\r\n" for line in lines))
                        connection.shutdown(socket.SHUT_WR)
                        while connection.recv(1000):
                            pass
                    except OSError:
                        pass

        server = threading.Thread(target=serve, daemon=True)
        server.start()
        for _ in range(NUM_TO_PLAYER):
            try:
                assert isinstance(player.play("127.0.0.1", door.getsockname()[1]), PlayerScore)
            except NashGapError as error:
                num_errors += 1
                assert str(error).isprintable()
                assert len(str(error)) < 400
        server.join(10)
        assert not server.is_alive()
    assert num_errors > NUM_TO_PLAYER // 2
