"""Programs of the competition as agents."""

import gc
import os
import pickle
import sys
import time
from pathlib import Path

import pytest

from nashgap.agents.acpc_program import AcpcAgent
from nashgap.agents.named import load_agent
from nashgap.arena.table import deal_cards, play_hand, seat_generator
from nashgap.errors import ConfigError, NashGapError
from nashgap.poker.rules import load_rules

# A player that needs nothing of ours; its behaviour is the first word, each state that it hears goes to a file.
PROGRAM = """
import socket, sys, time
behaviour, path, host, port = sys.argv[1:]
connection = socket.create_connection((host, int(port)))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
connection.sendall(b"#\\r\\n" * 2000 if behaviour == "chatty" else b"")
connection.sendall(b"VERSION:9.0\\r\\n" if behaviour == "version" else b"# hi\\r\\nVERSION:2.0.0\\r\\n")
with open(path, "w") as heard:
    for line in connection.makefile("r"):
        line = line.rstrip()
        heard.write(line + "\\n")
        heard.flush()
        if behaviour == "die":
            sys.exit("out of memory")
        if behaviour == "silent":
            time.sleep(60)
        if behaviour == "flood":
            connection.sendall(b"x" * 100000)
        connection.sendall((line + (":r1" if behaviour == "illegal" else ":c") + "\\r\\n").encode())
"""


@pytest.fixture
def program(tmp_path):
    """The command of the program with a behaviour, and the file of what it hears."""
    script = tmp_path / "player.py"
    script.write_text(PROGRAM)
    heard = tmp_path / "heard file.txt"

    def command(behaviour):
        return f"{sys.executable} {script} {behaviour} '{heard}'"

    command.heard = heard
    return command


def play(rules, agents, num_hands, seed=5):
    for agent in agents:
        agent.start_match(rules)
    hands = []
    for number in range(num_hands):
        at_seat = [agents[(seat + number) % len(agents)] for seat in range(len(agents))]
        for seat, agent in enumerate(at_seat):
            agent.start_hand(seat, seat_generator(seed, number, 0, seat))
        hands.append(play_hand(rules, at_seat, deal_cards(rules, seed, number), number))
    return hands


@pytest.mark.parametrize("game", ["lhe3", "hunl"])
def test_a_program_plays_as_the_agent_that_it_is(game, program):
    rules = load_rules(game)
    others = [load_agent("random", rules) for _ in range(rules.num_seats - 1)]
    outside = AcpcAgent(program("call"))
    played = play(rules, [outside, *others], 12)
    outside.close()
    ours = play(rules, [load_agent("always-call", rules), *others], 12)
    assert [hand.state.betting for hand in played] == [hand.state.betting for hand in ours]
    assert [hand.payoffs for hand in played] == [hand.payoffs for hand in ours]
    assert outside.num_mended == 0


def test_a_program_hears_what_a_dealer_would_tell_it(program):
    from nashgap.arena.acpc.hand import DealtHand

    rules = load_rules("lhe3")
    agent = AcpcAgent(program("call"))
    played = play(rules, [agent, load_agent("random", rules), load_agent("probe", rules)], 10)
    agent.close()
    expected = []
    for number, hand in enumerate(played):
        dealt = DealtHand(rules, number, deal_cards(rules, 5, number))
        seat = -number % 3
        expected.append(dealt.message(seat))
        for action in (action for done in hand.state.history for action in done):
            dealt.act(action)
            expected.append(dealt.message(seat))
    assert program.heard.read_text().splitlines() == expected


def test_a_new_match_is_a_new_program(program):
    rules = load_rules("kuhn2")
    agent = AcpcAgent(program("call"))
    for _ in range(2):
        play(rules, [agent, load_agent("always-call", rules)], 3)
    agent.close()
    heard = program.heard.read_text()  # which each program begins anew
    assert heard.startswith("MATCHSTATE:0:0:") and heard.count("MATCHSTATE:0:0::") == 1


def test_illegal_answers_are_mended_and_counted(program):
    rules = load_rules("hunl")
    agent = AcpcAgent(program("illegal"))
    (hand,) = play(rules, [load_agent("always-call", rules), agent], 1)
    agent.close()
    assert hand.state.betting.startswith("r200c/")
    assert agent.num_mended > 0


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("die", "hung up; it ended with status 1; its last words: 'out of memory'"),
        ("silent", "takes more than 0.5 seconds for an action"),
        ("flood", "sent 65536 bytes without a line end"),
        ("chatty", "sent 1000 comments instead of VERSION:2.0.0"),
        ("version", "said 'VERSION:9.0' instead of VERSION:2.0.0"),
    ],
)
def test_a_program_that_fails_ends_the_match_with_a_clear_line(behaviour, message, program):
    rules = load_rules("kuhn2")
    agent = AcpcAgent(program(behaviour), action_seconds=0.5)
    with pytest.raises(NashGapError, match=message) as caught:
        play(rules, [agent, load_agent("always-call", rules)], 3)
    assert str(caught.value).startswith(f"acpc:{sys.executable}")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "agent 'acpc:' has no command"),
        ("'", "agent 'acpc:'': No closing quotation"),
        ("/no/such/program", "there is no program '/no/such/program', or it may not be executed"),
        ("false", "ended before it connected; it ended with status 1"),
        ("sleep 60 --", "ended before it connected; it ended with status 1; its last words"),
    ],
)
def test_a_command_that_starts_nothing_is_named(command, message):
    with pytest.raises(NashGapError, match=message):
        AcpcAgent(command).start_match(load_rules("kuhn2"))


def test_a_program_that_does_not_connect_is_not_waited_for_for_ever(tmp_path):
    script = tmp_path / "sleeper.py"
    script.write_text("import time; time.sleep(60)")
    agent = AcpcAgent(f"{sys.executable} {script}", startup_seconds=0.3)
    start = time.monotonic()
    with pytest.raises(NashGapError, match="did not connect in time"):
        agent.start_match(load_rules("kuhn2"))
    assert time.monotonic() - start < 5


def test_a_program_does_not_outlive_its_agent(program):
    agent = AcpcAgent(program("silent"))
    agent.start_match(load_rules("kuhn2"))
    number = agent._program.process.pid
    assert Path(f"/proc/{number}").exists() or os.kill(number, 0) is None
    del agent
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_an_agent_can_be_sent_to_another_process(program):
    agent = AcpcAgent(program("call"), action_seconds=3)
    agent.start_match(load_rules("kuhn2"))
    copy = pickle.loads(pickle.dumps(agent))
    agent.close()
    assert (copy.name, copy.action_seconds) == (agent.name, 3)
    play(load_rules("kuhn2"), [copy, load_agent("always-call", load_rules("kuhn2"))], 2)
    copy.close()


def test_a_spec_names_a_program():
    agent = load_agent("acpc:true --fast", load_rules("kuhn2"))
    assert isinstance(agent, AcpcAgent)
    assert agent.name == "acpc:true --fast"
    with pytest.raises(ConfigError, match="no command"):
        load_agent("acpc:", load_rules("kuhn2"))
