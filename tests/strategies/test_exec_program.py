"""Programs as strategies: sound ones, and every kind that is not."""

import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from waiting import wait_until

import nashgap
from nashgap.core import line_program
from nashgap.core.program import ProgramLimits
from nashgap.core.strategy import RaiseRange
from nashgap.errors import AgentError, ConfigError, UnsupportedGameError
from nashgap.poker.hands import hand_names, possible_hands
from nashgap.poker.notation import parse_state
from nashgap.poker.rules import load_rules, parse_rules
from nashgap.strategies.exec_program import ExecStrategy
from nashgap.strategies.load import load

HUNL, KUHN = load_rules("hunl"), load_rules("kuhn2")
FLOP = parse_state("r300c/", "|/AhKd2c", HUNL)[0]
RAISED = parse_state("r300c/r600", "|/AhKd2c", HUNL)[0]

START = """
import base64, json, os, struct, sys, time
def tell(answer):
    print(json.dumps(answer), flush=True)
game = json.loads(input())
hands = game["hands"]
"""
LOOP = """
tell({"nashgap": 1, "name": "tester"})
for line in sys.stdin:
    asked = json.loads(line)
    states = asked["states"]
    call = {"actions": ["c"], "probabilities": [1]}
"""


@pytest.fixture
def bot(tmp_path):
    """Starts a strategy from the body of a program's loop; all are closed at the end."""
    made = []

    def make(body, *, rules=HUNL, start=START + LOOP, **limits):
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(start + textwrap.indent(textwrap.dedent(body), "    "))
        limits = {"seconds": 20.0, "startup": 20.0} | limits
        made.append(ExecStrategy(f"{sys.executable} {path}", rules, ProgramLimits(**limits), name="exec:bot"))
        return made[-1]

    yield make
    for strategy in made:
        strategy.close()


def test_one_row_serves_all_hands(bot):
    strategy = bot('tell({"id": asked["id"], "policies": [call for _ in states]})')
    (policy,) = strategy.policies([FLOP])
    assert policy.actions == ("c",) and policy.ignores_hands
    assert strategy.bot_name == "tester"


def test_rows_of_numbers_and_of_base64_say_the_same(bot):
    strategy = bot(
        """
        rows = [[i / 1326, 1 - i / 1326, 0.0] for i in range(len(hands))]
        packed = base64.b64encode(struct.pack("<3978f", *[x for row in rows for x in row])).decode()
        told = [rows, {"base64": packed}]
        tell({"id": asked["id"], "policies": [
            {"actions": ["c", "r600", "r700..20000"], "probabilities": told[i]} for i in range(2)]})
        """
    )
    numbers, packed = strategy.policies([FLOP, FLOP])
    assert numbers.moves == (0, 600, RaiseRange(700, 20_000))
    np.testing.assert_allclose(packed.probabilities, numbers.probabilities, atol=1e-7)
    is_possible = possible_hands(FLOP)
    assert numbers.probabilities[is_possible, 0] == pytest.approx(np.arange(1326)[is_possible] / 1326, abs=1e-12)
    assert not numbers.probabilities[~is_possible].any()


def test_the_program_is_told_the_game_and_the_state(bot, tmp_path):
    strategy = bot(
        f"""
        open({str(tmp_path / "told")!r}, "w").write(json.dumps([game, asked]))
        tell({{"id": asked["id"], "policies": [call for _ in states]}})
        """
    )
    strategy.policies([RAISED])
    game, asked = json.loads((tmp_path / "told").read_text())
    assert parse_rules(game["game"]) == HUNL
    assert game["game_name"] == "hunl" and game["nashgap"] == 1
    assert tuple(game["hands"]) == hand_names(HUNL)
    assert asked == {
        "id": 1,
        "states": [
            {
                "state": "STATE:0:r300c/r600:|/AhKd2c",
                "betting": "r300c/r600",
                "board": "AhKd2c",
                "seat": 1,
                "spent": [600, 300],
                "pot": 900,
                "to_call": 300,
                "can_fold": True,
                "raise_to": [900, 20000],
            }
        ],
    }


def test_states_are_asked_in_batches(bot, tmp_path):
    strategy = bot(
        f"""
        open({str(tmp_path / "sizes")!r}, "a").write(f"{{len(states)}} ")
        tell({{"id": asked["id"], "policies": [call for _ in states]}})
        """,
        batch=3,
    )
    assert len(strategy.policies([FLOP] * 7)) == 7
    assert (tmp_path / "sizes").read_text() == "3 3 1 "


