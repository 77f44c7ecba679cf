"""The ledger: what is written is there, once; a damaged file is refused by name."""

import sqlite3
import subprocess
import sys

import pytest

from nashgap.core.job import Progress
from nashgap.errors import FileFormatError, MismatchError, OutputError
from nashgap.runs import Ledger
from nashgap.runs import ledger as ledger_module

PROGRESS = Progress(1, 4, "steps")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ledger.sqlite"
    Ledger.create(path, "abc")
    return path


def test_batches_come_back_in_order_and_exactly(path):
    payloads = {2: {"mean": 0.1 + 0.2, "text": "ä"}, 0: {"mean": 1e-300}, 1: {"list": [1, None]}}
    with Ledger(path, "abc") as ledger:
        for index, payload in payloads.items():
            ledger.record_batches([(index, payload, 0.5)], progress=PROGRESS, elapsed=0.25)
    with Ledger(path, "abc") as ledger:
        assert list(ledger.batches().items()) == sorted(payloads.items())
        assert ledger.batch_seconds() == {0: 0.5, 1: 0.5, 2: 0.5}
        assert ledger.seconds == 0.75
        assert ledger.progress == PROGRESS


def test_a_step_measured_again_replaces_its_point(path):
    with Ledger(path, "abc") as ledger:
        ledger.record_points([(10, {"gap": 0.5}), (20, {"gap": 0.4})], progress=PROGRESS, elapsed=1)
        ledger.record_points([(20, {"gap": 0.3}), (30, {"gap": 0.2})], progress=PROGRESS, elapsed=1)
        assert ledger.points() == [{"gap": 0.5}, {"gap": 0.3}, {"gap": 0.2}]


def test_only_the_newest_checkpoints_are_kept(path):
    with Ledger(path, "abc") as ledger:
        for number in (1, 2, 3):
            ledger.record_checkpoint(number, 10.0 * number, f"checkpoint-{number}", "0", keep=2)
        assert [checkpoint.number for checkpoint in ledger.checkpoints()] == [3, 2]


def test_rewinding_forgets_what_came_after_the_checkpoint(path):
    with Ledger(path, "abc") as ledger:
        ledger.record_points([(step, {"step": step}) for step in (10, 15, 20, 25)], progress=PROGRESS, elapsed=1)
        for number in (1, 2):
            ledger.record_checkpoint(number, 10.0 * number, f"checkpoint-{number}", "0", keep=2)
        ledger.rewind(ledger.checkpoints()[1])
        assert [checkpoint.step for checkpoint in ledger.checkpoints()] == [10.0]
        assert ledger.points() == [{"step": 10}]
        ledger.rewind(None)
        assert (ledger.checkpoints(), ledger.points()) == ([], [])


def test_fresh_ledger_is_new_and_empty(path):
    with Ledger(path, "abc") as ledger:
        assert (ledger.status, ledger.seconds, ledger.progress, ledger.batches()) == ("new", 0.0, None, {})


def test_ledger_of_another_run_is_refused(path):
    with pytest.raises(MismatchError, match="the ledger of run abc, not of xyz"):
        Ledger(path, "xyz")


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to be looked at" * 50])
def test_file_of_something_else_is_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"ledger\.sqlite"):
        Ledger(path, "abc")


def test_other_sqlite_file_is_refused(tmp_path):
    connection = sqlite3.connect(tmp_path / "other.sqlite")
    connection.execute("CREATE TABLE facts (key, value)")
    connection.close()
    with pytest.raises(FileFormatError, match="not a ledger"):
        Ledger(tmp_path / "other.sqlite", "abc")


def test_missing_ledger_is_refused_and_not_made(tmp_path):
    with pytest.raises(FileFormatError, match="missing"):
        Ledger(tmp_path / "ledger.sqlite", "abc")
    assert list(tmp_path.iterdir()) == []


def test_ledger_cut_short_is_refused(path):
    with Ledger(path, "abc") as ledger:
        for index in range(200):
            ledger.record_batches([(index, {"text": "x" * 200}, 0)], progress=PROGRESS, elapsed=0)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FileFormatError, match="damaged"):
        Ledger(path, "abc")


def test_overwritten_page_is_refused(path):
    with Ledger(path, "abc") as ledger:
        for index in range(200):
            ledger.record_batches([(index, {"text": "x" * 200}, 0)], progress=PROGRESS, elapsed=0)
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 4] = b"\xa5" * 4096
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="damaged"):
        Ledger(path, "abc")


def test_what_could_not_be_written_while_somebody_read_can_be_written_later(path, monkeypatch):
    """The last step of a transaction waits for readers, and gives up after a while."""
    monkeypatch.setattr(ledger_module, "_BUSY_SECONDS", 0.05)
    reader = sqlite3.connect(path, isolation_level=None)
    with Ledger(path, "abc") as ledger:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM facts").fetchone()
        with pytest.raises(OutputError, match="database is locked"):
            ledger.record_batches([(0, {"mean": 1.0}, 0.5)], progress=PROGRESS, elapsed=0.25)
        reader.execute("COMMIT")
        assert ledger.batches() == {}
        ledger.record_batches([(0, {"mean": 1.0}, 0.5)], progress=PROGRESS, elapsed=0.25)
    reader.close()
    with Ledger(path, "abc") as ledger:
        assert (ledger.batches(), ledger.seconds) == ({0: {"mean": 1.0}}, 0.25)


def test_an_interrupt_as_a_transaction_begins_leaves_none_open(path, monkeypatch):
    real = Ledger._execute

    def interrupted(self, statement, *values):
        cursor = real(self, statement, *values)
        if statement == "BEGIN IMMEDIATE":
            raise KeyboardInterrupt
        return cursor

    with Ledger(path, "abc") as ledger:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Ledger, "_execute", interrupted)
            ledger.set_status("running")
        ledger.set_status("interrupted")
        assert ledger.status == "interrupted"


WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from nashgap.core.job import Progress
from nashgap.runs.ledger import Ledger

with Ledger(Path(sys.argv[1]), "r1", is_quick=True) as ledger:
    for number in range(10**6):
        ledger.record_batches([(number, {"n": number}, 0.0)], progress=Progress(number, None, "hands"), elapsed=0.0)
        print(number, flush=True)
"""


def test_a_quick_ledger_keeps_through_a_kill_all_that_was_told(tmp_path):
    path = tmp_path / "ledger.sqlite"
    Ledger.create(path, "r1")
    for wanted in (7, 150):
        with subprocess.Popen(
            [sys.executable, "-c", WRITE_UNTIL_KILLED, path], stdout=subprocess.PIPE, text=True
        ) as one:
            told = [next(one.stdout) for _ in range(wanted)]
            one.kill()
            told += one.stdout.readlines()
        last = max(int(line) for line in told if line.endswith("\n"))
        with Ledger(path, "r1") as ledger:
            assert ledger.damage() == []
            assert set(range(last + 1)) <= ledger.batches().keys()


def test_a_quick_ledger_is_an_ordinary_file_once_it_is_closed(tmp_path):
    path = tmp_path / "ledger.sqlite"
    Ledger.create(path, "r1")
    with Ledger(path, "r1", is_quick=True) as ledger:
        ledger.set_status("running")
        with Ledger(path, "r1") as other:
            assert other.status == "running", "others can read it meanwhile"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes()[18:20] == b"\x01\x01", "no write-ahead log: it may lie on any file system"
