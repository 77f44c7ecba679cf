"""Agents by name, and somebody's own classes."""

import sys

import pytest

from nashgap.agents.named import load_agent
from nashgap.arena.match import MatchJob
from nashgap.arena.match_result import combine
from nashgap.errors import ConfigError, IllegalActionError
from nashgap.poker.rules import load_rules

LHE2 = load_rules("lhe2")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", r"unknown agent 'nobody'; known: always-call, "),
        ("always-cal", r"did you mean 'always-call'\?"),
        ("always call", r"must be a name, name\(arguments\), a strategy file, python:module:Class or acpc:COMMAND"),
        ("always-call(1)", r"too many positional arguments; arguments are: none"),
        ("triple(0.5,0.5)", r"missing a required argument: 'raising'; arguments are: fold, call, raising"),
        ("triple(a,b,c)", r"'a' is not a number"),
        ("python:nowhere:Bot", r"there is no module 'nowhere'"),
        ("python:json:Bot", r"module json has no class 'Bot'"),
        ("python:json:JSONDecoder", r"class JSONDecoder has no method act\(view\)"),
        ("python:json", r"must be python:module:Class"),
    ],
)
def test_a_wrong_agent_is_refused_in_one_line(spec, message):
    with pytest.raises(ConfigError, match=message) as refused:
        load_agent(spec, LHE2)
    assert "\n" not in str(refused.value)


def test_arguments_may_be_named():
    assert load_agent("triple(call=0.5, raising=0.25, fold=0.25)", LHE2).name == "triple(0.25,0.5,0.25)"


BOTS = """
class Caller:
    def act(self, view):
        return 0

class Grumbler:
    def act(self, view):
        return "raise"

class Cheat:
    def act(self, view):
        return 10**6

class Needy:
    def __init__(self, size):
        self.size = size
    def act(self, view):
        return 0
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "bots_of_a_test.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "bots_of_a_test", raising=False)  # another test's, from another folder


def play(*agents, deals=40):
    job = MatchJob(LHE2, agents, deals, seed=5)
    return combine(job, [job.run_batch(index) for index in range(job.num_batches)])


def test_a_class_of_one_method_plays_as_the_chump_that_does_the_same(bots):
    own, chump = play("python:bots_of_a_test:Caller", "probe"), play("always-call", "probe")
    assert own.winrates.tolist() == chump.winrates.tolist() != [0.0, 0.0]


def test_a_changed_bot_is_another_bot(bots, tmp_path):
    """Else the match of the old one would be shown for the new one."""
    spec = "python:bots_of_a_test:Caller"
    before = MatchJob(LHE2, (spec, "probe"), 20).identity()
    (tmp_path / "bots_of_a_test.py").write_text(BOTS + "# another line\n")
    assert MatchJob(LHE2, (spec, "probe"), 20).identity() != before
    assert "agent_files" in before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Grumbler", "answers 'raise'; an action is a whole number"),
        ("Cheat", r"answers raise to 1000000 after 'c'; legal: check, raise to 20"),
    ],
)
def test_an_agent_that_answers_nonsense_stops_the_match_with_one_line(bots, name, message):
    with pytest.raises(IllegalActionError, match=message):
        play(f"python:bots_of_a_test:{name}", "always-call")


def test_a_class_that_wants_arguments_is_refused(bots):
    with pytest.raises(ConfigError, match="the class must be callable without arguments"):
        load_agent("python:bots_of_a_test:Needy", LHE2)
