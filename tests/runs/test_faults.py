"""Machines that misbehave: clocks that jump, file systems without locks. Each real to the process, by `faults.c`."""

import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
import sample_jobs
from sample_jobs import SumJob, WalkJob

from nashgap.runs import execute, list_runs, open_run

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux"), reason="needs a C compiler and LD_PRELOAD"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("faults") / "faults.so"
    source = Path(__file__).with_name("faults.c")
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], check=True)
    return path


def called(library, faults, *command):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "LD_PRELOAD": str(library),
        "NASHGAP_TEST_FAULTS": faults,
    }
    return subprocess.run(
        [sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, timeout=120
    )


def test_the_faults_are_real(library, tmp_path):
    ask = "import time; times = [time.time() for _ in range(9)]; print(max(times) - min(times) > 86400)"
    assert called(library, "clock", "-c", ask).stdout == "True\n"
    lock = f"import fcntl; fcntl.flock(open({str(tmp_path / 'x')!r}, 'w'), fcntl.LOCK_EX)"
    assert "No locks available" in called(library, "flock", "-c", lock).stderr


@pytest.mark.parametrize(("kind", "workers"), [("sum", 1), ("sum", 2), ("walk", 1)])
def test_a_clock_that_jumps_changes_only_dates(library, tmp_path, kind, workers):
    done = called(library, "clock", sample_jobs.__file__, kind, tmp_path, workers)
    assert done.returncode == 0, done.stderr
    [summary] = list_runs(tmp_path)
    assert (summary.status, summary.progress.done) == ("finished", summary.progress.total)
    assert 0 < summary.seconds < 60, "time that was spent is told by a clock that does not jump"
    datetime.fromisoformat(summary.finished_at)
    job = SumJob(batches=8) if kind == "sum" else WalkJob(steps=200)
    found, wanted = execute(job, open_run(job, tmp_path)).result, execute(job).result
    assert (found.place, found.step) == (wanted.place, wanted.step) if kind == "walk" else found == wanted


@pytest.mark.parametrize("faults", ["flock", "fcntl", "flock fcntl"])
def test_a_file_system_without_locks_is_refused_in_one_line(library, tmp_path, faults):
    solve = ["-m", "nashgap", "solve", "kuhn", "--iterations", "20", "--runs", tmp_path / "runs", "-q", "--json"]
    refused = called(library, faults, *solve)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1
    assert "has no locks" in refused.stderr and str(tmp_path / "runs") in refused.stderr
    assert list((tmp_path / "runs").iterdir()) == [], "nothing is left behind"


def test_a_run_that_was_moved_to_such_a_file_system_is_refused_too(library, tmp_path):
    solve = ["-m", "nashgap", "solve", "kuhn", "--iterations", "20", "--runs", tmp_path, "-q"]
    assert called(library, "", *solve).returncode == 0
    refused = called(library, "flock", "-m", "nashgap", "runs", "resume", "solve", "--runs", tmp_path, "-q")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "has no locks" in refused.stderr
    listed = called(library, "flock", "-m", "nashgap", "runs", "list", "--runs", tmp_path)
    assert listed.returncode == 0 and "finished" in listed.stdout
