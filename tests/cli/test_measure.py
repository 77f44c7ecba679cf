from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from abstract_games import abstract_game, random_abstract_strategy

from nashgap.games.compiled import load_tree
from nashgap.strategies.load import save
from nashgap.strategies.named import always_call


@pytest.mark.parametrize(
    ("game", "nash_conv", "players"),
    [
        ("kuhn", 0.916667, 2),
        ("leduc", 4.747222, 2),
        ("liars_dice", 1.56149, 2),
        ("kuhn(players=3)", 2.0625, 3),
    ],
)
def test_uniform_is_measured_as_open_spiel_measures_it(
    nashgap: Callable[..., Any], game: str, nash_conv: float, players: int
) -> None:
    """OpenSpiel's `nash_conv` of the uniform policy, to five decimals."""
    found = nashgap("measure", "uniform", "--game", game, "--by", "br", "--json").json
    assert found["nash_conv"] == pytest.approx(nash_conv, abs=5e-6)
    assert found["exploitability"] == pytest.approx(found["nash_conv"] / players)
    assert sum(found["gains"]) == pytest.approx(found["nash_conv"])
    assert len(found["values"]) == len(found["gains"]) == len(found["best_response_values"]) == players
    assert (found["game"], found["strategy"], found["method"]) == (game, "uniform", "br")
    assert {"unit", "version"} <= set(found)


def test_a_file_knows_its_game(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "calls.safetensors"
    save(path, always_call(load_tree("kuhn(players=3)")))
    by_file = nashgap("measure", str(path), "--json").json
    by_name = nashgap("measure", "always-call", "--game", "kuhn(players=3)", "--json").json
    assert by_file.pop("strategy") == str(path)
    assert by_name.pop("strategy") == "always-call"
    assert by_file == by_name


def test_a_file_for_a_game_with_a_table_knows_it_too(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    """The joint distribution was read from a file that is gone."""
    joint = tmp_path / "joint.csv"
    joint.write_text("0,0.5\n0.5,0\n")
    solved = nashgap("solve", f"bet_size(joint={joint},stack=1,step=0.5)", "-o", "solved.safetensors", "--json").json
    joint.unlink()
    assert nashgap("measure", "solved.safetensors", "--json").json["nash_conv"] == solved["nash_conv"]
    assert nashgap("check", "solved.safetensors").status == 0


def test_the_table_shows_each_player_with_the_unit(nashgap: Callable[..., Any]) -> None:
    text = nashgap("measure", "uniform", "--game", "kuhn").out
    assert "antes_per_hand" in text
    assert "0.916667" in text
    assert [line.split()[0] for line in text.splitlines() if line.strip()[:1] in ("1", "2")] == ["1", "2"]
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    "options", [("abstract-br", "--iterations", "20000", "--deals", "5000"), ("bucket-br", "--deals", "20000")]
)
def test_an_abstract_strategy_is_measured_in_its_abstract_game(
    nashgap: Callable[..., Any], tmp_path: Path, options: tuple[str, ...]
) -> None:
    path = tmp_path / "leduc.safetensors"
    nashgap("solve", "leduc-small", "--iterations", "20000", "-o", str(path))
    options = ("--by", *options)
    found = nashgap("measure", str(path), *options, "--json").json
    assert 0.0 < found["nash_conv"]["mean"] < 0.5
    assert found["nash_conv"]["mean"] == pytest.approx(sum(gain["mean"] for gain in found["gains"]))
    assert found["nash_conv"]["unit"] == "antes_per_hand"
    told = nashgap("measure", str(path), *options).out
    assert "at least" in told
    assert max(map(len, told.splitlines())) <= 80 + len(str(path))
    if "abstract-br" in options:
        assert "20,000 iterations a seat by public sampling" in " ".join(told.split())
    of_small_game = nashgap("measure", "uniform", "--game", "kuhn", "--by", "abstract-br")
    assert of_small_game.status == 2
    assert "use br" in of_small_game.err


def test_a_lossless_strategy_of_an_abstract_game_is_measured_exactly_too(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "leduc-small", "--iterations", "20000", "-o", "leduc.safetensors", "--quiet")
    exact = nashgap("measure", "leduc.safetensors", "--json").json
    bound = nashgap("measure", "leduc.safetensors", "--by", "bucket-br", "--deals", "20000", "--json").json["nash_conv"]
    assert exact["method"] == "br"
    assert exact["nash_conv"] == pytest.approx(bound["mean"], abs=2 * bound["ci95"])


def test_a_strategy_that_is_too_large_for_br_is_told_what_measures_it(nashgap: Callable[..., Any]) -> None:
    cards = "percentile(ehs2, 10/10/10/10, recall=none)"
    save(Path("hunl.safetensors"), random_abstract_strategy(abstract_game("hunl", "fcpa", cards)))
    outcome = nashgap("measure", "hunl.safetensors")
    assert (outcome.status, outcome.out) == (2, "")
    assert "it is measured by lbr (nashgap measure hunl.safetensors --by lbr)" in outcome.err
    assert "within its abstract game it is measured by abstract-br" in outcome.err
    assert outcome.err.count("\n") == 1


def test_every_option_reaches_the_response(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "leduc-small", "--iterations", "1000", "-o", "leduc.safetensors", "--quiet")
    words = ("measure", "leduc.safetensors", "--by", "abstract-br", "--deals", "90", "--json")
    words += ("--iterations", "70", "--sampling", "external")
    told = nashgap(*words, "--seed", "5").json
    assert (told["iterations"], told["sampling"]) == (70, "external")
    assert (told["nash_conv"]["samples"], told["nash_conv"]["seed"]) == (90, 5)
    assert told["nash_conv"] != nashgap(*words, "--seed", "6").json["nash_conv"]


WITH_TREE = "of br goes with --tree, the betting tree in which to answer"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("uniform", "--by", "br", "--iterations", "7"), "--iterations is no option of br; it is one of abstract-br"),
        (("uniform", "--game", "kuhn", "--threads", "7"), "--threads is no option of br; it is one of abstract-br"),
        (("uniform", "--game", "kuhn", "--no-duplicate"), "--duplicate is no option of br; it is one of lbr"),
        (("uniform", "--game", "kuhn", "--runs", "here"), f"--runs {WITH_TREE}"),
        (("uniform", "--game", "kuhn", "--fresh"), f"--fresh {WITH_TREE}"),
        (("uniform", "--seed", "3"), f"--seed {WITH_TREE}"),
        (
            ("always-call", "--by", "lbr", "--sampling", "public"),
            "--sampling is no option of lbr; it is one of abstract-br",
        ),
    ],
)
def test_options_of_another_method_are_refused(
    nashgap: Callable[..., Any], words: tuple[str, ...], message: str
) -> None:
    outcome = nashgap("measure", *words)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"nashgap: {message}\n")


def test_the_game_of_an_abstract_strategy_is_checked_where_it_is_told(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "kuhn3-small", "--iterations", "1000", "-o", "kuhn.safetensors", "--quiet")
    command = ("measure", "kuhn.safetensors", "--by", "abstract-br", "--iterations", "100", "--deals", "100")
    assert nashgap(*command, "--game", "kuhn3").status == 0
    outcome = nashgap(*command, "--game", "lhe3")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "nashgap: kuhn.safetensors is a strategy for kuhn3, not for lhe3\n"
