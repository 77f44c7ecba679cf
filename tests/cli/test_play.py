"""Whole sittings with typed lines from a pipe, and one in a terminal."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nashgap.arena.acpc.log import check_log
from nashgap.catalogue import POKER_GAMES
from nashgap.poker.rules import load_rules

SETTLING_SECONDS, SILENCE_SECONDS, MAX_SILENCES = 0.1, 3.0, 6


@pytest.fixture
def play(nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Play with these words on the command line and these lines typed, one for each answer."""

    def call(*words: str, typed: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed.split(","))))
        return nashgap("play", *words)

    return call


def test_a_limit_hand_is_told_from_the_blinds_to_the_score(play: Callable[..., Any]) -> None:
    outcome = play("--against", "always-call", "--seed", "4", "--hands", "1", typed="r,x y,r,c,f,r")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [
        "lhe2, seed 4; ? for help, q to leave",
        "",
        "── hand 1 " + "─" * 70,
        "",
        "  preflop   pot 15   to call 5",
        "  BB    always-call         bet 10      in 10",
        "  D SB  you                 bet 5       in 5       2♥ T♥",
        "  [f]old  [c]all 5  [r]aise to 20  [?] help  [q]uit > r",
        "  you raise to 20",
        "  always-call calls 10",
        "  flop: Q♠ K♣ K♠  pot 40",
        "  always-call checks",
        "",
        "  flop   Q♠ K♣ K♠   pot 40",
        "  BB    always-call                     in 20",
        "  D SB  you                             in 20      2♥ T♥",
        "  [c]heck  [b]et 10  [?] help  [q]uit > x y",
        "  'x y' is not understood; allowed: [c]heck  [b]et 10",
        "  [c]heck  [b]et 10  [?] help  [q]uit > r",
        "  you bet 10",
        "  always-call calls 10",
        "  turn: Q♠ K♣ K♠ 9♥  pot 60",
        "  always-call checks",
        "",
        "  turn   Q♠ K♣ K♠ 9♥   pot 60",
        "  BB    always-call                     in 30",
        "  D SB  you                             in 30      2♥ T♥",
        "  [c]heck  [b]et 20  [?] help  [q]uit > c",
        "  you check",
        "  river: Q♠ K♣ K♠ 9♥ 3♦  pot 60",
        "  always-call checks",
        "",
        "  river   Q♠ K♣ K♠ 9♥ 3♦   pot 60",
        "  BB    always-call                     in 30",
        "  D SB  you                             in 30      2♥ T♥",
        "  [c]heck  [b]et 20  [?] help  [q]uit > f",
        "  there is nothing to fold to; allowed: [c]heck  [b]et 20",
        "  [c]heck  [b]et 20  [?] help  [q]uit > r",
        "  you bet 20",
        "  always-call calls 20",
        "  always-call shows Q♦ 3♠  two pair",
        "  you show 2♥ T♥  pair",
        "  always-call wins 100",
        "  this hand -50; after 1 hand -50 chips, -5.000 sb_per_hand",
        "score after 1 hand",
        "  you          -50 chips, -5.000 sb_per_hand",
        "  always-call  +50 chips, +5.000 sb_per_hand",
    ]


def test_the_button_moves_and_scores_add_up(play: Callable[..., Any]) -> None:
    words = ("--game", "nlhe3", "--against", "always-call", "--seed", "1", "--hands", "4")
    outcome = play(*words, typed="f,c,c,c,c,f,f")
    hands = outcome.out.split("── hand ")[1:]
    own_lines = [next(line for line in hand.splitlines() if " you  " in line) for hand in hands]
    assert [line.split()[0] for line in own_lines] == ["D", "BB", "SB", "D"]
    assert own_lines[1].startswith("  BB    you                 bet 100     in 100     stack 19,900  ")
    won = [float(line.split()[2].rstrip(";")) for line in outcome.out.splitlines() if line.startswith("  this hand")]
    assert (won[0], won[2], won[3]) == (0, -50, 0)
    scores = outcome.out.split("score after 4 hands\n")[1].splitlines()
    assert sum(float(line.split(" chips")[0].split()[-1]) for line in scores) == 0
    assert scores[0].split() == ["you", f"{sum(won):+g}", "chips,", f"{sum(won) / 100 / 4 * 1000:+.0f}", "mbb_per_hand"]


def test_an_uncalled_bet_is_not_won(play: Callable[..., Any]) -> None:
    outcome = play("--game", "hunl", "--against", "always-fold", "--seed", "1", "--hands", "1", typed="allin")
    assert "  you raise to 20,000, all in\n  always-fold folds\n  you win 200\n" in outcome.out
    assert "this hand +100; after 1 hand +100 chips, +1000 mbb_per_hand" in outcome.out


def test_cards_of_who_folded_are_not_shown(play: Callable[..., Any]) -> None:
    outcome = play("--game", "lhe3", "--against", "always-fold", "--seed", "1", "--hands", "1", typed="r")
    assert "shows" not in outcome.out
    assert outcome.out.count("♠") + outcome.out.count("♥") + outcome.out.count("♦") + outcome.out.count("♣") == 2


