"""Machines that misbehave: clocks that jump, file systems without locks, full disks. Each real to the process."""

import json
import subprocess
import sys
from datetime import datetime

import pytest
import sample_jobs
from faulty_machine import build_faults, faulty_environment, needs_faults
from sample_jobs import SumJob, WalkJob

from nashgap.runs import execute, list_runs, open_run

pytestmark = needs_faults


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return build_faults(tmp_path_factory.mktemp("faults"))


def called(library, faults, *command):
    environment = faulty_environment(library, NASHGAP_TEST_FAULTS=faults)
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


# In a mount namespace of its own, so that the disk is there for nobody else and goes with the script.
FULL_DISK = """
mount -t tmpfs -o size=600k none "$1" || exit 99
root=$1; shift
"$@" --runs "$root" > /dev/null; echo "first: $?" >&2
mount -o remount,size=64m "$root"
"$@" --runs "$root"
"""
COMPARE = ["compare", "always-call", "half-call-half-raise", "--game", "hunl", "--by", "lbr", "--rounds", "4"]


@pytest.mark.slow
def test_a_disk_that_fills_up_stops_the_run_which_goes_on_when_there_is_room(tmp_path):
    """About 45 kB a batch of 40: the disk is full after a few of them."""
    (tmp_path / "disk").mkdir()
    words = [sys.executable, "-m", "nashgap", *COMPARE, "--deals", "100", "-q", "--json"]
    script = ["unshare", "--map-root-user", "--mount", "sh", "-c", FULL_DISK, "sh", tmp_path / "disk", *words]
    try:
        done = subprocess.run(script, capture_output=True, text=True, timeout=120)
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if done.returncode in (1, 99) and "first" not in done.stderr:
        pytest.skip(f"a disk of its own needs a right that is missing: {done.stderr}")
    complaint, first = done.stderr.splitlines()
    assert first == "first: 2"
    assert complaint.startswith(f"nashgap: {tmp_path / 'disk'}") and complaint.endswith("database or disk is full")
    undisturbed = subprocess.run([*words, "--runs", tmp_path / "runs"], capture_output=True, text=True, timeout=120)
    found, wanted = (json.loads(each.stdout) for each in (done, undisturbed))
    for each in (found, wanted):
        assert each.pop("run") and each.pop("report")
    assert found == wanted
