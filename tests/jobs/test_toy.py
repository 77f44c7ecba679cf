"""A toy job in one file, with one line in the catalogue, has all that the others have."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from toy_job import DiceJob, Thrown

import nashgap as ng
from nashgap import catalogue
from nashgap.catalogue import Entry
from nashgap.cli.main import main
from nashgap.errors import UnsavedError
from nashgap.jobs.perform import Interrupted
from nashgap.runs import find_run, list_runs


@pytest.fixture(autouse=True)
def catalogued(monkeypatch):
    """The one line."""
    entry = Entry("toy_job:DiceJob", "dice, thrown by the hundred", "", "tests/jobs/test_toy.py")
    monkeypatch.setitem(catalogue.JOBS.entries, "dice", entry)


def expected(batches, sides=6, seed=0):
    return ng.perform(DiceJob(sides=sides, seed=seed, batches=batches)).counts


def test_it_is_done_in_memory_and_as_a_run_alike(tmp_path):
    kept = ng.perform(DiceJob(seed=3), run=tmp_path)
    assert kept.counts == expected(4, seed=3)
    assert sum(kept.counts) == 400
    assert kept.provenance.run == find_run(tmp_path, "dice").folder


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_was_stopped_is_resumed_by_the_command_line(tmp_path, capsys, workers):
    def stop(pace):
        if pace.progress.done == 2:
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        ng.perform(DiceJob(batches=6), run=tmp_path, progress=stop)
    assert list_runs(tmp_path)[0].status == "failed"
    assert main(["runs", "resume", "dice", "--runs", str(tmp_path), "--workers", str(workers), "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert tuple(told["counts"]) == expected(6)
    page = Path(told["report"]).read_text(encoding="utf-8")
    assert "Dice" in page and str(told["counts"][0]) in page


@dataclass(frozen=True)
class LateInterruptJob(DiceJob):
    """Somebody presses Ctrl-C when all batches are done and the result is being written."""

    def combine(self, batches):
        return LateInterrupt(super().combine(batches).counts)


@dataclass(frozen=True, eq=False, repr=False)
class LateInterrupt(Thrown):
    def keep_beside(self, folder):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_while_the_result_is_written_says_what_is_kept(tmp_path):
    with pytest.raises(Interrupted, match="what is finished is kept; continue with: nashgap runs resume dice-"):
        ng.perform(LateInterruptJob(), run=tmp_path)
    assert list_runs(tmp_path)[0].status == "finished"
    assert ng.perform(DiceJob(), run=tmp_path).counts == expected(4)


def test_a_file_that_cannot_be_written_in_the_end_costs_nothing_that_was_found(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()

    def remove(pace):
        folder.rmdir()

    with pytest.raises(UnsavedError, match=f"cannot write {folder / 'kuhn'}: there is no folder") as refused:
        ng.solve("kuhn", iterations=1, output=folder / "kuhn", progress=remove)
    refused.value.found.save(tmp_path / "kuhn")
    assert refused.value.found.nash_conv == ng.measure(str(tmp_path / "kuhn")).nash_conv


def test_it_shows_its_progress_and_its_result(tmp_path, capsys):
    ng.perform(DiceJob(batches=6), run=tmp_path)
    assert main(["runs", "resume", "dice", "--runs", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "600 throws" in shown and "number" in shown
    assert main(["runs", "list", "--runs", str(tmp_path), "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["runs"]
    assert listed["summary"].startswith("600 throws") and listed["finished_at"]


def test_it_survives_a_kill(tmp_path):
    """Killed by -9 in the middle; what was finished is not done again."""
    script = (
        "import os, signal, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from toy_job import DiceJob\n"
        "import nashgap as ng\n"
        "def stop(pace):\n"
        "    if pace.progress.done == 3:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        f"ng.perform(DiceJob(batches=8), run={str(tmp_path)!r}, progress=stop)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment).returncode == -9
    seen = []
    assert ng.perform(DiceJob(batches=8), run=tmp_path, progress=seen.append).counts == expected(8)
    assert [pace.progress.done for pace in seen] == [4, 5, 6, 7, 8]


def test_repr_and_notebook_show_it():
    thrown = ng.perform(DiceJob())
    assert repr(thrown) == f"<Thrown: {thrown.summary}>"
    assert "<table" in thrown._repr_html_()
