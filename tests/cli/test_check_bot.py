"""`nashgap check-bot`, and the example bots, which pass it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PYTHON_BOT = f"exec:{sys.executable} {EXAMPLES / 'exec_bot.py'}"


@pytest.mark.parametrize("game", ["hunl", "lhe3", "leduc2"])
def test_the_example_in_python_passes(nashgap, game):
    outcome = nashgap("check-bot", PYTHON_BOT, "--game", game, "--states", "16", "--json")
    assert outcome.status == 0, outcome.err
    found = outcome.json
    assert found["is_sound"] is True and found["problem"] is None
    assert (found["bot_name"], found["num_states"], found["game"]) == ("high cards", 16, game)
    assert found["share_ignoring_hands"] == 0.0


def test_the_example_in_cpp_passes(nashgap, tmp_path):
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    program = tmp_path / "exec_bot"
    subprocess.run([compiler, "-std=c++17", "-o", program, EXAMPLES / "exec_bot.cpp"], check=True)
    for game in ("hunl", "lhe3", "kuhn2"):
        outcome = nashgap("check-bot", f"exec:{program}", "--game", game, "--states", "40")
        assert outcome.status == 0, outcome.out
        told = " ".join(outcome.out.split())  # the path of the program may leave no room on its line
        assert "is sound" in told and "all-in" in told


def test_a_bot_that_fails_is_told_and_the_status_is_1(nashgap):
    outcome = nashgap("check-bot", "exec:false")
    assert outcome.status == 1
    assert "exec:false is not sound" in outcome.out
    assert "the game definition; it ended with status 1" in " ".join(outcome.out.split())
    found = nashgap("check-bot", "exec:false", "--json")
    assert found.status == 1 and found.json["is_sound"] is False


def test_progress_is_told_unless_quiet(nashgap, monkeypatch):
    monkeypatch.setattr("nashgap.runs.progress.FIRST_LINE_SECONDS", 0.0)
    words = ("check-bot", PYTHON_BOT, "--game", "kuhn2", "--states", "4", "--json")
    outcome = nashgap(*words)
    assert "0/12" in outcome.err and outcome.json["is_sound"]
    assert nashgap(*words, "--quiet").err == ""


@pytest.mark.parametrize("seed", ["-1", str(2**63), str(10**30)])
def test_a_seed_that_is_none_is_refused(nashgap, seed):
    outcome = nashgap("check-bot", "always-call", "--game", "leduc2", "--seed", seed)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert f"seed = {seed}; it must be" in outcome.err


def test_what_is_no_bot_is_refused(nashgap):
    outcome = nashgap("check-bot", "acpc:./player")
    assert outcome.status == 2
    assert "nashgap match acpc:./player" in outcome.err


def test_the_example_plays_a_match(nashgap):
    outcome = nashgap("match", PYTHON_BOT, "always-call", "--game", "hunl", "--deals", "5", "--json")
    assert outcome.status == 0, outcome.err
