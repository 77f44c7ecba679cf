"""`nashgap serve`: its start, its pages, 50 tables at once, and a strategy of more than a GiB.

What is compared with is no peer but the most that each may take. The server and those who ask it are two processes of
one machine, so that its other load meets them; 50 tables that are acted at without a pause say how much work there is.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import quote

import numpy as np
from comparison import NUM_TURNS, Row, table

import nashgap as ng
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.rules import load_rules
from nashgap.strategies.abstract import AbstractStrategy

__all__ = ["rows"]

START, PAGE, ACTION, LOOK = 2.0, 0.3, 0.1, 2.0  # seconds at most
AIM = "aim"
PEOPLE, SECONDS, SOLVED_MINUTES = 50, 20, 1.0
PAUSES = {"0.25 to 1 s of thought": (0.25, 1.0), "no pause": (0.0, 0.0)}  # without one it is a measure, not an aim
PAGES = ("/", "/look", "/measures", "/measures/new", "/tournaments", "/rules", "/rules/rivers", "/rules/quiz")
# As the recipe hunl-rich has it, with buckets that need no training: 1.01 GiB.
BETTING = "min,0.5,1,2,a > 0.5,1,2,a > 1,a"
CARDS = "percentile(ehs2, lossless/172/172/172, recall=none)"
PLACE = "r300c/cc/cc/", "2c6dThJsQd"


class Served:
    """A server that was started: its address, and seconds from the start of its process to its first word."""

    def __init__(self, folder: Path, agents: Sequence[Path]) -> None:
        command = [sys.executable, "-m", "nashgap", "serve", "--port", "0", "--runs", str(folder / "runs")]
        start = time.perf_counter()
        self.process = subprocess.Popen([*command, *map(str, agents)], stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        self.seconds = time.perf_counter() - start
        found = re.search(r"http://([0-9.:]+)", said)
        assert found, said + self.process.stderr.read()
        self.host = found[1]

    def ask(self, path: str) -> float:
        """Seconds until the whole answer is there."""
        start = time.perf_counter()
        line = HTTPConnection(self.host, timeout=120)
        line.request("GET", path)
        answer = line.getresponse()
        content = answer.read()
        line.close()
        assert answer.status == 200, f"{path}: {content[:200]!r}"
        return time.perf_counter() - start

    def play(self, tables: Sequence[str], pause: tuple[float, float]) -> list[float]:
        """Seconds of each action of people in a process of their own, ascending."""
        command = [sys.executable, str(Path(__file__).with_name("visitors.py")), f"http://{self.host}/"]
        command += [word for each in tables for word in ("--table", each)]
        command += ["--people", str(PEOPLE), "--seconds", str(SECONDS), "--pause", *map(str, pause)]
        return sorted(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))

    def megabytes(self) -> str:
        """Its memory, where the system tells it: its own, and pages of files, which others can have back."""
        try:
            told = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return "not told"
        own, files = (int(re.findall(rf"{name}:\s+(\d+)", told)[0]) // 1024 for name in ("RssAnon", "RssFile"))
        return f"{own:,} MiB of its own, {files:,} MiB of files"


@contextmanager
def served(folder: Path, *agents: Path) -> Iterator[Served]:
    server = Served(folder, agents)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.communicate(timeout=30)


def rows(is_quick: bool = False) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="nashgap-bench-") as name:
        folder = Path(name)
        yield from _start_and_pages(folder)
        bot = folder / "bot.safetensors"
        ng.solve("hunl-fcpa-small", minutes=0.1 if is_quick else SOLVED_MINUTES).save(bot)
        yield from _tables(folder, bot)
        if not is_quick:
            yield from _large_strategy(folder)


def _row(work: str, most: float, seconds: float, note: str, aim: float | None = 1.0) -> Row:
    return Row(work, AIM, 1 / most, 1 / seconds, aim, is_duration=True, note=note)


def _start_and_pages(folder: Path) -> Iterator[Row]:
    starts, firsts = [], []
    for turn in range(NUM_TURNS):
        with served(folder / f"start-{turn}") as server:
            starts.append(server.seconds)
            firsts.append(server.ask("/"))
    yield _row("serve: start", START, median(starts), "until the address is said; the package's .pyc files are there")
    yield _row("serve: first page", PAGE, median(firsts), "the first request of all, in a connection of its own")
    with served(folder / "pages") as server:
        for path in PAGES:
            first, *later = (server.ask(path) for _ in range(1 + 2 * NUM_TURNS))
            yield _row(f"serve: {path}", PAGE, median(later), f"later ones; the first took {1000 * first:.0f} ms")


def _tables(folder: Path, bot: Path) -> Iterator[Row]:
    tables = [f"hunl:{bot}", "lhe3:poki:probe"]
    for words, pause in PAUSES.items():
        with served(folder / words, bot) as server:
            seconds = server.play(tables, pause)
        at = {share: seconds[int(share * (len(seconds) - 1))] for share in (0.5, 0.95, 0.99, 1.0)}
        told = ", ".join(f"{100 * share:g}% within {1000 * value:.0f} ms" for share, value in at.items())
        note = f"{len(seconds) / SECONDS:.0f} actions a second; {told}"
        yield _row(f"serve: {PEOPLE} tables, {words}, 99%", ACTION, at[0.99], note, 1.0 if pause[1] else None)


def _large_strategy(folder: Path) -> Iterator[Row]:
    path = folder / "large.safetensors"
    size = _save_large(path)
    os.sync()
    address = f"/api/look?strategy={path.name}&after={quote(PLACE[0])}&board={PLACE[1]}"
    for words, is_cold in (("", False), (", not in memory", True)):
        if is_cold and not _forget(path):
            return
        with served(folder / f"look{words}", path) as server:
            server.ask("/look")
            first = server.ask(address)
            later = median(server.ask(address) for _ in range(2 * NUM_TURNS))
            note = f"the first look; later ones {1000 * later:.0f} ms; the server has {server.megabytes()}"
        yield _row(f"serve: {size / 2**30:.2f} GiB{words}", LOOK, first, note)


def _save_large(path: Path) -> int:
    """Its bytes. Numbers drawn by chance: what a strategy says makes no difference here."""
    rules = load_rules("hunl")
    tree = build_betting_tree(rules, parse_betting_abstraction(BETTING))
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction(CARDS), rules))
    rng = np.random.default_rng(1)
    tables = [rng.random(size, dtype=np.float32) for size in np.diff(game.entry_start).tolist()]
    AbstractStrategy(game, tuple(tables)).save(path)
    return path.stat().st_size


def _forget(path: Path) -> bool:
    """Let the system forget what it has of the file in memory; False where it cannot be asked to."""
    if not hasattr(os, "posix_fadvise"):
        return False
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the large strategy")
    measured = []
    for row in rows(parser.parse_args().quick):
        measured.append(row)
        print(f"{row.work}: {row.note}", file=sys.stderr, flush=True)
    print(table(measured))
