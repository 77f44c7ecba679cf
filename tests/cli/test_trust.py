"""Runs and tournament files of somebody else: what they start is told first, and nothing of it happens unasked."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SPY = """
from pathlib import Path
with Path(__file__).with_name("imported").open("a") as file:
    file.write("x")
class Spy:
    def act(self, view):
        return 0
"""
QUIET = ["-q", "--json"]
MATCH = ["match", "python:spy:Spy", "always-call", "--game", "kuhn2", "--deals", "20", *QUIET]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "spy.py").write_text(SPY)
    (tmp_path / "cup.toml").write_text('game = "kuhn2"\ndeals = 20\nagents = ["python:spy:Spy", "always-call"]\n')
    return tmp_path


def called(folder: Path, *words: str, answer: str | None = None) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, at a terminal where an answer is typed."""
    command = [sys.executable, "-m", "nashgap", *words]
    environment = {**os.environ, "NASHGAP_STATE": str(folder / "state")}
    if answer is None:
        return subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
    terminal, end = pty.openpty()
    os.write(terminal, f"{answer}\n".encode())
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, stdin=end, capture_output=True, text=True, timeout=120
        )
    finally:
        os.close(terminal)
        os.close(end)


def is_imported(folder: Path) -> bool:
    """Whether anything of the bot was run since the last time that this was asked."""
    witness = folder / "imported"
    was = witness.exists()
    witness.unlink(missing_ok=True)
    return was


def test_a_run_made_here_is_continued_and_one_from_elsewhere_asks(folder: Path) -> None:
    made = called(folder, *MATCH)
    assert made.returncode == 0, made.stderr
    assert is_imported(folder)
    assert called(folder, "runs", "resume", "match", *QUIET).returncode == 0, "it was made here"
    shutil.copytree(folder / "runs", folder / "theirs")
    resume = ["runs", "resume", "match", "--runs", "theirs", *QUIET]

    is_imported(folder)
    refused = called(folder, *resume)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "starts python:spy:Spy" in refused.stderr and "--trust" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    for words in (["runs", "list"], ["runs", "show", "match"]):
        assert called(folder, *words, "--runs", "theirs").returncode == 0
    declined = called(folder, *resume, answer="n")
    assert declined.returncode == 2 and "Start that? [y/N]" in declined.stderr
    assert not is_imported(folder), "until then nothing of theirs was run"

    accepted = called(folder, *resume, answer="y")
    assert (accepted.returncode, is_imported(folder)) == (0, True), accepted.stderr
    assert called(folder, *resume).returncode == 0, "what was trusted once is not asked for again"


def test_a_tournament_file_with_programs_asks_once(folder: Path) -> None:
    play = ["tournament", "run", "cup.toml", *QUIET]
    refused = called(folder, *play)
    assert refused.returncode == 2 and "cup.toml starts python:spy:Spy" in refused.stderr
    assert not is_imported(folder)
    assert not (folder / "runs").exists()
    trusted = called(folder, *play, "--trust")
    assert trusted.returncode == 0, trusted.stderr
    assert called(folder, *play).returncode == 0
    (folder / "cup.toml").write_text((folder / "cup.toml").read_text().replace("always-call", "exec:./other"))
    is_imported(folder)
    refused = called(folder, *play)
    assert refused.returncode == 2 and "exec:./other" in refused.stderr
    assert not is_imported(folder)


def test_a_game_that_is_a_class_is_named_in_a_tournament_and_refused_in_a_recipe(folder: Path) -> None:
    (folder / "cup.toml").write_text('game = "python:spy:Spy"\ndeals = 20\nagents = ["random", "always-call"]\n')
    refused = called(folder, "tournament", "run", "cup.toml", *QUIET)
    assert refused.returncode == 2 and "cup.toml starts python:spy:Spy" in refused.stderr
    recipe = 'title = "x"\ngame = "python:spy:Spy"\nbetting = "fcpa"\ncards = "lossless"\nminutes = 1\n'
    (folder / "own.toml").write_text(recipe)
    refused = called(folder, "solve", "own.toml", "--dry-run")
    assert refused.returncode == 2 and "'python:spy:Spy' would be started" in refused.stderr
    assert not is_imported(folder)
    trusted = called(folder, "tournament", "run", "cup.toml", *QUIET, "--trust")
    assert trusted.returncode == 2 and is_imported(folder), trusted.stderr
