"""An installed NashGap, as a newcomer uses it: needs pytest and the wheel, and no file of the repository.

A few seconds on any system. Who builds wheels runs these against each of them, in an environment without a compiler.
"""

import json
import os
import subprocess
import sys

import pytest

import nashgap as ng

KUHN_VALUE = -1 / 18  # to the first player (Kuhn 1950)


@pytest.fixture
def environment(tmp_path):
    """Folders of its own for all that is kept."""
    own = {"NASHGAP_RUNS": "runs", "NASHGAP_CACHE": "cache", "NASHGAP_STATE": "state"}
    return {**os.environ, **{name: str(tmp_path / folder) for name, folder in own.items()}}


@pytest.fixture
def nashgap(tmp_path, environment):
    def call(*words, status=0, typed=None):
        done = subprocess.run(
            [sys.executable, "-m", "nashgap", *words], input=typed,
            cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=300,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return done

    return call


@pytest.fixture
def start(tmp_path, environment):
    """A dealer or player of the competition's protocol, in a process of its own."""
    started = []

    def begin(*words):
        command = [sys.executable, "-m", "nashgap", "acpc", *words]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe, text=True))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.parametrize("kind", ["games", "recipes", "seedings", "measures", "agents", "reproductions"])
def test_what_there_is_can_be_listed(nashgap, kind):
    """Recipes, seedings and game definitions are files of the package."""
    assert len(json.loads(nashgap("list", kind, "--json").stdout)) > 0
    assert kind in nashgap("list").stdout


def test_kuhn_is_worth_what_kuhn_found(nashgap):
    found = json.loads(nashgap("solve", "kuhn", "--json", "--quiet").stdout)
    assert found["value"] == pytest.approx(KUHN_VALUE, abs=1e-4)
    assert found["nash_conv"] < 1e-3
    exact = json.loads(nashgap("solve", "kuhn", "--solver", "lp", "--json", "--quiet").stdout)
    assert exact["value"] == pytest.approx(KUHN_VALUE, abs=1e-9)


def test_a_run_is_kept_found_and_removed(nashgap):
    solve = ("solve", "leduc", "--iterations", "100", "--json", "--quiet")
    first, again = (json.loads(nashgap(*solve).stdout) for _ in range(2))
    assert first["nash_conv"] == again["nash_conv"], "a finished run answers"
    assert "finished" in nashgap("runs", "list").stdout
    nashgap("runs", "remove", "solve-leduc")
    assert "finished" not in nashgap("runs", "list").stdout


def test_a_strategy_is_saved_loaded_checked_and_measured(nashgap, tmp_path):
    solution = ng.solve("leduc", iterations=500)
    solution.save(tmp_path / "leduc.safetensors")
    loaded = ng.load(tmp_path / "leduc.safetensors")
    assert ng.measure(loaded).nash_conv == solution.nash_conv
    nashgap("check", "leduc.safetensors")
    measured = json.loads(nashgap("measure", "leduc.safetensors", "--json", "--quiet").stdout)
    assert measured["nash_conv"] == solution.nash_conv
    assert "bet" in nashgap("show", "leduc.safetensors").stdout

    content = bytearray((tmp_path / "leduc.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / "damaged.safetensors").write_bytes(content)
    assert "damaged" in nashgap("check", "damaged.safetensors", status=2).stderr


@pytest.mark.parametrize(("game", "seats"), [("hunl", 2), ("lhe2", 2), ("lhe3", 3)])
def test_somebody_to_play_comes_along(nashgap, tmp_path, game, seats):
    """At once: no table is built for it."""
    against = ["--against", f"resident-{game}"] * (seats - 1)
    nashgap("play", "--game", game, *against, "--hands", "3", "--seed", "1", "--log", "played.log", typed="c\n" * 100)
    assert (tmp_path / "played.log").read_text().count("STATE:") == 3
    assert not list(tmp_path.glob("cache/*/*.bin"))


def test_poker_is_trained_natively():
    """Tables in the system's own pages, two threads, a recipe of the package."""
    training = ng.solve("leduc-small", iterations=20_000, threads=2)
    assert ng.measure(training, by="abstract-br").nash_conv.mean < 0.5


def test_always_call_loses_to_local_best_response(nashgap):
    """By hands dealt, with tables of the package; 34 big blinds a hand with all deals."""
    words = ["measure", "always-call", "--game", "hunl", "--by", "lbr", "--bets", "fcpa", "--rounds", "3-4"]
    bound = json.loads(nashgap(*words, "--lines", "dealt", "--deals", "200", "--json", "--quiet").stdout)
    assert 20_000 < bound["mean"] < 50_000
    assert bound["unit"] == "mbb_per_hand"


def test_a_match_is_the_same_with_any_number_of_workers(nashgap):
    words = ["match", "poki", "always-call", "probe", "--game", "lhe3", "--deals", "200", "--json", "--quiet"]
    one, two = (json.loads(nashgap(*words, "--fresh", "--workers", workers).stdout) for workers in "12")
    assert one["winrates"] == two["winrates"] and one["stdev"] == two["stdev"]


def test_a_match_over_tcp(start, tmp_path):
    dealer = start("dealer", "--game", "leduc2", "--hands", "50", "--ports", "0,0", "--log", "match.log", "--json")
    word, *ports = dealer.stderr.readline().split()
    assert word == "ports" and len(ports) == 2
    players = [
        start("player", agent, "--game", "leduc2", "--port", port)
        for agent, port in zip(["always-call", "random"], ports, strict=True)
    ]
    for process in (dealer, *players):
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 0, said
    assert (tmp_path / "match.log").read_text().count("STATE:") == 50


def test_bad_input_is_one_line(nashgap):
    refused = nashgap("solve", "kuhnn", status=2)
    assert refused.stdout == "" and len(refused.stderr.splitlines()) == 1 and "kuhnn" in refused.stderr


BOT = """
import json, sys
game = json.loads(sys.stdin.readline())
print(json.dumps({"nashgap": 1, "name": "caller"}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    called = {"actions": ["c"], "probabilities": [[1.0]] * len(game["hands"])}
    print(json.dumps({"id": question["id"], "policies": [called] * len(question["states"])}), flush=True)
"""


def test_programs_play_where_they_can_be_ended(nashgap, tmp_path):
    """And are refused in a line elsewhere."""
    (tmp_path / "bot.py").write_text(BOT)
    program = f"exec:'{sys.executable}' bot.py"
    if sys.platform == "win32":
        refused = nashgap("measure", program, "--game", "leduc2", "--by", "lbr", "--quiet", status=2)
        assert "WSL" in refused.stderr and len(refused.stderr.splitlines()) == 1
        return
    words = ["--game", "leduc2", "--by", "lbr", "--json", "--quiet"]
    asked, known = (json.loads(nashgap("measure", bot, *words).stdout) for bot in (program, "always-call"))
    assert asked["mean"] == pytest.approx(known["mean"])
