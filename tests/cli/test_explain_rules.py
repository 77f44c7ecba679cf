"""`nashgap explain rules` from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SMALL = ("--deck", "5", "--stack", "1", "--step", "0.25")


@pytest.fixture
def games(nashgap: Callable[..., Any]) -> str:
    nashgap("explain", "dataset", "--games", "120", *SMALL, "-o", "games.safetensors", "--quiet")
    return "games.safetensors"


def test_rules_are_told_with_their_price(nashgap: Callable[..., Any], games: str) -> None:
    options = ("--max-rules", "2", "--train", "60", "--test", "50", "--quiet")
    told = nashgap("explain", "rules", games, *options, "--report", "rules.html", "--json").json
    assert (told["train"], told["test"]) == (60, 50)
    assert len(told["rules"]) <= 2
    assert told["rules"][0]["rule"].startswith("If your hand beats ")
    assert {"coverage", "error", "price", "saves"} <= told["rules"][0].keys()
    assert told["compared"]["the paper's two rules"]["exploitability"]["unit"] == "dollars_per_hand"
    assert told["rules"][0]["rule"] in Path("rules.html").read_text()


def test_bad_input_is_one_line(nashgap: Callable[..., Any], games: str) -> None:
    Path("no.safetensors").write_text("nothing")
    for words, line in (
        ((games, "--train", "119", "--test", "30"), "119 games to learn from and 30 to test on"),
        ((games, "--train", "20", "--quiet"), "20 games to learn from; a search for rules needs at least 50"),
        ((games, "--max-rules", "0", "--quiet"), "max_rules = 0; it must be a whole number, at least 1"),
        (("no.safetensors",), "no.safetensors"),
    ):
        refused = nashgap("explain", "rules", *words)
        assert refused.status == 2
        assert line in refused.err
        assert refused.err.count("\n") == 1
