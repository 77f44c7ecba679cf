"""`nashgap match`: what it prints, keeps and refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nashgap.poker.notation import parse_hand
from nashgap.poker.rules import load_rules
from nashgap.runs import find_run

KEYS = {"agents", "unit", "winrates", "ci95", "stdev", "deals", "seed", "sequences", "version"}


def test_json_has_what_was_promised(nashgap):
    done = nashgap("match", "always-call", "always-call", "always-call", "--game", "lhe3", "--deals", "2000", "--json")
    assert done.status == 0
    assert set(done.json) >= KEYS
    assert done.json["unit"] == "sb_per_hand"
    assert done.json["winrates"] == [0, 0, 0]
    assert (done.json["deals"], done.json["seatings"]) == (2000, 6)
    assert done.json["sequences"] == {"ccc": 1.0}
    assert all(abs(stdev - 1.39) < 0.03 for stdev in done.json["stdev"])
    assert Path(done.json["report"]).is_file()


def test_people_get_a_table_within_80_columns(nashgap):
    done = nashgap("match", "probe", "always-call", "random", "--deals", "500")
    assert done.status == 0
    assert max(len(line) for line in done.out.splitlines() if not line.startswith("report")) <= 80
    for word in (
        "probe, always-call, random in lhe3",
        "Over 500 deals, each in 6 seatings: 3,000 hands.",
        "sb_per_hand",
        "VPIP",
        "Betting before the flop: ",
    ):
        assert word in " ".join(done.out.split())


def test_copies_of_an_agent_are_told_apart(nashgap):
    out = nashgap("match", "probe", "probe", "--game", "kuhn2", "--deals", "50").out
    assert "probe #1" in out
    assert "probe #2" in out


def test_two_workers_play_the_same_match(nashgap, tmp_path):
    command = ("match", "random", "probe", "--game", "hunl", "--deals", "40000", "--json")
    one = nashgap(*command, "--runs", "one").json
    two = nashgap(*command, "--runs", "two", "--workers", "2").json
    for key in ("run", "report"):
        assert one.pop(key) != two.pop(key)
    assert one == two


def test_a_killed_match_continues_to_the_same_numbers(nashgap, tmp_path):
    command = ("match", "random", "probe", "--game", "hunl", "--deals", "500000", "--json", "--quiet")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "nashgap", *command], cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL
    )
    finished = 0
    while finished < 3:
        assert process.poll() is None, "the match ended before it could be killed"
        time.sleep(0.02)
        if any(tmp_path.glob("runs/match-*")):
            with find_run(tmp_path / "runs", "match").open_ledger() as ledger:
                finished = len(ledger.batches())
    process.send_signal(signal.SIGKILL)
    process.wait()
    with find_run(tmp_path / "runs", "match").open_ledger() as ledger:
        before = ledger.batch_seconds()
    assert 3 <= len(before) < 50
    resumed = nashgap("runs", "resume", "match", "--json", "--quiet").json
    with find_run(tmp_path / "runs", "match").open_ledger() as ledger:
        assert before.items() <= ledger.batch_seconds().items(), "what was finished is not played again"
    fresh = nashgap(*command, "--runs", "fresh").json
    assert resumed["winrates"] == fresh["winrates"]
    assert resumed["ci95"] == fresh["ci95"]
    assert resumed["sequences"] == fresh["sequences"]


def test_logs_are_written_for_each_seating(nashgap, tmp_path):
    done = nashgap("match", "random", "probe", "--game", "leduc2", "--deals", "30", "--log", "logs", "--json")
    assert len(done.json["logs"]) == 2
    lines = Path(done.json["logs"][1]).read_text().splitlines()
    assert lines[0] == "# name/game/hands/seed match-leduc2-random-probe.1 leduc2 30 0"
    hands = [parse_hand(line, load_rules("leduc2")) for line in lines[1:-1]]
    assert len(hands) == 30
    assert hands[7].players == ("probe", "random")
    assert lines[-1].startswith("SCORE:")
    for log in done.json["logs"]:
        checked = nashgap("acpc", "check-log", log, "--game", "leduc2", "--json").json
        assert (checked["hands"], checked["mismatches"]) == (30, 0)


def test_a_game_definition_of_ones_own_is_played(nashgap, tmp_path):
    (tmp_path / "short.game").write_text(load_rules("hunl").to_text().replace("20000 20000", "500 300"))
    done = nashgap("match", "random", "always-call", "--game", "short.game", "--deals", "100", "--json")
    assert done.status == 0
    assert done.json["game"] == "short"
    assert "nashgap runs resume match-short-random-always-call" in Path(done.json["report"]).read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nobody", "probe"), "unknown agent 'nobody'"),
        (("probe", "probe", "probe"), "3 agents; lhe2 has 2 seats"),
        (("probe", "probe", "--deals", "1"), "deals = 1; an interval needs at least 2"),
        (("probe", "probe", "--workers", "0"), "workers = 0; at least 1 is needed"),
        (("probe", "probe", "--seed", "-1"), "seed = -1; it must be a whole number"),
        (("probe", "probe", "--game", "lhe9"), "unknown poker game 'lhe9'"),
        (("probe", "probe", "--log", "/dev/null/logs"), "/dev/null/logs: cannot be written: Not a directory"),
        (("probe", "probe", "--game", "missing.game"), "missing.game: cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(nashgap, tmp_path, words, message):
    game = () if "--game" in words else ("--game", "lhe2")
    done = nashgap("match", *words, *game)
    assert done.status == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_an_illegal_definition_names_its_line(nashgap, tmp_path):
    (tmp_path / "bad.game").write_text("GAMEDEF\nlimit\nnumPlayers = two\n")
    done = nashgap("match", "probe", "probe", "--game", "bad.game")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "bad.game: line 3: numPlayers = 'two'; whole numbers" in done.err


def test_the_size_and_about_the_time_are_told_beforehand(nashgap):
    command = ("match", "probe", "random", "--game", "leduc2", "--deals", "10000")
    size = "leduc2: 10,000 deals in 2 seatings: 20,000 hands"
    assert nashgap(*command).err == f"{size}, less than a second\n"
    longer = nashgap(*command[:-1], "20000").err
    assert longer == "leduc2: 20,000 deals in 2 seatings: 40,000 hands, 50% finished before, less than a second\n"
    assert nashgap(*command).err == ""


BOTS = """
print("hello")
class Talker:
    def act(self, view):
        print("I call")
        return 0