def test_a_small_game_has_its_own_hands(bot):
    strategy = bot('tell({"id": asked["id"], "policies": [call for _ in states]})', rules=KUHN)
    assert strategy.policies([KUHN.root()])[0].hands == hand_names(KUHN)


ANSWERS = {
    "negative": (
        '{"actions": ["c", "r600"], "probabilities": [[1.5, -0.5]] + [[1, 0]] * 1325}',
        "row 1, hand 2d2c: the",
    ),
    "not finite": (
        '{"actions": ["c", "r600"], "probabilities": [[1, 0]] * 7 + [[float("nan"), 0]] + [[1, 0]] * 1318}',
        "row 8, hand 3c2d: the probabilities nan, 0 are not all finite",
    ),
    "infinite": ('{"actions": ["c"], "probabilities": [float("inf")]}', "the row of all hands: the probabilities inf"),
    "sum": (
        '{"actions": ["c", "r600"], "probabilities": [[0.5, 0.5]] * 1324 + [[0.5, 0.4], [0.5, 0.5]]}',
        "row 1325, hand AsAd: the probabilities 0.5, 0.4 do not add up to 1",
    ),
    "sum of base64": (
        '{"actions": ["c"], "probabilities": {"base64": base64.b64encode(struct.pack("<f", 0.9)).decode()}}',
        "the row of all hands: the probabilities 0.9 do not add up to 1",
    ),
    "illegal": ('{"actions": ["f", "c"], "probabilities": [0, 1]}', "action 'f' is not legal; legal: check, raise"),
    "small raise": ('{"actions": ["r301"], "probabilities": [1]}', "'r301' is not legal; legal: check, raise to 400"),
    "unknown": ('{"actions": ["bet"], "probabilities": [1]}', "'bet' is no action; actions are f, c, r600"),
    "duplicate": ('{"actions": ["c", "c"], "probabilities": [0.5, 0.5]}', "actions 'c' and 'c' overlap"),
    "overlap": ('{"actions": ["r600", "r500..700"], "probabilities": [0.5, 0.5]}', "'r500..700' and 'r600' overlap"),
    "no actions": ('{"actions": [], "probabilities": []}', "no actions; legal: check"),
    "actions no list": ('{"actions": "c", "probabilities": [1]}', '"actions" must be a list of text'),
    "too few rows": ('{"actions": ["c"], "probabilities": [[1]] * 1325}', "shape 1325 x 1; hands x actions, 1326 x 1"),
    "too long rows": (
        '{"actions": ["c"], "probabilities": [[1, 0]] * 1326}',
        "row 1, hand 2d2c: 2 numbers for 1 actions",
    ),
    "ragged": ('{"actions": ["c"], "probabilities": [[1], [1, 0]]}', "row 2, hand 2h2c: 2 numbers for 1 actions"),
    "ragged beyond the hands": (
        '{"actions": ["c"], "probabilities": [[1]] * 1326 + [[]]}',
        "row 1327: 0 numbers for 1",
    ),
    "long single row": ('{"actions": ["c"], "probabilities": [1, 0]}', "the row of all hands: 2 numbers for 1 actions"),
    "text": ('{"actions": ["c"], "probabilities": ["1"]}', "the row of all hands: '1' is no number"),
    "text in a row": ('{"actions": ["c"], "probabilities": [[1], ["1"]]}', "row 2, hand 2h2c: '1' is no number"),
    "long text": ('{"actions": ["c"], "probabilities": ["x" * 999]}', f"the row of all hands: '{'x' * 40}' is no"),
    "null in a row": ('{"actions": ["c"], "probabilities": [[None], [1]]}', "row 1, hand 2d2c: null is no number"),
    "null for a row": (
        '{"actions": ["c"], "probabilities": [[1], None]}',
        "row 2, hand 2h2c: null is no list of numbers",
    ),
    "truth": ('{"actions": ["c"], "probabilities": [True]}', "the row of all hands: true is no number"),
    "nested": ('{"actions": ["c"], "probabilities": [[[1]]]}', "the row of all hands: [1] is no number"),
    "huge": ('{"actions": ["c"], "probabilities": [10**400]}', "is too large"),
    "null": ('{"actions": ["c"], "probabilities": None}', '"probabilities" must be numbers'),
    "not base64": ('{"actions": ["c"], "probabilities": {"base64": "!!"}}', '"base64" is not base64'),
    "cut base64": (
        '{"actions": ["c"], "probabilities": {"base64": "AAA="}}',
        "2 bytes of float32 do not make rows of 1",
    ),
    "no object": ('"call"', 'a policy is an object with "actions" and "probabilities"'),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_nonsense_is_told_with_the_state(bot, kind):
    policy, message = ANSWERS[kind]
    strategy = bot(f'tell({{"id": asked["id"], "policies": [call, {policy}]}})')
    with pytest.raises(AgentError) as refused:
        strategy.policies([RAISED, FLOP])
    assert str(refused.value).startswith("exec:bot after 'r300c/' on board AhKd2c, in the big blind: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('tell({"id": 7, "policies": [call]})', "answers question 7; question 1 was asked"),
        ('tell({"id": 1, "policies": []})', "0 policies for 1 states"),
        ('tell({"id": 1})', 'no list "policies" for 1 states'),
        ('tell({"id": 1, "error": "no model"})', "the program says: no model"),
        ("tell([1])", "answers '[1]', which is no JSON object, to the policy after 'r300c/'"),
        ('print("thinking", flush=True)', "answers 'thinking', which is no JSON object"),
        (
            'print("DEBUG thinking\\n" + json.dumps({"id": 1, "policies": [call]}), flush=True)',
            "answers 'DEBUG thinking', which is no JSON object, to the policy after 'r300c/'",
        ),
        (
            'sys.stdout.buffer.write(b"\\xff\\xfe!\\n{}\\n"); sys.stdout.flush()',
            "answers '\ufffd\ufffd!', which is no JSON object",
        ),
        (
            'tell({"id": 1, "error": "no\\nmodel \\x1b[31m" + "x" * 999})',
            f"the program says: no model  [31m{'x' * 183}...",
        ),
        ('print("{}\\n{}", flush=True)', "says more than one line in answer to the policy after 'r300c/'"),
        (
            'sys.exit("out of cards")',
            "ends its output instead of an answer to the policy after 'r300c/' on board AhKd2c",
        ),
        ("os.kill(os.getpid(), 9)", "it ended by SIGKILL"),
    ],
)
def test_a_program_that_breaks_the_protocol_is_ended(bot, body, message):
    strategy = bot(body)
    with pytest.raises(AgentError) as refused:
        strategy.policies([FLOP])
    assert message in str(refused.value)
    assert strategy._program is None or not strategy._program.is_ours, "it is ended"


