"""Whole sittings of the quiz with typed lines from a pipe, and what is refused."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nashgap.explanations.bet_size_games import Stakes
from nashgap.explanations.dataset import save_games, solve_games

FIGURE_2 = ("--hands1", "0.5,0,0.5", "--hands2", "0,1,0")


@pytest.fixture
def quiz(nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """The quiz with these words on the command line and these lines typed; its record is in `tmp_path / "data"`."""
    monkeypatch.setenv("NASHGAP_DATA", str(tmp_path / "data"))

    def call(*words: str, typed: str = "") -> Any:
        lines = "".join(f"{line}\n" for line in typed.split(";")) if typed else ""
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return nashgap("explain", "quiz", *words)

    return call


def test_a_sitting_is_told_from_the_bars_to_the_score(quiz: Callable[..., Any]) -> None:
    """Ganzfried & Yusuf (2017), Figure 2: the best or the worst card against a middle one."""
    outcome = quiz(*FIGURE_2, "--seed", "3", typed="0.25;sure;check;q")
    assert (outcome.status, outcome.err) == (0, "")
    told = outcome.out.splitlines()
    assert told[:12] == [
        "cards 1 to 3, antes $0.50, bets up to $3.00; seed 3",
        "you bet or check, the opponent calls or folds, the better card wins",
        "",
        "── question 1 " + "─" * 66,
        "",
        "       card  you                         opponent",
        "          3    50%  █████████▌              0%",
        "          2     0%                        100%  ███████████████████",
        "          1    50%  █████████▌              0%                       ◄ your hand",
        "",
        "  your card is 1: it beats 0% of the opponent's hands",
        "  your bet: check, 0.1 to 3, all-in; q to stop > 0.25",
    ]
    assert told[12] == "  a bet of 0.25 is not possible; allowed: check, a multiple of 0.1 up to 3, or all-in"
    assert told[14] == "  'sure' is not a bet; allowed: check, a multiple of 0.1 up to 3, or all-in"
    assert told[17:20] == [
        "  equilibrium   check 25%, all-in 75%; the hand earns -$0.500",
        "  you           check earns -$0.500: as in equilibrium",
        "  opponent      has nothing to answer: the cards are shown",
    ]
    assert any(line.startswith("  rule          ") for line in told)
    assert told[-2:] == [
        "1 answer, mean cost $0.0000, 100% as in equilibrium, longest streak 1",
        "a score counts as your best from 10 answers on",
    ]
    assert max(map(len, told)) <= 85  # only a refused bet may be longer than the screen


def test_costs_and_calls_are_told(quiz: Callable[..., Any]) -> None:
    """All-in is called with probability 1/4, so a 3 wins 1/4 * 3.5 + 3/4 * 0.5 = 1.25 with it, and 0.5 with a check."""
    outcome = quiz(*FIGURE_2, "--seed", "3", typed=";".join(["check", "a"] * 4))
    assert "  equilibrium   all-in 100%; the hand earns +$1.250" in outcome.out
    assert "  you           check earns +$0.500: it costs $0.7500 a hand" in outcome.out
    assert "  opponent      calls with 2 (25%): 25% of the time" in outcome.out


def test_questions_end_by_number_by_q_and_by_the_end_of_input(quiz: Callable[..., Any]) -> None:
    small = ("--deck", "4", "--step", "1", "--seed", "1")
    assert "2 answers" in quiz(*small, "--questions", "2", typed="1;1;1").out.splitlines()[-2]
    assert "1 answer," in quiz(*small, typed="1;Q").out.splitlines()[-2]
    assert "2 answers" in quiz(*small, typed="1;2").out.splitlines()[-2]
    assert quiz(*small).out.splitlines()[-1] == "no question was answered"


def test_ctrl_c_ends_with_the_score(quiz: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["check"])

    def typed(_: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", typed)
    outcome = quiz("--deck", "4", "--seed", "1")
    assert outcome.status == 0
    assert "1 answer, " in outcome.out.splitlines()[-2]


def test_the_best_score_is_kept_between_sittings(quiz: Callable[..., Any], tmp_path: Path) -> None:
    small = ("--deck", "4", "--step", "1", "--questions", "10")
    first = quiz(*small, "--seed", "1", typed=";".join(["all-in"] * 10))
    assert first.out.splitlines()[-1] == "your first score that counts: it is kept as your best"
    (record,) = json.loads((tmp_path / "data" / "quiz.json").read_text()).values()
    assert record["num_answers"] == 10
    second = quiz(*small, "--seed", "1", typed=";".join(["check"] * 10))
    assert second.out.splitlines()[-1].startswith("a new best; before it was mean cost $")
    third = quiz(*small, "--seed", "1", typed=";".join(["all-in"] * 10))
    assert third.out.splitlines()[-1].startswith("your best is mean cost $")


def test_a_score_that_cannot_be_kept_is_told_all_the_same(
    quiz: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NASHGAP_DATA", str(tmp_path / "file"))
    outcome = quiz("--deck", "4", "--seed", "1", typed="check")
    assert outcome.status == 0
    assert "nashgap: the score is not kept: " in outcome.err
    assert "1 answer, " in outcome.out


def test_json_has_every_question_and_nothing_else(quiz: Callable[..., Any]) -> None:
    outcome = quiz(*FIGURE_2, "--seed", "3", "--json", typed="what;check;3")
    assert outcome.status == 0
    assert outcome.err == "nashgap: 'what' is not a bet; allowed: check, a multiple of 0.1 up to 3, or all-in\n"
    document = outcome.json
    assert (document["seed"], document["unit"], document["stakes"]["deck"]) == (3, "dollars_per_hand", 3)
    first, second = document["questions"]
    assert first["hands1"] == pytest.approx([0.5, 0, 0.5])
    assert (first["card"], first["bet"], first["cost"], first["is_in_equilibrium"]) == (1, 0.0, 0.0, True)
    assert [choice["bet"] for choice in first["equilibrium"]] == [0.0, 3.0]
    assert second["bet"] == 3.0
    assert second["called"] == pytest.approx(0.25)
    assert document["score"] == {"answers": 2, "mean_cost": 0.0, "in_equilibrium": 1.0, "longest_streak": 2}


def test_the_same_seed_asks_the_same(quiz: Callable[..., Any]) -> None:
    words = ("--deck", "4", "--seed", "6", "--json")
    first, second = (quiz(*words, typed="check;1").json["questions"] for _ in range(2))
    assert first == second
    assert quiz("--deck", "4", "--seed", "7", "--json", typed="check;1").json["questions"] != first


def test_games_of_a_file_are_asked_once_through(quiz: Callable[..., Any], tmp_path: Path) -> None:
    save_games(tmp_path / "games.safetensors", solve_games(Stakes(deck=4, step=0.5), 0, 0, 3))
    outcome = quiz("--games", "games.safetensors", "--seed", "1", "--json", typed=";".join(["check"] * 9))
    assert len(outcome.json["questions"]) == 3
    assert outcome.json["stakes"]["deck"] == 4


def test_plain_is_ascii(quiz: Callable[..., Any]) -> None:
    outcome = quiz(*FIGURE_2, "--plain", "--seed", "3", typed="check")
    assert outcome.out.isascii()
    assert "-- question 1 ---" in outcome.out
    assert "##########" in outcome.out


def test_a_large_deck_still_fits_a_screen(quiz: Callable[..., Any]) -> None:
    outcome = quiz("--deck", "45", "--step", "1.5", "--seed", "3", typed="q")
    rows = [line for line in outcome.out.splitlines() if "%  " in line]
    assert len(rows) == 15
    assert rows[-1].split()[0] == "1-3"
    assert max(map(len, rows)) <= 80


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--hands1", "0.5,0.4", "--hands2", "0,1"), "hands1 must sum to 1 within 1e-06, not to 0.9"),
        (("--hands1", "1e308,1e308", "--hands2", "0,1"), "hands1 must sum to 1 within 1e-06, not to inf"),
        (
            ("--hands1", "1.5,-0.5", "--hands2", "0,1"),
            "hands1: card 2 must have a probability, finite and not negative, not -0.5",
        ),
        (
            ("--hands1", "0,1", "--hands2", "0,1"),
            "hands1 and hands2 are both always card 2; two players cannot hold the same card",
        ),
        (("--hands1", "0,1", "--hands2", "0,0,1"), "hands2 has 3 probabilities; a deck of 2 cards needs 2"),
        (
            ("--deck", "3", "--hands1", "0,1", "--hands2", "0,1"),
            "hands1 has 2 probabilities; a deck of 3 cards needs 3",
        ),
        (("--hands1", "0,x", "--hands2", "0,1"), "--hands1: card 2 must be a number, not 'x'"),
        (("--hands2", "0,1"), "--hands2 needs --hands1 beside it"),
        (("--questions", "0"), "--questions 0; at least 1 is needed"),
        (("--questions", str(10**30)), f"--questions {10**30}; too many"),
        (("--games", "absent"), "cannot read absent: No such file or directory"),
        (("--games", "absent", "--deck", "5"), "--games has games and stakes of its own; leave out --deck"),
        (("--step", "0.7"), "bet_size: stack must be a multiple of step 0.7, at most 10000 steps, not 3.0"),
        (("--seed", "-1"), "seed = -1; it must be a whole number from 0 to 9223372036854775807"),
    ],
)
def test_bad_input_is_refused_in_one_line(quiz: Callable[..., Any], words: tuple[str, ...], message: str) -> None:
    outcome = quiz(*words)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"nashgap: {message}\n")
