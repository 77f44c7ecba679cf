import json
import re
import subprocess
import sys

import pytest

GOOD = "STATE:0:f:AsAh|KsKh:5|-5:a|b\nSTATE:1:cc/cc/cc/cc:AsAh|KsKh/2c3c4c/5d/9h:10|-10:b|a\nSCORE:-5|5:a|b\n"


def nashgap_process(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "nashgap", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_a_good_log_has_no_mismatch(nashgap, tmp_path):
    (tmp_path / "m.log").write_text(GOOD)
    outcome = nashgap("acpc", "check-log", "m.log", "--game", "lhe2", "--json")
    assert outcome.status == 0
    assert outcome.json["hands"] == 2
    assert outcome.json["mismatches"] == 0
    assert outcome.json["first_mismatches"] == []
    assert outcome.json["has_score"]


def test_mismatches_are_shown_and_the_status_is_1(nashgap, tmp_path):
    (tmp_path / "m.log").write_text(GOOD.replace("10|-10", "9|-9"))
    outcome = nashgap("acpc", "check-log", "m.log", "--game", "lhe2")
    assert outcome.status == 1
    assert "m.log: 2 hands, 1 mismatches" in outcome.out
    assert "line 2, hand 1: logged 9|-9, recomputed 10|-10" in outcome.out
    outcome = nashgap("acpc", "check-log", "m.log", "--game", "lhe2", "--json")
    assert outcome.status == 1
    (wrong,) = outcome.json["first_mismatches"]
    assert wrong == {"line": 2, "hand": 1, "players": ["b", "a"], "logged": [9.0, -9.0], "recomputed": [10.0, -10.0]}


def test_a_log_is_checked_with_a_game_definition_file(nashgap, tmp_path):
    from nashgap.poker.rules import load_rules

    (tmp_path / "my.game").write_text(load_rules("lhe2").to_text())
    (tmp_path / "m.log").write_text(GOOD)
    assert nashgap("acpc", "check-log", "m.log", "--game", "my.game", "--json").json["mismatches"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check-log", "none.log", "--game", "lhe2"), "none.log: cannot be read: No such file"),
        (("check-log", "bad.log", "--game", "lhe2"), "bad.log: line 2: .*As is there twice"),
        (("check-log", "bad.log", "--game", "lhe9"), "unknown .*'lhe9'"),
        (("dealer", "--game", "lhe2", "--hands", "0"), "hands = 0; 1 to"),
        (("dealer", "--game", "lhe2", "--hands", "5", "--ports", "1,x"), "--ports '1,x'; they must be numbers"),
        (("dealer", "--game", "lhe2", "--hands", "5", "--ports", "1,2,3"), "3 ports; the game has 2 players"),
        (("dealer", "--game", "lhe2", "--hands", "5", "--names", "a,b,c"), "3 names; the game has 2 players"),
        (("dealer", "--game", "lhe2", "--hands", "5", "--startup-seconds", "0.1"), "no player came to ports"),
        (("player", "no-such", "--game", "lhe2", "--port", "20000"), "unknown agent 'no-such'"),
        (("player", "always-call", "--game", "lhe2", "--port", "0"), "port 0; 1 to 65535 are allowed"),
        (("player", "always-call", "--game", "lhe2"), "'nothing'; the dealer is given by --port, or by host and port"),
        (("player", "always-call", "--game", "lhe2", "h"), "'h'; the dealer is given by --port, or by host and port"),
        (("player", "always-call", "--game", "lhe2", "h", "x"), "'h x'; the dealer is given by --port"),
        (
            ("player", "always-call", "--game", "lhe2", "--port", "1", "--connect-seconds", "0.1"),
            "the dealer at 127.0.0.1:1 does not answer",
        ),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, message, nashgap, tmp_path):
    (tmp_path / "bad.log").write_text("# log\nSTATE:0:f:AsAh|AsKh:5|-5:a|b\n")
    outcome = nashgap("acpc", *words)
    assert outcome.status == 2
    assert outcome.out == ""
    line = outcome.err.splitlines()[-1]
    assert re.search(f"^nashgap: .*{message}", line)


def test_a_match_from_the_command_line(nashgap, tmp_path):
    """Dealer and players as processes of their own."""
    words = ("--hands", "30", "--seed", "3", "--log", "m.log", "--names", "ann,bob", "--json")
    dealer = nashgap_process("acpc", "dealer", "--game", "kuhn2", *words)
    ports = dealer.stderr.readline().removeprefix("ports ").split()
    places = ("--port", ports[0]), ("127.0.0.1", ports[1])
    players = [nashgap_process("acpc", "player", "random", "--game", "kuhn2", *place) for place in places]
    out, _ = dealer.communicate(timeout=30)
    for player in players:
        player.communicate(timeout=30)
        assert player.returncode == 0
    assert dealer.returncode == 0
    document = json.loads(out)
    assert document["players"] == ["ann", "bob"]
    assert sum(document["chips"]) == 0
    assert document["errors"]["ann"] == {"changed": 0, "ignored": 0, "fault": None}
    checked = nashgap("acpc", "check-log", "m.log", "--game", "kuhn2", "--json").json
    assert (checked["hands"], checked["mismatches"], checked["has_score"]) == (30, 0, True)


def test_defaults_of_the_commands_are_the_library_s():
    import inspect

    from nashgap.arena.acpc.config import DealerConfig
    from nashgap.arena.acpc.player import AcpcPlayer
    from nashgap.cli import acpc

    dealer = {name: parameter.default for name, parameter in inspect.signature(acpc._dealer).parameters.items()}
    library = {name: parameter.default for name, parameter in inspect.signature(DealerConfig).parameters.items()}
    for ours, theirs in {
        "action_seconds": "seconds_per_action",
        "hand_seconds": "seconds_per_hand",
        "match_seconds": "seconds_per_match",
        "startup_seconds": "startup_seconds",
        "host": "host",
        "name": "name",
        "seed": "seed",
    }.items():
        assert dealer[ours] == library[theirs]
    player = inspect.signature(acpc._player).parameters
    for name in ("connect_seconds", "silence_seconds"):
        assert player[name].default == inspect.signature(AcpcPlayer).parameters[name].default


def test_help_has_examples(nashgap):
    for command in ("dealer", "player", "check-log"):
        outcome = nashgap("acpc", command, "--help")
        assert outcome.status == 0
        assert "Examples" in outcome.out


def test_the_luck_of_a_log_is_taken_off(nashgap, tmp_path):
    played = nashgap("match", "probe", "random", "--game", "leduc2", "--deals", "60", "--log", str(tmp_path), "--json")
    log = played.json["logs"][0]
    done = nashgap("acpc", "aivat", log, "--game", "leduc2", "--known", "probe=probe", "--json")
    assert done.status == 0
    first, second = done.json["players"]
    assert (first["player"], second["player"]) == ("probe", "random")
    assert first["corrected_stdev"] < first["stdev"]
    never = nashgap("acpc", "aivat", log, "--game", "leduc2", "--known", "probe=always-fold")
    assert never.status == 2
    assert "it cannot have played this hand" in never.err
    assert nashgap("acpc", "aivat", log, "--game", "leduc2", "--known", "probe").status == 2
    assert nashgap("acpc", "aivat", log, "--game", "leduc2").status == 2
