"""Damage: one byte changed anywhere in a run's files gives the right numbers or one clear error, nothing else."""

import json
import random
import shutil
import sqlite3
import struct
import warnings
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sample_jobs import SumJob, Walk, WalkJob

from nashgap.cli.main import main
from nashgap.errors import FileFormatError, NashGapError
from nashgap.runs import execute, list_runs, open_run

HEADER_BYTES = 100  # of an SQLite file
PAGE_KINDS = {2: 12, 5: 12, 10: 8, 13: 8}  # bytes of a page's header by its first byte


@dataclass(frozen=True)
class LongSumJob(SumJob):
    """Its payloads fill several pages of the ledger; some do not fit into one."""

    def run_batch(self, index: int) -> dict[str, Any]:
        return {**super().run_batch(index), "text": "xyz" * (2000 if index % 5 == 0 else 20 * index)}


@dataclass(frozen=True)
class RewoundJob(WalkJob):
    """Its run had gone far before it was rewound, so that some pages of its ledger are free."""


def places_by_class(content):
    """The byte positions of an SQLite file by what they are for."""
    (page_bytes,) = struct.unpack(">H", content[16:18])
    places = {"file header": list(range(HEADER_BYTES))}
    free = free_pages(content, page_bytes)
    for begin in range(0, len(content), page_bytes):
        if begin in free:
            places.setdefault(f"free: {free[begin]}", []).extend(range(begin, begin + page_bytes))
            continue
        head = begin + (HEADER_BYTES if begin == 0 else 0)
        size = PAGE_KINDS.get(content[head])
        if size is None:
            places.setdefault("overflow", []).extend(range(begin, begin + page_bytes))
            continue
        num_cells, cells = struct.unpack(">HH", content[head + 3 : head + 7])
        pointers = head + size + 2 * num_cells
        kind = {2: "keyed", 5: "inner", 10: "keyed", 13: "rows"}[content[head]] if begin else "schema"
        places.setdefault("page header", []).extend(range(head, head + size))
        places.setdefault("cell pointers", []).extend(range(head + size, pointers))
        places.setdefault("free space", []).extend(range(pointers, begin + cells))
        places.setdefault(f"cells: {kind}", []).extend(range(begin + cells, begin + page_bytes))
    return {kind: found for kind, found in places.items() if found}


def free_pages(content, page_bytes):
    """The pages of the list of free pages, by where they begin: those that have the list, and those that are on it."""
    pages = {}
    (trunk,) = struct.unpack(">I", content[32:36])
    while trunk:
        begin = (trunk - 1) * page_bytes
        pages[begin] = "list"
        trunk, num_leaves = struct.unpack(">II", content[begin : begin + 8])
        leaves = struct.unpack(f">{num_leaves}I", content[begin + 8 : begin + 8 + 4 * num_leaves])
        pages.update({(leaf - 1) * page_bytes: "listed" for leaf in leaves})
    return pages


def flips(content, number, seed):
    """Copies of the content with one byte changed: as many of each class, half of them by one bit."""
    drawn, classes = random.Random(seed), places_by_class(content) if content[:6] == b"SQLite" else {}
    classes = classes or {"all": list(range(len(content)))}
    for flip in range(number):
        kind = sorted(classes)[flip % len(classes)]
        place = drawn.choice(classes[kind])
        change = 1 << drawn.randrange(8) if drawn.random() < 0.5 else drawn.randrange(1, 256)
        damaged = bytearray(content)
        damaged[place] ^= change
        yield f"{kind}, byte {place} by {change:#x}", bytes(damaged)


def finished(job, root):
    """The run of the job, finished twice over, so that a state lies before the last."""
    run = open_run(job, root)
    if isinstance(job, RewoundJob):
        for steps in (20, 1000):
            execute(replace(job, steps=steps), run)
        with run.open_ledger() as ledger:
            ledger.rewind(ledger.checkpoints()[1])
    for budget in ({"steps": 20}, {"steps": 40}) if isinstance(job, WalkJob) else ({},):
        execute(replace(job, **budget), run)
    run.save_result({"summary": "all of it", "number": 0.1 + 0.2, "list": [1, None, "ä"]})
    return run


