"""Files of the cache: what is damaged in any way counts as missing."""

import numpy as np
import pytest

from nashgap.abstraction.table_cache import kept_table, read_table, write_table
from nashgap.errors import OutputError

TABLE = np.arange(600, dtype=np.uint16).reshape(20, 30)


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
