"""`nashgap show`: files, names, classes and programs; one line for everything that does not fit."""

import sys
from pathlib import Path

import pytest
from abstract_games import abstract_game, random_abstract_strategy

from nashgap.cards.ranges import HAND_CLASSES
from nashgap.games.compiled import load_tree
from nashgap.poker.typed_state import state_after
from nashgap.strategies.load import save
from nashgap.strategies.table import uniform

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PYTHON_BOT = f"exec:{sys.executable} {EXAMPLES / 'exec_bot.py'}"
RIVER = ("--after", "r300c/cc/cc/", "--board", "2c6dThJsQd")
TENS = "percentile(ehs2, 10/10/10/10, recall=none)"


@pytest.fixture(scope="module")
def hunl(tmp_path_factory):
    """A file for heads-up no-limit hold'em, and what is in it."""
    path = tmp_path_factory.mktemp("strategies") / "hunl.safetensors"
    strategy = random_abstract_strategy(abstract_game("hunl", "fcpa", TENS), seed=2)
    save(path, strategy)
    return path, strategy


def test_a_file_at_one_line(nashgap, hunl):
    path, strategy = hunl
    found = nashgap("show", str(path), *RIVER, "--hand", "KsAs", "--json").json
    state = state_after(strategy.rules, "r300c/cc/cc/", "2c6dThJsQd")
    policy = strategy.policies([state])[0]
    row = policy.probabilities[policy.hands.index("AsKs")]
    assert found["hand"]["cards"] == "AsKs"
    assert found["hand"]["actions"] == pytest.approx(dict(zip(policy.actions, row, strict=True)), abs=1e-6)
    assert (found["strategy"], found["game"], found["seat"]) == ("hunl.safetensors", "hunl", 1)
    assert [row["words"] for row in found["actions"]] == ["check", "bet 600", "all-in"]
    assert sum(row["of_range"] for row in found["actions"]) == pytest.approx(1.0)
    assert set(found["classes"]) == set(HAND_CLASSES)


def test_a_file_for_people(nashgap, hunl, tmp_path):
    outcome = nashgap("show", str(hunl[0]), *RIVER, "--hand", "KsAs", "--html", "page.html")
    assert outcome.status == 0, outcome.err
    assert "hunl.safetensors in hunl" in outcome.out
    assert "With AsKs, straight" in outcome.out
    assert "r300c/cc/cc/r900" in outcome.out and "top pair" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    page = (tmp_path / "page.html").read_text()
    assert page.count('class="cell"') == 169
    assert "--after r300c/cc/cc/ --board 2c6dThJsQd --hand KsAs" in page
    assert "page.html" in outcome.out


def test_options_of_a_file_are_kept_in_its_name(nashgap, hunl):
    found = nashgap("show", f"{hunl[0]}(purify=yes)", "--json")
    assert found.status == 0, found.err
    assert found.json["strategy"] == "hunl.safetensors(purify=yes)"
    assert {share for row in found.json["classes"].values() for share in row.values()} <= {0.0, 1.0}


def test_three_players(nashgap, tmp_path):
    save(tmp_path / "kuhn3.safetensors", random_abstract_strategy(abstract_game("kuhn3")))
    outcome = nashgap("show", "kuhn3.safetensors", "--after", "cr")
    assert "Player 3 after cr: pot 4, 1 to call." in outcome.out
    holdem = nashgap("show", "probe", "--game", "lhe3", "--after", "rcc/", "--board", "2c6dTh", "--json").json
    assert (holdem["seat"], holdem["street"]) == (1, "flop")


def test_tables_of_small_games(nashgap, tmp_path):
    save(tmp_path / "leduc.safetensors", uniform(load_tree("leduc")))
    found = nashgap("show", "leduc.safetensors", "--after", "crc/Kh:r", "--hand", "ks", "--json").json
    assert found["hands"].keys() == {"Js", "Jh", "Qs", "Qh", "Ks"}
    assert found["hand"] == {"cards": "Ks", "actions": pytest.approx({"fold": 1 / 3, "call": 1 / 3, "raise": 1 / 3})}
    assert nashgap("show", "uniform", "--game", "liars_dice(dice_sides=2)").status == 0
    assert nashgap("show", "always-call", "--game", "kuhn", "--after", "b").status == 0
    assert "pot 2" in nashgap("show", "uniform", "--game", "leduc2").out
    save(tmp_path / "leduc2.safetensors", uniform(load_tree("leduc2")))
    at_the_table = nashgap("show", "leduc2.safetensors", "--after", "crc/Kh:").out
    assert "Player 1 in round 2 after crc/, board Kh: pot 6, nothing to call." in at_the_table


def test_programs_and_classes(nashgap, tmp_path, monkeypatch):
    found = nashgap("show", PYTHON_BOT, "--game", "hunl", "--after", "r300", "--hand", "AsAh", "--json")
    assert found.status == 0, found.err
    assert found.json["hand"]["actions"] == pytest.approx({"f": 0.0, "c": 0.4 / 0.9, "r900": 0.5 / 0.9})
    (tmp_path / "my_bots.py").write_text(
        "import numpy as np\nfrom nashgap import CALL, Policy\nfrom nashgap.poker.hands import hand_names\n\n\n"
        "class Caller:\n    def policies(self, states):\n"
        "        return [Policy(hand_names(s.rules), (), np.ones((1, 1)), (CALL,)) for s in states]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = nashgap("show", "python:my_bots:Caller", "--game", "nlhe3", "--json").json
    assert [row["of_all_hands"] for row in found["actions"]] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("always-call",), "strategy 'always-call' exists for many games; name the game too (--game)"),
        (("nobody.safetensors",), "strategy 'nobody.safetensors': there is no such strategy file"),
        (("allways-call", "--game", "hunl"), "unknown strategy 'allways-call' (did you mean 'always-call'?)"),
        (("always-call", "--game", "hunk"), "unknown game 'hunk'"),
        (("poki", "--game", "lhe3"), "a player that only plays cannot be asked what it would do with other hands"),
        (("always-call", "--game", "hunl", "--after", "r50"), "'r50' is not legal at the start; legal: fold, call"),
        (("always-call", "--game", "hunl", "--after", "cc"), "after 'cc/' the board has 3 cards; none are given"),
        (("always-call", "--game", "hunl", "--after", "f"), "the hand is over after 'f'; nobody is to act"),
        (("always-call", "--game", "hunl", "--hand", "As"), "hand 'As' has 1 card; it needs 2 cards, as AsAh"),
        (("always-call", "--game", "kuhn", "--after", "xx"), "kuhn: nobody acts after 'xx'; labels are"),
        (("always-call", "--game", "kuhn", "--hand", "A"), "no hand 'A' here; hands are J, Q, K"),
        (("always-call", "--game", "hunl", "--html", "no/folder/page.html"), "no/folder"),
        (("exec:false", "--game", "hunl"), "exec:false"),
    ],
)
def test_bad_input_is_one_line_and_status_2(nashgap, words, message):
    outcome = nashgap("show", *words)
    assert outcome.status == 2
    assert outcome.out == ""
    assert message in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


def test_a_file_of_another_game_is_refused(nashgap, hunl):
    outcome = nashgap("show", str(hunl[0]), "--game", "hunl100")
    assert outcome.status == 2
    assert "is a strategy for hunl, not for hunl100" in outcome.err
