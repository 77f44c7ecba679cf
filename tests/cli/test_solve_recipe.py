from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nashgap as ng
from nashgap.core.array_file import TEMPORARY_FILES
from nashgap.strategies.abstract_file import load_abstract_strategy

KEYS = {
    "recipe", "game", "unit", "seed", "threads", "iterations", "seconds", "visits", "information_sets", "entries",
    "average_regret", "gap", "self_play_hands", "unvisited_share", "stdev", "lines", "first_folds",
    "first_folds_heads_up", "notes", "version", "output", "run", "report",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nashgap.jobs.train.FINAL_HANDS", 20_000)


def test_from_nothing_to_a_strategy_file(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("solve", "leduc-small", "--iterations", "20000", "-o", "leduc.safetensors", "--json").json
    assert set(found) == KEYS
    assert (found["recipe"], found["game"], found["iterations"]) == ("leduc-small", "leduc2", 20_000)
    assert (found["information_sets"], found["unit"]) == (936, "antes_per_hand")
    assert 0 < found["average_regret"] < 1
    assert (tmp_path / found["report"]).is_file()
    strategy = load_abstract_strategy(tmp_path / "leduc.safetensors")
    assert strategy.check().num_unreached == 0
    assert strategy.facts["recipe"] == "leduc-small"
    assert strategy.options.off_tree == "call"
    again = nashgap("solve", "leduc-small", "--iterations", "20000", "--json").json
    assert {**again, "output": "leduc.safetensors"} == found


def test_text_says_what_was_found_in_80_columns(nashgap: Callable[..., Any]) -> None:
    outcome = nashgap("solve", "kuhn3-small", "--iterations", "20000", "--threads", "2")
    assert outcome.status == 0
    assert outcome.out.startswith("kuhn3-small: 3-player Kuhn poker")
    assert "20,000 iterations; gap in its abstract game at least" in outcome.out
    assert "first fold" in outcome.out
    assert "CFR promises no equilibrium" in outcome.out
    assert "as Abou Risk 2009 seems to count" in outcome.out
    assert "differ a little from run to run" in outcome.out
    assert "kuhn3-small: 48 information sets" in outcome.err
    assert max(map(len, (*outcome.err.splitlines(), *outcome.out.splitlines()))) <= 80


def test_a_dry_run_of_ir16_tells_all_sizes_and_writes_nothing(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    found = nashgap("solve", "ir16", "--dry-run", "--minutes", "20", "--threads", "2", "--json").json
    assert found["nodes_by_round"] == [90, 4_412, 205_962, 9_501_342]
    assert found["information_sets"] == 16 * sum(found["nodes_by_round"])
    assert found["entries"] == sum(found["entries_by_round"]) == 382_996_912
    assert found["entry_bytes"] + found["tree_bytes"] + found["table_bytes"] == found["bytes"] < 4 * 2**30
    assert found["checkpoint_bytes"] < found["disk_bytes"]
    assert found["seconds"] == 1200
    assert list(tmp_path.iterdir()) == []
    text = nashgap("solve", "ir16", "--dry-run").out
    assert "9,501,342" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("solve leduc-small --solver cfr", "recipe 'leduc-small' says how to solve; --solver is for games"),
        ("solve leduc-small --freeze 1=uniform --simultaneous", "; --simultaneous, --freeze are for games"),
        ("solve kuhn --threads 2", "'kuhn' is no recipe; --threads is for recipes"),
        ("solve leduc-small --threads 0", "threads = 0; it must be a whole number from 1 to 1024"),
        ("solve leduc-small --minutes -1", "minutes = -1.0; it must be more than 0"),
        ("solve leduc-small --seed -1", "seed = -1"),
        ("solve leduc-small --save-every -1", "save every -1.0 seconds"),
        ("solve leduc-small -o nowhere/x", "cannot write nowhere/x: there is no folder"),
        ("solve nowhere.toml", "nowhere.toml: cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_status_2(nashgap: Callable[..., Any], command: str, message: str) -> None:
    outcome = nashgap(*command.split())
    assert outcome.status == 2
    assert outcome.out == ""
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_machine_too_small_is_told(nashgap: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nashgap.jobs.train_forecast.available_memory", lambda: (2**30, 2**30))
    outcome = nashgap("solve", "ir16")
    assert outcome.status == 2
    assert "ir16 needs 3.3 GiB of memory; this machine has 1.0 GiB" in outcome.err


def test_a_file_of_ones_own_is_a_recipe(nashgap: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'title = "my own"\ngame = "kuhn2"\nbetting = "full"\ncards = "lossless"\nminutes = 0.001\n'
        '[solver]\nschedule = "lcfr"\n'
    )
    found = nashgap("solve", "own.toml", "--json").json
    assert (found["recipe"], found["game"], found["information_sets"]) == ("own", "kuhn2", 12)
    shown = nashgap("runs", "show", "train-own", "--json").json
    assert shown["kind"] == "train"
    assert shown["identity"]["recipe"]["solver"] == {"schedule": "lcfr"}
    assert "nashgap runs resume train-own-" in (tmp_path / found["report"]).read_text()
    (tmp_path / "own.toml").unlink()
    resumed = nashgap("runs", "resume", "train-own", "--json").json
    assert (resumed["iterations"], resumed["lines"]) == (found["iterations"], found["lines"])


def test_runs_are_listed_and_resumed(nashgap: Callable[..., Any]) -> None:
    nashgap("solve", "kuhn3-small", "--iterations", "5000", "--quiet")
    (listed,) = nashgap("runs", "list", "--json").json["runs"]
    assert (listed["kind"], listed["status"], listed["done"]) == ("train", "finished", 5000)
    resumed = nashgap("runs", "resume", "train-kuhn3", "-o", "kuhn.safetensors", "--json").json
    assert (resumed["iterations"], resumed["output"]) == (5000, "kuhn.safetensors")
    shown = nashgap("runs", "show", "train-kuhn3").out
    assert "kuhn3-small trained: 5,000 iterations; gap in its abstract game at least" in " ".join(shown.split())
    assert max(len(line) for line in shown.splitlines() if not line.startswith("report")) <= 160


def test_recipes_and_abstractions_are_listed(nashgap: Callable[..., Any]) -> None:
    names = {record["name"] for record in nashgap("list", "recipes", "--json").json["recipes"]}
    assert {"ir16", "multi2", "hunl-fcpa", "leduc-small"} <= names
    assert "percentile" in nashgap("list", "abstractions").out


# What both scripts do: train in a process of its own, and look at the newest state.
COMMON = """
import json, os, random, signal, sys, time
from pathlib import Path
from nashgap.cli.main import main
from nashgap.errors import NashGapError
from nashgap.runs import find_run
from nashgap.jobs.perform import job_of

def start(*words):
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os._exit(main(["solve", "leduc-small", "--save-every", "0", "--quiet", *words]))
    return child

def wait_for_group(child):
    try:
        while True:
            os.killpg(child, 0)
            time.sleep(0.01)
    except ProcessLookupError:
        pass

def newest_step():
    try:
        with find_run(Path("runs"), "train-leduc-small").open_ledger() as ledger:
            return max((checkpoint.step for checkpoint in ledger.checkpoints()), default=0)
    except NashGapError:
        return 0  # the run is not there yet, or its ledger is being written

def load_newest():
    run = find_run(Path("runs"), "train-leduc-small")
    with run.open_ledger() as ledger:
        newest = ledger.checkpoints()[0]
    work = job_of(run).begin()
    work.load(run.folder / newest.file)
    assert work.solver.iteration == newest.step
    return work.solver.iteration
"""

# Each time the newest checkpoint loads, and training has gone on by the next.
KILLS = """
num_kills, iterations, options = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
rng, reached = random.Random(4), [0]
for _ in range(num_kills):
    child = start("--iterations", iterations, *options)
    while newest_step() <= reached[-1]:
        time.sleep(0.03)
    time.sleep(rng.uniform(0.0, 0.15))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    wait_for_group(child)  # what it has started ends with it
    reached.append(load_newest())
os.waitpid(start("--iterations", iterations, "-o", "leduc.safetensors", *options), 0)
print(json.dumps({"reached": reached, "last": load_newest()}), file=sys.stderr)
"""

# As root of a name space of its own: a small disk is mounted, and filled during training.
FULL_DISK = """
import subprocess
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", "disk"], check=True)
os.chdir("disk")
readable, writable = os.pipe()
errors = os.dup(2)
os.dup2(writable, 2)
child = start("--minutes", "5")
os.dup2(errors, 2)
os.close(writable)
while not list(Path().glob("runs/*/checkpoint-2")):
    time.sleep(0.01)
filler = os.open("filler", os.O_WRONLY | os.O_CREAT)
try:
    while True:
        os.write(filler, bytes(1024))
except OSError:
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
files = sorted(path.name for path in Path().glob("runs/*/*"))
os.unlink("filler")
os.close(filler)
told = {"status": status, "errors": open(readable).read(), "files": files, "reached": load_newest()}
print(json.dumps(told), file=sys.stderr)
"""


def _run_script(folder: Path, *words: str, before: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a script tells in the last line of its standard error."""
    command = [*before, sys.executable, "-c", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])
    return told


def _assert_killed_is_as_good(folder: Path, num_kills: int, iterations: int, nodes: int | None = None) -> None:
    options = [] if nodes is None else ["--nodes", str(nodes)]
    told = _run_script(folder, COMMON + KILLS, str(num_kills), str(iterations), *options)
    assert len(set(told["reached"])) == num_kills + 1
    assert told["reached"] == sorted(told["reached"])
    assert told["last"] == iterations
    (run,) = folder.glob("runs/train-leduc-small-*")
    assert not list(run.glob(TEMPORARY_FILES))
    assert len(list(run.glob("checkpoint-*"))) == 2
    whole = ng.solve("leduc-small", iterations=iterations, nodes=None if nodes is None else 1).strategy
    tables = load_abstract_strategy(folder / "leduc.safetensors").tables
    for table, expected in zip(tables, whole.tables, strict=True):
        np.testing.assert_array_equal(table, expected)


@pytest.mark.slow
def test_killed_at_random_moments_it_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    _assert_killed_is_as_good(tmp_path, 3, 250_000)


@pytest.mark.slow
def test_killed_across_nodes_it_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    _assert_killed_is_as_good(tmp_path, 3, 60_000, nodes=2)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["leduc-small", "--nodes", "6"],
            "the first round of leduc2 ends in 5 ways that go on, so that it must be 1 to 5",
        ),
        (["leduc-small", "--nodes", "0"], "nodes = 0; it must be a whole number from 1 to 1024"),
        (["leduc-small", "--nodes", "2", "--threads", "2"], "a node has one thread"),
        (["kuhn3-small", "--nodes", "2"], "kuhn3 has no first round that others follow"),
        (["leduc", "--nodes", "2"], "--nodes is for recipes"),
    ],
)
def test_what_nodes_do_not_do_is_one_line_and_no_run(
    nashgap: Callable[..., Any], tmp_path: Path, words: list[str], text: str
) -> None:
    refused = nashgap("solve", *words)
    assert refused.status == 2
    assert text in refused.err and refused.err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.long
def test_killed_ten_times_it_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    _assert_killed_is_as_good(tmp_path, 10, 6_000_000)


def test_a_full_disk_is_one_clear_error_and_leaves_the_last_checkpoint_whole(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], capture_output=True, check=False).returncode:
        pytest.skip("a disk of its own needs unshare")
    (tmp_path / "disk").mkdir()
    told = _run_script(tmp_path, COMMON + FULL_DISK, before=(unshare, "-rm"))
    assert told["status"] == 2
    assert told["errors"].count("\n") == 1
    assert "No space left" in told["errors"] or "the disk has" in told["errors"] or "disk is full" in told["errors"]
    assert told["reached"] > 0
    assert not [name for name in told["files"] if name.endswith(".tmp")]
