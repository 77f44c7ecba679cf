"""The game of docs/your-own-game.md by its name on the command line: solved, saved, checked, measured, played."""

import io
import re
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "your-own-game.md"
GAME = "python:coin:Coin"


@pytest.fixture
def coin(nashgap, tmp_path, monkeypatch):
    """The commands, in a folder with the page's module."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "coin.py").write_text(block)
    monkeypatch.setattr(sys, "path", [*sys.path])
    forget(monkeypatch)
    return nashgap


def forget(monkeypatch):
    """As in a new process."""
    monkeypatch.delitem(sys.modules, "coin", raising=False)


def test_it_is_solved_saved_checked_and_measured_by_its_name(coin):
    solved = coin("solve", GAME, "--iterations", "1000", "-o", "coin.safetensors", "--json").json
    assert solved["game"] == GAME
    assert solved["values"] == pytest.approx([-0.625, 0.625], abs=1e-3)
    assert coin("check", "coin.safetensors", "--json").json["game"] == GAME
    for words in ((), ("--game", GAME)):
        measured = coin("measure", "coin.safetensors", "--by", "br", "--json", *words).json
        assert measured["nash_conv"] == pytest.approx(solved["nash_conv"], rel=1e-12)
    answer = coin("solve", GAME, "--freeze", "2=coin.safetensors", "--until", "1e-4", "--json").json
    assert answer["values"][0] == pytest.approx(-0.625, abs=1e-2)


def test_parameters_stand_in_its_name(coin):
    """With an even coin a guess of a liar's word is worth nothing but the price of the lies."""
    measured = coin("measure", "uniform", "--game", f"{GAME}(heads=0.5)", "--json").json
    assert measured["game"] == f"{GAME}(heads=0.5)"
    assert measured["values"] == pytest.approx([-0.25, 0.25])
    coin("solve", GAME, "-o", "coin.safetensors")
    refused = coin("measure", "coin.safetensors", "--game", f"{GAME}(heads=0.5)")
    assert refused.err == f"nashgap: coin.safetensors is a strategy for {GAME}, not for {GAME}(heads=0.5)\n"


def test_a_module_that_is_gone_or_changed_is_one_line(coin, tmp_path, monkeypatch):
    first = coin("solve", GAME, "-o", "coin.safetensors", "--json").json["run"]
    text = (tmp_path / "coin.py").read_text()
    (tmp_path / "coin.py").write_text(text.replace("0.5 if word", "0.25 if word"))
    forget(monkeypatch)
    refused = coin("measure", "coin.safetensors")
    assert refused.status == 2
    assert refused.err == f"nashgap: coin.safetensors: the rules of {GAME} have changed since it was made\n"
    again = coin("solve", GAME, "--json").json
    assert again["run"] != first, "other rules, another run"
    (tmp_path / "coin.py").unlink()
    forget(monkeypatch)
    for words in (("measure", "coin.safetensors"), ("solve", GAME), ("play", "--game", GAME)):
        refused = coin(*words)
        assert refused.status == 2
        assert "there is no module 'coin', neither installed nor in" in refused.err
        assert len(refused.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("python:coin:Coin(head=1)", "python:coin:Coin has no parameter 'head'; allowed: heads"),
        ("python:coin:Cone", "module coin has no class 'Cone'; classes: Broken, Coin"),
        ("python:coin:CoinState", "class CoinState has no method root()"),
        ("python:coin", "game 'python:coin' must be a python:module:Class"),
        ("python:coin:Coin(heads=x)", "game 'python:coin:Coin(heads=x)' fails: TypeError: unsupported operand"),
        ("python:coin:Broken", "game 'python:coin:Broken': no game can be made of it: ZeroDivisionError"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(coin, tmp_path, game, message):
    with open(tmp_path / "coin.py", "a") as file:
        file.write("class Broken(Coin):\n    def __init__(self):\n        1 / 0\n")
    refused = coin("solve", game)
    assert refused.status == 2
    assert message in refused.err
    assert len(refused.err.splitlines()) == 1


def test_a_person_plays_it_and_sees_nothing_but_its_own_information(coin, monkeypatch):
    coin("solve", GAME, "-o", "coin.safetensors")

    def play(typed, *words):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed.split(","))))
        return coin("play", "--game", GAME, "--against", "coin.safetensors", "--seed", "1", *words)

    played = play("1,what,?,t,tails,2", "--hands", "4")
    assert played.status == 0
    told = [line.strip() for line in played.out.splitlines()]
    known = [line for line in told if line.startswith("you are player")]
    assert len(known) == 4
    for place, line in enumerate(known):
        pattern = r"you are player 1 and know: saw [01]" if place % 2 == 0 else r"you are player 2 and know: heard [01]"
        assert re.fullmatch(pattern, line), "the places take turns; the coin is hidden from the second"
    assert any("'what' is no action; allowed: 1 heads, 2 tails" in line for line in told)
    assert told[-1].startswith("score after 4 games: ")
    assert play("1,what,?,t,tails,2", "--hands", "4").out == played.out
    left = play("q")
    assert "you leave; the game does not count" in left.out and "score" not in left.out
    assert "player 3; python:coin:Coin has players 1 to 2" in play("1", "--seat", "3").err
    assert "without --log and against one strategy" in play("1", "--log", "here.log").err
