"""One run with two workers, against two separate runs side by side that do half of the work each; all kept on disk."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from comparison import NUM_TURNS, Row

__all__ = ["rows"]

PEER, AIM = "two runs", 0.93
# What is done, the command, its deals, and those of a short run, whose time is for starting and is taken off.
WORKS: tuple[tuple[str, tuple[str, ...], int, int], ...] = (
    (
        "LBR, two workers",
        ("measure", "always-call", "--game", "lhe2", "--by", "lbr", "--lines", "dealt"),
        150_000,
        1_000,
    ),
    ("match, two workers", ("match", "poki", "always-call", "--game", "lhe2"), 200_000, 2_000),
)
NOTE = "deals a second by the clock, less what it takes to start"


def rows() -> Iterator[Row]:
    for work, command, deals, few in WORKS:
        apart, together = [], []
        for _ in range(NUM_TURNS):
            apart.append(_rate([[*command, "--workers", "1"]] * 2, deals // 2, few // 2))
            together.append(_rate([[*command, "--workers", "2"]], deals, few))
        yield Row(work, PEER, median(apart), median(together), AIM, note=NOTE)


def _rate(commands: Sequence[Sequence[str]], deals: int, few: int) -> float:
    """Deals a second of all commands, which run side by side."""
    seconds = _seconds(commands, deals) - _seconds(commands, few)
    return len(commands) * (deals - few) / seconds


def _seconds(commands: Sequence[Sequence[str]], deals: int) -> float:
    with TemporaryDirectory() as folder:
        begin = time.perf_counter()
        running = [
            subprocess.Popen(
                [*_words(command, deals), "--seed", str(number), "--runs", str(Path(folder) / str(number))],
                stdout=subprocess.DEVNULL,
            )
            for number, command in enumerate(commands)
        ]
        if any(process.wait() != 0 for process in running):
            raise RuntimeError(f"{' '.join(commands[0])} failed")
        return time.perf_counter() - begin


def _words(command: Sequence[str], deals: int) -> list[str]:
    return [sys.executable, "-m", "nashgap", *command, "--deals", str(deals), "--quiet"]
