"""What `solve leduc` writes is matched, played, looked at and measured as `leduc`, and as `leduc2`, its old alias."""

import io
import sys

import pytest


@pytest.fixture
def leduc(nashgap):
    nashgap("solve", "leduc", "--iterations", "500", "-o", "leduc.safetensors", "--quiet")
    nashgap("solve", "leduc2", "--iterations", "500", "-o", "leduc2.safetensors", "--quiet")
    return nashgap


@pytest.mark.parametrize("game", ["leduc", "leduc2"])
@pytest.mark.parametrize("file", ["leduc", "leduc2"])
def test_files_of_both_names_are_matched_and_measured_under_both(leduc, file, game):
    words = (f"{file}.safetensors", "--json", "--game")
    own = leduc("measure", f"{file}.safetensors", "--json").json
    measured = leduc("measure", *words, game, "--by", "br").json
    assert measured["nash_conv"] == pytest.approx(own["nash_conv"], rel=1e-9)
    assert measured["game"] == game
    played = [leduc("match", "always-call", *words, name, "--deals", "300").json for name in (game, "leduc")]
    assert played[0]["winrates"] == played[1]["winrates"]
    bound = leduc("measure", *words, game, "--by", "lbr", "--deals", "200").json
    assert bound["unit"] == "antes_per_hand"


def test_it_is_played_and_looked_at(leduc, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n" * 20))
    words = ("--game", "leduc", "--against", "leduc.safetensors", "--hands", "2", "--seed", "3", "--plain")
    played = leduc("play", *words)
    assert played.status == 0 and "score after 2 hands" in played.out
    shown = leduc("show", "leduc.safetensors")
    assert shown.status == 0 and "Js" in shown.out and "Kh" in shown.out


def test_a_trained_strategy_of_all_cards_is_measured_exactly(leduc):
    leduc("solve", "leduc-small", "--iterations", "20000", "-o", "small.safetensors", "--quiet")
    exact = leduc("measure", "small.safetensors", "--by", "br", "--json").json
    found = leduc("measure", "small.safetensors", "--by", "bucket-br", "--deals", "200000", "--json").json
    sampled = found["nash_conv"]
    assert abs(exact["nash_conv"] - sampled["mean"]) < 2 * sampled["ci95"]
    refused = leduc("measure", "small.safetensors(translation=sampled)", "--by", "br")
    assert refused.status == 2
    assert "small.safetensors(translation=sampled) is known by samples only: it has no table" in refused.err
    assert len(refused.err.splitlines()) == 1
