"""What lies beside a ledger when its process is killed, damaged, cut short, gone or of another run: no wrong number.

Ledgers use the rollback journal. Somebody may have opened one with other tools and left it with a write-ahead log.
"""

import shutil
import sqlite3
from collections import Counter
from dataclasses import replace

import pytest
from sample_jobs import SumJob
from test_damage import LongSumJob, finished, flips, outcome

from nashgap.runs import execute, open_run

JOB, OTHER = LongSumJob(batches=30), LongSumJob(seed=1, batches=30)
JOURNAL, LOG, INDEX = "ledger.sqlite-journal", "ledger.sqlite-wal", "ledger.sqlite-shm"
SECTOR_BYTES, PAGE_BYTES = 512, 4096


def killed_while_written(job, root, mode):
    """A run in a folder of runs under `root` that has batches, and more of them in a transaction that is not over.

    The transaction has written some of its pages to the ledger, or to the log, and is not yet committed; of the log an
    earlier one is. All by name, as they lie there at that moment.
    """
    whole = finished(job, root / "whole")
    run = open_run(replace(job, batches=10), root / "runs")
    execute(replace(job, batches=10), run)
    ledger = run.folder / "ledger.sqlite"
    connection = sqlite3.connect(ledger, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("ATTACH ? AS whole", [str(whole.folder / "ledger.sqlite")])
    copied = "INSERT OR REPLACE INTO batches SELECT * FROM whole.batches WHERE number % 2 = ?"
    if mode == "WAL":
        connection.execute(copied, [0])
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(copied, [1])
    connection.execute("DELETE FROM batches WHERE number < 5")
    files = {path.name: path.read_bytes() for path in run.folder.glob("ledger.sqlite*")}
    connection.execute("ROLLBACK")
    connection.close()
    shutil.rmtree(root / "whole")
    return run.folder, files


@pytest.fixture(scope="module", params=["DELETE", "WAL"])
def killed(request, tmp_path_factory):
    """The mode; the run's folder and its files; those of another run; and what the run finds."""
    folder = tmp_path_factory.mktemp("killed")
    run_folder, files = killed_while_written(JOB, folder / "this", request.param)
    _, others = killed_while_written(OTHER, folder / "other", request.param)
    return request.param, run_folder, files, others, execute(JOB).result


def found(killed, files, what=""):
    """What is found where these files lie beside the ledger: the right result, with or without a warning; or none."""
    _, folder, _, _, wanted = killed
    whole = folder.parent.parent / "before"
    if not whole.exists():
        shutil.copytree(folder, whole)
    shutil.rmtree(folder)
    shutil.copytree(whole, folder)
    for path in folder.glob("ledger.sqlite*"):
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    result, told = outcome(JOB, folder.parent)
    assert result in (None, wanted), what
    return "refused" if result is None else "warned" if told else "right"


def beside(killed):
    """What lies beside the ledger."""
    return (JOURNAL,) if killed[0] == "DELETE" else (LOG, INDEX)


def test_a_transaction_that_was_not_over_never_was(killed):
    _, _, files, _, _ = killed
    assert set(files) == {"ledger.sqlite", *beside(killed)}
    assert len(files[beside(killed)[0]]) > 4 * PAGE_BYTES, "it has begun"
    assert found(killed, files) == "right"


def check_flips_beside(killed, number):
    counts, files = Counter(), killed[2]
    for name in beside(killed):
        for what, damaged in flips(files[name], number, 1):
            counts[found(killed, {**files, name: damaged}, what)] += 1
        for place in range(0, 28, 1 if number > 100 else 7):  # the header
            damaged = bytearray(files[name])
            damaged[place] ^= 0xFF
            counts[found(killed, {**files, name: bytes(damaged)}, place)] += 1
    return counts


def test_a_changed_byte_beside_the_ledger_never_changes_a_number(killed):
    assert check_flips_beside(killed, 10)["right"]


@pytest.mark.long
def test_a_thousand_changed_bytes_beside_the_ledger_never_change_a_number(killed):
    print(killed[0], dict(check_flips_beside(killed, 1000)))


def test_what_is_cut_short_beside_the_ledger_never_changes_a_number(killed):
    _, _, files, _, _ = killed
    for name in beside(killed):
        size = len(files[name])
        for length in sorted({0, 1, 27, 28, 100, size - 1, *range(SECTOR_BYTES, size, 2 * PAGE_BYTES + SECTOR_BYTES)}):
            found(killed, {**files, name: files[name][:length]}, (name, length))


def test_what_is_gone_beside_the_ledger_never_changes_a_number(killed):
    mode, _, files, _, _ = killed
    kept = {name: content for name, content in files.items() if name not in beside(killed)}
    assert found(killed, kept) == ("refused" if mode == "DELETE" else "right"), "half of a transaction is damage"
    for name in beside(killed):
        found(killed, {key: content for key, content in files.items() if key != name})


def test_what_is_of_another_run_beside_the_ledger_never_changes_a_number(killed):
    _, _, files, others, _ = killed
    assert found(killed, {**files, **{name: others[name] for name in beside(killed)}}) != "right"
    for name in beside(killed):
        found(killed, {**files, name: others[name]}, name)


@pytest.mark.parametrize("name", [JOURNAL, LOG, INDEX])
@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\xff" * 600, b"text"])
def test_rubbish_beside_a_whole_ledger_changes_nothing(tmp_path, name, content):
    job = SumJob(batches=5)
    run = open_run(job, tmp_path)
    wanted = execute(job, run).result
    (run.folder / name).write_bytes(content)
    assert outcome(job, tmp_path) == (wanted, [])


@pytest.mark.parametrize("kind", ["batches", "states", "rewound"])
def test_a_ledger_cut_short_at_any_page_never_changes_a_number(tmp_path, kind):
    from test_damage import JOBS

    job, root = JOBS[kind], tmp_path / "runs"
    run = finished(job, root)
    path = run.folder / "ledger.sqlite"
    whole, folder = path.read_bytes(), tmp_path / "whole"
    wanted, _ = outcome(job, root)
    shutil.copytree(root, folder)
    boundaries = range(0, len(whole), PAGE_BYTES)
    for length in sorted({*boundaries, *(each + 1 for each in boundaries), *(each - 1 for each in boundaries[1:])}):
        shutil.rmtree(root)
        shutil.copytree(folder, root)
        path.write_bytes(whole[:length])
        result, told = outcome(job, root)
        assert result is None or result == wanted, length
        assert result is not None or "ledger.sqlite" in told[0]