def test_plain_has_letters_and_no_other_signs(play: Callable[..., Any]) -> None:
    outcome = play("--against", "always-call", "--seed", "4", "--hands", "1", "--plain", typed="c,c,c,c")
    assert outcome.out.isascii()
    assert "  river   Qs Kc Ks 9h 3d   pot 20" in outcome.out


@pytest.mark.parametrize("game", POKER_GAMES.entries)
def test_every_shipped_game_is_played_and_logged(play: Callable[..., Any], game: str, tmp_path: Path) -> None:
    words = ("--game", game, "--against", "probe", "--seed", "2", "--hands", "5", "--log", "mine.log")
    outcome = play(*words, typed=",".join(["r", "half", "c"] * 60))
    assert outcome.status == 0
    assert "score after 5 hands" in outcome.out
    assert "hands are in mine.log" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    checked = check_log(tmp_path / "mine.log", load_rules(game))
    assert (checked.num_hands, checked.num_mismatches, checked.has_score) == (5, 0, True)


def test_names_in_a_log_are_distinct_and_without_separators(
    play: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mybot_of_test_play.py").write_text("class Bot:\n    def act(self, view):\n        return 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "mine.log"
    bots = ("--against", "python:mybot_of_test_play:Bot", "--against", "probe")
    outcome = play("--game", "lhe3", *bots, "--hands", "1", "--log", str(path), typed=",".join("c" * 20))
    assert "  SB    python:mybot_of_t~  bet 5" in outcome.out
    assert path.read_text().splitlines()[1].endswith(":python-mybot_of_test_play-Bot|probe|human")
    assert check_log(path, load_rules("lhe3")).num_mismatches == 0
    play("--game", "lhe3", "--against", "probe", "--hands", "1", "--log", str(path), typed=",".join("c" * 20))
    assert path.read_text().splitlines()[1].endswith(":probe-#1|probe-#2|human")


def test_the_same_seed_deals_the_same_hands(play: Callable[..., Any]) -> None:
    one, other = (play("--seed", "3", "--against", "random", "--hands", "3", typed=",".join("c" * 30)) for _ in "ab")
    assert one.out == other.out
    first = play("--against", "always-fold", "--hands", "1", typed="r").out.splitlines()[0]
    second = play("--against", "always-fold", "--hands", "1", typed="r").out.splitlines()[0]
    assert first != second, "without a seed cards are dealt by chance"


def test_poki_is_who_you_meet_in_holdem(play: Callable[..., Any]) -> None:
    assert "BB    poki  " in play("--seed", "1", typed="q").out
    assert "probe  " in play("--seed", "1", "--game", "kuhn2", typed="c,q").out


def test_leaving_at_once_ends_politely(play: Callable[..., Any]) -> None:
    outcome = play("--against", "always-call", typed="?,q")
    assert outcome.status == 0
    assert "  r, b            raise or bet;" in outcome.out
    assert outcome.out.endswith("  you leave; the hand does not count\nno hand was finished\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--game", "lhe9"), "unknown poker game 'lhe9'"),
        (("--against", "nobody"), "unknown agent 'nobody'"),
        (
            ("--game", "lhe3", "--against", "probe", "--against", "probe", "--against", "probe"),
            "3 opponents; lhe3 has 2 other seats",
        ),
        (("--seat", "3"), "seat 3; lhe2 has seats 1 to 2"),
        (("--hands", "0"), "hands = 0; at least 1 is needed"),
        (("--seed", "-1"), "seed = -1; it must be"),
        (("--log", "nowhere/mine.log"), "nowhere/mine.log: cannot be written"),
    ],
)
def test_bad_input_is_one_line(play: Callable[..., Any], words: tuple[str, ...], message: str) -> None:
    outcome = play(*words, typed="q")
    assert outcome.status == 2
    assert outcome.out == ""
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_a_terminal_shows_colours_and_keys_end_the_sitting(key: bytes) -> None:
    """The first hand is folded, the second is not finished."""
    master, terminal = pty.openpty()
    code = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\nfrom nashgap.cli.main import run\nrun()"
    words = [sys.executable, "-c", code, "play", "--seed", "4", "--against", "always-call"]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        words, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True
    )
    os.close(terminal)
    try:
        shown = _typed(master, [b"f\n", key])
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
    assert "\x1b[1;31m2♥\x1b[0m" in shown
    assert "score after 1 hand" in shown
    assert "you          -5 chips, -0.500 sb_per_hand" in shown


def _typed(master: int, keys: list[bytes]) -> str:
    """Everything that the terminal showed while these keys were typed, each at a prompt.

    The last key is typed again when nothing happens: a signal between Python's showing the prompt and its waiting for
    input is seen only with the next one.
    """
    shown, waiting, silences = b"", list(keys), 0
    while silences < MAX_SILENCES:
        if not select.select([master], [], [], SILENCE_SECONDS)[0]:
            silences += 1
            if not waiting:
                os.write(master, keys[-1])
            continue
        try:
            piece = os.read(master, 4096)
        except OSError:  # the other side is closed
            break
        shown += piece
        if waiting and shown.count(b"uit > ") > len(keys) - len(waiting):
            time.sleep(SETTLING_SECONDS)
            os.write(master, waiting.pop(0))
    os.close(master)
    return shown.decode()