class Broken:
    num_hands = 0
    def start_hand(self, seat, rng):
        Broken.num_hands += 1
    def act(self, view):
        return 0 if Broken.num_hands < 100 else None.call
"""


def test_what_a_bot_prints_does_not_spoil_the_document(tmp_path):
    (tmp_path / "talkers.py").write_text(BOTS)
    command = ("match", "python:talkers:Talker", "probe", "--game", "kuhn2", "--deals", "50", "--workers", "2")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "nashgap", *command, "--json"], cwd=tmp_path, env=environment, capture_output=True
    )
    assert json.loads(done.stdout)["deals"] == 50
    assert b"I call\n" in done.stderr


def test_a_bot_that_fails_is_told_in_one_line_and_finished_batches_are_kept(nashgap, tmp_path):
    (tmp_path / "breakers.py").write_text(BOTS)
    done = nashgap("match", "python:breakers:Broken", "probe", "--game", "kuhn2", "--deals", "100", "--quiet")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "python:breakers:Broken fails in act(view): AttributeError" in done.err
    assert done.err.endswith("(breakers.py, line 12)\n")
    with find_run(tmp_path / "runs", "match").open_ledger() as ledger:
        assert len(ledger.batches()) == 1


def test_luck_is_taken_off_beside_what_was_won(nashgap):
    done = nashgap("match", "probe", "random", "--game", "leduc2", "--deals", "200", "--variance", "aivat", "--json")
    assert done.status == 0
    assert done.json["variance"] == "aivat"
    assert done.json["corrected"]["ci95"][0] < done.json["ci95"][0]
    assert set(done.json["corrected"]) == {"winrates", "ci95", "stdev", "stdev_per_deal"}
    shown = nashgap("match", "probe", "random", "--game", "leduc2", "--deals", "200", "--variance", "aivat").out
    assert "Without luck" in shown
    assert max(len(line) for line in shown.splitlines() if not line.startswith("report")) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("probe", "random", "--variance", "mivat"), "variance 'mivat'; it must be one of none, chance, aivat"),
        (("poki", "poki", "--game", "lhe2", "--variance", "aivat"), "variance aivat needs one agent that tells"),
    ],
)
def test_luck_that_cannot_be_taken_off_is_refused_in_one_line(nashgap, arguments, message):
    done = nashgap("match", "--game", "leduc2", "--deals", "20", *arguments)
    assert done.status == 2
    assert message in " ".join(done.err.split())