def test_the_name_is_fit_for_a_terminal(bot):
    start = START + LOOP.replace('"tester"', '"\\x1b[2Jmy\\nbot\\t" + "x" * 99')
    strategy = bot('tell({"id": asked["id"], "policies": [call]})', start=start)
    strategy.policies([FLOP])
    assert strategy.bot_name == f"[2Jmy bot {'x' * 46}..."


def test_output_without_end_is_stopped(bot, monkeypatch):
    monkeypatch.setattr(line_program, "MAX_LINE_BYTES", 10**6)
    strategy = bot('while True: print("x" * 10**5, end="")')
    with pytest.raises(AgentError, match="sends more than 1 MB in one line in answer to the policy after 'r300c/'"):
        strategy.policies([FLOP])


def test_last_words_are_told(bot):
    with pytest.raises(AgentError, match="ended with status 1; its last words: 'out of cards'"):
        bot('sys.exit("out of cards")').policies([FLOP])


def test_a_program_that_hangs_is_ended(bot):
    strategy = bot("time.sleep(60)", seconds=0.3)
    start = time.monotonic()
    with pytest.raises(AgentError, match=r"takes more than 0\.3 seconds for the policy after 'r300c/' on board AhKd2c"):
        strategy.policies([FLOP])
    assert time.monotonic() - start < 10


def test_a_program_that_never_ends_its_line_is_ended(bot):
    strategy = bot('while True: print("x", end="", flush=True)', seconds=0.3)
    with pytest.raises(AgentError, match=r"takes more than 0\.3 seconds"):
        strategy.policies([FLOP])


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("import time; time.sleep(60)\nif 1:\n", "takes more than 0.5 seconds for the game definition"),
        ("import sys; sys.exit(3)\nif 1:\n", "the game definition.*; it ended with status 3"),
        (
            "print('{\"nashgap\": 2}', flush=True); input()\nif 1:\n",
            'with "nashgap": 2; the version of the protocol is 1',
        ),
    ],
)
def test_a_program_that_does_not_begin_is_told(bot, start, message):
    with pytest.raises(AgentError, match=message):
        bot("pass", start=start, startup=0.5 if "sleep" in start else 20).policies([FLOP])


