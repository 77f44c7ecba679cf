"""Agents by name, and somebody's own classes."""

import sys

import pytest

import nashgap as ng
from nashgap.agents.named import load_agent
from nashgap.errors import AgentError, ConfigError, IllegalActionError
from nashgap.jobs.match import MatchJob
from nashgap.poker.rules import load_rules
from nashgap.strategies.spec import as_bot

LHE2 = load_rules("lhe2")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", r"unknown agent 'nobody'; known: always-call, "),
        ("always-cal", r"did you mean 'always-call'\?"),
        ("always call", r"must be a name, name\(arguments\), a strategy file, python:module:Class, exec:COMMAND, "),
        ("always-call(1)", r"too many positional arguments; arguments are: none"),
        ("triple(0.5,0.5)", r"missing a required argument: 'raising'; arguments are: fold, call, raising"),
        ("triple(a,b,c)", r"'a' is not a number"),
        ("human", r"plays in the terminal only: nashgap play --against AGENT"),
        ("mine.safetensors", r"agent 'mine.safetensors': there is no such strategy file"),
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

class Forgetful:
    def act(self, view):
        import json
        return json.loads("{")

class Quitter:
    def act(self, view):
        raise SystemExit

class Stranger:
    def act(self):
        return 0

class SoreLoser:
    def act(self, view):
        return 0
    def end_hand(self, hand):
        if hand.payoffs[0] < 0:
            raise RuntimeError("unfair")
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "bots_of_a_test.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "bots_of_a_test", raising=False)  # another test's, from another folder


def play(*agents, deals=40):
    return ng.match(*agents, game=LHE2, deals=deals, seed=5)


def test_a_class_of_one_method_plays_as_the_chump_that_does_the_same(bots):
    own, chump = play("python:bots_of_a_test:Caller", "probe"), play("always-call", "probe")
    assert own.winrates.tolist() == chump.winrates.tolist() != [0.0, 0.0]


def test_a_changed_bot_is_another_bot(bots, tmp_path):
    """Else the match of the old one would be shown for the new one."""
    spec = "python:bots_of_a_test:Caller"

    def identity():
        return MatchJob(rules=LHE2, agents=(as_bot(spec), as_bot("probe")), deals=20).identity()

    before = identity()
    (tmp_path / "bots_of_a_test.py").write_text(BOTS + "# another line\n")
    assert identity() != before
    assert before["agents"][0]["digest"] != identity()["agents"][0]["digest"]


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


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Forgetful", r"fails in act\(view\): JSONDecodeError: .* \(bots_of_a_test.py, line 23\)$"),
        ("Quitter", r"fails in act\(view\): SystemExit \(bots_of_a_test.py, line 27\)$"),
        ("Stranger", r"fails in act\(view\): TypeError: .* takes 1 positional argument but 2 were given$"),
        ("SoreLoser", r"fails in end_hand: RuntimeError: unfair \(bots_of_a_test.py, line 38\)$"),
    ],
)
def test_what_fails_in_a_bot_is_told_with_its_place(bots, name, message):
    with pytest.raises(AgentError, match=f"^python:bots_of_a_test:{name} {message}") as failed:
        play(f"python:bots_of_a_test:{name}", "always-call")
    assert failed.value.__cause__ is not None


def test_a_class_that_wants_arguments_is_refused(bots):
    with pytest.raises(ConfigError, match=r"the class cannot be called without arguments: TypeError: .*'size'"):
        load_agent("python:bots_of_a_test:Needy", LHE2)


def test_the_classes_of_a_module_are_named_where_another_is_asked_for(bots):
    with pytest.raises(ConfigError, match="has no class 'Calller'; classes: Caller, Cheat, Forgetful, "):
        load_agent("python:bots_of_a_test:Calller", LHE2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import no_such_package\n", r"ModuleNotFoundError: No module named 'no_such_package' \(\w+.py, line 1\)"),
        ("x = 1\nclass Bot\n", r"SyntaxError: expected ':' \(\w+.py, line 2\)"),
        ("x = 1\n1 / 0\n", r"ZeroDivisionError: division by zero \(\w+.py, line 2\)"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_with_its_place(bots, tmp_path, text, message):
    name = f"bots_{len(text)}"
    (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(ConfigError, match=f"module {name} cannot be imported: {message}"):
        load_agent(f"python:{name}:Bot", LHE2)


def test_a_file_does_not_hide_the_agent_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "probe").write_text("nothing to play with")
    assert load_agent("probe", LHE2).name == "probe"
    assert as_bot("probe").digest is None


def test_a_text_that_is_too_long_for_a_path_is_no_agent_and_no_game():
    with pytest.raises(ConfigError, match="unknown agent"):
        load_agent("x" * 5000, LHE2)
    with pytest.raises(ConfigError, match="unknown poker game"):
        load_rules("x" * 5000)
