"""`nashgap solve-spot`: what it prints, its JSON, and what it refuses in one line."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RIVER = ("solve-spot", "--board", "Qs Jh 2h 8c 4d", "--pot", "200", "--stack", "900")
RANGES = ("--oop", "AA,KQs,76s", "--ip", "KK,AQs,54s")


def test_the_document_has_what_others_read(nashgap: Callable[..., Any]) -> None:
    document = nashgap(*RIVER, *RANGES, "--until", "0.1%", "--json").json
    assert sum(document["values"]) == pytest.approx(200, abs=1e-3)
    assert document["exploitability_percent"] <= 0.1
    assert document["exploitability"] == pytest.approx(2 * document["exploitability_percent"])
    assert document["action_nodes"] == 20
    assert document["iterations"] > 0 and document["seconds"] > 0 and document["bytes"] > 0
    assert list(document["root"]) == ["check", "bet 100", "bet 200", "all-in 900"]
    assert sum(document["root"].values()) == pytest.approx(1)


def test_the_screen_has_grid_values_and_kinds_of_hands(nashgap: Callable[..., Any]) -> None:
    text = nashgap(*RIVER, *RANGES).out
    for part in ("out of position", "suited hands right of the diagonal", "bet 100", "overpair", "report: "):
        assert part in text
    assert max(map(len, text.splitlines())) <= 80


def test_another_decision_and_one_hand(nashgap: Callable[..., Any]) -> None:
    text = nashgap(*RIVER, *RANGES, "--after", "x b100", "--hand", "AsAc").out
    assert "Out of position on the river QsJh2h8c4d after x b100: pot 300, 100 to call." in " ".join(text.split())
    assert "With AsAc" in text


def test_a_file_is_written_and_walked(nashgap: Callable[..., Any]) -> None:
    nashgap(*RIVER, *RANGES, "-o", "river.safetensors")
    view = nashgap("show", "river.safetensors", "--after", "x b100", "--json").json
    assert [action["action"] for action in view["actions"]] == ["f", "c", "b500", "a"]
    assert nashgap("measure", "river.safetensors", "--json").json["exploitability"] < 1.0
    assert nashgap("match", "river.safetensors", "river.safetensors", "--json").json["gain"] == pytest.approx(0.0)


def test_many_boards_are_a_table(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    Path("boards.txt").write_text("Qs Jh 2h 8c 4d\n\nAs Kh 2h 8c 4d\n")
    told = ("--pot", "200", "--stack", "900", *RANGES)
    done = nashgap("solve-spot", "--boards", "boards.txt", *told, "-o", "boards.csv")
    assert done.status == 0, done.err
    with Path("boards.csv").open() as file:
        assert [row["board"] for row in csv.DictReader(file)] == ["QsJh2h8c4d", "AsKh2h8c4d"]
    assert nashgap("solve-spot", "--boards", "QsJh2h8c4d, AsKh2h8c4d", *told).status == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--oop", "AsAh", "--ip", "AsAd"), "the ranges leave no deal on QsJh2h8c4d: 'AsAh' against 'AsAd'"),
        (("--board", "QsQs2h8c4d"), "Qs is there twice"),
        (("--bets", "2000%"), "more than the stack of 900"),
        (("--lock", "x b7 = x"), "'b7' is not in the tree there; there are x, b100, b200, a"),
        (("--lock", "x b100 c = x"), "the hand is over there; nobody decides"),
        (("--after", "x x x"), "comes too late; the hand is over"),
        (("--stack", "much"), "it must be whole chips, such as 900"),
        (("--until", "soon"), "it must be a percentage, such as 0.5%"),
        (("--until", "0%"), "until = 0.0; it must be more than 0"),
        (("--boards", "QsJh2h8c4d"), "--board and --boards; one of them is needed"),
        (("--pot", "0"), "pot 0; it must be 1 to"),
        (("-o", "nowhere/file.safetensors"), "nowhere"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    nashgap: Callable[..., Any], options: tuple[str, ...], problem: str
) -> None:
    done = nashgap(*RIVER, *options, "-q")
    assert done.status == 2
    assert problem in done.err
    assert done.err.count("\n") == 1
    assert not done.out
