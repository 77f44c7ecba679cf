"""`nashgap explain dataset|fit|prototypes` from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SMALL = ("--deck", "4", "--stack", "1", "--step", "0.25")


@pytest.fixture
def games(nashgap: Callable[..., Any]) -> str:
    nashgap("explain", "dataset", "--games", "250", *SMALL, "-o", "games.safetensors", "--quiet")
    return "games.safetensors"


def test_a_dataset_is_the_same_on_two_workers(nashgap: Callable[..., Any]) -> None:
    told = nashgap("explain", "dataset", "--games", "300", *SMALL, "-o", "one.safetensors", "--json").json
    assert (told["games"], told["unit"], told["seed"]) == (300, "dollars_per_hand", 0)
    assert 0 < told["share_with_many"] < 1
    nashgap(
        "explain", "dataset", "--games", "300", *SMALL, "-o", "two.safetensors", "--workers", "2", "--runs", "other"
    )
    assert Path("one.safetensors").read_bytes() == Path("two.safetensors").read_bytes()


def test_a_dataset_grows_without_solving_a_game_again(nashgap: Callable[..., Any], games: str) -> None:
    more = nashgap("explain", "dataset", "--games", "500", *SMALL, "-o", "more.safetensors", "--json")
    assert more.json["games"] == 500
    assert "50% finished before" in more.err


def test_runs_resume_writes_the_games_again(nashgap: Callable[..., Any], games: str) -> None:
    told = nashgap("runs", "resume", "dataset", "-o", "again.safetensors", "--json").json
    assert told["output"] == "again.safetensors"
    assert Path("again.safetensors").read_bytes() == Path(games).read_bytes()


def test_fit_tells_what_unseen_games_cost(nashgap: Callable[..., Any], games: str) -> None:
    tree = nashgap("explain", "fit", games, "--depth", "4", "--report", "tree.html", "--json").json
    assert (tree["train"], tree["test"]) == (200, 50)
    assert tree["exploitability"]["unit"] == "dollars_per_hand"
    assert [row["depth"] for row in tree["depths"]] == [1, 2, 3, 4]
    assert "The tree" in Path("tree.html").read_text()
    near = nashgap("explain", "fit", games, "--learner", "neighbours", "--neighbours", "3").out
    assert "3 nearest games (emd)" in near
    assert "never bet" in near


def test_prototypes_are_shown_with_their_price(nashgap: Callable[..., Any], games: str) -> None:
    options = ("--counts", "2,3", "--candidates", "50", "--judged", "100")
    told = nashgap("explain", "prototypes", games, *options, "--json").json
    assert [each["games"] for each in told["memories"] if each["how"] == "best"] == [2, 3]
    shown = nashgap("explain", "prototypes", games, *options, "--choice", "middle").out
    assert "the best 2 games" in shown
    assert "Game 2 of 2" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("dataset", "--games", "0", "-o", "x.safetensors"), "games = 0; it must be a whole number from 1"),
        (("dataset", "--step", "0.7", "-o", "x.safetensors"), "stack must be a multiple of step 0.7"),
        (("dataset", "--deck", "1", "-o", "x.safetensors"), "deck must be a whole number from 2"),
        (("fit", "missing.safetensors"), "missing.safetensors"),
        (("fit", "games.safetensors", "--representation", "cards"), "cards"),
        (("fit", "games.safetensors", "--choice", "best"), "no choice of equilibrium 'best'"),
        (("fit", "games.safetensors", "--train", "240", "--test", "50"), "the file has 250"),
        (("fit", "games.safetensors", "--train", "249"), "1 games to test on; an interval needs at least 2"),
        (("fit", "games.safetensors", "--learner", "neighbours", "--metric", "far"), "metric 'far'"),
        (("prototypes", "games.safetensors", "--counts", "5,x"), "--counts 5,x: it must be whole numbers above 0"),
        (("prototypes", "games.safetensors", "--counts", "²"), "--counts ²: it must be whole numbers above 0"),
        (("prototypes", "games.safetensors", "--seed", "-1"), "seed = -1; it must be a whole number from 0"),
        (("prototypes", "games.safetensors"), "800 candidates and 1,600 games to judge them by"),
    ],
)
def test_bad_input_is_refused_in_one_line(nashgap: Callable[..., Any], games: str, words, message: str) -> None:
    found = nashgap("explain", *words)
    assert found.status == 2
    assert message in found.err
    assert len(found.err.strip().splitlines()) <= 2, "the line before it says what was begun"
    assert not Path("x.safetensors").exists()
