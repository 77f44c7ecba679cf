"""Our player at a dealer that does strange things: one clear line, no hang, no traceback of something else."""

import re
import socket
import threading
import time
from contextlib import suppress

import pytest

from nashgap.agents.named import load_agent
from nashgap.arena.acpc.player import AcpcPlayer
from nashgap.errors import ConfigError, IllegalActionError, NashGapError
from nashgap.poker.rules import load_rules


class Recorder:
    """An agent that remembers what it was told."""

    name = "recorder"

    def __init__(self, action=0):
        self.action = action
        self.told = []

    def start_match(self, rules):
        self.told.append("match")

    def start_hand(self, seat, rng):
        self.told.append(("hand", seat))

    def act(self, view):
        self.told.append(("act", view.state.betting, view.hole_cards))
        return self.action

    def end_hand(self, hand):
        self.told.append(("end", hand.state.betting, hand.hole_cards, hand.payoffs))


def played_against(script, *, agent=None, game="kuhn2", silence_seconds=0.5):
    """What the player returns or raises when the dealer sends `script` and hangs up; and what it sent.

    script: in parts, if the player is to answer each but the last.
    """
    rules = load_rules(game)
    sent = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve():
            connection, _ = door.accept()
            with connection, suppress(OSError):  # the player need not read to the end
                *asked, last = script if isinstance(script, tuple) else (script,)
                sent.append(connection.recv(1000))
                for part in asked:
                    connection.sendall(part)
                    sent.append(connection.recv(1000))
                connection.sendall(last)
                connection.shutdown(socket.SHUT_WR)
                while data := connection.recv(1000):
                    sent.append(data)

        server = threading.Thread(target=serve)
        server.start()
        player = AcpcPlayer(agent or load_agent("always-call", rules), rules, seed=1, silence_seconds=silence_seconds)
        try:
            outcome = player.play("127.0.0.1", door.getsockname()[1])
        except NashGapError as error:
            outcome = error
        server.join(10)
        assert not server.is_alive()
    return outcome, b"".join(sent)


def test_an_agent_is_told_of_each_hand_once():
    agent = Recorder()
    script = (
        b"# welcome\r\nMATCHSTATE:0:0::Ks|\r\n;gui\r\n",
        b"MATCHSTATE:0:0:c:Ks|\r\nMATCHSTATE:0:0:cc:Ks|As\r\nMATCHSTATE:1:1::|Qs\nMATCHSTATE:1:1:r:|Qs\n",
        b"MATCHSTATE:1:1:r:|Qs\nMATCHSTATE:1:1:rf:|Qs\n",
    )
    score, sent = played_against(script, agent=agent)
    king, ace, queen = (47,), (51,), (43,)
    assert agent.told == [
        "match",
        ("hand", 0),
        ("act", "", king),
        ("end", "cc", (king, ace), (-1.0, 1.0)),
        ("hand", 1),
        ("act", "r", queen),
        ("end", "rf", (None, queen), (1.0, -1.0)),
    ]
    assert sent == b"VERSION:2.0.0\r\nMATCHSTATE:0:0::Ks|:c\r\nMATCHSTATE:1:1:r:|Qs:c\r\n"
    assert (score.num_hands, score.chips, score.unit) == (2, -2.0, "antes_per_hand")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (b"hello\r\n", "sent 'hello': 'hello' is not MATCHSTATE"),
        (b"\xff\xfe\x00\r\n", r"sent '.*xff"),
        (b"MATCHSTATE:0:0::|Qs\r\n", "own hole cards are missing"),
        (b"MATCHSTATE:5:0::Ks|\r\n", "position 5; the game has positions 0 to 1"),
        (b"MATCHSTATE:0:0::Ks|Ks\r\n", "Ks is there twice"),
        (b"MATCHSTATE:0:0::2c|\r\n", "2c is not in the deck"),
        (b"MATCHSTATE:0:0:rr:Ks|\r\n", "character 2: r is not legal"),
        (b"MATCHSTATE:0:0:c:Ks|\r\n", "hung up in the middle of a hand"),
        (b"MATCHSTATE:0:0:c:Ks|\r\nMATCHSTATE:1:1::|Qs\r\n", "starts hand 1 before the end of hand 0"),
        (b"MATCHSTATE:0:0::Ks|\r\nMATCHSTATE:1:0:c:|Qs\r\n", "moves the player from position 0 to 1"),
        (b"MATCHSTATE:0:0:cc:Ks|\r\n", "no hole cards of seat 2 at the showdown"),
        (b"MATCHST", "hung up in the middle of a line"),
        (b"x" * 200_000, "without a line end"),
        (b"#\r\n" * 10_001, "sent 10000 comments on end"),
    ],
)
def test_a_strange_dealer_is_one_clear_error(script, message):
    error, _ = played_against(script)
    assert isinstance(error, NashGapError)
    assert str(error).startswith("the dealer at 127.0.0.1:")
    assert "\n" not in str(error)
    assert re.search(message, str(error))


def test_a_silent_dealer_is_not_waited_for_for_ever():
    with socket.create_server(("127.0.0.1", 0)) as door:
        rules = load_rules("kuhn2")
        player = AcpcPlayer(load_agent("always-call", rules), rules, silence_seconds=0.2)
        start = time.monotonic()
        with pytest.raises(NashGapError, match="is silent"):
            player.play("127.0.0.1", door.getsockname()[1])
        assert time.monotonic() - start < 5


def test_a_dealer_that_is_not_there_is_named():
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    rules = load_rules("kuhn2")
    player = AcpcPlayer(load_agent("always-call", rules), rules, connect_seconds=0.1)
    with pytest.raises(ConfigError, match=f"the dealer at 127.0.0.1:{port} does not answer: Connection refused"):
        player.play("127.0.0.1", port)
    with pytest.raises(ConfigError, match="port 0; 1 to 65535 are allowed"):
        player.play("127.0.0.1", 0)
    with pytest.raises(ConfigError, match="cannot be reached"):
        player.play("no.such.host.invalid", 20000)
    with pytest.raises(ConfigError, match="seed = -1; it must be a whole number from 0 to"):
        AcpcPlayer(load_agent("always-call", rules), rules, seed=-1)


def test_an_agent_that_acts_illegally_is_named():
    error, _ = played_against(b"MATCHSTATE:0:0::Ks|\r\n", agent=Recorder(action=7))
    assert isinstance(error, IllegalActionError)
    assert "recorder answers r after ''; legal: check, raise to 2" in str(error)


def test_a_state_that_is_overtaken_is_not_answered():
    """The dealer has acted for a player that was too slow; what it waits for now is in the last line."""
    agent = Recorder()
    script = b"MATCHSTATE:1:0::|Qs\nMATCHSTATE:1:0:c:|Qs\nMATCHSTATE:1:0:cr:|Qs\nMATCHSTATE:1:0:crf:|Qs\n"
    score, sent = played_against(script, agent=agent)
    assert sent == b"VERSION:2.0.0\r\n"
    assert agent.told == ["match", ("hand", 1), ("end", "crf", (None, (43,)), (-1.0, 1.0))]
    assert score.num_hands == 1


@pytest.mark.parametrize("script", [b"", b"# welcome\r\n"])
def test_a_dealer_that_hangs_up_before_the_first_hand_is_an_error(script):
    error, _ = played_against(script)
    assert isinstance(error, NashGapError)
    assert re.fullmatch(r"the dealer at 127.0.0.1:\d+ hung up before the first hand", str(error))
