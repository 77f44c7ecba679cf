"""Chaos: commands that are killed again and again at random moments end with the numbers of one that was left alone.

Each kind of work is a command in a process of its own, with 1 or 2 workers in turn. Moments, ways to die and ways to
go on are drawn from a seed. A moment is a mark that the run's folder shows, and a while after it, so that the first
moments, transactions, files that are being written and the writing of the result are hit as well as the work itself. A
run that comes to its end before all kills is compared, and begun again.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from waiting import wait_until

from nashgap.core.array_file import TEMPORARY_FILES, open_arrays
from nashgap.runs import find_run, list_runs

BEFORE, WORK, END = "before work", "at work", "at its end"  # what kills meet
INTERRUPTED = 130
# What Python says when it is interrupted before it knows what to run.
UNBEGUN = ("Could not import runpy module", "Fatal Python error: init_import_site")
MOST_SESSIONS = 6  # for each kill that is wanted: some sessions end before their moment comes
MOST_SECONDS = 120.0  # for a session
LOOK_SECONDS = 0.0005  # between two looks at a folder

LEDGER, RESULT, FOUND = "ledger.sqlite", "result.json", "found.safetensors"
TOURNAMENT = 'game = "lhe3"\ndeals = 20_000\nagents = ["always-call", "always-raise", "probe", "triple(0.1,0.4,0.5)"]\n'
RIVERS = ",".join(f"{low}s {high}h 3c 8d Jc" for low in "2456" for high in "79TQKA")
SPOT = ["--oop", "66+,A8s+,KQ", "--ip", "22+,AT+", "--pot", "200", "--stack", "900"]
LBR = ["--game", "hunl", "--by", "lbr", "--rounds", "3-4"]
NUM_ITERATIONS = 1_000_000
TRAINING = ["solve", "leduc-small", "--iterations", str(NUM_ITERATIONS), "--save-every", "0.05", "-o", FOUND]
BATCHES = {
    "lbr by lines": ["measure", "always-call", *LBR, "--deals", "400"],
    "lbr dealt": ["measure", "always-call", *LBR, "--lines", "dealt", "--deals", "40000"],
    "tournament": ["tournament", "run", "chumps.toml"],
    "dataset": ["explain", "dataset", "--games", "1250", "--deck", "4", "--step", "0.5", "-o", FOUND],
    "spot boards": ["solve-spot", "--boards", RIVERS, *SPOT, "--until", "0.02%", "-o", "found.csv"],
    "best response": ["measure", "always-call", "--game", "lhe2", "--tree", "full", "--flops", "12"],
    "comparison": ["compare", "always-call", "half-call-half-raise", *LBR, "--lines", "dealt", "--deals", "6000"],
}
STATES = {
    "solve": ["solve", "leduc", "--solver", "cfr", "--iterations", "60000", "--save-every", "0.05", "-o", FOUND],
    "spot": ["solve-spot", "--board", "Td 9d 6h 2c", *SPOT, "--until", "0.1%", "-o", FOUND],
    "training": TRAINING,
    "training by threads": [*TRAINING, "--threads", "2"],
}
KINDS = {**BATCHES, **STATES}
QUICK_KINDS = ["lbr by lines", "tournament", "dataset", "spot boards", "training", "training by threads"]
# How often each mark is waited for, and each way to die is taken.
MARKS = {"start": 3, "folder": 1, "work": 10, "transaction": 3, "file": 2, "result": 1}
DEATHS = {"kill": 8, "kill all": 4, "worker": 3, "terminate": 3, "interrupt": 2}


@dataclass
class Chaos:
    """Sessions of one command in a folder of its own.

    startup, duration: seconds until a session that is left alone has made its folder, and until its end.
    hits:              how many kills there were, by what they met.
    """

    kind: str
    folder: Path
    drawn: random.Random
    startup: float = 0.0
    duration: float = 0.0
    hits: Counter[str] = field(default_factory=Counter)
    num_sessions: int = 0
    num_ends: int = 0

    def __post_init__(self):
        self.folder.mkdir()
        (self.folder / "chumps.toml").write_text(TOURNAMENT)

    @property
    def root(self):
        return self.folder / "runs"

    @property
    def run(self):
        """None before there is one."""
        names = [summary.name for summary in list_runs(self.root)]
        return find_run(self.root, *names) if names else None

    def left_alone(self):
        """What the command finds then; how long it takes."""
        begin = time.monotonic()
        process = self.started(is_resumed=False, workers=1)
        while not list_runs(self.root) and process.poll() is None:
            time.sleep(LOOK_SECONDS)
        self.startup = time.monotonic() - begin
        self.ended(process)
        self.duration = time.monotonic() - begin
        return self.found()

    def disturb(self, wanted, num_kills):
        """Kill and go on until there were so many kills; whatever comes to its end is as wanted."""
        while self.hits.total() < num_kills:
            assert self.num_sessions < MOST_SESSIONS * num_kills, self.hits
            if self.disturbed_session():
                self.compare(wanted)
                self.run.remove()
                for path in self.folder.glob("found.*"):
                    path.unlink()
        self.ended(self.started(is_resumed=True, workers=2))
        self.compare(wanted)

    def disturbed_session(self):
        """Whether it came to its end."""
        mark, death = (self.drawn.choices(list(each), list(each.values()))[0] for each in (MARKS, DEATHS))
        told_before, seen_before = self.told_step(), self.seen()
        process = self.started(is_resumed=self.drawn.random() < 0.5, workers=self.num_sessions % 2 + 1)
        if not self.has_come(process, mark, seen_before):
            self.ended(process)
            return True
        self.kill(process, death)
        status = self.ended(process, death)
        assert self.told_step() >= told_before, "a state that was told is not lost"
        if status == 0 and death != "worker":
            return True  # all was done when the signal came
        [summary] = list_runs(self.root) or [None]
        assert summary is None or summary.status in ("new", "interrupted", "finished"), summary
        is_before_work = self.seen().get(LEDGER) == seen_before.get(LEDGER)
        is_at_end = summary is not None and summary.status == "finished" and status != 0
        self.hits[BEFORE if is_before_work else END if is_at_end else WORK] += 1
        return status == 0

    def started(self, *, is_resumed, workers):
        """The command, or where there is a run `runs resume`, in a process and group of its own."""
        words = KINDS[self.kind]
        if is_resumed and (run := self.run) is not None:
            kept = {
                place + step for place, word in enumerate(words) if word in ("-o", "--save-every") for step in (0, 1)
            }
            words = ["runs", "resume", run.name, *(words[place] for place in sorted(kept))]
        words = [*words, *(["--workers", str(workers)] if self.kind in BATCHES else [])]
        self.num_sessions += 1
        return subprocess.Popen(
            [sys.executable, "-m", "nashgap", *words, "--runs", str(self.root), "-q", "--json"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def has_come(self, process, mark, before):
        """Whether the moment has come; if not, the session has ended before it."""
        work = self.duration - self.startup
        pauses = {"start": self.startup, "folder": 0.02, "work": work / 4, "result": 0.05}
        pause, sightings = self.drawn.uniform(0, pauses.get(mark, 0.0)), self.drawn.randrange(1, 6)
        sightings = sightings if mark == "transaction" else 1
        was_there, deadline = False, time.monotonic() + MOST_SECONDS
        while sightings:
            assert time.monotonic() < deadline
            if process.poll() is not None:
                return False
            is_there = self.shows(mark, before)
            sightings -= is_there and not was_there
            was_there = is_there
            time.sleep(LOOK_SECONDS if sightings else pause)
        return process.poll() is None

    def shows(self, mark, before):
        """Whether the folder of runs shows the mark now."""
        match mark:
            case "start":
                return True
            case "folder":
                return any(self.root.glob("*"))
            case "work":
                return self.seen().get(LEDGER) != before.get(LEDGER)
            case "transaction":
                return any(self.root.glob("[!.]*/*-journal"))
            case "file":
                return any(self.root.glob(f"[!.]*/{TEMPORARY_FILES}"))
            case "result":
                return self.seen().get(RESULT) != before.get(RESULT)
        raise AssertionError(mark)

    def seen(self):
        """When files of the run were last written."""
        seen = {}
        for path in (*self.root.glob(f"[!.]*/{LEDGER}"), *self.root.glob(f"[!.]*/{RESULT}")):
            with suppress(FileNotFoundError):
                seen[path.name] = path.stat().st_mtime_ns
        return seen

    def kill(self, process, death):
        workers = workers_of(process.pid)
        match death:
            case "worker" if workers:
                with suppress(ProcessLookupError):
                    os.kill(self.drawn.choice(workers), signal.SIGKILL)
            case "kill" | "worker":
                process.kill()
            case "kill all":
                os.killpg(process.pid, signal.SIGKILL)
            case "terminate":
                process.terminate()
            case "interrupt":
                os.killpg(process.pid, signal.SIGINT)

    def ended(self, process, death=None):
        """Its exit status, once it and its workers have come to an end; it is one of those that the death may have."""
        output, errors = process.communicate(timeout=MOST_SECONDS)
        status = process.returncode
        if death in ("terminate", "interrupt"):
            allowed = {0, INTERRUPTED, -signal.SIGTERM if death == "terminate" else -signal.SIGINT}
        else:
            allowed = {0} if death is None else {0, -signal.SIGKILL}
        if death == "interrupt" and errors.startswith(UNBEGUN):
            allowed = {1}
        assert status in allowed, (status, errors)
        if status in (0, INTERRUPTED):
            assert all(line.startswith("nashgap: ") for line in errors.splitlines()), errors
        elif status == -signal.SIGINT:  # Python's own, before anything of ours was begun
            assert "__main__.py" not in errors, errors
        assert not any(word in errors for word in ("passed over", "damaged", "missing")), errors
        if status == 0:
            json.loads(output)
        wait_until(lambda: not is_group_alive(process.pid), "that no worker outlives its run", 20)
        return status

    def told_step(self):
        """Of the newest state that the ledger lists."""
        if (run := self.run) is None:
            return 0.0
        with run.open_ledger() as ledger:
            return max((checkpoint.step for checkpoint in ledger.checkpoints()), default=0.0)

    def found(self):
        """All numbers of the finished run: result, batches, curve, and files beside it."""
        [summary] = list_runs(self.root)
        assert summary.status == "finished", summary
        run = find_run(self.root, summary.name)
        assert run.report_path.is_file()
        with run.open_ledger() as ledger:
            told = {"result": run.load_result(), "batches": ledger.batches(), "points": ledger.points()}
        if "training" in self.kind:
            del told["points"][:-1]  # when training is measured on its way, the clock says
        files = (*self.folder.glob("found.*"), *run.folder.glob("*.csv"), *run.folder.glob("*cross*"))
        return {**numbers(told), **{path.name: content(path) for path in files}}

    def compare(self, wanted):
        self.num_ends += 1
        found = self.found()
        if self.kind == "training by threads":
            assert found["result"]["iterations"] == NUM_ITERATIONS
            check = [sys.executable, "-m", "nashgap", "check", FOUND]
            assert subprocess.run(check, cwd=self.folder, capture_output=True).returncode == 0
        else:
            assert found == wanted


def numbers(document):
    """Without what is rightly different: the time that work took."""
    if isinstance(document, dict):
        timeless = {key: each for key, each in document.items() if not str(key).endswith("seconds")}
        return {key: numbers(each) for key, each in timeless.items() if not str(key).endswith("per_second")}
    return [numbers(each) for each in document] if isinstance(document, list) else document


def content(path):
    """The bytes; of a strategy or of games the arrays and what is told of them."""
    if path.suffix != ".safetensors":
        return path.read_bytes()
    file = open_arrays(path)
    file.verify()
    return numbers(file.metadata), {name: np.asarray(file.array(name)).tobytes() for name in file.names}


def workers_of(process):
    """The worker processes of a command, where the system tells them."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [int(each) for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]
    except OSError:
        return []


def is_group_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def check_chaos(kind, tmp_path, num_kills, seed):
    drawn = random.Random(f"{kind} {seed}")
    alone = Chaos(kind, tmp_path / "alone", drawn)
    wanted = alone.left_alone()
    chaos = Chaos(kind, tmp_path / "chaos", drawn, alone.startup, alone.duration)
    begin = time.monotonic()
    chaos.disturb(wanted, num_kills)
    print(
        f"{kind}: {dict(chaos.hits)}; {chaos.num_sessions} sessions, {chaos.num_ends} ends compared,"
        f" {time.monotonic() - begin:.0f} s; alone {alone.startup:.2f} + {alone.duration - alone.startup:.2f} s"
    )
    return chaos.hits


@pytest.mark.slow
@pytest.mark.parametrize("kind", QUICK_KINDS)
def test_work_that_is_killed_ends_with_the_numbers_of_work_that_was_left_alone(tmp_path, kind):
    check_chaos(kind, tmp_path, 2, 1)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_work_that_is_killed_twenty_times_ends_with_the_numbers_of_work_that_was_left_alone(tmp_path, kind):
    hits = check_chaos(kind, tmp_path, 20, 2)
    assert hits[WORK] >= 10, "most kills meet work"