def outcome(job, root):
    """What is found, with what was warned of; or the error."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            [summary] = list_runs(root)
            assert summary.status != "damaged" or summary.problem
            run = open_run(job, root)
            result = execute(job, run).result
            with run.open_ledger() as ledger:
                assert ledger.damage() == []
                points = ledger.points()
            return (result.place, points) if isinstance(result, Walk) else result, [str(each.message) for each in told]
        except NashGapError as error:
            assert "\n" not in str(error)
            return None, [str(error)]


def check_flips(job, root, file, number, seed=1):
    """How many gave the right result at once, after work was done again, and an error."""
    run = finished(job, root)
    path = run.folder / file
    wanted, told = outcome(job, root)
    assert told == []
    whole, whole_root = path.read_bytes(), root.parent / "whole"
    shutil.copytree(root, whole_root)
    counts = {"right": 0, "warned": 0, "refused": 0}
    for what, damaged in flips(whole, number, seed):
        shutil.rmtree(root)
        shutil.copytree(whole_root, root)
        path.write_bytes(damaged)
        found, told = outcome(job, root)
        if found is None:
            counts["refused"] += 1
        elif found == wanted:
            counts["warned" if told else "right"] += 1
        else:
            # A point of the curve that cannot be had back is missing, and that was said.
            assert isinstance(job, WalkJob) and told, what
            assert found[0] == wanted[0], what
            assert all(point in wanted[1] for point in found[1]), what
            assert any("the curve's point" in line for line in told), (what, told)
            counts["warned"] += 1
    return counts


JOBS = {"batches": LongSumJob(batches=30), "states": WalkJob(steps=40), "rewound": RewoundJob(steps=40)}


@pytest.mark.parametrize("kind", JOBS)
def test_a_changed_byte_of_a_ledger_never_changes_a_number(tmp_path, kind):
    counts = check_flips(JOBS[kind], tmp_path / "runs", "ledger.sqlite", 63)
    assert all(counts.values()), counts


@pytest.mark.long
@pytest.mark.parametrize("kind", JOBS)
def test_two_thousand_changed_bytes_of_a_ledger_never_change_a_number(tmp_path, kind):
    counts = check_flips(JOBS[kind], tmp_path / "runs", "ledger.sqlite", 2000, seed=2)
    print(kind, counts)
    assert all(counts.values()), counts


def test_a_changed_byte_of_a_config_never_changes_a_number(tmp_path):
    counts = check_flips(JOBS["batches"], tmp_path / "runs", "config.toml", 100)
    assert counts["warned"] > 50, "the job that is given again writes its config anew"


def test_a_changed_byte_of_a_checkpoint_never_changes_a_number(tmp_path):
    counts = check_flips(JOBS["states"], tmp_path / "runs", "checkpoint-2", 30)
    assert counts == {"right": 0, "warned": 30, "refused": 0}, "the state before it serves"


def test_a_changed_byte_of_a_result_is_noticed(tmp_path):
    run = finished(JOBS["batches"], tmp_path)
    wanted = run.load_result()
    num_refused = 0
    for what, damaged in flips(run.result_path.read_bytes(), 200, 1):
        run.result_path.write_bytes(damaged)
        try:
            assert run.load_result() == wanted, what
        except FileFormatError as error:
            assert "resuming the run writes it anew" in str(error)
            num_refused += 1
    assert num_refused > 150, "only a changed space between two words of JSON changes nothing"


def test_a_changed_batch_is_named_dropped_and_played_again(tmp_path):
    job = SumJob(batches=5)
    run = open_run(job, tmp_path)
    wanted = execute(job, run).result
    change(run.folder / "ledger.sqlite", "UPDATE batches SET payload = '{\"mean\": 0.75}' WHERE number = 3")
    [summary] = list_runs(tmp_path)
    assert (summary.status, "damaged: batch 3; resuming" in summary.problem) == ("damaged", True)
    seen = []
    with pytest.warns(UserWarning, match="damaged, and done again: batch 3$"):
        assert execute(job, run, on_progress=seen.append).result == wanted
    assert len(seen) == 1
    assert list_runs(tmp_path)[0].status == "finished"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE batches SET number = 17 WHERE number = 3", "batch 17"),
        ("UPDATE batches SET seconds = 5.5 WHERE number = 3", "batch 3"),
        ("UPDATE facts SET value = 'finished, it seems' WHERE key = 'status'", "the fact 'status'"),
        ("UPDATE facts SET value = CAST(x'ff00' AS TEXT) WHERE key = 'progress'", "the fact 'progress'"),
        ("DELETE FROM facts WHERE key = 'seconds'", "the fact 'seconds'"),
        ("UPDATE facts SET value = 'abc' WHERE key = 'run_id'", "the fact 'run_id'"),
    ],
)
def test_every_column_of_a_row_is_under_its_checksum(tmp_path, statement, named):
    other = SumJob(seed=1)
    execute(other, open_run(other, tmp_path))
    job = SumJob(batches=5)
    run = open_run(job, tmp_path)
    wanted = execute(job, run).result
    change(run.folder / "ledger.sqlite", statement)
    with run.open_ledger() as ledger:
        assert ledger.damage() == [named]
    assert [each.status for each in list_runs(tmp_path)] == ["damaged", "finished"], "other runs do not suffer"
    with pytest.warns(UserWarning, match=named):
        assert execute(job, run).result == wanted


def test_a_row_of_another_run_is_not_taken(tmp_path):
    job, other = SumJob(batches=5), SumJob(seed=1, batches=5)
    run, other_run = open_run(job, tmp_path), open_run(other, tmp_path)
    wanted = execute(job, run).result
    execute(other, other_run)
    with sqlite3.connect(run.folder / "ledger.sqlite") as connection:
        connection.execute("ATTACH ? AS other", [str(other_run.folder / "ledger.sqlite")])
        connection.execute("INSERT OR REPLACE INTO batches SELECT * FROM other.batches WHERE number = 2")
    connection.close()
    with pytest.warns(UserWarning, match="batch 2$"):
        assert execute(job, run).result == wanted


def test_a_ledger_without_checksums_is_read_and_gets_them_when_its_run_goes_on(tmp_path):
    job = SumJob(batches=5)
    run = open_run(job, tmp_path)
    wanted = execute(job, run).result
    path = run.folder / "ledger.sqlite"
    write_format_1(path)
    [summary] = list_runs(tmp_path)
    assert (summary.status, summary.progress.done) == ("finished", 5)
    with run.open_ledger() as ledger:
        seconds = ledger.batch_seconds()
    again = execute(SumJob(batches=6), run)
    assert again.result[:5] == wanted
    with run.open_ledger() as ledger:
        assert seconds.items() < ledger.batch_seconds().items(), "what was finished is not done again"
    change(path, "UPDATE batches SET payload = '{\"mean\": 0.75}' WHERE number = 3")
    with run.open_ledger() as ledger:
        assert ledger.damage() == ["batch 3"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE batches SET payload = CAST(x'7b226d65616ed9' AS TEXT) WHERE number = 3",
        "UPDATE batches SET payload = CAST(x'7b22d9223a20317d' AS TEXT) WHERE number = 3",
        "UPDATE batches SET payload = x'00' WHERE number = 3",
        "UPDATE batches SET payload = '{\"mean\"' WHERE number = 3",
        "UPDATE batches SET payload = '3' WHERE number = 3",
        "UPDATE batches SET seconds = 'long' WHERE number = 3",
    ],
)
def test_a_row_without_a_checksum_that_cannot_be_read_is_dropped_and_played_again(tmp_path, statement):
    job = SumJob(batches=5)
    run = open_run(job, tmp_path)
    wanted = execute(job, run).result
    path = run.folder / "ledger.sqlite"
    write_format_1(path)
    change(path, statement)
    assert list_runs(tmp_path)[0].status == "damaged"
    with pytest.warns(UserWarning, match="damaged, and done again: batch 3$"):
        assert execute(job, run).result == wanted


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE facts SET value = 'many' WHERE key = 'seconds'",
        "UPDATE facts SET value = CAST(x'ff00' AS TEXT) WHERE key = 'seconds'",
        "UPDATE facts SET value = CAST(x'ff00' AS TEXT) WHERE key = 'run_id'",
        "UPDATE facts SET value = '{' WHERE key = 'progress'",
        "UPDATE facts SET value = '[1]' WHERE key = 'progress'",
        "DELETE FROM facts WHERE key = 'run_id'",
    ],
)
def test_a_damaged_fact_of_a_ledger_without_checksums_leaves_other_runs_alone(tmp_path, statement):
    for seed in (0, 1):
        job = SumJob(seed=seed)
        execute(job, open_run(job, tmp_path))
    path = next(tmp_path.glob("*seed-0*")) / "ledger.sqlite"
    write_format_1(path)
    change(path, statement)
    assert [each.status for each in list_runs(tmp_path)] == ["damaged", "finished"]


def change(path, statement):
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def write_format_1(path):
    """The ledger as version 0.2 had it before there were checksums."""
    with sqlite3.connect(path) as connection:
        tables = {
            "facts": "key TEXT PRIMARY KEY, value TEXT NOT NULL",
            "batches": "number INTEGER PRIMARY KEY, payload TEXT NOT NULL, seconds REAL NOT NULL",
            "points": "step REAL PRIMARY KEY, record TEXT NOT NULL",
            "checkpoints": "number INTEGER PRIMARY KEY, step REAL NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL,"
            " saved_at TEXT NOT NULL",
        }
        for table, columns in tables.items():
            names = ", ".join(column.split()[0] for column in columns.split(", "))
            rows = connection.execute(f"SELECT {names} FROM {table}").fetchall()
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"CREATE TABLE {table} ({columns})")
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names.split(', ')))})", rows)
        connection.execute("DROP TABLE sessions")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


MATCH = ["match", "always-call", "half-call-half-raise", "--game", "leduc2", "--deals", "400", "-q", "--json"]


@pytest.mark.parametrize("file", ["ledger.sqlite", "config.toml", "result.json"])
def test_commands_tell_of_damage_in_one_line_or_the_right_numbers(tmp_path, capsys, file):
    root = tmp_path / "runs"
    match = [*MATCH, "--runs", str(root)]
    assert main(match) == 0
    wanted = json.loads(capsys.readouterr().out)
    [path] = root.glob(f"*/{file}")
    whole, folder = path.read_bytes(), tmp_path / "whole"
    shutil.copytree(root, folder)
    for what, damaged in flips(whole, 18, 3):
        shutil.rmtree(root)
        shutil.copytree(folder, root)
        path.write_bytes(damaged)
        for words in (["runs", "list"], ["runs", "show", "match"]):
            assert main([*words, "--runs", str(root)]) in (0, 2), what
        resumed = main(["runs", "resume", "match", "--runs", str(root), "-q", "--json"])
        told = capsys.readouterr()
        assert "Traceback" not in told.err, what
        again = main(match)
        found = capsys.readouterr()
        assert {resumed, again} <= {0, 2}, what
        assert all(line.startswith("nashgap: ") for line in (told.err + found.err).splitlines()), (what, told.err)
        if again == 0:
            assert numbers(json.loads(found.out)) == numbers(wanted), what
        else:
            assert file == "ledger.sqlite", (what, found.err)


def numbers(document):
    return {key: value for key, value in document.items() if key not in ("seconds", "finished_at")}
