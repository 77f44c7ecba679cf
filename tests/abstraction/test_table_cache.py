"""Files of the cache: what is damaged in any way counts as missing, and what is missing is built once."""

import errno
import subprocess
import sys
import time

import numpy as np
import pytest
from waiting import wait_until

from nashgap.abstraction.table_cache import kept_table, read_table, write_table
from nashgap.errors import OutputError

TABLE = np.arange(600, dtype=np.uint16).reshape(20, 30)
# Asks for two tables that are built together; a line of the log for each building that begins.
ASKING = """
import sys, time
from pathlib import Path
import numpy as np
from nashgap.abstraction.table_cache import TableFile, kept_tables

folder, seconds = Path(sys.argv[1]), float(sys.argv[2])

def build():
    with open(folder / "log", "a") as log:
        log.write("built\\n")
    time.sleep(seconds)
    return [np.full(5, 7, np.uint16), np.full(3, 9, np.uint16)]

print("asks", flush=True)
tables = kept_tables([TableFile(folder / name, np.uint16, shape) for name, shape in (("a", (5,)), ("b", (3,)))], build)
print(*(int(table.sum()) for table in tables), flush=True)
"""


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "folder" / "table.bin"
    write_table(place, TABLE)
    return place


def test_what_was_written_is_read(path):
    np.testing.assert_array_equal(read_table(path, np.uint16, (20, 30)), TABLE)
    assert [file.name for file in path.parent.iterdir()] == ["table.bin"]


@pytest.mark.parametrize("place", [0, 31, 32, 700, -1])
def test_any_changed_byte_makes_it_missing(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert read_table(path, np.uint16, (20, 30)) is None


def test_other_lengths_shapes_and_no_file_make_it_missing(path):
    content = path.read_bytes()
    assert read_table(path, np.uint16, (20, 31)) is None
    for changed in (content[:-1], content + b"\0", b""):
        path.write_bytes(changed)
        assert read_table(path, np.uint16, (20, 30)) is None
    path.unlink()
    assert read_table(path, np.uint16, (20, 30)) is None


def test_a_cache_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="NASHGAP_CACHE can name another folder"):
        write_table(tmp_path / "file" / "table.bin", TABLE)


def test_a_table_is_built_once_and_again_if_it_is_damaged(tmp_path):
    path, num_built = tmp_path / "table.bin", 0

    def build():
        nonlocal num_built
        num_built += 1
        return TABLE

    def load():
        np.testing.assert_array_equal(kept_table(path, np.uint16, (20, 30), build), TABLE)

    load()
    load()
    assert num_built == 1
    path.write_bytes(path.read_bytes()[:-1])
    load()
    assert num_built == 2


def test_nothing_is_built_that_cannot_be_kept(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OutputError, match="cannot keep"):
        kept_table(tmp_path / "file" / "table.bin", np.uint16, (20, 30), lambda: pytest.fail("was built"))


def asking(folder, seconds):
    process = subprocess.Popen(
        [sys.executable, "-c", ASKING, str(folder), str(seconds)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "asks\n"
    return process


def begun(folder):
    """How many times tables were begun to be built, once they were."""
    log = folder / "log"
    return len(wait_until(lambda: log.exists() and log.read_text()).splitlines())


def test_processes_that_ask_at_once_build_once(tmp_path):
    (tmp_path / "a").write_bytes(b"damaged")
    processes = [asking(tmp_path, 2) for _ in range(3)]
    assert [process.communicate()[0] for process in processes] == ["35 27\n"] * 3
    assert begun(tmp_path) == 1


def test_where_the_builder_is_killed_one_of_those_who_wait_builds(tmp_path):
    killed = asking(tmp_path, 600)
    assert begun(tmp_path) == 1
    waiting = [asking(tmp_path, 0.5) for _ in range(2)]
    time.sleep(0.5)
    assert begun(tmp_path) == 1
    assert [process.poll() for process in waiting] == [None, None]
    killed.kill()
    killed.communicate()
    assert [process.communicate()[0] for process in waiting] == ["35 27\n"] * 2
    assert begun(tmp_path) == 2


def test_where_there_are_no_locks_it_is_built_without(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("nashgap.abstraction.table_cache.try_lock", refuse)
    path = tmp_path / "table.bin"
    np.testing.assert_array_equal(kept_table(path, np.uint16, (20, 30), lambda: TABLE), TABLE)
    path.unlink()
    path.with_name("table.bin.lock").unlink()
    path.with_name("table.bin.lock").mkdir()  # nor can it be opened
    np.testing.assert_array_equal(kept_table(path, np.uint16, (20, 30), lambda: TABLE), TABLE)