def test_memory_is_limited(bot):
    with pytest.raises(AgentError, match="MemoryError"):
        bot("big = bytearray(3 * 10**9)", memory=1).policies([FLOP])


def test_it_is_started_anew_after_an_error(bot, tmp_path):
    flag = tmp_path / "flag"
    strategy = bot(
        f"""
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w").close()
            sys.exit(1)
        tell({{"id": asked["id"], "policies": [call]}})
        """
    )
    with pytest.raises(AgentError):
        strategy.policies([FLOP])
    assert strategy.policies([FLOP])[0].actions == ("c",)


def test_a_copy_asks_a_program_of_its_own(bot):
    strategy = bot('tell({"id": asked["id"], "policies": [call] if asked["id"] == 1 else []})')
    strategy.policies([FLOP])
    copy = pickle.loads(pickle.dumps(strategy))
    assert copy.policies([FLOP])[0].actions == ("c",)
    copy.close()


def is_alive(pid):
    """Whether the process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def require_end(pid):
    wait_until(lambda: not is_alive(pid), "its end", 10)


STUBBORN = """
        import signal, subprocess
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(["sleep", "60"])
        open({path!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
        tell({{"id": asked["id"], "policies": [call]}})
        time.sleep(60)
"""


def test_closing_ends_the_program_and_what_it_started(bot, tmp_path):
    path = tmp_path / "pids"
    strategy = bot(STUBBORN.format(path=str(path)))
    strategy.policies([FLOP])
    pids = list(map(int, path.read_text().split()))
    assert all(map(is_alive, pids))
    strategy.close()
    for pid in pids:
        require_end(pid)


def test_the_program_does_not_outlive_a_killed_process(tmp_path):
    path, program = tmp_path / "pids", tmp_path / "bot.py"
    program.write_text(START + LOOP + textwrap.indent(textwrap.dedent(STUBBORN.format(path=str(path))), "    "))
    script = (
        "import os, signal\nfrom nashgap.poker.rules import load_rules\n"
        "from nashgap.strategies.exec_program import ExecStrategy\n"
        f"rules = load_rules('hunl')\ncommand = {f'{sys.executable} {program}'!r}\n"
        "strategy = ExecStrategy(command, rules)\nstrategy.policies([rules.root()])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(nashgap.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    for pid in map(int, path.read_text().split()):
        require_end(pid)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "has no command; it must be exec:COMMAND"),
        ("exec:no-such-program", "there is no program 'no-such-program'"),
        ("exec:'open", "No closing quotation"),
        ("exec(seconds=x):true", "seconds = 'x' is not a number"),
        ("exec(seconds=0):true", "'exec.seconds=0.:true': seconds = 0; it must be more than 0$"),
        ("exec(startup=inf):true", "startup = inf; it must be finite$"),
        ("exec(memory=-1):true", "memory = -1; it must be 0 or more$"),
        ("exec(batch=inf):true", "batch = inf; it must be a whole number"),
        ("exec(speed=1):true", "cannot read 'speed=1'; options, once each: seconds, startup, memory, batch"),
        ("exec(batch=0.5):true", "batch = 0.5; it must be a whole number"),
        ("exec(seconds=1)", r"must be exec:COMMAND or exec\(seconds=5, \.\.\.\):COMMAND"),
    ],
)
def test_a_wrong_spec_is_refused(spec, message):
    with pytest.raises(ConfigError, match=message):
        load(spec, HUNL)


def test_limits_are_part_of_the_spec():
    strategy = load("exec(seconds=5, memory=2, batch=8):true", HUNL)
    assert strategy.limits == ProgramLimits(seconds=5, memory=2, batch=8)
    assert strategy.name == "exec(seconds=5, memory=2, batch=8):true"


def test_a_game_with_many_hole_cards_is_refused():
    text = HUNL.to_text().replace("numHoleCards = 2", "numHoleCards = 4")
    with pytest.raises(UnsupportedGameError, match="deals 4 hole cards"):
        load("exec:true", parse_rules(text))
